//! The lifecycle of a resource, ready to serve: the column of the state, and the transitions.

use super::cell::Cell;
use restwell_model::tables::Table;
use restwell_model::{ErrorCode, Problem, Resource, Transition};

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
}

impl LifecyclePlan {
    /// Compiles that of a resource.
    pub(super) fn compile(resource: &Resource, table: &Table) -> Option<Self> {
        let lifecycle = resource.lifecycle.as_ref()?;
        let index = resource.fields.iter().position(|field| field.name == lifecycle.field)?;
        let column = table.slots.get(index)?.columns.start;
        Some(Self { field: lifecycle.field.clone(), index, column, initial: lifecycle.initial.clone() })
    }

    /// The state of a stored entity; none where it was stored before there was a lifecycle.
    pub(crate) fn state<'r>(&self, row: &'r [Cell]) -> Option<&'r str> {
        match row.get(self.column) {
            Some(Cell::Text(state)) => Some(state),
            _ => None,
        }
    }

    /// The error of a transition that the entity is not in the state for.
    pub(crate) fn wrong_state(&self, row: &[Cell]) -> Problem {
        Problem::at(ErrorCode::WrongState, &self.field).with("state", self.state(row))
    }
}

impl TransitionPlan {
    /// Compiles one.
    pub(super) fn compile(transition: &Transition) -> Self {
        let Transition { name, from, to, .. } = transition;
        Self { name: name.clone(), from: from.clone(), to: to.clone() }
    }

    /// Whether an entity is in a state that it starts from.
    pub(crate) fn starts_from(&self, lifecycle: &LifecyclePlan, row: &[Cell]) -> bool {
        lifecycle.state(row).is_some_and(|state| self.from.iter().any(|from| from == state))
    }
}
