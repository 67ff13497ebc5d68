//! A client written out by hand: it must send halves of requests, and bytes that no library would.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// The only public version (§9.4).
pub(crate) const PUBLIC: &str = "application/vnd.service.public.v1+json";

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that are read of an answer nobody waits for.
const MAX_DRAINED: u64 = 64 * 1024;

/// A request; what it says nothing of, [`Request::bytes`] leaves out.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    method: String,
    target: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
}

impl Request {
    /// Without any header.
    pub(crate) fn bare(method: &str, target: &str) -> Self {
        Self { method: method.to_owned(), target: target.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    /// With the headers of a well-behaved client (§4.1).
    pub(crate) fn new(method: &str, target: &str) -> Self {
        Self::bare(method, target)
            .header("host", "localhost")
            .header("user-agent", "Process/1.0 (localhost) Linux")
            .header("accept", PUBLIC)
    }

    pub(crate) fn post(target: &str, body: &Value) -> Self {
        Self::new("POST", target).json(body)
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body(body.to_string().as_bytes())
    }

    pub(crate) fn body(mut self, body: &[u8]) -> Self {
        self.body = body.to_vec();
        self.header("content-type", PUBLIC).header("content-length", body.len().to_string())
    }

    pub(crate) fn bearer(self, token: &str) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    /// Sets a header, in place of an earlier one of this name.
    pub(crate) fn header(self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        let mut request = self.without(name);
        request.headers.push((name.to_owned(), value.into()));
        request
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub(crate) fn is_head(&self) -> bool {
        self.method == "HEAD"
    }

    /// The body as it is sent.
    pub(crate) fn sent(&self) -> &[u8] {
        &self.body
    }

    /// As it goes over the wire.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// What goes before the body.
    pub(crate) fn head(&self) -> Vec<u8> {
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
    pub(crate) fn send(&self, address: SocketAddr) -> Reply {
        let exchanged = Connection::open(address).and_then(|mut connection| connection.exchange(self));
        exchanged.unwrap_or_else(|error| panic!("{error}: {} {}", self.method, self.target))
    }
}

/// A connection that is kept.
pub(crate) struct Connection(BufReader<TcpStream>);

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    pub(crate) fn exchange(&mut self, request: &Request) -> io::Result<Reply> {
        self.write(&request.bytes())?;
        self.receive(request.is_head())
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.get_mut().write_all(bytes)
    }

    /// Reads one response.
    pub(crate) fn receive(&mut self, to_head: bool) -> io::Result<Reply> {
        let mut line = self.line()?;
        let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status: {line:?}")))?;
        let mut headers = Vec::new();
        loop {
            line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut reply = Reply { status, headers, body: Vec::new() };
        let length = reply.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        if !to_head && length > 0 && status != 304 {
            reply.body.resize(length, 0);
            self.0.read_exact(&mut reply.body)?;
            if reply.header("content-encoding") == Some("gzip") {
                let compressed = std::mem::take(&mut reply.body);
                GzDecoder::new(&*compressed).read_to_end(&mut reply.body)?;
            }
        }
        Ok(reply)
    }

    /// Waits so long for what is read next.
    pub(crate) fn wait_for(&mut self, patience: Duration) -> io::Result<()> {
        self.0.get_mut().set_read_timeout(Some(patience))
    }

    /// The bytes that come until nothing more does, for whatever reason.
    pub(crate) fn drain_some(mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // what had come before it ended is there
        let _ = self.0.by_ref().take(MAX_DRAINED).read_to_end(&mut bytes);
        bytes
    }

    /// All bytes that come until the service ends the connection.
    pub(crate) fn drain(mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.0.read_line(&mut line)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }
}

/// A response.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The status must be this one.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The id of the entity that it shows.
    #[track_caller]
    pub(crate) fn id(&self) -> String {
        self.json()["id"].as_str().expect("an entity has an id").to_owned()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The codes of the errors, each of which must have its five keys (§7.1).
    #[track_caller]
    pub(crate) fn codes(&self) -> Vec<String> {
        self.error_codes().unwrap_or_else(|| panic!("no errors: {} {}", self.status, self.text()))
    }

    /// The same, where it is so.
    pub(crate) fn error_codes(&self) -> Option<Vec<String>> {
        let body: Value = serde_json::from_slice(&self.body).ok()?;
        let errors = body["errors"].as_array().filter(|errors| !errors.is_empty())?;
        let code = |error: &Value| {
            let mut keys: Vec<_> = error.as_object()?.keys().collect();
            keys.sort_unstable();
            let is_whole = keys == ["code", "details", "message", "path", "userMessage"];
            error["code"].as_str().filter(|_| is_whole).map(str::to_owned)
        };
        errors.iter().map(code).collect()
    }
}
