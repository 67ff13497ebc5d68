//! A trial: instances under load, trouble, and then whether everything is as it was acknowledged.

use crate::instances::Instances;
use crate::sellers::{Done, Sellers};
use crate::{event_ids, trouble};
use restwell_testkit::http::Request;
use restwell_testkit::market::books::Books;
use restwell_testkit::market::line::Line;
use restwell_testkit::market::orders::Orders;
use restwell_testkit::market::senders::Senders;
use restwell_testkit::nats::Nats;
use restwell_testkit::nats::published::Published;
use restwell_testkit::postgres::Database;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Commands for each second of trouble.
const COMMANDS: f64 = 6.0;
/// Nobody is unwell for so long once the trouble is over.
const RECOVERY: Duration = Duration::from_secs(15);
/// No event waits so long to be numbered.
const NUMBERED: Duration = Duration::from_secs(30);

/// How much there is of it.
pub(crate) struct Means {
    pub(crate) instances: usize,
    /// Clients that create and change.
    pub(crate) sellers: usize,
    /// Clients that command and buy.
    pub(crate) senders: usize,
    /// Whether a read is answered in spite of the trouble.
    pub(crate) reads_must_be_answered: bool,
}

/// Starts instances and clients, makes trouble, and looks at what has become of everything.
pub(crate) fn run(means: &Means, database: &Database, makes_trouble: impl FnOnce(&Instances)) {
    let nats = Nats::start();
    let arguments = vec![format!("--database={}", database.url()), format!("--nats={}", nats.url())];
    let instances = Instances::start_all(means.instances, arguments);
    let line = || Line::to(instances.addresses()).bearing_503();
    let count = (trouble().as_secs_f64() * COMMANDS) as usize;
    let orders = instances.with(0, |service| Orders::place(service, count / 2));
    let commands: Vec<_> = (0..count).map(|_| orders.any_command()).collect();
    let senders = Senders::new(&orders, &commands);
    let (is_over, unanswered) = (AtomicBool::new(false), AtomicUsize::new(0));
    let sellers =
        Sellers { is_over: &is_over, reads_must_be_answered: means.reads_must_be_answered, unanswered: &unanswered };
    let (done, well_after) = thread::scope(|scope| {
        let selling: Vec<_> = (0..means.sellers).map(|_| scope.spawn(|| sellers.work(line()))).collect();
        let sending: Vec<_> = (0..means.senders).map(|_| scope.spawn(|| senders.work(line()))).collect();
        scope.spawn(|| release(&senders, &is_over));
        let well_after = {
            let _over = Over(&is_over);
            makes_trouble(&instances);
            recovered(&instances)
        };
        let mut done = Done::default();
        for client in selling {
            done.add(client.join().expect("a client ends"));
        }
        for client in sending {
            client.join().expect("a client ends");
        }
        (done, well_after)
    });
    let outcomes = senders.outcomes();
    let failed = outcomes.values().filter(|outcome| outcome["status"] == "FAILED").count();

    done.check(&mut line());
    let books = Books { at: instances.addresses()[0], orders: &orders, commands: &commands, outcomes: &outcomes };
    books.check();
    let stored = numbered(database);
    let published = Published::wait_for(&nats, "marketplace", stored.len());
    let all: Vec<_> = stored.iter().map(|event| (event.id.clone(), event.entity.clone())).collect();
    published.check_events(&all);
    books.check_events(&published);
    done.check_events(&published.of_entities());
    let open: Vec<_> = stored.iter().filter(|event| event.is_open).map(|event| event.id.clone()).collect();
    for address in instances.addresses() {
        assert!(event_ids::ids(*address, open.len()) == open, "{address} has other events, or another order");
    }
    eprintln!(
        "{} offers, {} commands ({failed} FAILED), {} events; {} requests unanswered; well after {well_after:?}",
        done.offers(),
        commands.len(),
        stored.len(),
        unanswered.load(Ordering::SeqCst),
    );
    assert!(done.offers() > 50, "a load");
    instances.stop();
}

/// Tells the clients that it is over, also where that is because of a panic: they would be waited for in vain.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Lets commands be sent little by little, and the rest at the end.
fn release(senders: &Senders<'_>, is_over: &AtomicBool) {
    let parts = (trouble().as_secs_f64() * 2.0) as usize;
    for part in 1..=parts {
        senders.allow(part, parts);
        if is_over.load(Ordering::SeqCst) {
            break;
        }
        thread::sleep(Duration::from_millis(500));
    }
    senders.allow(1, 1);
}

/// Waits until every instance is ready; how long that took.
#[track_caller]
fn recovered(instances: &Instances) -> Duration {
    let begun = Instant::now();
    for address in instances.addresses() {
        loop {
            let reply = Line::to(&[*address]).send(&Request::new("GET", "/readyz"));
            if reply.is_some_and(|reply| reply.status == 200) {
                break;
            }
            assert!(begun.elapsed() < RECOVERY, "{address} does not recover");
            thread::sleep(Duration::from_millis(50));
        }
    }
    begun.elapsed()
}

/// An event as the database has it.
struct Event {
    id: String,
    entity: String,
    /// Whether the staff sees it.
    is_open: bool,
}

/// All events in their order, once all have a place in it.
#[track_caller]
fn numbered(database: &Database) -> Vec<Event> {
    let deadline = Instant::now() + NUMBERED;
    let waiting = "SELECT count(*) FROM \"_restwell_events\" WHERE \"sequence\" IS NULL";
    while database.rows(waiting)[0].get::<_, i64>(0) > 0 {
        assert!(Instant::now() < deadline, "some events are never numbered");
        thread::sleep(Duration::from_millis(50));
    }
    let rows = database.rows(
        "SELECT \"id\"::text, \"entity_id\"::text, \
         (\"resource\" = 'offer' AND \"kind\" IN ('created', 'updated', 'deleted')) \
         OR (\"resource\" = 'user' AND \"kind\" = 'created') FROM \"_restwell_events\" ORDER BY \"sequence\"",
    );
    rows.iter().map(|row| Event { id: row.get(0), entity: row.get(1), is_open: row.get(2) }).collect()
}
