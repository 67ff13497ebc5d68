//! A client that bears nothing of an exchange of the program but the end of a connection that it has used before. Any
//! other failure ends the test, and so does a 503.
//!
//! Either it has a connection for each request, and never sends one again. Or it keeps its connection, as clients mostly
//! do, and sends a request again, on a new one, if the kept one was closed before anything of the response had come:
//! the service may close it while the request is under way (RFC 9112, §9.5), and then has not begun the request. So it
//! may be repeated whatever its method is (RFC 9110, §9.2.2), and the tests would notice one that was done twice.

use restwell_testkit::http::{Connection, Reply, Request};
use serde_json::Value;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How writing to a kept connection that was closed may fail, or reading from it.
const CLOSED: [ErrorKind; 3] = [ErrorKind::ConnectionReset, ErrorKind::ConnectionAborted, ErrorKind::BrokenPipe];

/// What a client does with its connection after a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Habit {
    Close,
    Keep,
}

pub(crate) struct PersistentClient<'a> {
    address: SocketAddr,
    habit: Habit,
    kept: Option<Connection>,
    /// Requests of all clients that wait for their response.
    waiting: &'a AtomicUsize,
}

impl<'a> PersistentClient<'a> {
    pub(crate) fn of(address: SocketAddr, habit: Habit, waiting: &'a AtomicUsize) -> Self {
        Self { address, habit, kept: None, waiting }
    }

    #[track_caller]
    pub(crate) fn get(&mut self, path: &str) -> Reply {
        self.send(&Request::new("GET", path))
    }

    #[track_caller]
    pub(crate) fn put(&mut self, path: &str, body: &Value) -> Reply {
        self.send(&Request::new("PUT", path).json(body))
    }

    #[track_caller]
    pub(crate) fn patch(&mut self, path: &str, operations: &Value) -> Reply {
        self.send(&Request::new("PATCH", path).json(operations))
    }

    #[track_caller]
    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Reply {
        self.send(&Request::post(path, body))
    }

    #[track_caller]
    fn send(&mut self, request: &Request) -> Reply {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let reply = self.exchange(request);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        let reply = reply.unwrap_or_else(|error| panic!("{} {}: {error}", request.method(), request.target()));
        assert_ne!(reply.status, 503, "{} {}", request.method(), request.target());
        reply
    }

    fn exchange(&mut self, request: &Request) -> io::Result<Reply> {
        if let Some(mut connection) = self.kept.take() {
            match connection.write(&request.bytes()).and_then(|()| connection.is_answered()) {
                Ok(true) => {
                    let reply = connection.receive(request.is_head())?;
                    return Ok(self.keep(connection, reply));
                }
                Ok(false) => {}
                Err(error) if CLOSED.contains(&error.kind()) => {}
                Err(error) => return Err(error),
            }
        }
        let mut connection = Connection::open(self.address)?;
        let reply = connection.exchange(request)?;
        Ok(self.keep(connection, reply))
    }

    fn keep(&mut self, connection: Connection, reply: Reply) -> Reply {
        if self.habit == Habit::Keep && reply.header("connection") != Some("close") {
            self.kept = Some(connection);
        }
        reply
    }
}
