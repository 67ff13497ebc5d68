//! Writes the events of transactions, and tells the task that numbers drafts of them.

use super::connection::Connection;
use super::pipeline::Sent;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::statements::{RowStatement, unnested};
use crate::store::sql::outbox::{COLUMNS, EVENT_COLUMNS};
use futures_util::FutureExt;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use tokio::sync::{Notify, watch};
use tokio_postgres::{Error, Statement};

/// A place of drafts before all others.
pub(super) const BEGINNING: i64 = i64::MIN;
/// Takes the lock for a transaction that is about to write events, if it is free. Many drafts are left to the task.
const TAKE_LOCK: &str = "SELECT set_config('restwell.numbers', 'yes', true) FROM \
    (SELECT 1 FROM \"_restwell\" WHERE \"key\" = 'events.numbering' FOR UPDATE SKIP LOCKED) AS \"free\" \
    WHERE NOT EXISTS (SELECT 1 FROM \"_restwell_drafts\" WHERE \"place\" > ?1 ORDER BY \"place\" OFFSET 100 LIMIT 1)";
/// Writes the events of a transaction: with positions, after those of all drafts, if it has the lock, otherwise as
/// drafts. It is a statement after the one that took the lock, so that it sees what was committed before. Its count is
/// that of the new drafts.
static WRITE: LazyLock<String> = LazyLock::new(|| {
    let (columns, rows) = (&*COLUMNS, unnested(&EVENT_COLUMNS));
    let after = EVENT_COLUMNS.len() + 1;
    format!(
        "WITH \"may\" AS (SELECT coalesce(current_setting('restwell.numbers', true), '') = 'yes' AS \"number\"), \
        \"before\" AS (DELETE FROM \"_restwell_drafts\" WHERE \"place\" = ANY (ARRAY(SELECT \"place\" FROM \
            \"_restwell_drafts\" WHERE (SELECT \"number\" FROM \"may\") AND \"place\" > ?{after} ORDER BY \"place\")) \
            RETURNING *), \
        \"last\" AS (SELECT coalesce(max(\"sequence\"), 0) AS \"sequence\" FROM \"_restwell_events\"), \
        \"own\" AS (SELECT * FROM {rows} WITH ORDINALITY AS r({columns}, \"turn\")), \
        \"numbered\" AS (INSERT INTO \"_restwell_events\" (\"sequence\", {columns}) \
            SELECT (SELECT \"sequence\" FROM \"last\") + row_number() OVER (ORDER BY \"place\"), {columns} FROM \"before\"), \
        \"written\" AS (INSERT INTO \"_restwell_events\" (\"sequence\", {columns}) \
            SELECT (SELECT \"sequence\" FROM \"last\") + (SELECT count(*) FROM \"before\") + \"turn\", {columns} \
            FROM \"own\" WHERE (SELECT \"number\" FROM \"may\")) \
        INSERT INTO \"_restwell_drafts\" ({columns}) SELECT {columns} FROM \"own\" \
            WHERE NOT (SELECT \"number\" FROM \"may\") ORDER BY \"turn\""
    )
});
/// Writes a draft.
pub(super) static INSERT_DRAFT: LazyLock<String> =
    LazyLock::new(|| RowStatement::insert("_restwell_drafts", &EVENT_COLUMNS).one);

/// What has become of the events that a transaction wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Announced {
    /// There were none.
    Nothing,
    /// They have their positions.
    Events,
    /// They are drafts.
    Drafts,
}

/// What is known of committed events.
pub(super) struct WrittenEvents {
    /// Changes when there may be more events.
    changed: watch::Sender<u64>,
    /// Whether there are events that other instances may not have heard of.
    events: AtomicBool,
    /// Whether there are drafts.
    drafts: AtomicBool,
    /// One of both has changed.
    any: Notify,
    /// There are no drafts up to this place, and none will come.
    until: AtomicI64,
}

impl WrittenEvents {
    /// Nothing is known of drafts yet.
    pub(super) fn new(changed: watch::Sender<u64>) -> Self {
        let (events, drafts) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { changed, events, drafts, any: Notify::new(), until: AtomicI64::new(BEGINNING) }
    }

    /// A transaction was committed.
    pub(super) fn committed(&self, announced: Announced) {
        match announced {
            Announced::Nothing => return,
            Announced::Events => {
                self.say();
                self.events.store(true, Ordering::Relaxed);
            }
            Announced::Drafts => self.drafts.store(true, Ordering::Relaxed),
        }
        self.any.notify_one();
    }

    /// The place up to which there are no drafts.
    pub(super) fn until(&self) -> i64 {
        self.until.load(Ordering::Relaxed)
    }

    /// There are no drafts up to this place.
    pub(super) fn numbered(&self, until: i64) {
        self.until.store(until, Ordering::Relaxed);
    }

    /// Whether there are drafts that this was not asked about before.
    pub(super) fn take_drafts(&self) -> bool {
        self.drafts.swap(false, Ordering::Relaxed)
    }

    /// Whether there are events that this was not asked about before.
    pub(super) fn take_events(&self) -> bool {
        self.events.swap(false, Ordering::Relaxed)
    }

    /// Waits for more.
    pub(super) async fn more(&self) {
        self.any.notified().await;
    }

    /// Tells those who read events that there may be more.
    pub(super) fn say(&self) {
        self.changed.send_modify(|commits| *commits += 1);
    }
}

/// Writes the events of a transaction on its connection, as its last statements before the commit. Gives the number of
/// drafts. `until`: there are no drafts up to this place.
pub(super) fn write<'a>(
    connection: &'a Connection,
    (lock, write): &'a (Statement, Statement),
    events: &'a [Vec<Cell>],
    until: i64,
) -> [Sent<'a, u64>; 2] {
    let locked = async move { connection.execute(lock, &[CellRef::Int(until)]).await };
    let written = async move {
        let rows: Vec<_> = events.iter().map(Vec::as_slice).collect();
        connection.write_rows_and(write, &rows, CellRef::Int(until)).await
    };
    [locked.boxed(), written.boxed()]
}

/// The statements that write events, prepared.
pub(super) async fn writing(connection: &Connection) -> Result<(Statement, Statement), Error> {
    Ok((connection.statement(TAKE_LOCK).await?, connection.statement(&WRITE).await?))
}
