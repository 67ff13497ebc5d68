//! The steps of a transaction: what it read and changed so far, in this order.
//!
//! A change that runs rules has steps of its own, within those of the transaction that it belongs to. They become part
//! of these when the change is accepted. When it is rejected, the changes of its rules are dropped.

use super::overlay::{Overlay, Overlays};
use super::rejection::Rejection;
use crate::plan::Plans;
use crate::store::{Change, ChangeKind, Read, ReadResult, Step, Store, StoreError};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use uuid::Uuid;

/// Reads and changes that a transaction may have in all.
const MAX_STEPS: usize = 10_000;
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
    /// Changes that were executed for reads, in the whole transaction.
    repeated: Arc<AtomicUsize>,
}

#[derive(Default)]
struct StepList {
    all: Vec<Step>,
    changes: usize,
    created: HashSet<Uuid>,
}

impl Steps {
    /// Those of a change within these.
    pub(super) fn within(&self) -> Self {
        Self { outer: Some(Arc::new(self.clone())), repeated: Arc::clone(&self.repeated), ..Self::default() }
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
        if self.sum(|list| list.all.len()) + steps.len() > MAX_STEPS {
            return Err(Rejection::unforeseen(format!("a transaction may have at most {MAX_STEPS} reads and changes")));
        }
        let mut own = self.own();
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
        if self.repeated.fetch_add(changes, Ordering::Relaxed) + changes > MAX_REPEATED_CHANGES {
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

    /// What a read finds after them; `None` if only the store knows.
    pub(super) async fn look(
        &self,
        store: &dyn Store,
        plans: &Plans,
        read: &Read,
    ) -> Result<Option<ReadResult>, StoreError> {
        if self.changes() == 0 {
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
}
