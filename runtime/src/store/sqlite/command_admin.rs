//! What an operator does with the commands in a file. A process that serves from it goes on: SQLite lets one writer
//! after the other, and nothing here takes long.

use super::Sqlite;
use super::connection::{SqliteLocation, open_reader, open_writer};
use super::dump::{at_once, is_missing, nothing, require_tables, within};
use crate::migrations::MigrationTarget;
use crate::plan::Plans;
use crate::store::sql::{self, OrderFailure};
use crate::store::{CommandOrder, StoreError, StoredCommand};
use restwell_model::scalar::Timestamp;

impl Sqlite {
    /// Does what an operator orders.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn order(
        location: &SqliteLocation,
        goal: &MigrationTarget<'_>,
        plans: &Plans,
        order: &CommandOrder,
    ) -> Result<Vec<StoredCommand>, String> {
        if is_missing(location) {
            return Err(nothing(location));
        }
        let (open, begin): (fn(&SqliteLocation) -> _, _) = match order {
            CommandOrder::List(_) | CommandOrder::Show(_) => (open_reader, "BEGIN"),
            CommandOrder::Retry(_) | CommandOrder::Cancel { .. } => (open_writer, "BEGIN IMMEDIATE"),
        };
        let connection = open(location).map_err(|error| location.explain(&error))?;
        require_tables(&connection, goal, location)?;
        within(&connection, (begin, "COMMIT"), |session| {
            at_once(async {
                let done = sql::order_commands(session, plans, order, Timestamp::now().millis()).await;
                done.map_err(|failure| match failure {
                    OrderFailure::Refused(reason) => reason,
                    OrderFailure::Failed(failure) => StoreError::from(failure).to_string(),
                })
            })
        })
    }
}
