//! Pairs the definitions of the old model with those of the new one.

use crate::announcement::Announcement;
use crate::field::Field;
use crate::resource::{Command, Operation, Resource, View};
use std::collections::HashMap;

/// A definition with a name and an optional `renamedFrom`.
pub(crate) trait Renamable {
    fn name(&self) -> &str;
    fn renamed_from(&self) -> Option<&str> {
        None
    }
}

impl Renamable for Operation {
    fn name(&self) -> &str {
        self.kind.word()
    }
}

impl Renamable for View {
    fn name(&self) -> &str {
        &self.name
    }

    fn renamed_from(&self) -> Option<&str> {
        self.formerly.as_ref().map(|former| former.name.as_str())
    }
}

impl Renamable for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn renamed_from(&self) -> Option<&str> {
        self.formerly.as_ref().map(|former| former.name.as_str())
    }
}

impl Renamable for Announcement {
    fn name(&self) -> &str {
        &self.what
    }
}

/// A value of an enum, or another name in a list.
impl Renamable for String {
    fn name(&self) -> &str {
        self
    }
}

impl Renamable for Resource {
    fn name(&self) -> &str {
        &self.name
    }

    fn renamed_from(&self) -> Option<&str> {
        self.old_name()
    }
}

impl Renamable for Field {
    fn name(&self) -> &str {
        &self.name
    }

    fn renamed_from(&self) -> Option<&str> {
        self.old_name()
    }
}

/// A definition in both models, or in one of them.
pub(crate) enum Pair<'a, T> {
    Both(&'a T, &'a T),
    New(&'a T),
    Old(&'a T),
}

/// Every definition once: the new ones in their order, then the removed ones. One that had the same name before is
/// that one, whatever it once was renamed from.
pub(crate) fn pairs<'a, T: Renamable>(old: &'a [T], new: &'a [T]) -> Vec<Pair<'a, T>> {
    let mut left: HashMap<&str, &T> = old.iter().map(|definition| (definition.name(), definition)).collect();
    let same: Vec<_> = new.iter().map(|definition| left.remove(definition.name())).collect();
    let found = |(definition, same): (&'a T, Option<&'a T>)| match same {
        Some(before) => Pair::Both(before, definition),
        None => match definition.renamed_from().and_then(|name| left.remove(name)) {
            Some(before) => Pair::Both(before, definition),
            None => Pair::New(definition),
        },
    };
    let mut pairs: Vec<_> = new.iter().zip(same).map(found).collect();
    pairs.extend(old.iter().filter(|definition| left.contains_key(definition.name())).map(Pair::Old));
    pairs
}
