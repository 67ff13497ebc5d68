//! `backup`: a copy of an SQLite database that is being written.

use crate::export_import::faults::check_mode;
use crate::export_import::filled::{export, fill, imported};
use crate::export_import::trips::rows;
use restwell_testkit::http::Connection;
use restwell_testkit::market;
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, refusal, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const CLIENTS: usize = 8;
const BACKUPS: usize = 4;

/// `backup`, which must succeed; what it said.
#[track_caller]
fn back_up(folder: &Path, arguments: &[&str]) -> String {
    let done = run(folder, [&["backup", DATABASE], arguments].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

/// Each copy has all that was acknowledged before it began, is of one moment, and is a database to serve.
pub(crate) fn amid_writes() {
    let folder = folder();
    let service = Service::start(folder.path());
    let seller = market::user(service.address(), "seller");
    let (address, is_over) = (service.address(), AtomicBool::new(false));
    let acknowledged = Mutex::new(Vec::new());
    let before = thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let mut connection = Connection::open(address).expect("the service is there");
                while !is_over.load(Ordering::SeqCst) {
                    let offer = market::offer(&seller, "offer");
                    let reply = connection.exchange(&market::sell(&offer)).expect("an answer");
                    acknowledged.lock().expect("a list").push(reply.is(201).id());
                }
            });
        }
        let backups = (0..BACKUPS).map(|number| {
            thread::sleep(Duration::from_millis(300));
            let before: BTreeSet<_> = acknowledged.lock().expect("a list").iter().cloned().collect();
            let said = back_up(folder.path(), &[&format!("{number}.db")]);
            assert!(said.contains("rows of") && said.contains("checked"), "{said}");
            before
        });
        let before: Vec<_> = backups.collect();
        is_over.store(true, Ordering::SeqCst);
        before
    });
    service.stop();
    for (number, before) in before.iter().enumerate() {
        let url = format!("sqlite://{number}.db");
        let service = Service::start_with(folder.path(), &[LISTEN, &format!("--database={url}")]);
        let count = service.get("/offers?limit=0").is(200).json()["count"].clone();
        let new = service.send(&market::sell(&market::offer(&seller, "one more"))).is(201).id();
        service.stop();
        let file = export(folder.path(), &url, &format!("{number}.ndjson"));
        let id = |column: usize| move |row: &serde_json::Value| row[column].as_str().expect("an id").to_owned();
        let mut offers: BTreeSet<_> = rows(&file, "offers").iter().map(id(0)).collect();
        let events = rows(&file, "_restwell_events");
        let told: BTreeSet<_> = events.iter().filter(|row| row[2] == "offer").map(id(4)).collect();
        assert_eq!(told, offers, "each offer has its event, and each event its offer");
        assert!(offers.remove(&new));
        assert_eq!(count, offers.len());
        assert!(offers.is_superset(before), "what was acknowledged before is in it");
        imported(folder.path(), &format!("sqlite://again-{number}.db"), &format!("{number}.ndjson"));
    }
    assert!(before[0].len() > 10 && before[BACKUPS - 1].len() > before[0].len(), "there were writes");
}

/// The same content, in a file that only its owner can read; nothing is left beside it.
pub(crate) fn of_files() {
    let folder = folder();
    fill(folder.path());
    let whole = export(folder.path(), "sqlite://test.db", "whole.ndjson");
    back_up(folder.path(), &["copy.db"]);
    assert_eq!(export(folder.path(), "sqlite://copy.db", "copy.ndjson"), whole);
    check_mode(&folder.path().join("copy.db"));
    let says = |arguments: &[&str], text: &str| {
        let told = refusal(&run(folder.path(), [&["backup"], arguments].concat()));
        assert!(told.contains(text), "{arguments:?}: {told}");
    };
    says(&[DATABASE, "copy.db"], "copy.db is there already");
    says(&[DATABASE, "--overwrite", "test.db"], "test.db is the database itself");
    says(&[DATABASE, "no/such/folder.db"], "cannot write");
    says(&["--database=sqlite://nowhere.db", "new.db"], "there is no database nowhere.db");
    says(&["--database=sqlite::memory:", "new.db"], "in memory");
    says(&["--database=postgres://127.0.0.1/market", "new.db"], "pg_dump");
    fs::write(folder.path().join("other"), "something else").expect("written");
    says(&["--database=sqlite://other", "new.db"], "not a database");
    let service = Service::start_with(folder.path(), &[LISTEN, "--database=sqlite://served.db"]);
    says(&[DATABASE, "--overwrite", "served.db"], "served.db is a database in use");
    service.stop();
    // a damaged page is not backed up as if nothing were wrong
    let mut bytes = fs::read(folder.path().join("copy.db")).expect("the copy");
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 512].fill(0xff);
    fs::write(folder.path().join("damaged.db"), bytes).expect("written");
    refusal(&run(folder.path(), ["backup", "--database=sqlite://damaged.db", "new.db"]));
    let names = fs::read_dir(folder.path()).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    assert!(!names.iter().any(|name| name.starts_with("new.db") || name.ends_with(".part")), "{names:?}");

    let service = Service::start(folder.path());
    market::user(service.address(), "somebody-new");
    back_up(folder.path(), &["--overwrite", "copy.db"]);
    service.stop();
    let newer = export(folder.path(), "sqlite://copy.db", "newer.ndjson");
    assert_eq!(rows(&newer, "users").len(), rows(&whole, "users").len() + 1);
    assert_eq!(newer, export(folder.path(), "sqlite://test.db", "now.ndjson"));
}
