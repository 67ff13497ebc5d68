//! A proxy before a service that changes what goes through it.

use flate2::Compression;
use flate2::write::GzEncoder;
use restwell_testkit::http::{Connection, Request};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request on its way to the service.
pub(crate) struct Passing {
    pub(crate) method: String,
    /// The path, without the query.
    pub(crate) path: String,
    /// The parameters as they stand in the query.
    pub(crate) query: Vec<(String, String)>,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// A response on its way back.
pub(crate) struct Returning {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// What a proxy does to requests, and to responses.
#[derive(Clone, Copy)]
pub(crate) struct Meddling {
    pub(crate) request: fn(&mut Passing),
    pub(crate) response: fn(&Passing, &mut Returning),
}

/// A proxy; it ends when this is dropped.
pub(crate) struct Proxy {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
}

impl Proxy {
    pub(crate) fn start(service: SocketAddr, meddling: Meddling) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&is_over);
        std::thread::spawn(move || {
            for client in listener.incoming() {
                if ends.load(Ordering::Relaxed) {
                    return;
                }
                // the end of a connection is the end of its thread
                let Ok(client) = client else { return };
                std::thread::spawn(move || drop(serve(client, service, meddling)));
            }
        });
        Self { address, is_over }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // wakes the thread that accepts
        drop(TcpStream::connect(self.address));
    }
}

fn serve(client: TcpStream, service: SocketAddr, meddling: Meddling) -> io::Result<()> {
    client.set_nodelay(true)?;
    let mut out = client.try_clone()?;
    let mut client = BufReader::new(client);
    let mut upstream = Connection::open(service)?;
    loop {
        let Some(mut passing) = Passing::read(&mut client)? else { return Ok(()) };
        (meddling.request)(&mut passing);
        if passing.path == "/events" {
            return tunnel(&passing, out, service);
        }
        let request = passing.request();
        let reply = match upstream.exchange(&request) {
            Ok(reply) => reply,
            // the service has ended the connection after its last response
            Err(_) => {
                upstream = Connection::open(service)?;
                upstream.exchange(&request)?
            }
        };
        let mut returning = Returning { status: reply.status, headers: reply.headers().to_vec(), body: reply.body };
        returning
            .headers
            .retain(|(name, _)| !["content-length", "connection", "transfer-encoding"].contains(&name.as_str()));
        (meddling.response)(&passing, &mut returning);
        if returning.headers.iter().any(|(name, value)| name == "content-encoding" && value == "gzip") {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&returning.body)?;
            returning.body = encoder.finish()?;
        }
        out.write_all(&returning.bytes(passing.method == "HEAD"))?;
    }
}

/// A stream goes through as it is.
fn tunnel(passing: &Passing, mut client: TcpStream, service: SocketAddr) -> io::Result<()> {
    let mut upstream = TcpStream::connect(service)?;
    // nothing else goes through this connection
    upstream.write_all(&passing.request().header("connection", "close").bytes())?;
    io::copy(&mut upstream, &mut client)?;
    client.shutdown(Shutdown::Both)
}

impl Passing {
    fn read(client: &mut BufReader<TcpStream>) -> io::Result<Option<Self>> {
        let mut line = String::new();
        if client.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let query = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let query = query.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut passing =
            Self { method: method.to_owned(), path: path.to_owned(), query, headers: Vec::new(), body: Vec::new() };
        loop {
            let mut line = String::new();
            client.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            passing.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let length = passing.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        passing.body.resize(length, 0);
        client.read_exact(&mut passing.body)?;
        Ok(Some(passing))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn request(&self) -> Request {
        let query: Vec<_> = self.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let target = if query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, query.join("&")) };
        let request = Request::bare(&self.method, &target).body(&self.body).without("content-type");
        let request = if self.body.is_empty() { request.without("content-length") } else { request };
        let headers = self.headers.iter().filter(|(name, _)| name != "content-length");
        headers.fold(request, |request, (name, value)| request.header(name, value.as_str()))
    }
}

impl Returning {
    /// Sets a header, in place of those of this name.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.headers.push((name.to_owned(), value.to_owned()));
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.headers.retain(|(known, _)| known != name);
    }

    fn bytes(&self, is_head: bool) -> Vec<u8> {
        let mut bytes = format!("HTTP/1.1 {} Planted\r\n", self.status).into_bytes();
        for (name, value) in &self.headers {
            bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        let is_silent = (is_head || matches!(self.status, 204 | 304)) && self.body.is_empty();
        if !is_silent {
            bytes.extend_from_slice(format!("content-length: {}\r\n", self.body.len()).as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.body);
        bytes
    }
}
