//! Values that a patch puts into an entity: as in what GET shows, a field that has two names has both.
//!
//! A client knows one name of a field, so the objects that it sends have only that one. With both, a name that is gone
//! at the end was removed by an operation of its own.

use super::shape::{Member, Shape};
use crate::field::Deprecation;
use serde_json::{Map, Value as Json};

impl Shape {
    /// Gives the objects of a value at a path both names of their fields; those that have the former one alone make use
    /// of it, which is returned.
    pub fn add_other_names(&self, path: &[impl AsRef<str>], value: &mut Json) -> Option<Deprecation> {
        let mut shape = self;
        for word in path {
            shape = shape.member_of(word.as_ref())?.object()?;
        }
        shape.add_names(value)
    }

    /// What is announced of the former names in a path.
    #[must_use]
    pub fn deprecation_of(&self, path: &[impl AsRef<str>]) -> Option<Deprecation> {
        let (mut shape, mut found) = (Some(self), None);
        for word in path.iter().map(AsRef::as_ref) {
            let Some(inner) = shape else { break };
            found = Deprecation::together(found, inner.formers().find(|(_, name, _)| *name == word).map(|it| it.2));
            shape = inner.member_of(word).and_then(Member::object);
        }
        found
    }

    /// Whether fields of it, or of objects in it, have a former name.
    #[must_use]
    pub fn has_two_names(&self) -> bool {
        self.has_two_names
    }

    fn add_names(&self, value: &mut Json) -> Option<Deprecation> {
        let object = value.as_object_mut().filter(|_| self.has_two_names)?;
        let mut used = None;
        for member in self.members() {
            let Some(inner) = member.object() else { continue };
            let former = self.formers().find(|(of, ..)| of.name() == member.name()).map(|(_, name, _)| name);
            for name in std::iter::once(member.name()).chain(former) {
                let found = object.get_mut(name).and_then(|value| inner.add_names(value));
                used = Deprecation::together(used, found);
            }
        }
        for (member, name, deprecation) in self.formers() {
            let is_used = object.get(name).is_some_and(|value| !value.is_null());
            if copy(object, name, member.name()) {
                used = Deprecation::together(used, is_used.then_some(deprecation));
            } else {
                copy(object, member.name(), name);
            }
        }
        used
    }
}

/// Copies a member, if there is none of the other name.
fn copy(object: &mut Map<String, Json>, from: &str, to: &str) -> bool {
    match object.get(from) {
        Some(value) if !object.contains_key(to) => {
            let value = value.clone();
            object.insert(to.to_owned(), value);
            true
        }
        _ => false,
    }
}
