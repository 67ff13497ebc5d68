//! The files of a database: who may read them, who may have them, how large they grow, and what is reported about them
//! when something happens to them.

#![cfg(unix)]

use crate::sqlite::service;
use crate::sqlite::wire::{call, create, readiness};
use restwell::testing::{Running, Setup};
use rusqlite::Connection;
use serde_json::json;
use std::fs;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::thread;

/// Changes, and the bytes of each, that once made a log of 313 MB.
const CHANGES: usize = 1600;
const CHANGE_BYTES: usize = 57 * 1024;
const CLIENTS: usize = 16;
/// The log's bound, and room for the batch that goes beyond it.
const MOST_LOG_BYTES: u64 = (96 + 32) << 20;

fn start(file: &Path) -> Running {
    Setup::of(service()).file(file).start()
}

fn beside(file: &Path, end: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(end);
    path.into()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_new_database_is_its_owners_only_and_one_that_is_there_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new.db");
    let service = start(&file);
    create(&service, "/heaps", &json!({ "name": "heap" }));
    for end in ["", "-wal", "-shm", "-lock"] {
        assert_eq!(mode(&beside(&file, end)), 0o600, "{end}");
    }
    drop(service);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let service = start(&file);
    create(&service, "/heaps", &json!({ "name": "heap" }));
    for end in ["", "-wal"] {
        assert_eq!(mode(&beside(&file, end)), 0o640, "{end}");
    }
}

/// A command that an executor holds until the year 2100.
const HELD: &str = "INSERT INTO _restwell_commands VALUES (randomblob(16), 'Heap', ':update', randomblob(16), NULL, NULL, \
                    '{}', 0, 0, 0, NULL, NULL, 1, 4102444800000, randomblob(16), NULL)";
const HOLDERS: &str = "SELECT count(*) FROM _restwell_commands WHERE lease = 4102444800000";

#[test]
fn a_database_is_served_once_and_a_second_service_lets_no_lease_go() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    let first = start(&file);
    let database = Connection::open(&file).unwrap();
    database.execute(HELD, []).unwrap();
    let second = catch_unwind(AssertUnwindSafe(|| drop(start(&file))));
    let message = *second.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("another process is using the database"), "{message}");
    let holders: u32 = database.query_row(HOLDERS, [], |row| row.get(0)).unwrap();
    assert_eq!(holders, 1);
    create(&first, "/heaps", &json!({ "name": "heap" }));
    drop(first);
    assert_eq!(call(&start(&file), "GET", "/heaps", None).1["count"], 1);
}

#[test]
fn a_file_that_was_removed_takes_no_writes_and_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let [file, moved] = ["test.db", "moved.db"].map(|name| folder.path().join(name));
    let service = start(&file);
    create(&service, "/heaps", &json!({ "name": "heap" }));
    assert_eq!(readiness(&service), 200);
    fs::rename(&file, &moved).unwrap();
    let post = || call(&service, "POST", "/heaps", Some(&json!({ "name": "lost" })));
    let lost = post();
    assert_eq!((lost.0, readiness(&service)), (503, 503), "{}", lost.1);
    // another file at the path is not the one that is open
    fs::write(&file, "").unwrap();
    assert_eq!((post().0, readiness(&service)), (503, 503));
    fs::rename(&moved, &file).unwrap();
    assert_eq!((post().0, readiness(&service)), (201, 200), "it was put back");
}

#[test]
fn a_damaged_file_is_not_ready_once_that_was_met() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    let service = start(&file);
    create(&service, "/heaps", &json!({ "name": "heap" }));
    drop(service);
    let page: u32 = {
        let database = Connection::open(&file).unwrap();
        database.query_row("SELECT rootpage FROM sqlite_master WHERE name = 'heaps'", [], |row| row.get(0)).unwrap()
    };
    fs::OpenOptions::new()
        .write(true)
        .open(&file)
        .unwrap()
        .write_all_at(&[0xab; 4096], u64::from(page - 1) * 4096)
        .unwrap();
    let service = start(&file);
    let (status, failed) = call(&service, "GET", "/heaps", None);
    assert_eq!(status, 500, "{failed}");
    assert_eq!(readiness(&service), 503);
}

#[test]
fn the_log_is_bounded_by_its_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.db");
    let service = start(&file);
    let log = beside(&file, "-wal");
    let label = "x".repeat(CHANGE_BYTES);
    let longest = thread::scope(|scope| {
        let change = || {
            let mut longest = 0;
            for _ in 0..CHANGES / CLIENTS {
                create(&service, "/heaps", &json!({ "label": label }));
                longest = longest.max(fs::metadata(&log).unwrap().len());
            }
            longest
        };
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(change)).collect();
        clients.into_iter().map(|client| client.join().unwrap()).max()
    });
    assert!(longest < Some(MOST_LOG_BYTES), "{longest:?}");
}
