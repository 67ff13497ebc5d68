//! `erase`: all that a database holds of a user, with a receipt.

use super::config::EraseOptions;
use super::{print, print_to_stderr};
use crate::clock::Clock;
use crate::migrations::MigrationTarget;
use crate::plan::Plans;
use crate::service::{self, Builder};
use crate::store::{Database, Erasure, ErasureRequest};
use restwell_model::tables::Dialect;
use serde::Serialize;
use uuid::Uuid;

/// The receipt: what was erased, and what this program cannot erase.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Receipt<'a> {
    erased: Uuid,
    service: &'a str,
    at: String,
    is_dry_run: bool,
    /// The rows of each table.
    tables: &'a Erasure,
    remains: Vec<Remainder>,
}

/// Where something of the person may still be.
#[derive(Serialize)]
struct Remainder {
    #[serde(rename = "where")]
    place: &'static str,
    why: &'static str,
}

/// Erases the user, and prints the receipt.
pub(super) fn run(builder: Builder, options: &EraseOptions) -> Result<(), String> {
    let mut service = service::check(builder)?;
    let database = options.database.of(&service)?;
    let consent = service.goal().consent;
    let (migrations, migrate) = (std::mem::take(&mut service.migrations), service.migrate);
    let plans = Plans::compile(service.model, database.dialect());
    let goal = MigrationTarget { model: &plans.service, migrations: &migrations, migrate, consent };
    let now = Clock::system().now();
    let request = ErasureRequest { person: options.user, now: now.millis(), is_dry_run: options.dry_run };
    let erasure = database.erase(&goal, &plans, &request)?;
    let receipt = Receipt {
        erased: options.user,
        service: &plans.service.name,
        at: now.to_string(),
        is_dry_run: options.dry_run,
        tables: &erasure,
        remains: remains(&database),
    };
    print(&serde_json::to_string_pretty(&receipt).map_err(|error| error.to_string())?)?;
    say(&erasure, options)
}

/// Prints a summary to standard error.
fn say(erasure: &Erasure, options: &EraseOptions) -> Result<(), String> {
    let text = match (erasure.totals(), options.dry_run) {
        ((0, 0), _) => format!("the database has nothing of {}", options.user),
        ((deleted, cleared), true) => format!("{deleted} rows would be deleted, and {cleared} cleared"),
        ((deleted, cleared), false) => format!("{deleted} rows were deleted, and {cleared} cleared"),
    };
    print_to_stderr(&text)
}

fn remains(database: &Database) -> Vec<Remainder> {
    let of = |place, why| Remainder { place, why };
    let mut remains = vec![
        of("events", "the ids of deleted entities stay in `deleted` events, until the retention ends"),
        of("the bus", "messages that were published cannot be taken back; `deleted` events follow them"),
        of("texts of other users", "what others wrote about the person is theirs"),
        of("backups and exports", "those from before are not changed; erase again after a restore"),
        of("logs", "the access log has the ids of callers"),
        of(
            "Redis",
            "with --rate-limit-redis, the count of requests is kept under the id until the quota is full again",
        ),
    ];
    if database.dialect() == Dialect::Postgres {
        remains.push(of("running instances", "the newest events are in memory until newer ones replace them"));
        remains.push(of("PostgreSQL", "the log (WAL), its archive and replicas have earlier states of the rows"));
    }
    remains
}
