//! The tables of Restwell's own that stand beside a service's: their names begin with `_restwell`.

use super::Dialect;

/// The statements that make them.
pub(super) fn create(dialect: Dialect) -> Vec<String> {
    match dialect {
        Dialect::Sqlite => SQLITE.iter().map(|statement| (*statement).to_owned()).collect(),
    }
}

const SQLITE: &[&str] =
    &["CREATE TABLE \"_restwell_searches\" (\n  \"id\" BLOB NOT NULL,\n  \"resource\" TEXT NOT NULL,\n  \
     \"version\" TEXT NOT NULL,\n  \"created_at\" INTEGER NOT NULL,\n  \"data\" TEXT NOT NULL,\n  \
     PRIMARY KEY (\"id\")\n) STRICT"];
