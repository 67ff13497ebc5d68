//! Several instances of the marketplace on one PostgreSQL, while instances are killed, connections cut, and the
//! database itself ends and comes back. What was acknowledged stays, each change happens once, and all clients see one
//! order of events.
//!
//! The tests show as ignored where no PostgreSQL answers (`POSTGRES_URL`, else 127.0.0.1:5432 as `postgres`), or where
//! a `nats-server` or PostgreSQL's own programs are missing; with
//! `RESTWELL_SERVERS=postgres,nats` they fail. A night has more instances, and trouble for longer.

mod cluster;
mod event_ids;
mod instances;
mod sellers;
mod trial;

use cluster::Cluster;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use restwell_testkit::effort::{at_night, is_required};
use restwell_testkit::nats::Nats;
use restwell_testkit::postgres::Server;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};
use trial::Means;

/// Instances that are killed in turn, and those of a night.
const INSTANCES: (usize, usize) = (3, 5);
/// How long there is trouble, and how long in a night.
const TROUBLE: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(120));
/// Between one trouble and the next.
const PAUSE: Duration = Duration::from_secs(3);

type Test = fn(&Server);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tests: [(&str, Test, &[Need]); 3] = [
        ("instances_are_killed_and_nothing_is_lost", killed, &[Need::Bus]),
        ("postgresql_ends_and_comes_back_and_nothing_is_lost", restarted, &[Need::Bus, Need::Cluster]),
        ("connections_are_cut_and_nothing_is_lost", cut, &[Need::Bus]),
    ];
    let trial = |(name, test, needs): (&str, Test, &'static [Need])| {
        Trial::ignorable_test(name, move || {
            let server = match needs.iter().try_for_each(Need::is_met).and_then(|()| found(Server::find())) {
                Ok(server) => server,
                Err(Missing::Tolerated(reason)) => return Ok(Completion::ignored_with(reason)),
                Err(Missing::Required(reason)) => return Err(Failed::from(reason)),
            };
            test(&server);
            Ok(Completion::Completed)
        })
    };
    // each has the machine to itself
    let arguments = Arguments { test_threads: Some(1), ..arguments };
    libtest_mimic::run(&arguments, tests.into_iter().map(trial).collect()).exit_code()
}

/// Something beside a PostgreSQL that answers.
enum Need {
    /// `nats-server`.
    Bus,
    /// The programs that make a database cluster.
    Cluster,
}

enum Missing {
    Tolerated(String),
    Required(String),
}

impl Need {
    fn is_met(&self) -> Result<(), Missing> {
        let missing = match self {
            Self::Bus if !Nats::is_installed() => ("there is no nats-server on this machine", "nats"),
            Self::Cluster if !Cluster::is_installed() => ("there is no initdb on this machine", "postgres"),
            _ => return Ok(()),
        };
        Err(missing_because(missing.0.to_owned(), missing.1))
    }
}

fn found(server: Result<Server, String>) -> Result<Server, Missing> {
    server.map_err(|reason| missing_because(reason, "postgres"))
}

fn missing_because(reason: String, server: &str) -> Missing {
    match is_required(server) {
        true => Missing::Required(reason),
        false => Missing::Tolerated(reason),
    }
}

/// One instance after the other is killed and started again.
fn killed(server: &Server) {
    let database = server.database();
    let instances = at_night(INSTANCES);
    let means = Means { instances, sellers: 48, senders: 16, reads_must_be_answered: false };
    trial::run(&means, &database, |instances| {
        let mut victim = 0;
        while_there_is_trouble(|| {
            instances.kill(victim);
            thread::sleep(PAUSE / 2);
            instances.start(victim);
            victim = (victim + 1) % means.instances;
        });
    });
}

/// The server is ended as by a crash, and started again.
fn restarted(_: &Server) {
    let cluster = Cluster::start();
    let server = Server::at(&cluster.url()).expect("the server was started");
    let database = server.database();
    let means = Means { instances: 2, sellers: 24, senders: 8, reads_must_be_answered: false };
    trial::run(&means, &database, |_| while_there_is_trouble(|| cluster.crash()));
}

/// All connections of the service are ended by the server.
fn cut(server: &Server) {
    let database = server.database();
    let means = Means { instances: 2, sellers: 24, senders: 8, reads_must_be_answered: true };
    trial::run(&means, &database, |_| while_there_is_trouble(|| assert_ne!(database.cut(), 0)));
}

/// Does it again and again, with pauses.
fn while_there_is_trouble(mut makes_trouble: impl FnMut()) {
    let end = Instant::now() + trouble();
    while Instant::now() < end {
        thread::sleep(PAUSE);
        makes_trouble();
    }
    thread::sleep(PAUSE);
}

/// How long.
fn trouble() -> Duration {
    at_night(TROUBLE)
}
