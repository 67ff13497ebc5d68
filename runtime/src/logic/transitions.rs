//! Makes the transitions of lifecycles.

use super::rejection::{Cause, Rejection};
use super::transaction::Transaction;
use crate::auth::caller::Caller;
use crate::plan::cell::Cell;
use crate::plan::lifecycle::TransitionPlan;
use crate::plan::{Plans, ResourceIndex, ResourcePlan};
use crate::store::facts::{KnownEntity, KnownFacts};
use crate::store::{Read, ReadResult, StoreError};
use restwell_model::{ErrorCode, Problem, Value};
use uuid::Uuid;

/// Makes a transition of an entity, in a transaction.
///
/// # Errors
///
/// `WrongState` if the entity is not in a state that the transition starts from, or its condition does not hold; what
/// the store and the rules of the resource say of the values that it sets.
pub(crate) async fn make(
    transaction: &Transaction,
    resource: ResourceIndex,
    id: Uuid,
    transition: &TransitionPlan,
) -> Result<(), Rejection> {
    let problem = |problem| Rejection(Cause::Problems(vec![problem]));
    let plan = transaction.plan_of(resource);
    let Some(row) = transaction.row(resource, id).await? else {
        return Err(problem(Problem::new(ErrorCode::NotFound)));
    };
    let now = transaction.now().millis();
    let of =
        TransitionOf { plans: transaction.plans(), plan, transition, row: &row, caller: transaction.caller(), now };
    let read = |read| transaction.look(read);
    if let Some(refused) = of.refusal(read).await? {
        return Err(problem(refused));
    }
    let value = of.values(read).await?;
    transaction.put_transition((resource, plan), id, value).await
}

/// A transition of an entity.
#[derive(Clone, Copy)]
pub(crate) struct TransitionOf<'a> {
    pub(crate) plans: &'a Plans,
    pub(crate) plan: &'a ResourcePlan,
    pub(crate) transition: &'a TransitionPlan,
    /// The entity.
    pub(crate) row: &'a [Cell],
    pub(crate) caller: Option<&'a Caller>,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
}

impl TransitionOf<'_> {
    /// Why it cannot be made.
    pub(crate) async fn refusal<F, R, E>(self, read: F) -> Result<Option<Problem>, E>
    where
        F: Fn(Read) -> R,
        R: Future<Output = Result<ReadResult, E>>,
        E: From<StoreError>,
    {
        let Some(lifecycle) = &self.plan.lifecycle else { return Ok(None) };
        if !self.transition.starts_from(lifecycle, self.row) {
            return Ok(Some(lifecycle.wrong_state(self.row)));
        }
        let is_met = match &self.transition.when {
            Some(when) => self.facts().holds(when, read).await?,
            None => true,
        };
        Ok((!is_met).then(|| lifecycle.wrong_state(self.row).with("unmet", self.transition.name.as_str())))
    }

    /// The values that it leaves.
    async fn values<F, R, E>(self, read: F) -> Result<Value, E>
    where
        F: Fn(Read) -> R,
        R: Future<Output = Result<ReadResult, E>>,
        E: From<StoreError>,
    {
        let mut facts = self.facts();
        let mut changed = Vec::with_capacity(self.transition.set.len() + 1);
        for (index, value) in &self.transition.set {
            changed.push((*index, facts.value(value, &read).await?));
        }
        changed.extend(self.plan.lifecycle.as_ref().map(|it| (it.index, Value::Text(self.transition.to.clone()))));
        let mut value = self.plan.values(self.row);
        if let Value::Object(values) = &mut value {
            for (index, new) in changed {
                if let Some(field) = values.get_mut(index) {
                    *field = new;
                }
            }
        }
        Ok(value)
    }

    fn facts(&self) -> KnownFacts<'_> {
        KnownFacts::new(self.plans, KnownEntity::of(self.plan, self.row), self.caller, self.now)
    }
}
