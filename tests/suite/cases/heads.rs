//! Heads of requests that HTTP does not allow, or that are too large (RFC 9112): §7.1 holds for these answers, too, and
//! nothing more is read from the connection.

use crate::Case;
use crate::client::{Api, PUBLIC, Reply};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

pub(super) const CASES: &[Case] = &[
    ("§7.1 a malformed head is 400 with errors and a Trace-Id", malformed),
    ("§7.2 a URI however long is 414 with errors", long_uris),
    ("§8 a head with too many bytes or headers is 431 with errors", large_heads),
    ("§8 a head with too many bytes is 431 however it arrives", heads_in_pieces),
    ("§7.2 HTTP/1.1 without Host, or with two, is 400", hosts),
    ("§7.2 a body's coding is chunked, or it is 400", codings),
    ("§7.1 a malformed head behind a good request is answered after it", pipelined),
];

/// The answers to these bytes, up to the end of the connection, which the service makes.
fn sent(api: &Api, bytes: &[u8]) -> String {
    sent_in_pieces(api, [bytes, &[]])
}

/// The same, if the service has read the first piece before the second is sent.
fn sent_in_pieces(api: &Api, [first, second]: [&[u8]; 2]) -> String {
    let mut stream = TcpStream::connect(api.address()).expect("the service listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout above zero");
    stream.write_all(first).expect("the service reads");
    if !second.is_empty() {
        std::thread::sleep(Duration::from_millis(20));
        stream.write_all(second).expect("the service reads");
    }
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("the service ends the connection");
    String::from_utf8(answer).expect("text")
}

/// The one answer to these bytes: errors as any other.
#[track_caller]
fn refused(api: &Api, bytes: &[u8], status: u16, code: &str) {
    let start: String = String::from_utf8_lossy(bytes).chars().take(100).collect();
    let reply = Reply::parse(start, sent(api, bytes).as_bytes()).fails(status, code);
    let trace_id = reply.expect_header("trace-id");
    assert!(trace_id.len() == 36 && trace_id.matches('-').count() == 4, "a UUID: {reply}");
    assert_eq!(reply.expect_header("content-type"), PUBLIC);
    assert_eq!(reply.expect_header("content-length"), reply.bytes.len().to_string());
    assert_eq!(reply.expect_header("connection"), "close");
    assert_eq!(reply.expect_header("vary"), "Accept, Accept-Encoding, Accept-Language");
    assert_eq!(reply.expect_header("x-content-type-options"), "nosniff");
    assert!(reply.header("date").is_some() && reply.header("content-language").is_some(), "{reply}");
}

fn malformed(api: &Api) {
    for head in [
        "GET\r\n\r\n",
        "GET /specimens HTTP/1.1\r\nhost: x\r\nno colon\r\n\r\n",
        "GET /specimens HTTP/1.1\r\nhost: x\r\n\0: y\r\n\r\n",
        "GET /specimens\u{1} HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET /specimens HTTP/7.3\r\nhost: x\r\n\r\n",
        "POST /specimens HTTP/1.1\r\nhost: x\r\ncontent-length: 1, 2\r\n\r\n",
        "POST /specimens HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, gzip\r\n\r\n",
    ] {
        refused(api, head.as_bytes(), 400, "MalformedRequest");
    }
}

fn long_uris(api: &Api) {
    // hyper itself refuses the last
    for length in [9_000, 60_000, 70_000] {
        let head = format!(
            "GET /specimens?name={} HTTP/1.1\r\nhost: x\r\nuser-agent: s\r\nconnection: close\r\n\r\n",
            "x".repeat(length)
        );
        let reply = Reply::parse(length.to_string(), sent(api, head.as_bytes()).as_bytes()).fails(414, "UriTooLong");
        reply.expect_header("trace-id");
    }
}

fn large_heads(api: &Api) {
    let many: String = (0..101).map(|number| format!("x-{number}: y\r\n")).collect();
    let long = format!("x: {}\r\n", "y".repeat(200_000));
    for more in [many, long] {
        let head = format!("GET /specimens HTTP/1.1\r\nhost: x\r\n{more}\r\n");
        refused(api, head.as_bytes(), 431, "HeadTooLarge");
    }
}

/// The service may read the rest in one piece with what it had, and the limit is the same.
fn heads_in_pieces(api: &Api) {
    let head =
        |bytes| format!("GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx: {}\r\n\r\n", "y".repeat(bytes));
    let sent = |bytes: usize, first: usize| {
        let head = head(bytes);
        let (first, second) = head.as_bytes().split_at(first);
        let answer = sent_in_pieces(api, [first, second]);
        Reply::parse(format!("{bytes} in two pieces"), answer.as_bytes())
    };
    for first in [1_000, 60_000, 100_000, 130_000] {
        sent(140_000, first).fails(431, "HeadTooLarge").expect_header("trace-id");
        sent(200_000, first).fails(431, "HeadTooLarge").expect_header("trace-id");
    }
    sent(120_000, 60_000).is(200);
}

fn hosts(api: &Api) {
    let head = |version: &str, hosts: &str| {
        format!("GET /livez HTTP/{version}\r\n{hosts}user-agent: s\r\nconnection: close\r\n\r\n")
    };
    for hosts in ["", "host: a\r\nhost: b\r\n", "host: a\r\nhost: a\r\n"] {
        refused(api, head("1.1", hosts).as_bytes(), 400, "MalformedRequest");
    }
    for (version, hosts) in [("1.0", ""), ("1.0", "host: a\r\n"), ("1.1", "host: a\r\n"), ("1.1", "host:\r\n")] {
        let answer = sent(api, head(version, hosts).as_bytes());
        assert!(answer.contains(" 200 OK\r\n"), "HTTP/{version} {hosts:?}: {answer}");
    }
}

fn codings(api: &Api) {
    let post = |coding: &str| {
        let head = "POST /tags HTTP/1.1\r\nhost: x\r\nuser-agent: s\r\nconnection: close\r\n";
        format!("{head}content-type: {PUBLIC}\r\n{coding}\r\nc\r\n{{\"name\":\"a\"}}\r\n0\r\n\r\n")
    };
    for coding in [
        "transfer-encoding: gzip, chunked\r\n",
        "transfer-encoding: identity, chunked\r\n",
        "transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n",
    ] {
        refused(api, post(coding).as_bytes(), 400, "MalformedRequest");
    }
    for coding in ["transfer-encoding: chunked\r\n", "Transfer-Encoding: Chunked\r\n"] {
        let answer = sent(api, post(coding).as_bytes());
        assert!(answer.starts_with("HTTP/1.1 2") || answer.starts_with("HTTP/1.1 422"), "it is read: {answer}");
    }
}

fn pipelined(api: &Api) {
    let good = "GET /livez HTTP/1.1\r\nhost: x\r\n\r\n";
    let answers = sent(api, format!("{good}NONSENSE\r\n\r\n").as_bytes());
    assert!(answers.starts_with("HTTP/1.1 200 OK\r\n"), "{answers}");
    let (_, second) = answers.split_once("live\n").expect("the first answer is whole");
    Reply::parse("NONSENSE".to_owned(), second.as_bytes()).fails(400, "MalformedRequest").expect_header("trace-id");
}
