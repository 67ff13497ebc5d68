//! The dearest requests that the limits allow, made from the model for every endpoint (`cases/`), against the program
//! as a process: what they cost is bounded, and others are served meanwhile. A second service has conditions that are as
//! long as they may be (`long_conditions.rs`).
//!
//! As a test each is sent to some of the endpoints that it is for, on both stores with some 2,000 rows: no answer is a
//! failure, and memory and what `/metrics` counts stay within bounds. PostgreSQL's part shows as ignored where none
//! answers (`POSTGRES_URL`, else 127.0.0.1:5432 as `postgres`); with `RESTWELL_SERVERS=postgres` it fails.
//!
//! `RESTWELL_EFFORT=night cargo test --release -p restwell-tests --test worst` attacks a release build:
//!
//! - `event_streams` opens streams from the beginning of 200,000 events (`streams.rs`);
//! - `each_alone` sends each case to 100,000 rows, and judges what it costs;
//! - `attack` sends 2,000 requests to 100,000 rows, from many connections and addresses at a time, while a plain client
//!   reads; it prints the lines of the table in docs/reference/limits.md, and fails where a figure is beyond its bound.
//!
//! `RESTWELL_CASE=patch` leaves only the cases that have this in their name or place, `-patch,-search` the others.

mod attack;
mod cases;
mod long_conditions;
mod once;
mod site;
mod stage;
mod streams;
mod usage;
mod values;
mod wire;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use restwell_testkit::effort::is_night;
use restwell_testkit::postgres::{Server, is_required};
use stage::Stage;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(served) = long_conditions::serves() {
        return served;
    }
    let mut arguments = Arguments::from_args();
    // each has the machine for itself
    arguments.test_threads = Some(1);
    let mut runs: Vec<(&str, Run)> = vec![
        ("the_worst", |server| once::run(Stage::marketplace, server, None)),
        ("the_worst_of_long_conditions", |server| once::run(Stage::long_conditions, server, None)),
    ];
    if is_night() && !cfg!(debug_assertions) {
        runs = vec![
            ("event_streams", streams::run),
            ("each_alone", |server| once::run(Stage::marketplace, server, Some(attack::ROWS))),
            ("each_alone_of_long_conditions", |server| once::run(Stage::long_conditions, server, Some(attack::ROWS))),
            ("attack", |server| attack::run(Stage::marketplace, server)),
            ("attack_of_long_conditions", |server| attack::run(Stage::long_conditions, server)),
        ];
    }
    let trials = runs.into_iter().flat_map(|(name, run)| {
        let sqlite = Trial::test(format!("{name}_on_sqlite"), move || run(None));
        let postgres = Trial::ignorable_test(format!("{name}_on_postgresql"), move || match Server::find() {
            Ok(server) => run(Some(&server)).map(|()| Completion::Completed),
            Err(reason) if is_required() => Err(Failed::from(reason)),
            Err(reason) => Ok(Completion::ignored_with(reason)),
        });
        [sqlite, postgres]
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Runs on PostgreSQL, or on SQLite where no server is named.
type Run = fn(Option<&Server>) -> Result<(), Failed>;

/// Starts a service with a number of rows.
type Start = fn(Option<&Server>, usize) -> Stage;

/// Whether a case is to be sent, by its name and its place.
fn is_chosen(case: &str, site: &str) -> bool {
    let has = |part: &str| case.contains(part) || site.contains(part);
    let chosen = std::env::var("RESTWELL_CASE").unwrap_or_default();
    let mut parts = chosen.split(',');
    parts.all(|part| part.strip_prefix('-').map_or_else(|| has(part), |part| !has(part)))
}
