//! A request, byte for byte as a test wants it.

use super::{Connection, PUBLIC, Reply};
use serde_json::Value;
use std::net::SocketAddr;

/// A request; what it says nothing of, [`Request::bytes`] leaves out.
#[derive(Debug, Clone)]
pub struct Request {
    method: String,
    target: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
}

impl Request {
    /// Without any header.
    pub fn bare(method: &str, target: &str) -> Self {
        Self { method: method.to_owned(), target: target.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    /// With the headers of a well-behaved client (§4.1).
    pub fn new(method: &str, target: &str) -> Self {
        Self::bare(method, target)
            .header("host", "localhost")
            .header("user-agent", "Process/1.0 (localhost) Linux")
            .header("accept", PUBLIC)
    }

    /// POST with a JSON body.
    pub fn post(target: &str, body: &Value) -> Self {
        Self::new("POST", target).json(body)
    }

    /// Sets a JSON body in the public version.
    pub fn json(self, body: &Value) -> Self {
        self.body(body.to_string().as_bytes())
    }

    /// Sets the body, and the headers that go with it.
    pub fn body(mut self, body: &[u8]) -> Self {
        self.body = body.to_vec();
        self.header("content-type", PUBLIC).header("content-length", body.len().to_string())
    }

    /// Sends a token.
    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    /// Sets a header, in place of an earlier one of this name.
    pub fn header(self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        let mut request = self.without(name);
        request.headers.push((name.to_owned(), value.into()));
        request
    }

    /// Leaves a header out.
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    /// The method.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The path and the query.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Whether the response has no body.
    pub fn is_head(&self) -> bool {
        self.method == "HEAD"
    }

    /// The body as it is sent.
    pub fn sent(&self) -> &[u8] {
        &self.body
    }

    /// As it goes over the wire.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// What goes before the body.
    pub fn head(&self) -> Vec<u8> {
        let mut bytes = format!("{} {} HTTP/1.1\r\n", self.method, self.target).into_bytes();
        for (name, value) in &self.headers {
            bytes.extend_from_slice(name.as_bytes());
            bytes.extend_from_slice(b": ");
            bytes.extend_from_slice(value);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"\r\n");
        bytes
    }

    /// Sends it on a connection of its own; the answer must come.
    #[track_caller]
    pub fn send(&self, address: SocketAddr) -> Reply {
        let exchanged = Connection::open(address).and_then(|mut connection| connection.exchange(self));
        exchanged.unwrap_or_else(|error| panic!("{error}: {} {}", self.method, self.target))
    }
}
