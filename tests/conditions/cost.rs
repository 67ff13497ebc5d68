//! What a condition costs a list: an index of the statement finds the entities that it leaves, on both stores, and a
//! number that was counted is counted again only when rows change that decide it.
//!
//! A night has many more entities in each table, and prints the times of the lists.

use crate::access::model;
use crate::stores::OwnStore;
use libtest_mimic::Failed;
use restwell::testing::TestClient;
use restwell::{Builder, Interpreted, Uuid};
use restwell_testkit::effort::{at_night, is_night};
use restwell_testkit::postgres::{Database, Server};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Entities of each resource, and those of a night.
const ENTITIES: (usize, usize) = (600, 10_000);
/// Sellers, and offers of each.
const SELLERS: usize = 60;
/// Lists after which a server has settled for a plan.
const PLANNED_TIMES: usize = 40;
/// Lists whose shortest time is printed.
const REPEATS: usize = 200;

const SERVICE: &str = "
service: market
users: User
";

const USER: &str = "
resource: User
operations: { list: {}, patch: { access: anyone } }
fields:
  name: { type: string }
  status: { type: enum, values: [ACTIVE, GONE], default: ACTIVE, filter: true }
";

const OFFER: &str = "
resource: Offer
operations: { list: {}, patch: { access: anyone } }
fields:
  seller: { type: ref, to: User, required: true }
";

/// The same lists with conditions and without.
const WATCH: &str = r#"
resource: Watch
operations: { list: {}, patch: { access: anyone } }
views:
  sold: { where: 'offer.seller == caller', operations: { list: {} } }
  ours: { where: 'caller.any(Member.user, offer == outer.offer)', operations: { list: {} } }
  done: { where: 'status == "DONE"', operations: { list: {} } }
fields:
  offer: { type: ref, to: Offer, required: true, filter: true }
  status: { type: enum, values: [OPEN, DONE], default: OPEN, filter: true }
  name: { type: string, sort: true }
"#;

const MEMBER: &str = "
resource: Member
operations: { patch: { access: anyone } }
fields:
  user: { type: ref, to: User, required: true }
  offer: { type: ref, to: Offer, required: true }
";

const SEEN: &str = r#"
resource: Visit
visible: [{ when: 'seller.status == "ACTIVE"' }]
operations: { list: {}, patch: { access: anyone } }
fields:
  seller: { type: ref, to: User, required: true }
  name: { type: string, sort: true }
"#;

const OPEN: &str = "
resource: Stay
operations: { list: {}, patch: { access: anyone } }
fields:
  seller: { type: ref, to: User, required: true }
  name: { type: string, sort: true }
";

fn id(kind: u8, number: usize) -> String {
    format!("018f0000-0000-7000-80{kind:02x}-{number:012x}")
}

fn data(entities: usize) -> String {
    let entry = |resource: &str, id: String, body: Value| json!({ "resource": resource, "id": id, "body": body });
    let reference = |kind: u8, number: usize| json!({ "id": id(kind, number) });
    let users = (0..SELLERS).map(|at| entry("users", id(1, at), json!({ "name": format!("u{at}") })));
    let offers = (0..SELLERS * 2).map(|at| entry("offers", id(2, at), json!({ "seller": reference(1, at % SELLERS) })));
    let watches = (0..entities).map(|at| {
        let status = if at % 50 == 0 { "DONE" } else { "OPEN" };
        let body = json!({ "offer": reference(2, at % (SELLERS * 2)), "status": status, "name": format!("w{at}") });
        entry("watches", id(3, at), body)
    });
    let of_sellers = |resource: &'static str, kind: u8| {
        (0..entities).map(move |at| {
            entry(resource, id(kind, at), json!({ "seller": reference(1, at % SELLERS), "name": format!("v{at}") }))
        })
    };
    let members = (0..SELLERS)
        .map(|at| entry("members", id(6, at), json!({ "user": reference(1, at), "offer": reference(2, at) })));
    let all =
        users.chain(offers).chain(watches).chain(members).chain(of_sellers("visits", 4)).chain(of_sellers("stays", 5));
    Value::from(all.collect::<Vec<_>>()).to_string()
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let entities = at_night(ENTITIES);
    let store = OwnStore::new(server);
    let service = Builder::interpreted(Interpreted::of(model(&[SERVICE, USER, OFFER, WATCH, MEMBER, SEEN, OPEN])));
    let running = store.setup(service).data(&data(entities)).start();
    let client = running.client().as_user(id(1, 7).parse::<Uuid>().map_err(|error| error.to_string())?);
    let counted = |path: &str| client.get(path).is(200).json["count"].as_u64();
    assert_eq!(counted("/sold/watches?limit=1"), Some(of_one(entities, SELLERS)));
    assert_eq!(counted("/ours/watches?limit=1"), Some(of_one(entities, SELLERS * 2)));
    assert_eq!(counted("/done/watches?limit=1"), Some(entities.div_ceil(50) as u64));
    assert_eq!(counted("/visits?limit=1"), Some(entities as u64));
    if let OwnStore::Postgres(database) = &store {
        assert_served(database, &client);
    }
    if is_night() {
        for (with, without) in [
            ("/visits", "/stays"),
            ("/visits?sort=name", "/stays?sort=name"),
            ("/sold/watches", "/watches"),
            ("/ours/watches", "/watches"),
        ] {
            compare(&client, with, without);
        }
    }
    follow_what_they_read(&client, entities);
    Ok(())
}

/// The number of entities that have the same value as number 7, if each value is given to every n-th entity.
fn of_one(entities: usize, values: usize) -> u64 {
    (7..entities).step_by(values).count() as u64
}

/// Prints the times of two lists: while no row changes, and after a change of a row of each, which may change its count.
fn compare(client: &TestClient, with: &str, without: &str) {
    let changed = |path: &str, number: usize| {
        let (kind, name) = match path.rsplit('/').next().map(|name| name.split('?').next().unwrap_or_default()) {
            Some("watches") => (3, "watches"),
            Some("visits") => (4, "visits"),
            _ => (5, "stays"),
        };
        let patch = json!([{ "op": "replace", "path": "/name", "value": format!("changed {number}") }]);
        client.patch(&format!("/{name}/{}", id(kind, 7)), patch).is(200);
    };
    for after_a_write in [false, true] {
        let mut least = [Duration::MAX; 2];
        for number in 0..REPEATS {
            for (path, least) in [with, without].into_iter().zip(&mut least) {
                if after_a_write {
                    changed(path, number);
                }
                let begun = Instant::now();
                client.get(path).is(200);
                *least = begun.elapsed().min(*least);
            }
        }
        let ratio = least[0].as_secs_f64() / least[1].as_secs_f64();
        let when = if after_a_write { " after a write" } else { "" };
        println!("{with} {:.2?}, {without} {:.2?}{when}: {ratio:.2}", least[0], least[1]);
    }
}

/// Counts change with the rows of other resources that conditions read.
fn follow_what_they_read(client: &TestClient, entities: usize) {
    let all = entities as u64;
    let count = |path: &str| client.get(path).is(200).json["count"].as_u64().expect("a count");
    let patch = |path: &str, field: &str, value: Value| {
        let patch = json!([{ "op": "replace", "path": field, "value": value }]);
        client.patch(path, patch).is(200);
    };
    let of_seller = |seller| patch(&format!("/visits/{}", id(4, 8)), "/seller", json!({ "id": id(1, seller) }));
    for seller in [7, 8] {
        of_seller(seller);
        let hidden = of_one(entities, SELLERS) + u64::from(seller == 7);
        for (status, seen) in [("GONE", all - hidden), ("ACTIVE", all)] {
            patch(&format!("/users/{}", id(1, 7)), "/status", Value::from(status));
            assert_eq!([count("/visits?limit=1"), count("/visits?limit=1")], [seen; 2]);
        }
    }
    for (user, ours) in [(8, 0), (7, of_one(entities, SELLERS * 2))] {
        patch(&format!("/members/{}", id(6, 7)), "/user", json!({ "id": id(1, user) }));
        assert_eq!([count("/ours/watches?limit=1"), count("/ours/watches?limit=1")], [ours; 2]);
    }
    let sold = of_one(entities, SELLERS);
    for (seller, sold) in [(8, sold - of_one(entities, SELLERS * 2)), (7, sold)] {
        patch(&format!("/offers/{}", id(2, 7)), "/seller", json!({ "id": id(1, seller) }));
        assert_eq!([count("/sold/watches?limit=1"), count("/sold/watches?limit=1")], [sold; 2]);
    }
}

/// In a large table the lists with conditions are read by indexes: the server says so of the statements, and counts
/// the scans of these indexes when the lists are asked for. (SQLite's plans are asserted beside its store.)
fn assert_served(database: &Database, client: &TestClient) {
    database.run(&format!(
        "INSERT INTO watches (id, created_at, updated_at, offer_id, status, name) \
         SELECT gen_random_uuid(), 1, 1, '{}', 'OPEN', 'w' FROM generate_series(1, 20000); \
         INSERT INTO offers (id, created_at, updated_at, seller_id) \
         SELECT gen_random_uuid(), 1, 1, '{}' FROM generate_series(1, 20000); \
         INSERT INTO members (id, created_at, updated_at, user_id, offer_id) \
         SELECT gen_random_uuid(), 1, 1, '{}', '{}' FROM generate_series(1, 20000); ANALYZE",
        id(2, 1),
        id(1, 1),
        id(1, 1),
        id(2, 2)
    ));
    let sold = format!("t.offer_id IN (SELECT f.id FROM offers f WHERE f.seller_id = '{}')", id(1, 7));
    let ours = format!("t.offer_id IN (SELECT m.offer_id FROM members m WHERE m.user_id = '{}')", id(1, 7));
    for condition in [sold.as_str(), ours.as_str(), "t.status = 'DONE'"] {
        let plan = database.texts(&format!("EXPLAIN SELECT count(*) FROM watches t WHERE {condition}")).join("\n");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
    let scans = "SELECT CAST(coalesce(sum(seq_tup_read), 0) AS text) FROM pg_stat_user_tables \
                 WHERE relname IN ('watches', 'offers', 'members')";
    let index_scans = "SELECT CAST(coalesce(sum(idx_scan), 0) AS text) FROM pg_stat_user_indexes \
                       WHERE relname IN ('watches', 'offers', 'members')";
    let read = |sql: &str| database.texts(sql)[0].parse::<i64>().expect("a number");
    // the statistics come after a while
    std::thread::sleep(Duration::from_millis(1_500));
    let (rows, indexed) = (read(scans), read(index_scans));
    let deadline = Instant::now() + Duration::from_secs(20);
    while read(index_scans) < indexed + 10 {
        assert!(Instant::now() < deadline, "no index is read");
        client.get("/sold/watches?limit=2").is(200);
        client.get("/ours/watches?limit=2").is(200);
        client.get("/done/watches?limit=2").is(200);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(read(scans) - rows < 20_000, "the tables are read as a whole");
    // the list of a caller who has few entities does not read those of all callers
    let entries = "SELECT CAST(coalesce(sum(idx_tup_read), 0) AS text) FROM pg_stat_user_indexes \
                   WHERE relname = 'watches'";
    let (before, of_one) = (read(entries), client.get("/sold/watches?limit=1").is(200).json["count"].as_i64());
    for _ in 0..PLANNED_TIMES {
        client.get("/sold/watches").is(200);
        client.get("/ours/watches").is(200);
    }
    std::thread::sleep(Duration::from_millis(1_500));
    let most = 6 * PLANNED_TIMES as i64 * (of_one.expect("a count") + 1);
    let found = read(entries) - before;
    assert!(found < most, "{found} entries of indexes are read, more than {most}");
}
