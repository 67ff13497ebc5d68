//! The choice of a database, and what can be done with either kind without serving from it.

use super::dump::{RefusedRows, Summary};
use super::sqlite::BackupSummary;
use super::{
    CommandOrder, Erasure, ErasureRequest, Postgres, PostgresLocation, Sqlite, SqliteLocation, Store, StoreOptions,
    StoredCommand,
};
use crate::migrations::{DatabaseState, MigrationTarget};
use crate::observe::metrics::StoreMetrics;
use crate::plan::Plans;
use restwell_model::tables::Dialect;
use std::fmt;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Default maximum number of connections to PostgreSQL for transactions.
pub(crate) const CONNECTIONS: usize = 16;

/// The database of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Database {
    /// An SQLite file.
    File(PathBuf),
    /// Memory.
    Memory,
    /// A PostgreSQL database, and the maximum number of connections for transactions.
    Postgres(Box<PostgresLocation>, usize),
}

impl Database {
    /// Reads `DATABASE_URL`.
    pub(crate) fn parse(url: &str, connections: usize) -> Result<Self, String> {
        if ["postgres", "postgresql"].contains(&scheme(url)) {
            return Ok(Self::Postgres(Box::new(PostgresLocation::parse(url)?), connections.max(1)));
        }
        match url.strip_prefix("sqlite:") {
            Some(":memory:") => Ok(Self::Memory),
            Some(rest) => match rest.strip_prefix("//").unwrap_or(rest) {
                "" => Err(format!("`{url}` does not name a file; write sqlite://FILE")),
                file => Ok(Self::File(PathBuf::from(file))),
            },
            None => Err(format!(
                "`{}` is not a database that Restwell supports; write sqlite://FILE, sqlite::memory: or postgres://USER@HOST/DATABASE",
                scheme(url)
            )),
        }
    }

    /// The SQL dialect of the database.
    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::File(_) | Self::Memory => Dialect::Sqlite,
            Self::Postgres(..) => Dialect::Postgres,
        }
    }

    /// Opens the database to serve from it; creates the tables of an empty one. The plans are asked for when the tables
    /// are ready.
    ///
    /// # Errors
    ///
    /// A message for the operator: the database is unreachable, belongs to another model, or is behind.
    pub(crate) fn open(
        self,
        goal: &MigrationTarget<'_>,
        plans: impl FnOnce() -> Arc<Plans>,
        metrics: StoreMetrics,
        options: StoreOptions,
    ) -> Result<Arc<dyn Store>, String> {
        Ok(match self {
            Self::File(path) => Arc::new(Sqlite::open(SqliteLocation::File(path), goal, plans, metrics, options)?),
            Self::Memory => Arc::new(Sqlite::open(SqliteLocation::memory(), goal, plans, metrics, options)?),
            Self::Postgres(location, size) => Arc::new(Postgres::open(*location, goal, plans, metrics, options, size)?),
        })
    }

    /// Compares the database with the model, without changing anything.
    ///
    /// # Errors
    ///
    /// A message for the operator: the database is unreachable, or belongs to another model.
    pub(crate) fn find(&self, goal: &MigrationTarget<'_>) -> Result<DatabaseState, String> {
        match self {
            Self::Memory => Ok(DatabaseState::Empty),
            Self::File(path) => Sqlite::find(&SqliteLocation::File(path.clone()), goal),
            Self::Postgres(location, _) => Postgres::find(location, goal),
        }
    }

    /// Creates the tables, or migrates them.
    ///
    /// # Errors
    ///
    /// A message for the operator.
    pub(crate) fn prepare(&self, goal: &MigrationTarget<'_>) -> Result<(), String> {
        match self {
            Self::Memory => Err(in_memory()),
            Self::File(path) => Sqlite::prepare(&SqliteLocation::File(path.clone()), goal),
            Self::Postgres(location, _) => Postgres::prepare(location, goal),
        }
    }

    /// Writes all rows to `out`.
    ///
    /// # Errors
    ///
    /// A message for the operator.
    pub(crate) fn export(&self, goal: &MigrationTarget<'_>, out: &mut impl Write) -> Result<Summary, String> {
        match self {
            Self::Memory => Err(in_memory()),
            Self::File(path) => Sqlite::export(&SqliteLocation::File(path.clone()), goal, out),
            Self::Postgres(location, _) => Postgres::export(location, goal, out),
        }
    }

    /// Does what an operator orders with the commands. The service may run meanwhile.
    ///
    /// # Errors
    ///
    /// A message for the operator.
    pub(crate) fn order(
        &self,
        goal: &MigrationTarget<'_>,
        plans: &Plans,
        order: &CommandOrder,
    ) -> Result<Vec<StoredCommand>, String> {
        match self {
            Self::Memory => Err(in_memory()),
            Self::File(path) => Sqlite::order(&SqliteLocation::File(path.clone()), goal, plans, order),
            Self::Postgres(location, _) => Postgres::order(location, goal, plans, order),
        }
    }

    /// Fills the empty database with the rows of an export.
    ///
    /// # Errors
    ///
    /// A message for the operator; the database is then unchanged.
    pub(crate) fn import(
        &self,
        goal: &MigrationTarget<'_>,
        from: (&mut impl BufRead, RefusedRows),
    ) -> Result<Summary, String> {
        match self {
            Self::Memory => Err(in_memory()),
            Self::File(path) => Sqlite::import(&SqliteLocation::File(path.clone()), goal, from),
            Self::Postgres(location, _) => Postgres::import(location, goal, from),
        }
    }

    /// Copies the database to an empty file that will be called `name`. Others may go on with the database.
    ///
    /// # Errors
    ///
    /// A message for the operator.
    pub(crate) fn backup(&self, to: &Path, name: &Path) -> Result<BackupSummary, String> {
        match self {
            Self::Memory => Err(in_memory()),
            Self::File(path) => Sqlite::backup(&SqliteLocation::File(path.clone()), to, name),
            Self::Postgres(..) => Err("`backup` copies SQLite databases; back up PostgreSQL with its own `pg_dump`, \
                                       or write its content to a file with `export`"
                .to_owned()),
        }
    }

    /// Erases all that it holds of a user.
    ///
    /// # Errors
    ///
    /// A message for the operator; nothing was erased then, unless it says so.
    pub(crate) fn erase(
        &self,
        goal: &MigrationTarget<'_>,
        plans: &Plans,
        request: &ErasureRequest,
    ) -> Result<Erasure, String> {
        match self {
            Self::Memory => Err(in_memory()),
            Self::File(path) => Sqlite::erase(&SqliteLocation::File(path.clone()), goal, plans, request),
            Self::Postgres(location, _) => Postgres::erase(location, goal, plans, request),
        }
    }
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Memory => f.write_str("in memory"),
            Self::Postgres(location, _) => location.fmt(f),
        }
    }
}

fn in_memory() -> String {
    "a database in memory exists only in its process; name a file or a server".to_owned()
}

/// A URL may hold a password: only its scheme is shown.
fn scheme(url: &str) -> &str {
    url.split_once(':').map_or(url, |(scheme, _)| scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Result<Database, String> {
        Database::parse(url, 1)
    }

    #[test]
    fn databases() {
        assert_eq!(parse("sqlite://market.db"), Ok(Database::File("market.db".into())));
        assert_eq!(parse("sqlite:///var/lib/market.db"), Ok(Database::File("/var/lib/market.db".into())));
        assert_eq!(parse("sqlite::memory:"), Ok(Database::Memory));
        assert!(parse("sqlite://").is_err());
        let error = parse("mysql://user:secret@host/db").unwrap_err();
        assert!(!error.contains("secret"), "{error}");
    }
}
