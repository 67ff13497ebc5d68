//! The outbox: events, written in the transaction of their change, and read in their order.
//!
//! There is one writer, so positions are given in the order of commits and none is ever filled in later: a reader that
//! has seen a position has seen all before it.

use super::Sqlite;
use crate::plan::Plans;
use crate::serve::edge::Trace;
use crate::store::outbox::{Dropped, Expiry, Mark, Outbox, START, StoredEvent, Which};
use crate::store::{Answer, NewEvent, Refusal, StoreError};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row};
use tokio::sync::watch;
use uuid::Uuid;

/// Events of a page at most.
const PAGE: usize = 256;
/// Bytes of data past which a page is full.
const PAGE_BYTES: usize = 1024 * 1024;
/// Events that are dropped at once, so that writes do not wait long.
const PORTION: i64 = 500;

const INSERT: &str = "INSERT INTO \"_restwell_events\" (\"id\", \"resource\", \"kind\", \"entity_id\", \"owner_id\", \"time\", \
                      \"data\", \"trace_id\", \"trace_parent\") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
const SELECT: &str = "SELECT \"sequence\", \"id\", \"resource\", \"kind\", \"entity_id\", \"owner_id\", \"time\", \"data\", \
                      \"trace_id\", \"trace_parent\" FROM \"_restwell_events\" WHERE \"sequence\" > ?1 ORDER BY \"sequence\"";
const OLDEST: &str = "SELECT \"sequence\", \"id\" FROM \"_restwell_events\" ORDER BY \"sequence\" LIMIT 1";
const NEWEST: &str = "SELECT \"sequence\", \"id\" FROM \"_restwell_events\" ORDER BY \"sequence\" DESC LIMIT 1";
const AT: &str = "SELECT \"sequence\", \"id\" FROM \"_restwell_events\" WHERE \"sequence\" = ?1";
const PUBLISHED: &str = "SELECT \"value\" FROM \"_restwell\" WHERE \"key\" = 'events.published'";
const SET_PUBLISHED: &str = "INSERT OR REPLACE INTO \"_restwell\" (\"key\", \"value\") VALUES ('events.published', ?1)";
const AGES: &str = "SELECT \"sequence\", \"time\" FROM \"_restwell_events\" ORDER BY \"sequence\" LIMIT ?1";
const DROP: &str = "DELETE FROM \"_restwell_events\" WHERE \"sequence\" <= ?1";

/// Writes an event. To be called inside the transaction, and the savepoint, of the change that it tells of.
pub(crate) fn record(connection: &Connection, plans: &Plans, event: &NewEvent<'_>) -> rusqlite::Result<()> {
    connection.prepare_cached(INSERT)?.execute((
        Uuid::now_v7().as_bytes().as_slice(),
        &plans.resources[event.resource].singular,
        event.kind.to_string(),
        event.entity.as_bytes().as_slice(),
        event.owner.as_ref().map(|owner| owner.as_bytes().as_slice()),
        event.time,
        // what is rendered is UTF-8
        ToSqlOutput::Borrowed(ValueRef::Text(event.data)),
        event.trace.id.as_bytes().as_slice(),
        event.trace.parent.as_deref(),
    ))?;
    Ok(())
}

impl Outbox for Sqlite {
    fn events(&self, after: i64) -> Answer<'_, Result<Vec<StoredEvent>, StoreError>> {
        self.read(move |connection, _| Ok(page(connection, after)?))
    }

    fn mark(&self, which: Which) -> Answer<'_, Result<Option<Mark>, StoreError>> {
        self.read(move |connection, _| Ok(mark(connection, which)?))
    }

    fn commits(&self) -> watch::Receiver<u64> {
        self.writer.commits()
    }

    fn published(&self) -> Answer<'_, Result<i64, StoreError>> {
        self.read(|connection, _| Ok(published(connection)?))
    }

    fn set_published(&self, position: i64) -> Answer<'_, Result<(), Refusal>> {
        self.writer.run(move |connection, _| {
            connection.prepare_cached(SET_PUBLISHED)?.execute([position.to_string()])?;
            Ok(())
        })
    }

    fn drop_events(&self, expiry: Expiry) -> Answer<'_, Result<Dropped, Refusal>> {
        self.writer.run(move |connection, _| Ok(drop_portion(connection, expiry)?))
    }
}

fn page(connection: &Connection, after: i64) -> rusqlite::Result<Vec<StoredEvent>> {
    let mut statement = connection.prepare_cached(SELECT)?;
    let mut rows = statement.query([after])?;
    let (mut events, mut bytes) = (Vec::new(), 0);
    while events.len() < PAGE
        && bytes < PAGE_BYTES
        && let Some(row) = rows.next()?
    {
        let event = stored(row)?;
        bytes += event.data.len();
        events.push(event);
    }
    Ok(events)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredEvent> {
    let uuid = |column: usize| row.get(column).map(Uuid::from_bytes);
    Ok(StoredEvent {
        mark: Mark { position: row.get(0)?, id: uuid(1)? },
        resource: row.get(2)?,
        kind: row.get(3)?,
        entity: uuid(4)?,
        owner: row.get::<_, Option<[u8; 16]>>(5)?.map(Uuid::from_bytes),
        time: row.get(6)?,
        data: row.get(7)?,
        trace: Trace { id: uuid(8)?, parent: row.get(9)? },
    })
}

fn mark(connection: &Connection, which: Which) -> rusqlite::Result<Option<Mark>> {
    let read = |row: &Row<'_>| Ok(Mark { position: row.get(0)?, id: Uuid::from_bytes(row.get(1)?) });
    match which {
        Which::Oldest => connection.prepare_cached(OLDEST)?.query_row([], read),
        Which::Newest => connection.prepare_cached(NEWEST)?.query_row([], read),
        Which::At(position) => connection.prepare_cached(AT)?.query_row([position], read),
    }
    .optional()
}

fn published(connection: &Connection) -> rusqlite::Result<i64> {
    let found: Option<String> = connection.prepare_cached(PUBLISHED)?.query_row([], |row| row.get(0)).optional()?;
    Ok(found.and_then(|position| position.parse().ok()).unwrap_or(START))
}

fn drop_portion(connection: &Connection, expiry: Expiry) -> rusqlite::Result<Dropped> {
    let Some(newest) = mark(connection, Which::Newest)? else { return Ok(Dropped::default()) };
    let too_many = newest.position.saturating_sub(expiry.keep);
    let published = match expiry.keep_unpublished {
        Some(_) => published(connection)?,
        None => i64::MAX,
    };
    let far_too_many = newest.position.saturating_sub(expiry.keep_unpublished.unwrap_or_default());
    let may_go = |position: i64, time: i64| {
        let is_old = time < expiry.before || position <= too_many;
        position < newest.position && is_old && (position <= published || position <= far_too_many)
    };
    let mut statement = connection.prepare_cached(AGES)?;
    let mut rows = statement.query([PORTION])?;
    let (mut last, mut events) = (START, 0);
    while let Some(row) = rows.next()? {
        let (position, time) = (row.get(0)?, row.get(1)?);
        if !may_go(position, time) {
            break;
        }
        (last, events) = (position, events + 1);
    }
    if events > 0 {
        connection.prepare_cached(DROP)?.execute([last])?;
    }
    Ok(Dropped { events, unpublished: last > published })
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::tables::{Dialect, create};
    use restwell_model::{Checked, Service};

    /// An outbox with so many events, each a millisecond after the one before.
    fn filled(events: i64) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE \"_restwell\" (\"key\" TEXT PRIMARY KEY, \"value\" TEXT)").unwrap();
        let service = Checked::new(Service::new("market")).unwrap();
        for statement in create(&service, Dialect::Sqlite) {
            connection.execute_batch(&statement).unwrap();
        }
        for time in 1..=events {
            let id = Uuid::now_v7();
            let id = id.as_bytes().as_slice();
            let values = (id, "offer", "created", id, None::<Vec<u8>>, time, "{}", id, None::<String>);
            connection.execute(INSERT, values).unwrap();
        }
        connection
    }

    fn oldest(connection: &Connection) -> Option<i64> {
        mark(connection, Which::Oldest).unwrap().map(|mark| mark.position)
    }

    const NOTHING: Expiry = Expiry { before: 0, keep: i64::MAX, keep_unpublished: None };

    #[test]
    fn what_is_old_goes_in_portions_and_the_newest_stays() {
        let connection = filled(PORTION + 100);
        assert_eq!(drop_portion(&connection, NOTHING).unwrap(), Dropped::default());
        let all = Expiry { before: i64::MAX, ..NOTHING };
        assert_eq!(drop_portion(&connection, all).unwrap().events, PORTION as usize);
        assert_eq!(drop_portion(&connection, all).unwrap().events, 99);
        assert_eq!(drop_portion(&connection, all).unwrap(), Dropped::default());
        assert_eq!(oldest(&connection), Some(PORTION + 100));
    }

    #[test]
    fn age_and_number_decide() {
        let connection = filled(100);
        assert_eq!(drop_portion(&connection, Expiry { before: 11, ..NOTHING }).unwrap().events, 10);
        assert_eq!(oldest(&connection), Some(11), "the first that is young enough");
        assert_eq!(drop_portion(&connection, Expiry { keep: 30, ..NOTHING }).unwrap().events, 60);
        assert_eq!(oldest(&connection), Some(71));
    }

    #[test]
    fn what_is_not_published_stays_up_to_a_bound() {
        let connection = filled(100);
        connection.execute(SET_PUBLISHED, ["20"]).unwrap();
        let expiry = Expiry { before: i64::MAX, keep_unpublished: Some(90), ..NOTHING };
        assert_eq!(drop_portion(&connection, expiry).unwrap(), Dropped { events: 20, unpublished: false });
        assert_eq!(drop_portion(&connection, expiry).unwrap(), Dropped::default());
        let expiry = Expiry { keep_unpublished: Some(50), ..expiry };
        assert_eq!(drop_portion(&connection, expiry).unwrap(), Dropped { events: 30, unpublished: true });
        assert_eq!(oldest(&connection), Some(51));
    }
}
