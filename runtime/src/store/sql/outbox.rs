//! The outbox: events, written in the transaction of their change, and read in their order.
//!
//! A reader that has seen a position has seen all before it. In SQLite there is one writer, so positions are given in
//! the order of commits and none is ever filled in later. PostgreSQL commits as it likes: there events are drafts at
//! first, and get their positions once they are committed (`postgres/events.rs`).

use super::{Columns, Failure, Session, now, row};
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef};
use crate::serve::edge::Trace;
use crate::store::NewEvent;
use crate::store::outbox::{Dropped, Expiry, Mark, START, StoredEvent, Which};
use restwell_model::tables::Dialect;
use std::time::Duration;
use uuid::Uuid;

/// Events of a page at most.
const PAGE: i64 = 256;
/// Bytes of data past which a page is full.
const PAGE_BYTES: usize = 1024 * 1024;
/// Events that are dropped at once, so that writes do not wait long.
pub(in crate::store) const PORTION: i64 = 500;

const COLUMNS: &str = "\"id\", \"resource\", \"kind\", \"entity_id\", \"owner_id\", \"time\", \"data\", \
                       \"trace_id\", \"trace_parent\"";
const OLDEST: &str = "SELECT \"sequence\", \"id\" FROM \"_restwell_events\" ORDER BY \"sequence\" LIMIT 1";
const NEWEST: &str = "SELECT \"sequence\", \"id\" FROM \"_restwell_events\" ORDER BY \"sequence\" DESC LIMIT 1";
const AT: &str = "SELECT \"sequence\", \"id\" FROM \"_restwell_events\" WHERE \"sequence\" = ?1";
const AGES: &str = "SELECT \"sequence\", \"time\" FROM \"_restwell_events\" ORDER BY \"sequence\" LIMIT ?1";
const DROP: &str = "DELETE FROM \"_restwell_events\" WHERE \"sequence\" <= ?1";

const PUBLISHED: &str = "SELECT \"value\" FROM \"_restwell\" WHERE \"key\" = 'events.published'";
// somebody who was slow does not take back what others have done since
const SET_PUBLISHED: &str = "INSERT INTO \"_restwell\" (\"key\", \"value\") VALUES ('events.published', ?1) \
                             ON CONFLICT (\"key\") DO UPDATE SET \"value\" = excluded.\"value\" \
                             WHERE CAST(\"_restwell\".\"value\" AS bigint) < CAST(excluded.\"value\" AS bigint)";

/// Writes an event. To be called inside the transaction of the change that it tells of.
pub(super) async fn record<S: Session>(session: &S, plans: &Plans, event: &NewEvent<'_>) -> Result<(), Failure> {
    let table = match S::DIALECT {
        Dialect::Sqlite => "_restwell_events",
        Dialect::Postgres => "_restwell_drafts",
    };
    let sql = format!("INSERT INTO \"{table}\" ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    let kind = event.kind.to_string();
    let values = [
        CellRef::Uuid(Uuid::now_v7()),
        CellRef::Text(plans.resources[event.resource].singular.as_bytes()),
        CellRef::Text(kind.as_bytes()),
        CellRef::Uuid(event.entity),
        event.owner.map_or(CellRef::Null, CellRef::Uuid),
        CellRef::Int(event.time),
        CellRef::Text(event.data),
        CellRef::Uuid(event.trace.id),
        event.trace.parent.as_ref().map_or(CellRef::Null, |parent| CellRef::Text(parent.as_bytes())),
    ];
    session.defer(&sql, &values).await
}

/// A page of the events after a position.
pub(in crate::store) async fn page(session: &impl Session, after: i64) -> Result<Vec<StoredEvent>, Failure> {
    let sql = format!(
        "SELECT \"sequence\", {COLUMNS} FROM \"_restwell_events\" WHERE \"sequence\" > ?1 ORDER BY \"sequence\" LIMIT ?2"
    );
    let rows = session.rows(&sql, &[CellRef::Int(after), CellRef::Int(PAGE)]).await?;
    let mut bytes = 0;
    let has_room = |event: &StoredEvent| {
        let had_room = bytes < PAGE_BYTES;
        bytes += event.data.len();
        had_room
    };
    Ok(rows.into_iter().filter_map(stored).take_while(has_room).collect())
}

fn stored(row: Vec<Cell>) -> Option<StoredEvent> {
    let mut columns = Columns(row.into_iter());
    Some(StoredEvent {
        mark: Mark { position: columns.int()?, id: columns.uuid()? },
        resource: columns.text()?,
        kind: columns.text()?,
        entity: columns.uuid()?,
        owner: columns.uuid(),
        time: columns.int()?,
        data: columns.text()?,
        trace: Trace { id: columns.uuid()?, parent: columns.text() },
    })
}

/// Where an event stands, if it is kept.
pub(in crate::store) async fn mark(session: &impl Session, which: Which) -> Result<Option<Mark>, Failure> {
    let found = match which {
        Which::Oldest => row(session, OLDEST, &[]).await?,
        Which::Newest => row(session, NEWEST, &[]).await?,
        Which::At(position) => row(session, AT, &[CellRef::Int(position)]).await?,
    };
    Ok(found.and_then(|row| {
        let mut columns = Columns(row.into_iter());
        Some(Mark { position: columns.int()?, id: columns.uuid()? })
    }))
}

/// The position up to which events were published.
pub(in crate::store) async fn published(session: &impl Session) -> Result<i64, Failure> {
    let found = row(session, PUBLISHED, &[]).await?;
    let position = found.and_then(|row| Columns(row.into_iter()).text());
    Ok(position.and_then(|position| position.parse().ok()).unwrap_or(START))
}

/// Remembers the position up to which events were published.
pub(in crate::store) async fn set_published(session: &impl Session, position: i64) -> Result<(), Failure> {
    session.execute(SET_PUBLISHED, &[CellRef::Text(position.to_string().as_bytes())]).await.map(|_| ())
}

/// Whether an instance is the one that publishes, for so long from now on: nobody was, or it was already.
pub(in crate::store) async fn lead<S: Session>(session: &S, instance: Uuid, lease: Duration) -> Result<bool, Failure> {
    let now = now(S::DIALECT);
    let sql = format!(
        "INSERT INTO \"_restwell\" (\"key\", \"value\") \
         VALUES ('events.publisher', CAST(?1 AS text) || ' ' || CAST({now} + CAST(?2 AS bigint) AS text)) \
         ON CONFLICT (\"key\") DO UPDATE SET \"value\" = excluded.\"value\" \
         WHERE split_part(\"_restwell\".\"value\", ' ', 1) = ?1 \
         OR CAST(split_part(\"_restwell\".\"value\", ' ', 2) AS bigint) < {now}"
    );
    let instance = instance.simple().to_string();
    let lease = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
    Ok(session.execute(&sql, &[CellRef::Text(instance.as_bytes()), CellRef::Int(lease)]).await? == 1)
}

/// Drops a portion of the oldest events, those that may go.
pub(in crate::store) async fn drop_portion(session: &impl Session, expiry: Expiry) -> Result<Dropped, Failure> {
    let Some(newest) = mark(session, Which::Newest).await? else { return Ok(Dropped::default()) };
    let too_many = newest.position.saturating_sub(expiry.keep);
    let published = match expiry.keep_unpublished {
        Some(_) => published(session).await?,
        None => i64::MAX,
    };
    let far_too_many = newest.position.saturating_sub(expiry.keep_unpublished.unwrap_or_default());
    let may_go = |position: i64, time: i64| {
        let is_old = time < expiry.before || position <= too_many;
        position < newest.position && is_old && (position <= published || position <= far_too_many)
    };
    let (mut last, mut events) = (START, 0);
    for row in session.rows(AGES, &[CellRef::Int(PORTION)]).await? {
        let mut columns = Columns(row.into_iter());
        let (Some(position), Some(time)) = (columns.int(), columns.int()) else { break };
        if !may_go(position, time) {
            break;
        }
        (last, events) = (position, events + 1);
    }
    if events > 0 {
        session.execute(DROP, &[CellRef::Int(last)]).await?;
    }
    Ok(Dropped { events, unpublished: last > published })
}
