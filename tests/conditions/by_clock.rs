//! Transitions by the clock, with three instances behind one PostgreSQL whose clocks differ: each happens once, also if
//! instances end and start again, and what was missed while none ran happens in the order of its time.

use crate::sales::{self, made};
use libtest_mimic::Failed;
use restwell::Timestamp;
use restwell::testing::{Running, Setup, TestClock};
use restwell_testkit::postgres::{Database, Server};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

const START: &str = "2027-03-01T12:00:00.000Z";
const INSTANCES: usize = 3;
/// Entities whose time comes while instances run, and during the outage.
const SALES: (usize, usize) = (60, 240);
/// Between two times, in milliseconds: less than the clocks differ by.
const STEP: i64 = 10_000;
/// How far the clocks of the instances are from each other.
const APART: i64 = 30_000;
const HOUR: Duration = Duration::from_secs(60 * 60);
/// Everything that is due is done after so long.
const PATIENCE: Duration = Duration::from_secs(20);

/// The instances, of which some may not be running.
struct Instances<'a> {
    database: &'a Database,
    clocks: Vec<TestClock>,
    running: Vec<Option<Running>>,
}

impl<'a> Instances<'a> {
    fn start(database: &'a Database) -> Self {
        let start = START.parse::<Timestamp>().expect("a time").millis();
        let clock =
            |number: usize| TestClock::at(Timestamp::from_millis(start + (number as i64 - 1) * APART).expect("a time"));
        let clocks: Vec<_> = (0..INSTANCES).map(clock).collect();
        let mut instances = Self { database, clocks, running: (0..INSTANCES).map(|_| None).collect() };
        (0..INSTANCES).for_each(|number| instances.begin(number));
        instances
    }

    fn begin(&mut self, number: usize) {
        let setup = Setup::of(sales::service()).database(self.database.url()).clock(&self.clocks[number]);
        self.running[number] = Some(setup.start());
    }

    fn end(&mut self, number: usize) {
        self.running[number] = None;
    }

    fn advance(&self, by: Duration) {
        self.clocks.iter().for_each(|clock| clock.advance(by));
    }

    fn any(&self) -> &Running {
        self.running.iter().flatten().next().expect("one runs")
    }
}

pub(crate) fn run(server: &Server) -> Result<(), Failed> {
    let database = server.database();
    let mut instances = Instances::start(&database);
    let mut sales = create(&instances, SALES.0, APART);
    publish(&instances, &sales);
    // their times come one after the other, while one instance after the other ends and starts again
    for turn in 0..6 {
        instances.end(turn % INSTANCES);
        instances.advance(Duration::from_millis((STEP * SALES.0 as i64 / 6) as u64));
        thread::sleep(Duration::from_millis(400));
        instances.begin(turn % INSTANCES);
    }
    instances.advance(Duration::from_millis((APART * 4) as u64));
    all_have_expired(&instances, &sales);

    let missed = create(&instances, SALES.1, 10 * APART);
    publish(&instances, &missed);
    let last = position(&database);
    (0..INSTANCES).for_each(|number| instances.end(number));
    instances.advance(HOUR);
    (0..INSTANCES).for_each(|number| instances.begin(number));
    all_have_expired(&instances, &missed);
    let ids: Vec<_> = missed.iter().map(|(id, _)| id.clone()).collect();
    assert_eq!(updated(&database, last), ids, "in the order of their times");
    sales.extend(missed);
    each_happened_once(&instances, &database, &sales);
    Ok(())
}

/// The last number that an event has so far.
fn position(database: &Database) -> i64 {
    let deadline = Instant::now() + PATIENCE;
    let unnumbered = "SELECT count(*) FROM \"_restwell_events\" WHERE \"sequence\" IS NULL";
    while database.rows(unnumbered)[0].get::<_, i64>(0) > 0 {
        assert!(Instant::now() < deadline, "some events are never numbered");
        thread::sleep(Duration::from_millis(20));
    }
    database.rows("SELECT coalesce(max(\"sequence\"), 0) FROM \"_restwell_events\"")[0].get(0)
}

/// The entities that were updated after an event, in the order of their events.
fn updated(database: &Database, after: i64) -> Vec<String> {
    position(database);
    let sql = format!(
        "SELECT \"entity_id\"::text FROM \"_restwell_events\" WHERE \"resource\" = 'sale' AND \"kind\" = 'updated' \
         AND \"sequence\" > {after} ORDER BY \"sequence\""
    );
    database.rows(&sql).iter().map(|row| row.get(0)).collect()
}

/// Creates entities whose times follow each other, and come after a while; with their times, in their order.
fn create(instances: &Instances<'_>, count: usize, after: i64) -> Vec<(String, i64)> {
    let now = instances.clocks.iter().map(|clock| clock.now().millis()).max().expect("a clock");
    let client = instances.any().client();
    let sale = |number: usize| {
        // not in the order of their creation
        let time = now + after + (number * 7 % count) as i64 * STEP;
        let ending_at = Timestamp::from_millis(time).expect("a time").to_string();
        let sale = client.post("/sales", json!({ "endingAt": ending_at })).is(201).json;
        (sale["id"].as_str().expect("an id").to_owned(), time)
    };
    let mut sales: Vec<_> = (0..count).map(sale).collect();
    sales.sort_by_key(|(_, time)| *time);
    sales
}

fn publish(instances: &Instances<'_>, sales: &[(String, i64)]) {
    let client = instances.any().client();
    for (id, _) in sales {
        client.put(&format!("/sales/{id}/publish-commands/{}", Uuid::now_v7()), json!({})).is(201);
    }
    wait(instances, sales, "DRAFT");
}

/// Waits until none of them is in a state.
fn wait(instances: &Instances<'_>, sales: &[(String, i64)], state: &str) {
    let (client, deadline) = (instances.any().client(), Instant::now() + PATIENCE);
    loop {
        let list = client.get(&format!("/sales?status={state}&limit=1000")).is(200).list::<Value>();
        let is_left = list.iter().any(|sale| sales.iter().any(|(id, _)| sale["id"] == id.as_str()));
        if !is_left {
            return;
        }
        assert!(Instant::now() < deadline, "{} are still {state}", list.len());
        thread::sleep(Duration::from_millis(50));
    }
}

fn all_have_expired(instances: &Instances<'_>, sales: &[(String, i64)]) {
    wait(instances, sales, "ACTIVE");
    let client = instances.any().client();
    let list = client.get("/sales?status=ENDED&limit=1000").is(200).list::<Value>();
    assert!(sales.iter().all(|(id, _)| list.iter().any(|sale| sale["id"] == id.as_str())));
}

/// Each entity says that it expired once, and has one event of it beside that of the command.
fn each_happened_once(instances: &Instances<'_>, database: &Database, sales: &[(String, i64)]) {
    let client = instances.any().client();
    let mut events: HashMap<String, usize> = HashMap::new();
    for id in updated(database, 0) {
        *events.entry(id).or_default() += 1;
    }
    for (id, time) in sales {
        let sale = client.get(&format!("/sales/{id}")).is(200).json;
        sales::assert_on_the_graph(&sale);
        assert_eq!(made(&sale, "expired"), 1, "{sale}");
        let expired_at = sale["expiredAt"].as_str().and_then(|time| time.parse::<Timestamp>().ok()).expect("a time");
        assert!(expired_at.millis() >= *time, "not before its time, by the clock of the instance: {sale}");
        assert_eq!(events[id.as_str()], 2, "{id}: published and expired");
    }
}
