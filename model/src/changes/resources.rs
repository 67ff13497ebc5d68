//! Resources on both sides.

use super::fields::renamed;
use super::{Effect, Lies, Walk, What};
use crate::check::ModelPath;
use crate::field::Allow;
use crate::resource::{Command, Resource};

impl<'a> Walk<'a> {
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
            let message = format!("was `{}`", old.name);
            self.push(What::ResourceRenamed, &at, Effect::Safe, message);
        }
        if old.plural != *plural {
            self.safe(What::Plural, &at, "plural", "is another: so are the paths and the table's name");
        }
        self.fields(&old.fields, fields, &at.key("fields"), Lies::InColumns);
        self.combinations(old, new, unique, &at.key("unique"));

        // what has a field's name is the same under its new one
        let now = |name: &String| renamed(&old.fields, fields, name);
        if old.owner.as_ref().map(now) != *owner {
            self.safe(What::Owner, &at, "owner", "is another");
        }
        if old.under.iter().map(now).collect::<Vec<_>>() != *under {
            self.safe(What::Under, &at, "under", "is another: so are the paths");
        }
        if old.versions != *versions || old.retired != *retired {
            self.safe(What::Versions, &at, "versions", "are others");
        }
        if old.operations != *operations {
            self.safe(What::Operations, &at, "operations", "are others");
        }
        if old.views != *views {
            self.safe(What::Views, &at, "views", "are others");
        }
        if old.search != *search {
            self.safe(What::Lists, &at, "search", "covers something else");
        }
        if old.count != *count {
            self.safe(What::Lists, &at, "count", "is another");
        }
        if undescribed(&old.commands) != undescribed(commands) {
            self.safe(What::Commands, &at, "commands", "are others");
        }
        if (old.deprecated, old.sunset) != (*deprecated, *sunset) {
            self.safe(What::Lifecycle, &at, "deprecated", "is another");
        }
    }

    fn safe(&mut self, what: What, at: &ModelPath, key: &str, message: &str) {
        self.push(what, &at.key(key), Effect::Safe, message);
    }

    fn combinations(&mut self, old: &Resource, new: &Resource, unique: &[Vec<String>], at: &ModelPath) {
        let now = |name: &String| renamed(&old.fields, &new.fields, name);
        let before: Vec<Vec<_>> = old.unique.iter().map(|names| names.iter().map(now).collect()).collect();
        for (index, _) in unique.iter().enumerate().filter(|(_, names)| !before.contains(names)) {
            self.push(What::UniqueAdded, &at.index(index), Effect::Verified, "is new: no two rows may share it");
        }
        let at = ModelPath::definition(&old.name).key("unique");
        for (index, _) in before.iter().enumerate().filter(|(_, names)| !unique.contains(names)) {
            self.gone(What::UniqueDropped, &at.index(index), Effect::Safe, "is no longer unique");
        }
    }
}

/// Commands without what is for the docs and the rules alone.
fn undescribed(commands: &[Command]) -> Vec<Command> {
    let mut commands = commands.to_vec();
    for command in &mut commands {
        (command.description, command.allow) = (None, Allow::new());
        for field in command.input.iter_mut().chain(&mut command.output) {
            (field.description, field.example, field.renamed_from, field.allow) = (None, None, None, Allow::new());
        }
    }
    commands
}
