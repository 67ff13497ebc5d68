//! Compares two versions of a resource.

use super::context::Context;
use super::fields::{renamed, uniqueness};
use super::former_names::{in_calls, keeps_name, keeps_plural};
use super::pairs::{Pair, pairs};
use super::wording::changed;
use super::{ChangeDirection, ChangeKind, Comparison, Effect, Finding};
use crate::announcement::Announcement;
use crate::check::ModelPath;
use crate::field::Deprecation;
use crate::resource::{Resource, Search, Version};
use crate::scalar::Date;
use ChangeDirection::{Changed, Gone, New, Replaced, Unchanged};
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl<'a> Comparison<'a> {
    pub(super) fn resources(&mut self) {
        for pair in pairs(&self.old.resources, &self.new.resources) {
            match pair {
                Pair::Both(old, new) => self.within(Context::of_resource(old, new), |this| this.resource(old, new)),
                Pair::New(new) => {
                    self.push(Finding::added(ChangeKind::ResourceAdded, &ModelPath::definition(&new.name)));
                }
                Pair::Old(old) => self.within(Context::of_resource(old, old), |this| {
                    let finding = Finding::dropped(ChangeKind::ResourceDropped, &ModelPath::definition(&old.name));
                    this.push(finding.everywhere(Gone, Gone, Gone).rows(Effect::Consent, "its rows would be deleted"));
                }),
            }
        }
    }

    /// A resource that both models have.
    fn resource(&mut self, old: &'a Resource, new: &'a Resource) {
        // every key is named, so that a new one is not forgotten
        let Resource {
            name,
            description: _,
            plural,
            versions: _,
            retired: _,
            deprecated,
            sunset,
            deprecations,
            notices: _, // from `deprecations`
            owner,
            under,
            unique,
            index,
            conditions: _, // where they are read
            visible,
            disclose,
            operations,
            views,
            count,
            search,
            commands,
            rules,
            lifecycle,
            fields,
            renamed_from: _,
            formerly, // the name, below
            allow: _,
        } = new;
        let at = ModelPath::definition(name);
        if old.name != *name {
            let message = format!("was renamed from `{}`", old.name);
            let finding = Finding::new(ChangeKind::ResourceRenamed, &at, message).in_code();
            self.push(match keeps_name(&old.name, (name, formerly)) {
                true => finding.everywhere(New, New, New),
                false => finding.everywhere(Gone, Gone, Gone),
            });
        }
        self.former_name((&old.name, &old.formerly), (name, formerly), in_calls, &at);
        self.key((&old.plural, plural), "none", |message| {
            let message = message + "; the paths and the name of the table change with it";
            let is_kept = keeps_plural(old, new);
            let finding = Finding::new(ChangeKind::PluralChanged, &at.key("plural"), message).in_code();
            finding.calls(if is_kept { New } else { Gone })
        });
        self.views = old.views.iter().map(|it| (it.name.clone(), renamed(&old.views, views, &it.name))).collect();
        self.fields(&old.fields, fields, &at.key("fields"));
        self.combinations((old, &old.unique), (new, unique), "unique", |at, is_new| match is_new {
            true => uniqueness(ChangeKind::UniqueAdded, at, "was added", "no two rows may have the same values"),
            false => uniqueness(ChangeKind::UniqueDropped, at, "was removed", ""),
        });
        self.combinations((old, &old.index), (new, index), "index", |at, is_new| match is_new {
            true => Finding::new(ChangeKind::IndexAdded, at, "was added"),
            false => Finding::new(ChangeKind::IndexDropped, at, "was removed"),
        });

        // a key that names a field has not changed if it has the field's new name
        let now = |name: &String| renamed(&old.fields, fields, name);
        self.key((&old.owner.as_ref().map(now), owner), "none", |message| {
            let finding = Finding::new(ChangeKind::Owner, &at.key("owner"), message);
            finding.everywhere(Replaced, Replaced, Replaced).in_code().kept()
        });
        self.under(&old.under.iter().map(now).collect::<Vec<_>>(), under, &old.notices.under, &at.key("under"));
        self.visible(&old.visible, visible, &at);
        self.key((&old.disclose, disclose), "none", |message| {
            let finding = Finding::new(ChangeKind::Disclose, &at.key("disclose"), message);
            finding.everywhere(Unchanged, Changed, Unchanged)
        });
        self.versions(old, new, &at);
        self.operations(&old.operations, operations, &at.key("operations"));
        self.views(&old.views, (new, views), &at.key("views"));
        self.within(self.context.announcing(old.notices.search), |this| {
            this.search((&old.search, search), &now, &at.key("search"));
        });
        self.key((&old.count, count), "none", |message| {
            let finding = Finding::new(ChangeKind::Count, &at.key("count"), message);
            match count {
                true => finding.everywhere(Unchanged, New, Unchanged),
                false => finding.everywhere(Unchanged, Gone, Unchanged).in_code().announced(old.notices.count),
            }
        });
        self.commands(&old.commands, commands, &at.key("commands"));
        self.rules(&old.rules, rules, &at.key("rules"));
        // a transition has the name of its command
        let before = old.lifecycle.clone().map(|mut before| {
            before.transitions.iter_mut().for_each(|it| it.name = renamed(&old.commands, commands, &it.name));
            before
        });
        self.states(before.as_ref(), lifecycle.as_ref(), &at.key("lifecycle"));
        self.filled(old, new, &at.key("fields"));
        self.lifecycle(&at, (old.deprecated, old.sunset), (*deprecated, *sunset));
        self.announcements(&old.deprecations, deprecations, &at);
    }

    /// Fields that the service fills in each creation from now on, so that no entity lacks them: what is stored already
    /// may.
    fn filled(&mut self, old: &Resource, new: &Resource, at: &ModelPath) {
        for pair in pairs(&old.fields, &new.fields) {
            let (before, now) = match pair {
                Pair::Both(before, now) => (Some(before), now),
                Pair::New(now) => (None, now),
                Pair::Old(_) => continue,
            };
            let is_filled = now.read_only && now.default.is_none() && now.may_be_null() && !new.may_be_null(now);
            if is_filled && before.is_none_or(|before| old.may_be_null(before)) {
                let message = "is never null from now on, but stored rows may have no value; a plain `default` gives \
                               them one";
                let finding = Finding::new(ChangeKind::Required, &at.key(&now.name).key("required"), message);
                self.push(finding.rows(Effect::Default, ""));
            }
        }
    }

    fn under(&mut self, old: &[String], new: &[String], notices: &BTreeMap<String, Deprecation>, at: &ModelPath) {
        for pair in pairs(old, new) {
            match pair {
                Pair::Both(..) => {}
                Pair::New(name) => self.push(Finding::added(ChangeKind::UnderAdded, &at.key(name))),
                Pair::Old(name) => {
                    let finding = Finding::dropped(ChangeKind::UnderDropped, &at.key(name));
                    self.push(finding.announced(notices.get(name).copied()));
                }
            }
        }
    }

    /// `versions` and `retired`.
    fn versions(&mut self, old: &Resource, new: &Resource, at: &ModelPath) {
        let only = |these: &[Version], those: &[Version]| -> Vec<Version> {
            these.iter().copied().filter(|version| !those.contains(version)).collect()
        };
        let place = |version: &Version| at.key("versions").key(&version.to_string());
        for version in only(&new.versions, &old.versions) {
            self.push(Finding::added(ChangeKind::VersionAdded, &place(&version)));
        }
        for version in only(&old.versions, &new.versions) {
            let finding = Finding::dropped(ChangeKind::VersionDropped, &place(&version))
                .announced(old.notices.versions.get(&version).copied());
            let finding = match version {
                Version::Public => finding.everywhere(Gone, Gone, Gone),
                Version::Beta(_) => finding,
            };
            let context = Context { versions: Some(vec![version]), ..self.context.clone() };
            self.within(context, |this| this.push(finding));
        }
        let served: Vec<_> = old.versions.iter().chain(&new.versions).copied().collect();
        let (before, now) = (only(&old.retired, &served), only(&new.retired, &served));
        self.key((&before, &now), "none", |message| Finding::new(ChangeKind::Retired, &at.key("retired"), message));
    }

    /// What can be searched for. All is more than any list of fields.
    fn search(&mut self, (old, new): (&Search, &Search), now: &dyn Fn(&String) -> String, at: &ModelPath) {
        let before = match old {
            Search::Fields(names) => Search::Fields(names.iter().map(now).collect()),
            other => other.clone(),
        };
        if before == *new {
            return;
        }
        let is_lost = match (&before, new) {
            (Search::None, _) | (_, Search::All) => false,
            (Search::All, _) | (_, Search::None) => true,
            (Search::Fields(before), Search::Fields(now)) => before.iter().any(|name| !now.contains(name)),
        };
        let finding = Finding::new(ChangeKind::Search, at, changed(&searched(&before), &searched(new), "none"));
        self.push(if is_lost { finding.calls(Gone).in_code().kept() } else { finding.calls(New) });
    }

    /// `deprecated` and `sunset`, as one change.
    pub(super) fn lifecycle(&mut self, at: &ModelPath, old: (bool, Option<Date>), new: (bool, Option<Date>)) {
        let deprecated = (old.0 != new.0).then(|| changed(&old.0, &new.0, "none"));
        let sunset = (old.1 != new.1).then(|| format!("`sunset` {}", changed(&old.1, &new.1, "none")));
        let parts: Vec<_> = deprecated.into_iter().chain(sunset).collect();
        if parts.is_empty() {
            return;
        }
        let finding = Finding::new(ChangeKind::Lifecycle, &at.key("deprecated"), parts.join("; "));
        let is_earlier = old.1.is_some_and(|before| new.1.is_some_and(|now| now < before));
        let is_new = Deprecation::of(old.0, old.1).is_none() && new.0;
        self.push(match (is_earlier, is_new) {
            (true, _) => finding.values(Changed),
            (false, true) => finding.in_code(),
            (false, false) => finding,
        });
    }

    /// `deprecations`: each entry is the lifecycle of a part.
    pub(super) fn announcements(&mut self, old: &[Announcement], new: &[Announcement], definition: &ModelPath) {
        let at = definition.key("deprecations");
        for pair in pairs(old, new) {
            match pair {
                Pair::Both(old, new) => self.key((&old.sunset, &new.sunset), "none", |message| {
                    let is_earlier = old.sunset.is_some_and(|before| new.sunset.is_some_and(|now| now < before));
                    let message = format!("`sunset` {message}");
                    let finding = Finding::new(ChangeKind::Lifecycle, &at.key(&new.what), message);
                    if is_earlier { finding.values(Changed) } else { finding }
                }),
                Pair::New(new) => {
                    self.push(Finding::new(ChangeKind::Lifecycle, &at.key(&new.what), "is announced").in_code());
                }
                Pair::Old(old) => {
                    let finding = Finding::new(ChangeKind::Lifecycle, &at.key(&old.what), "is no longer announced");
                    self.push(Finding { removed: true, ..finding });
                }
            }
        }
    }

    /// Combinations of fields, under a key: those that are new, and those that are gone.
    fn combinations(
        &mut self,
        (old, before): (&Resource, &[Vec<String>]),
        (new, after): (&Resource, &[Vec<String>]),
        key: &str,
        finding: impl Fn(&ModelPath, bool) -> Finding,
    ) {
        let now = |name: &String| renamed(&old.fields, &new.fields, name);
        let before: Vec<Vec<_>> = before.iter().map(|names| names.iter().map(now).collect()).collect();
        let at = ModelPath::definition(&new.name).key(key);
        for (index, _) in after.iter().enumerate().filter(|(_, names)| !before.contains(names)) {
            self.push(finding(&at.index(index), true));
        }
        let at = ModelPath::definition(&old.name).key(key);
        for (index, _) in before.iter().enumerate().filter(|(_, names)| !after.contains(names)) {
            self.push(Finding { removed: true, ..finding(&at.index(index), false) });
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
