//! What is left of a condition once its caller is known.

use super::cell::Cell;
use std::sync::Arc;

/// A condition on a row, in SQL.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Predicate {
    /// Over the alias `t` of the table.
    pub(crate) sql: Box<str>,
    /// What it binds.
    pub(crate) values: Vec<Cell>,
    /// Whether its result can change without the row.
    pub(crate) reads_others: bool,
}

/// The part of a condition that is still unknown once the caller is known.
#[derive(Debug)]
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
