//! A view and a command are renamed while programs are replaced one after the other: two of them serve the same
//! clients, and the older one knows less. What one has accepted the other finds and executes.

use crate::renames::{Names, created, model};
use restwell::testing::{Running, Setup, TestClient, bring_along};
use restwell::{Builder, Interpreted};
use serde_json::json;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

const RELEASES: [Names; 3] = [
    Names { shop: "Shop", offer: "Offer", view: "open", end: "end", formerly: false },
    Names { shop: "Shop", offer: "Offer", view: "fresh", end: "finish", formerly: true },
    Names { shop: "Shop", offer: "Offer", view: "fresh", end: "finish", formerly: false },
];
const CLIENTS: usize = 3;
/// Rounds of all clients while two programs serve.
const ROUNDS: usize = 24;
/// The rounds are done by then.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(release: usize, url: &str) -> Running {
    Setup::of(Builder::interpreted(Interpreted::of(model(&RELEASES[release])))).database(url).start()
}

fn migrate(release: usize, url: &str) {
    bring_along(model(&RELEASES[release]).into_inner(), url).expect("the rows are kept");
}

/// What one client does, sending each request to the next program. Returns the offer and the command.
fn round(programs: &[TestClient; 2], names: &Names, number: usize) -> (String, Uuid) {
    let [one, other] = [&programs[number % 2], &programs[(number + 1) % 2]];
    let name = Uuid::now_v7().to_string();
    let offer = created(&one.post("/offers", json!({ "name": name })));
    let command = Uuid::now_v7();
    let path = format!("/offers/{offer}/{}-commands/{command}", names.end);
    one.put(&path, json!({})).is(201);
    assert_eq!(other.get(&path).is(200).json["id"], json!(command.to_string()));
    assert_eq!(other.put(&path, json!({})).is(201).json["id"], json!(command.to_string()), "a repeat is the same");
    other.get_until(&path, |command| command["status"] == "SUCCESSFUL");
    for program in [one, other] {
        let list = program.get(&format!("/offers/{offer}/{}-commands", names.end)).is(200).json;
        assert_eq!(list["count"], 1, "{list}");
        assert_eq!(program.get(&format!("/{}/offers/{offer}", names.view)).is(200).json["status"], "ENDED");
    }
    let search = created(&one.post("/offer-searches", json!({ "name": name })));
    for program in [one, other] {
        let found = program.get(&format!("/{}/offers?search.id={search}", names.view)).is(200).json;
        assert_eq!(found["count"], 1, "{found}");
    }
    (offer, command)
}

/// Clients that know these names, while two programs serve. Returns the offers and commands.
fn load(programs: [&Running; 2], names: &Names) -> Vec<(String, Uuid)> {
    let (is_over, rounds) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let clients = (0..CLIENTS).map(|_| {
            scope.spawn(|| {
                let (programs, mut done) = (programs.map(Running::client), Vec::new());
                while !is_over.load(Ordering::Relaxed) {
                    let number = rounds.fetch_add(1, Ordering::Relaxed);
                    done.push(round(&programs, names, number));
                }
                done
            })
        });
        let clients: Vec<_> = clients.collect();
        let start = Instant::now();
        while rounds.load(Ordering::Relaxed) < ROUNDS && start.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(5));
        }
        is_over.store(true, Ordering::Relaxed);
        clients.into_iter().flat_map(|client| client.join().expect("no request fails")).collect()
    })
}

/// The three releases on this database.
pub(crate) fn update(url: &str) {
    let first = start(0, url);
    migrate(1, url);
    let second = start(1, url);
    let mut done = load([&first, &second], &RELEASES[0]);
    drop(first);
    migrate(2, url);
    let third = start(2, url);
    done.extend(load([&second, &third], &RELEASES[1]));
    drop(second);
    let client = third.client();
    for (offer, command) in &done {
        let path = format!("/offers/{offer}/finish-commands/{command}");
        assert_eq!(client.get(&path).is(200).json["status"], "SUCCESSFUL");
    }
    assert_eq!(client.get("/offers?limit=0").is(200).json["count"], json!(done.len()));
}
