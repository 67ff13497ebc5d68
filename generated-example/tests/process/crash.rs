//! kill -9: what was acknowledged is there, and nothing is there by half.

use crate::http::{Connection, Request};
use crate::market;
use crate::service::{Service, folder};
use restwell_tests::postgres;
use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::Duration;
use uuid::Uuid;

const CONNECTIONS: usize = 16;
const ROUNDS: usize = 10;
/// A round's storm lasts so long at least, and up to as much again.
const STORM: Duration = Duration::from_millis(150);

#[test]
fn acknowledged_writes_survive_a_kill() {
    let folder = folder();
    let service = Service::start(folder.path());
    let seller = market::user(service.address(), "seller");
    service.stop();
    let mut acknowledged = Vec::new();
    for round in 0..ROUNDS {
        let service = Service::start(folder.path());
        acknowledged.extend(storm(service, &seller, round, STORM + STORM.mul_f64(random_share())));
        check_file(&folder.path().join("test.db"));
    }
    assert!(acknowledged.len() >= ROUNDS * CONNECTIONS, "a storm: {}", acknowledged.len());

    let service = Service::start(folder.path());
    let mut connection = Connection::open(service.address()).expect("the service listens");
    for (id, name) in &acknowledged {
        let found = connection.exchange(&Request::new("GET", &format!("/offers/{id}"))).expect("an answer");
        assert_eq!(found.is(200).json()["name"], name.as_str());
    }
    let count = whole_offers(&mut connection);
    // each connection may have had one write done and not yet acknowledged in each round
    assert!((acknowledged.len()..=acknowledged.len() + ROUNDS * CONNECTIONS).contains(&count), "{count}");
}

/// A random number from 0 to 1, from an id's random bits.
fn random_share() -> f64 {
    f64::from(Uuid::new_v4().as_fields().0) / f64::from(u32::MAX)
}

/// Posts on all connections until the service is killed: what it acknowledged, by id and name.
fn storm(service: Service, seller: &str, round: usize, length: Duration) -> Vec<(String, String)> {
    let address = service.address();
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|client| scope.spawn(move || post_until_killed(address, seller, &format!("{round}-{client}"))))
            .collect();
        thread::sleep(length);
        service.kill();
        clients.into_iter().flat_map(|client| client.join().expect("a client ends")).collect()
    })
}

fn post_until_killed(address: SocketAddr, seller: &str, prefix: &str) -> Vec<(String, String)> {
    let mut created = Vec::new();
    let Ok(mut connection) = Connection::open(address) else { return created };
    loop {
        let name = format!("crash-{prefix}-{}", created.len());
        match connection.exchange(&Request::post("/offers", &market::offer(seller, &name))) {
            Ok(reply) => created.push((reply.is(201).id(), name)),
            Err(_) => return created,
        }
    }
}

/// The database itself finds nothing wrong.
#[track_caller]
fn check_file(file: &Path) {
    if postgres::is_chosen() {
        return;
    }
    let database = rusqlite::Connection::open(file).expect("the database opens");
    let verdict: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a verdict");
    assert_eq!(verdict, "ok");
    let mut statement = database.prepare("PRAGMA foreign_key_check").expect("a check");
    assert!(!statement.exists([]).expect("it runs"), "a reference to nothing");
}

/// Pages through all offers, each of which must be whole; how many there are.
fn whole_offers(connection: &mut Connection) -> usize {
    let mut seen = 0;
    loop {
        let target = format!("/offers?limit=1000&offset={seen}");
        let page = connection.exchange(&Request::new("GET", &target)).expect("an answer").is(200).json();
        let offers = page["offers"].as_array().expect("a list of offers");
        for offer in offers {
            for key in ["id", "createdAt", "updatedAt", "name"] {
                assert!(offer[key].is_string(), "`{key}`: {offer}");
            }
            assert!(offer["seller"]["id"].is_string() && offer["buyNow"]["amount"].is_string(), "{offer}");
        }
        seen += offers.len();
        if offers.is_empty() {
            assert_eq!(page["count"], seen);
            return seen;
        }
    }
}
