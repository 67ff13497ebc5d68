//! Many clients send random commands to few entities of a process that is killed again and again, while the clock makes
//! transitions of its own: no entity ever leaves the declared graph, and what was acknowledged was done once.
//!
//! A night sends many more commands, by 64 clients.

use crate::random_commands::{CLIENTS, COMMANDS};
use crate::sales::{self, SERVED, WAYS};
use crate::world::Random;
use libtest_mimic::Failed;
use restwell::Timestamp;
use restwell_testkit::effort::at_night;
use restwell_testkit::http::{Connection, Request};
use restwell_testkit::postgres::{Database, Server};
use restwell_testkit::process::{DATABASE, Folder, LISTEN, Service, folder, other_program};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// Entities that the commands are sent to.
const SALES: usize = 24;
/// How often the process is killed.
const KILLS: usize = 5;
/// No command takes longer, even if the process is killed meanwhile.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between the times of two entities.
const STEP: Duration = Duration::from_millis(400);

/// A command that was sent.
struct Sent {
    path: String,
    sale: String,
    name: &'static str,
    /// Whether it was acknowledged; what was under way at a kill may be there or not.
    is_acknowledged: bool,
}

/// The data of the process, which outlives it.
struct Home {
    folder: Folder,
    database: Option<Database>,
}

impl Home {
    fn start(&self) -> Service {
        let database = self.database.as_ref().map(|database| format!("--database={}", database.url()));
        let test = std::env::current_exe().expect("a test is a program");
        let mut command = other_program(&test, self.folder.path());
        command.env(SERVED, "1").args([LISTEN, database.as_deref().unwrap_or(DATABASE)]);
        Service::spawn(&mut command, self.folder.path())
    }
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let (commands, clients) = (at_night(COMMANDS), at_night(CLIENTS));
    let home = Home { folder: folder(), database: server.map(Server::database) };
    let mut service = home.start();
    let sales = create(service.address());
    let mut sent = Vec::new();
    for life in 0..=KILLS {
        let share = commands / (KILLS + 1);
        sent.extend(storm(service, &sales, share, clients, life < KILLS));
        // what is RUNNING goes on where the process starts again
        service = home.start();
    }
    check(service.address(), &sales, &sent);
    service.stop();
    Ok(())
}

fn create(address: SocketAddr) -> Vec<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_millis() as i64;
    let sale = |number: usize| {
        // every other one ends by the clock
        let time = Timestamp::from_millis(now + (STEP.as_millis() as i64) * number as i64);
        let time = time.filter(|_| number.is_multiple_of(2)).map(|time| time.to_string());
        let body = json!({ "endingAt": time, "isArchivable": number % 6 == 5 });
        let reply = Request::post("/sales", &body).send(address).is(201);
        reply.id()
    };
    (0..SALES).map(sale).collect()
}

/// Each client sends commands until there are enough; then the process is killed under the requests, or ends.
fn storm(service: Service, sales: &[String], count: usize, clients: usize, is_killed: bool) -> Vec<Sent> {
    let (address, answered) = (service.address(), AtomicUsize::new(0));
    thread::scope(|scope| {
        let clients: Vec<_> = (0..clients).map(|_| scope.spawn(|| send(address, sales, count, &answered))).collect();
        let is_over = || clients.iter().all(ScopedJoinHandle::is_finished);
        // in the midst of it
        while answered.load(Ordering::Relaxed) < count && !is_over() {
            thread::sleep(Duration::from_millis(1));
        }
        if is_killed {
            service.kill();
        } else {
            service.stop();
        }
        clients.into_iter().flat_map(|client| client.join().expect("a client ends")).collect()
    })
}

/// Sends commands until the process ends. A client stops by itself where many more were answered than there should be.
fn send(address: SocketAddr, sales: &[String], count: usize, answered: &AtomicUsize) -> Vec<Sent> {
    let mut random = Random::new(Uuid::new_v4().as_u64_pair().0);
    let (mut sent, mut connection) = (Vec::new(), Connection::open(address).ok());
    while let Some(open) = connection.as_mut().filter(|_| answered.load(Ordering::Relaxed) < count * 2) {
        let sale = &sales[random.below(sales.len())];
        let (name, ..) = WAYS[random.below(WAYS.len() - 1)];
        let path = format!("/sales/{sale}/{name}-commands/{}", Uuid::now_v7());
        let command = |is_acknowledged| Sent { path: path.clone(), sale: sale.clone(), name, is_acknowledged };
        match open.exchange(&Request::new("PUT", &path).json(&json!({}))) {
            Ok(reply) if reply.status == 201 => sent.push(command(true)),
            Ok(reply) if reply.status == 503 => sent.push(command(false)),
            Ok(reply) => assert_eq!(reply.is(422).codes(), ["WrongState"]),
            Err(_) => {
                sent.push(command(false));
                connection = Connection::open(address).ok();
            }
        }
        answered.fetch_add(1, Ordering::Relaxed);
    }
    sent
}

/// A command at its end; `None`: it never came. What ran in a process that was killed goes on when its lease is over.
fn ended(address: SocketAddr, path: &str) -> Option<Value> {
    let begun = Instant::now();
    loop {
        let reply = Request::new("GET", path).send(address);
        if reply.status == 404 {
            return None;
        }
        let command = reply.is(200).json();
        if command["status"] != "RUNNING" {
            return Some(command);
        }
        assert!(begun.elapsed() < PATIENCE, "{command}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Every command has ended, and what the entities say of themselves is what the commands did.
fn check(address: SocketAddr, sales: &[String], sent: &[Sent]) {
    let mut commands = Vec::with_capacity(sent.len());
    for command in sent {
        match ended(address, &command.path) {
            Some(ended) => commands.push((command.sale.as_str(), command.name, ended)),
            None => assert!(!command.is_acknowledged, "{} was acknowledged, and is lost", command.path),
        }
    }
    let sale = |id: &str| Request::new("GET", &format!("/sales/{id}")).send(address).is(200).json();
    sales::assert_left_by(&commands, sales, sale);
}
