//! What the service itself gives a new entity, before rules see it: its state, and defaults that are computed
//! (`default: { is: … }`).

use crate::auth::caller::Caller;
use crate::plan::{Plans, ResourcePlan};
use crate::store::facts::{KnownEntity, KnownFacts};
use crate::store::{Read, ReadResult, StoreError};
use restwell_model::{ErrorCode, Problem, Value};
use uuid::Uuid;

/// The creation of an entity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Creation<'a> {
    /// Its id.
    pub(crate) id: Uuid,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
    /// Who creates it.
    pub(crate) caller: Option<&'a Caller>,
}

impl ResourcePlan {
    /// The positions of its computed defaults whose fields a request omits.
    pub(crate) fn omitted_defaults(&self, value: &Value) -> Vec<usize> {
        self.defaults_where(value, |value| *value == Value::Absent)
    }

    /// Puts a new entity into the first state of its lifecycle, where its values say none.
    pub(crate) fn set_initial_state(&self, value: &mut Value) {
        if let (Some(lifecycle), Value::Object(values)) = (&self.lifecycle, value)
            && let Some(state @ (Value::Absent | Value::Null)) = values.get_mut(lifecycle.index)
        {
            *state = Value::Text(lifecycle.initial.clone());
        }
    }

    /// The positions of its computed defaults whose fields have no value.
    pub(crate) fn blank_defaults(&self, value: &Value) -> Vec<usize> {
        self.defaults_where(value, |value| matches!(value, Value::Absent | Value::Null))
    }

    fn defaults_where(&self, value: &Value, is_blank: impl Fn(&Value) -> bool) -> Vec<usize> {
        let Value::Object(values) = value else { return Vec::new() };
        let defaults = self.defaults.iter().enumerate();
        let blank = defaults.filter(|(_, default)| values.get(default.index).is_none_or(&is_blank));
        blank.map(|(position, _)| position).collect()
    }
}

/// Gives a new entity its state and the defaults that are computed, all of them on the values that were given; the
/// required ones that are null are problems.
///
/// # Errors
///
/// The store's.
pub(crate) async fn fill<F, R, E>(
    plans: &Plans,
    (plan, omitted): (&ResourcePlan, &[usize]),
    creation: Creation<'_>,
    value: &mut Value,
    read: F,
) -> Result<Vec<Problem>, E>
where
    F: Fn(Read) -> R,
    R: Future<Output = Result<ReadResult, E>>,
    E: From<StoreError>,
{
    plan.set_initial_state(value);
    if omitted.is_empty() {
        return Ok(Vec::new());
    }
    let Creation { id, now, caller } = creation;
    let mut facts = KnownFacts::new(plans, KnownEntity::new(id, now, value.clone()), caller, now);
    let mut problems = Vec::new();
    for default in omitted.iter().filter_map(|position| plan.defaults.get(*position)) {
        let computed = facts.value(&default.value, &read).await?;
        if computed.is_null() && default.is_required {
            problems.push(Problem::at(ErrorCode::Required, &default.name));
        }
        if let Value::Object(values) = value
            && let Some(field) = values.get_mut(default.index)
        {
            *field = computed;
        }
    }
    Ok(problems)
}
