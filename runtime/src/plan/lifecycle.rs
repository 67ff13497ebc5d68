//! The lifecycle of a resource, ready to serve: the column of the state, and the transitions.

use super::cell::Cell;
use super::conditions::ConditionPlan;
use super::rules::value_of;
use restwell_model::condition::{Scope, Typed};
use restwell_model::tables::Table;
use restwell_model::{Checked, ErrorCode, Problem, Resource, Transition};

/// The states of an entity.
#[derive(Debug)]
pub(crate) struct LifecyclePlan {
    /// The field, as in JSON.
    pub(crate) field: String,
    /// Its position in the model.
    pub(crate) index: usize,
    /// Its column.
    pub(crate) column: usize,
    /// The state of a new entity.
    pub(crate) initial: String,
    /// What happens by itself.
    pub(crate) by_clock: Vec<ClockTransition>,
}

/// A transition that the clock makes.
#[derive(Debug)]
pub(crate) struct ClockTransition {
    /// The column of its time.
    pub(crate) column: usize,
    /// What has to hold besides, to find the entities for which it does.
    pub(crate) when: Option<ConditionPlan>,
    /// What it does.
    pub(crate) transition: TransitionPlan,
}

/// A way from some states to one.
#[derive(Debug)]
pub(crate) struct TransitionPlan {
    /// Its name.
    pub(crate) name: String,
    /// The states that it starts from.
    pub(crate) from: Vec<String>,
    /// The state that it leads to.
    pub(crate) to: String,
    /// What has to hold besides.
    pub(crate) when: Option<Typed>,
    /// The fields that it sets, by their positions in the model, and their values.
    pub(crate) set: Vec<(usize, Typed)>,
}

impl LifecyclePlan {
    /// Compiles that of a resource.
    pub(super) fn compile(service: &Checked, resource: &Resource, table: &Table) -> Option<Self> {
        let lifecycle = resource.lifecycle.as_ref()?;
        let index = resource.fields.iter().position(|field| field.name == lifecycle.field)?;
        let column = table.slots.get(index)?.columns.start;
        let by_clock = lifecycle.by_clock().filter_map(|(transition, at)| {
            let column = table.slot(at)?.columns.start;
            let when = transition.when.as_ref();
            let when = when.and_then(|when| ConditionPlan::compile(service, Some(resource), when));
            Some(ClockTransition { column, when, transition: TransitionPlan::compile(service, resource, transition) })
        });
        let (field, initial, by_clock) = (lifecycle.field.clone(), lifecycle.initial.clone(), by_clock.collect());
        Some(Self { field, index, column, initial, by_clock })
    }

    /// The state of a stored entity; none where it was stored before there was a lifecycle.
    pub(crate) fn state<'r>(&self, row: &'r [Cell]) -> Option<&'r str> {
        match row.get(self.column) {
            Some(Cell::Text(state)) => Some(state),
            _ => None,
        }
    }

    /// The error of a transition that is not possible in the state of the entity.
    pub(crate) fn wrong_state(&self, row: &[Cell]) -> Problem {
        Problem::at(ErrorCode::WrongState, &self.field).with("state", self.state(row))
    }
}

impl TransitionPlan {
    /// Compiles one.
    pub(super) fn compile(service: &Checked, resource: &Resource, transition: &Transition) -> Self {
        let Transition { name, from, to, set, when, at: _ } = transition;
        let scope = Scope { service, entity: Some(resource), old: false };
        let set = set.iter().filter_map(|(name, value)| {
            let index = resource.fields.iter().position(|field| field.name == *name)?;
            Some((index, value_of(service, resource, &resource.fields[index], value)?))
        });
        Self {
            name: name.clone(),
            from: from.clone(),
            to: to.clone(),
            // what `check` let pass can be resolved
            when: when.as_ref().and_then(|when| when.typed(&scope).ok()),
            set: set.collect(),
        }
    }

    /// Whether an entity is in a state that it starts from.
    pub(crate) fn starts_from(&self, lifecycle: &LifecyclePlan, row: &[Cell]) -> bool {
        lifecycle.state(row).is_some_and(|state| self.from.iter().any(|from| from == state))
    }
}
