//! Two instances of a service on one database: what each does counts for both, and as if one did it all.

use libtest_mimic::Completion;
use restwell::testing::{Running, Setup, TestClock};
use restwell::{Builder, Context, Rejection, Resource, Ruled, Rules, Stored};
use restwell_model::case_folding::{FOLD_CASE, fold_case, postgres_function};
use restwell_model::scalar::Timestamp;
use restwell_testkit::postgres::{Database, Server};
use restwell_testkit::wire::{PUBLIC, Wire};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Clients of each instance.
const CLIENTS: usize = 4;
/// What each of them does.
const ROUNDS: usize = 5;
/// Nothing that goes on by itself takes so long.
const PATIENCE: Duration = Duration::from_secs(20);

/// Two instances.
fn pair(database: &Database) -> [Running; 2] {
    [(); 2].map(|()| Setup::of(restwell_tests::generated_service()).database(database.url()).start())
}

/// Runs a number of clients concurrently, in turns on either instance.
fn together<T: Send>(instances: &[Running; 2], work: impl Fn(usize, &mut Wire) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let clients: Vec<_> = (0..2 * CLIENTS)
            .map(|client| {
                let (mut wire, work) = (Wire::to(instances[client % 2].address()), &work);
                scope.spawn(move || work(client, &mut wire))
            })
            .collect();
        clients.into_iter().map(|client| client.join().expect("no client panicked")).collect()
    })
}

fn create(wire: &mut Wire, path: &str, body: &Value) -> Value {
    let reply = wire.send("POST", path.as_bytes(), PUBLIC, None, Some(body));
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.json()
}

fn specimen(name: &str) -> Value {
    json!({ "name": name, "storage": { "shelf": "A1" }, "readings": [7], "samples": [0, 0] })
}

/// Instances that change one entity at a time lose none of the changes.
pub(crate) fn no_update_is_lost(server: &Server) {
    let database = server.database();
    let instances = pair(&database);
    let entity = create(&mut Wire::to(instances[0].address()), "/specimens", &specimen("Amber"));
    let path = format!("/specimens/{}", entity["id"].as_str().expect("an id"));
    together(&instances, |client, wire| {
        for round in 0..ROUNDS {
            let add = json!([{ "op": "add", "path": "/samples/-", "value": client * ROUNDS + round + 1 }]);
            let begun = Instant::now();
            loop {
                let reply = wire.send("PATCH", path.as_bytes(), PUBLIC, None, Some(&add));
                match reply.status {
                    200 => break,
                    // it met too many others, and says so
                    409 | 503 => assert!(begun.elapsed() < PATIENCE, "{}", reply.body),
                    status => panic!("{status}: {}", reply.body),
                }
            }
        }
    });
    let found = Wire::to(instances[1].address()).send("GET", path.as_bytes(), PUBLIC, None, None).json();
    let samples: BTreeSet<u64> = found["samples"]
        .as_array()
        .expect("samples")
        .iter()
        .map(|value| value.as_f64().expect("a number") as u64)
        .collect();
    assert_eq!(samples, (0..=(2 * CLIENTS * ROUNDS) as u64).collect());
    assert_eq!(found["samples"].as_array().map(Vec::len), Some(2 + 2 * CLIENTS * ROUNDS));
}

/// Of concurrent requests for a unique value one succeeds; the others get an error.
pub(crate) fn a_unique_value_is_taken_once(server: &Server) {
    let database = server.database();
    let instances = pair(&database);
    for round in 0..ROUNDS {
        let body = json!({ "name": "Ida", "email": format!("ida{round}@example.com") });
        let statuses = together(&instances, |_, wire| {
            let reply = wire.send("POST", b"/keepers", PUBLIC, None, Some(&body));
            let errors = reply.json()["errors"].clone();
            assert!(reply.status == 201 || errors[0]["code"] == "NotUnique", "{}", reply.body);
            reply.status
        });
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    }
}

/// The events of all instances are one sequence without gaps, in which what came of something stands after it.
pub(crate) fn events_are_one_sequence(server: &Server) {
    let database = server.database();
    let instances = pair(&database);
    together(&instances, |client, wire| {
        for round in 0..ROUNDS {
            let entity = create(wire, "/specimens", &specimen(&format!("{client}-{round}")));
            let path = format!("/specimens/{}", entity["id"].as_str().expect("an id"));
            let reply = wire.send("PUT", path.as_bytes(), PUBLIC, None, Some(&specimen("Jet")));
            assert_eq!(reply.status, 200, "{}", reply.body);
            assert_eq!(wire.send("DELETE", path.as_bytes(), PUBLIC, None, None).status, 204);
        }
    });
    all_are_numbered(&database);
    let events = 3 * 2 * CLIENTS * ROUNDS;
    let ends = database.texts("SELECT count(*), min(sequence), max(sequence) FROM _restwell_events");
    assert_eq!(ends, [format!("{events}|1|{events}")]);
    let histories = database
        .texts("SELECT DISTINCT string_agg(kind, ' ' ORDER BY sequence) FROM _restwell_events GROUP BY entity_id");
    assert_eq!(histories, ["created updated deleted"]);
}

/// Waits until all events have positions.
fn all_are_numbered(database: &Database) {
    let begun = Instant::now();
    while database.texts("SELECT count(*) FROM _restwell_drafts") != ["0"] {
        assert!(begun.elapsed() < PATIENCE, "drafts stay drafts");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A change gives its events their positions itself. While another transaction gives positions, it does not wait: its
/// events get theirs afterwards, before those of later changes.
pub(crate) fn no_change_waits_for_positions(server: &Server) {
    let database = server.database();
    let service = Setup::of(restwell_tests::generated_service()).database(database.url()).start();
    let mut wire = Wire::to(service.address());
    let mut add = |name: &str| create(&mut wire, "/specimens", &specimen(name))["id"].as_str().map(str::to_owned);
    let events = || database.texts("SELECT sequence || ' ' || entity_id FROM _restwell_events ORDER BY sequence");
    let positions = |ids: &[Option<String>]| {
        let ids = ids.iter().flatten().enumerate();
        ids.map(|(index, id)| format!("{} {id}", index + 1)).collect::<Vec<_>>()
    };
    let mut ids = vec![add("Amber"), add("Beryl")];
    assert_eq!(events(), positions(&ids));
    let numbering = database.session();
    numbering.run("BEGIN; SELECT 1 FROM _restwell WHERE key = 'events.numbering' FOR UPDATE");
    ids.extend([add("Citrine"), add("Diamond")]);
    assert_eq!(database.texts("SELECT count(*) FROM _restwell_drafts"), ["2"]);
    assert_eq!(events(), positions(&ids[..2]));
    numbering.run("COMMIT");
    ids.extend([add("Emerald"), add("Fluorite")]);
    all_are_numbered(&database);
    assert_eq!(events(), positions(&ids));
}

/// Clocks that are two hours apart do no harm: a command is done once, and no entity grows younger.
pub(crate) fn clocks_may_differ(server: &Server) {
    let database = server.database();
    let hour = Duration::from_secs(3600);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
    let instances = [now + hour, now - hour].map(|time| {
        let clock = TestClock::at(Timestamp::from_millis(time.as_millis() as i64).expect("a time"));
        Setup::of(restwell_tests::generated_service()).database(database.url()).clock(&clock).start()
    });
    let mut wires = [Wire::to(instances[0].address()), Wire::to(instances[1].address())];
    let body = json!({ "name": "Amber", "storage": { "shelf": "A1" }, "readings": [7], "size": 0 });
    let entity = create(&mut wires[0], "/specimens", &body);
    let path = format!("/specimens/{}", entity["id"].as_str().expect("an id"));
    for _ in 0..ROUNDS {
        let target = format!("{path}/treat-commands/{}", uuid::Uuid::now_v7());
        for wire in &mut wires {
            let reply = wire.send("PUT", target.as_bytes(), PUBLIC, None, Some(&json!({ "how": "COUNT" })));
            assert_eq!(reply.status, 201, "{}", reply.body);
        }
        let begun = Instant::now();
        while wires[1].send("GET", target.as_bytes(), PUBLIC, None, None).json()["status"] == "RUNNING" {
            assert!(begun.elapsed() < PATIENCE, "it is done in time, whoever does it");
            thread::sleep(Duration::from_millis(5));
        }
    }
    let found = wires[1].send("GET", path.as_bytes(), PUBLIC, None, None).json();
    assert_eq!(found["size"], ROUNDS, "{found}");
    let reply = wires[1].send("PUT", path.as_bytes(), PUBLIC, None, Some(&body));
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert!(reply.json()["updatedAt"].as_str() >= entity["updatedAt"].as_str(), "{}", reply.body);
}

/// Reads go on and writes come back when the server has cut all connections.
pub(crate) fn cut_connections_are_replaced(server: &Server) {
    let database = server.database();
    let instances = pair(&database);
    let mut wire = Wire::to(instances[0].address());
    let entity = create(&mut wire, "/specimens", &specimen("Amber"));
    let path = format!("/specimens/{}", entity["id"].as_str().expect("an id"));
    for _ in 0..ROUNDS {
        assert!(database.cut() > 0);
        let reply = wire.send("GET", path.as_bytes(), PUBLIC, None, None);
        assert_eq!(reply.status, 200, "{}", reply.body);
        let reply = wire.send("GET", b"/specimens", PUBLIC, None, None);
        assert_eq!(reply.status, 200, "{}", reply.body);
        // not one that was in the midst of its commit
        let reply = wire.send("PUT", path.as_bytes(), PUBLIC, None, Some(&specimen("Jet")));
        assert_eq!(reply.status, 200, "{}", reply.body);
    }
}

/// Something with a text of any length that is filtered by.
#[derive(Debug, Clone, Resource)]
struct Parcel {
    #[field(filter)]
    label: String,
}

/// A label is on two parcels at most.
struct TwoAtMost;

impl Rules<Parcel> for TwoAtMost {
    async fn validate(&self, parcel: &Parcel, _: Option<&Stored<Parcel>>, context: &Context<'_>) -> Ruled {
        let others = context.transaction.count(ParcelQuery::new().label(&parcel.label)).await?;
        if others < 2 { Ok(()) } else { Err(Rejection::new("TooMany", "is on two already").at("label")) }
    }
}

/// What a rule has counted still holds when its change is committed, with any changes of other instances meanwhile.
pub(crate) fn what_was_counted_holds(server: &Server) {
    let database = server.database();
    let instances = [(); 2].map(|()| {
        let service = Builder::new("shelf").resource::<Parcel>().rules(TwoAtMost);
        Setup::of(service).database(database.url()).start()
    });
    for round in 0..ROUNDS {
        let body = json!({ "label": format!("round {round}") });
        let statuses = together(&instances, |_, wire| {
            let reply = wire.send("POST", b"/parcels", PUBLIC, None, Some(&body));
            assert!(reply.status == 201 || reply.json()["errors"][0]["code"] == "TooMany", "{}", reply.body);
            reply.status
        });
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 2, "{statuses:?}");
    }
}

/// A text that is too long for PostgreSQL's index is the client's problem, not the service's.
pub(crate) fn texts_that_cannot_be_indexed_are_reported(server: &Server) {
    let database = server.database();
    let running = Setup::of(Builder::new("shelf").resource::<Parcel>()).database(database.url()).start();
    let mut wire = Wire::to(running.address());
    // no two alike, so that it cannot be compressed
    let label: String = std::iter::repeat_with(|| uuid::Uuid::new_v4().simple().to_string()).take(400).collect();
    for (label, status) in [(&label[..2_500], 201), (&label[..], 422)] {
        let reply = wire.send("POST", b"/parcels", PUBLIC, None, Some(&json!({ "label": label })));
        assert_eq!(reply.status, status, "{}", reply.body);
        if status == 422 {
            let error = &reply.json()["errors"][0];
            assert_eq!((&error["code"], &error["path"]), (&json!("TooLong"), &json!("label")), "{error}");
        }
    }
}

/// The function of the database and that of the program fold every character alike, alone and beside others.
pub(crate) fn case_is_folded_as_in_the_program(server: &Server) {
    let database = server.database();
    database.session().run(postgres_function());
    let blocks = "SELECT string_agg(chr(n), '' ORDER BY n) AS block FROM generate_series(1, 131071) n \
                  WHERE n NOT BETWEEN 55296 AND 57343 GROUP BY n / 64";
    let sql = format!("SELECT block || '\u{1}' || \"{FOLD_CASE}\"(block) FROM ({blocks}) AS blocks");
    let found = database.texts(&sql);
    assert!(found.len() > 2000);
    for pair in found {
        // the first block has the separator in it
        let (block, folded) = pair.rsplit_once('\u{1}').expect("two texts");
        if !block.contains('\u{1}') {
            assert_eq!(fold_case(block), folded);
        }
    }
    let ascii: String = ('\u{2}'..='\u{7f}').collect();
    let quoted = ascii.replace('\'', "''");
    assert_eq!(database.texts(&format!("SELECT \"{FOLD_CASE}\"('{quoted}')")), [ascii.to_ascii_lowercase()]);
}

/// A text that is short enough, and too long once it is folded.
#[derive(Debug, Clone, Resource)]
struct Sack {
    #[field(unique = ignore_case)]
    label: Option<String>,
}

pub(crate) fn folded_texts_that_cannot_be_indexed_are_reported(server: &Server) {
    let database = server.database();
    let running = Setup::of(Builder::new("shelf").resource::<Sack>()).database(database.url()).start();
    let mut wire = Wire::to(running.address());
    // what has two bytes, and six once it is folded, among characters that nothing compresses
    let ideograph = || {
        let [one, other, ..] = *uuid::Uuid::new_v4().as_bytes();
        char::from_u32(0x4e00 + u32::from(one) * 0x50 + u32::from(other)).expect("a character")
    };
    let piece = || [ideograph(), ideograph(), ideograph(), ideograph(), '\u{390}'];
    let label = |pieces: usize| (0..pieces).flat_map(|_| piece()).collect::<String>();
    let (short, long) = (label(10), label(185));
    assert!(long.len() < 2_600 && fold_case(&long).len() > 3_000);
    for (label, status) in [(&short, 201), (&short.to_uppercase(), 422), (&long, 422)] {
        let reply = wire.send("POST", b"/sacks", PUBLIC, None, Some(&json!({ "label": label })));
        assert_eq!(reply.status, status, "{}", reply.body);
        if status == 422 {
            let error = &reply.json()["errors"][0];
            let code = if label == &long { "TooLong" } else { "NotUnique" };
            assert_eq!((&error["code"], &error["path"]), (&json!(code), &json!("label")), "{error}");
        }
    }
}

/// TLS is spoken where it is asked for, with a server that one knows.
pub(crate) fn tls_is_spoken_with_whom_one_knows(server: &Server) -> Completion {
    const CERTIFICATE: &str = "/etc/ssl/certs/ssl-cert-snakeoil.pem";
    let database = server.database();
    let is_spoken = database.texts("SHOW ssl") == ["on"] && database.texts("SHOW ssl_cert_file") == [CERTIFICATE];
    if !is_spoken || !std::path::Path::new(CERTIFICATE).exists() {
        return Completion::ignored_with("the server shows no certificate that this machine has");
    }
    // the name is what the certificate says
    let query = format!("?sslmode=require&sslrootcert={CERTIFICATE}");
    let known = format!("{}{query}", database.url().replace("127.0.0.1", "localhost"));
    let running = Setup::of(restwell_tests::generated_service()).database(&known).start();
    create(&mut Wire::to(running.address()), "/specimens", &specimen("Amber"));
    let encrypted = "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE datname = current_database() AND application_name = 'restwell'";
    assert_eq!(database.texts(encrypted), ["t"]);
    drop(running);
    let other = format!("{}{query}", database.url());
    let other = std::panic::catch_unwind(|| Setup::of(restwell_tests::generated_service()).database(&other).start());
    assert!(other.is_err(), "a server that says to be another one is refused");
    Completion::Completed
}
