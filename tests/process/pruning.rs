//! Finished commands are pruned while others are sent (decisions, "Commands").
//!
//! A night prunes a million, and prints how long clients wait with and without that.

use restwell_testkit::effort::at_night;
use restwell_testkit::http::{Connection, Request};
use restwell_testkit::market;
use restwell_testkit::postgres::is_chosen;
use restwell_testkit::process::{DATABASE, Folder, LISTEN, Service, folder, run};
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// Finished commands that are pruned, and those of a night.
const COMMANDS: (i64, i64) = (2_000, 1_000_000);
/// Who sends others meanwhile.
const CLIENTS: usize = 64;
/// How long they do without anything to prune, for each thousand commands; a few seconds at least.
const SECONDS_PER_MILLION: i64 = 60;
const SECONDS: u64 = 3;
/// Longer than commands are kept, and not twice as long.
const ENDED: Duration = Duration::from_secs(100 * 24 * 60 * 60);
/// What is left of a pruned command: its ids, its times, its place in the indexes.
const PRUNED_BYTES: i64 = 600;

/// A command as an index shows it: pruned, it has no input any more.
const PRUNED: &str = "SELECT count(*) FROM \"_restwell_commands\" WHERE \"status\" = 3 AND \"input\" = '' AND \"output\" IS NULL \
                      AND \"caller\" IS NULL";
const ALL: &str = "SELECT count(*) FROM \"_restwell_commands\"";

#[test]
fn a_finished_command_is_pruned_to_its_id_and_then_deleted() {
    let folder = folder();
    let service = Service::start_with(folder.path(), &[LISTEN, DATABASE, "--command-retention=PT6S"]);
    let (user, token) = somebody(&service);
    let offer = offer(&service, &user, &token);
    let path = format!("/offers/{offer}/end-commands/{}", Uuid::now_v7());
    let put = || service.send(&Request::new("PUT", &path).json(&json!({ "reason": "OTHER" })).bearer(&token));
    let get = || service.send(&Request::new("GET", &path).bearer(&token));
    put().is(201);
    until("it ends", || get().is(200).json()["status"] == "SUCCESSFUL");
    let id = path.rsplit('/').next().expect("an id");
    let shown = || {
        let output = run(folder.path(), ["commands", "show", id, "--format", "json", DATABASE]);
        serde_json::from_slice::<serde_json::Value>(&output.stdout).ok()
    };
    until("it is pruned", || shown().is_some_and(|shown| shown["status"] == "PRUNED"));
    assert_eq!(get().is(410).codes(), ["CommandExpired"]);
    assert_eq!(put().is(410).codes(), ["CommandExpired"], "it is not executed again");
    let list = format!("/offers/{offer}/end-commands");
    let list = service.send(&Request::new("GET", &list).bearer(&token)).is(200).json();
    assert_eq!(list, json!({ "endCommands": [], "count": 0 }));
    until("it is deleted", || shown().is_none());
    get().is(404);
    service.stop();
    assert_eq!(folder.count(ALL), 0);
}

#[test]
fn commands_are_pruned_while_others_are_sent() {
    let commands = at_night(COMMANDS);
    let folder = folder();
    let service = Service::start(folder.path());
    let (user, token) = somebody(&service);
    let parcels: Vec<_> = (0..CLIENTS).map(|_| parcel(&service, &user, &token)).collect();
    let alone = Duration::from_secs(SECONDS.max((commands * SECONDS_PER_MILLION / 1_000_000).unsigned_abs()));
    let without = load(&service, &token, &parcels, |begun| begun.elapsed() > alone);
    service.stop();

    let sent = folder.count(ALL);
    fill(&folder, commands);
    let before = folder.bytes();
    let service = Service::start(folder.path());
    let begun = Instant::now();
    let backlog = || metric(&service, "restwell_commands_pruned_total");
    let with = load(&service, &token, &parcels, |_| backlog() >= commands);
    let took = begun.elapsed();
    service.stop();
    let after = folder.bytes();
    println!(
        "{} {commands} commands pruned in {took:.1?} while {CLIENTS} clients sent others\n\
         without: {without}\nwith:    {with}\nbytes before {before}, after {after}",
        if is_chosen() { "PostgreSQL:" } else { "SQLite:" },
    );
    assert_eq!(folder.count(PRUNED), commands, "all of them, and none of those that were sent since");
    let new = folder.count(ALL) - commands;
    assert!(new >= sent + with.requests, "the others are there: {new}");
    let bound = before.max(PRUNED_BYTES * commands) + 4096 * (with.requests + 1_000);
    assert!(after <= bound, "{after} bytes, more than {bound}");
}

fn somebody(service: &Service) -> (String, String) {
    let user = market::user(service.address(), "somebody");
    let token = service.token(&user, "deliveries.write");
    (user, token)
}

fn parcel(service: &Service, user: &str, token: &str) -> String {
    let shipment = market::shipment(service.address(), user, token, &offer(service, user, token));
    market::parcel_kept_too_long(service.address(), user, token, &shipment)
}

fn offer(service: &Service, user: &str, token: &str) -> String {
    service.send(&Request::post("/offers", &market::offer(user, "Bicycle")).bearer(token)).is(201).id()
}

#[track_caller]
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(100));
    }
}

/// How long clients waited.
struct Waits {
    requests: i64,
    p50: Duration,
    p99: Duration,
    most: Duration,
}

impl std::fmt::Display for Waits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { requests, p50, p99, most } = self;
        write!(f, "{requests} commands, p50 {p50:.1?}, p99 {p99:.1?}, at most {most:.1?}")
    }
}

/// All clients send commands, one after the other each, until it is over: such as fail, and can be sent again.
fn load(service: &Service, token: &str, parcels: &[String], is_over: impl Fn(Instant) -> bool) -> Waits {
    let (stop, address, begun) = (AtomicBool::new(false), service.address(), Instant::now());
    let client = |parcel: &String| {
        let mut connection = Connection::open(address).expect("the service listens");
        let mut waits = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let path = format!("/general-deliveries/{parcel}/collect-commands/{}", Uuid::now_v7());
            let put = Request::new("PUT", &path).json(&json!({ "code": "402817" })).bearer(token);
            let sent = Instant::now();
            connection.exchange(&put).expect("an answer").is(201);
            waits.push(sent.elapsed());
            // clients that do nothing else would only measure the processor
            thread::sleep(Duration::from_millis(200));
        }
        waits
    };
    let client = &client;
    let mut waits: Vec<_> = thread::scope(|scope| {
        let clients: Vec<_> = parcels.iter().map(|parcel| scope.spawn(move || client(parcel))).collect();
        while !is_over(begun) {
            assert!(begun.elapsed() < Duration::from_secs(3_600), "it does not end");
            thread::sleep(Duration::from_millis(200));
        }
        stop.store(true, Ordering::Relaxed);
        clients.into_iter().flat_map(|client| client.join().expect("a client ends")).collect()
    });
    waits.sort_unstable();
    let at = |percent: usize| waits[(waits.len() - 1) * percent / 100];
    Waits { requests: waits.len() as i64, p50: at(50), p99: at(99), most: at(100) }
}

/// A number of `/metrics`; 0 where there is none yet.
fn metric(service: &Service, name: &str) -> i64 {
    let text = service.get("/metrics").is(200).text();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.and_then(|value| value.parse::<f64>().ok()).unwrap_or_default() as i64
}

/// Commands that ended so long ago that they are no longer kept, but their ids are.
fn fill(folder: &Folder, commands: i64) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is right");
    let ended = i64::try_from((now - ENDED).as_millis()).expect("a time");
    let columns = "\"id\", \"resource\", \"command\", \"entity_id\", \"input\", \"created_at\", \"updated_at\", \"status\", \
                   \"output\", \"fence\", \"lease\", \"trace_id\"";
    let values = |id: &str, text: &str| {
        format!(
            "{id}, 'Offer', 'end', {id}, '{{\"reason\":\"OTHER\",\"note\":\"' || {text} || '\"}}', {ended} + i, \
             {ended} + i, 1 + i % 2, '{{\"endedAt\":1700000000000}}', 1, 0, {id}"
        )
    };
    let sqlite = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {commands}) \
         INSERT INTO \"_restwell_commands\" ({columns}) SELECT {} FROM n",
        // as clients make ids: in the order of time (UUID version 7)
        values(
            &format!(
                "unhex(printf('%012x', {ended} + i) || '7' || substr(hex(randomblob(2)), 1, 3) || '8' || \
                      substr(hex(randomblob(8)), 1, 15))"
            ),
            "hex(zeroblob(100))"
        )
    );
    let postgres = format!(
        "INSERT INTO \"_restwell_commands\" ({columns}) SELECT {} FROM generate_series(1, {commands}) AS n(i)",
        values(
            &format!(
                "encode(substr(int8send({ended} + i), 3) || substr(uuid_send(gen_random_uuid()), 7), 'hex')::uuid"
            ),
            "repeat('00', 100)"
        )
    );
    folder.run(&sqlite, &postgres);
}
