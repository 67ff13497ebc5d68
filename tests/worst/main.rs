//! The dearest requests that the limits allow, made from the model for every endpoint (`cases/`), against the program
//! as a process: what they cost is bounded, and others are served meanwhile. A second service has conditions that are as
//! long as they may be (`long_conditions.rs`).
//!
//! As a test each is sent to some of the endpoints that it is for, on both stores with some 2,000 rows: no answer is a
//! failure, and memory and what `/metrics` counts stay within bounds. PostgreSQL's part shows as ignored where none
//! answers (`POSTGRES_URL`, else 127.0.0.1:5432 as `postgres`); with `RESTWELL_POSTGRES=required` it fails.
//!
//! `RESTWELL_WORST=0` with `--release` does so with 100,000 rows, and judges what each request costs: by hand, too.
//! `RESTWELL_WORST=2000 cargo test --release -p restwell-tests --test worst` attacks by hand: it sends that number of
//! requests to 100,000 rows, from many connections and addresses at a time, while a plain client reads; it prints the
//! lines of the table in docs/operate/limits.md and fails where a figure is beyond its bound; before that it opens event streams
//! from the beginning of 200,000 events (`streams.rs`). With it go
//! `RESTWELL_WORST_ROWS`, `RESTWELL_WORST_CONNECTIONS`, `RESTWELL_WORST_SEED`, and in both ways
//! `RESTWELL_WORST_CASE=patch`, which leaves only the cases that have this in their name or place, or
//! `-patch,-search`, which leaves the others.

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
        ("the_worst", |server| run(Stage::marketplace, server)),
        ("the_worst_of_long_conditions", |server| run(Stage::long_conditions, server)),
    ];
    if number("RESTWELL_WORST").is_some_and(|count| count > 0) {
        runs.insert(0, ("event_streams", streams::run));
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

/// All cases once, or as an attack if one is requested.
fn run(start: Start, server: Option<&Server>) -> Result<(), Failed> {
    match number("RESTWELL_WORST") {
        None => once::run(start, server, None),
        Some(0) => once::run(start, server, Some(number("RESTWELL_WORST_ROWS").unwrap_or(attack::ROWS))),
        Some(count) => attack::run(start, server, count),
    }
}

/// A number of the environment.
fn number(variable: &str) -> Option<usize> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Whether a case is to be sent, by its name and its place.
fn is_chosen(case: &str, site: &str) -> bool {
    let has = |part: &str| case.contains(part) || site.contains(part);
    let chosen = std::env::var("RESTWELL_WORST_CASE").unwrap_or_default();
    let mut parts = chosen.split(',');
    parts.all(|part| part.strip_prefix('-').map_or_else(|| has(part), |part| !has(part)))
}
