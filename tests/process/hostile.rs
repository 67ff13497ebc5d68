//! Whatever is sent, the service answers by the conventions: no 5xx, no silence, always errors with their five keys.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use restwell_testkit::http::{Connection, PUBLIC, Reply, Request};
use restwell_testkit::market;
use restwell_testkit::process::{Service, folder};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;

/// Cases of each property: a few seconds in all.
const CASES: u32 = 300;

/// What may stand in a path's segment, and in a query (RFC 3986); a head with anything else is no HTTP.
const IN_SEGMENTS: &str = "[A-Za-z0-9._~!$&'()*+,;=:@-]{0,10}";
const IN_QUERIES: &str = "[A-Za-z0-9._~!$&'()*+,;=:@/?-]{0,12}";

/// Runs a property on a service with one user; at the end it must still be well.
fn holds<S: Strategy>(inputs: &S, property: impl Fn(SocketAddr, &str, S::Value)) {
    let folder = folder();
    let service = Service::start(folder.path());
    let user = market::user(service.address(), "somebody");
    let config = ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let outcome = TestRunner::new(config).run(inputs, |input| {
        property(service.address(), &user, input);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    service.get("/offers").is(200);
    let log = service.stop();
    assert!(!log.iter().any(|line| line.contains("panicked")), "{log:#?}");
}

/// An answer that the conventions allow.
#[track_caller]
fn is_civil(reply: &Reply) {
    assert!(reply.status < 500 || reply.status == 501, "{} {}", reply.status, reply.text());
    if reply.status >= 400 {
        reply.codes();
    } else if !reply.body.is_empty() {
        reply.json();
    }
}

/// JSON of any shape, with a taste for what is nearly right.
pub(crate) fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[0-9]{0,20}(\\.[0-9]{0,4})?".prop_map(Value::from),
        prop::sample::select(vec!["", " ", "\0", "PLN", "PL", "pl-PL", "P2D", "SPORT", "2026-12-01T08:00:00.000Z"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let keys = prop_oneof![
            any::<String>(),
            prop::sample::select(vec!["id", "amount", "currency", "city", "countryCode", "carrier", "price"])
                .prop_map(str::to_owned),
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(keys, inner, 0..5).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A property's name: an offer's own, or any.
pub(crate) fn property() -> impl Strategy<Value = String> {
    let known = [
        "id",
        "name",
        "description",
        "seller",
        "product",
        "category",
        "buyNow",
        "stock",
        "colour",
        "status",
        "endingAt",
        "address",
        "images",
        "shippingOptions",
        "condition",
        "costPrice",
        "catalogueNumber",
        "createdAt",
    ];
    prop_oneof![4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => any::<String>()]
}

#[test]
fn mutated_bodies() {
    let mutations = prop::collection::vec((property(), prop::option::weighted(0.8, json_value())), 0..5);
    holds(&(mutations, any::<bool>()), |address, user, (mutations, is_dry)| {
        let mut body = market::offer(user, "Bicycle");
        for (name, value) in mutations {
            let object = body.as_object_mut().expect("an offer is an object");
            match value {
                Some(value) => drop(object.insert(name, value)),
                None => drop(object.remove(&name)),
            }
        }
        let target = if is_dry { "/offers?dryRun=true" } else { "/offers" };
        let reply = Request::post(target, &body).bearer(&market::token(user)).send(address);
        is_civil(&reply);
        // another seller is refused
        assert!([201, 204, 400, 403, 422].contains(&reply.status), "{body}: {} {}", reply.status, reply.text());
        if reply.status == 201 {
            let read = Request::new("GET", &format!("/offers/{}", reply.id())).send(address).is(200);
            assert_eq!(read.body, reply.body, "what was created is what is read");
        }
    });
}

/// JSON near to a criterion.
pub(crate) fn criterion() -> impl Strategy<Value = Value> {
    let words =
        prop::sample::select(vec!["gt", "gte", "lt", "lte", "isNull", "amount", "currency", "id", "city", "carrier"]);
    let members = prop::collection::btree_map(words.prop_map(str::to_owned), json_value(), 0..4);
    let object = members.prop_map(|members| Value::Object(members.into_iter().collect())).boxed();
    let objects = prop::collection::vec(object.clone(), 0..4).prop_map(Value::from);
    prop_oneof![json_value(), object, objects]
}

#[test]
fn searches_of_any_json() {
    let criteria = prop::collection::btree_map(property(), criterion(), 0..4);
    let bodies = criteria.prop_map(|criteria| Value::Object(criteria.into_iter().collect()));
    holds(&prop_oneof![4 => bodies, 1 => json_value()], |address, _, body| {
        let reply = Request::post("/offer-searches", &body).send(address);
        is_civil(&reply);
        assert!([201, 400, 422].contains(&reply.status), "{body}: {} {}", reply.status, reply.text());
        if reply.status == 201 {
            let read = Request::new("GET", &format!("/offer-searches/{}", reply.id())).send(address).is(200);
            assert_eq!(read.body, reply.body, "what was created is what is read");
            let list = Request::new("GET", &format!("/offers?search.id={}", reply.id())).send(address);
            // what only the sellers' view has is asked for there
            assert!([200, 422].contains(&list.status), "{body}: {} {}", list.status, list.text());
        }
    });
}

#[test]
fn bodies_of_any_bytes() {
    let cut = (any::<prop::sample::Index>(), any::<u8>());
    let bodies = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200).prop_map(Err),
        prop::collection::vec(cut, 1..4).prop_map(Ok),
    ];
    holds(&bodies, |address, user, body| {
        let body = body.map_or_else(
            |bytes| bytes,
            |cuts| {
                let mut bytes = market::offer(user, "Bicycle").to_string().into_bytes();
                for (place, byte) in cuts {
                    let place = place.index(bytes.len());
                    bytes[place] = byte;
                }
                bytes
            },
        );
        let reply = Request::new("POST", "/offers").body(&body).bearer(&market::token(user)).send(address);
        is_civil(&reply);
        assert!([201, 400, 403, 422].contains(&reply.status), "{}", reply.text());
    });
}

/// A part of a query string: near to what is served, or anything that may stand in a URI.
pub(crate) fn query_part() -> impl Strategy<Value = String> {
    let names = [
        "name",
        "stock.gte",
        "stock.lt",
        "buyNow.amount",
        "buyNow.currency",
        "buyNow.amount.gt",
        "seller.id",
        "limit",
        "offset",
        "sort",
        "search.id",
        "dryRun",
        "include",
        "endingAt.lte",
        "category",
        "address.city",
        "id",
        ".",
        "",
    ];
    let names = prop_oneof![3 => prop::sample::select(names.to_vec()).prop_map(str::to_owned), 1 => "[a-z.%+]{0,8}"];
    let values = prop_oneof![
        IN_QUERIES,
        "-?[0-9]{0,22}(\\.[0-9]{1,3})?(e[0-9]{1,3})?",
        "(%[0-9A-Fa-f]{2}){0,8}",
        "-?(name|stock|buyNow|seller\\.id)(,-?(createdAt|id|buyNow\\.amount)){0,3}",
    ];
    (names, values).prop_map(|(name, value)| format!("{name}={value}"))
}

#[test]
fn query_strings() {
    let queries = prop::collection::vec(query_part(), 0..5).prop_map(|parts| parts.join("&"));
    let targets = prop::sample::select(vec!["/offers", "/users", "/products", "/contests", "/watched-offers"]);
    let methods = prop::sample::select(vec!["GET", "POST", "HEAD"]);
    holds(&(methods, targets, queries), |address, _, (method, target, query)| {
        let request = Request::new(method, &format!("{target}?{query}"));
        let request = if method == "POST" { request.json(&json!({})) } else { request };
        let reply = request.send(address);
        if method == "HEAD" {
            assert!(reply.status < 500, "{query}");
        } else {
            is_civil(&reply);
        }
    });
}

/// A header that the service reads, or any: of any bytes, or near to what it takes.
pub(crate) fn header() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let names = [
        "accept",
        "content-type",
        "user-agent",
        "authorization",
        "accept-language",
        "accept-encoding",
        "if-match",
        "if-none-match",
        "traceparent",
        "x-anything",
    ];
    let bytes = prop_oneof![Just(b'\t'), 0x20..0x7f_u8, 0x80..=0xff_u8];
    let near = [
        "application/vnd.service.public.v1+json;q=0.5, */*;q=0",
        "application/*;q=2",
        "*/*;;",
        "Bearer ",
        "Basic eA==",
        "\"\"",
        "W/\"a\", *",
        "gzip;q=1.0001",
        "en-*",
        "00-0-0-0",
        "application/vnd.service.beta.v99+json",
        "application/vnd.service.public.v1+json; charset=\"",
    ];
    let values = prop_oneof![
        prop::collection::vec(bytes, 0..40),
        prop::sample::select(near.to_vec()).prop_map(|text| text.as_bytes().to_vec()),
    ];
    (prop::sample::select(names.to_vec()), values)
}

#[test]
fn header_bytes() {
    let headers = prop::collection::vec(header(), 0..4);
    let methods = prop::sample::select(vec!["GET", "POST"]);
    holds(&(methods, headers), |address, user, (method, headers)| {
        let request = Request::new(method, "/offers");
        let request = if method == "POST" { request.json(&market::offer(user, "Bicycle")) } else { request };
        let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        is_civil(&request.send(address));
    });
}

#[test]
fn paths() {
    let segments = prop_oneof![
        prop::sample::select(vec![
            "offers",
            "users",
            "sale",
            "watched-offers",
            "offer-searches",
            "renew-commands",
            "",
            ".",
            ".."
        ])
        .prop_map(str::to_owned),
        IN_SEGMENTS,
        "(%[0-9A-F]{2}){1,4}",
        Just("019e7045-7260-726b-b2a7-4de452e6b438".to_owned()),
        Just("019E7045-7260-726B-B2A7-4DE452E6B438".to_owned()),
    ];
    let paths = prop::collection::vec(segments, 0..6).prop_map(|segments| format!("/{}", segments.join("/")));
    let methods = prop::sample::select(vec!["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
    holds(&(methods, paths), |address, _, (method, path)| {
        let request = Request::new(method, &path);
        let takes_body = ["POST", "PUT", "PATCH"].contains(&method);
        is_civil(&if takes_body { request.json(&json!({})) } else { request }.send(address));
    });
}

/// Decisions, "Order of checks": 413, which a client must be able to read that has sent all of it.
#[test]
fn bodies_past_the_limit() {
    let folder = folder();
    let service = Service::start(folder.path());
    let body = vec![b' '; 5 << 20];
    for _ in 0..10 {
        let reply = service.send(&Request::new("POST", "/users").body(&body)).is(413);
        assert_eq!(reply.codes(), ["BodyTooLarge"]);
    }
    let chunked = Request::new("POST", "/users").header("content-type", PUBLIC).header("transfer-encoding", "chunked");
    let mut connection = Connection::open(service.address()).expect("the service listens");
    connection.write(&chunked.bytes()).expect("the service reads");
    let mut chunk = format!("{:x}\r\n", body.len()).into_bytes();
    chunk.extend_from_slice(&body);
    chunk.extend_from_slice(b"\r\n0\r\n\r\n");
    connection.write(&chunk).expect("the service reads");
    connection.receive(false).expect("an answer, and no reset").is(413);
}

/// A client that is still sending when its body is refused can send the rest, and is not cut off (RFC 9112, §9.6).
#[test]
fn the_rest_of_a_refused_body_may_come_later() {
    let folder = folder();
    let service = Service::start(folder.path());
    let head = Request::new("POST", "/users").header("content-type", PUBLIC).header("transfer-encoding", "chunked");
    let mut connection = Connection::open(service.address()).expect("the service listens");
    connection.write(&head.bytes()).expect("the service reads");
    let part = [format!("{:x}\r\n", 2 << 20).as_bytes(), &vec![b' '; 2 << 20], b"\r\n"].concat();
    connection.write(&part).expect("the service reads");
    connection.receive(false).expect("an answer").is(413);
    for _ in 0..10 {
        std::thread::sleep(Duration::from_millis(50));
        connection.write(&part).expect("the service reads on");
    }
}

/// §7.2: 414, however long.
#[test]
fn uris_past_the_limit() {
    let folder = folder();
    let service = Service::start(folder.path());
    for length in [9 << 10, 60 << 10] {
        let reply = service.get(&format!("/offers?name={}", "x".repeat(length))).is(414);
        assert_eq!(reply.codes(), ["UriTooLong"], "{length}");
    }
}

/// An answer that comes before all of a request has is not lost: the connection lingers (RFC 9112, §9.6).
#[test]
fn early_refusals_have_a_reason() {
    let folder = folder();
    let service = Service::start(folder.path());
    let much = vec![b'x'; 8 << 20];
    let request_line = [b"GET /offers?name=\x01".as_slice(), &much, b" HTTP/1.1\r\n\r\n"].concat();
    let header = [b"GET /offers HTTP/1.1\r\n\0: ".as_slice(), &much, b"\r\n\r\n"].concat();
    let nowhere = Request::new("PUT", "/nowhere").body(&much).bytes();
    let nobody = Request::new("POST", "/offers").bearer("of.no.one").body(&much).bytes();
    for (bytes, status) in [(request_line, 400), (header, 400), (nowhere, 404), (nobody, 401)] {
        let start = String::from_utf8_lossy(&bytes[..40]).into_owned();
        let mut connection = Connection::open(service.address()).expect("the service listens");
        connection.write(&bytes).unwrap_or_else(|error| panic!("{error}: {start}"));
        let reply = connection.receive(false).unwrap_or_else(|error| panic!("{error}: {start}"));
        assert_eq!(reply.status, status, "{start}");
    }
}

#[test]
fn bytes_that_are_no_http() {
    // behind empty lines alone the service goes on waiting for a head (RFC 9112, §2.2)
    let is_line_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let bytes = prop::collection::vec(any::<u8>(), 1..200);
    let bytes = bytes.prop_filter("something that begins a head", move |bytes| !bytes.iter().all(is_line_end));
    holds(&bytes, |address, _, mut bytes| {
        // a blank line ends what might have been a head: nothing is left to wait for
        bytes.extend_from_slice(b"\r\n\r\n\r\n\r\n");
        let mut connection = Connection::open(address).expect("the service listens");
        let answer = connection.write(&bytes).and_then(|()| connection.drain()).expect("an end, and no reset");
        let text = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || text.starts_with("HTTP/1.1 4"), "{text}");
    });
}
