//! Moves that succeed.

use crate::export_import::filled::{export, fill, imported};
use restwell_testkit::http::{Connection, Request};
use restwell_testkit::market;
use restwell_testkit::postgres::Server;
use restwell_testkit::process::{LISTEN, Service, folder, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const FROM: &str = "sqlite://test.db";

/// The copy gives the same file, serves, and is ids of what came before.
pub(crate) fn between_files() {
    let folder = folder();
    fill(folder.path());
    let first = export(folder.path(), FROM, "first.ndjson");
    let said = imported(folder.path(), "sqlite://copy.db", "first.ndjson");
    assert!(said.contains("rows of") && said.contains("compared"), "{said}");
    assert_eq!(export(folder.path(), "sqlite://copy.db", "second.ndjson"), first);
    check_content(&first);

    let whole = run(folder.path(), ["export", "--database=sqlite://copy.db", "--out=-"]);
    assert_eq!(whole.stdout, first, "to standard output");
    check_served(folder.path(), "sqlite://copy.db", &first);
}

/// From a file to the server and to another file.
pub(crate) fn there_and_back(server: &Server) {
    let folder = folder();
    fill(folder.path());
    let first = export(folder.path(), FROM, "first.ndjson");
    let database = server.database();
    imported(folder.path(), database.url(), "first.ndjson");
    assert_eq!(export(folder.path(), database.url(), "second.ndjson"), first);
    imported(folder.path(), "sqlite://back.db", "second.ndjson");
    assert_eq!(export(folder.path(), "sqlite://back.db", "third.ndjson"), first);
    check_served(folder.path(), database.url(), &first);

    // what came to be in the one database goes on in the other, drafts of events and all
    let fourth = export(folder.path(), database.url(), "fourth.ndjson");
    imported(folder.path(), "sqlite://again.db", "fourth.ndjson");
    assert_eq!(export(folder.path(), "sqlite://again.db", "fifth.ndjson"), fourth);
    assert!(rows(&fourth, "_restwell_events").len() > rows(&first, "_restwell_events").len());
    // a stream was served: without its secret, its cursors would lead nowhere in the copy
    assert!(rows(&fourth, "_restwell").iter().any(|row| row[0] == "events.cursors"));
}

/// While offers are created, each with its event: the file has both or none.
pub(crate) fn amid_writes(server: &Server) {
    let database = server.database();
    for url in ["sqlite://busy.db", database.url()] {
        let folder = folder();
        let service = Service::start_with(folder.path(), &[LISTEN, &format!("--database={url}")]);
        let seller = market::user(service.address(), "seller");
        let (address, is_over) = (service.address(), AtomicBool::new(false));
        let exported = thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut connection = Connection::open(address).expect("the service is there");
                    while !is_over.load(Ordering::SeqCst) {
                        let offer = market::offer(&seller, "offer");
                        connection.exchange(&market::sell(&offer)).expect("an answer").is(201);
                    }
                });
            }
            let exports = (0..4).map(|number| {
                thread::sleep(Duration::from_millis(200));
                export(folder.path(), url, &format!("{number}.ndjson"))
            });
            let exports: Vec<_> = exports.collect();
            is_over.store(true, Ordering::SeqCst);
            exports
        });
        service.stop();
        for (number, file) in exported.iter().enumerate() {
            let id = |row: &Value, column: usize| row[column].as_str().expect("an id").to_owned();
            let offers: BTreeSet<_> = rows(file, "offers").iter().map(|row| id(row, 0)).collect();
            let events = rows(file, "_restwell_events");
            let positions: Vec<_> = events.iter().map(|row| row[0].as_i64().expect("a position")).collect();
            assert_eq!(positions, (1..=positions.len() as i64).collect::<Vec<_>>(), "{url}: one after the other");
            let ids: BTreeSet<_> = events.iter().filter(|row| row[2] == "offer").map(|row| id(row, 4)).collect();
            assert_eq!(ids, offers, "{url}");
            imported(folder.path(), &format!("sqlite://{number}.db"), &format!("{number}.ndjson"));
        }
        assert!(rows(&exported[3], "offers").len() > rows(&exported[0], "offers").len(), "{url}: there were writes");
    }
}

/// A file's rows of a table.
pub(crate) fn rows(file: &[u8], table: &str) -> Vec<Value> {
    let lines = file.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let lines = lines.map(|line| serde_json::from_slice::<Value>(line).expect("each line is JSON"));
    lines
        .filter(|line| line.get("restwell").is_none())
        .filter_map(|mut line| line.get_mut(table).map(Value::take))
        .collect()
}

/// There is something of everything, or nothing was shown.
#[track_caller]
fn check_content(file: &[u8]) {
    for table in [
        "users",
        "offers",
        "transactions",
        "payments",
        "shipments",
        "general_deliveries",
        "contests",
        "watches",
        "products",
        "application_configurations",
        "_restwell_commands",
        "_restwell_searches",
        "_restwell_events",
    ] {
        assert!(!rows(file, table).is_empty(), "no {table}");
    }
    assert_eq!(rows(file, "_restwell"), [serde_json::json!(["events.published", "3"])]);
    // the rules refuse to buy what has ended: `import` restores such a purchase because it runs no rules
    let holds = |row: &Value, value: &Value| row.as_array().is_some_and(|cells| cells.contains(value));
    let offers = rows(file, "offers");
    let mut ended = offers.iter().filter(|offer| holds(offer, &Value::from("ENDED"))).map(|offer| &offer[0]);
    let bought = rows(file, "transactions");
    assert!(ended.any(|offer| bought.iter().any(|purchase| holds(purchase, offer))), "a purchase of what has ended");
}

/// Who serves the copy has what there was, and goes on with the events where they ended.
#[track_caller]
fn check_served(folder: &std::path::Path, database: &str, file: &[u8]) {
    let service = Service::start_with(folder, &[LISTEN, &format!("--database={database}")]);
    let all = Request::new("GET", "/offers?limit=1000").bearer(&market::staff());
    assert_eq!(service.send(&all).is(200).json()["count"], rows(file, "offers").len());
    let events = rows(file, "_restwell_events");
    let last = events.last().expect("an event");
    let (position, id) = (last[0].as_i64().expect("a position"), last[1].as_str().expect("an id"));
    let cursor = format!("{position:x}-{}", &id[id.len() - 8..]);
    let request = Request::new("GET", "/events").header("accept", "text/event-stream").header("last-event-id", cursor);
    let mut stream = Connection::open(service.address()).expect("a connection");
    let begun = stream.exchange(&request).expect("a head");
    assert_eq!(begun.status, 200, "the cursor is good: {}", begun.text());
    market::user(service.address(), "somebody-new");
    service.stop();
}
