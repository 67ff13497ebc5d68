//! Reads that take too long: they end at their deadline, and when their client disconnects.

use crate::moments::{Shelf, ask, created, get, specimen};
use restwell::Builder;
use restwell::testing::{Running, Setup};
use restwell_testkit::postgres::{Database, Server};
use restwell_testkit::wire::{Answer, PUBLIC, Wire};
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};

/// Specimens that a slow database has.
const SPECIMENS: usize = 6;
/// An abandoned statement has ended by then, at the latest.
const GONE: Duration = Duration::from_secs(2);
/// Bytes of a page, as the service bounds them.
const MAX_PAGE_BYTES: usize = 8 * 1024 * 1024;

/// A service whose specimens take this number of seconds each to read, once they exist.
fn slow(database: &Database, read_timeout: Duration, seconds: f64) -> (Running, Wire) {
    let service = Setup::of(restwell_tests::generated_service()).database(database.url());
    let running = service.read_timeout(read_timeout).start();
    let mut wire = Wire::to(running.address());
    for _ in 0..SPECIMENS {
        created(&mut wire, "/specimens", &specimen());
    }
    database.run(&format!(
        "ALTER TABLE specimens RENAME TO fast_specimens; \
         CREATE VIEW specimens AS SELECT * FROM fast_specimens WHERE pg_sleep({seconds}) IS NOT NULL"
    ));
    (running, wire)
}

/// The reply is 503 `TooCostly`, and says what to narrow.
#[track_caller]
fn assert_too_costly(reply: &Answer, narrow: &str) {
    assert_eq!(reply.status, 503, "{}", reply.body);
    let error = &reply.json()["errors"][0];
    assert_eq!((&error["code"], &error["details"]["narrow"]), (&json!("TooCostly"), &json!(narrow)), "{}", reply.body);
}

/// Waits until no statement about specimens runs.
#[track_caller]
fn await_none_running(database: &Database, within: Duration) {
    let running = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' \
                   AND pid <> pg_backend_pid() AND query LIKE '%specimens%'";
    let begun = Instant::now();
    while database.texts(running) != ["0"] {
        assert!(begun.elapsed() < within, "{:?} run", database.texts(running));
        thread::sleep(Duration::from_millis(20));
    }
}

/// A late list or search is cancelled, and the response says what to narrow.
pub(crate) fn a_read_that_is_late_is_broken_off(server: &Server) {
    let database = server.database();
    let (_running, mut wire) = slow(&database, Duration::from_millis(300), 1.0);
    let objects = json!({ "parts": [{ "name": "Leg" }] });
    let search = created(&mut wire, "/specimen-searches", &objects);
    let search = search.trim_start_matches("/specimen-searches/");
    assert_too_costly(&get(&mut wire, "/specimens"), "filter by fewer or more selective fields");
    assert_too_costly(&get(&mut wire, "/specimens?offset=20000"), "use id.gt instead of a far offset");
    let found = get(&mut wire, &format!("/specimens?search.id={search}"));
    assert_too_costly(&found, "name fewer objects or values, or add a filter");
    await_none_running(&database, GONE);
    assert_eq!(get(&mut wire, "/tags").status, 200);
}

/// A page and its count share one deadline, though neither is late by itself.
pub(crate) fn the_statements_of_a_read_share_its_deadline(server: &Server) {
    let database = server.database();
    let (_running, mut wire) = slow(&database, Duration::from_secs(2), 0.25);
    let whole = get(&mut wire, "/specimens");
    assert_eq!((whole.status, &whole.json()["count"]), (200, &json!(SPECIMENS)), "{}", whole.body);
    let page = get(&mut wire, &format!("/specimens?limit={}", SPECIMENS - 1));
    assert_too_costly(&page, "filter by fewer or more selective fields");
    await_none_running(&database, GONE);
}

/// A list whose client has hung up ends in the database, long before its deadline.
pub(crate) fn abandoned_reads_end(server: &Server) {
    let database = server.database();
    let (running, mut wire) = slow(&database, Duration::from_secs(60), 10.0);
    let active = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
    let asked = [(); 2].map(|()| ask(&running, "GET", "/specimens", ""));
    let begun = Instant::now();
    while database.texts(active) != [asked.len().to_string()] {
        assert!(begun.elapsed() < 5 * GONE, "{:?} run", database.texts(active));
        thread::sleep(Duration::from_millis(20));
    }
    drop(asked);
    await_none_running(&database, GONE);
    assert_eq!(get(&mut wire, "/tags").status, 200);
}

/// Rows are rendered as they arrive, up to the limit of a page: the error says how many fit, and that page works.
pub(crate) fn a_page_is_bounded_in_bytes(server: &Server) {
    let database = server.database();
    let service = Builder::new("store").resource::<Shelf>();
    let running = Setup::of(service).database(database.url()).start();
    let mut wire = Wire::to(running.address());
    let label = "x".repeat(900 * 1024);
    for _ in 0..12 {
        created(&mut wire, "/shelves", &json!({ "label": label }));
    }
    let reply = wire.send("GET", b"/shelves?limit=12", PUBLIC, None, None);
    assert_eq!(reply.status, 422, "{}", reply.body.len());
    let error = &reply.json()["errors"][0];
    assert_eq!((&error["code"], &error["path"]), (&json!("PageTooLarge"), &json!("limit")));
    let fits = MAX_PAGE_BYTES / (900 * 1024);
    assert_eq!(error["details"], json!({ "maxBytes": MAX_PAGE_BYTES, "fits": fits }));
    let page = get(&mut wire, &format!("/shelves?limit={fits}")).json();
    assert_eq!(page["shelves"].as_array().map(Vec::len), Some(fits));
    assert_eq!(page["count"], 12);
}
