//! §8 and the decision "Unavailable": more than the service bears is turned away quickly, what is taken is served, and
//! soon after all is as before. How quickly is measured elsewhere (docs/operate/performance.md).

use restwell_testkit::http::{Connection, Request};
use restwell_testkit::market;
use restwell_testkit::process::{Service, folder};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// More than lists may wait.
const CLIENTS: usize = 400;
const LENGTH: Duration = Duration::from_secs(2);
/// No response takes so long.
const LONGEST: Duration = Duration::from_secs(15);

/// The number of responses by status, to a number of clients that send requests without a pause.
fn storm(service: &Service, request: &Request) -> BTreeMap<u16, usize> {
    let bytes = request.bytes();
    storm_of(service, || bytes.clone())
}

/// The same, where each request is made anew.
fn storm_of(service: &Service, request: impl Fn() -> Vec<u8> + Sync) -> BTreeMap<u16, usize> {
    let address = service.address();
    let client = || {
        let mut connection = Connection::open(address).expect("the service listens");
        let (begun, mut statuses) = (Instant::now(), Vec::new());
        while begun.elapsed() < LENGTH {
            let asked = Instant::now();
            connection.write(&request()).expect("the service reads");
            let reply = connection.receive(false).expect("an answer");
            assert!(asked.elapsed() < LONGEST, "{:?}", asked.elapsed());
            if reply.status == 503 {
                assert_eq!(reply.header("retry-after"), Some("1"));
                assert_eq!(reply.codes(), ["Unavailable"]);
            }
            statuses.push(reply.status);
        }
        statuses
    };
    let mut counts = BTreeMap::new();
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
        for status in clients.into_iter().flat_map(|client| client.join().expect("no client panicked")) {
            *counts.entry(status).or_default() += 1;
        }
    });
    counts
}

/// Fills a page with offers; the request for it.
fn offers(service: &Service) -> Request {
    let seller = market::user(service.address(), "seller");
    for _ in 0..20 {
        service.send(&market::sell(&market::offer(&seller, "lamp"))).is(201);
    }
    Request::new("GET", "/offers?limit=20&sort=-createdAt")
}

#[test]
fn more_lists_than_it_bears() {
    let folder = folder();
    let service = Service::start(folder.path());
    let list = offers(&service);
    let counts = storm(&service, &list);
    let statuses: Vec<_> = counts.keys().copied().collect();
    assert_eq!(statuses, [200, 503], "{counts:?}");
    // at once: nothing of the storm is still waited for
    let asked = Instant::now();
    service.send(&list).is(200);
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    // and the log has not drowned in it
    let log = service.stop();
    assert!(log.len() < 100, "{} lines", log.len());
}

/// The lists that one address may have under way: half of all, so that there is room for others.
const SHARE: f64 = 128.0;

#[test]
fn one_address_leaves_lists_to_others() {
    let folder = folder();
    let service = Service::start(folder.path());
    let list = offers(&service);
    let (address, is_over) = (service.address(), AtomicBool::new(false));
    let active = || {
        let page = Request::new("GET", "/metrics").send(address).is(200).text();
        let line = page.lines().find_map(|line| line.strip_prefix("restwell_lists_active ")).map(str::to_owned);
        line.and_then(|value| value.parse::<f64>().ok()).expect("the metric is there")
    };
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut most = 0.0_f64;
            while !is_over.load(Ordering::Relaxed) {
                most = most.max(active());
            }
            most
        });
        storm(&service, &list);
        is_over.store(true, Ordering::Relaxed);
        let most = watch.join().expect("the metrics are served");
        assert!(most > 1.0 && most <= SHARE, "{most}");
    });
    assert!(active() < 1.0);
}

#[test]
fn more_requests_than_a_caller_may_send() {
    let folder = folder();
    let service = Service::start_with(
        folder.path(),
        &[restwell_testkit::process::LISTEN, restwell_testkit::process::DATABASE, "--rate-limit", "50/PT1S"],
    );
    // a single entity, which waits for no turn: nothing but the rate is refused
    let nobody = "/users/00000000-0000-7000-8000-000000000000";
    let begun = Instant::now();
    let counts = storm(&service, &Request::new("GET", nobody));
    let statuses: Vec<_> = counts.keys().copied().collect();
    assert_eq!(statuses, [404, 429], "{counts:?}");
    // the quota, and what it grew by meanwhile
    let most = 50 * (begun.elapsed().as_secs() as usize + 2);
    assert!((50..=most).contains(&counts[&404]), "{counts:?}");
    thread::sleep(Duration::from_secs(1));
    service.get(nobody).is(404);
}

/// A new address for each request makes each of them a client of its own; still none of them takes the place of a plain
/// list.
#[test]
fn any_number_of_addresses_leaves_places_to_plain_lists() {
    let folder = folder();
    let arguments = [restwell_testkit::process::LISTEN, restwell_testkit::process::DATABASE, "--behind-proxy"];
    let service = Service::start_with(folder.path(), &arguments);
    offers(&service);
    let (to, number, is_over) = (service.address(), AtomicU32::new(0), AtomicBool::new(false));
    let new_client = || {
        let address = std::net::Ipv4Addr::from_bits((10 << 24) + number.fetch_add(1, Ordering::Relaxed));
        let request = Request::new("GET", "/offers?limit=1000&sort=-name,stock&stock.gte=0");
        request.header("x-forwarded-for", address.to_string()).bytes()
    };
    thread::scope(|scope| {
        let plain = scope.spawn(|| {
            let mut statuses = BTreeMap::new();
            let mut connection = Connection::open(to).expect("the service listens");
            for target in ["/offers?limit=5&category=SPORT", "/offers", "/users?limit=100"].iter().cycle() {
                let request = Request::new("GET", target).header("x-forwarded-for", "192.0.2.1");
                let reply = connection.exchange(&request).expect("an answer");
                *statuses.entry(reply.status).or_insert(0_usize) += 1;
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                thread::sleep(Duration::from_millis(5));
            }
            statuses
        });
        let counts = storm_of(&service, new_client);
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [200, 503], "{counts:?}");
        let statuses = plain.join().expect("the plain client has not panicked");
        // on a machine that does nothing else but this, one may wait for too long
        let served = statuses.get(&200).copied().unwrap_or_default();
        assert!(served * 4 >= statuses.values().sum::<usize>() * 3, "{statuses:?}");
    });
}
