//! kill -9: what was acknowledged is there, and nothing is there by half.

use restwell_testkit::effort::by_effort;
use restwell_testkit::http::{Connection, Request};
use restwell_testkit::market;
use restwell_testkit::postgres;
use restwell_testkit::process::{Service, folder};
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::Duration;
use uuid::Uuid;

const CONNECTIONS: usize = 16;
/// Kills, by effort.
const ROUNDS: (usize, usize, usize) = (3, 10, 60);
/// A round's storm lasts so long at least, and up to as much again.
const STORM: Duration = Duration::from_millis(150);

/// What clients know of their writes.
#[derive(Default)]
struct Books {
    /// Ids and names of what was acknowledged.
    acknowledged: Vec<(String, String)>,
    /// Names of what was sent when the service was killed: each may be there or not.
    open: BTreeSet<String>,
}

impl Books {
    fn add(&mut self, other: Self) {
        self.acknowledged.extend(other.acknowledged);
        self.open.extend(other.open);
    }
}

fn rounds() -> usize {
    by_effort(ROUNDS)
}

#[test]
fn acknowledged_writes_survive_a_kill() {
    let folder = folder();
    let service = Service::start(folder.path());
    let seller = market::user(service.address(), "seller");
    service.stop();
    let (mut books, rounds) = (Books::default(), rounds());
    for round in 0..rounds {
        let service = Service::start(folder.path());
        books.add(storm(service, &seller, round, STORM + STORM.mul_f64(random_share())));
        check_file(&folder.path().join("test.db"));
    }
    assert!(books.acknowledged.len() >= rounds * CONNECTIONS, "a storm: {}", books.acknowledged.len());

    let service = Service::start(folder.path());
    let mut connection = Connection::open(service.address()).expect("the service listens");
    for (id, name) in &books.acknowledged {
        let found = connection.exchange(&Request::new("GET", &format!("/offers/{id}"))).expect("an answer");
        assert_eq!(found.is(200).json()["name"], name.as_str());
    }
    let found = whole_offers(&mut connection);
    let names: BTreeSet<_> = found.iter().cloned().collect();
    assert_eq!(names.len(), found.len(), "something is there twice");
    let acknowledged: BTreeSet<_> = books.acknowledged.into_iter().map(|(_, name)| name).collect();
    assert_eq!(acknowledged.difference(&names).next(), None, "acknowledged, and lost");
    let more: BTreeSet<_> = names.difference(&acknowledged).cloned().collect();
    assert!(more.is_subset(&books.open), "there, and sent by nobody: {:?}", more.difference(&books.open));
    let open = (books.open.len(), more.len());
    println!("{rounds} kills: {} acknowledged and there; of {} under way {} there", acknowledged.len(), open.0, open.1);
}

/// A random number from 0 to 1, from an id's random bits.
fn random_share() -> f64 {
    f64::from(Uuid::new_v4().as_fields().0) / f64::from(u32::MAX)
}

/// Posts on all connections until the service is killed.
fn storm(service: Service, seller: &str, round: usize, length: Duration) -> Books {
    let address = service.address();
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|client| scope.spawn(move || post_until_killed(address, seller, &format!("{round}-{client}"))))
            .collect();
        thread::sleep(length);
        service.kill();
        clients.into_iter().fold(Books::default(), |mut books, client| {
            books.add(client.join().expect("a client ends"));
            books
        })
    })
}

fn post_until_killed(address: SocketAddr, seller: &str, prefix: &str) -> Books {
    let mut books = Books::default();
    let Ok(mut connection) = Connection::open(address) else { return books };
    loop {
        let name = format!("crash-{prefix}-{}", books.acknowledged.len());
        match connection.exchange(&market::sell(&market::offer(seller, &name))) {
            Ok(reply) => books.acknowledged.push((reply.is(201).id(), name)),
            Err(_) => {
                books.open.insert(name);
                return books;
            }
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
    let count = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).expect("a number");
    let events = "FROM \"_restwell_events\" WHERE \"resource\" = 'offer'";
    let offers = count("SELECT count(*) FROM \"offers\"");
    assert_eq!(count(&format!("SELECT count(*) {events}")), offers, "an event for each offer");
    assert_eq!(count(&format!("SELECT count(DISTINCT \"entity_id\") {events}")), offers, "and not two for one");
}

/// Pages through all offers, each of which must be whole: their names.
fn whole_offers(connection: &mut Connection) -> Vec<String> {
    let mut names = Vec::new();
    loop {
        let target = format!("/offers?limit=1000&offset={}", names.len());
        let page = connection.exchange(&Request::new("GET", &target)).expect("an answer").is(200).json();
        let offers = page["offers"].as_array().expect("a list of offers");
        for offer in offers {
            for key in ["id", "createdAt", "updatedAt", "name"] {
                assert!(offer[key].is_string(), "`{key}`: {offer}");
            }
            assert!(offer["seller"]["id"].is_string() && offer["buyNow"]["amount"].is_string(), "{offer}");
        }
        names.extend(offers.iter().filter_map(|offer| offer["name"].as_str().map(str::to_owned)));
        if offers.is_empty() {
            assert_eq!(page["count"], names.len());
            return names;
        }
    }
}
