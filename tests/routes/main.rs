//! Routes of a service's own code: behind the same edge as its resources, with the same errors, on both stores; and
//! what tests of teams are written with.
//!
//! PostgreSQL's part shows as ignored where none answers (`POSTGRES_URL`, else 127.0.0.1:5432 as `postgres`); with
//! `RESTWELL_POSTGRES=required` it fails.

mod contract;
mod edge;
mod extractors;
mod house;
mod jobs;
mod start;
mod unset;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use restwell::Builder;
use restwell::testing::{Running, Setup};
use restwell_testkit::postgres::{Server, is_required};
use std::process::ExitCode;

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

fn main() -> ExitCode {
    let tests: Vec<Test> =
        [edge::TESTS, extractors::TESTS, contract::TESTS, jobs::TESTS, start::TESTS, unset::TESTS].concat();
    let server = Server::find().map(drop);
    let mut trials = Vec::new();
    for (name, test) in tests {
        trials.push(Trial::test(format!("sqlite::{name}"), move || {
            test(Store::Sqlite);
            Ok(())
        }));
        let server = server.clone();
        trials.push(Trial::ignorable_test(format!("postgres::{name}"), move || match &server {
            Ok(()) => {
                test(Store::Postgres);
                Ok(Completion::Completed)
            }
            Err(reason) if is_required() => Err(Failed::from(reason.clone())),
            Err(reason) => Ok(Completion::ignored_with(reason.clone())),
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
