//! Single statements on a connection that may be shared.

use super::connection::Connection;
use super::{read, written_events};
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::statements::{RowStatement, RowStatements};
use crate::plan::viewer::{Sight, Viewer};
use crate::store::sql::{Session, SqlFailure};
use crate::store::{Entity, RepresentationId};
use restwell_model::tables::Dialect;
use uuid::Uuid;

/// Single statements.
pub(super) struct SingleStatements<'a> {
    connection: &'a Connection,
    locks: bool,
}

impl<'a> SingleStatements<'a> {
    /// Each is a transaction of its own.
    pub(super) fn on(connection: &'a Connection) -> Self {
        Self { connection, locks: false }
    }

    /// The connection is in a transaction, which locks the rows that it is about to change.
    pub(super) fn locking(connection: &'a Connection) -> Self {
        Self { connection, locks: true }
    }
}

impl Session for SingleStatements<'_> {
    const DIALECT: Dialect = Dialect::Postgres;

    fn locks(&self) -> bool {
        self.locks
    }

    async fn rows(&self, sql: &str, values: &[CellRef<'_>]) -> Result<Vec<Vec<Cell>>, SqlFailure> {
        let statement = self.connection.statement(sql).await.map_err(|error| self.connection.failed(&error))?;
        self.connection.rows(&statement, values).await.map_err(|error| self.connection.failed(&error))
    }

    async fn execute(&self, sql: &str, values: &[CellRef<'_>]) -> Result<u64, SqlFailure> {
        let statement = self.connection.statement(sql).await.map_err(|error| self.connection.failed(&error))?;
        self.connection.execute(&statement, values).await.map_err(|error| self.connection.failed(&error))
    }

    async fn write_row(&self, statement: &RowStatement, cells: &[CellRef<'_>]) -> Result<(), SqlFailure> {
        self.execute(&statement.one, cells).await.map(|_| ())
    }

    async fn try_row(&self, statement: &RowStatement, cells: &[CellRef<'_>]) -> Result<bool, SqlFailure> {
        self.execute(&statement.one, cells).await.map(|count| count > 0)
    }

    /// As a draft, which gets its position from the next transaction that has the lock.
    async fn write_event(&self, cells: &[CellRef<'_>]) -> Result<(), SqlFailure> {
        self.execute(&written_events::INSERT_DRAFT, cells).await.map(drop)
    }

    async fn row_to_change(&self, statements: &RowStatements, id: Uuid) -> Result<Option<Vec<Cell>>, SqlFailure> {
        read::row_to_change(self, statements, id).await
    }

    async fn entity(
        &self,
        plans: &Plans,
        at: RepresentationId,
        id: Uuid,
        viewer: &Viewer,
    ) -> Result<Option<Entity>, SqlFailure> {
        read::entity(self, plans, at, id, (Sight::All, viewer)).await
    }
}
