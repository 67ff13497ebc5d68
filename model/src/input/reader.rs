//! The state of a reading: where it is, and what it found.

use super::json::{self, Malformed};
use super::{MAX_PROBLEMS, excerpt};
use crate::error::{ErrorCode, Problem};
use crate::field::Deprecation;

/// Stored items that an item is compared with at most: in arrays inside arrays each may have two places in each of two.
const MAX_STORED: usize = 4;

/// What a reading is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// A new entity: what is omitted gets its default.
    Create,
    /// A stored one: what is omitted and immutable or write-only keeps its value
    /// ([`Value::Absent`](crate::Value::Absent)).
    Update,
}

/// What is stored of the value that is read, as GET shows it.
#[derive(Debug, Clone)]
pub(super) enum Stored<'s> {
    /// It is not known.
    Unknown,
    /// These texts: none if there is no such value yet. An item of an array may have several, as its place in the
    /// stored one is not known for sure.
    Known(Vec<&'s str>),
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
    /// There is no such value yet.
    pub(super) const NOTHING: Self = Self::Known(Vec::new());

    /// The texts of a member of what is stored.
    pub(super) fn member(&self, name: &str) -> Result<Vec<&'s str>, Malformed> {
        let Self::Known(objects) = self else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for object in objects.iter().filter(|text| text.starts_with('{')) {
            json::members(object, |key, raw| {
                found.extend((*key == *name.as_bytes()).then_some(raw));
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// What is stored of a member.
    fn inner(&self, name: &str) -> Result<Self, Malformed> {
        Ok(match self {
            Self::Unknown => Self::Unknown,
            Self::Known(_) => Self::Known(self.member(name)?.into_iter().filter(|text| *text != "null").collect()),
        })
    }

    /// The items of the arrays that are stored.
    fn arrays(&self) -> Result<Vec<Vec<&'s str>>, Malformed> {
        let Self::Known(texts) = self else { return Ok(Vec::new()) };
        let read = |text: &&'s str| {
            let mut items = Vec::new();
            json::items(text, |item| {
                items.push(item);
                Ok(())
            })?;
            Ok(items)
        };
        texts.iter().filter(|text| text.starts_with('[')).map(read).collect()
    }
}

/// What is stored of the items of an array.
pub(super) struct StoredItems<'s> {
    /// `None`: it is not known.
    arrays: Option<Vec<Vec<&'s str>>>,
    /// How many items are read.
    count: usize,
}

impl<'s> StoredItems<'s> {
    /// Of the array that a reader is at, whose items are read from this text.
    pub(super) fn of(reader: &Reader<'s>, text: &str) -> Result<Self, Malformed> {
        let arrays = match &reader.stored {
            Stored::Unknown => None,
            stored => Some(stored.arrays()?),
        };
        let mut count = 0;
        json::items(text, |_| {
            count += 1;
            Ok(())
        })?;
        Ok(Self { arrays, count })
    }

    /// What is stored of an item: the one at the same place, counted from the beginning or from the end. So items that
    /// come or go in one place leave the others in theirs.
    pub(super) fn at(&self, index: usize) -> Stored<'s> {
        let Some(arrays) = &self.arrays else { return Stored::Unknown };
        let mut found = Vec::new();
        for items in arrays {
            let from_end = (index + items.len()).checked_sub(self.count);
            for item in [Some(index), from_end].into_iter().flatten().filter_map(|at| items.get(at)) {
                if found.len() < MAX_STORED && !found.contains(item) {
                    found.push(item);
                }
            }
        }
        Stored::Known(found)
    }
}

impl<'s> Reader<'s> {
    pub(super) fn new(reading: Reading) -> Self {
        let (problems, unknown) = (Vec::new(), Vec::new());
        let path = String::new();
        let stored = match reading {
            Reading::Create => Stored::NOTHING,
            Reading::Update => Stored::Unknown,
        };
        let (has_id, is_whole, needs_stored) = (false, false, false);
        Self { reading, path, problems, unknown, deprecation: None, has_id, stored, is_whole, needs_stored }
    }

    /// Of a change of a stored entity.
    pub(super) fn beside(entity: &'s str, is_whole: bool) -> Self {
        Self { stored: Stored::Known(vec![entity]), is_whole, ..Self::new(Reading::Update) }
    }

    /// Reads a member of the object that is read, and compares it with what is stored of it.
    pub(super) fn of_member<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Self) -> Result<T, Malformed>,
    ) -> Result<T, Malformed> {
        let inner = self.stored.inner(name)?;
        self.beside_stored(inner, read)
    }

    /// Reads what this is stored of.
    pub(super) fn beside_stored<T>(&mut self, stored: Stored<'s>, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.stored, stored);
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
            let path = self.within(excerpt(name), |reader| reader.path.clone());
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

    /// Whether it has as many problems as a response has.
    pub(super) fn is_full(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
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
