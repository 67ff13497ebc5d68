//! Erasing a person from a file that nobody serves, so that no byte of it is left.

use super::Sqlite;
use super::connection::{SqliteLocation, open_writer};
use super::dump::{at_once, is_missing, nothing, require_tables, within};
use super::lock::{ProcessLock, Purpose};
use super::schema;
use super::session::WriterSession;
use crate::migrations::MigrationTarget;
use crate::plan::Plans;
use crate::store::erasure::{EraseRefusal, Erasure, ErasureRequest};
use crate::store::sql::{BEGINNING, Erasing};
use rusqlite::Connection;

impl Sqlite {
    /// Erases a person. The file is written anew then, for deleted rows stay in its free pages.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn erase(
        location: &SqliteLocation,
        goal: &MigrationTarget<'_>,
        plans: &Plans,
        request: &ErasureRequest,
    ) -> Result<Erasure, String> {
        if is_missing(location) {
            return Err(nothing(location));
        }
        let _lock = ProcessLock::take(location, Purpose::Prepare)?;
        let connection = open_writer(location).map_err(|error| location.explain(&error))?;
        require_tables(&connection, goal, location)?;
        schema::prepare(&connection, goal, location)?;
        let end = if request.is_dry_run { "ROLLBACK" } else { "COMMIT" };
        let erasure = within(&connection, ("BEGIN IMMEDIATE", end), |session| {
            let erasing = async { erase(session, plans, request).await.map_err(EraseRefusal::message) };
            at_once(erasing).map_err(|reason| format!("nothing was erased: {reason}"))
        })?;
        if !request.is_dry_run {
            clean(&connection).map_err(|reason| {
                format!(
                    "the rows are erased, but the file {location} still holds what they were: {reason}. Run it again"
                )
            })?;
        }
        Ok(erasure)
    }
}

async fn erase(session: &WriterSession<'_>, plans: &Plans, request: &ErasureRequest) -> Result<Erasure, EraseRefusal> {
    let mut erasing = Erasing::begin(session, plans, request).await?;
    erasing.events(BEGINNING).await?;
    erasing.finish().await
}

/// Writes the file anew, with nothing but what is there, and empties its log.
fn clean(connection: &Connection) -> Result<(), String> {
    // as large as the database: not in memory
    let cleaned = connection.execute_batch("PRAGMA temp_store = FILE; VACUUM");
    let is_busy =
        cleaned.and_then(|()| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0)));
    match is_busy {
        Ok(false) => Ok(()),
        Ok(true) => Err("another program reads the database".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
