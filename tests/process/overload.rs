//! §8 and the decision "Unavailable": more than the service bears is turned away quickly, what is taken is served, and
//! soon after all is as before. How quickly is measured elsewhere (docs/performance.md).

use restwell_testkit::http::{Connection, Request};
use restwell_testkit::market;
use restwell_testkit::process::{Service, folder};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// More than lists may wait.
const CLIENTS: usize = 400;
const LENGTH: Duration = Duration::from_secs(2);
/// No response takes so long.
const LONGEST: Duration = Duration::from_secs(15);

/// The number of responses by status, to a number of clients that send requests without a pause.
fn storm(service: &Service, request: &Request) -> BTreeMap<u16, usize> {
    let (address, bytes) = (service.address(), request.bytes());
    let client = || {
        let mut connection = Connection::open(address).expect("the service listens");
        let (begun, mut statuses) = (Instant::now(), Vec::new());
        while begun.elapsed() < LENGTH {
            let asked = Instant::now();
            connection.write(&bytes).expect("the service reads");
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
    let counts = storm(&service, &Request::new("GET", nobody));
    let statuses: Vec<_> = counts.keys().copied().collect();
    assert_eq!(statuses, [404, 429], "{counts:?}");
    // the quota, and what it grew by meanwhile; a slow machine may take a second longer
    assert!((50..=50 * 5).contains(&counts[&404]), "{counts:?}");
    thread::sleep(Duration::from_secs(1));
    service.get(nobody).is(404);
}
