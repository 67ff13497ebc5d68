//! Values that a patch puts into an entity: as in what GET shows, a field that has two names has both.
//!
//! A client knows one name of a field, so the objects that it sends have only that one. With both, a name that is gone
//! at the end was removed by an operation of its own.

use super::read::Read;
use super::shape::Shape;
use crate::field::Deprecation;
use serde_json::{Map, Value as Json};

impl Shape {
    /// Gives the objects of a value at a path both names of their fields; those that have the former one alone make use
    /// of it, which is returned.
    pub fn add_other_names(&self, path: &[impl AsRef<str>], value: &mut Json) -> Option<Deprecation> {
        let mut place = PathStep::Object(self);
        for word in path {
            place = place.inner(word.as_ref())?;
        }
        match place {
            PathStep::Object(shape) => shape.add_names(value),
            PathStep::Value(read) => read.add_names(value),
        }
    }

    /// What is announced of the former names in a path.
    #[must_use]
    pub fn deprecation_of(&self, path: &[impl AsRef<str>]) -> Option<Deprecation> {
        let (mut place, mut found) = (Some(PathStep::Object(self)), None);
        for word in path.iter().map(AsRef::as_ref) {
            let Some(at) = place else { break };
            if let Some(shape) = at.object() {
                let used = shape.formers().find(|(_, name, _)| *name == word).map(|it| it.2);
                found = Deprecation::together(found, used);
            }
            place = at.inner(word);
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
        for member in self.members().iter().filter(|member| member.value().two_named().is_some()) {
            let former = self.formers().find(|(of, ..)| of.name() == member.name()).map(|(_, name, _)| name);
            for name in std::iter::once(member.name()).chain(former) {
                let found = object.get_mut(name).and_then(|value| member.value().add_names(value));
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

impl Read {
    fn add_names(&self, value: &mut Json) -> Option<Deprecation> {
        match (self, value) {
            (Self::Object(shape), value) => shape.add_names(value),
            (Self::Array(array), Json::Array(items)) if self.two_named().is_some() => {
                let used = items.iter_mut().map(|item| array.items().add_names(item));
                used.fold(None, Deprecation::together)
            }
            _ => None,
        }
    }
}

/// Where a path has led to.
#[derive(Clone, Copy)]
enum PathStep<'a> {
    /// The outermost object.
    Object(&'a Shape),
    /// The value of a member, or an item.
    Value(&'a Read),
}

impl<'a> PathStep<'a> {
    fn object(self) -> Option<&'a Shape> {
        match self {
            Self::Object(shape) | Self::Value(Read::Object(shape)) => Some(shape),
            Self::Value(_) => None,
        }
    }

    /// The place that a word leads to from here, if there are two names.
    fn inner(self, word: &str) -> Option<Self> {
        let read = match self {
            Self::Object(shape) | Self::Value(Read::Object(shape)) => shape.member_of(word)?.value(),
            // the word is an index, or `-`
            Self::Value(Read::Array(array)) => array.items(),
            Self::Value(_) => return None,
        };
        read.two_named().map(|_| Self::Value(read))
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
