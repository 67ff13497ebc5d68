//! Makes the transitions of lifecycles.

use super::rejection::{Cause, Rejection};
use super::transaction::Transaction;
use crate::plan::ResourceIndex;
use crate::plan::lifecycle::TransitionPlan;
use restwell_model::{ErrorCode, Problem, Value};
use uuid::Uuid;

/// Makes a transition of an entity, in a transaction.
///
/// # Errors
///
/// `WrongState` if the entity is not in a state that the transition starts from; what the store and the rules of the
/// resource say of the values that it sets.
pub(super) async fn make(
    transaction: &Transaction,
    resource: ResourceIndex,
    id: Uuid,
    transition: &TransitionPlan,
) -> Result<(), Rejection> {
    let problem = |problem| Rejection(Cause::Problems(vec![problem]));
    let plan = transaction.plan_of(resource);
    let Some(lifecycle) = &plan.lifecycle else { return Ok(()) };
    let Some(row) = transaction.row(resource, id).await? else {
        return Err(problem(Problem::new(ErrorCode::NotFound)));
    };
    if !transition.starts_from(lifecycle, &row) {
        return Err(problem(lifecycle.wrong_state(&row)));
    }
    let mut value = plan.values(&row);
    if let Value::Object(values) = &mut value
        && let Some(state) = values.get_mut(lifecycle.index)
    {
        *state = Value::Text(transition.to.clone());
    }
    transaction.put_transition((resource, plan), id, value).await
}
