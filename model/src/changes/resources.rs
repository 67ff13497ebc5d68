//! Compares two versions of a resource.

use super::fields::renamed;
use super::wording::{changed, changed_parts};
use super::{ChangeKind, Comparison, Effect, Storage};
use crate::check::ModelPath;
use crate::field::{Allow, Field};
use crate::resource::{Command, Operation, Resource, Search, Version, View};
use crate::scalar::Date;
use serde_json::{Value, json};

impl<'a> Comparison<'a> {
    /// A resource that both models have.
    pub(super) fn resource(&mut self, old: &'a Resource, new: &'a Resource) {
        // every key is named, so that a new one is not forgotten
        let Resource {
            name,
            description: _,
            plural,
            versions,
            retired,
            deprecated,
            sunset,
            owner,
            under,
            unique,
            operations,
            views,
            count,
            search,
            commands,
            fields,
            renamed_from: _,
            allow: _,
        } = new;
        let at = ModelPath::definition(name);
        if old.name != *name {
            let message = format!("was renamed from `{}`", old.name);
            self.push(ChangeKind::ResourceRenamed, &at, Effect::Safe, message);
        }
        let paths = "the paths and the name of the table change with it";
        self.key(ChangeKind::Plural, &at.key("plural"), (&old.plural, plural), "none", paths);
        self.fields(&old.fields, fields, &at.key("fields"), Storage::Column);
        self.combinations(old, new, unique, &at.key("unique"));

        // a key that names a field has not changed if it has the field's new name
        let now = |name: &String| renamed(&old.fields, fields, name);
        self.key(ChangeKind::Owner, &at.key("owner"), (&old.owner.as_ref().map(now), owner), "none", "");
        let before: Vec<_> = old.under.iter().map(now).collect();
        self.key(ChangeKind::Under, &at.key("under"), (&before, under), "none", "the paths change with it");
        self.versions((&old.versions, versions), (&old.retired, retired), &at);
        let (before, now) = (with_written_access(&old.operations), with_written_access(operations));
        self.parts(ChangeKind::Operations, &at.key("operations"), &before, &now, |it| it.kind.word());
        let (before, now) = (views_with_written_access(&old.views), views_with_written_access(views));
        self.parts(ChangeKind::Views, &at.key("views"), &before, &now, |view| &view.name);
        self.key(ChangeKind::Lists, &at.key("search"), (&searched(&old.search), &searched(search)), "none", "");
        self.key(ChangeKind::Lists, &at.key("count"), (&old.count, count), "none", "");
        let (before, now) = (undescribed(&old.commands), undescribed(commands));
        self.parts(ChangeKind::Commands, &at.key("commands"), &before, &now, |command| &command.name);
        self.lifecycle(&at, (old.deprecated, old.sunset), (*deprecated, *sunset));
    }

    /// `versions` and `retired`, as one change.
    fn versions(
        &mut self,
        served: (&Vec<Version>, &Vec<Version>),
        retired: (&Vec<Version>, &Vec<Version>),
        at: &ModelPath,
    ) {
        let parts = [("", served), ("`retired` ", retired)].into_iter().filter(|(_, (old, new))| old != new);
        let parts: Vec<_> = parts.map(|(key, (old, new))| format!("{key}{}", changed(old, new, "none"))).collect();
        if !parts.is_empty() {
            self.push(ChangeKind::Versions, &at.key("versions"), Effect::Safe, parts.join("; "));
        }
    }

    /// `deprecated` and `sunset`, as one change.
    pub(super) fn lifecycle(&mut self, at: &ModelPath, old: (bool, Option<Date>), new: (bool, Option<Date>)) {
        let deprecated = (old.0 != new.0).then(|| changed(&old.0, &new.0, "none"));
        let sunset = (old.1 != new.1).then(|| format!("`sunset` {}", changed(&old.1, &new.1, "none")));
        let parts: Vec<_> = deprecated.into_iter().chain(sunset).collect();
        if !parts.is_empty() {
            self.push(ChangeKind::Lifecycle, &at.key("deprecated"), Effect::Safe, parts.join("; "));
        }
    }

    /// A list of parts that have names, if it changed.
    fn parts<T: PartialEq>(&mut self, kind: ChangeKind, at: &ModelPath, old: &[T], new: &[T], name: fn(&T) -> &str) {
        if old != new {
            self.push(kind, at, Effect::Safe, changed_parts(old, new, name));
        }
    }

    fn combinations(&mut self, old: &Resource, new: &Resource, unique: &[Vec<String>], at: &ModelPath) {
        let now = |name: &String| renamed(&old.fields, &new.fields, name);
        let before: Vec<Vec<_>> = old.unique.iter().map(|names| names.iter().map(now).collect()).collect();
        for (index, _) in unique.iter().enumerate().filter(|(_, names)| !before.contains(names)) {
            self.push(
                ChangeKind::UniqueAdded,
                &at.index(index),
                Effect::Verified,
                "was added; no two rows may have the same values",
            );
        }
        let at = ModelPath::definition(&old.name).key("unique");
        for (index, _) in before.iter().enumerate().filter(|(_, names)| !unique.contains(names)) {
            self.removed(ChangeKind::UniqueDropped, &at.index(index), Effect::Safe, "was removed");
        }
    }
}

/// `search` as it is written: `true`, `false` or a list of fields.
fn searched(search: &Search) -> Value {
    match search {
        Search::None => json!(false),
        Search::All => json!(true),
        Search::Fields(names) => json!(names),
    }
}

/// Operations as if the access of each were written: writing what is the default changes nothing.
fn with_written_access(operations: &[Operation]) -> Vec<Operation> {
    operations.iter().map(|operation| Operation { open_by_default: false, ..operation.clone() }).collect()
}

fn views_with_written_access(views: &[View]) -> Vec<View> {
    views.iter().map(|view| View { operations: with_written_access(&view.operations), ..view.clone() }).collect()
}

/// Commands without the keys that affect only the documentation and the rules.
fn undescribed(commands: &[Command]) -> Vec<Command> {
    let mut commands = commands.to_vec();
    for command in &mut commands {
        (command.description, command.allow, command.open_by_default) = (None, Allow::new(), false);
        for fields in [&mut command.input, &mut command.output] {
            *fields = std::mem::take(fields).into_iter().map(Field::without_notes).collect();
        }
    }
    commands
}
