//! Erasing a person: the request, and its outcome for the receipt.

use super::StoreError;
use super::sql::SqlFailure;
use serde::Serialize;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Who is to be erased.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErasureRequest {
    /// The id of the user.
    pub(crate) person: Uuid,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
    /// Whether everything is rolled back at the end.
    pub(crate) is_dry_run: bool,
}

/// What was erased, by table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Erasure(BTreeMap<String, ErasedRows>);

/// What was erased from the rows of a table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct ErasedRows {
    /// Rows that are gone.
    deleted: u64,
    /// Rows that are still there, without what was the person's.
    cleared: u64,
}

impl Erasure {
    /// Rows of a table are gone.
    pub(super) fn deleted(&mut self, table: &str, rows: u64) {
        if rows > 0 {
            self.0.entry(table.to_owned()).or_default().deleted += rows;
        }
    }

    /// Rows of a table have lost something.
    pub(super) fn cleared(&mut self, table: &str, rows: u64) {
        if rows > 0 {
            self.0.entry(table.to_owned()).or_default().cleared += rows;
        }
    }

    /// The tables that were changed.
    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// How many rows are gone, and how many have lost something.
    pub(crate) fn totals(&self) -> (u64, u64) {
        let sum = |of: fn(&ErasedRows) -> u64| self.0.values().map(of).sum();
        (sum(|rows| rows.deleted), sum(|rows| rows.cleared))
    }
}

/// Why nobody was erased.
#[derive(Debug)]
pub(super) enum EraseRefusal {
    /// This stands in the way, each in words.
    Hindered(Vec<String>),
    /// The store failed.
    Failed(SqlFailure),
}

impl EraseRefusal {
    /// In a sentence for people.
    pub(super) fn message(self) -> String {
        match self {
            Self::Hindered(reasons) => reasons.join("; "),
            Self::Failed(failure) => match StoreError::from(failure) {
                StoreError::TooCostly(narrow) => narrow,
                error => error.to_string(),
            },
        }
    }
}

impl From<SqlFailure> for EraseRefusal {
    fn from(failure: SqlFailure) -> Self {
        Self::Failed(failure)
    }
}

impl From<StoreError> for EraseRefusal {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}
