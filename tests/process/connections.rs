//! Connections that are kept.

use restwell_testkit::http::{Connection, Request};
use restwell_testkit::market;
use restwell_testkit::process::{Service, folder};
use std::thread;
use std::time::Duration;

/// How long most balancers keep a connection that idles.
const BALANCERS: Duration = Duration::from_secs(60);

/// A balancer ends them itself: no request is sent into an end.
#[test]
fn who_idles_is_kept_for_longer_than_by_balancers() {
    let folder = folder();
    let service = Service::start(folder.path());
    let mut connection = Connection::open(service.address()).expect("the service listens");
    for pause in [BALANCERS, Duration::from_secs(1), Duration::ZERO] {
        connection.exchange(&Request::new("GET", "/offers")).expect("an answer").is(200);
        thread::sleep(pause);
    }
}

/// Python's http.client sends head and body one after the other, and reuses the connection unless it is told not to.
#[test]
fn a_refusal_of_a_small_body_leaves_the_connection_usable() {
    let folder = folder();
    let service = Service::start(folder.path());
    let nobody = Request::new("POST", "/offers").bearer("of.no.one");
    let [seller, other] = ["seller", "other"].map(|name| market::user(service.address(), name));
    let forbidden = Request::new("DELETE", &format!("/users/{seller}")).bearer(&market::token(&other)).body(b"{}");
    let foreign = Request::new("POST", "/users").without("accept").header("accept", "text/plain");
    let refused = [
        (nobody.body(&[b' '; 100]), 401),
        (forbidden, 403),
        (Request::new("PUT", "/nowhere").body(&[b' '; 10_000]), 404),
        (Request::new("PATCH", "/users").body(b"{}"), 405),
        (foreign.body(b"{}"), 406),
        (Request::new("POST", "/users").body(b"{}").header("content-type", "text/plain"), 415),
    ];
    let mut connection = Connection::open(service.address()).expect("the service listens");
    for (request, status) in refused.iter().cycle().take(48) {
        connection.write(&request.head()).expect("the service reads");
        thread::sleep(Duration::from_millis(2));
        connection.write(request.sent()).unwrap_or_else(|error| panic!("{error} after {status}"));
        let reply = connection.receive(false).unwrap_or_else(|error| panic!("{error} instead of {status}"));
        assert_eq!((reply.status, reply.header("connection")), (*status, None), "{}", reply.text());
    }
}

/// What would take long to read is not read; then the response says that the connection ends.
#[test]
fn a_refusal_of_a_body_that_is_not_read_announces_the_end() {
    let folder = folder();
    let service = Service::start(folder.path());
    let refused = |length: usize| Request::new("PUT", "/nowhere").header("content-length", length.to_string());
    let chunked = Request::new("PUT", "/nowhere").header("transfer-encoding", "chunked").bytes();
    let long_chunk = [&chunked, format!("{:x}\r\n", 1 << 20).as_bytes(), &[b' '; 1 << 20]].concat();
    let requests = [
        ("a long body", refused(1 << 20).bytes()),
        ("a long chunk", long_chunk),
        ("a body that does not come", refused(10).bytes()),
        ("a body that is sent only if it is wanted", refused(10).header("expect", "100-continue").bytes()),
    ];
    for (name, request) in requests {
        let mut connection = Connection::open(service.address()).expect("the service listens");
        connection.write(&request).expect("the service reads");
        let reply = connection.receive(false).unwrap_or_else(|error| panic!("{error}: {name}"));
        assert_eq!((reply.status, reply.header("connection")), (404, Some("close")), "{name}");
    }
}

/// Heads that are not whole: one address holds half of the memory that there is for them, and no more.
#[test]
fn unfinished_heads_take_a_share_of_the_memory() {
    const HALF: usize = 24 * 1024 * 1024;
    let folder = folder();
    let service = Service::start(folder.path());
    let bytes = Request::new("GET", "/offers").header("x-long", vec![b'x'; 127_000]).bytes();
    let unfinished = &bytes[..bytes.len() - 4];
    let mut connections = Vec::new();
    let mut refused = 0;
    for _ in 0..HALF / unfinished.len() + 50 {
        let mut connection = Connection::open(service.address()).expect("the service listens");
        connection.write(unfinished).expect("the service reads");
        connection.wait_for(Duration::from_millis(20)).expect("a timeout above zero");
        if connection.is_answered().unwrap_or(false) {
            let reply = connection.receive(false).expect("an answer").is(503);
            assert_eq!(reply.codes(), ["Unavailable"]);
            assert_eq!((reply.header("retry-after"), reply.header("connection")), (Some("1"), Some("close")));
            refused += 1;
        } else {
            connections.push(connection);
        }
    }
    assert!(refused >= 50, "{refused}");
    assert!(connections.len() > HALF / unfinished.len() / 2, "{}", connections.len());
    // heads as they usually are need no share, and what was held is given back
    service.get("/offers").is(200);
    let whole = Request::new("GET", "/offers").header("x-long", vec![b'x'; 20_000]);
    service.send(&whole).is(503);
    drop(connections);
    thread::sleep(Duration::from_millis(200));
    service.send(&whole).is(200);
}
