//! How much a run of tests does, where random tests begin, and which servers it must find.
//!
//! - `RESTWELL_EFFORT`: `quick` uses no servers and few examples, `ci` (the default) is what a change must pass,
//!   `night` tries millions.
//! - `RESTWELL_SEED` repeats a random test. A failure prints it.
//! - `RESTWELL_SERVERS=postgres,nats,redis,pgbouncer,contracts`, or `all`: a test that needs one of these fails without
//!   it. Otherwise it shows as ignored.

use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

/// How much a run of tests does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Without servers.
    Quick,
    /// What a change must pass.
    Ci,
    /// Everything.
    Night,
}

impl Effort {
    /// The effort of this run.
    ///
    /// # Panics
    ///
    /// The variable has another value.
    #[must_use]
    pub fn of_run() -> Self {
        match env::var("RESTWELL_EFFORT").as_deref() {
            Ok("quick") => Self::Quick,
            Ok("ci") | Err(_) => Self::Ci,
            Ok("night") => Self::Night,
            Ok(other) => panic!("RESTWELL_EFFORT={other}: it is quick, ci or night"),
        }
    }
}

/// Whether this run is a long one.
#[must_use]
pub fn is_night() -> bool {
    Effort::of_run() == Effort::Night
}

/// Whether this run is a short one.
#[must_use]
pub fn is_quick() -> bool {
    Effort::of_run() == Effort::Quick
}

/// What fits the effort of this run: quick, ci or night.
pub fn by_effort<T>((quick, ci, night): (T, T, T)) -> T {
    match Effort::of_run() {
        Effort::Quick => quick,
        Effort::Ci => ci,
        Effort::Night => night,
    }
}

/// The second in a night, else the first.
pub fn at_night<T>((usual, night): (T, T)) -> T {
    if is_night() { night } else { usual }
}

/// The number that random tests follow from: `RESTWELL_SEED`, or this one.
///
/// # Panics
///
/// The variable is not a number.
#[must_use]
pub fn seed_or(default: u64) -> u64 {
    let text = env::var("RESTWELL_SEED");
    text.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("RESTWELL_SEED={text} is not a number")))
}

/// The same, different in each run by default.
#[must_use]
pub fn seed_or_clock() -> u64 {
    seed_or(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64))
}

/// What repeats a random test that failed.
#[must_use]
pub fn repeated(seed: u64) -> String {
    let effort = by_effort(("quick", "ci", "night"));
    format!("RESTWELL_SEED={seed} RESTWELL_EFFORT={effort}")
}

/// Whether a test that needs this server fails without it.
#[must_use]
pub fn is_required(server: &str) -> bool {
    env::var("RESTWELL_SERVERS").is_ok_and(|list| list.split(',').any(|one| one == server || one == "all"))
}

/// Refuses servers to a quick run.
///
/// # Errors
///
/// The reason, for what shows as ignored.
pub fn allows_servers() -> Result<(), String> {
    if is_quick() { Err("a quick run uses no servers".to_owned()) } else { Ok(()) }
}
