//! Rows that the changes of a group lock, or write if they can, at the same moment: one statement does what all of them
//! wait for.

use super::transaction::PostgresTransaction;
use crate::plan::cell::{Cell, CellRef};
use crate::store::sql::SqlFailure;
use futures_util::future::{join, join_all};
use std::collections::{BTreeMap, HashMap};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use tokio::sync::oneshot;
use uuid::Uuid;

/// What the changes of a group wait for.
#[derive(Debug, Default)]
pub(super) struct RowBatch {
    waiting: Mutex<WaitingRows>,
    has_failed: AtomicBool,
}

/// Rows by the statement for them.
#[derive(Debug, Default)]
struct WaitingRows {
    tried: BTreeMap<Arc<str>, Vec<TriedRow>>,
    /// In one order of tables, for instances lock rows at the same time.
    locked: BTreeMap<Arc<str>, Vec<LockedRow>>,
}

/// The cells of a row that is written unless the statement refuses it, the id first, and who waits to know.
type TriedRow = (Vec<Cell>, oneshot::Sender<bool>);

/// The id of a row to lock, and who waits for it.
type LockedRow = (Uuid, oneshot::Sender<Option<Vec<Cell>>>);

impl RowBatch {
    /// Writes a row unless its statement refuses it, together with others.
    pub(super) async fn try_row(&self, statement: &Arc<str>, cells: &[CellRef<'_>]) -> Result<bool, SqlFailure> {
        let (answer, is_written) = oneshot::channel();
        let cells = owned(cells);
        self.with(|waiting| waiting.tried.entry(Arc::clone(statement)).or_default().push((cells, answer)));
        is_written.await.map_err(|_| SqlFailure::Aborted)
    }

    /// Locks the row with an id, together with others.
    pub(super) async fn lock(&self, statement: &Arc<str>, id: Uuid) -> Result<Option<Vec<Cell>>, SqlFailure> {
        let (answer, row) = oneshot::channel();
        self.with(|waiting| waiting.locked.entry(Arc::clone(statement)).or_default().push((id, answer)));
        row.await.map_err(|_| SqlFailure::Aborted)
    }

    /// Whether a statement for several rows failed. The database does not say for which of them.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Does the work of a group. Whenever all of it waits, what it waits for is done together.
    pub(super) async fn drive<T>(&self, transaction: &PostgresTransaction, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            let done = poll_fn(|context| match work.as_mut().poll(context) {
                Poll::Ready(done) => Poll::Ready(Some(done)),
                Poll::Pending if self.with(|waiting| !waiting.is_empty()) => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            });
            if let Some(done) = done.await {
                return done;
            }
            let WaitingRows { tried, locked } = self.with(std::mem::take);
            let locked = locked.into_iter().map(|(sql, rows)| self.lock_all(transaction, sql, rows));
            let tried = tried.into_iter().map(|(sql, rows)| self.try_all(transaction, sql, rows));
            join(join_all(tried), join_all(locked)).await;
        }
    }

    async fn try_all(&self, transaction: &PostgresTransaction, sql: Arc<str>, rows: Vec<TriedRow>) {
        let cells: Vec<_> = rows.iter().map(|(cells, _)| &**cells).collect();
        if let Some(written) = self.noted(transaction.try_rows(&sql, &cells).await) {
            let mut written = by_id(written);
            for (cells, answer) in rows {
                // of two with one id, one is written
                let is_written = cells.first().and_then(Cell::uuid).and_then(|id| written.remove(&id)).is_some();
                let _ = answer.send(is_written);
            }
        }
    }

    async fn lock_all(&self, transaction: &PostgresTransaction, sql: Arc<str>, rows: Vec<LockedRow>) {
        let ids: Vec<_> = rows.iter().map(|(id, _)| *id).collect();
        if let Some(found) = self.noted(transaction.rows_by_ids(&sql, &ids).await) {
            let found = by_id(found);
            for (id, answer) in rows {
                let _ = answer.send(found.get(&id).cloned());
            }
        }
    }

    fn noted<T>(&self, done: Result<T, SqlFailure>) -> Option<T> {
        done.inspect_err(|_| self.has_failed.store(true, Ordering::Relaxed)).ok()
    }

    fn with<T>(&self, work: impl FnOnce(&mut WaitingRows) -> T) -> T {
        work(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl WaitingRows {
    fn is_empty(&self) -> bool {
        self.tried.is_empty() && self.locked.is_empty()
    }
}

fn owned(cells: &[CellRef<'_>]) -> Vec<Cell> {
    cells.iter().copied().map(CellRef::to_owned).collect()
}

/// Rows by their first column.
fn by_id(rows: Vec<Vec<Cell>>) -> HashMap<Uuid, Vec<Cell>> {
    rows.into_iter().filter_map(|row| Some((row.first()?.uuid()?, row))).collect()
}

/// The cells of several rows, one array for each column.
pub(super) fn columns<'a>(rows: &[&'a [Cell]]) -> Vec<Vec<CellRef<'a>>> {
    let width = rows.first().map_or(0, |row| row.len());
    (0..width).map(|at| rows.iter().map(|row| row.get(at).map_or(CellRef::Null, Cell::borrow)).collect()).collect()
}
