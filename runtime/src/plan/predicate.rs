//! What is left of a condition once its caller is known.

use super::cell::Cell;
use super::query::{Excluded, Filter, Test};
use super::{ColumnIndex, ResourceIndex};
use std::sync::Arc;

/// A condition on a row, in SQL.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Predicate {
    /// Over the alias `t` of the table.
    pub(crate) sql: Box<str>,
    /// What it binds.
    pub(crate) values: Vec<Cell>,
    /// The same as filters that all have to hold; none where that serves nothing.
    pub(crate) parts: Vec<Filter>,
    /// The resources whose rows decide its result besides.
    pub(crate) others: Vec<ResourceIndex>,
    /// Whether its result changes with the time.
    pub(crate) is_timed: bool,
    /// The column of a reference that is all that it reads of the row, if there is one.
    pub(crate) column: Option<ColumnIndex>,
    /// What it excludes, if that can be found from what it refers to.
    pub(crate) excluded: Option<Arc<Excluded>>,
}

impl Predicate {
    /// One that no row meets.
    pub(crate) fn never() -> Self {
        Self { sql: "1 = 0".into(), ..Self::default() }
    }

    /// As conditions of a query.
    pub(crate) fn filters(self: &Arc<Self>) -> Vec<Filter> {
        if self.parts.is_empty() { vec![self.filter()] } else { self.parts.clone() }
    }

    /// As one condition.
    pub(crate) fn filter(self: &Arc<Self>) -> Filter {
        Filter { column: ColumnIndex::ID, test: Test::Meets(Arc::clone(self)) }
    }
}

/// The part of a condition that is still unknown once the caller is known.
#[derive(Debug, Clone)]
pub(crate) enum Reduced {
    /// It holds for every entity.
    Always,
    /// It holds for none.
    Never,
    /// It depends on the entity.
    Meets(Arc<Predicate>),
}

impl Reduced {
    /// Either of two.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Always, _) | (_, Self::Always) => Self::Always,
            (Self::Never, reduced) | (reduced, Self::Never) => reduced,
            (Self::Meets(one), Self::Meets(other)) => Self::Meets(Arc::new(one.or(&other))),
        }
    }
}
