//! The row that a change leaves: what is written, and what the author of the change reads before it is written.

use super::Change;
use crate::plan::ResourcePlan;
use crate::plan::bind;
use crate::plan::cell::Cell;
use restwell_model::input::Shape;
use restwell_model::tables::{CREATED_AT, ID, UPDATED_AT};
use restwell_model::{Problem, Value};

/// The row of a new entity.
pub(crate) fn created(plan: &ResourcePlan, change: &Change, mut value: Value) -> Vec<Cell> {
    plan.set_initial_state(&mut value);
    let mut cells = Vec::with_capacity(plan.table.columns.len());
    cells.extend([Cell::Uuid(change.id), Cell::Int(change.now), Cell::Int(change.now)]);
    bind::create(&plan.table.slots, shape(plan, change).members(), &plan.forms, value, &mut cells);
    cells
}

/// A row whose values are all replaced.
pub(crate) fn replaced(plan: &ResourcePlan, change: &Change, value: Value, current: &[Cell]) -> Vec<Cell> {
    let mut cells = common(current, change.now);
    bind::create(&plan.table.slots, shape(plan, change).members(), &plan.forms, value, &mut cells);
    cells
}

/// A row of which the absent values are kept, and the immutable ones that would change.
pub(crate) fn updated(
    plan: &ResourcePlan,
    change: &Change,
    value: Value,
    current: &[Cell],
) -> (Vec<Cell>, Vec<Problem>) {
    let mut cells = common(current, change.now);
    let members = shape(plan, change).members();
    let problems = bind::update(&plan.table.slots, members, &plan.forms, value, current, &mut cells);
    (cells, problems)
}

/// What the change's version and view have.
pub(crate) fn shape<'a>(plan: &'a ResourcePlan, change: &Change) -> &'a Shape {
    &plan.representation(change.at).shape
}

/// The common cells of a stored row that is about to change.
fn common(current: &[Cell], now: i64) -> Vec<Cell> {
    let updated = current[UPDATED_AT].borrow().int().unwrap_or_default();
    let mut cells = Vec::with_capacity(current.len());
    // a clock that was set back does not make an entity younger
    cells.extend([current[ID].clone(), current[CREATED_AT].clone(), Cell::Int(now.max(updated))]);
    cells
}
