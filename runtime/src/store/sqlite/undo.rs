//! Writes that leave nothing behind where they are refused, or rolled back in any case.

use super::session::{WriterSession, at_once};
use crate::plan::Plans;
use crate::store::sql::{apply, is_decided_late};
use crate::store::weight::Weight;
use crate::store::{Batch, Change, ChangeKind, Entity, Refusal, RepresentationId, Step, StoreError};
use rusqlite::Connection;

/// Bytes of a write that a savepoint undoes, as estimated. SQLite keeps the pages that are changed after a savepoint in
/// memory, as they were; a larger write has a transaction of its own instead.
const MAX_SAVEPOINT_BYTES: usize = 64 * 1024;
/// Changes of a write that a savepoint undoes.
const MAX_SAVEPOINT_CHANGES: usize = 64;

/// How a write is undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undo {
    /// Its first statement decides whether it is refused, and undoes itself.
    Statement,
    /// By a savepoint, in a transaction with other writes.
    Savepoint,
    /// By the end of a transaction that it shares with no other write.
    Transaction,
}

impl Undo {
    /// How a change is undone.
    pub(super) fn of_change(plans: &Plans, change: &Change) -> Self {
        let plan = &plans.resources[change.at.resource];
        // what is answered, and what the event shows
        let is_joined = |at: RepresentationId| plan.representation(at).is_joined;
        let is_joined = is_joined(change.at) || is_joined(RepresentationId::canonical(change.at.resource));
        let is_delete = matches!(change.kind, ChangeKind::Delete);
        // a condition on a new entity is decided once its row is there
        let is_decided_late = is_decided_late(change);
        if plan.table.links.is_empty() && !is_joined && !is_delete && !change.is_dry_run && !is_decided_late {
            return Self::Statement;
        }
        Self::of(change.bytes(), 1)
    }

    /// How a batch is undone.
    pub(super) fn of_batch(batch: &Batch) -> Self {
        Self::of_steps(batch.bytes(), &batch.steps)
    }

    /// How steps are undone; `bytes` is their size, as estimated.
    pub(super) fn of_steps(bytes: usize, steps: &[Step]) -> Self {
        Self::of(bytes, steps.iter().filter(|step| matches!(step, Step::Write(_))).count())
    }

    fn of(bytes: usize, changes: usize) -> Self {
        let is_small = bytes <= MAX_SAVEPOINT_BYTES && changes <= MAX_SAVEPOINT_CHANGES;
        if is_small { Self::Savepoint } else { Self::Transaction }
    }

    fn begin(self, connection: &Connection) -> rusqlite::Result<()> {
        if self == Self::Savepoint {
            connection.prepare_cached("SAVEPOINT change")?.execute([])?;
        }
        Ok(())
    }

    fn end(self, connection: &Connection, is_undone: bool) -> rusqlite::Result<()> {
        let statements: &[&str] = match (self, is_undone) {
            (Self::Savepoint, true) => &["ROLLBACK TO change", "RELEASE change"],
            (Self::Savepoint, false) => &["RELEASE change"],
            // the writer commits what is left: nothing
            (Self::Transaction, true) => &["ROLLBACK", "BEGIN IMMEDIATE"],
            (Self::Transaction, false) | (Self::Statement, _) => &[],
        };
        for statement in statements {
            connection.prepare_cached(statement)?.execute([])?;
        }
        Ok(())
    }
}

/// One change, which leaves nothing behind where it is refused.
pub(super) fn isolated(
    connection: &Connection,
    plans: &Plans,
    undo: Undo,
    change: &mut Change,
) -> Result<Result<Entity, Refusal>, StoreError> {
    let rolls_back = change.is_dry_run;
    let outcome = undoable(connection, undo, rolls_back, || at_once(apply(&WriterSession(connection), plans, change)));
    match outcome {
        // the row may be written without its event: the whole transaction is rolled back
        Ok(Err(Refusal::Failed(error))) if undo == Undo::Statement && !is_decided_before(&error) => Err(error),
        outcome => outcome,
    }
}

/// Whether a failure is one of what is read before the first row is written: a condition that takes too long.
fn is_decided_before(error: &StoreError) -> bool {
    matches!(error, StoreError::TooCostly(_))
}

/// Work that leaves nothing behind where it is refused, or rolled back in any case.
pub(super) fn undoable<T>(
    connection: &Connection,
    undo: Undo,
    rolls_back: bool,
    work: impl FnOnce() -> Result<T, Refusal>,
) -> Result<Result<T, Refusal>, StoreError> {
    undo.begin(connection)?;
    let outcome = work();
    if let Err(Refusal::Failed(error @ (StoreError::Unavailable(_) | StoreError::Corrupt(_)))) = outcome {
        // it fails the others of the transaction as well, and the next ones
        return Err(error);
    }
    undo.end(connection, outcome.is_err() || rolls_back)?;
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::{MAX_SAVEPOINT_BYTES, MAX_SAVEPOINT_CHANGES, Undo, undoable};
    use crate::store::{Refusal, StoreError};
    use rusqlite::Connection;

    fn insert(connection: &Connection) -> Result<usize, Refusal> {
        connection.execute("INSERT INTO t VALUES (1)", []).map_err(|error| StoreError::from(error).into())
    }

    /// The rows that are there after a transaction of one write.
    fn rows_after(undo: Undo, rolls_back: bool, is_refused: bool) -> i64 {
        let connection = Connection::open_in_memory().expect("opens");
        connection.execute_batch("CREATE TABLE t (x); BEGIN IMMEDIATE").expect("begins");
        let work = || if is_refused { insert(&connection).and(Err(Refusal::NotFound)) } else { insert(&connection) };
        let outcome = undoable(&connection, undo, rolls_back, work).expect("the transaction goes on");
        assert_eq!(outcome.is_err(), is_refused);
        connection.execute_batch("COMMIT").expect("is still in a transaction");
        connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).expect("counts")
    }

    #[test]
    fn what_is_refused_or_rolled_back_leaves_nothing() {
        for undo in [Undo::Savepoint, Undo::Transaction] {
            assert_eq!(rows_after(undo, false, false), 1);
            assert_eq!(rows_after(undo, false, true), 0, "{undo:?} of a refused write");
            assert_eq!(rows_after(undo, true, false), 0, "{undo:?} of a write that is rolled back");
        }
    }

    #[test]
    fn a_database_that_takes_no_writes_fails_the_whole_transaction() {
        let connection = Connection::open_in_memory().expect("opens");
        connection.execute_batch("CREATE TABLE t (x); PRAGMA query_only = ON; BEGIN").expect("begins");
        for undo in [Undo::Statement, Undo::Savepoint, Undo::Transaction] {
            let outcome = undoable(&connection, undo, false, || insert(&connection));
            assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{undo:?}: {outcome:?}");
        }
    }

    #[test]
    fn large_writes_have_a_transaction_of_their_own() {
        assert_eq!(Undo::of(MAX_SAVEPOINT_BYTES, MAX_SAVEPOINT_CHANGES), Undo::Savepoint);
        assert_eq!(Undo::of(MAX_SAVEPOINT_BYTES + 1, 1), Undo::Transaction);
        assert_eq!(Undo::of(0, MAX_SAVEPOINT_CHANGES + 1), Undo::Transaction);
    }
}
