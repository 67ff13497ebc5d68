//! Event streams from the beginning of all that is kept: what each costs that catches up alone, and whether a live stream
//! gets its events while many catch up. Run by hand, as the attack is.

use crate::usage::MAX_MEMORY;
use crate::{stage, usage, wire};
use libtest_mimic::Failed;
use restwell_testkit::http::Request;
use restwell_testkit::market;
use restwell_testkit::postgres::{Database, Server};
use restwell_testkit::process::Service;
use serde_json::json;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Default offers; each is put up and ended, and so has two events, of which everybody may see the first.
const OFFERS: usize = 100_000;
/// Connections that they are put up over.
const FILLING: usize = 16;
/// Streams that catch up together, and the addresses that they come from.
const CROWD: usize = 400;
const ADDRESSES: usize = 8;
/// Events for the live stream meanwhile, and the pause between two of them.
const LIVE: usize = 20;
const PAUSE: Duration = Duration::from_millis(500);

/// Ticks of the processor that a stream may take to catch up.
const MAX_TICKS: u64 = 500;
/// How long an event may take to the live stream.
const MAX_DELAY: Duration = Duration::from_secs(2);
/// How long a stream may take to catch up.
const PATIENCE: Duration = Duration::from_secs(300);

/// A running marketplace, and whose offers it has.
struct Scene {
    service: Service,
    database: Option<Database>,
    seller: String,
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let database = server.map(Server::database);
    let service = stage::start_marketplace(folder.path(), database.as_ref());
    let seller = market::user(service.address(), "seller");
    let scene = Scene { service, database, seller };
    let (begun, offers) = (Instant::now(), OFFERS);
    scene.fill(offers);
    println!("{} events in {:.1?}", 2 * offers, begun.elapsed());
    let mut faults = scene.each_alone();
    faults.extend(scene.live_beside_a_crowd());
    let log = scene.service.stop();
    faults.extend(log.into_iter().filter(|line| line.contains("panicked")));
    if faults.is_empty() { Ok(()) } else { Err(Failed::from(faults.join("\n"))) }
}

impl Scene {
    fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// Puts the offers up, and ends them.
    fn fill(&self, offers: usize) {
        let next = AtomicUsize::new(0);
        let (address, seller, token) = (self.address(), &self.seller, market::token(&self.seller));
        std::thread::scope(|scope| {
            for _ in 0..FILLING {
                scope.spawn(|| {
                    let stream = wire::open(IpAddr::V4(Ipv4Addr::LOCALHOST), address).expect("it listens");
                    let mut line = wire::Line(BufReader::new(stream));
                    let mut send = |request: Request| {
                        line.0.get_mut().write_all(&request.bytes()).expect("the service takes it");
                        let answer = line.answer(false).expect("an answer");
                        assert!(answer.status < 300, "{}: {}", answer.status, String::from_utf8_lossy(&answer.body));
                        answer.created.expect("it was created")
                    };
                    while next.fetch_add(1, Ordering::Relaxed) < offers {
                        let id = send(market::sell(&market::offer(seller, "Bicycle")));
                        let end = format!("/offers/{id}/end-commands/{}", Uuid::now_v7());
                        send(Request::new("PUT", &end).json(&json!({ "reason": "MISTAKE" })).bearer(&token));
                    }
                });
            }
        });
    }

    /// What a stream costs that catches up with nobody beside it.
    fn each_alone(&self) -> Vec<String> {
        let other = market::user(self.address(), "other");
        let callers = [
            ("nobody", None),
            ("another user", Some(market::token(&other))),
            ("staff", Some(market::staff())),
            ("the seller", Some(market::token(&self.seller))),
        ];
        let mut faults = Vec::new();
        println!("| who catches up | time | CPU of the service | of the database | sent |");
        for (who, token) in callers {
            usage::forget_peak(self.service.pid());
            let (begun, before, base) = (Instant::now(), self.ticks(), usage::memory(self.service.pid()));
            let marker = format!("Seen by {who}");
            self.sell(&marker);
            let stream = self.open(Ipv4Addr::new(127, 0, 0, 2), token.as_deref(), Some("0"));
            let bytes = read_until(stream, &marker);
            let took = begun.elapsed();
            let [service, database] = [0, 1].map(|index| self.ticks()[index] - before[index]);
            let memory = usage::peak(self.service.pid()).saturating_sub(base) >> 20;
            println!("| {who} | {took:.1?} | {service}0 ms | {database}0 ms | {} KiB | +{memory} MiB", bytes >> 10);
            if service + database > MAX_TICKS {
                faults.push(format!("{who} catches up with {} ticks", service + database));
            }
        }
        faults
    }

    /// How long events take to a live stream while many others catch up.
    fn live_beside_a_crowd(&self) -> Vec<String> {
        let is_over = AtomicBool::new(false);
        let users: Vec<_> =
            (0..ADDRESSES).map(|n| market::token(&market::user(self.address(), &format!("reader{n}")))).collect();
        let live = self.open(Ipv4Addr::LOCALHOST, Some(&market::token(&self.seller)), None);
        usage::forget_peak(self.service.pid());
        let before = self.ticks();
        let (sent, delays) = std::thread::scope(|scope| {
            for number in 0..CROWD {
                let token = users[number % ADDRESSES].as_str();
                let from = Ipv4Addr::new(127, 0, 0, 2 + (number % ADDRESSES) as u8);
                // of each address half are nobody's
                let token = ((number / ADDRESSES).is_multiple_of(2)).then_some(token);
                let stream = self.open(from, token, Some("0"));
                let is_over = &is_over;
                scope.spawn(move || discard(stream, is_over));
            }
            let (seen, sightings) = mpsc::channel();
            scope.spawn(move || watch(live, &seen));
            let mut delays = Vec::new();
            for number in 0..LIVE {
                self.sell(&format!("Live {number} of them"));
                let begun = Instant::now();
                let found = sightings.recv_timeout(10 * MAX_DELAY).is_ok();
                delays.push(if found { begun.elapsed() } else { 10 * MAX_DELAY });
                std::thread::sleep(PAUSE);
            }
            let after = self.ticks();
            is_over.store(true, Ordering::Relaxed);
            ([0, 1].map(|index| after[index] - before[index]), delays)
        });
        let (longest, peak) = (delays.iter().max().copied().unwrap_or_default(), usage::peak(self.service.pid()));
        println!("beside {CROWD} streams: events take {longest:.1?} at most, {} MiB, {sent:?} ticks", peak >> 20);
        let slow = (longest > MAX_DELAY).then(|| format!("an event took {longest:.1?} to a live stream"));
        let memory = (peak > MAX_MEMORY).then(|| format!("{} MiB beside {CROWD} streams", peak >> 20));
        slow.into_iter().chain(memory).collect()
    }

    fn sell(&self, name: &str) {
        self.service.send(&market::sell(&market::offer(&self.seller, name))).is(201);
    }

    /// The ticks of the processor so far: of the service, and of the database's processes for it.
    fn ticks(&self) -> [u64; 2] {
        let database = self.database.as_ref().map_or(0, usage::database_ticks);
        [usage::ticks(self.service.pid()), database]
    }

    /// A stream of the events of offers; `since` is where it goes on.
    fn open(&self, from: Ipv4Addr, token: Option<&str>, since: Option<&str>) -> TcpStream {
        let mut request = Request::new("GET", "/events?resource=offers").header("accept", "text/event-stream");
        if let Some(since) = since {
            request = request.header("last-event-id", since);
        }
        if let Some(token) = token {
            request = request.bearer(token);
        }
        let mut stream = wire::open(IpAddr::V4(from), self.address()).expect("the service listens");
        stream.write_all(&request.bytes()).expect("the service takes it");
        stream
    }
}

/// Reads a stream up to the event that has this text; the bytes that came.
fn read_until(stream: TcpStream, marker: &str) -> usize {
    let (begun, mut reader, mut bytes, mut line) = (Instant::now(), BufReader::new(stream), 0, String::new());
    while !line.contains(marker) {
        line.clear();
        bytes += reader.read_line(&mut line).expect("the stream goes on");
        assert!(!line.is_empty() && begun.elapsed() < PATIENCE, "no event with {marker:?} after {bytes} bytes");
    }
    bytes
}

/// Reads whatever comes.
fn discard(mut stream: TcpStream, is_over: &AtomicBool) {
    let mut buffer = vec![0; 64 << 10];
    stream.set_read_timeout(Some(PAUSE)).expect("a timeout");
    while !is_over.load(Ordering::Relaxed) {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Err(error) if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => break,
            _ => {}
        }
    }
}

/// Tells of each event that is for the live stream, until all came.
fn watch(stream: TcpStream, seen: &mpsc::Sender<()>) {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    for _ in lines.filter(|line| line.contains("\"Live ")).take(LIVE) {
        if seen.send(()).is_err() {
            break;
        }
    }
}
