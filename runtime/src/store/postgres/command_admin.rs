//! What an operator does with the commands in a database, beside the instances that serve from it.

use super::Postgres;
use super::dump::{open, require_tables, run, say};
use super::location::PostgresLocation;
use super::single_statements::SingleStatements;
use crate::migrations::MigrationTarget;
use crate::plan::Plans;
use crate::store::sql::{self, OrderFailure};
use crate::store::{CommandOrder, StoreError, StoredCommand};
use restwell_model::scalar::Timestamp;

impl Postgres {
    /// Does what an operator orders. A transaction that is refused goes with its connection.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn order(
        location: &PostgresLocation,
        goal: &MigrationTarget<'_>,
        plans: &Plans,
        order: &CommandOrder,
    ) -> Result<Vec<StoredCommand>, String> {
        run(async {
            require_tables(location, goal).await?;
            let connection = open(location).await?;
            say(&connection, "BEGIN ISOLATION LEVEL READ COMMITTED").await?;
            let session = SingleStatements::on(&connection);
            let done = sql::order_commands(&session, plans, order, Timestamp::now().millis()).await;
            let done = done.map_err(|failure| match failure {
                OrderFailure::Refused(reason) => reason,
                OrderFailure::Failed(failure) => StoreError::from(failure).to_string(),
            })?;
            say(&connection, "COMMIT").await?;
            Ok(done)
        })
    }
}
