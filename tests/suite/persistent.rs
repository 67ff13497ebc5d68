//! A client that bears outages, as the generated clients do: what is not answered, and what is answered with 503, it
//! sends again. Any other failure ends the test.

use restwell_testkit::http::{Connection, Reply, Request};
use serde_json::Value;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// An outage is over by then.
const PATIENCE: Duration = Duration::from_secs(60);
/// Before the next try.
const PAUSE: Duration = Duration::from_millis(10);
/// How a service that is exchanged ends a connection, or does not take one.
const UNREACHABLE: [ErrorKind; 5] = [
    ErrorKind::ConnectionRefused,
    ErrorKind::ConnectionReset,
    ErrorKind::ConnectionAborted,
    ErrorKind::BrokenPipe,
    ErrorKind::UnexpectedEof,
];

pub(crate) struct PersistentClient<'a> {
    address: SocketAddr,
    connection: Option<Connection>,
    /// Tries of all clients that had no response.
    missed: &'a AtomicUsize,
}

impl<'a> PersistentClient<'a> {
    pub(crate) fn of(address: SocketAddr, missed: &'a AtomicUsize) -> Self {
        Self { address, connection: None, missed }
    }

    #[track_caller]
    pub(crate) fn get(&mut self, path: &str) -> Reply {
        self.send(&Request::new("GET", path)).0
    }

    #[track_caller]
    pub(crate) fn put(&mut self, path: &str, body: &Value) -> Reply {
        self.send(&Request::new("PUT", path).json(body)).0
    }

    #[track_caller]
    pub(crate) fn patch(&mut self, path: &str, operations: &Value) -> Reply {
        self.send(&Request::new("PATCH", path).json(operations)).0
    }

    /// The response, and whether there were tries before it: they may have created what this one refuses to repeat.
    #[track_caller]
    pub(crate) fn post(&mut self, path: &str, body: &Value) -> (Reply, bool) {
        self.send(&Request::post(path, body))
    }

    #[track_caller]
    fn send(&mut self, request: &Request) -> (Reply, bool) {
        let (start, mut was_tried) = (Instant::now(), false);
        loop {
            match self.exchange(request) {
                Ok(reply) if reply.status != 503 => return (reply, was_tried),
                Ok(_) => {}
                Err(error) => assert!(
                    UNREACHABLE.contains(&error.kind()),
                    "{} {} fails otherwise: {error}",
                    request.method(),
                    request.target()
                ),
            }
            assert!(start.elapsed() < PATIENCE, "the service does not come back");
            was_tried = true;
            self.missed.fetch_add(1, Ordering::Relaxed);
            thread::sleep(PAUSE);
        }
    }

    /// One try. A connection is kept while it is whole.
    fn exchange(&mut self, request: &Request) -> io::Result<Reply> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.address)?,
        };
        let reply = connection.exchange(request)?;
        if reply.header("connection") != Some("close") {
            self.connection = Some(connection);
        }
        Ok(reply)
    }
}
