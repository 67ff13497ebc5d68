//! Requests, written out by hand.

use restwell::testing::Running;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;

const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";

/// Sends a request on a connection of its own.
pub(crate) fn send(service: &Running, method: &str, path: &str, body: Option<&Value>) -> TcpStream {
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut stream = TcpStream::connect(service.address()).unwrap();
    let head = format!("User-Agent: test\r\nAccept: {MEDIA_TYPE}\r\nContent-Type: {MEDIA_TYPE}\r\nConnection: close");
    let length = body.len();
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: test\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}")
        .unwrap();
    stream
}

/// A request, and the status and the body of its response.
pub(crate) fn text(service: &Running, method: &str, path: &str, body: Option<&Value>) -> (u16, String) {
    let mut response = String::new();
    send(service, method, path, body).read_to_string(&mut response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

/// A request, and the status and JSON of its response.
pub(crate) fn call(service: &Running, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
    let (status, body) = text(service, method, path, body);
    (status, serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}")))
}

/// Creates an entity, and answers its id.
#[track_caller]
pub(crate) fn create(service: &Running, path: &str, body: &Value) -> String {
    let (status, created) = call(service, "POST", path, Some(body));
    assert_eq!(status, 201, "{created}");
    created["id"].as_str().unwrap().to_owned()
}

/// The status of `/readyz`.
pub(crate) fn readiness(service: &Running) -> u16 {
    text(service, "GET", "/readyz", None).0
}
