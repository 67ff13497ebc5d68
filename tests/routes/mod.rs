//! Routes of a service's own code: behind the same edge as its resources, with the same errors, on both stores; and
//! what tests of teams are written with.
//!
//! PostgreSQL's part shows as ignored where none answers (`POSTGRES_URL`, else 127.0.0.1:5432 as `postgres`); with
//! `RESTWELL_SERVERS=postgres` it fails.

mod contract;
mod edge;
mod extractors;
mod failing_commands;
mod house;
mod jobs;
mod showing;
mod start;
mod unset;

use super::{alone, with_server};
use libtest_mimic::Trial;
use restwell::Builder;
use restwell::testing::{Running, Setup};
use restwell_testkit::postgres::Server;

/// Where a test runs.
#[derive(Clone, Copy)]
enum Store {
    Sqlite,
    Postgres,
}

impl Store {
    /// The service on a database of its own.
    fn start(self, builder: Builder) -> Running {
        self.setup(builder).start()
    }

    fn setup(self, builder: Builder) -> Setup {
        match self {
            Self::Sqlite => Setup::of(builder),
            Self::Postgres => Setup::of(builder).own_database(Server::find().expect("it was there").url()),
        }
    }
}

type Test = (&'static str, fn(Store));

pub(crate) fn trials() -> Vec<Trial> {
    let tests = [
        edge::TESTS,
        extractors::TESTS,
        contract::TESTS,
        failing_commands::TESTS,
        jobs::TESTS,
        showing::TESTS,
        start::TESTS,
        unset::TESTS,
    ]
    .concat();
    let on_both = |(name, test): Test| {
        [
            alone(format!("routes::sqlite::{name}"), move || test(Store::Sqlite)),
            with_server(format!("routes::postgres::{name}"), move |_| test(Store::Postgres)),
        ]
    };
    tests.into_iter().flat_map(on_both).collect()
}
