//! PostgreSQL for tests: at `POSTGRES_URL`, or at 127.0.0.1:5432 as `postgres`. Where there is none, tests that need it
//! show as ignored; with `RESTWELL_SERVERS=postgres` they fail.

pub mod catalogue;
mod database;
mod server;
mod session;

use crate::effort;

pub use database::{Database, Schema};
pub use server::Server;
pub use session::Session;

/// Whether tests that could run on either database are to run on PostgreSQL: `RESTWELL_STORE=postgres`. Those that
/// cannot are listed in `tests/sqlite-only.txt`, each with its reason.
#[must_use]
pub fn is_chosen() -> bool {
    std::env::var("RESTWELL_STORE").is_ok_and(|store| store == "postgres")
}

/// A new database where PostgreSQL is chosen.
///
/// # Panics
///
/// It is chosen, and not there.
#[must_use]
pub fn chosen() -> Option<Database> {
    is_chosen().then(|| Server::find().unwrap_or_else(|reason| panic!("{reason}")).database())
}

/// Whether tests that need a server fail where there is none.
#[must_use]
pub fn is_required() -> bool {
    effort::is_required("postgres")
}
