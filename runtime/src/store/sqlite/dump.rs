//! Reading all of a file, and filling one.

use super::Sqlite;
use super::connection::{SqliteLocation, open_reader, open_writer};
use super::lock::{ProcessLock, Purpose};
use super::schema;
use super::session::WriterSession;
use crate::migrations::{DatabaseState, MigrationTarget, behind};
use crate::store::dump::{self, Layout, RefusedRows, Summary};
use futures_util::FutureExt;
use rusqlite::Connection;
use std::io::{BufRead, Write};

impl Sqlite {
    /// Writes all that a database holds. Others may go on with it.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn export(
        location: &SqliteLocation,
        goal: &MigrationTarget<'_>,
        out: &mut impl Write,
    ) -> Result<Summary, String> {
        if is_missing(location) {
            return Err(nothing(location));
        }
        let connection = open_reader(location).map_err(|error| location.explain(&error))?;
        require_tables(&connection, goal, location)?;
        // all of one moment
        within(&connection, ("BEGIN", "COMMIT"), |session| at_once(dump::export(session, &Layout::of(goal.model), out)))
    }

    /// Fills a database that is new or empty, all or nothing.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn import(
        location: &SqliteLocation,
        goal: &MigrationTarget<'_>,
        from: (&mut impl BufRead, RefusedRows),
    ) -> Result<Summary, String> {
        let was_missing = is_missing(location);
        let done = fill(location, goal, from);
        if let (Err(_), true, SqliteLocation::File(path)) = (&done, was_missing, location) {
            // what was made for nothing; where it cannot be removed it is an empty database
            let _ = std::fs::remove_file(path);
        }
        done
    }
}

/// Refuses a database that does not have the tables of the service.
pub(super) fn require_tables(
    connection: &Connection,
    goal: &MigrationTarget<'_>,
    location: &SqliteLocation,
) -> Result<(), String> {
    match schema::find(connection, goal, location)? {
        DatabaseState::UpToDate => Ok(()),
        DatabaseState::Empty => Err(nothing(location)),
        DatabaseState::Behind(pending) => Err(behind(&pending, &location.to_string())),
    }
}

pub(super) fn nothing(location: &SqliteLocation) -> String {
    format!("there is no database {location}")
}

pub(super) fn is_missing(location: &SqliteLocation) -> bool {
    matches!(location, SqliteLocation::File(path) if !path.exists())
}

fn fill(
    location: &SqliteLocation,
    goal: &MigrationTarget<'_>,
    from: (&mut impl BufRead, RefusedRows),
) -> Result<Summary, String> {
    let _lock = ProcessLock::take(location, Purpose::Prepare)?;
    let connection = open_writer(location).map_err(|error| location.explain(&error))?;
    schema::prepare(&connection, goal, location)?;
    // what points at each other is there at the end
    within(&connection, ("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON", "COMMIT"), |session| {
        let imported = at_once(dump::import(session, &Layout::of(goal.model), from))?;
        schema::verify_rows(&connection, goal.model).map(|()| imported)
    })
}

/// Does something in a transaction, which begins and ends with these statements.
pub(super) fn within<T>(
    connection: &Connection,
    (begin, end): (&str, &str),
    work: impl FnOnce(&WriterSession<'_>) -> Result<T, String>,
) -> Result<T, String> {
    let run = |sql: &str| connection.execute_batch(sql).map_err(|error| format!("the database failed: {error}"));
    run(begin)?;
    let done = work(&WriterSession(connection)).and_then(|done| run(end).map(|()| done));
    if done.is_err() {
        // what cannot be undone now is undone when the connection ends
        let _ = run("ROLLBACK");
    }
    done
}

/// Nothing waits for anything here.
pub(super) fn at_once<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    work.now_or_never().unwrap_or_else(|| Err("something waited that never should".to_owned()))
}
