//! Erasing a person while the service runs.

use super::Postgres;
use super::dump::{open, require_tables, run, say};
use super::events::number;
use super::location::PostgresLocation;
use super::locks::Locks;
use super::schema;
use super::single_statements::SingleStatements;
use crate::migrations::{MigrationTarget, OwnedTarget};
use crate::plan::Plans;
use crate::store::erasure::{EraseRefusal, Erasure, ErasureRequest};
use crate::store::sql::{BEGINNING, Erasing};
use std::iter;

impl Postgres {
    /// Erases a person. Instances may go on; what they change meanwhile is waited for, or waits.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn erase(
        location: &PostgresLocation,
        goal: &MigrationTarget<'_>,
        plans: &Plans,
        request: &ErasureRequest,
    ) -> Result<Erasure, String> {
        run(async {
            require_tables(location, goal).await?;
            schema::prepare(location.clone(), OwnedTarget::of(goal)).await?;
            let connection = open(location).await?;
            let locks = Locks::of_all(plans);
            let begin: String = iter::once("BEGIN ISOLATION LEVEL READ COMMITTED").chain(locks.tables()).collect();
            say(&connection, &begin).await?;
            let session = SingleStatements::locking(&connection);
            let erased = erase(&session, plans, request).await.map_err(EraseRefusal::message);
            let erasure = erased.map_err(|reason| format!("nothing was erased: {reason}"))?;
            if request.is_dry_run {
                say(&connection, "ROLLBACK").await?;
                return Ok(erasure);
            }
            say(&connection, "COMMIT").await?;
            // deleted rows stay in the files, and samples of their values in the statistics, until then
            for table in erasure.tables() {
                say(&connection, &format!("VACUUM (ANALYZE) \"{table}\"")).await?;
            }
            Ok(erasure)
        })
    }
}

async fn erase(
    session: &SingleStatements<'_>,
    plans: &Plans,
    request: &ErasureRequest,
) -> Result<Erasure, EraseRefusal> {
    let mut erasing = Erasing::begin(session, plans, request).await?;
    // most of them before the drafts are numbered, because no other instance can number until the commit
    let last = erasing.events(BEGINNING).await?;
    number(session).await?;
    erasing.events(last).await?;
    erasing.finish().await
}
