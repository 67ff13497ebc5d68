//! Which state tables and rows are in: a number for each resource and for each group of rows, which changes with each
//! commit that changes rows of it.
//!
//! Only this process writes rows of resources, so the numbers are in memory. (`commands retry` and `cancel` write from
//! another process, but only to the table of commands. What else others write: `other_programs`.) A number is odd while
//! a commit may become visible: a reader that finds the same even number before its snapshot and after it knows that no
//! commit came between, and that the snapshot is of the state with this number.

use crate::plan::{Plans, ResourceIndex};
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The groups of rows, of all resources together. A commit that changes one row of a group gives the whole group a new
/// number.
const ROW_GROUPS: usize = 16 * 1024;

/// The state of a resource's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TableVersion(u64);

/// The state of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowVersion {
    place: usize,
    number: u64,
}

/// The states of all resources' rows.
#[derive(Debug)]
pub(super) struct TableVersions {
    /// Those of resources, by their position; then those of groups of rows.
    states: Vec<StateNumber>,
    resources: usize,
    /// Which of them the open transaction has changed.
    changed: Mutex<Vec<usize>>,
    /// Where the number of the row is that was changed last; 0 if there is none.
    last: AtomicUsize,
}

#[derive(Debug, Default)]
struct StateNumber {
    number: AtomicU64,
    /// Rows that the open transaction has changed, one that is changed twice counted twice.
    changes: AtomicU64,
}

impl TableVersions {
    /// Of a database, whose writing connection notes from now on what it changes.
    pub(super) fn watch(connection: &mut Connection, plans: &Plans) -> rusqlite::Result<Arc<Self>> {
        let versions = Arc::new(Self::new(plans.resources.len()));
        let mut tables = HashMap::new();
        for (position, plan) in plans.resources.iter().enumerate() {
            let links = plan.table.links.iter().map(|link| link.table.clone());
            tables.extend(links.chain([plan.table.name.clone()]).map(|table| (table, position)));
        }
        let watching = Arc::clone(&versions);
        connection.update_hook(Some(move |_, _: &str, table: &str, row: i64| {
            if let Some(position) = tables.get(table) {
                watching.note(*position, row);
            }
        }))?;
        Ok(versions)
    }

    /// Of a service with this number of resources.
    pub(super) fn new(resources: usize) -> Self {
        let states = std::iter::repeat_with(StateNumber::default).take(resources + ROW_GROUPS).collect();
        Self { states, resources, changed: Mutex::default(), last: AtomicUsize::default() }
    }

    /// The state of a resource's rows; `None` while a commit changes it.
    pub(super) fn of(&self, resource: ResourceIndex) -> Option<TableVersion> {
        self.number(resource.position()).map(TableVersion)
    }

    /// The state of the row with this number; `None` while a commit changes it.
    pub(super) fn of_row(&self, resource: ResourceIndex, row: i64) -> Option<RowVersion> {
        self.again(RowVersion { place: self.place(resource.position(), row), number: 0 })
    }

    /// The state that a row is in by now; `None` while a commit changes it.
    pub(super) fn again(&self, RowVersion { place, .. }: RowVersion) -> Option<RowVersion> {
        self.number(place).map(|number| RowVersion { place, number })
    }

    /// Whether a row is still in this state.
    pub(super) fn is_current(&self, version: RowVersion) -> bool {
        self.again(version) == Some(version)
    }

    /// Does a part of the open transaction. Also returns the state of the row that this part changed last: the state
    /// that the row has after the commit, unless the transaction changes it again.
    pub(super) fn left_by<T>(&self, work: impl FnOnce() -> T) -> (T, Option<RowVersion>) {
        self.last.store(0, Ordering::Relaxed);
        let done = work();
        let place = self.last.load(Ordering::Relaxed);
        let state = self.states.get(place).filter(|_| place > 0);
        (done, state.map(|state| RowVersion { place, number: state.after_commit() }))
    }

    /// Before a commit: reads of the changed rows may see either state.
    pub(super) fn begin_commit(&self) {
        for place in self.changed().iter() {
            self.states[*place].number.fetch_or(1, Ordering::SeqCst);
        }
    }

    /// After a commit, or where there was none.
    pub(super) fn end_commit(&self) {
        for place in self.changed().drain(..) {
            let state = &self.states[place];
            state.number.store(state.after_commit(), Ordering::SeqCst);
            state.changes.store(0, Ordering::Relaxed);
        }
    }

    /// All may have changed. To be called by the thread that writes, outside transactions.
    pub(super) fn all_changed(&self) {
        for state in &self.states {
            state.number.fetch_add(2, Ordering::SeqCst);
        }
    }

    /// Notes that the open transaction has changed a row.
    pub(super) fn note(&self, resource: usize, row: i64) {
        let place = self.place(resource, row);
        for place in [resource, place] {
            if self.states[place].changes.fetch_add(1, Ordering::Relaxed) == 0 {
                self.changed().push(place);
            }
        }
        self.last.store(place, Ordering::Relaxed);
    }

    fn number(&self, place: usize) -> Option<u64> {
        let number = self.states.get(place)?.number.load(Ordering::SeqCst);
        number.is_multiple_of(2).then_some(number)
    }

    /// Where the number of a row's group is.
    fn place(&self, resource: usize, row: i64) -> usize {
        // tables begin at different groups
        let group = row.cast_unsigned().wrapping_add((resource as u64).wrapping_mul(0x9E37_79B9));
        self.resources + (group % ROW_GROUPS as u64) as usize
    }

    fn changed(&self) -> MutexGuard<'_, Vec<usize>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StateNumber {
    /// What the number is after the open transaction, if this changes nothing more. Each change counts, so that the
    /// state between two is not taken for the last one.
    fn after_commit(&self) -> u64 {
        let before = self.number.load(Ordering::SeqCst) & !1;
        before + 2 * self.changes.load(Ordering::Relaxed)
    }
}
