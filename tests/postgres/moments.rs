//! Failures at the wrong moment: between two statements of a transaction, or while a client disconnects.

use restwell::testing::{Running, Setup};
use restwell::{Builder, Ref, Resource};
use restwell_testkit::postgres::{Database, Server, Session};
use restwell_testkit::wire::{Answer, PUBLIC, Wire};
use serde_json::{Value, json};
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::panic::catch_unwind;
use std::thread;
use std::time::{Duration, Instant};

/// Clients who want one value.
const CLIENTS: usize = 4;
/// How often each takes it.
const ROUNDS: usize = 60;
/// Nothing that goes on by itself takes so long.
const PATIENCE: Duration = Duration::from_secs(20);
/// A request without a lock to wait for is answered sooner. The server cancels a wait for a lock after ten seconds.
const SOON: Duration = Duration::from_secs(4);

fn start(database: &Database) -> Running {
    Setup::of(restwell_tests::generated_service()).database(database.url()).start()
}

pub(crate) fn created(wire: &mut Wire, path: &str, body: &Value) -> String {
    let reply = wire.send("POST", path.as_bytes(), PUBLIC, None, Some(body));
    assert_eq!(reply.status, 201, "{}", reply.body);
    let id = reply.json()["id"].as_str().map(str::to_owned);
    format!("{path}/{}", id.expect("an id"))
}

pub(crate) fn get(wire: &mut Wire, path: &str) -> Answer {
    wire.send("GET", path.as_bytes(), PUBLIC, None, None)
}

pub(crate) fn specimen() -> Value {
    json!({ "name": "Amber", "storage": { "shelf": "A1" }, "readings": [7] })
}

/// Waits until this number of statements wait for a lock.
pub(crate) fn await_waiting(session: &Session, count: usize) {
    let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let begun = Instant::now();
    while session.texts(waiting) != [count.to_string()] {
        assert!(begun.elapsed() < PATIENCE, "{:?} wait", session.texts(waiting));
        thread::sleep(Duration::from_millis(5));
    }
}

/// A value that is given up between the refusal and the look for its reason is free: it is taken, or was taken, and the
/// service does not fail.
pub(crate) fn a_value_that_is_given_up_is_free(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let body = json!({ "name": "only one" });
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            let (mut wire, body) = (Wire::to(running.address()), &body);
            scope.spawn(move || {
                for _ in 0..ROUNDS {
                    let reply = wire.send("POST", b"/tags", PUBLIC, None, Some(body));
                    match reply.status {
                        201 => {
                            let path = format!("/tags/{}", reply.json()["id"].as_str().expect("an id"));
                            assert_eq!(wire.send("DELETE", path.as_bytes(), PUBLIC, None, None).status, 204);
                        }
                        status => assert_eq!(status, 422, "{}", reply.body),
                    }
                }
            });
        }
    });
}

/// Columns may change their type under a running instance, as a migration does it: what it has prepared is prepared
/// anew.
pub(crate) fn statements_are_prepared_again(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    let path = created(&mut wire, "/specimens", &specimen());
    for kind in ["integer", "bigint", "integer"] {
        for _ in 0..8 {
            assert_eq!(get(&mut wire, &path).status, 200);
            assert_eq!(get(&mut wire, "/specimens").status, 200);
            let reply = wire.send("PUT", path.as_bytes(), PUBLIC, None, Some(&specimen()));
            assert_eq!(reply.status, 200, "{}", reply.body);
        }
        database.run(&format!("ALTER TABLE specimens ALTER COLUMN size TYPE {kind}"));
        let reply = get(&mut wire, &path);
        assert_eq!(reply.status, 200, "{}", reply.body);
        let reply = get(&mut wire, "/specimens");
        assert_eq!(reply.status, 200, "{}", reply.body);
        let reply = wire.send("PUT", path.as_bytes(), PUBLIC, None, Some(&specimen()));
        assert_eq!(reply.status, 200, "{}", reply.body);
    }
}

/// Sends a request and does not wait for its answer.
pub(crate) fn ask(running: &Running, method: &str, path: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(running.address()).expect("the service listens");
    let head = format!("{method} {path} HTTP/1.1\r\nhost: here\r\nuser-agent: Moments/1.0\r\naccept: {PUBLIC}\r\n");
    let head = match body {
        "" => head,
        body => format!("{head}content-type: {PUBLIC}\r\ncontent-length: {}\r\n", body.len()),
    };
    stream.write_all(format!("{head}\r\n{body}").as_bytes()).expect("the service reads");
    stream
}

/// Clients who have gone while the database kept them waiting hold no others up.
pub(crate) fn abandoned_requests_block_no_others(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    created(&mut wire, "/tags", &json!({ "name": "amber" }));
    let body = specimen().to_string();
    for (method, body, status) in [("GET", "", 200), ("POST", body.as_str(), 201)] {
        let (locking, watching) = (database.session(), database.session());
        locking.run("BEGIN; LOCK TABLE specimens IN ACCESS EXCLUSIVE MODE");
        // as many as there are connections for it
        let asked = [(); 2].map(|()| ask(&running, method, "/specimens", body));
        await_waiting(&watching, asked.len());
        drop(asked);
        thread::sleep(Duration::from_millis(100));
        for round in 0..4 {
            let begun = Instant::now();
            let tag = json!({ "name": format!("tag {round}") });
            let reply = wire.send(method, b"/tags", PUBLIC, None, (method == "POST").then_some(&tag));
            assert_eq!(reply.status, status, "{}", reply.body);
            assert!(begun.elapsed() < SOON, "{method} took {:?}", begun.elapsed());
        }
        locking.run("COMMIT");
    }
    // what they asked for was not done
    assert_eq!(database.texts("SELECT count(*) FROM specimens"), ["0"]);
}

/// A session that the server ends while a change is written has not committed it: it is written by another one.
pub(crate) fn a_session_that_ends_before_a_commit_costs_nobody_a_change(server: &Server) {
    let database = server.database();
    let running = start(&database);
    database.session().run(
        "CREATE SEQUENCE ends; CREATE FUNCTION end_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF nextval('ends') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN new; END $$;
         CREATE TRIGGER end_first BEFORE INSERT ON tags FOR EACH ROW EXECUTE FUNCTION end_first()",
    );
    let mut wire = Wire::to(running.address());
    let tag = created(&mut wire, "/tags", &json!({ "name": "amber" }));
    assert_eq!(get(&mut wire, &tag).status, 200);
    assert_eq!(database.texts("SELECT count(*) FROM tags"), ["1"]);
    assert_eq!(database.texts("SELECT last_value FROM ends"), ["2"]);
}

/// Something that others refer to.
#[derive(Debug, Clone, Resource)]
pub(crate) struct Shelf {
    label: String,
}

/// Deleted with any of its shelves.
#[derive(Debug, Clone, Resource)]
struct Plan {
    #[field(on_delete = cascade, show(label))]
    shelves: Vec<Ref<Shelf>>,
}

/// A service with a plan that refers to a shelf.
struct Planned {
    running: Running,
    wire: Wire,
    /// The paths of both.
    shelf: String,
    plan: String,
    /// The table of the plan's references.
    link: String,
}

impl Planned {
    fn create(database: &Database) -> Self {
        let service = Builder::new("store").resource::<Shelf>().resource::<Plan>();
        let running = Setup::of(service).database(database.url()).start();
        let mut wire = Wire::to(running.address());
        let shelf = created(&mut wire, "/shelves", &json!({ "label": "A1" }));
        let id = shelf.trim_start_matches("/shelves/");
        let plan = created(&mut wire, "/plans", &json!({ "shelves": [{ "id": id }] }));
        let links = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'plans_%'";
        let link = database.texts(links).remove(0);
        Self { running, wire, shelf, plan, link }
    }
}

/// An entity that has just given up its reference is not deleted together with the entity that it referred to.
pub(crate) fn an_entity_without_the_reference_stays(server: &Server) {
    let database = server.database();
    let Planned { running, mut wire, shelf, plan, link } = Planned::create(&database);
    let (changing, watching) = (database.session(), database.session());
    // as another instance does it
    changing.run("BEGIN; UPDATE plans SET shelves = '[]'");
    changing.run(&format!("DELETE FROM \"{link}\""));
    let deleted = thread::scope(|scope| {
        let mut wire = Wire::to(running.address());
        let deleting = scope.spawn(move || wire.send("DELETE", shelf.as_bytes(), PUBLIC, None, None).status);
        await_waiting(&watching, 1);
        changing.run("COMMIT");
        deleting.join().expect("no client panicked")
    });
    assert_eq!(deleted, 204);
    assert_eq!(get(&mut wire, &plan).status, 200, "what does not refer to it stays");
}

/// Commands that only another version of the service knows do not keep the others from being taken up.
pub(crate) fn commands_of_another_version_block_no_others(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    let body = json!({ "name": "Amber", "storage": { "shelf": "A1" }, "readings": [7], "size": 0 });
    let path = created(&mut wire, "/specimens", &body);
    let id = path.trim_start_matches("/specimens/");
    let insert = |command: &str, created_at: &str| {
        database.run(&format!(
            "INSERT INTO _restwell_commands SELECT gen_random_uuid(), 'Specimen', '{command}', '{id}', NULL, NULL, \
             '{{\"how\": \"COUNT\", \"amount\": 1}}', {created_at}, 1, 0, NULL, NULL, 0, 0, gen_random_uuid(), NULL \
             FROM generate_series(1, 200)"
        ));
    };
    insert("vanished", "1");
    insert("treat", "2");
    let begun = Instant::now();
    while get(&mut wire, &path).json()["size"] != 200 {
        assert!(begun.elapsed() < PATIENCE, "{}", get(&mut wire, &path).body);
        thread::sleep(Duration::from_millis(50));
    }
    let left = "SELECT command, count(*) FROM _restwell_commands WHERE status = 0 AND fence = 0 GROUP BY 1";
    assert_eq!(database.texts(left), ["vanished|200"]);
}

/// Connections to a read-only server are replaced once it accepts writes.
pub(crate) fn writes_come_back_after_a_standby(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    let name = database.texts("SELECT current_database()").remove(0);
    database.run(&format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = on"));
    database.cut();
    let reply = wire.send("POST", b"/tags", PUBLIC, None, Some(&json!({ "name": "early" })));
    assert_eq!(reply.status, 503, "{}", reply.body);
    let session = database.session();
    session.run("SET default_transaction_read_only = off");
    session.run(&format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = off"));
    created(&mut wire, "/tags", &json!({ "name": "late" }));
    let begun = Instant::now();
    while database.texts("SELECT count(*) FROM _restwell_events") != ["1"] {
        assert!(begun.elapsed() < PATIENCE, "events are numbered again");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Requests for an entity that is locked for long get a response in time, for any number of requests.
pub(crate) fn waiting_for_an_entity_ends_in_time(server: &Server) {
    let database = server.database();
    let url = format!("{}?options=-c%20lock_timeout%3D1s", database.url());
    let running = Setup::of(restwell_tests::generated_service()).database(&url).start();
    let path = created(&mut Wire::to(running.address()), "/tags", &json!({ "name": "amber" }));
    let holding = database.session();
    holding.run("BEGIN; SELECT 1 FROM tags FOR UPDATE");
    thread::scope(|scope| {
        for _ in 0..3 * CLIENTS {
            let (mut wire, path) = (Wire::to(running.address()), &path);
            scope.spawn(move || {
                let begun = Instant::now();
                let body = json!({ "name": "jet" });
                let reply = wire.send("PUT", path.as_bytes(), PUBLIC, None, Some(&body));
                assert_eq!(reply.status, 503, "{}", reply.body);
                assert!(begun.elapsed() < 2 * SOON, "{:?}", begun.elapsed());
            });
        }
    });
    holding.run("COMMIT");
}

/// A server that ends sessions which idle does so while some begin to be used: that is no reason to fail.
pub(crate) fn sessions_may_be_ended_when_they_idle(server: &Server) {
    let database = server.database();
    let name = database.texts("SELECT current_database()").remove(0);
    let running = start(&database);
    database.run(&format!("ALTER DATABASE \"{name}\" SET idle_session_timeout = '20ms'"));
    database.cut();
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let mut wire = Wire::to(running.address());
            scope.spawn(move || {
                for round in 0..2 * ROUNDS {
                    let body = json!({ "name": format!("{client}-{round}") });
                    let path = created(&mut wire, "/tags", &body);
                    thread::sleep(Duration::from_micros(19_000 + 20 * round as u64));
                    for path in [&path, "/tags"] {
                        let reply = get(&mut wire, path);
                        assert_eq!(reply.status, 200, "{}", reply.body);
                    }
                }
            });
        }
    });
}

/// An entity is read as it was or as it is, though what it refers to goes in between.
pub(crate) fn a_representation_is_of_one_moment(server: &Server) {
    let database = server.database();
    let Planned { running: _running, mut wire, plan, link, .. } = Planned::create(&database);
    let (changing, watching) = (database.session(), database.session());
    changing.run("BEGIN; LOCK TABLE shelves IN ACCESS EXCLUSIVE MODE");
    let found = thread::scope(|scope| {
        let getting = scope.spawn(|| get(&mut wire, &plan).json());
        await_waiting(&watching, 1);
        changing.run(&format!("UPDATE plans SET shelves = '[]'; DELETE FROM \"{link}\""));
        changing.run("DELETE FROM shelves; COMMIT");
        getting.join().expect("no client panicked")
    });
    assert_eq!(found["shelves"], json!([]), "{found}");
}

/// A server that takes the connection and says nothing is given up.
pub(crate) fn a_silent_server_times_out(_: &Server) {
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let url = format!("postgres://postgres@{}/market", silent.local_addr().expect("an address"));
    let begun = Instant::now();
    let started = catch_unwind(|| Setup::of(restwell_tests::generated_service()).database(&url).start());
    assert!(started.is_err() && begun.elapsed() < PATIENCE, "after {:?}", begun.elapsed());
}
