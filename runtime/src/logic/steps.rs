//! The steps of a transaction: what it read and changed so far, in this order.
//!
//! A change that runs rules has steps of its own, within those of the transaction that it belongs to. They become part
//! of these when the change is accepted. When it is rejected, the changes of its rules are dropped.

use super::rejection::Rejection;
use crate::store::{Change, ChangeKind, Read, Step};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use uuid::Uuid;

/// Reads and changes that a transaction may have in all.
const MAX_STEPS: usize = 10_000;

/// What a transaction has gathered so far.
#[derive(Clone, Default)]
pub(crate) struct Steps {
    /// The steps that these are within, which come before them.
    outer: Option<Arc<Steps>>,
    own: Arc<Mutex<Vec<Step>>>,
}

impl Steps {
    /// Those of a change within these.
    pub(super) fn within(&self) -> Self {
        Self { outer: Some(Arc::new(self.clone())), own: Arc::default() }
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
        if self.count(|_| true) + steps.len() > MAX_STEPS {
            return Err(Rejection::unforeseen(format!("a transaction may have at most {MAX_STEPS} reads and changes")));
        }
        self.own().extend(steps);
        Ok(())
    }

    /// Takes them. Those that they are within stay.
    pub(crate) fn take(&self) -> Vec<Step> {
        std::mem::take(&mut self.own())
    }

    /// All, with those that they are within.
    pub(super) fn all(&self) -> Vec<Step> {
        let mut all = self.outer.as_ref().map(|outer| outer.all()).unwrap_or_default();
        all.extend_from_slice(&self.own());
        all
    }

    /// Those on which the result of a read depends: none if it is of an entity that they do not change.
    pub(super) fn before(&self, read: &Read) -> Vec<Step> {
        match read {
            Read::One(_, id) if self.count(|step| step.may_change(*id)) == 0 => Vec::new(),
            _ => self.all(),
        }
    }

    /// How many changes there are.
    pub(super) fn changes(&self) -> usize {
        self.count(Step::is_change)
    }

    /// Whether an entity is one that they create.
    pub(super) fn create(&self, id: Uuid) -> bool {
        let creates = |step: &Step| matches!(step, Step::Write(Change { id: created, kind: ChangeKind::Create(_), .. }) if *created == id);
        self.count(creates) > 0
    }

    fn count(&self, is_counted: impl Fn(&Step) -> bool + Copy) -> usize {
        let outer = self.outer.as_ref().map_or(0, |outer| outer.count(is_counted));
        outer + self.own().iter().filter(|step| is_counted(step)).count()
    }

    fn own(&self) -> MutexGuard<'_, Vec<Step>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was read before anything was changed: what a failure was decided on, as far as it can be read again.
pub(crate) fn reads(steps: Vec<Step>) -> Vec<Step> {
    steps.into_iter().take_while(|step| !step.is_change()).collect()
}

impl Step {
    /// Whether it changes something.
    fn is_change(&self) -> bool {
        matches!(self, Self::Write(_))
    }

    /// Whether it may change this entity: a deletion follows `onDelete` to others.
    fn may_change(&self, entity: Uuid) -> bool {
        matches!(self, Self::Write(change) if change.id == entity || matches!(change.kind, ChangeKind::Delete))
    }
}
