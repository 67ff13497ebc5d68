//! A read ends when its time is over or its client has gone. Work is counted in steps of SQLite's machine, not in time.

use crate::sqlite::service;
use crate::sqlite::wire::{call, create, send, text};
use restwell::testing::{Running, Setup};
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

const HEAPS: usize = 400;
const GRAINS: usize = 5000;
/// Steps that a search of all heaps takes at least: one for each grain, and there are some more.
const STEPS: u64 = (HEAPS * GRAINS) as u64;

/// Fills a database with heaps, and answers the path of a list by a search that looks at every grain and finds none.
fn dear_list(service: &Running, file: &Path) -> String {
    let grains: Vec<_> = (0..GRAINS).map(|size| json!({ "size": size % 10 })).collect();
    create(service, "/heaps", &json!({ "name": "heap", "grains": grains }));
    let database = Connection::open(file).unwrap();
    let mut columns = database.prepare("SELECT name FROM pragma_table_info('heaps')").unwrap();
    let columns: Vec<String> = columns.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let copied: Vec<_> = columns.iter().map(|name| if name == "id" { "randomblob(16)" } else { name }).collect();
    let copy = format!("INSERT INTO heaps ({}) SELECT {} FROM heaps LIMIT 1", columns.join(","), copied.join(","));
    database.execute_batch("BEGIN").unwrap();
    (1..HEAPS).for_each(|_| assert_eq!(database.execute(&copy, []).unwrap(), 1));
    database.execute_batch("COMMIT").unwrap();
    let search = create(service, "/heap-searches", &json!({ "grains": [{ "size": 77 }] }));
    format!("/heaps?search.id={search}")
}

/// The steps that reads have taken so far.
fn steps(service: &Running) -> u64 {
    let (_, page) = text(service, "GET", "/metrics", None);
    let line = page.lines().find_map(|line| line.strip_prefix("restwell_store_steps_total "));
    line.map(|steps| steps.parse().unwrap()).unwrap_or_default()
}

#[test]
fn a_search_stops_when_its_client_has_gone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    let service = Setup::of(service()).file(&file).read_timeout(Duration::from_secs(600)).start();
    let list = dear_list(&service, &file);
    let before = steps(&service);
    let client = send(&service, "GET", &list, None);
    while steps(&service) < before + 4096 {
        sleep(Duration::from_millis(1));
    }
    drop(client);
    // looking costs a few steps itself, so they are few, not none
    let mut last = steps(&service);
    loop {
        sleep(Duration::from_millis(100));
        let now = steps(&service);
        if now - last <= 2048 {
            break;
        }
        last = now;
    }
    assert!(last - before < STEPS / 2, "it was not over: {} of {STEPS}", last - before);
    // and its thread is free again
    let (status, page) = call(&service, "GET", "/heaps?limit=1", None);
    assert_eq!((status, &page["count"]), (200, &json!(HEAPS)), "{page}");
}

#[test]
fn a_search_that_is_too_dear_says_what_to_narrow() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    let service = Setup::of(service()).file(&file).read_timeout(Duration::from_millis(20)).start();
    let list = dear_list(&service, &file);
    let before = steps(&service);
    let (status, refused) = call(&service, "GET", &list, None);
    let error = &refused["errors"][0];
    assert_eq!((status, &error["code"]), (503, &json!("TooCostly")), "{refused}");
    let narrow = error["details"]["narrow"].as_str().unwrap();
    assert!(narrow.contains("fewer objects"), "{narrow}");
    assert!(steps(&service) - before < STEPS, "all of it was searched");
    assert_eq!(call(&service, "GET", "/heaps?name=other", None).0, 200);
}
