//! §8 and the decision "Unavailable": memory and places that clients share. None of them can take all of it.

use crate::Case;
use crate::client::{Api, PUBLIC};
use crate::specimen::{created, keeper, path, specimen};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

pub(super) const CASES: &[Case] = &[
    ("§8 bodies that are announced and not sent block no others", announced),
    ("§8 a client with many concurrent large bodies gets 503, and others are served", large_bodies),
    ("§7.2 a body that comes too slowly is 400", slow_body),
    ("§8 responses that are not read are bounded: 503, and others are served", untaken),
    ("§8 one address has a share of the connections", per_address),
];

/// More than large bodies were ever read at a time.
const MANY: usize = 300;

/// A POST of a specimen whose body is as long as said, of which so much is sent.
fn begin(api: &Api, length: usize, sent: usize) -> TcpStream {
    let request = api.request("POST", "/specimens").header("content-type", PUBLIC);
    let mut stream = request.header("content-length", &length.to_string()).connect();
    // a body that is refused is not read to its end
    let _ = stream.write_all(&vec![b' '; sent]);
    stream
}

fn large(bytes: usize) -> Vec<u8> {
    let mut body = specimen(&json!({})).to_string().into_bytes();
    body.resize(bytes, b' ');
    body
}

fn announced(api: &Api) {
    let _idle: Vec<_> = (0..MANY).map(|_| begin(api, 1 << 20, 1)).collect();
    thread::sleep(Duration::from_millis(300));
    api.request("POST", "/specimens").body(&large(40_000)).send().is(201);
}

/// A value of a metric.
fn metric(api: &Api, name: &str) -> f64 {
    let page = api.get("/metrics").is(200);
    let line = page.body.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')));
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or_else(|| panic!("no {name}: {page}"))
}

/// Waits until a metric is as wanted.
#[track_caller]
fn wait_for(api: &Api, name: &str, is_wanted: impl Fn(f64) -> bool) {
    let begun = Instant::now();
    while !is_wanted(metric(api, name)) {
        assert!(begun.elapsed() < Duration::from_secs(20), "{name} is {}", metric(api, name));
        thread::sleep(Duration::from_millis(20));
    }
}

fn large_bodies(api: &Api) {
    let ann = keeper(api, "Ann");
    let held = "restwell_bodies_kibibytes";
    assert!(metric(api, held) < 1.0);
    // all but the last byte of each
    let bodies: Vec<_> = (0..80).map(|_| begin(api, 1 << 20, (1 << 20) - 1)).collect();
    wait_for(api, held, |kib| kib >= 47.5 * 1024.0);
    assert!(metric(api, held) <= 48.0 * 1024.0, "half of what there is");
    // more than the rest of the share, though the last of the others may still come
    let body = large(1_000_000);
    let refused = api.request("POST", "/specimens").body(&body).send().fails(503, "Unavailable");
    assert_eq!(refused.expect_header("retry-after"), "1");
    // small requests are served, and other clients
    created(api, &json!({}));
    let bearer = api.bearer(&ann, &[]);
    api.request("POST", "/specimens").header("authorization", &bearer).body(&body).send().is(201);
    drop(bodies);
    wait_for(api, held, |kib| kib < 1.0);
    api.request("POST", "/specimens").body(&body).send().is(201);
}

fn slow_body(api: &Api) {
    let begun = Instant::now();
    let mut stream = begin(api, 100, 1);
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("MalformedRequest"), "{answer}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

/// Asks for the specimens, and takes no more of the answer than its status.
fn ask_and_wait(api: &Api) -> (TcpStream, String) {
    let mut stream = api.request("GET", "/specimens").connect();
    let mut status = [0; 12];
    stream.read_exact(&mut status).expect("an answer");
    (stream, String::from_utf8_lossy(&status[9..]).into_owned())
}

fn untaken(api: &Api) {
    let ann = keeper(api, "Ann");
    let one = path("specimens", &created(api, &json!({})));
    // a page of 7 MB: more than the kernel buffers
    let samples = vec![0.25; 180_000];
    for _ in 0..8 {
        created(api, &json!({ "samples": samples }));
    }
    let held = "restwell_answers_kibibytes";
    wait_for(api, held, |kib| kib < 1.0);
    let mut under_way = Vec::new();
    let refused = loop {
        assert!(under_way.len() < 20, "answers have no bound");
        match ask_and_wait(api) {
            (stream, status) if status == "200" => under_way.push(stream),
            (_, status) => break status,
        }
    };
    assert_eq!(refused, "503");
    assert!(metric(api, held) <= 48.0 * 1024.0, "half of what there is");
    // small requests are served, and other clients
    api.get(&one).is(200);
    let bearer = api.bearer(&ann, &[]);
    api.request("GET", "/specimens").header("authorization", &bearer).send().is(200);
    drop(under_way);
    wait_for(api, held, |kib| kib < 1.0);
    api.get("/specimens").is(200);
}

fn per_address(api: &Api) {
    let api = api.again(|setup| setup.max_connections(10).max_connections_per_address(2));
    let connect = || TcpStream::connect(api.address()).expect("the service listens");
    let held = [connect(), connect()];
    let mut refused = String::new();
    connect().read_to_string(&mut refused).expect("an answer");
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("\"code\":\"Unavailable\""), "{refused}");
    drop(held);
    let begun = Instant::now();
    loop {
        let mut stream = connect();
        let mut status = [0; 12];
        let head = "GET /livez HTTP/1.1\r\nhost: x\r\n\r\n";
        if stream.write_all(head.as_bytes()).and_then(|()| stream.read_exact(&mut status)).is_ok()
            && status.ends_with(b"200")
        {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "the places are free again");
        thread::sleep(Duration::from_millis(20));
    }
}
