//! The same by the program itself: what it records, who waits for whom, and what it does after it was broken off.

use crate::migrating::stores::Store;
use crate::migrating::versions::{VERSIONS, checked, texts};
use restwell::testing::bring_along;
use restwell_model::tables::Dialect;
use std::time::{Duration, Instant};

/// The rows of the table that records what has run.
const RUNS: &str = "SELECT number, name FROM _restwell_migrations WHERE finished_at IS NOT NULL ORDER BY number";

#[track_caller]
fn bring(store: &dyn Store, text: &str) {
    bring_along(checked(text).into_inner(), &store.url()).unwrap_or_else(|reason| panic!("{reason}"));
}

/// What a new database of this version looks like.
fn fresh(store: &mut dyn Store, text: &str) -> Vec<String> {
    store.renew();
    bring(store, text);
    // the table of what has run is there from the beginning
    assert_eq!(store.rows(RUNS), Vec::<String>::new());
    store.catalogue()
}

pub(crate) fn step_by_step(store: &mut dyn Store) {
    let texts = texts();
    let expected: Vec<_> = texts.iter().map(|text| fresh(store, text)).collect();
    store.renew();
    for (number, (version, text)) in VERSIONS.iter().zip(&texts).enumerate() {
        bring(store, text);
        assert_eq!(store.catalogue(), expected[number], "{}", version.name);
        assert_eq!(store.rows(RUNS).len(), number, "{}", version.name);
        version.write(store);
        for (query, rows) in version.expected {
            assert_eq!(store.rows(query), *rows, "{}: {query}", version.name);
        }
        bring(store, text);
        assert_eq!(store.rows(RUNS).len(), number, "{}: nothing is run twice", version.name);
    }
    assert_eq!(store.rows(RUNS)[2], "3|0003-rename-group-and-more");
}

pub(crate) fn several_at_once(store: &mut dyn Store) {
    let texts = texts();
    let expected = fresh(store, &texts[11]);
    store.renew();
    let service = checked(&texts[11]).into_inner();
    for (from, runs) in [(None, 0), (Some(&texts[0]), 1)] {
        store.renew();
        from.iter().for_each(|text| bring(store, text));
        let url = store.url();
        std::thread::scope(|scope| {
            let start = || bring_along(service.clone(), &url);
            let instances: Vec<_> = (0..6).map(|_| scope.spawn(start)).collect();
            for instance in instances {
                assert_eq!(instance.join().expect("no panic"), Ok(()));
            }
        });
        assert_eq!(store.catalogue(), expected);
        assert_eq!(store.rows(RUNS).len(), runs);
    }
}

/// Somebody reads the table for longer than a lock is waited for.
pub(crate) fn locks_are_let_go(store: &mut dyn Store) {
    let texts = texts();
    bring(store, &texts[0]);
    VERSIONS[0].write(store);
    store.run("BEGIN; SELECT count(*) FROM offers");
    let (service, url) = (checked(&texts[2]).into_inner(), store.url());
    let migrating = std::thread::spawn(move || bring_along(service, &url));
    std::thread::sleep(Duration::from_secs(4));
    if migrating.is_finished() {
        panic!("it did not wait: {:?}", migrating.join());
    }
    // who comes after it is not kept waiting for as long as the first one reads
    store.run("SELECT count(*) FROM offers; COMMIT");
    assert_eq!(migrating.join().expect("no panic"), Ok(()));
    assert_eq!(store.rows("SELECT title FROM offers ORDER BY id"), ["Bicycle", "Kite"]);
}

/// The connection is cut while an index is built: what it leaves behind is not valid, and in the way of the next try.
pub(crate) fn broken_off_and_gone_on(store: &mut dyn Store) {
    assert_eq!(store.dialect(), Dialect::Postgres);
    let texts = texts();
    let expected = fresh(store, &texts[9]);
    store.renew();
    for (version, text) in VERSIONS.iter().zip(&texts).take(9) {
        bring(store, text);
        version.write(store);
    }
    store.run("BEGIN; UPDATE listings SET note = 1");
    let (service, url) = (checked(&texts[9]).into_inner(), store.url());
    let migrating = std::thread::spawn(move || bring_along(service, &url));
    let building = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND \
                    query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'";
    let started = Instant::now();
    loop {
        store.run("SELECT pg_stat_clear_snapshot()");
        if !store.rows(building).is_empty() {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "the index is never built");
        std::thread::sleep(Duration::from_millis(50));
    }
    let said = migrating.join().expect("no panic").expect_err("its connection is gone");
    assert!(said.contains("0009-"), "{said}");
    store.run("COMMIT");
    let is_left = |line: &String| line.contains("listings.note.id.idx") && line.ends_with("INVALID");
    assert!(store.catalogue().iter().any(is_left), "{:#?}", store.catalogue());
    assert_eq!(store.rows(RUNS).len(), 8);
    bring(store, &texts[9]);
    assert_eq!(store.catalogue(), expected);
    assert_eq!(store.rows(RUNS).len(), 9);
}

/// The connection is cut wherever a migration happens to be, later with each try.
pub(crate) fn cut_again_and_again(store: &mut dyn Store) {
    assert_eq!(store.dialect(), Dialect::Postgres);
    let texts = texts();
    let expected: Vec<_> = texts.iter().map(|text| fresh(store, text)).collect();
    store.renew();
    let mut cuts = 0;
    for (number, (version, text)) in VERSIONS.iter().zip(&texts).enumerate() {
        for patience in (0..).step_by(3).map(Duration::from_millis) {
            let (service, url) = (checked(text).into_inner(), store.url());
            let migrating = std::thread::spawn(move || bring_along(service, &url));
            let others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
            while store.rows(&format!("SELECT pid {others}")).is_empty() && !migrating.is_finished() {}
            std::thread::sleep(patience);
            store.run(&format!("SELECT pg_terminate_backend(pid) {others}"));
            match migrating.join().expect("no panic") {
                Ok(()) => break,
                Err(_) => cuts += 1,
            }
        }
        assert_eq!(store.catalogue(), expected[number], "{}", version.name);
        assert_eq!(store.rows(RUNS).len(), number, "{}", version.name);
        version.write(store);
        for (query, rows) in version.expected {
            assert_eq!(store.rows(query), *rows, "{}: {query}", version.name);
        }
    }
    assert!(cuts > 2 * VERSIONS.len(), "it was cut {cuts} times only");
}
