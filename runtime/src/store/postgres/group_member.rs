//! A change of a group: a session within the transaction that it shares with others.

use super::read;
use super::row_batch::RowBatch;
use super::transaction::PostgresTransaction;
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::statements::{RowStatement, RowStatements};
use crate::plan::viewer::{Sight, Viewer};
use crate::store::sql::{Session, SqlFailure};
use crate::store::{Entity, RepresentationId};
use restwell_model::tables::Dialect;
use std::sync::atomic::{AtomicBool, Ordering};
use uuid::Uuid;

/// One change of a group, in the transaction of all.
pub(super) struct GroupMember<'a> {
    transaction: &'a PostgresTransaction,
    /// Where its rows go that are written with those of others; `None` where each writes its own.
    batch: Option<&'a RowBatch>,
    has_failed: AtomicBool,
    has_written: AtomicBool,
}

impl<'a> GroupMember<'a> {
    pub(super) fn of(transaction: &'a PostgresTransaction, batch: Option<&'a RowBatch>) -> Self {
        Self { transaction, batch, has_failed: AtomicBool::new(false), has_written: AtomicBool::new(false) }
    }

    /// Whether a statement of its own failed, rather than one of another.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Whether there is something to undo.
    pub(super) fn has_written(&self) -> bool {
        self.has_written.load(Ordering::Relaxed)
    }

    fn noted<T>(&self, done: Result<T, SqlFailure>) -> Result<T, SqlFailure> {
        if done.as_ref().is_err_and(|failure| !matches!(failure, SqlFailure::Aborted)) {
            self.has_failed.store(true, Ordering::Relaxed);
        }
        done
    }
}

impl Session for GroupMember<'_> {
    const DIALECT: Dialect = Dialect::Postgres;

    fn locks(&self) -> bool {
        true
    }

    async fn rows(&self, sql: &str, values: &[CellRef<'_>]) -> Result<Vec<Vec<Cell>>, SqlFailure> {
        self.noted(self.transaction.rows_of(sql, values).await)
    }

    async fn execute(&self, sql: &str, values: &[CellRef<'_>]) -> Result<u64, SqlFailure> {
        self.has_written.store(true, Ordering::Relaxed);
        self.noted(self.transaction.done(sql, values).await)
    }

    async fn write_row(&self, statement: &RowStatement, cells: &[CellRef<'_>]) -> Result<(), SqlFailure> {
        self.has_written.store(true, Ordering::Relaxed);
        self.noted(match self.batch {
            Some(batch) => batch.write(&statement.many, cells).await,
            None => self.transaction.write_row(statement, cells).await,
        })
    }

    async fn defer(&self, statement: &RowStatement, cells: &[CellRef<'_>]) -> Result<(), SqlFailure> {
        self.noted(self.transaction.defer(statement, cells).await)
    }

    async fn row_to_change(&self, statements: &RowStatements, id: Uuid) -> Result<Option<Vec<Cell>>, SqlFailure> {
        self.noted(match self.batch {
            Some(batch) => batch.lock(&statements.lock.many, id).await,
            None => self.transaction.row_to_change(statements, id).await,
        })
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
