//! Clients that create offers, change each a few times and delete some, until they are stopped.

use restwell_testkit::http::{Connection, Request};
use restwell_testkit::market;
use restwell_testkit::nats::published::{Published, stored};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const CLIENTS: usize = 4;
/// Changes to an offer after its creation.
const UPDATES: usize = 3;
/// No write takes so long, in any state of the bus.
const LATE: Duration = Duration::from_secs(5);

/// Changes that are a load, and how long they are waited for at most: machines may be slow.
const CHANGES: usize = 101;
const PATIENCE: Duration = Duration::from_secs(60);

/// The clients, at work.
pub(crate) struct Load {
    is_over: Arc<AtomicBool>,
    /// How many writes were acknowledged.
    acknowledged: Arc<AtomicUsize>,
    clients: Vec<JoinHandle<Done>>,
}

/// What was acknowledged.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// Per offer, the names it had, in their order, and whether it was deleted.
    pub(crate) offers: Vec<(String, Vec<String>, bool)>,
    /// Those who sell them.
    pub(crate) sellers: Vec<String>,
}

impl Done {
    /// How many changes there were.
    pub(crate) fn changes(&self) -> usize {
        let of_offers = self.offers.iter().map(|(_, names, is_deleted)| names.len() + usize::from(*is_deleted));
        of_offers.sum::<usize>() + self.sellers.len()
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.offers.extend(other.offers);
        self.sellers.extend(other.sellers);
    }

    /// The bus has what the outbox has, and all that was done is there.
    #[track_caller]
    pub(crate) fn check(&self, published: &Published, database: &Path) {
        published.check_events(&stored(database));
        let of_entities = published.of_entities();
        assert!(self.changes() >= CHANGES, "a load: {}", self.changes());
        for (id, names, is_deleted) in &self.offers {
            let events = &of_entities[id.as_str()];
            let found: Vec<_> = events.iter().filter_map(|(_, event)| event["data"]["name"].as_str()).collect();
            assert!(found.starts_with(&names.iter().map(String::as_str).collect::<Vec<_>>()), "{id}: {found:?}");
            let is_told = events.last().is_some_and(|(_, event)| event["type"] == "marketplace.offer.deleted");
            assert!(is_told || !is_deleted, "{id} was deleted");
        }
    }
}

impl Load {
    /// Starts the clients.
    pub(crate) fn start(address: SocketAddr) -> Self {
        let (is_over, acknowledged) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let client = |_| {
            let (is_over, acknowledged) = (Arc::clone(&is_over), Arc::clone(&acknowledged));
            thread::spawn(move || work(address, &is_over, &acknowledged))
        };
        Self { clients: (0..CLIENTS).map(client).collect(), is_over, acknowledged }
    }

    /// Lets them work for so long, and until there is a load.
    pub(crate) fn go_on(&self, time: Duration) {
        thread::sleep(time);
        let begun = Instant::now();
        while self.acknowledged.load(Ordering::SeqCst) < CHANGES && begun.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// What they have done, once the last answer is there, or the service is not.
    pub(crate) fn stop(self) -> Done {
        self.is_over.store(true, Ordering::SeqCst);
        let mut done = Done::default();
        for client in self.clients {
            done.add(client.join().expect("a client ends"));
        }
        done
    }
}

/// Works until it is over; a service that is killed ends it as well.
fn work(address: SocketAddr, is_over: &AtomicBool, acknowledged: &AtomicUsize) -> Done {
    let mut done = Done::default();
    let Ok(mut connection) = Connection::open(address) else { return done };
    let name = format!("seller-{}", uuid::Uuid::now_v7());
    let body = serde_json::json!({ "name": name, "email": format!("{name}@example.com") });
    let Some(seller) = send(&mut connection, &Request::post("/users", &body), 201) else { return done };
    done.sellers.push(seller.clone());
    let count = || acknowledged.fetch_add(1, Ordering::SeqCst);
    count();
    while !is_over.load(Ordering::SeqCst) {
        let number = done.offers.len();
        let name = |update: usize| format!("offer-{number}-{update}");
        let Some(id) = send(&mut connection, &market::sell(&market::offer(&seller, &name(0))), 201) else {
            return done;
        };
        done.offers.push((id.clone(), vec![name(0)], false));
        count();
        for update in 1..=UPDATES {
            let request = market::resell(&format!("/offers/{id}"), &market::offer(&seller, &name(update)));
            if send(&mut connection, &request, 200).is_none() {
                return done;
            }
            done.offers[number].1.push(name(update));
            count();
        }
        if number % 2 == 0 {
            let request = Request::new("DELETE", &format!("/offers/{id}")).bearer(&market::token(&seller));
            if send(&mut connection, &request, 204).is_none() {
                return done;
            }
            done.offers[number].2 = true;
            count();
        }
    }
    done
}

/// The id of the entity that is answered; `None` where the service is gone.
fn send(connection: &mut Connection, request: &Request, status: u16) -> Option<String> {
    let sent = Instant::now();
    let reply = connection.exchange(request).ok()?.is(status);
    assert!(sent.elapsed() < LATE, "a write waited for the bus: {:?}", sent.elapsed());
    Some(if status == 204 { String::new() } else { reply.id() })
}
