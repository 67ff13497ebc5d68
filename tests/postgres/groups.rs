//! Changes that arrive together: they share transactions, and each gets the answer that it would get alone.

use crate::moments::{created, get, specimen};
use restwell::testing::{Running, Setup};
use restwell_testkit::postgres::{Database, Server};
use restwell_testkit::wire::{PUBLIC, Wire};
use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};

/// Clients at a time.
const CLIENTS: usize = 24;
/// What each of them does, and how often.
const ROUNDS: usize = 20;
/// What waits for nobody is answered sooner; a wait for a lock is broken off after ten seconds.
const SOON: Duration = Duration::from_secs(4);

fn start(database: &Database) -> Running {
    Setup::of(restwell_tests::generated_service()).database(database.url()).start()
}

/// Lets all clients work at a time, each with its number and a connection of its own.
fn together(running: &Running, work: impl Fn(usize, &mut Wire) + Sync) {
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (mut wire, work) = (Wire::to(running.address()), &work);
            scope.spawn(move || work(client, &mut wire));
        }
    });
}

fn ask(wire: &mut Wire, method: &str, path: &str, body: &Value) -> u16 {
    wire.send(method, path.as_bytes(), PUBLIC, None, Some(body)).status
}

/// Rows that were written by one transaction have one `xmin`. Each change has its event all the same.
pub(crate) fn changes_that_arrive_together_share_a_transaction(server: &Server) {
    let database = server.database();
    let running = start(&database);
    together(&running, |client, wire| {
        for round in 0..ROUNDS {
            created(wire, "/tags", &json!({ "name": format!("tag {client} {round}") }));
        }
    });
    let number = |sql: &str| database.session().texts(sql)[0].parse::<usize>().expect("a number");
    assert_eq!(number("SELECT count(*) FROM tags"), CLIENTS * ROUNDS);
    let transactions = number("SELECT count(DISTINCT xmin::text) FROM tags");
    assert!(transactions * 2 < CLIENTS * ROUNDS, "{transactions} transactions");
    let announced = "SELECT count(DISTINCT entity_id) FROM (SELECT entity_id FROM _restwell_events UNION ALL \
                     SELECT entity_id FROM _restwell_drafts) AS announced";
    assert_eq!(number(announced), CLIENTS * ROUNDS);
}

/// What is wrong with one change is told to its client, and to no other.
pub(crate) fn faulty_changes_get_their_own_answers(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    created(&mut wire, "/tags", &json!({ "name": "taken" }));
    let nobody = "00000000-0000-7000-8000-000000000000";
    together(&running, |client, wire| {
        let mine = created(wire, "/specimens", &specimen());
        for round in 0..ROUNDS {
            let tag = created(wire, "/tags", &json!({ "name": format!("tag {client} {round}") }));
            assert_eq!(ask(wire, "POST", "/tags", &json!({ "name": "taken" })), 422);
            assert_eq!(ask(wire, "PUT", &format!("/tags/{nobody}"), &json!({ "name": "nobody's" })), 404);
            let mut faulty = specimen();
            faulty["tag"] = json!({ "id": nobody });
            assert_eq!(ask(wire, "PUT", &mine, &faulty), 422);
            let mut valid = specimen();
            valid["name"] = json!(format!("Amber {round}"));
            assert_eq!(ask(wire, "PUT", &mine, &valid), 200);
            assert_eq!(get(wire, &mine).json()["name"], valid["name"]);
            assert_eq!(ask(wire, "PUT", &tag, &json!({ "name": format!("kept {client} {round}") })), 200);
        }
    });
    let names = database.session().texts("SELECT count(*), count(*) FILTER (WHERE name LIKE 'kept %') FROM tags");
    assert_eq!(names, [format!("{}|{}", CLIENTS * ROUNDS + 1, CLIENTS * ROUNDS)]);
}

/// Rows that somebody else has locked: fewer than a service of tests has connections for changes.
const LOCKED: usize = 1;

/// Rows that somebody else has locked keep those waiting who change them, and none of those who came with them.
pub(crate) fn locked_rows_keep_no_others_waiting(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    let locked: Vec<_> = (0..LOCKED).map(|_| created(&mut wire, "/specimens", &specimen())).collect();
    let session = database.session();
    session.run("BEGIN; SELECT 1 FROM specimens FOR UPDATE");
    let address = running.address();
    let change = |path: String| thread::spawn(move || ask(&mut Wire::to(address), "PUT", &path, &specimen()));
    let waiting: Vec<_> = locked.into_iter().map(change).collect();
    thread::sleep(Duration::from_millis(300));
    together(&running, |_, wire| {
        let mine = created(wire, "/specimens", &specimen());
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            assert_eq!(ask(wire, "PUT", &mine, &specimen()), 200);
            assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        }
    });
    assert!(waiting.iter().all(|waiting| !waiting.is_finished()), "the rows are locked");
    session.run("COMMIT");
    for waiting in waiting {
        assert_eq!(waiting.join().expect("an answer"), 200);
    }
}
