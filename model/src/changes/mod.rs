//! The differences between two models of one service, and their effect on stored rows.
//!
//! The stored rows were written with the old model. A new name is the same resource or field only if it has
//! `renamedFrom`; otherwise the old one was dropped and a new one was added. A `renamedFrom` whose old name is not in
//! the old model has no effect. Descriptions, examples and titles are not compared: they affect neither rows nor
//! requests.

mod effect;
mod fields;
mod pairs;
mod resources;
mod types;
mod wording;

#[cfg(test)]
mod tests;

pub use effect::{Change, ChangeKind, Effect};

use crate::check::{Checked, ModelPath};
pub(crate) use pairs::{Pair, pairs};
use serde::Serialize;
use std::collections::HashSet;
use wording::changed;

/// The changes that lead from the old model to the new one, in the order of definitions and places, each once.
#[must_use]
pub fn changes(old: &Checked, new: &Checked) -> Vec<Change> {
    let mut comparison = Comparison { old, new, seen: HashSet::new(), changes: Vec::new() };
    comparison.service();
    for pair in pairs(&old.resources, &new.resources) {
        match pair {
            Pair::Both(old, new) => comparison.resource(old, new),
            Pair::New(new) => {
                comparison.push(ChangeKind::ResourceAdded, &ModelPath::definition(&new.name), Effect::Safe, "is new");
            }
            Pair::Old(old) => {
                let message = "was removed; its rows would be deleted";
                comparison.removed(
                    ChangeKind::ResourceDropped,
                    &ModelPath::definition(&old.name),
                    Effect::Consent,
                    message,
                );
            }
        }
    }
    let mut changes = comparison.changes;
    // an object may be stored both in columns and in arrays: the more severe change wins
    changes.sort_by(|a, b| (&a.at, a.removed, a.kind, b.effect).cmp(&(&b.at, b.removed, b.kind, a.effect)));
    changes.dedup_by(|later, first| (&later.at, later.removed, later.kind) == (&first.at, first.removed, first.kind));
    changes
}

/// The comparison of two models.
struct Comparison<'a> {
    old: &'a Checked,
    new: &'a Checked,
    /// The definitions that were compared already: the old and new names, and how their values are stored.
    seen: HashSet<(&'a str, &'a str, Storage)>,
    changes: Vec<Change>,
}

/// How the values of a field are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Storage {
    /// In its own columns.
    Column,
    /// In the JSON of an array, which migrations do not rewrite.
    Json,
}

impl Comparison<'_> {
    fn service(&mut self) {
        let at = ModelPath::service();
        let (old, new) = (self.old, self.new);
        self.key(ChangeKind::Service, &at.key("service"), (&old.name, &new.name), "none", "");
        self.key(
            ChangeKind::Service,
            &at.key("vendor"),
            (&old.vendor, &new.vendor),
            "none",
            "the media types change with it",
        );
        self.key(ChangeKind::Owner, &at.key("users"), (&old.users, &new.users), "none", "");
        let subjects = (&old.user_subjects, &new.user_subjects);
        self.key(ChangeKind::Owner, &at.key("users").key("subject"), subjects, "none", "");
    }

    /// A change at a place in the new model.
    fn push(&mut self, kind: ChangeKind, at: &ModelPath, effect: Effect, message: impl Into<String>) {
        let message = message.into();
        self.changes.push(Change { kind, at: at.clone(), removed: false, effect, message });
    }

    /// A key that is safe to change, if its value did. `absent` stands for a key that is not given, `also` says what
    /// changes with it.
    fn key<T: PartialEq + Serialize>(
        &mut self,
        kind: ChangeKind,
        at: &ModelPath,
        (old, new): (&T, &T),
        absent: &str,
        also: &str,
    ) {
        if old != new {
            let also = if also.is_empty() { String::new() } else { format!("; {also}") };
            self.push(kind, at, Effect::Safe, changed(old, new, absent) + &also);
        }
    }

    /// A change at a place that only the old model has.
    fn removed(&mut self, kind: ChangeKind, at: &ModelPath, effect: Effect, message: impl Into<String>) {
        let message = message.into();
        self.changes.push(Change { kind, at: at.clone(), removed: true, effect, message });
    }
}
