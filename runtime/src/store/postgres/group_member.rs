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
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use uuid::Uuid;

/// Rows by the statement that locked them, and their ids.
type LockedRows = HashMap<(Arc<str>, Uuid), Option<Vec<Cell>>>;

/// One change of a group, in the transaction of all.
pub(super) struct GroupMember<'a> {
    transaction: &'a PostgresTransaction,
    /// Where its rows go that are written with those of others; `None` where each writes its own.
    batch: Option<&'a RowBatch>,
    /// The rows that it has locked, until it writes some.
    locked: Mutex<LockedRows>,
    has_failed: AtomicBool,
    has_written: AtomicBool,
    /// The rows that it has left to be written with those of others: each after those before.
    left: AtomicUsize,
}

impl<'a> GroupMember<'a> {
    pub(super) fn of(transaction: &'a PostgresTransaction, batch: Option<&'a RowBatch>) -> Self {
        let (has_failed, has_written) = (AtomicBool::new(false), AtomicBool::new(false));
        let (locked, left) = (Mutex::default(), AtomicUsize::new(0));
        Self { transaction, batch, locked, has_failed, has_written, left }
    }

    /// Whether a statement of its own failed, rather than one of another.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Whether there is something to undo.
    pub(super) fn has_written(&self) -> bool {
        self.has_written.load(Ordering::Relaxed)
    }

    fn writes(&self) {
        self.has_written.store(true, Ordering::Relaxed);
        self.locked().clear();
    }

    fn locked(&self) -> MutexGuard<'_, LockedRows> {
        self.locked.lock().unwrap_or_else(PoisonError::into_inner)
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

    async fn rows_in_time(&self, sql: &str, values: &[CellRef<'_>]) -> Result<Vec<Vec<Cell>>, SqlFailure> {
        self.noted(self.transaction.rows_in_time(sql, values).await)
    }

    async fn execute(&self, sql: &str, values: &[CellRef<'_>]) -> Result<u64, SqlFailure> {
        self.writes();
        self.noted(self.transaction.done(sql, values).await)
    }

    async fn write_row(&self, statement: &RowStatement, cells: &[CellRef<'_>]) -> Result<(), SqlFailure> {
        self.writes();
        self.noted(match self.batch {
            Some(_) => {
                let turn = self.left.fetch_add(1, Ordering::Relaxed);
                self.transaction.write_later(turn, &statement.many, cells).await
            }
            None => self.transaction.write_row(statement, cells).await,
        })
    }

    async fn try_row(&self, statement: &RowStatement, cells: &[CellRef<'_>]) -> Result<bool, SqlFailure> {
        self.has_written.store(true, Ordering::Relaxed);
        self.noted(match self.batch {
            Some(batch) => batch.try_row(&statement.many, cells).await,
            None => self.transaction.try_row(statement, cells).await,
        })
    }

    async fn write_event(&self, cells: &[CellRef<'_>]) -> Result<(), SqlFailure> {
        self.transaction.write_event(cells).await
    }

    async fn row_to_change(&self, statements: &RowStatements, id: Uuid) -> Result<Option<Vec<Cell>>, SqlFailure> {
        let key = (Arc::clone(&statements.lock.many), id);
        if let Some(row) = self.locked().get(&key) {
            return Ok(row.clone());
        }
        let row = self.noted(match self.batch {
            Some(batch) => batch.lock(&statements.lock.many, id).await,
            None => self.transaction.row_to_change(statements, id).await,
        })?;
        self.locked().insert(key, row.clone());
        Ok(row)
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
