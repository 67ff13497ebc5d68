//! What is another between two models of one service, and what that means for what is stored.
//!
//! The old model is the one that the stored rows were written by. What the new one has under another name is the same
//! thing only where it says so (`renamedFrom`); else the one was dropped and the other added. A `renamedFrom` whose old
//! name is long gone changes nothing. Descriptions, examples and titles are no changes: they touch neither rows nor
//! requests.

mod effect;
mod fields;
mod pairs;
mod resources;
mod types;

#[cfg(test)]
mod tests;

pub use effect::{Change, Effect, What};

use crate::check::{Checked, ModelPath};
pub(crate) use pairs::{Pair, pairs};
use std::collections::HashSet;

/// The changes that lead from the old model to the new one, in the order of definitions and places, each once.
#[must_use]
pub fn changes(old: &Checked, new: &Checked) -> Vec<Change> {
    let mut walk = Walk { old, new, seen: HashSet::new(), changes: Vec::new() };
    walk.service();
    for pair in pairs(&old.resources, &new.resources) {
        match pair {
            Pair::Both(old, new) => walk.resource(old, new),
            Pair::New(new) => walk.push(What::ResourceAdded, &ModelPath::definition(&new.name), Effect::Safe, "is new"),
            Pair::Old(old) => {
                let message = "is no longer there; its rows would be dropped";
                walk.gone(What::ResourceDropped, &ModelPath::definition(&old.name), Effect::Consent, message);
            }
        }
    }
    let mut changes = walk.changes;
    // an object may be stored in columns here and inside arrays there: the graver word counts
    changes.sort_by(|a, b| (&a.at, a.gone, a.what, b.effect).cmp(&(&b.at, b.gone, b.what, a.effect)));
    changes.dedup_by(|later, first| (&later.at, later.gone, later.what) == (&first.at, first.gone, first.what));
    changes
}

/// Two models, gone through side by side.
struct Walk<'a> {
    old: &'a Checked,
    new: &'a Checked,
    /// The definitions that were compared: the names on both sides, and where their values lie.
    seen: HashSet<(&'a str, &'a str, Lies)>,
    changes: Vec<Change>,
}

/// Where the values of a field are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Lies {
    /// In columns of their own.
    InColumns,
    /// In the JSON of an array, which no migration rewrites.
    InArrays,
}

impl Walk<'_> {
    fn service(&mut self) {
        let at = ModelPath::service();
        if self.old.name != self.new.name {
            self.push(What::Service, &at.key("service"), Effect::Safe, "is called otherwise");
        }
        if self.old.vendor != self.new.vendor {
            self.push(What::Service, &at.key("vendor"), Effect::Safe, "is another: so are the media types");
        }
        if self.old.users != self.new.users {
            self.push(What::Owner, &at.key("users"), Effect::Safe, "is another resource");
        }
    }

    /// A change at a place in the new model.
    fn push(&mut self, what: What, at: &ModelPath, effect: Effect, message: impl Into<String>) {
        let message = message.into();
        self.changes.push(Change { what, at: at.clone(), gone: false, effect, message });
    }

    /// A change at a place that only the old model has.
    fn gone(&mut self, what: What, at: &ModelPath, effect: Effect, message: impl Into<String>) {
        let message = message.into();
        self.changes.push(Change { what, at: at.clone(), gone: true, effect, message });
    }
}
