//! Commands that arrive together: they share transactions, and each ends as it would alone.

use crate::moments::{created, get};
use restwell::testing::{Running, Setup};
use restwell::{Builder, Call, Command, Ref, Rejection, Resource};
use restwell_testkit::postgres::{Database, Server};
use restwell_testkit::wire::{PUBLIC, Wire};
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Clients at a time.
const CLIENTS: usize = 24;
/// How many commands of each kind a client sends.
const ROUNDS: usize = 10;
/// Nothing that goes on by itself takes so long.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Resource)]
struct Pot {
    amount: i64,
}

#[derive(Debug, Clone, Resource)]
struct Person {
    #[field(unique)]
    name: String,
    pot: Ref<Pot>,
    paid: i64,
}

/// Puts coins into the person's pot.
#[derive(Debug, Clone, Command)]
#[command(on = Person)]
struct Pay {
    amount: i64,
    /// The person's new name.
    name: Option<String>,
}

async fn pay(call: Call<Pay>) -> Result<(), Rejection> {
    let (Pay { amount, name }, mut person) = (call.input, call.entity);
    let mut pot = call.transaction.find(person.pot).await?;
    if amount < 0 {
        return Err(Rejection::new("Negative", "takes coins out of the pot").at("amount"));
    }
    pot.amount += amount;
    person.paid += amount;
    person.name = name.unwrap_or_else(|| person.name.clone());
    call.transaction.update(pot).await?;
    call.transaction.update(person).await
}

fn start(database: &Database) -> Running {
    let service = Builder::new("pots").resource::<Pot>().resource::<Person>().handle(pay);
    Setup::of(service).database(database.url()).start()
}

/// Sends a command and waits for its end: its status, and the code of its first error.
fn command(wire: &mut Wire, person: &str, body: &serde_json::Value) -> (String, Option<String>) {
    let path = format!("{person}/pay-commands/{}", Uuid::now_v7());
    let reply = wire.send("PUT", path.as_bytes(), PUBLIC, None, Some(body));
    assert_eq!(reply.status, 201, "{}", reply.body);
    let begun = Instant::now();
    loop {
        let found = get(wire, &path).json();
        if found["status"] != "RUNNING" {
            let status = found["status"].as_str().expect("a status").to_owned();
            return (status, found["errors"][0]["code"].as_str().map(str::to_owned));
        }
        assert!(begun.elapsed() < PATIENCE, "{found}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Lets all clients work at a time, each with a person of its own, and a pot that may be the same for all.
fn together(running: &Running, pot: Option<&str>, work: impl Fn(usize, &mut Wire, &str) + Sync) {
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (mut wire, work) = (Wire::to(running.address()), &work);
            scope.spawn(move || {
                let pot = pot.map_or_else(|| created(&mut wire, "/pots", &json!({ "amount": 0 })), str::to_owned);
                let id = pot.trim_start_matches("/pots/");
                let person = json!({ "name": format!("person {client}"), "pot": { "id": id }, "paid": 0 });
                let person = created(&mut wire, "/people", &person);
                work(client, &mut wire, &person);
            });
        }
    });
}

fn number(database: &Database, sql: &str) -> usize {
    database.session().texts(sql)[0].parse().expect("a number")
}

/// Rows that were written by one transaction have one `xmin`. Each command has its events all the same.
pub(crate) fn commands_that_arrive_together_share_transactions(server: &Server) {
    let database = server.database();
    let running = start(&database);
    together(&running, None, |_, wire, person| {
        for _ in 0..ROUNDS {
            assert_eq!(command(wire, person, &json!({ "amount": 1 })), ("SUCCESSFUL".to_owned(), None));
        }
    });
    let all = CLIENTS * ROUNDS;
    assert_eq!(number(&database, "SELECT count(*) FROM _restwell_commands WHERE status = 1"), all);
    let transactions = number(&database, "SELECT count(DISTINCT xmin::text) FROM _restwell_commands");
    assert!(transactions * 2 < all, "{transactions} transactions");
    let events = "SELECT count(*) FROM (SELECT kind, data FROM _restwell_events UNION ALL \
                  SELECT kind, data FROM _restwell_drafts) AS events WHERE kind LIKE 'pay-command.%'";
    assert_eq!(number(&database, events), 2 * all);
    assert_eq!(number(&database, &events.replace("count(*)", "count(DISTINCT kind || data)")), 2 * all);
}

/// Commands of different entities change one that they share, and some of them fail: each that succeeds has its effects
/// once, and none of the others has any.
pub(crate) fn commands_of_one_entity_lose_no_update(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    let pot = created(&mut wire, "/pots", &json!({ "amount": 0 }));
    let id = pot.trim_start_matches("/pots/");
    created(&mut wire, "/people", &json!({ "name": "taken", "pot": { "id": id }, "paid": 0 }));
    together(&running, Some(&pot), |client, wire, person| {
        for round in 0..ROUNDS {
            let name = format!("person {client} {round}");
            let paid = command(wire, person, &json!({ "amount": 1, "name": name }));
            assert_eq!(paid, ("SUCCESSFUL".to_owned(), None));
            if round % 4 == 0 {
                let failed = |code: &str| ("FAILED".to_owned(), Some(code.to_owned()));
                assert_eq!(command(wire, person, &json!({ "amount": -1 })), failed("Negative"));
                let taken = command(wire, person, &json!({ "amount": 1000, "name": "taken" }));
                assert_eq!(taken, failed("NotUnique"));
            }
        }
        let found = get(wire, person).json();
        assert_eq!(
            (&found["paid"], &found["name"]),
            (&json!(ROUNDS), &json!(format!("person {client} {}", ROUNDS - 1)))
        );
    });
    assert_eq!(get(&mut wire, &pot).json()["amount"], CLIENTS * ROUNDS);
}

/// A command that is sent several times at a moment is one, also where its requests share a transaction.
pub(crate) fn a_command_is_accepted_once(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let ids: Vec<_> = (0..ROUNDS).map(|_| Uuid::now_v7()).collect();
    let mut wire = Wire::to(running.address());
    let pot = created(&mut wire, "/pots", &json!({ "amount": 0 }));
    let id = pot.trim_start_matches("/pots/");
    let person = created(&mut wire, "/people", &json!({ "name": "one", "pot": { "id": id }, "paid": 0 }));
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            let (mut wire, ids, person) = (Wire::to(running.address()), &ids, &person);
            scope.spawn(move || {
                for id in ids {
                    let path = format!("{person}/pay-commands/{id}");
                    let reply = wire.send("PUT", path.as_bytes(), PUBLIC, None, Some(&json!({ "amount": 1 })));
                    assert_eq!(reply.status, 201, "{}", reply.body);
                }
            });
        }
    });
    let begun = Instant::now();
    while number(&database, "SELECT count(*) FROM _restwell_commands WHERE status = 1") < ROUNDS {
        assert!(begun.elapsed() < PATIENCE, "the commands end");
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(get(&mut wire, &person).json()["paid"], ROUNDS);
}
