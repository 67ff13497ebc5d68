//! Reads of entities that were read before: nobody can tell them from reads of the database.

use crate::sqlite::service;
use crate::sqlite::wire::{call, create, text};
use restwell::testing::{self, Running};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What another program writes is seen after a second.
const PATIENCE: Duration = Duration::from_secs(20);
const CHANGES: u64 = 300;

fn read(service: &Running, path: &str) -> Value {
    let (status, read) = call(service, "GET", path, None);
    assert_eq!(status, 200, "{read}");
    read
}

#[test]
fn a_read_shows_all_changes_that_were_answered_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let service = testing::start_with_file(service(), &folder.path().join("test.db"));
    let ids = [0, 1].map(|_| create(&service, "/heaps", &json!({ "label": "0", "grains": [] })));
    let (answered, is_done) = (ids.clone().map(|_| AtomicU64::new(0)), AtomicBool::new(false));
    thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|number| {
                let at = number % ids.len();
                let (path, answered) = (format!("/heaps/{}", ids[at]), &answered[at]);
                let (service, is_done) = (&service, &is_done);
                scope.spawn(move || {
                    let mut last = 0;
                    while !is_done.load(Ordering::SeqCst) {
                        let least = answered.load(Ordering::SeqCst).max(last);
                        last = read(service, &path)["label"].as_str().unwrap().parse().unwrap();
                        assert!(last >= least, "{last} after {least}");
                    }
                })
            })
            .collect();
        let writers: Vec<_> = (0..ids.len())
            .map(|at| {
                let (path, answered, service) = (format!("/heaps/{}", ids[at]), &answered[at], &service);
                scope.spawn(move || {
                    for change in 1..=CHANGES {
                        let body = json!({ "label": change.to_string(), "grains": [] });
                        let (status, changed) = call(service, "PUT", &path, Some(&body));
                        assert_eq!(status, 200, "{changed}");
                        answered.store(change, Ordering::SeqCst);
                        assert_eq!(read(service, &path), changed);
                    }
                })
            })
            .collect();
        let written: Vec<_> = writers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        is_done.store(true, Ordering::SeqCst);
        let read = readers.into_iter().map(thread::ScopedJoinHandle::join);
        assert!(written.into_iter().chain(read).all(|done| done.is_ok()));
    });
}

#[test]
fn what_another_program_writes_is_seen_soon() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    let service = testing::start_with_file(service(), &file);
    let path = format!("/heaps/{}", create(&service, "/heaps", &json!({ "label": "first", "grains": [] })));
    let edit_until = |edit: &str, is_seen: &dyn Fn() -> bool| {
        assert_eq!(read(&service, &path)["id"], path["/heaps/".len()..], "it is known before each edit");
        assert_eq!(Connection::open(&file).unwrap().execute(edit, []).unwrap(), 1);
        let begun = Instant::now();
        while !is_seen() {
            assert!(begun.elapsed() < PATIENCE, "{edit}: the old state is still shown");
            thread::sleep(Duration::from_millis(20));
        }
    };
    assert_eq!(read(&service, &path)["label"], "first");
    edit_until("UPDATE heaps SET label = 'mended'", &|| read(&service, &path)["label"] == "mended");
    edit_until("DELETE FROM heaps", &|| text(&service, "GET", &path, None).0 == 404);
}
