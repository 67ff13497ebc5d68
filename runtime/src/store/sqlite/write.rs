//! Changes, each inside the writer's transaction.

use super::delete::{delete, find_for_delete};
use super::explain::explain;
use super::{outbox, read};
use crate::plan::bind;
use crate::plan::cell::Cell;
use crate::plan::render::Cells;
use crate::plan::{Plans, ResourcePlan};
use crate::serve::etag;
use crate::store::{At, Change, ChangeKind, Entity, NewEvent, Refusal};
use restwell_model::events::EventKind;
use restwell_model::input::Shape;
use restwell_model::tables::{CREATED_AT, ID, UPDATED_AT};
use restwell_model::{Problem, Value};
use rusqlite::{Connection, params_from_iter};
use uuid::Uuid;

/// A row about to be written.
pub(super) struct Draft {
    /// All cells, in the table's order.
    pub(super) cells: Vec<Cell>,
    /// Per link table, the ids in the arrays, each with the path of its item.
    pub(super) linked: Vec<Vec<(String, Uuid)>>,
}

/// Does a change.
pub(super) fn apply(connection: &Connection, plans: &Plans, change: &mut Change) -> Result<Entity, Refusal> {
    let plan = &plans.resources[change.at.resource];
    let (draft, problems) = match draft(connection, plan, change)? {
        Some(drafted) => drafted,
        None => return delete(connection, plans, change),
    };
    // giving one's own away, or up, takes more than owning it
    if matches!(&change.kind, ChangeKind::Update(_)) && !change.permit.covers(plan.owner_of(&draft.cells)) {
        return Err(Refusal::Forbidden);
    }
    let is_changed = !matches(connection, plans, change)?;
    if is_changed || !problems.is_empty() {
        // what is invalid comes before what has changed (rulings, "Order of checks")
        let problems = [problems, explain(connection, plan, shape(plan, change), &draft)?].concat();
        return Err(if problems.is_empty() { Refusal::Changed } else { Refusal::Invalid(problems) });
    }
    store(connection, plan, change, &draft)
        .map_err(|error| refuse(connection, plan, shape(plan, change), &draft, error))?;
    let entity = render(connection, plans, change.at, &draft)?;
    if !change.is_dry_run {
        announce(connection, plans, change, &draft, &entity)?;
    }
    Ok(entity)
}

/// What a faulty request breaks besides.
pub(super) fn inspect(connection: &Connection, plans: &Plans, change: &mut Change) -> Result<Vec<Problem>, Refusal> {
    let plan = &plans.resources[change.at.resource];
    let Some((draft, mut problems)) = draft(connection, plan, change)? else {
        return find_for_delete(connection, plan, change).map(|_| Vec::new());
    };
    problems.extend(explain(connection, plan, shape(plan, change), &draft)?);
    Ok(problems)
}

/// The row that a change is about to write, and what is wrong with it; `None` for a deletion. Takes the values out of the
/// change.
fn draft(
    connection: &Connection,
    plan: &ResourcePlan,
    change: &mut Change,
) -> Result<Option<(Draft, Vec<Problem>)>, Refusal> {
    Ok(match &mut change.kind {
        ChangeKind::Delete => None,
        ChangeKind::Create(value) => {
            let value = std::mem::take(value);
            Some((create_draft(plan, change, value), Vec::new()))
        }
        ChangeKind::Update(value) => {
            let value = std::mem::take(value);
            Some(update_draft(connection, plan, change, value)?)
        }
        ChangeKind::Put(value) => {
            let value = std::mem::take(value);
            Some((put_draft(connection, plan, change, value)?, Vec::new()))
        }
    })
}

fn create_draft(plan: &ResourcePlan, change: &Change, value: Value) -> Draft {
    let members = shape(plan, change).members();
    let mut cells = Vec::with_capacity(plan.table.columns.len());
    cells.extend([Cell::Uuid(change.id), Cell::Int(change.now), Cell::Int(change.now)]);
    let linked = linked(plan, change, &value);
    bind::create(&plan.table.slots, members, &plan.forms, value, &mut cells);
    Draft { cells, linked }
}

fn update_draft(
    connection: &Connection,
    plan: &ResourcePlan,
    change: &Change,
    value: Value,
) -> Result<(Draft, Vec<Problem>), Refusal> {
    let current = read::row_by_id(connection, &plan.statements.row, change.id)?.ok_or(Refusal::NotFound)?;
    if !change.permit.covers(plan.owner_of(&current)) {
        return Err(Refusal::Forbidden);
    }
    let mut cells = common(&current, change.now);
    let members = shape(plan, change).members();
    let linked = linked(plan, change, &value);
    let problems = bind::update(&plan.table.slots, members, &plan.forms, value, &current, &mut cells);
    // naming somebody else as the owner takes more than owning it
    if plan.owner_of(&cells).is_some_and(|owner| !change.permit.covers(Some(owner))) {
        return Err(Refusal::Forbidden);
    }
    Ok((Draft { cells, linked }, problems))
}

/// What the change's version and view have.
fn shape<'a>(plan: &'a ResourcePlan, change: &Change) -> &'a Shape {
    &plan.representations(change.at.view)[change.at.version].shape
}

fn put_draft(connection: &Connection, plan: &ResourcePlan, change: &Change, value: Value) -> Result<Draft, Refusal> {
    let current = read::row_by_id(connection, &plan.statements.row, change.id)?.ok_or(Refusal::NotFound)?;
    let mut cells = common(&current, change.now);
    let members = shape(plan, change).members();
    let linked = linked(plan, change, &value);
    bind::create(&plan.table.slots, members, &plan.forms, value, &mut cells);
    Ok(Draft { cells, linked })
}

/// The common cells of a stored row that is about to change.
fn common(current: &[Cell], now: i64) -> Vec<Cell> {
    let updated = current[UPDATED_AT].borrow().int().unwrap_or_default();
    let mut cells = Vec::with_capacity(current.len());
    // a clock that was set back does not make an entity younger
    cells.extend([current[ID].clone(), current[CREATED_AT].clone(), Cell::Int(now.max(updated))]);
    cells
}

fn linked(plan: &ResourcePlan, change: &Change, value: &Value) -> Vec<Vec<(String, Uuid)>> {
    let members = shape(plan, change).members();
    plan.table.links.iter().map(|link| bind::linked_ids(members, value, &link.path)).collect()
}

/// Whether the entity is in a state that `If-Match` names, in whichever version the client saw it.
pub(super) fn matches(connection: &Connection, plans: &Plans, change: &Change) -> Result<bool, Refusal> {
    let mut unmatched: Vec<_> = change.if_match.iter().collect();
    if unmatched.is_empty() {
        return Ok(true);
    }
    let representations = plans.resources[change.at.resource].representations(change.at.view);
    for (version, representation) in representations.iter().enumerate() {
        let at = At { version, ..change.at };
        let entity = read::entity(connection, plans, at, change.id)?.ok_or(Refusal::NotFound)?;
        let tag = etag::tag(&representation.media_type, &entity.body);
        unmatched.retain(|tags| !tags.match_strongly(&tag));
    }
    Ok(unmatched.is_empty())
}

fn store(connection: &Connection, plan: &ResourcePlan, change: &Change, draft: &Draft) -> rusqlite::Result<()> {
    let is_new = matches!(change.kind, ChangeKind::Create(_));
    let sql = if is_new { &plan.statements.insert } else { &plan.statements.update };
    connection.prepare_cached(sql)?.execute(params_from_iter(&draft.cells))?;
    let id = change.id.as_bytes().as_slice();
    for (link, ids) in plan.table.links.iter().zip(&draft.linked) {
        if !is_new {
            let sql = format!("DELETE FROM \"{}\" WHERE \"entity_id\" = ?1", link.table);
            connection.prepare_cached(&sql)?.execute([id])?;
        }
        let sql = format!("INSERT OR IGNORE INTO \"{}\" VALUES (?1, ?2)", link.table);
        let mut insert = connection.prepare_cached(&sql)?;
        for (_, target) in ids {
            insert.execute([id, target.as_bytes().as_slice()])?;
        }
    }
    Ok(())
}

/// A broken constraint says that something is wrong; what, and all of it, is looked up.
fn refuse(
    connection: &Connection,
    plan: &ResourcePlan,
    shape: &Shape,
    draft: &Draft,
    error: rusqlite::Error,
) -> Refusal {
    if error.sqlite_error_code() != Some(rusqlite::ErrorCode::ConstraintViolation) {
        return error.into();
    }
    match explain(connection, plan, shape, draft) {
        Ok(problems) if problems.is_empty() => error.into(),
        Ok(problems) => Refusal::Invalid(problems),
        Err(error) => error.into(),
    }
}

/// Writes the event of a creation or an update: what the resource itself shows in its preferred version, which mostly is
/// what the answer shows.
fn announce(
    connection: &Connection,
    plans: &Plans,
    change: &Change,
    draft: &Draft,
    answer: &Entity,
) -> Result<(), Refusal> {
    let itself = At::itself(change.at.resource);
    let shown = if change.at == itself { None } else { Some(render(connection, plans, itself, draft)?) };
    let event = NewEvent {
        resource: change.at.resource,
        kind: if matches!(change.kind, ChangeKind::Create(_)) { EventKind::Created } else { EventKind::Updated },
        entity: answer.id,
        owner: answer.owner,
        time: draft.cells[UPDATED_AT].borrow().int().unwrap_or(change.now),
        data: &shown.as_ref().unwrap_or(answer).body,
        trace: &change.trace,
    };
    Ok(outbox::record(connection, plans, &event)?)
}

/// The entity as it is now: from the cells just written, or read back where it shows fields of others.
fn render(connection: &Connection, plans: &Plans, at: At, draft: &Draft) -> Result<Entity, Refusal> {
    let plan = &plans.resources[at.resource];
    let representation = &plan.representations(at.view)[at.version];
    let id = draft.cells[ID].uuid().unwrap_or_default();
    if representation.is_joined {
        return read::entity(connection, plans, at, id)?.ok_or(Refusal::NotFound);
    }
    let mut body = Vec::with_capacity(1024);
    representation.render.write(&Cells(&draft.cells), &mut body);
    Ok(Entity { id, owner: plan.owner_of(&draft.cells), body })
}
