//! The differences between two models of one service: their effect on stored rows, and what they do to the interface.
//!
//! The stored rows were written with the old model. A new name is the same resource or field only if it has
//! `renamedFrom`; otherwise the old one was dropped and a new one was added. A rename comes before a name that both
//! models have: so two fields can swap their names. One that the old model has, too, was carried out already, and one
//! from a name that is not in the old model has no effect. Descriptions, examples and titles are not compared: they
//! affect neither rows nor requests. What a change asks of clients is judged by
//! [`compatibility`](crate::compatibility).

mod commands;
mod context;
mod effect;
mod fields;
mod finding;
mod former_names;
mod impact;
mod kind;
mod operations;
mod pairs;
mod references;
mod resources;
mod rules;
mod stored_rows;
mod types;
mod wording;

#[cfg(test)]
mod tests;

pub use effect::{Change, Effect};
pub use impact::{ChangeDirection, Impact};
pub use kind::ChangeKind;

use crate::check::{Checked, ModelPath};
use crate::condition::without_names;
use crate::field::Deprecation;
use context::{Context, Storage};
use finding::Finding;
pub(crate) use pairs::{Pair, new_names, pairs};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
pub(crate) use stored_rows::{keeps_meanings, required_to_verify, rules_to_verify};
use wording::changed;

/// The changes that lead from the old model to the new one, in the order of definitions and places, each once.
#[must_use]
pub fn changes(old: &Checked, new: &Checked) -> Vec<Change> {
    let mut changes = compare(old, new);
    // an object may be stored both in columns and in arrays: the more severe change wins
    changes.sort_by(|a, b| (&a.at, a.removed, a.kind, b.effect).cmp(&(&b.at, b.removed, b.kind, a.effect)));
    changes.dedup_by(|later, first| (&later.at, later.removed, later.kind) == (&first.at, first.removed, first.kind));
    changes
}

/// The changes in the order in which they are found. One of a shared definition is found wherever it is used.
pub(crate) fn compare(old: &Checked, new: &Checked) -> Vec<Change> {
    // a named condition is what it stands for, wherever it is read
    let [written_old, written_new] = [old, new].map(|service| Checked::recorded(without_names(service)));
    let mut comparison = Comparison {
        old: &written_old,
        new: &written_new,
        named: new,
        seen: HashSet::new(),
        context: Context::of_service(),
        resources: new_names(&written_old.resources, &written_new.resources),
        views: HashMap::new(),
        changes: Vec::new(),
    };
    comparison.service();
    comparison.resources();
    comparison.changes
}

/// The comparison of two models.
struct Comparison<'a> {
    old: &'a Checked,
    new: &'a Checked,
    /// The new model as it is: the two above have no named conditions.
    named: &'a Checked,
    /// The definitions that were compared already: the old and new names, and where they were used.
    seen: HashSet<(&'a str, &'a str, Context)>,
    /// Where the comparison is.
    context: Context,
    /// The old names of resources, with their new ones.
    resources: HashMap<&'a str, &'a str>,
    /// The old names of the views of the resource, with their new ones.
    views: HashMap<String, String>,
    changes: Vec<Change>,
}

impl Comparison<'_> {
    fn service(&mut self) {
        use ChangeDirection::{Replaced, Unchanged};
        let at = ModelPath::service();
        let (old, new) = (self.old, self.new);
        self.key((&old.name, &new.name), "none", |message| {
            let finding = Finding::new(ChangeKind::ServiceRenamed, &at.key("service"), message);
            finding.everywhere(Unchanged, Unchanged, Replaced).in_code().kept()
        });
        self.key((&old.vendor, &new.vendor), "none", |message| {
            let message = message + "; the media types change with it";
            Finding::new(ChangeKind::Vendor, &at.key("vendor"), message).calls(Replaced).in_code()
        });
        let users = at.key("users");
        self.key((&old.users, &new.users), "none", |message| {
            let finding = Finding::new(ChangeKind::Users, &users, message);
            finding.everywhere(Replaced, Replaced, Replaced).in_code().kept()
        });
        let subject = |subjects: &Option<crate::service::UserSubjects>| subjects.as_ref().map(|it| it.subject.clone());
        let is_same = subject(&old.user_subjects) == subject(&new.user_subjects);
        self.key((&old.user_subjects, &new.user_subjects), "none", |message| {
            let finding = Finding::new(ChangeKind::Users, &users.key("subject"), message);
            if is_same { finding } else { finding.everywhere(Replaced, Replaced, Replaced).kept() }
        });
        self.roles(&at.key("roles"));
    }

    /// A role that is new or removed changes nothing by itself: access lists that name it do.
    fn roles(&mut self, at: &ModelPath) {
        let (old, new) = (&self.old.roles, &self.new.roles);
        for (name, condition) in new {
            match old.get(name) {
                None => self.push(Finding::added(ChangeKind::Role, &at.key(name))),
                Some(before) => self.key((before, condition), "none", |message| {
                    // callers may have lost it
                    Finding::new(ChangeKind::Role, &at.key(name), message).calls(ChangeDirection::Gone)
                }),
            }
        }
        for name in old.keys().filter(|name| !new.contains_key(*name)) {
            let finding = Finding::new(ChangeKind::Role, &at.key(name), "was removed");
            self.push(Finding { removed: true, ..finding });
        }
    }

    /// Adds a change, with what follows from where it was found.
    fn push(&mut self, finding: Finding) {
        let Finding { kind, at, removed, mut message, effect, note, impact, is_of_values, notice } = finding;
        let context = &self.context;
        let is_stored = context.storage != Storage::Command;
        if is_stored && !note.is_empty() {
            message = format!("{message}; {note}");
        }
        let effect = if is_stored { effect } else { Effect::Safe };
        let impact = if is_of_values { context.of_values(impact) } else { impact };
        let (versions, announced) = (context.versions.clone(), Deprecation::together(context.announced, notice));
        self.changes.push(Change { kind, at, removed, effect, impact, versions, announced, message });
    }

    /// A key, if its value changed. `absent` stands for a key that is not given.
    fn key<T: PartialEq + Serialize>(
        &mut self,
        (old, new): (&T, &T),
        absent: &str,
        finding: impl FnOnce(String) -> Finding,
    ) {
        if old != new {
            self.push(finding(changed(old, new, absent)));
        }
    }

    /// Compares what is in another context.
    fn within(&mut self, context: Context, compare: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.context, context);
        compare(self);
        self.context = outer;
    }
}
