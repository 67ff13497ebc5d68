//! Commands while the service is killed again and again: each ends, and what it does is done once.

use restwell_testkit::effort::at_night;
use restwell_testkit::market::books::Books;
use restwell_testkit::market::line::{Line, port};
use restwell_testkit::market::orders::{Orders, random};
use restwell_testkit::market::senders::Senders;
use restwell_testkit::nats::Nats;
use restwell_testkit::nats::published::{Published, stored};
use restwell_testkit::process::{DATABASE, Service, folder};
use std::path::Path;
use std::thread;
use std::time::Duration;

const CLIENTS: usize = 8;
/// Commands and kills, and those of a night.
const COMMANDS: (usize, usize) = (60, 500);
const KILLS: (usize, usize) = (8, 100);
/// Once it serves the service lives so long at most, in milliseconds.
const LIFE: usize = 25;

pub(crate) fn commands_are_done_once() {
    let (commands, kills) = (at_night(COMMANDS), at_night(KILLS));
    let folder = folder();
    let nats = Nats::start();
    let arguments = [format!("--listen=127.0.0.1:{}", port()), DATABASE.to_owned(), format!("--nats={}", nats.url())];
    let start = || Service::start_with(folder.path(), &arguments.each_ref().map(String::as_str));
    let service = start();
    let orders = Orders::place(&service, commands / 2);
    let commands: Vec<_> = (0..commands).map(|_| orders.any_command()).collect();
    let senders = Senders::new(&orders, &commands);
    let address = service.address();
    let mut interrupted = 0;
    let service = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(|| senders.work(Line::to(&[address])))).collect();
        let mut service = service;
        for kill in 1..=kills {
            senders.allow(kill, kills + 1);
            // every other life ends amid answers, however slow the machine is
            if kill % 2 == 0 {
                senders.wait_for_answer();
            }
            thread::sleep(Duration::from_millis(random(LIFE) as u64));
            service.kill();
            interrupted += running(folder.path());
            service = start();
        }
        senders.allow(1, 1);
        for client in clients {
            client.join().expect("a client ends");
        }
        service
    });
    let outcomes = senders.outcomes();
    service.stop();

    let service = start();
    let books = Books { at: service.address(), orders: &orders, commands: &commands, outcomes: &outcomes };
    books.check();
    let database = folder.path().join("test.db");
    let events = stored(&database).len();
    let published = Published::wait_for(&nats, "marketplace", events);
    service.stop();
    published.check_events(&stored(&database));
    books.check_events(&published);
    let failed = outcomes.values().filter(|outcome| outcome["status"] == "FAILED").count();
    eprintln!(
        "{} commands, {failed} of them FAILED; {kills} kills, with {interrupted} RUNNING in all; {events} events",
        commands.len()
    );
    assert!(kills == 0 || interrupted > 0, "a kill in the midst of commands");
}

/// Commands that a kill has left RUNNING: counted in a copy, for what is opened is repaired.
fn running(folder: &Path) -> usize {
    let copy = self::folder();
    for file in ["test.db", "test.db-wal"] {
        std::fs::copy(folder.join(file), copy.path().join(file)).expect("the database is there");
    }
    let database = rusqlite::Connection::open(copy.path().join("test.db")).expect("the database opens");
    let sql = "SELECT count(*) FROM \"_restwell_commands\" WHERE \"status\" = 0";
    let count: u32 = database.query_row(sql, [], |row| row.get(0)).expect("a count");
    count as usize
}
