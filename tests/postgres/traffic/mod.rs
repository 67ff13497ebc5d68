//! What requests cost PostgreSQL, counted between the service and the server: statements and bytes. The kept figures are
//! in `figures.txt`, which `RESTWELL_UPDATE=1` writes anew; see docs/contribute/benchmarks.md, "Counted traffic". Round trips are
//! printed only: on a busy machine, an answer may arrive before what was to be sent along has been.
//!
//! Requests of a kind are sent one after the other, each once nothing goes through any more, so that what is done after
//! the answer (an event gets its position, a command is executed) belongs to its request. What most requests of the kind
//! cost counts: others meet something that is done from time to time.

mod proxy;

use crate::model;
use crate::restock::{Restock, restock};
use proxy::{Proxy, Traffic};
use restwell::testing::Setup;
use restwell_testkit::postgres::Server;
use restwell_testkit::wire::{Answer, PUBLIC, Wire};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;
use uuid::Uuid;

/// Offers in the database. A page has room for more, so it needs no count: whether a count is known depends on what
/// other databases of the server do.
const ROWS: usize = 60;
/// Requests of a kind before those that count: every connection has prepared its statements after them.
const WARM_UP: usize = 40;
const REQUESTS: usize = 15;
/// Nothing is under way any more if nothing went through for this long; what is done every second leaves more time.
const QUIET: Duration = Duration::from_millis(40);
const PATIENCE: Duration = Duration::from_secs(20);
/// Clients that read at a time, and how often each of them reads.
const CLIENTS: usize = 12;
const READS: usize = 100;
/// Percent that bytes may differ: numbers of events become longer.
const TOLERANCE: u64 = 2;
const KINDS: [&str; 6] = ["read", "page", "filtered list", "create", "replace", "command"];

/// Fails if a kind of request costs other statements or bytes than the kept figures say, also if it costs fewer: then they
/// are to be written anew.
pub(crate) fn requests_cost_what_is_kept(server: &Server) {
    let database = server.database();
    let proxy = Proxy::start(database.url());
    let service = model::service().handle::<Restock, _, _>(restock);
    let running = Setup::of(service).database(&proxy.url(database.url())).start();
    let mut wire = Wire::to(running.address());
    let paths = create_all(&mut wire);
    let counted: Vec<_> = KINDS.iter().map(|kind| (*kind, count(&proxy, &mut wire, kind, &paths))).collect();

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("postgres/traffic/figures.txt");
    if std::env::var_os("RESTWELL_UPDATE").is_some() {
        std::fs::write(&file, text(&counted)).expect("the file can be written");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let faults: Vec<_> = counted.iter().filter_map(|(kind, traffic)| fault(kind, traffic, &kept)).collect();
    assert!(faults.is_empty(), "{}\nRESTWELL_UPDATE=1 keeps these figures:\n{}", faults.join("\n"), text(&counted));
}

/// Fails if the server plans anew what it has often executed: that takes it longer than the rows of one entity.
pub(crate) fn statements_are_planned_once(server: &Server) {
    let database = server.database();
    let (_, name) = database.url().rsplit_once('/').expect("a database has a name");
    for setting in ["log_planner_stats = on", "client_min_messages = log"] {
        database.run(&format!("ALTER DATABASE \"{name}\" SET {setting}"));
    }
    let proxy = Proxy::start(database.url());
    let running = Setup::of(model::service()).database(&proxy.url(database.url())).start();
    let mut wire = Wire::to(running.address());
    let paths = create_all(&mut wire);
    // enough rows for the planner to choose an index
    database.run(
        "INSERT INTO offers SELECT (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid()))).* \
         FROM offers o, generate_series(1, 200); ANALYZE offers",
    );
    // the lock of the table is sent as text, with the beginning of the transaction
    for kind in ["create", "replace"] {
        let mut seen: Vec<_> = costs(&proxy, &mut wire, kind, &paths).iter().map(|cost| cost.notices).collect();
        seen.sort_unstable();
        assert_eq!(seen[seen.len() / 2], 1, "{kind}: {seen:?}");
    }
    // reads that arrive together, of which there are more and fewer at a time
    let read_all = || {
        thread::scope(|scope| {
            for paths in paths.chunks(ROWS / CLIENTS) {
                let mut wire = Wire::to(running.address());
                scope.spawn(move || {
                    for path in paths.iter().cycle().take(READS) {
                        request(&mut wire, "read", path, 0);
                    }
                });
            }
        });
        proxy.when_quiet(QUIET, PATIENCE)
    };
    let before = read_all();
    let read = read_all() - before;
    assert!(read.statements < (CLIENTS * READS) as u64, "reads share statements: {read:?}");
    assert!(read.notices * 10 < read.statements, "{read:?}");
}

/// Creates the offers; their paths.
fn create_all(wire: &mut Wire) -> Vec<String> {
    (0..ROWS).map(|number| path(&request(wire, "create", "", number))).collect()
}

/// What requests of a kind cost, each, after those that warm up.
fn costs(proxy: &Proxy, wire: &mut Wire, kind: &str, paths: &[String]) -> Vec<Traffic> {
    let mut before = proxy.when_quiet(QUIET, PATIENCE);
    let costs = (0..WARM_UP + REQUESTS).map(|number| {
        request(wire, kind, &paths[number % paths.len()], number);
        let now = proxy.when_quiet(QUIET, PATIENCE);
        let cost = now - before;
        before = now;
        cost
    });
    costs.skip(WARM_UP).collect()
}

/// What most requests of a kind cost.
fn count(proxy: &Proxy, wire: &mut Wire, kind: &str, paths: &[String]) -> Traffic {
    let mut seen: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
    for cost in costs(proxy, wire, kind, paths) {
        seen.entry(cost.statements).or_default().push((cost.bytes, cost.round_trips));
    }
    let (statements, mut costs) = seen.into_iter().max_by_key(|(_, costs)| costs.len()).expect("requests were sent");
    costs.sort_unstable();
    let (bytes, round_trips) = costs[costs.len() / 2];
    println!("{kind}: {statements} statements, about {round_trips} round trips, {bytes} bytes");
    Traffic { statements, round_trips, bytes, ..Traffic::default() }
}

fn request(wire: &mut Wire, kind: &str, path: &str, number: usize) -> Answer {
    let offer = json!({
        "name": format!("Offer {number:06}, a quiet garden bench"), "description": "Wood, two seats.",
        "category": "BOOKS", "buyNow": { "amount": format!("{}.90", 100 + number), "currency": "PLN" },
        "active": true, "stock": 10 + number % 90, "address": { "city": "Poznań", "countryCode": "PL" },
    });
    let list = "/offers?category=BOOKS&stock.gt=5&sort=-buyNow,createdAt&limit=1000";
    let command = format!("{path}/restock-commands/{}", Uuid::now_v7());
    let (method, target, body, status) = match kind {
        "read" => ("GET", path, None, 200),
        "page" => ("GET", "/offers?limit=1000", None, 200),
        "filtered list" => ("GET", list, None, 200),
        "create" => ("POST", "/offers", Some(offer), 201),
        "replace" => ("PUT", path, Some(offer), 200),
        "command" => ("PUT", command.as_str(), Some(json!({})), 201),
        _ => unreachable!("a kind of KINDS"),
    };
    let answer = wire.send(method, target.as_bytes(), PUBLIC, None, body.as_ref());
    assert_eq!(answer.status, status, "{kind}: {}", answer.body);
    answer
}

fn path(made: &Answer) -> String {
    format!("/offers/{}", made.json()["id"].as_str().expect("an id"))
}

fn text(counted: &[(&str, Traffic)]) -> String {
    let mut text = "# What a request costs PostgreSQL, written by tests/postgres/traffic with RESTWELL_UPDATE=1:\n\
                    # kind: statements, bytes\n"
        .to_owned();
    for (kind, Traffic { statements, bytes, .. }) in counted {
        writeln!(text, "{kind}: {statements}, {bytes}").expect("a text has room");
    }
    text
}

/// Why a kind of request is not what is kept.
fn fault(kind: &str, traffic: &Traffic, kept: &str) -> Option<String> {
    let kept = kept.lines().find_map(|line| line.strip_prefix(kind)?.strip_prefix(": "));
    let numbers: Vec<u64> = kept.unwrap_or_default().split(", ").filter_map(|number| number.parse().ok()).collect();
    let [statements, bytes] = numbers[..] else { return Some(format!("{kind}: no figures are kept")) };
    let is_same = statements == traffic.statements && traffic.bytes.abs_diff(bytes) * 100 <= bytes * TOLERANCE;
    (!is_same).then(|| format!("{kind}: kept are {numbers:?}, counted {traffic:?}"))
}
