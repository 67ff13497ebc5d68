//! Bookings of rooms whose rule says that no two overlap: many clients at once, on both stores. No two do, and bookings of
//! different rooms do not wait for each other.
//!
//! A night makes many instead of a few. The test prints the throughput with the rule beside that
//! without it. PostgreSQL's part shows as ignored where none answers (`POSTGRES_URL`, else 127.0.0.1:5432 as `postgres`);
//! with `RESTWELL_SERVERS=postgres` it fails.

mod house;

use super::{alone, with_server};
use house::{Day, House};
use libtest_mimic::Trial;
use restwell::testing::Setup;
use restwell_testkit::effort::at_night;
use restwell_testkit::wire::{PUBLIC, Wire};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Clients at a time.
const CLIENTS: usize = 64;
/// Rooms that are booked.
const ROOMS: usize = 50;
/// Bookings that are made, and those of a night.
const BOOKINGS: (usize, usize) = (500, 10_000);
/// The longest booking, in days.
const LONGEST: u64 = 5;
/// Connections to PostgreSQL, as a service has by default.
const CONNECTIONS: usize = 16;

pub(crate) fn trials() -> Vec<Trial> {
    let sqlite = || {
        let folder = tempfile::tempdir().expect("a folder");
        no_two_overlap("SQLite", &|name| format!("sqlite://{}", folder.path().join(name).display()));
    };
    vec![
        alone("bookings::no_two_bookings_overlap_on_sqlite", sqlite),
        with_server("bookings::no_two_bookings_overlap_on_postgresql", |server| {
            let databases = ["with", "without"].map(|name| (name, server.database()));
            let url = |name: &str| {
                databases.iter().find(|(of, _)| *of == name).map(|(_, database)| database.url().to_owned())
            };
            no_two_overlap("PostgreSQL", &|name| url(name).expect("a database"));
        }),
    ]
}

/// Makes bookings with the rule and without it, each in a database of its own.
fn no_two_overlap(store: &str, url: &dyn Fn(&str) -> String) {
    // what is printed is measured: one after the other
    static MEASURING: Mutex<()> = Mutex::new(());
    let _measuring = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
    let bookings = at_night(BOOKINGS);
    let with = book(&House::start(Setup::of(house::with_rule()), &url("with"), CONNECTIONS), bookings);
    let without = book(&House::start(Setup::of(house::without_rule()), &url("without"), CONNECTIONS), bookings);
    println!("{store}, {CLIENTS} clients, {ROOMS} rooms, {bookings} bookings");
    for (name, run) in [("with the rule", &with), ("without it", &without)] {
        println!("  {name}: {run}");
    }
    assert_eq!(with.overlaps, 0, "{store}");
    assert!(with.refused > 0, "{store}: clients ran into each other");
    assert!(without.overlaps > 0, "{store}: without the rule they would");
}

/// What came of many bookings.
struct Run {
    made: usize,
    refused: usize,
    overlaps: usize,
    took: Duration,
    /// The longest that a client waited for an answer.
    longest: Duration,
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rate = (self.made + self.refused) as f64 / self.took.as_secs_f64();
        write!(
            f,
            "{:.0} requests a second, the longest {} ms; {} made, {} refused, {} overlap",
            rate,
            self.longest.as_millis(),
            self.made,
            self.refused,
            self.overlaps
        )
    }
}

/// Lets all clients book at random until there are enough.
fn book(house: &House, bookings: usize) -> Run {
    let rooms: Vec<String> = (0..ROOMS).map(|number| house.room(&format!("room {number}"))).collect();
    // less than half of the days will be taken
    let days = (8 * bookings / ROOMS).max(4 * LONGEST as usize) as u64;
    let (made, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let begun = Instant::now();
    let longest = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (rooms, made, refused) = (&rooms, &made, &refused);
                scope.spawn(move || {
                    let (mut wire, mut random) = (Wire::to(house.address()), Random(client as u64 + 1));
                    let mut longest = Duration::ZERO;
                    while made.load(Ordering::Relaxed) < bookings {
                        let (room, from) = (&rooms[random.below(ROOMS as u64) as usize], random.below(days));
                        let to = from + 1 + random.below(LONGEST);
                        let body = json!({ "room": { "id": room }, "from": Day(from).text(), "to": Day(to).text() });
                        let asked = Instant::now();
                        let reply = wire.send("POST", b"/bookings", PUBLIC, None, Some(&body));
                        longest = longest.max(asked.elapsed());
                        let counted = match reply.status {
                            201 => made,
                            422 if reply.json()["errors"][0]["code"] == "Overlaps" => refused,
                            status => panic!("{status}: {}", reply.body),
                        };
                        counted.fetch_add(1, Ordering::Relaxed);
                    }
                    longest
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().expect("no client panicked")).max()
    });
    let (took, made, refused) = (begun.elapsed(), made.into_inner(), refused.into_inner());
    let (stored, overlaps) = house.overlaps();
    assert_eq!(stored, made, "what was made is there");
    Run { made, refused, overlaps, took, longest: longest.unwrap_or_default() }
}

/// Numbers that differ from client to client and are the same in each run.
struct Random(u64);

impl Random {
    /// A number below this one.
    fn below(&mut self, end: u64) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}
