//! A client's way to a service: connections to its instances, asked by turns, as a balancer does.

use super::orders::random;
use crate::http::{Connection, Reply, Request};
use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

/// No response takes so long, even if the database or the bus fails.
const LATE: Duration = Duration::from_secs(20);

/// A free port that stays free while no program listens: below those that are given to clients.
pub fn port() -> u16 {
    loop {
        let port = 20_000 + random(10_000) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// The instances; a connection that ended is opened again when its instance is back.
pub struct Line {
    instances: Vec<(SocketAddr, Option<Connection>)>,
    next: usize,
    bears_503: bool,
}

impl Line {
    /// A client of these instances.
    pub fn to(addresses: &[SocketAddr]) -> Self {
        let instances = addresses.iter().map(|address| (*address, None)).collect();
        Self { instances, next: 0, bears_503: false }
    }

    /// An instance that says that it is unavailable is one that is gone, for the moment.
    pub fn bearing_503(self) -> Self {
        Self { bears_503: true, ..self }
    }

    /// The answer of the next instance that is there; `None` where none is, or it went away meanwhile: then the request
    /// may have been executed.
    #[track_caller]
    pub fn send(&mut self, request: &Request) -> Option<Reply> {
        let (place, mut connection) = self.connection()?;
        let sent = Instant::now();
        let reply = connection.exchange(request);
        assert!(sent.elapsed() < LATE, "an answer took {:?}: {reply:?}", sent.elapsed());
        let reply = reply.ok()?;
        self.instances[place].1 = Some(connection);
        (!self.bears_503 || reply.status != 503).then_some(reply)
    }

    /// That to the next instance that lets itself be connected to, and the instance's place.
    fn connection(&mut self) -> Option<(usize, Connection)> {
        let count = self.instances.len();
        let first = self.next;
        (first..first + count).map(|turn| turn % count).find_map(|place| {
            self.next = (place + 1) % count;
            let (address, kept) = &mut self.instances[place];
            let connection = kept.take().map_or_else(|| Connection::open(*address), Ok);
            Some((place, connection.ok()?))
        })
    }
}
