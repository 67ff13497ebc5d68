//! The outbox of SQLite.

use super::session::{WriterSession, at_once};
use super::undo::Undo;
use super::{ASK_LATER, Sqlite};
use crate::store::outbox::{
    EventPosition, ExpiredEvents, Expiry, Follower, Outbox, Seek, SelectedPage, Selection, StoredEvent,
};
use crate::store::sql::outbox;
use crate::store::weight::Weight;
use crate::store::{LeaseName, Refusal, StoreError, StoreFuture};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

impl Outbox for Sqlite {
    fn events(&self, after: i64) -> StoreFuture<'_, Result<Vec<StoredEvent>, StoreError>> {
        self.reads.run(ASK_LATER, move |connection, _| Ok(at_once(outbox::page(&WriterSession(connection), after))?))
    }

    fn selected_events(
        &self,
        after: i64,
        selection: Arc<Selection>,
    ) -> StoreFuture<'_, Result<SelectedPage, StoreError>> {
        self.reads.run(ASK_LATER, move |connection, _| {
            Ok(at_once(outbox::selected(&WriterSession(connection), after, &selection))?)
        })
    }

    fn mark(&self, which: Seek) -> StoreFuture<'_, Result<Option<EventPosition>, StoreError>> {
        self.reads.run(ASK_LATER, move |connection, _| Ok(at_once(outbox::mark(&WriterSession(connection), which))?))
    }

    fn cursor_secret(&self, new: String) -> StoreFuture<'_, Result<String, StoreError>> {
        Box::pin(async move {
            let known = self
                .reads
                .run(ASK_LATER, |connection, _| Ok(at_once(outbox::cursor_secret(&WriterSession(connection)))?));
            if let Some(known) = known.await? {
                return Ok(known);
            }
            let kept = self.writer.run(new.len(), Undo::Savepoint, move |connection, _| {
                Ok(at_once(outbox::keep_cursor_secret(&WriterSession(connection), &new))?)
            });
            Ok(kept.await?)
        })
    }

    fn commits(&self) -> watch::Receiver<u64> {
        self.writer.commits()
    }

    fn leads(&self, _: LeaseName, _: Duration) -> StoreFuture<'_, Result<bool, StoreError>> {
        // this process has the database alone
        Box::pin(std::future::ready(Ok(true)))
    }

    fn followed(&self, follower: Follower) -> StoreFuture<'_, Result<Option<i64>, StoreError>> {
        self.reads
            .run(ASK_LATER, move |connection, _| Ok(at_once(outbox::followed(&WriterSession(connection), follower))?))
    }

    fn set_followed(&self, follower: Follower, position: i64) -> StoreFuture<'_, Result<(), Refusal>> {
        self.writer.run(().bytes(), Undo::Savepoint, move |connection, _| {
            Ok(at_once(outbox::set_followed(&WriterSession(connection), follower, position))?)
        })
    }

    fn drop_events(&self, expiry: Expiry) -> StoreFuture<'_, Result<ExpiredEvents, Refusal>> {
        self.writer.run(().bytes(), Undo::Savepoint, move |connection, _| {
            Ok(at_once(outbox::drop_portion(&WriterSession(connection), expiry))?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::outbox::{EventTest, MAX_LOOKED_AT, MAX_PAGE_EVENTS, SELECTED_PAGE_BYTES, TestedEvents};
    use crate::store::sql::SqlFailure;
    use crate::store::sql::outbox::MAX_DROPPED;
    use restwell_model::tables::{Dialect, create};
    use restwell_model::{Checked, Service};
    use rusqlite::Connection;
    use uuid::Uuid;

    /// An outbox without events.
    fn empty() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE \"_restwell\" (\"key\" TEXT PRIMARY KEY, \"value\" TEXT)").unwrap();
        let service = Checked::new(Service::new("market")).unwrap();
        for statement in create(&service, Dialect::Sqlite) {
            connection.execute_batch(&statement).unwrap();
        }
        connection
    }

    /// Writes an event.
    fn happened(connection: &Connection, resource: &str, owner: Option<Uuid>, time: i64, data: &str) {
        let (id, owner) = (Uuid::now_v7(), owner.map(|owner| owner.as_bytes().to_vec()));
        let id = id.as_bytes().as_slice();
        let values = (id, resource, "created", id, owner, time, data, id, None::<String>);
        let insert = "INSERT INTO \"_restwell_events\" (\"id\", \"resource\", \"kind\", \"entity_id\", \"owner_id\", \
                      \"time\", \"data\", \"trace_id\", \"trace_parent\") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        connection.execute(insert, values).unwrap();
    }

    /// An outbox with so many events, each a millisecond after the one before.
    fn filled(events: i64) -> Connection {
        let connection = empty();
        (1..=events).for_each(|time| happened(&connection, "offer", None, time, "{}"));
        connection
    }

    fn oldest(connection: &Connection) -> Option<i64> {
        at_once(outbox::mark(&WriterSession(connection), Seek::Oldest)).unwrap().map(|mark| mark.position)
    }

    fn dropped(connection: &Connection, expiry: Expiry) -> Result<ExpiredEvents, SqlFailure> {
        at_once(outbox::drop_portion(&WriterSession(connection), expiry))
    }

    const NOTHING: Expiry = Expiry { before: 0, keep: i64::MAX, keep_unpublished: None };

    #[test]
    fn what_is_old_goes_in_portions_and_the_newest_stays() {
        let connection = filled(MAX_DROPPED + 100);
        assert_eq!(dropped(&connection, NOTHING).unwrap(), ExpiredEvents::default());
        let all = Expiry { before: i64::MAX, ..NOTHING };
        assert_eq!(dropped(&connection, all).unwrap().events, MAX_DROPPED as usize);
        assert_eq!(dropped(&connection, all).unwrap().events, 99);
        assert_eq!(dropped(&connection, all).unwrap(), ExpiredEvents::default());
        assert_eq!(oldest(&connection), Some(MAX_DROPPED + 100));
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
        at_once(outbox::set_followed(&WriterSession(&connection), Follower::Bus, 20)).unwrap();
        at_once(outbox::set_followed(&WriterSession(&connection), Follower::Bus, 9)).unwrap();
        let expiry = Expiry { before: i64::MAX, keep_unpublished: Some(90), ..NOTHING };
        assert_eq!(dropped(&connection, expiry).unwrap(), ExpiredEvents { events: 20, unpublished: false });
        assert_eq!(dropped(&connection, expiry).unwrap(), ExpiredEvents::default());
        let expiry = Expiry { keep_unpublished: Some(50), ..expiry };
        assert_eq!(dropped(&connection, expiry).unwrap(), ExpiredEvents { events: 30, unpublished: true });
        assert_eq!(oldest(&connection), Some(51));
    }

    /// The positions of a page of selected events, and the one that it reaches.
    fn selected(connection: &Connection, after: i64, selection: &Selection) -> (Vec<i64>, Option<i64>) {
        let page = at_once(outbox::selected(&WriterSession(connection), after, selection)).unwrap();
        let positions = page.events.iter().map(|event| event.mark.position);
        (positions.collect(), page.reached.map(|mark| mark.position))
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn everybodys(name: &str) -> Selection {
        Selection { everybodys: names(&[name]), ..Selection::default() }
    }

    #[test]
    fn what_is_selected_by_its_text_has_one_of_them() {
        let connection = empty();
        for (time, status) in (1..).zip(["DRAFT", "ACTIVE", "ENDED"]) {
            happened(&connection, "offer", None, time, &format!(r#"{{"status":"{status}"}}"#));
        }
        happened(&connection, "payment", None, 4, r#"{"status":"ACTIVE"}"#);
        let select = |texts: &[&str]| {
            let tests = names(texts).into_iter().map(EventTest::Has).collect();
            let tested = vec![TestedEvents { names: names(&["offer.created"]), tests }];
            selected(&connection, 0, &Selection { tested, ..Selection::default() })
        };
        assert_eq!(select(&[r#""status":"ACTIVE""#]), (vec![2], Some(4)));
        assert_eq!(select(&[r#""status":"GONE""#, r#""status":"ENDED""#]), (vec![3], Some(4)));
        assert_eq!(select(&["nothing"]), (Vec::new(), Some(4)));
    }

    #[test]
    fn what_is_selected_is_everybodys_or_the_owners() {
        let connection = empty();
        let [ann, bob] = [Uuid::from_u128(1), Uuid::from_u128(2)].map(Some);
        let happen = [("offer", bob), ("payment", ann), ("payment", bob), ("watch", ann), ("payment", None)];
        for (time, (resource, owner)) in (1..).zip(happen) {
            happened(&connection, resource, owner, time, "{}");
        }
        let select = |everybodys: &[&str], own: &[&str], caller| {
            let [everybodys, own] = [everybodys, own].map(names);
            selected(&connection, 0, &Selection { everybodys, own, caller, ..Selection::default() }).0
        };
        assert_eq!(select(&["offer.created"], &["payment.created"], ann), [1, 2]);
        assert_eq!(select(&["payment.created", "watch.created"], &[], ann), [2, 3, 4, 5]);
        assert_eq!(select(&[], &["payment.created"], None), [0; 0]);
        assert_eq!(select(&["offer.updated", "offer"], &[], ann), [0; 0]);
        assert_eq!(select(&[], &[], ann), [0; 0]);
    }

    #[test]
    fn few_positions_are_looked_at_for_a_page() {
        let connection = filled(MAX_LOOKED_AT + 10);
        happened(&connection, "watch", None, 0, "{}");
        let watches = everybodys("watch.created");
        assert_eq!(selected(&connection, 0, &watches), (Vec::new(), Some(MAX_LOOKED_AT)));
        assert_eq!(
            selected(&connection, MAX_LOOKED_AT, &watches),
            (vec![MAX_LOOKED_AT + 11], Some(MAX_LOOKED_AT + 11))
        );
        assert_eq!(selected(&connection, MAX_LOOKED_AT + 11, &watches), (Vec::new(), None));
        // where the first ones are gone it goes on with what is there
        connection.execute_batch("DELETE FROM \"_restwell_events\" WHERE \"sequence\" <= 100").unwrap();
        assert_eq!(selected(&connection, 0, &watches), (vec![MAX_LOOKED_AT + 11], Some(MAX_LOOKED_AT + 11)));
    }

    #[test]
    fn a_page_is_full_by_number_or_by_bytes() {
        let connection = filled(300);
        let offers = everybodys("offer.created");
        let (positions, reached) = selected(&connection, 0, &offers);
        assert_eq!((positions.len(), reached), (MAX_PAGE_EVENTS, Some(256)));
        let connection = empty();
        let data = format!("\"{}\"", "x".repeat(SELECTED_PAGE_BYTES / 2));
        (1..=5).for_each(|time| happened(&connection, "offer", None, time, &data));
        assert_eq!(selected(&connection, 0, &offers), (vec![1, 2], Some(2)));
        assert_eq!(selected(&connection, 2, &offers), (vec![3, 4], Some(4)));
        let all = at_once(outbox::page(&WriterSession(&connection), 0)).unwrap();
        assert_eq!(all.len(), 5, "pages of all events are larger");
    }
}
