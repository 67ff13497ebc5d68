//! The outbox: events, written in the transaction of their change, and read in their order.
//!
//! A reader that has seen a position has seen all before it. In SQLite there is one writer, so positions are given in
//! the order of commits and none is ever filled in later. PostgreSQL commits as it likes: there a lock
//! keeps the order (`postgres/events.rs`).

use super::{Columns, Session, SqlFailure, now, row};
use crate::ids;
use crate::observe::trace::Trace;
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::statements::RowStatement;
use crate::store::outbox::{
    EVENT_PAGE_BYTES, EventPosition, EventTest, ExpiredEvents, Expiry, Follower, MAX_LOOKED_AT, MAX_PAGE_EVENTS,
    SELECTED_PAGE_BYTES, START, Seek, SelectedPage, Selection, StoredEvent, TestedEvents,
};
use crate::store::{LeaseName, NewEvent, StoreError};
use restwell_model::events::EventName;
use restwell_model::tables::{ColumnKind, Dialect};
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};
use uuid::Uuid;

/// Events that are dropped at once, so that writes do not wait long. The others are dropped next.
pub(in crate::store) const MAX_DROPPED: i64 = 500;

/// Writes an event in SQLite, which gives it the next position.
pub(in crate::store) static INSERT_EVENT: LazyLock<String> =
    LazyLock::new(|| RowStatement::insert("_restwell_events", &EVENT_COLUMNS).one);
/// The columns of an event, but for its position.
pub(in crate::store) const EVENT_COLUMNS: [(&str, ColumnKind); 10] = [
    ("id", ColumnKind::Uuid),
    ("resource", ColumnKind::Text),
    ("kind", ColumnKind::Text),
    ("entity_id", ColumnKind::Uuid),
    ("owner_id", ColumnKind::Uuid),
    ("time", ColumnKind::Integer),
    ("data", ColumnKind::Text),
    ("trace_id", ColumnKind::Uuid),
    ("trace_parent", ColumnKind::Text),
    ("actor_id", ColumnKind::Uuid),
];
/// The same, as a list.
pub(in crate::store) static COLUMNS: LazyLock<String> =
    LazyLock::new(|| EVENT_COLUMNS.map(|(name, _)| format!("\"{name}\"")).join(", "));
const OLDEST: &str = "SELECT \"sequence\", \"id\" FROM \"_restwell_events\" ORDER BY \"sequence\" LIMIT 1";
const NEWEST: &str = "SELECT \"sequence\", \"id\" FROM \"_restwell_events\" ORDER BY \"sequence\" DESC LIMIT 1";
const AT: &str = "SELECT \"sequence\", \"id\" FROM \"_restwell_events\" WHERE \"sequence\" = ?1";
/// The last of `count` positions after one. Positions have no gaps, but the oldest may be gone.
const WINDOW_END: &str = "SELECT \"sequence\", \"id\" FROM \"_restwell_events\" WHERE \"sequence\" > ?1 AND \"sequence\" < \
    (SELECT min(\"sequence\") FROM \"_restwell_events\" WHERE \"sequence\" > ?1) + ?2 ORDER BY \"sequence\" DESC LIMIT 1";
const AGES: &str = "SELECT \"sequence\", \"time\" FROM \"_restwell_events\" ORDER BY \"sequence\" LIMIT ?1";
const DROP: &str = "DELETE FROM \"_restwell_events\" WHERE \"sequence\" <= ?1";

const FOLLOWED: &str = "SELECT \"value\" FROM \"_restwell\" WHERE \"key\" = ?1";
// a slow instance does not undo what others have done since
const SET_FOLLOWED: &str = "INSERT INTO \"_restwell\" (\"key\", \"value\") VALUES (?1, ?2) \
                            ON CONFLICT (\"key\") DO UPDATE SET \"value\" = excluded.\"value\" \
                            WHERE CAST(\"_restwell\".\"value\" AS bigint) < CAST(excluded.\"value\" AS bigint)";

/// The key of the secret of cursors.
pub(in crate::store) const CURSORS: &str = "events.cursors";
const CURSOR_SECRET: &str = "SELECT \"value\" FROM \"_restwell\" WHERE \"key\" = 'events.cursors'";
// of two instances that make one, one does
const KEEP_CURSOR_SECRET: &str = "INSERT INTO \"_restwell\" (\"key\", \"value\") \
    SELECT 'events.cursors', CAST(?1 AS text) || ' ' || CAST(coalesce(max(\"sequence\"), 0) AS text) \
    FROM \"_restwell_events\" WHERE true ON CONFLICT (\"key\") DO NOTHING";

/// Writes an event, once for each of its names. Call it inside the transaction of the change.
pub(super) async fn record<S: Session>(session: &S, plans: &Plans, event: &NewEvent<'_>) -> Result<(), SqlFailure> {
    // subscribers of a former name get an event of their own, until the name ends
    let resource = &plans.service.resources[event.resource.position()];
    for name in plans.resources[event.resource].events.names_of(resource, event.kind).iter() {
        record_as(session, name, event).await?;
    }
    Ok(())
}

async fn record_as<S: Session>(session: &S, name: &EventName, event: &NewEvent<'_>) -> Result<(), SqlFailure> {
    let values = [
        CellRef::Uuid(ids::version_7(SystemTime::now())),
        CellRef::Text(name.resource.as_bytes()),
        CellRef::Text(name.kind.as_bytes()),
        CellRef::Uuid(event.entity),
        event.owner.map_or(CellRef::Null, CellRef::Uuid),
        CellRef::Int(event.time),
        CellRef::Text(event.data),
        CellRef::Uuid(event.trace.id),
        event.trace.parent.as_ref().map_or(CellRef::Null, |parent| CellRef::Text(parent.as_bytes())),
        event.trace.actor.map_or(CellRef::Null, CellRef::Uuid),
    ];
    session.write_event(&values).await
}

/// A page of the events after a position.
pub(in crate::store) async fn page(session: &impl Session, after: i64) -> Result<Vec<StoredEvent>, SqlFailure> {
    let found = fitting(session, "\"sequence\" > ?", &[CellRef::Int(after)], EVENT_PAGE_BYTES).await?;
    let Some(&last) = found.positions.last() else { return Ok(Vec::new()) };
    // all of them up to the last one
    events(session, "> ? AND \"sequence\" <= ?", &[CellRef::Int(after), CellRef::Int(last)]).await
}

/// A page of the selected events after a position.
pub(in crate::store) async fn selected<S: Session>(
    session: &S,
    after: i64,
    selection: &Selection,
) -> Result<SelectedPage, SqlFailure> {
    let window = row(session, WINDOW_END, &[CellRef::Int(after), CellRef::Int(MAX_LOOKED_AT)]).await?;
    let Some(window) = window.and_then(mark_of) else { return Ok(SelectedPage::default()) };
    let (condition, cells) = selected_by(S::DIALECT, selection);
    let condition = format!("\"sequence\" > ? AND \"sequence\" <= ? AND ({condition})");
    let mut values = vec![CellRef::Int(after), CellRef::Int(window.position)];
    values.extend(cells.iter().map(Cell::borrow));
    let found = fitting(session, &condition, &values, SELECTED_PAGE_BYTES).await?;
    if found.positions.is_empty() {
        return Ok(SelectedPage { reached: Some(window), events: Vec::new() });
    }
    // the condition, which may be dear, is not looked at again
    let positions = found.positions.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let (which, positions) = match S::DIALECT {
        Dialect::Sqlite => ("IN (SELECT \"value\" FROM json_each(?))", format!("[{positions}]")),
        Dialect::Postgres => ("= ANY(CAST(CAST(? AS text) AS bigint[]))", format!("{{{positions}}}")),
    };
    let events = events(session, which, &[CellRef::Text(positions.as_bytes())]).await?;
    let reached = events.last().map(|event| event.mark).filter(|_| found.is_full);
    Ok(SelectedPage { reached: reached.or(Some(window)), events })
}

/// The condition of a selection, and what it binds, in order.
fn selected_by(dialect: Dialect, selection: &Selection) -> (String, Vec<Cell>) {
    let (items, position) = match dialect {
        Dialect::Sqlite => ("SELECT \"value\" FROM json_each(?)", "instr"),
        Dialect::Postgres => ("SELECT jsonb_array_elements_text(CAST(CAST(? AS text) AS jsonb))", "strpos"),
    };
    let has_name = format!("\"resource\" || '.' || \"kind\" IN ({items})");
    let named = |names: &[String]| Cell::Text(serde_json::Value::from(names).to_string());
    let (mut parts, mut cells) = (Vec::new(), Vec::new());
    if !selection.everybodys.is_empty() {
        cells.push(named(&selection.everybodys));
        parts.push(has_name.clone());
    }
    for (names, column) in [(&selection.own, "owner_id"), (&selection.caused, "actor_id")] {
        if let Some(caller) = selection.caller.filter(|_| !names.is_empty()) {
            cells.extend([Cell::Uuid(caller), named(names)]);
            parts.push(format!("\"{column}\" = ? AND {has_name}"));
        }
    }
    for TestedEvents { names, tests } in &selection.tested {
        cells.push(named(names));
        let tests = tests.iter().map(|test| match test {
            EventTest::Has(text) => {
                cells.push(Cell::Text(text.clone()));
                format!("{position}(\"data\", ?) > 0")
            }
            EventTest::Meets(sql, values) => {
                cells.extend(values.iter().cloned());
                format!("EXISTS (SELECT 1 FROM (SELECT \"entity_id\" AS \"id\") t WHERE {sql})")
            }
        });
        parts.push(format!("{has_name} AND ({})", tests.collect::<Vec<_>>().join(" OR ")));
    }
    match parts.as_slice() {
        [] => ("1 = 0".to_owned(), cells),
        parts => (format!("({})", parts.join(") OR (")), cells),
    }
}

/// The events of a page.
struct Fitting {
    /// Where they stand, ascending.
    positions: Vec<i64>,
    /// There may be more.
    is_full: bool,
}

/// The first events that meet a condition, as many as a page may have: by their sizes, so that data past the bound is
/// not read at all.
async fn fitting<S: Session>(
    session: &S,
    condition: &str,
    values: &[CellRef<'_>],
    max_bytes: usize,
) -> Result<Fitting, SqlFailure> {
    let sizes = format!(
        "SELECT \"sequence\", CAST(octet_length(\"data\") AS bigint) FROM \"_restwell_events\" WHERE {condition} \
         ORDER BY \"sequence\" LIMIT {MAX_PAGE_EVENTS}"
    );
    let sizes = session.rows(&sizes, values).await?;
    let (mut positions, mut bytes) = (Vec::new(), 0);
    let sized = sizes.iter().map_while(|row| Some((row.first()?.borrow().int()?, row.get(1)?.borrow().int()?)));
    for (position, size) in sized {
        if bytes >= max_bytes {
            break;
        }
        positions.push(position);
        bytes += usize::try_from(size).unwrap_or_default();
    }
    let is_full = positions.len() == MAX_PAGE_EVENTS || positions.len() < sizes.len();
    Ok(Fitting { positions, is_full })
}

/// The events whose position meets a test, in order.
async fn events(session: &impl Session, test: &str, values: &[CellRef<'_>]) -> Result<Vec<StoredEvent>, SqlFailure> {
    let sql = format!(
        "SELECT \"sequence\", {} FROM \"_restwell_events\" WHERE \"sequence\" {test} ORDER BY \"sequence\"",
        *COLUMNS
    );
    Ok(session.rows(&sql, values).await?.into_iter().filter_map(stored).collect())
}

fn stored(row: Vec<Cell>) -> Option<StoredEvent> {
    let mut columns = Columns(row.into_iter());
    Some(StoredEvent {
        mark: EventPosition { position: columns.int()?, id: columns.uuid()? },
        resource: columns.text()?,
        kind: columns.text()?,
        entity: columns.uuid()?,
        owner: columns.uuid(),
        time: columns.int()?,
        data: columns.text()?,
        trace: Trace { id: columns.uuid()?, parent: columns.text(), actor: columns.uuid() },
    })
}

/// Where an event stands, if it is kept.
pub(in crate::store) async fn mark(session: &impl Session, which: Seek) -> Result<Option<EventPosition>, SqlFailure> {
    let found = match which {
        Seek::Oldest => row(session, OLDEST, &[]).await?,
        Seek::Newest => row(session, NEWEST, &[]).await?,
        Seek::Position(position) => row(session, AT, &[CellRef::Int(position)]).await?,
    };
    Ok(found.and_then(mark_of))
}

fn mark_of(row: Vec<Cell>) -> Option<EventPosition> {
    let mut columns = Columns(row.into_iter());
    Some(EventPosition { position: columns.int()?, id: columns.uuid()? })
}

/// The secret of cursors, if there is one.
pub(in crate::store) async fn cursor_secret(session: &impl Session) -> Result<Option<String>, SqlFailure> {
    let found = row(session, CURSOR_SECRET, &[]).await?;
    Ok(found.and_then(|row| Columns(row.into_iter()).text()))
}

/// The secret of cursors; this new one, if there is none.
pub(in crate::store) async fn keep_cursor_secret(session: &impl Session, new: &str) -> Result<String, SqlFailure> {
    session.execute(KEEP_CURSOR_SECRET, &[CellRef::Text(new.as_bytes())]).await?;
    let missing = || StoreError::Internal("the secret of cursors was not kept".to_owned());
    Ok(cursor_secret(session).await?.ok_or_else(missing)?)
}

/// The position up to which a follower has come; `None`: it has not begun.
pub(in crate::store) async fn followed(session: &impl Session, follower: Follower) -> Result<Option<i64>, SqlFailure> {
    let found = row(session, FOLLOWED, &[CellRef::Text(follower.key().as_bytes())]).await?;
    let position = found.and_then(|row| Columns(row.into_iter()).text());
    Ok(position.and_then(|position| position.parse().ok()))
}

/// Remembers the position up to which a follower has come.
pub(in crate::store) async fn set_followed(
    session: &impl Session,
    follower: Follower,
    position: i64,
) -> Result<(), SqlFailure> {
    let position = position.to_string();
    let values = [CellRef::Text(follower.key().as_bytes()), CellRef::Text(position.as_bytes())];
    session.execute(SET_FOLLOWED, &values).await.map(|_| ())
}

/// Whether an instance gets or keeps a lease: there was none, or it had it already.
pub(in crate::store) async fn lead<S: Session>(
    session: &S,
    instance: Uuid,
    name: LeaseName,
    lease: Duration,
) -> Result<bool, SqlFailure> {
    let now = now(S::DIALECT);
    let sql = format!(
        "INSERT INTO \"_restwell\" (\"key\", \"value\") \
         VALUES ('{}', CAST(?1 AS text) || ' ' || CAST({now} + CAST(?2 AS bigint) AS text)) \
         ON CONFLICT (\"key\") DO UPDATE SET \"value\" = excluded.\"value\" \
         WHERE split_part(\"_restwell\".\"value\", ' ', 1) = ?1 \
         OR CAST(split_part(\"_restwell\".\"value\", ' ', 2) AS bigint) < {now}",
        name.key()
    );
    let instance = instance.simple().to_string();
    let lease = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
    Ok(session.execute(&sql, &[CellRef::Text(instance.as_bytes()), CellRef::Int(lease)]).await? == 1)
}

/// Drops a portion of the oldest events, those that may go.
pub(in crate::store) async fn drop_portion(
    session: &impl Session,
    expiry: Expiry,
) -> Result<ExpiredEvents, SqlFailure> {
    let Some(newest) = mark(session, Seek::Newest).await? else { return Ok(ExpiredEvents::default()) };
    let too_many = newest.position.saturating_sub(expiry.keep);
    let published = match expiry.keep_unpublished {
        Some(_) => followed(session, Follower::Bus).await?.unwrap_or(START),
        None => i64::MAX,
    };
    let far_too_many = newest.position.saturating_sub(expiry.keep_unpublished.unwrap_or_default());
    let may_go = |position: i64, time: i64| {
        let is_old = time < expiry.before || position <= too_many;
        position < newest.position && is_old && (position <= published || position <= far_too_many)
    };
    let (mut last, mut events) = (START, 0);
    for row in session.rows(AGES, &[CellRef::Int(MAX_DROPPED)]).await? {
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
    Ok(ExpiredEvents { events, unpublished: last > published })
}
