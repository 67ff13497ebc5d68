//! The state of a reading: where it is, and what it found.

use super::MAX_PROBLEMS;
use crate::error::{ErrorCode, Problem};
use crate::field::Deprecation;
use crate::value::Value;

/// What a reading is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// A new entity: what is omitted gets its default.
    Create,
    /// A stored one: what is omitted and immutable or write-only keeps its value
    /// ([`Value::Absent`](crate::Value::Absent)).
    Update,
}

/// Where the reading is, and what it found.
pub(super) struct Reader {
    pub(super) reading: Reading,
    path: String,
    problems: Vec<Problem>,
    unknown: Vec<Problem>,
    pub(super) deprecation: Option<Deprecation>,
    /// The outermost object has an `id`, which is ignored.
    pub(super) has_id: bool,
    /// What is stored of the fields with a former name, in their order.
    pub(super) stored: Option<Vec<Option<Value>>>,
    /// The body began as the entity.
    pub(super) is_whole: bool,
    /// A field has two values, under its two names, and what is stored is not known.
    pub(super) needs_stored: bool,
}

/// The place that was gone into another from.
pub(super) struct Outer(usize);

impl Reader {
    pub(super) fn new(reading: Reading) -> Self {
        let (problems, unknown) = (Vec::new(), Vec::new());
        let path = String::new();
        let (has_id, stored, is_whole, needs_stored) = (false, None, false, false);
        Self { reading, path, problems, unknown, deprecation: None, has_id, stored, is_whole, needs_stored }
    }

    /// Of a change of a stored entity.
    pub(super) fn beside(stored: Vec<Option<Value>>, is_whole: bool) -> Self {
        Self { stored: Some(stored), is_whole, ..Self::new(Reading::Update) }
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
