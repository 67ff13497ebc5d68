//! All that a database holds as lines of JSON, and back: from one kind of database to the other, without loss.
//!
//! The first line says whose it is, then there is a line per row, table by table in the order of keys, then one that
//! has the number of rows of each table and their checksum. So two databases with the same content give the same file,
//! byte by byte, and one that was cut off or altered is found out. Neither way holds more than a page of rows in
//! memory.
//!
//! Everything here runs in a transaction that the caller begins and ends: one moment of the database that is read,
//! all or nothing in the one that is written.

mod export;
mod import;
mod layout;
mod line;
mod row_check;

pub(super) use export::export;
pub(crate) use import::RefusedRows;
pub(super) use import::import;
pub(super) use layout::Layout;

use super::sql::SqlFailure;
use std::collections::BTreeMap;
use std::fmt;

/// The rows of each table, and their checksum.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Summary(BTreeMap<String, Sum>);

/// How many rows, and what their lines come to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sum {
    rows: u64,
    checksum: String,
}

impl Summary {
    /// How many rows there are in all.
    fn rows(&self) -> u64 {
        self.0.values().map(|sum| sum.rows).sum()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let filled = self.0.values().filter(|sum| sum.rows > 0).count();
        write!(f, "{} rows of {filled} tables", self.rows())
    }
}

/// A failure of the database, in words.
fn failed(failure: SqlFailure) -> String {
    crate::store::StoreError::from(failure).to_string()
}
