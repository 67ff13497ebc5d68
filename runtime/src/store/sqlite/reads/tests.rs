//! Reads that take their time, and those that come meanwhile.

use super::*;
use crate::store::ReadLimits;
use crate::store::sqlite::connection::{SqliteLocation, open_writer};
use crate::store::sqlite::health::Health;
use metrics::Counter;
use restwell_model::tables::Dialect;
use restwell_model::{Checked, Service};
use std::sync::mpsc;

const THREADS: usize = 2;

/// Reads of an empty database in memory, which is there as long as the connection is.
fn reads(timeout: Duration) -> (Connection, Arc<Reads>) {
    let location = SqliteLocation::memory();
    let connection = open_writer(&location).unwrap();
    let health = Arc::new(Health::new(&location));
    let readers = Readers::new(location, ReadLimits { cpu: timeout, clock: timeout }, Counter::noop(), health);
    let plans = Arc::new(Plans::compile(Checked::new(Service::new("shop")).unwrap(), Dialect::Sqlite));
    (connection, Arc::new(Reads::on(THREADS, readers, plans).unwrap()))
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

fn endless(connection: &Connection, _: &Plans) -> Result<i64, StoreError> {
    Ok(connection.query_row(ENDLESS, [], |row| row.get(0))?)
}

#[test]
fn a_read_that_waits_too_long_is_refused_though_no_thread_becomes_free() {
    let (_database, reads) = reads(Duration::MAX);
    runtime().block_on(async {
        let (begun, running) = mpsc::channel();
        let holds: Vec<_> = (0..THREADS)
            .map(|_| {
                let ((hold, held), begun, reads) = (mpsc::channel::<()>(), begun.clone(), Arc::clone(&reads));
                let read = tokio::spawn(async move {
                    let wait = move |_: &Connection, _: &Plans| {
                        begun.send(()).unwrap();
                        // until the test lets go of it
                        let _ = held.recv();
                        Ok(())
                    };
                    reads.run("", wait).await
                });
                (hold, read)
            })
            .collect();
        tokio::task::yield_now().await;
        (0..THREADS).for_each(|_| running.recv().unwrap());
        // all threads are taken, and stay so
        let refused = reads.run("", |_, _| Ok(())).await;
        assert_eq!(refused, Err(busy()));
        for (hold, read) in holds {
            drop(hold);
            assert_eq!(read.await.unwrap(), Ok(()));
        }
        assert_eq!(reads.run("", |_, _| Ok(7)).await, Ok(7));
    });
}

#[test]
fn more_reads_than_may_wait_are_refused_at_once() {
    let (_database, reads) = reads(Duration::MAX);
    runtime().block_on(async {
        let waiting: Vec<_> = (0..READ_QUEUE).map(|_| reads.run("", endless)).collect();
        assert_eq!(reads.run("", |_, _| Ok(7)).await, Err(busy()));
        drop(waiting);
        assert_eq!(reads.run("", |_, _| Ok(7)).await, Ok(7));
    });
}

#[test]
fn a_read_that_nobody_waits_for_gives_its_thread_back() {
    let (_database, reads) = reads(Duration::MAX);
    runtime().block_on(async {
        // more of them than there are threads, one after the other: each would run for ever
        for _ in 0..3 * THREADS {
            let left = tokio::time::timeout(Duration::from_millis(10), reads.run("", endless)).await;
            assert!(left.is_err(), "{left:?}");
        }
        assert_eq!(reads.run("", |_, _| Ok(7)).await, Ok(7));
    });
}

#[test]
fn a_read_that_takes_too_long_says_what_to_narrow() {
    let (_database, reads) = reads(Duration::from_millis(5));
    runtime().block_on(async {
        let done = reads.run("add a filter", endless).await;
        assert_eq!(done, Err(StoreError::TooCostly("add a filter".to_owned())));
    });
}

#[test]
fn an_end_waits_for_what_is_read() {
    let (_database, reads) = reads(Duration::MAX);
    runtime().block_on(async {
        assert_eq!(reads.run("", |_, _| Ok(7)).await, Ok(7));
        reads.close().await;
        assert!(matches!(reads.run("", |_, _| Ok(7)).await, Err(StoreError::Unavailable(_))));
    });
}
