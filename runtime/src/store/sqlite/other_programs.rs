//! Whether other programs have written to the file. They should not while it is served, but nothing hinders them:
//! somebody may mend a row with `sqlite3`. What was kept of the database is read again then, after a second at most.

use super::versions::TableVersions;
use rusqlite::Connection;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long what another program has written may go unnoticed.
pub(super) const NOTICED_WITHIN: Duration = Duration::from_secs(1);

/// The writer's side: looks from time to time.
pub(super) struct OtherPrograms {
    versions: Arc<TableVersions>,
    /// Changes with each commit of another connection, and no other one of this process writes.
    seen: Option<i64>,
    looked: Instant,
}

impl OtherPrograms {
    pub(super) fn new(connection: &Connection, versions: Arc<TableVersions>) -> Self {
        Self { versions, seen: data_version(connection), looked: Instant::now() }
    }

    /// Looks, unless it has just done so. To be called by the thread that writes, outside transactions.
    pub(super) fn look(&mut self, connection: &Connection) {
        if self.looked.elapsed() < NOTICED_WITHIN {
            return;
        }
        self.looked = Instant::now();
        let now = data_version(connection);
        if now != self.seen {
            self.seen = now;
            self.versions.all_changed();
        }
    }
}

/// `None` where the database cannot be read now.
fn data_version(connection: &Connection) -> Option<i64> {
    connection.prepare_cached("PRAGMA data_version").ok()?.query_row([], |row| row.get(0)).ok()
}
