//! What a transaction locks before it begins its work.
//!
//! What a transaction has read must not change until it ends. An entity that it read is a row, which is locked. The
//! result of a query is guarded by a lock for the whole table: shared by those who write, exclusive for those who
//! queried. If the team's own code locks an entity instead (`Transaction::lock`), this is a row, and no table. All
//! locks are taken first and in one order, tables before rows, so that deadlocks are rare; if there is one, the
//! database aborts one of the transactions, which is repeated.

use crate::plan::statements::TableLockStatements;
use crate::plan::{IndexedBy, Plans, ResourceIndex};
use crate::store::{Change, ChangeKind, QueryGuard, Read, Step};
use std::collections::BTreeMap;
use std::sync::Arc;
use uuid::Uuid;

/// What is locked, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Locks {
    /// By table.
    tables: Vec<LockedTable>,
    /// By table and id.
    rows: BTreeMap<(String, Uuid), RowLock>,
}

/// A table, and how it is locked.
#[derive(Debug, Clone)]
struct LockedTable {
    statements: Arc<TableLockStatements>,
    lock: TableLock,
}

/// How a row is locked.
#[derive(Debug, Clone, Copy, Default)]
struct RowLock {
    /// It is about to be deleted.
    is_deleted: bool,
    /// It guards the result of a query, so it has to exist.
    must_exist: bool,
}

/// The statement that locks a row.
pub(super) struct RowLockStatement {
    pub(super) sql: String,
    pub(super) id: Uuid,
    /// Whether the transaction fails if there is no such row.
    pub(super) must_exist: bool,
}

/// How a table is locked; the later, the stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TableLock {
    /// Its rows are written.
    Written,
    /// No other transaction may write them.
    Kept,
}

impl Locks {
    /// Of changes, each of which locks its row when it reads it.
    pub(super) fn of_changes<'a>(plans: &Plans, changes: impl IntoIterator<Item = &'a Change>) -> Self {
        let mut locks = Self::default();
        for change in changes {
            locks.written(plans, change);
        }
        locks
    }

    /// Of several steps.
    pub(super) fn of_steps<'a>(plans: &Plans, steps: impl IntoIterator<Item = &'a Step>) -> Self {
        let mut locks = Self::default();
        for step in steps {
            match step {
                Step::Verify { read, guard, .. } => locks.look(plans, read, *guard),
                Step::Lock(resource, id) => locks.row(plans, *resource, *id).must_exist = true,
                Step::Write(change) => {
                    let resource = change.at.resource;
                    locks.written(plans, change);
                    match change.kind {
                        ChangeKind::Create(_) => {}
                        ChangeKind::Update(_) | ChangeKind::Put(_) => _ = locks.row(plans, resource, change.id),
                        ChangeKind::Delete => locks.row(plans, resource, change.id).is_deleted = true,
                    }
                }
            }
        }
        locks
    }

    /// Of what may write every table.
    pub(super) fn of_all(plans: &Plans) -> Self {
        let mut locks = Self::default();
        plans.resources.indexed().for_each(|(resource, _)| locks.table(plans, resource, TableLock::Written));
        locks
    }

    /// The tables that a change writes.
    fn written(&mut self, plans: &Plans, change: &Change) {
        let resource = change.at.resource;
        match change.kind {
            ChangeKind::Delete => {
                for touched in plans.changed_by_deletion(resource).into_iter().chain([resource]) {
                    self.table(plans, touched, TableLock::Written);
                }
            }
            _ => self.table(plans, resource, TableLock::Written),
        }
    }

    fn look(&mut self, plans: &Plans, look: &Read, guard: QueryGuard) {
        match (look, guard) {
            (Read::One(resource, id), _) => _ = self.row(plans, *resource, *id),
            (Read::Many(..) | Read::Count(..) | Read::CountTo(..), QueryGuard::Locks) => {}
            (
                Read::Many(resource, query) | Read::Count(resource, query) | Read::CountTo(resource, query),
                QueryGuard::Table,
            ) => {
                for read in query.others().into_iter().flatten().chain([*resource]) {
                    self.table(plans, read, TableLock::Kept);
                }
            }
        }
    }

    fn table(&mut self, plans: &Plans, resource: ResourceIndex, lock: TableLock) {
        let statements = &plans.resources[resource].statements.table_lock;
        match self.tables.binary_search_by(|found| found.statements.table.cmp(&statements.table)) {
            Ok(at) => self.tables[at].lock = lock.max(self.tables[at].lock),
            Err(at) => self.tables.insert(at, LockedTable { statements: Arc::clone(statements), lock }),
        }
    }

    fn row(&mut self, plans: &Plans, resource: ResourceIndex, id: Uuid) -> &mut RowLock {
        let name = plans.resources[resource].table.name.clone();
        self.rows.entry((name, id)).or_default()
    }

    /// The rows that guard the results of queries.
    pub(super) fn guarding(&self) -> impl Iterator<Item = Uuid> {
        self.rows.iter().filter(|(_, lock)| lock.must_exist).map(|((_, id), _)| *id)
    }

    /// The statements that lock the tables, each after a `;`.
    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().map(|table| match table.lock {
            TableLock::Written => &*table.statements.shared,
            TableLock::Kept => &*table.statements.exclusive,
        })
    }

    /// The statements that lock a row each.
    pub(super) fn rows(&self) -> impl Iterator<Item = RowLockStatement> {
        self.rows.iter().map(|((table, id), lock)| {
            // other transactions may refer to a row that is not deleted
            let strength = if lock.is_deleted { "UPDATE" } else { "NO KEY UPDATE" };
            let sql = format!("SELECT 1 FROM \"{table}\" WHERE \"id\" = ?1 FOR {strength}");
            RowLockStatement { sql, id: *id, must_exist: lock.must_exist }
        })
    }
}
