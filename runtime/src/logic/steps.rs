//! The steps of a transaction: what it read and changed so far, in this order.
//!
//! A change that runs rules has steps of its own, within those of the transaction that it belongs to. They become part
//! of these when the change is accepted. When it is rejected, the changes of its rules are dropped.

use super::overlay::{Overlay, Overlays};
use super::rejection::Rejection;
use crate::plan::cell::Cell;
use crate::plan::{Plans, ResourceIndex};
use crate::store::weight::bytes_of;
use crate::store::{Change, ChangeKind, Read, ReadResult, Step, Store, StoreError};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use uuid::Uuid;

/// Reads and changes that a transaction may have in all, besides those of entities that a query found to be changed.
const MAX_STEPS: usize = 10_000;
/// Reads and changes for each entity that a query found to be changed, with those of its rules, on average.
const MAX_STEPS_EACH: usize = 16;
/// Bytes of a transaction's reads and changes.
const MAX_STEP_BYTES: usize = 32 * 1024 * 1024;
/// Changes that its reads and its `check`s may execute in all, beyond those that are executed at its commit.
const MAX_REPEATED_CHANGES: usize = 50_000;

/// What a transaction has gathered so far.
#[derive(Clone, Default)]
pub(crate) struct Steps {
    /// The steps that these are within, which come before them.
    outer: Option<Arc<Steps>>,
    own: Arc<Mutex<StepList>>,
    /// What the own changes leave. Those that these are within are locked before.
    overlay: Arc<tokio::sync::Mutex<Overlay>>,
    /// What was done in the whole transaction.
    work: Arc<TransactionWork>,
}

/// What a transaction has done so far, with all steps that are within others.
#[derive(Default)]
struct TransactionWork {
    /// Changes that were executed for reads.
    repeated: AtomicUsize,
    /// Entities that queries found to be changed.
    found: AtomicUsize,
}

#[derive(Default)]
struct StepList {
    all: Vec<Step>,
    changes: usize,
    bytes: usize,
    created: HashSet<Uuid>,
}

impl Steps {
    /// Those of a change within these.
    pub(super) fn within(&self) -> Self {
        Self { outer: Some(Arc::new(self.clone())), work: Arc::clone(&self.work), ..Self::default() }
    }

    /// Adds one.
    ///
    /// # Errors
    ///
    /// There are too many.
    pub(super) fn push(&self, step: Step) -> Result<(), Rejection> {
        self.extend(vec![step])
    }

    /// Adds several.
    ///
    /// # Errors
    ///
    /// There are too many.
    pub(super) fn extend(&self, steps: Vec<Step>) -> Result<(), Rejection> {
        let most = MAX_STEPS + self.work.found.load(Ordering::Relaxed) * MAX_STEPS_EACH;
        if self.sum(|list| list.all.len()) + steps.len() > most {
            return Err(Rejection::unforeseen(format!("a transaction may have at most {most} reads and changes")));
        }
        let bytes = steps.iter().map(bytes_of).sum::<usize>();
        if self.sum(|list| list.bytes) + bytes > MAX_STEP_BYTES {
            let most = MAX_STEP_BYTES / (1024 * 1024);
            return Err(Rejection::unforeseen(format!("a transaction may have at most {most} MiB of changes")));
        }
        let mut own = self.own();
        own.bytes += bytes;
        for step in steps {
            if let Step::Write(change) = &step {
                own.changes += 1;
                if matches!(change.kind, ChangeKind::Create(_)) {
                    own.created.insert(change.id);
                }
            }
            own.all.push(step);
        }
        Ok(())
    }

    /// Takes them. Those that they are within stay.
    pub(crate) fn take(&self) -> Vec<Step> {
        std::mem::take(&mut *self.own()).all
    }

    /// All, with those that they are within.
    ///
    /// # Errors
    ///
    /// They would be executed too often.
    pub(super) fn to_be_repeated(&self) -> Result<Vec<Step>, Rejection> {
        let changes = self.changes();
        if self.work.repeated.fetch_add(changes, Ordering::Relaxed) + changes > MAX_REPEATED_CHANGES {
            return Err(Rejection::unforeseen(format!(
                "checks, and reads of what deletions change by `onDelete`, repeat the changes before them: \
                 more than {MAX_REPEATED_CHANGES} in one transaction"
            )));
        }
        Ok(self.all())
    }

    /// How many changes there are.
    pub(super) fn changes(&self) -> usize {
        self.sum(|list| list.changes)
    }

    /// Whether an entity is one that they create.
    pub(super) fn create(&self, id: Uuid) -> bool {
        self.sum(|list| usize::from(list.created.contains(&id))) > 0
    }

    /// Takes note of rows of a resource that are about to change: they are not read again, and their changes may have
    /// steps of their own.
    pub(super) async fn know(&self, resource: ResourceIndex, rows: &[Vec<Cell>]) {
        self.work.found.fetch_add(rows.len(), Ordering::Relaxed);
        self.overlay.lock().await.know(resource, rows);
    }

    /// What a read finds after them; `None` if only the store knows.
    pub(super) async fn look(
        &self,
        store: &dyn Store,
        plans: &Plans,
        read: &Read,
    ) -> Result<Option<ReadResult>, StoreError> {
        if self.changes() == 0 && self.work.found.load(Ordering::Relaxed) == 0 {
            return store.look(read.clone(), Vec::new()).await.map(Some);
        }
        let mut overlays = Overlays { store, plans, levels: Vec::new() };
        for level in self.levels() {
            let overlay = Arc::clone(&level.overlay).lock_owned().await;
            let (changes, steps) = level.changes_from(overlay.steps);
            overlays.levels.push(overlay);
            overlays.extend(changes, steps).await?;
        }
        overlays.look(read).await
    }

    /// Those that these are within, the outermost first, and these.
    fn levels(&self) -> Vec<&Self> {
        let mut levels: Vec<_> = std::iter::successors(Some(self), |steps| steps.outer.as_deref()).collect();
        levels.reverse();
        levels
    }

    fn all(&self) -> Vec<Step> {
        self.levels().into_iter().flat_map(|level| level.own().all.clone()).collect()
    }

    /// The own changes from a step on, and the number of own steps.
    fn changes_from(&self, step: usize) -> (Vec<Change>, usize) {
        let own = self.own();
        let new = own.all.iter().skip(step).filter_map(|step| match step {
            Step::Write(change) => Some(change.clone()),
            Step::Verify { .. } | Step::Lock(..) => None,
        });
        (new.collect(), own.all.len())
    }

    fn sum(&self, count: impl Fn(&StepList) -> usize) -> usize {
        self.levels().into_iter().map(|level| count(&level.own())).sum()
    }

    fn own(&self) -> MutexGuard<'_, StepList> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was read before anything was changed: what a failure was decided on, as far as it can be read again.
pub(crate) fn reads(steps: Vec<Step>) -> Vec<Step> {
    steps.into_iter().take_while(|step| !matches!(step, Step::Write(_))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::etag::Preconditions;
    use crate::observe::trace::Trace;
    use crate::plan::permission::Permit;
    use crate::plan::viewer::Viewer;
    use crate::store::RepresentationId;
    use futures_util::FutureExt;
    use restwell_model::Value;

    fn deletion() -> Step {
        let (at, trace) = (RepresentationId::canonical(0.into()), Trace::new());
        let (permit, preconditions, kind) = (Permit::All, Preconditions::default(), ChangeKind::Delete);
        Step::Write(Change {
            at,
            id: Uuid::nil(),
            now: 0,
            permit,
            viewer: Viewer::Everything,
            preconditions,
            is_dry_run: false,
            trace,
            author: None,
            faulty: Vec::new(),
            given: Vec::new(),
            is_transition: false,
            kind,
        })
    }

    #[test]
    fn what_is_executed_again_is_bounded_in_the_whole_transaction() {
        let steps = Steps::default();
        steps.extend(vec![deletion(); MAX_STEPS / 2]).unwrap();
        let inner = steps.within();
        inner.extend(vec![deletion(); MAX_STEPS / 2]).unwrap();
        assert!(inner.push(deletion()).is_err());
        for _ in 0..MAX_REPEATED_CHANGES / MAX_STEPS {
            assert_eq!(inner.to_be_repeated().unwrap().len(), MAX_STEPS);
        }
        assert!(inner.to_be_repeated().is_err());
        assert!(steps.to_be_repeated().is_err());
    }

    #[test]
    fn each_entity_that_a_query_finds_has_steps_of_its_own() {
        let steps = Steps::default();
        steps.know(0.into(), &vec![Vec::new(); 500]).now_or_never().unwrap();
        let inner = steps.within();
        inner.extend(vec![deletion(); MAX_STEPS + 500 * MAX_STEPS_EACH]).unwrap();
        assert!(inner.push(deletion()).is_err());
    }

    #[test]
    fn the_bytes_of_a_transaction_are_bounded() {
        let steps = Steps::default();
        let large = || {
            let Step::Write(change) = deletion() else { unreachable!() };
            Step::Write(Change { kind: ChangeKind::Put(Value::Text("x".repeat(MAX_STEP_BYTES / 4))), ..change })
        };
        steps.extend(vec![large(), large()]).unwrap();
        let inner = steps.within();
        inner.push(large()).unwrap();
        assert!(inner.push(large()).is_err());
    }
}
