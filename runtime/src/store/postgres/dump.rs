//! Reading all of a database, and filling one.

use super::Postgres;
use super::connection::Connection;
use super::location::PostgresLocation;
use super::migrate::rows_in_words;
use super::schema;
use super::single_statements::SingleStatements;
use crate::migrations::{DatabaseState, MigrationTarget, OwnedTarget, behind, broken_rows};
use crate::store::dump::{self, Layout, RefusedRows, Summary};
use restwell_model::Checked;
use restwell_model::migrations::row_checks;
use restwell_model::tables::{Dialect, foreign_keys};
use std::io::{BufRead, Write};

/// An export or import may take long, and no request waits for it.
const WITHOUT_LIMITS: &str =
    "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s'";

impl Postgres {
    /// Writes all that a database holds. Others may go on with it.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn export(
        location: &PostgresLocation,
        goal: &MigrationTarget<'_>,
        out: &mut impl Write,
    ) -> Result<Summary, String> {
        run(async {
            require_tables(location, goal).await?;
            let connection = open(location).await?;
            say(&connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
            let summary = dump::export(&SingleStatements::on(&connection), &Layout::of(goal.model), out).await?;
            say(&connection, "COMMIT").await?;
            Ok(summary)
        })
    }

    /// Fills a database that is empty, all or nothing.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn import(
        location: &PostgresLocation,
        goal: &MigrationTarget<'_>,
        from: (&mut impl BufRead, RefusedRows),
    ) -> Result<Summary, String> {
        run(async {
            schema::prepare(location.clone(), OwnedTarget::of(goal)).await?;
            let connection = open(location).await?;
            let layout = Layout::of(goal.model);
            say(&connection, "BEGIN").await?;
            // there are no other writers, and rows that refer to each other may come in any order
            let keys = foreign_keys(goal.model);
            for (drop, _) in &keys {
                say(&connection, drop).await?;
            }
            for table in layout.names(Dialect::Postgres) {
                say(&connection, &format!("LOCK TABLE \"{table}\" IN SHARE ROW EXCLUSIVE MODE")).await?;
            }
            let summary = dump::import(&SingleStatements::on(&connection), &layout, from).await?;
            for (_, add) in &keys {
                say(&connection, add)
                    .await
                    .map_err(|reason| format!("a row refers to one that is not there: {reason}"))?;
            }
            verify_rows(&connection, goal.model).await?;
            say(&connection, "COMMIT").await?;
            // the planner's statistics
            say(&connection, "ANALYZE").await?;
            Ok(summary)
        })
    }
}

/// Verifies the conditions of a model that stored rows have to keep.
async fn verify_rows(connection: &Connection, service: &Checked) -> Result<(), String> {
    let mut broken = Vec::new();
    for step in row_checks(service, Dialect::Postgres) {
        let found = rows_in_words(&connection.client, &step.sql).await?;
        broken.extend(broken_rows(&step, &found));
    }
    if broken.is_empty() { Ok(()) } else { Err(broken.join("; ")) }
}

/// Refuses a database that does not have the tables of the service.
pub(super) async fn require_tables(location: &PostgresLocation, goal: &MigrationTarget<'_>) -> Result<(), String> {
    match schema::find(location, &OwnedTarget::of(goal)).await? {
        DatabaseState::UpToDate => Ok(()),
        DatabaseState::Empty => Err(format!("the database {location} is empty")),
        DatabaseState::Behind(pending) => Err(behind(&pending, &location.to_string())),
    }
}

pub(super) async fn open(location: &PostgresLocation) -> Result<Connection, String> {
    let opened = Connection::open(location, |_| {}).await;
    let connection = opened.map_err(|error| format!("cannot open the database {location}: {error}"))?;
    say(&connection, WITHOUT_LIMITS).await?;
    Ok(connection)
}

pub(super) async fn say(connection: &Connection, sql: &str) -> Result<(), String> {
    let said = connection.client.batch_execute(sql).await;
    said.map_err(|error| crate::store::StoreError::from(error).to_string())
}

/// Runs a task on this thread. A transaction that was not committed is rolled back with the end of its connection.
pub(super) fn run<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| format!("cannot start: {error}"))?.block_on(work)
}
