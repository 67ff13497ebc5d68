//! Many clients send random commands to few entities, while the service ends and starts again, and the clock makes
//! transitions of its own: no entity ever leaves the declared graph, and what was acknowledged was done once.
//!
//! A night sends many more commands, by 64 clients.

use crate::sales::{self, WAYS};
use crate::stores::OwnStore;
use crate::world::Random;
use libtest_mimic::Failed;
use restwell::Timestamp;
use restwell::testing::{Running, TestClient, TestClock};
use restwell_testkit::effort::at_night;
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Commands that are sent, and those of a night.
pub(crate) const COMMANDS: (usize, usize) = (1_200, 100_000);
/// Clients, and those of a night.
pub(crate) const CLIENTS: (usize, usize) = (8, 64);
/// Entities that the commands are sent to.
const SALES: usize = 24;
/// How often the service ends and starts again.
const LIVES: usize = 3;
const START: &str = "2027-03-01T12:00:00.000Z";
/// Between the times of two entities, in milliseconds.
const STEP: i64 = 60_000;
/// No command takes longer, even if the service ends meanwhile.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that was accepted.
struct Sent {
    path: String,
    sale: String,
    name: &'static str,
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let (commands, clients) = (at_night(COMMANDS), at_night(CLIENTS));
    let store = OwnStore::new(server);
    let clock = TestClock::at(START.parse().map_err(|_| "a time")?);
    let start = || store.setup(sales::service()).clock(&clock).start();
    let mut running = start();
    let sales = create(&running, &clock);
    let mut sent = Vec::new();
    for life in 0..LIVES {
        if life > 0 {
            // commands that are RUNNING go on where they are started again
            drop(running);
            running = start();
        }
        sent.extend(send(&running, &sales, commands / LIVES / clients, clients));
        // the times of some have come
        clock.advance(Duration::from_millis(STEP as u64 * (SALES / LIVES) as u64));
    }
    check(&running, &sales, &sent);
    Ok(())
}

fn create(running: &Running, clock: &TestClock) -> Vec<String> {
    let client = running.client();
    let now = clock.now().millis();
    let sale = |number: usize| {
        // every other one ends by the clock
        let time = number.is_multiple_of(2).then(|| Timestamp::from_millis(now + STEP * number as i64));
        let body = json!({ "endingAt": time.flatten().map(|time| time.to_string()), "isArchivable": number % 6 == 5 });
        client.post("/sales", body).is(201).json["id"].as_str().expect("an id").to_owned()
    };
    (0..SALES).map(sale).collect()
}

/// Each client sends a number of commands; those that were accepted.
fn send(running: &Running, sales: &[String], each: usize, clients: usize) -> Vec<Sent> {
    thread::scope(|scope| {
        let sending: Vec<_> = (0..clients)
            .map(|_| {
                scope.spawn(|| {
                    let (client, mut random) = (running.client(), Random::new(Uuid::new_v4().as_u64_pair().0));
                    let mut sent = Vec::new();
                    for _ in 0..each {
                        let sale = &sales[random.below(sales.len())];
                        let (name, ..) = WAYS[random.below(WAYS.len() - 1)];
                        let path = format!("/sales/{sale}/{name}-commands/{}", Uuid::now_v7());
                        let reply = client.put(&path, json!({}));
                        match reply.status {
                            201 => sent.push(Sent { path, sale: sale.clone(), name }),
                            _ => assert_eq!(reply.is(422).errors(), [("WrongState", Some("status"))]),
                        }
                    }
                    sent
                })
            })
            .collect();
        sending.into_iter().flat_map(|client| client.join().expect("a client ends")).collect()
    })
}

/// A command at its end. What ran in a service that ended goes on when the lease of that is over.
fn ended(client: &TestClient, path: &str) -> Value {
    let begun = Instant::now();
    loop {
        let command = client.get(path).is(200).json;
        if command["status"] != "RUNNING" {
            return command;
        }
        assert!(begun.elapsed() < PATIENCE, "{command}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Every command has ended, and what the entities say of themselves is what the commands did.
fn check(running: &Running, sales: &[String], sent: &[Sent]) {
    let client = running.client();
    let ended = |command: &Sent| ended(&client, &command.path);
    let commands: Vec<_> = sent.iter().map(|command| (command.sale.as_str(), command.name, ended(command))).collect();
    sales::assert_left_by(&commands, sales, |id| client.get(&format!("/sales/{id}")).is(200).json);
}
