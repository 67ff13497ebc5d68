//! The state of a reading: where it is, and what it found.

use super::MAX_PROBLEMS;
use super::json::{self, Malformed};
use crate::error::{ErrorCode, Problem};
use crate::field::Deprecation;

/// What a reading is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// A new entity: what is omitted gets its default.
    Create,
    /// A stored one: what is omitted and immutable or write-only keeps its value
    /// ([`Value::Absent`](crate::Value::Absent)).
    Update,
}

/// What is stored of the object that is read, as GET shows it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stored<'s> {
    /// It is not known.
    Unknown,
    /// There is no such object yet.
    Nothing,
    /// This one.
    Object(&'s str),
}

/// Where the reading is, and what it found.
pub(super) struct Reader<'s> {
    pub(super) reading: Reading,
    path: String,
    problems: Vec<Problem>,
    unknown: Vec<Problem>,
    pub(super) deprecation: Option<Deprecation>,
    /// The outermost object has an `id`, which is ignored.
    pub(super) has_id: bool,
    /// Two values of a field, under its two names, are compared with what is stored.
    pub(super) stored: Stored<'s>,
    /// The body began as the entity.
    pub(super) is_whole: bool,
    /// A field has two values, under its two names, and what is stored is not known.
    pub(super) needs_stored: bool,
}

/// The place that was gone into another from.
pub(super) struct Outer(usize);

impl<'s> Stored<'s> {
    /// The text of a member of the object.
    pub(super) fn member(self, name: &str) -> Result<Option<&'s str>, Malformed> {
        let Self::Object(text) = self else { return Ok(None) };
        let mut found = None;
        json::members(text, |key, raw| {
            found = if *key == *name.as_bytes() { Some(raw) } else { found };
            Ok(())
        })?;
        Ok(found)
    }

    /// What is stored of an object inside.
    fn inner(self, name: &str) -> Result<Self, Malformed> {
        Ok(match (self, self.member(name)?) {
            (Self::Unknown, _) => Self::Unknown,
            (_, Some(text)) if text.starts_with('{') => Self::Object(text),
            (Self::Nothing | Self::Object(_), _) => Self::Nothing,
        })
    }
}

impl<'s> Reader<'s> {
    pub(super) fn new(reading: Reading) -> Self {
        let (problems, unknown) = (Vec::new(), Vec::new());
        let path = String::new();
        let (has_id, stored, is_whole, needs_stored) = (false, Stored::Unknown, false, false);
        Self { reading, path, problems, unknown, deprecation: None, has_id, stored, is_whole, needs_stored }
    }

    /// Of a change of a stored entity.
    pub(super) fn beside(entity: &'s str, is_whole: bool) -> Self {
        Self { stored: Stored::Object(entity), is_whole, ..Self::new(Reading::Update) }
    }

    /// Reads an object that is a member of the one that is read.
    pub(super) fn of_object<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Self) -> Result<T, Malformed>,
    ) -> Result<T, Malformed> {
        let inner = self.stored.inner(name)?;
        let outer = std::mem::replace(&mut self.stored, inner);
        let result = read(self);
        self.stored = outer;
        result
    }

    pub(super) fn within<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.enter(name);
        let result = read(self);
        self.leave(outer);
        result
    }

    /// Goes into a member or an item; what it answers leads back out.
    pub(super) fn enter(&mut self, name: &str) -> Outer {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        Outer(length)
    }

    /// Goes back out.
    pub(super) fn leave(&mut self, Outer(length): Outer) {
        self.path.truncate(length);
    }

    pub(super) fn problem(&mut self, mut problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            problem.path = (!self.path.is_empty()).then(|| self.path.clone());
            self.problems.push(problem);
        }
    }

    pub(super) fn unknown<'n>(&mut self, name: &str, nearest: impl FnOnce() -> Option<&'n str>) {
        if self.unknown.len() < MAX_PROBLEMS {
            let path = self.within(name, |reader| reader.path.clone());
            let problem = Problem::at(ErrorCode::UnknownProperty, path);
            self.unknown.push(match nearest() {
                Some(nearest) => problem.with("nearest", nearest),
                None => problem,
            });
        }
    }

    /// Notes what is used and going away.
    pub(super) fn uses(&mut self, deprecation: Option<Deprecation>) {
        self.deprecation = Deprecation::together(self.deprecation, deprecation);
    }

    pub(super) fn count(&self) -> usize {
        self.problems.len()
    }

    pub(super) fn finish(self) -> Vec<Problem> {
        let mut problems = self.problems;
        problems.extend(self.unknown);
        problems.truncate(MAX_PROBLEMS);
        problems
    }
}
