//! §8 and the decisions "Rate limit" and "Unavailable": what is too much.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{created, keeper, path, specimen};
use restwell::testing::TestClock;
use restwell_model::scalar::Timestamp;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

pub(super) const CASES: &[Case] = &[
    ("§8 past the quota: 429 with Retry-After and RateLimit", quota),
    ("Order of checks: 429 after User-Agent, before the path", order),
    ("Rate limit: per caller id, else per address", per_caller),
    ("Rate limit: off where nothing is said", off),
    ("Rate limit: what watches the service is not counted", probes),
    ("§8 one connection too many gets 503, and the next is served when there is room", connections),
    ("§7.2 a request that takes too long is 504", too_long),
    ("Unavailable: while the clock is before 1970 changes and credentials get 503", clock_before_1970),
    ("§8 a page of more bytes than there may be is refused, and says how many entities would fit", large_page),
];

/// Remaining requests and seconds, from the headers.
#[track_caller]
fn remaining(reply: &Reply) -> (u32, u32) {
    let text = reply.expect_header("ratelimit");
    let number = |name: &str| {
        let found = text.split(';').find_map(|part| part.strip_prefix(name)?.parse().ok());
        found.unwrap_or_else(|| panic!("no {name}: {text}"))
    };
    (number("r="), number("t="))
}

fn quota(api: &Api) {
    let api = api.again(|setup| setup.rate_limit("3/PT1H"));
    for left in [2, 1, 0] {
        let reply = api.get("/specimens").is(200);
        assert_eq!(remaining(&reply).0, left, "{reply}");
        assert_eq!(reply.expect_header("ratelimit-policy"), "\"default\";q=3;w=3600");
    }
    let reply = api.get("/specimens").fails(429, "RateLimited");
    let wait: u32 = reply.expect_header("retry-after").parse().expect("seconds");
    assert!((1000..=1200).contains(&wait), "a third of an hour: {reply}");
    assert_eq!(remaining(&reply), (0, wait));
    // it is given back as time goes by
    let api = api.again(|setup| setup.rate_limit("2/PT0.4S"));
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(1) {
        let reply = api.get("/specimens");
        assert!([200, 429].contains(&reply.status), "{reply}");
    }
    std::thread::sleep(Duration::from_millis(250));
    api.get("/specimens").is(200);
}

fn order(api: &Api) {
    let api = api.again(|setup| setup.rate_limit("1/PT1H"));
    api.get("/nothing").fails(404, "ResourceNotFound");
    api.get("/nothing").fails(429, "RateLimited");
    api.request("BREW", "/specimens").send().fails(429, "RateLimited");
    api.request("GET", "/specimens").without("user-agent").send().fails(400, "MissingUserAgent");
    api.get(&format!("/{}", "x".repeat(9000))).fails(414, "UriTooLong");
}

fn per_caller(api: &Api) {
    let api = api.again(|setup| setup.rate_limit("2/PT1H"));
    let [ann, bob] = ["Ann", "Bob"].map(|name| keeper(&api, name));
    let ask = |authorization: &str| api.request("GET", "/specimens").header("authorization", authorization).send();
    api.get("/specimens").is(429);
    // whose credentials are bad is counted by the address
    ask("Bearer nonsense").is(429);
    for keeper in [&ann, &bob] {
        let bearer = api.bearer(keeper, &[]);
        ask(&bearer).is(200);
        ask(&bearer).is(200);
        ask(&bearer).fails(429, "RateLimited");
    }
}

fn off(api: &Api) {
    let reply = api.get("/specimens").is(200);
    assert_eq!((reply.header("ratelimit"), reply.header("ratelimit-policy")), (None, None));
}

fn probes(api: &Api) {
    let api = api.again(|setup| setup.rate_limit("1/PT1H"));
    for _ in 0..3 {
        api.get("/livez").is(200);
        api.get("/metrics").is(200);
    }
    api.get("/specimens").is(200);
}

/// What comes on a connection without anything being asked, until it is closed.
fn answer(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout above zero");
    // a reset connection got its response before
    let _ = stream.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn connections(api: &Api) {
    let api = api.again(|setup| setup.max_connections(2));
    let connect = || TcpStream::connect(api.address()).expect("the service listens");
    let request = |mut stream: &TcpStream| {
        let head = "GET /specimens HTTP/1.1\r\nhost: x\r\nuser-agent: suite\r\naccept: */*\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("the service reads");
        let mut status = [0; 12];
        stream.read_exact(&mut status).expect("the service answers");
        String::from_utf8_lossy(&status[9..]).into_owned()
    };
    let [first, second] = [connect(), connect()];
    assert_eq!([request(&first), request(&second)], ["200", "200"]);
    let refused = answer(connect());
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.contains("retry-after: 1\r\n") && refused.contains("\"code\":\"Unavailable\""), "{refused}");
    drop(first);
    let begun = Instant::now();
    loop {
        let third = connect();
        let mut status = [0; 12];
        let head = "GET /specimens HTTP/1.1\r\nhost: x\r\nuser-agent: suite\r\naccept: */*\r\n\r\n";
        let served = (&third).write_all(head.as_bytes()).and_then(|()| (&third).read_exact(&mut status));
        if served.is_ok() && status.ends_with(b"200") {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "the place is free again");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn too_long(api: &Api) {
    let api = api.again(|setup| setup.request_timeout(Duration::from_secs(1)));
    let target = path("specimens", &created(&api, &json!({})));
    api.get(&target).is(200);
    let slow =
        api.request("PUT", &target).header("content-type", crate::client::PUBLIC).header("content-length", "100");
    slow.send().fails(504, "GatewayTimeout");
}

fn clock_before_1970(api: &Api) {
    let at = |millis| Timestamp::from_millis(millis).expect("a time");
    let clock = TestClock::at(at(-1));
    let api = api.again(|setup| setup.clock(&clock));
    let create = || api.request("POST", "/specimens").json(&specimen(&json!({}))).send();
    // the clock of the system never reads as less than 0
    for millis in [-1, 0] {
        clock.set(at(millis));
        create().fails(503, "Unavailable").expect_header("retry-after");
        api.get("/readyz").fails(503, "Unavailable");
        api.get("/specimens").is(200);
    }
    clock.set(at(1_800_000_000_000));
    create().is(201);
    api.get("/readyz").is(200);
}

fn large_page(api: &Api) {
    let note = "x".repeat(1_000_000);
    for _ in 0..10 {
        created(api, &json!({ "link": format!("https://example.com/{note}") }));
    }
    let problem = api.get("/specimens?limit=10").is(422).json()["errors"][0].clone();
    assert_eq!(problem["code"], "PageTooLarge");
    assert_eq!(problem["path"], "limit");
    assert_eq!(problem["details"], json!({ "maxBytes": 8 * 1024 * 1024, "fits": 8 }));
    let page = api.get("/specimens?limit=8").is(200).json();
    assert_eq!((page["specimens"].as_array().map(Vec::len), &page["count"]), (Some(8), &json!(10)));
    api.get("/specimens?limit=8&offset=8").is(200);
}
