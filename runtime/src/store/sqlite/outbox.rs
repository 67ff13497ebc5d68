//! The outbox of SQLite.

use super::Sqlite;
use super::session::{Inline, at_once};
use crate::store::outbox::{Dropped, Expiry, Mark, Outbox, StoredEvent, Which};
use crate::store::sql::outbox;
use crate::store::{Answer, Refusal, StoreError};
use std::time::Duration;
use tokio::sync::watch;

impl Outbox for Sqlite {
    fn events(&self, after: i64) -> Answer<'_, Result<Vec<StoredEvent>, StoreError>> {
        self.read(move |connection, _| Ok(at_once(outbox::page(&Inline(connection), after))?))
    }

    fn mark(&self, which: Which) -> Answer<'_, Result<Option<Mark>, StoreError>> {
        self.read(move |connection, _| Ok(at_once(outbox::mark(&Inline(connection), which))?))
    }

    fn commits(&self) -> watch::Receiver<u64> {
        self.writer.commits()
    }

    fn leads(&self, _: Duration) -> Answer<'_, Result<bool, StoreError>> {
        // nobody else has the database
        Box::pin(std::future::ready(Ok(true)))
    }

    fn published(&self) -> Answer<'_, Result<i64, StoreError>> {
        self.read(|connection, _| Ok(at_once(outbox::published(&Inline(connection)))?))
    }

    fn set_published(&self, position: i64) -> Answer<'_, Result<(), Refusal>> {
        self.writer.run(move |connection, _| Ok(at_once(outbox::set_published(&Inline(connection), position))?))
    }

    fn drop_events(&self, expiry: Expiry) -> Answer<'_, Result<Dropped, Refusal>> {
        self.writer.run(move |connection, _| Ok(at_once(outbox::drop_portion(&Inline(connection), expiry))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sql::Failure;
    use crate::store::sql::outbox::PORTION;
    use restwell_model::tables::{Dialect, create};
    use restwell_model::{Checked, Service};
    use rusqlite::Connection;
    use uuid::Uuid;

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
            let insert = "INSERT INTO \"_restwell_events\" (\"id\", \"resource\", \"kind\", \"entity_id\", \"owner_id\", \
                          \"time\", \"data\", \"trace_id\", \"trace_parent\") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
            connection.execute(insert, values).unwrap();
        }
        connection
    }

    fn oldest(connection: &Connection) -> Option<i64> {
        at_once(outbox::mark(&Inline(connection), Which::Oldest)).unwrap().map(|mark| mark.position)
    }

    fn dropped(connection: &Connection, expiry: Expiry) -> Result<Dropped, Failure> {
        at_once(outbox::drop_portion(&Inline(connection), expiry))
    }

    const NOTHING: Expiry = Expiry { before: 0, keep: i64::MAX, keep_unpublished: None };

    #[test]
    fn what_is_old_goes_in_portions_and_the_newest_stays() {
        let connection = filled(PORTION + 100);
        assert_eq!(dropped(&connection, NOTHING).unwrap(), Dropped::default());
        let all = Expiry { before: i64::MAX, ..NOTHING };
        assert_eq!(dropped(&connection, all).unwrap().events, PORTION as usize);
        assert_eq!(dropped(&connection, all).unwrap().events, 99);
        assert_eq!(dropped(&connection, all).unwrap(), Dropped::default());
        assert_eq!(oldest(&connection), Some(PORTION + 100));
    }

    #[test]
    fn age_and_number_decide() {
        let connection = filled(100);
        assert_eq!(dropped(&connection, Expiry { before: 11, ..NOTHING }).unwrap().events, 10);
        assert_eq!(oldest(&connection), Some(11), "the first that is young enough");
        assert_eq!(dropped(&connection, Expiry { keep: 30, ..NOTHING }).unwrap().events, 60);
        assert_eq!(oldest(&connection), Some(71));
    }

    #[test]
    fn what_is_not_published_stays_up_to_a_bound() {
        let connection = filled(100);
        at_once(outbox::set_published(&Inline(&connection), 20)).unwrap();
        at_once(outbox::set_published(&Inline(&connection), 9)).unwrap();
        let expiry = Expiry { before: i64::MAX, keep_unpublished: Some(90), ..NOTHING };
        assert_eq!(dropped(&connection, expiry).unwrap(), Dropped { events: 20, unpublished: false });
        assert_eq!(dropped(&connection, expiry).unwrap(), Dropped::default());
        let expiry = Expiry { keep_unpublished: Some(50), ..expiry };
        assert_eq!(dropped(&connection, expiry).unwrap(), Dropped { events: 30, unpublished: true });
        assert_eq!(oldest(&connection), Some(51));
    }
}
