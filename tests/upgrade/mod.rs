//! Upgrades: a service of today serves a database that one of an earlier version has filled. Entities, stored searches
//! and the cursors of event streams stay valid, a command that was interrupted is executed, and today's generator takes
//! the schemas and migrations of that version.
//!
//! `fixtures/` has a folder for each such version, named after its commit:
//!
//! | file | content |
//! |---|---|
//! | `schemas/`, `migrations/` | those of the marketplace in that version |
//! | `sqlite.db.gz`, `postgres.sql` | the databases, filled by its program, which was killed while it executed a command |
//! | `sqlite.json`, `postgres.json` | what its clients saw, which must still hold |
//!
//! To make one, build the marketplace in a checkout of that version, in a folder named after the commit. Then the test
//! writes the fixture instead of testing; it needs PostgreSQL, and `pg_dump` on the path:
//!
//! ```sh
//! git worktree add ../f88c283 f88c283
//! (cd ../f88c283 && cargo build --package marketplace)
//! RESTWELL_FIXTURE_OF=$PWD/../f88c283 cargo test -p restwell-tests --test servers
//! ```
//!
//! PostgreSQL's part shows as ignored where none answers (`POSTGRES_URL`, else 127.0.0.1:5432 as `postgres`); with
//! `RESTWELL_SERVERS=postgres` it fails.

mod check;
mod events;
mod fill;
mod fixture;
mod generate;
mod make;

use super::{alone, with_server};
use fixture::Fixture;
use libtest_mimic::Trial;
use std::path::Path;

/// Events and searches of a fixture are as old as the fixture: nothing of it is to expire.
const LASTING: [&str; 2] = ["--event-retention=P9999D", "--search-ttl=P9999D"];
/// Commands, too; the earlier versions kept them all.
const COMMANDS_LASTING: &str = "--command-retention=P9999D";

/// Makes the fixture of the checkout that `RESTWELL_FIXTURE_OF` names, and says whether it names one.
pub(crate) fn is_made() -> bool {
    let checkout = std::env::var_os("RESTWELL_FIXTURE_OF");
    checkout.inspect(|checkout| make::make(Path::new(checkout))).is_some()
}

pub(crate) fn trials() -> Vec<Trial> {
    Fixture::all().iter().flat_map(trials_of).collect()
}

fn trials_of(fixture: &Fixture) -> [Trial; 3] {
    let name = fixture.name();
    let [sqlite, postgres, project] = [(); 3].map(|()| fixture.clone());
    [
        alone(format!("upgrade::a_database_of_{name}_is_served_on_sqlite"), move || check::on_sqlite(&sqlite)),
        with_server(format!("upgrade::a_database_of_{name}_is_served_on_postgresql"), move |server| {
            check::on_postgres(&postgres, &server);
        }),
        alone(format!("upgrade::a_project_of_{name}_is_generated_with_its_migrations"), move || {
            generate::check(&project);
        }),
    ]
}
