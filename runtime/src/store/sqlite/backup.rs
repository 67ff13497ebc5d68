//! A copy of a database that others may be writing.
//!
//! `VACUUM INTO` reads one moment of the database while others go on. SQLite's online backup API would begin again each
//! time that another process writes, and it copies pages that were freed, with what was deleted still in them.

use super::Sqlite;
use super::connection::{LOG, SqliteLocation, beside, open_as_it_is, open_reader};
use super::dump::{is_missing, nothing};
use super::schema;
use rusqlite::{Connection, OptionalExtension};
use std::fmt;
use std::fs;
use std::path::Path;

/// What a copy holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BackupSummary {
    rows: u64,
    /// The tables that have rows.
    tables: usize,
    bytes: u64,
}

impl fmt::Display for BackupSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, tables, bytes } = self;
        write!(f, "{rows} rows of {tables} tables ({bytes} bytes)")
    }
}

impl Sqlite {
    /// Copies a database to an empty file, which will be called `name`, and checks the copy. What was acknowledged
    /// before is in it.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn backup(location: &SqliteLocation, to: &Path, name: &Path) -> Result<BackupSummary, String> {
        check_place(location, name)?;
        if is_missing(location) {
            return Err(nothing(location));
        }
        let explain = |error| location.explain(&error);
        let connection = open_reader(location).map_err(explain)?;
        if !schema::is_made(&connection, location)? {
            return Err(nothing(location));
        }
        let path = to.to_str().ok_or_else(|| format!("the name {} is not Unicode", to.display()))?;
        // it would not let the copy be written either
        connection.execute_batch("PRAGMA query_only = OFF").map_err(explain)?;
        let copied = connection.execute("VACUUM INTO ?1", [path]);
        copied.map_err(|error| format!("cannot copy the database {location} to {}: {error}", name.display()))?;
        check(to).map_err(|reason| format!("the copy of the database {location} is not usable: {reason}"))
    }
}

/// A copy must not replace a database that another process has open: the log of that would be applied to the copy.
fn check_place(location: &SqliteLocation, name: &Path) -> Result<(), String> {
    let (SqliteLocation::File(database), Ok(there)) = (location, fs::canonicalize(name)) else { return Ok(()) };
    if fs::canonicalize(database).is_ok_and(|database| database == there) {
        return Err(format!("{} is the database itself", name.display()));
    }
    let log = beside(&there, LOG);
    match log.exists() {
        true => Err(format!("{} is a database in use: {} is beside it", name.display(), log.display())),
        false => Ok(()),
    }
}

/// Reads all of a copy.
fn check(copy: &Path) -> Result<BackupSummary, String> {
    let location = SqliteLocation::File(copy.to_owned());
    let opened = open_as_it_is(&location).map_err(|error| error.to_string())?;
    let connection = opened.ok_or("it is not there")?;
    let bytes = fs::metadata(copy).map_err(|error| error.to_string())?.len();
    let (rows, tables) = counted(&connection).map_err(|error| error.to_string())??;
    Ok(BackupSummary { rows, tables, bytes })
}

/// The rows and the tables that have some, if SQLite finds nothing wrong.
fn counted(connection: &Connection) -> rusqlite::Result<Result<(u64, usize), String>> {
    let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        return Ok(Err(found));
    }
    let broken = connection.query_row("PRAGMA foreign_key_check", [], |row| row.get::<_, String>(0)).optional()?;
    if let Some(table) = broken {
        return Ok(Err(format!("a row of `{table}` refers to one that is not there")));
    }
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let mut tables = connection.prepare(tables)?;
    let names = tables.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    let count = |name: &String| {
        connection.query_row(&format!("SELECT count(*) FROM \"{name}\""), [], |row| row.get::<_, i64>(0))
    };
    let counts = names.iter().map(count).collect::<Result<Vec<_>, _>>()?;
    let rows = counts.iter().sum::<i64>().unsigned_abs();
    Ok(Ok((rows, counts.iter().filter(|count| **count > 0).count())))
}
