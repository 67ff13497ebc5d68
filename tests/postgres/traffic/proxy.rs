//! A proxy before PostgreSQL that counts what goes through it, by the messages of its protocol.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tokio_postgres::config::{Config, Host};

/// The first message of a connection that asks for TLS, after its length.
const TLS_WANTED: [u8; 4] = 80_877_103_u32.to_be_bytes();
/// Bytes of a message that say how long it is.
const LENGTH: usize = 4;

/// What went through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Traffic {
    /// Statements that were executed, with those that begin and end transactions.
    pub(crate) statements: u64,
    /// Statements that were prepared.
    pub(crate) prepared: u64,
    /// Notices of the server: one for each statement that it plans, where it is set so.
    pub(crate) notices: u64,
    /// How often the service waited: it sent something while no answer was due.
    pub(crate) round_trips: u64,
    /// Bytes, both ways.
    pub(crate) bytes: u64,
}

impl std::ops::Sub for Traffic {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self {
            statements: self.statements - before.statements,
            prepared: self.prepared - before.prepared,
            notices: self.notices - before.notices,
            round_trips: self.round_trips - before.round_trips,
            bytes: self.bytes - before.bytes,
        }
    }
}

/// What was counted, and when something last went through.
type Counted = Arc<Mutex<(Traffic, Instant)>>;

/// The proxy. Its threads end with the test's process.
pub(crate) struct Proxy {
    address: SocketAddr,
    counted: Counted,
}

impl Proxy {
    /// One before the server of a URL.
    pub(crate) fn start(url: &str) -> Self {
        let config: Config = url.parse().expect("a URL");
        let Some(Host::Tcp(host)) = config.get_hosts().first() else { panic!("{url} names no host") };
        let server = (host.clone(), config.get_ports().first().copied().unwrap_or(5432));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let counted = Counted::new(Mutex::new((Traffic::default(), Instant::now())));
        let kept = counted.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = TcpStream::connect((server.0.as_str(), server.1)) else { continue };
                connect(client, server, &kept);
            }
        });
        Self { address, counted }
    }

    /// The URL of a database, by way of the proxy.
    pub(crate) fn url(&self, database: &str) -> String {
        let name = database.rsplit('/').next().expect("a database has a name");
        format!("postgres://postgres@{}/{name}?sslmode=disable", self.address)
    }

    /// What went through so far, once nothing has for a while.
    pub(crate) fn when_quiet(&self, quiet: Duration, patience: Duration) -> Traffic {
        let begun = Instant::now();
        loop {
            let (traffic, last) = *self.counted.lock().expect("no thread panics");
            if last.elapsed() >= quiet {
                return traffic;
            }
            assert!(begun.elapsed() < patience, "something goes through all the time");
            thread::sleep(quiet.saturating_sub(last.elapsed()));
        }
    }
}

/// Copies both ways.
fn connect(client: TcpStream, server: TcpStream, counted: &Counted) {
    for stream in [&client, &server] {
        stream.set_nodelay(true).expect("a socket");
    }
    // answers that are due, of this connection
    let due = Arc::new(Mutex::new(0_u64));
    let (from_client, to_server) = (client.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
    let (counting, asked) = (counted.clone(), due.clone());
    thread::spawn(move || {
        let mut messages = Messages { is_begun: false, rest: Vec::new() };
        copy(from_client, to_server, &counting, |chunk, traffic| {
            messages.take(chunk, |kind| {
                let mut due = asked.lock().expect("no thread panics");
                match kind {
                    b'E' => traffic.statements += 1,
                    b'P' => traffic.prepared += 1,
                    b'S' | b'Q' => {
                        traffic.statements += u64::from(kind == b'Q');
                        traffic.round_trips += u64::from(*due == 0);
                        *due += 1;
                    }
                    _ => {}
                }
            });
        });
    });
    let counting = counted.clone();
    thread::spawn(move || {
        // its answers have a form from the first on: TLS is not asked for
        let mut messages = Messages { is_begun: true, rest: Vec::new() };
        let mut is_ready = false;
        copy(server, client, &counting, |chunk, traffic| {
            messages.take(chunk, |kind| match kind {
                b'Z' => {
                    // the first says that the connection stands
                    let mut due = due.lock().expect("no thread panics");
                    *due = due.saturating_sub(u64::from(is_ready));
                    is_ready = true;
                }
                b'N' => traffic.notices += 1,
                _ => {}
            });
        });
    });
}

fn copy(mut from: TcpStream, mut to: TcpStream, counted: &Counted, mut count: impl FnMut(&[u8], &mut Traffic)) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        {
            let (traffic, last) = &mut *counted.lock().expect("no thread panics");
            count(&buffer[..read], traffic);
            traffic.bytes += read as u64;
            *last = Instant::now();
        }
        if to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}

/// The messages of one direction, as their bytes arrive.
struct Messages {
    /// Whether the first message, which has no kind, has passed.
    is_begun: bool,
    rest: Vec<u8>,
}

impl Messages {
    fn take(&mut self, chunk: &[u8], mut seen: impl FnMut(u8)) {
        self.rest.extend_from_slice(chunk);
        loop {
            let kind = usize::from(self.is_begun);
            let Some(length) = self.rest.get(kind..kind + LENGTH) else { return };
            let length = u32::from_be_bytes(length.try_into().expect("four bytes")) as usize;
            if self.rest.len() < kind + length {
                return;
            }
            match self.is_begun {
                true => seen(self.rest[0]),
                false => assert_ne!(self.rest[LENGTH..2 * LENGTH], TLS_WANTED, "TLS cannot be looked into"),
            }
            self.is_begun = true;
            self.rest.drain(..kind + length);
        }
    }
}
