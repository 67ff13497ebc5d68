//! Hooks of several instances on one database: each event's runs in one of them, also where an instance ends.

use restwell::testing::{Running, Setup};
use restwell::{Builder, Event, Hook, Rejection, Resource, Uuid};
use restwell_testkit::postgres::{Database, Server};
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};

/// Orders that are made in all.
const ORDERS: usize = 60;
/// All hooks have run by then.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Resource)]
struct Order {
    number: i64,
}

/// One for each event.
#[derive(Debug, Clone, Resource)]
struct Notice {
    event: Uuid,
    number: Option<i64>,
}

struct OrderNotices;

impl Hook<Order> for OrderNotices {
    async fn on(&self, event: Event<Order>) -> Result<(), Rejection> {
        let order = event.transaction.get(event.entity).await?;
        let number = order.map(|order| order.number);
        event.transaction.create(Notice { event: event.id, number }).await?;
        if number == Some(-1) { Err(Rejection::new("NeverReady", "cannot be sent")) } else { Ok(()) }
    }
}

fn start(database: &Database) -> Running {
    let builder = Builder::new("shop").resource::<Order>().resource::<Notice>().on(OrderNotices);
    Setup::of(builder).database(database.url()).start()
}

/// What is asked for, once it is so.
fn wait_for(database: &Database, sql: &str, expected: &str) {
    let begun = Instant::now();
    loop {
        let found = database.texts(sql);
        if found == [expected] {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{sql}: {found:?} instead of {expected}");
        thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) fn hooks_run_once_in_one_of_the_instances(server: &Server) {
    let database = server.database();
    let mut instances = vec![start(&database), start(&database)];
    for number in 0..ORDERS {
        if number == ORDERS / 2 {
            // the one that looked for events, maybe
            drop(instances.remove(0));
            instances.push(start(&database));
        }
        instances[number % 2].client().post("/orders", json!({ "number": number })).is(201);
    }
    wait_for(&database, "SELECT count(*) FROM notices", &ORDERS.to_string());
    wait_for(&database, "SELECT count(*) FROM _restwell_commands WHERE status = 0", "0");
    let notices = database.texts("SELECT count(*), count(DISTINCT event), count(DISTINCT number) FROM notices");
    assert_eq!(notices, [format!("{ORDERS}|{ORDERS}|{ORDERS}")]);
    let known = "SELECT count(*) FROM notices JOIN _restwell_events e ON e.id = event WHERE e.resource = 'order'";
    assert_eq!(database.texts(known), [ORDERS.to_string()], "they have the ids of the events");
}

pub(crate) fn a_hook_that_fails_says_why_and_waits_longer_each_time(server: &Server) {
    let database = server.database();
    let instance = start(&database);
    instance.client().post("/orders", json!({ "number": -1 })).is(201);
    let waiting = "SELECT command, status, errors LIKE '%NeverReady%' FROM _restwell_commands WHERE fence >= 2 LIMIT 1";
    wait_for(&database, waiting, ":on|0|t");
    assert_eq!(database.texts("SELECT count(*) FROM notices"), ["0"], "what it did is undone");
    // a program without the hook leaves it alone
    drop(instance);
    let builder = Builder::new("shop").resource::<Order>().resource::<Notice>();
    let other = Setup::of(builder).database(database.url()).start();
    database.run("UPDATE _restwell_commands SET lease = 0");
    thread::sleep(Duration::from_millis(2500));
    let untouched = "SELECT status, lease FROM _restwell_commands";
    assert_eq!(database.texts(untouched), ["0|0"]);
    drop(other);
}
