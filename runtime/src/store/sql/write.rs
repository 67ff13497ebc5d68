//! Changes, each inside a transaction.

use super::delete::{delete, find_for_delete};
use super::explain::explain;
use super::rules::{broken, with_broken};
use super::visible::{hidden_references, referred, require_seen};
use super::{Session, SqlFailure, look, outbox};
use crate::plan::bind;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::permission::Permit;
use crate::plan::render::Cells;
use crate::plan::viewer::Viewer;
use crate::plan::{IndexedBy, Plans, ResourcePlan};
use crate::store::changed_row::{self, shape};
use crate::store::{Change, ChangeKind, Entity, NewEvent, Read, Refusal, RepresentationId, StoreError, field_guard};
use restwell_model::events::EventKind;
use restwell_model::tables::{ID, UPDATED_AT};
use restwell_model::{Problem, Value};
use uuid::Uuid;

/// A row about to be written.
pub(super) struct RowDraft {
    /// All cells, in the table's order.
    pub(super) cells: Vec<Cell>,
    /// Per link table, the ids in the arrays, each with the path of its item.
    pub(super) linked: Vec<Vec<(String, Uuid)>>,
    /// What the stored row refers to already, where that matters.
    pub(super) kept: Vec<Uuid>,
    /// The fields that the author of the change does not see, and that stay as they are.
    pub(super) unseen: Vec<String>,
}

/// A change before it is written.
struct Drafted {
    draft: RowDraft,
    /// The row that it replaces.
    stored: Option<Vec<Cell>>,
    /// What is wrong with it.
    problems: Vec<Problem>,
}

/// Does a change.
pub(in crate::store) async fn apply(
    session: &impl Session,
    plans: &Plans,
    change: &mut Change,
) -> Result<Entity, Refusal> {
    let plan = &plans.resources[change.at.resource];
    let Drafted { draft, stored, problems } = match draft(session, plans, change).await? {
        Some(drafted) => drafted,
        None => return Box::pin(delete(session, plans, change)).await,
    };
    keep_state(plan, change, &draft.cells, stored.as_deref())?;
    // giving one's own away, or up, takes more than owning it
    if matches!(&change.kind, ChangeKind::Update(_)) && !change.permit.keeps(plan.owner_of(&draft.cells)) {
        return Err(Refusal::Forbidden);
    }
    let is_changed = !meets_preconditions(session, plans, change).await?;
    let broken = broken(session, plans, change, &draft.cells, stored.as_deref()).await?;
    let hidden = hidden_references(session, plans, change, &draft).await?;
    if is_changed || !problems.is_empty() || !broken.is_empty() || !hidden.is_empty() {
        // what is invalid comes before what has changed (decisions, "Order of checks")
        let mut found = [problems, explain(session, plans, change, &draft).await?].concat();
        let hidden: Vec<_> = hidden.into_iter().filter(|problem| !found.contains(problem)).collect();
        found.extend(hidden);
        let problems = with_broken(found, broken);
        return Err(if problems.is_empty() { Refusal::Changed } else { Refusal::Invalid(problems) });
    }
    if let Err(failure) = store(session, plan, change, (&draft, stored.as_deref())).await {
        return Err(refuse(session, plans, change, &draft, failure).await);
    }
    if is_decided_late(change) && !permits(session, plan, change, &draft.cells).await? {
        return Err(Refusal::Forbidden);
    }
    let entity = render(session, plans, change.at, &draft, &change.viewer).await?;
    if !change.is_dry_run {
        announce(session, plans, change, &draft, &entity).await?;
    }
    Ok(entity)
}

/// What a faulty request breaks besides.
pub(in crate::store) async fn inspect(
    session: &impl Session,
    plans: &Plans,
    change: &mut Change,
) -> Result<Vec<Problem>, Refusal> {
    let Some(Drafted { draft, stored, mut problems }) = draft(session, plans, change).await? else {
        return find_for_delete(session, plans, change).await.map(|_| Vec::new());
    };
    let broken = broken(session, plans, change, &draft.cells, stored.as_deref()).await?;
    problems.extend(explain(session, plans, change, &draft).await?);
    Ok(with_broken(problems, broken))
}

/// The row that a change is about to write, and what is wrong with it; `None` for a deletion. Takes the values out of
/// the change.
async fn draft(session: &impl Session, plans: &Plans, change: &mut Change) -> Result<Option<Drafted>, Refusal> {
    let plan = &plans.resources[change.at.resource];
    Ok(match &mut change.kind {
        ChangeKind::Delete => None,
        ChangeKind::Create(value) => {
            let value = std::mem::take(value);
            let draft = create_draft(plan, change, value);
            let read = |read: Read| async move { look(session, plans, &read, &[]).await.map_err(Refusal::from) };
            let forbidden = field_guard::forbidden_at_creation(plans, change, &draft.cells, read).await?;
            if !forbidden.is_empty() {
                return Err(Refusal::FieldsForbidden(forbidden));
            }
            Some(Drafted { draft, stored: None, problems: Vec::new() })
        }
        ChangeKind::Update(value) => {
            let value = std::mem::take(value);
            Some(update_draft(session, plans, change, value).await?)
        }
        ChangeKind::Put(value) => {
            let value = std::mem::take(value);
            Some(put_draft(session, plan, change, value).await?)
        }
    })
}

/// Refuses code of the service that sets the state of an entity: that is left to transitions.
fn keep_state(plan: &ResourcePlan, change: &Change, cells: &[Cell], stored: Option<&[Cell]>) -> Result<(), Refusal> {
    let Some(lifecycle) = plan.lifecycle.as_ref().filter(|_| !change.is_transition) else { return Ok(()) };
    let before = stored.map_or(Some(lifecycle.initial.as_str()), |stored| lifecycle.state(stored));
    if lifecycle.state(cells) == before {
        return Ok(());
    }
    let reason = format!(
        "`{}.{}` is the state of a lifecycle: only its transitions change it, and a new entity is in `{}`",
        plan.name, lifecycle.field, lifecycle.initial
    );
    Err(StoreError::Internal(reason).into())
}

fn create_draft(plan: &ResourcePlan, change: &Change, value: Value) -> RowDraft {
    let linked = linked(plan, change, &value);
    RowDraft { cells: changed_row::created(plan, change, value), linked, kept: Vec::new(), unseen: Vec::new() }
}

async fn update_draft(
    session: &impl Session,
    plans: &Plans,
    change: &Change,
    value: Value,
) -> Result<Drafted, Refusal> {
    let plan = &plans.resources[change.at.resource];
    let current = stored(session, plan, change).await?;
    require_seen(session, plans, change).await?;
    if !permits(session, plan, change, &current).await? {
        return Err(Refusal::Forbidden);
    }
    let read = |read: Read| async move { look(session, plans, &read, &[]).await.map_err(Refusal::from) };
    let guarded = field_guard::update(plans, change, value, &current, read).await?;
    if !guarded.forbidden.is_empty() {
        return Err(Refusal::FieldsForbidden(guarded.forbidden));
    }
    // what is kept refers to others, too
    let of_request = (!bind::keeps_some(&guarded.value)).then(|| linked(plan, change, &guarded.value));
    let (cells, immutable) = changed_row::updated(plan, change, guarded.value, &current);
    let problems = [guarded.problems, immutable].concat();
    let linked = of_request.unwrap_or_else(|| linked_in_row(plan, change, &cells));
    // naming another user as the owner takes more than owning it
    if plan.owner_of(&cells).is_some_and(|owner| !change.permit.keeps(Some(owner))) {
        return Err(Refusal::Forbidden);
    }
    let kept = referred(session, plan, change, (&current, &guarded.unseen)).await?;
    Ok(Drafted { draft: RowDraft { cells, linked, kept, unseen: guarded.unseen }, stored: Some(current), problems })
}

/// Whether a creation may be refused after its row was written: by a condition on the new entity.
pub(in crate::store) fn is_decided_late(change: &Change) -> bool {
    matches!((&change.kind, &change.permit), (ChangeKind::Create(_), Permit::Where(_)))
}

/// Whether the caller may touch the entity of a row, as it is stored.
pub(super) async fn permits(
    session: &impl Session,
    plan: &ResourcePlan,
    change: &Change,
    row: &[Cell],
) -> Result<bool, SqlFailure> {
    let Permit::Where(predicate) = &change.permit else { return Ok(change.permit.covers(plan.owner_of(row))) };
    let sql = format!("SELECT 1 FROM \"{}\" t WHERE t.\"id\" = ? AND ({})", plan.table.name, predicate.sql);
    let values = std::iter::once(CellRef::Uuid(change.id)).chain(predicate.values.iter().map(Cell::borrow));
    Ok(!session.rows_in_time(&sql, &values.collect::<Vec<_>>()).await?.is_empty())
}

/// The row that changes.
async fn stored(session: &impl Session, plan: &ResourcePlan, change: &Change) -> Result<Vec<Cell>, Refusal> {
    session.row_to_change(&plan.statements, change.id).await?.ok_or(Refusal::NotFound)
}

async fn put_draft(
    session: &impl Session,
    plan: &ResourcePlan,
    change: &Change,
    value: Value,
) -> Result<Drafted, Refusal> {
    let current = stored(session, plan, change).await?;
    let linked = linked(plan, change, &value);
    let draft = RowDraft {
        cells: changed_row::replaced(plan, change, value, &current),
        linked,
        kept: Vec::new(),
        unseen: Vec::new(),
    };
    Ok(Drafted { draft, stored: Some(current), problems: Vec::new() })
}

fn linked_in_row(plan: &ResourcePlan, change: &Change, cells: &[Cell]) -> Vec<Vec<(String, Uuid)>> {
    if plan.table.links.is_empty() { Vec::new() } else { linked(plan, change, &plan.values(cells)) }
}

fn linked(plan: &ResourcePlan, change: &Change, value: &Value) -> Vec<Vec<(String, Uuid)>> {
    let members = shape(plan, change).members();
    plan.table.links.iter().map(|link| bind::linked_ids(members, value, &link.path)).collect()
}

/// Whether the preconditions of a change hold for the entity, in whichever version the client saw it.
pub(super) async fn meets_preconditions(
    session: &impl Session,
    plans: &Plans,
    change: &Change,
) -> Result<bool, Refusal> {
    if change.preconditions.is_empty() {
        return Ok(true);
    }
    let mut tags = Vec::new();
    let view = plans.resources[change.at.resource].view(change.at.view);
    for (version, representation) in view.representations.indexed() {
        let at = RepresentationId { version, ..change.at };
        let entity = session.entity(plans, at, change.id, &change.viewer).await?.ok_or(Refusal::NotFound)?;
        tags.push(representation.tag(&entity.body));
    }
    Ok(change.preconditions.hold(&tags))
}

async fn store(
    session: &impl Session,
    plan: &ResourcePlan,
    change: &Change,
    (draft, stored): (&RowDraft, Option<&[Cell]>),
) -> Result<(), SqlFailure> {
    let cells: Vec<_> = draft.cells.iter().map(Cell::borrow).collect();
    match stored {
        None => session.write_row(&plan.statements.insert, &cells).await?,
        Some(stored) => session.update_row(&plan.statements.update, &cells, stored).await?,
    }
    let id = CellRef::Uuid(change.id);
    for (link, ids) in plan.table.links.iter().zip(&draft.linked) {
        if stored.is_some() {
            let sql = format!("DELETE FROM \"{}\" WHERE \"entity_id\" = ?1", link.table);
            session.execute(&sql, &[id]).await?;
        }
        let sql = format!("INSERT INTO \"{}\" VALUES (?1, ?2) ON CONFLICT DO NOTHING", link.table);
        for (_, target) in ids {
            session.execute(&sql, &[id, CellRef::Uuid(*target)]).await?;
        }
    }
    Ok(())
}

/// A broken constraint says that something is wrong; what, and all of it, is looked up.
async fn refuse(
    session: &impl Session,
    plans: &Plans,
    change: &Change,
    draft: &RowDraft,
    failure: SqlFailure,
) -> Refusal {
    if !matches!(failure, SqlFailure::Constraint(_)) {
        return failure.into();
    }
    match explain(session, plans, change, draft).await {
        Ok(problems) if problems.is_empty() => failure.into(),
        Ok(problems) => Refusal::Invalid(problems),
        Err(failure) => failure.into(),
    }
}

/// Writes the event of a creation or an update: what the resource itself shows in its preferred version, which mostly
/// is what the answer shows. Of other entities it shows nothing that some caller must not see.
async fn announce(
    session: &impl Session,
    plans: &Plans,
    change: &Change,
    draft: &RowDraft,
    answer: &Entity,
) -> Result<(), Refusal> {
    let itself = RepresentationId::canonical(change.at.resource);
    let is_same = change.at == itself && !plans.representation(itself).render.is_restricted();
    let shown = match is_same {
        true => None,
        false => Some(render(session, plans, itself, draft, &Viewer::nobody()).await?),
    };
    let event = NewEvent {
        resource: change.at.resource,
        kind: if matches!(change.kind, ChangeKind::Create(_)) { EventKind::Created } else { EventKind::Updated },
        entity: answer.id,
        owner: answer.owner,
        time: draft.cells[UPDATED_AT].borrow().int().unwrap_or(change.now),
        data: &shown.as_ref().unwrap_or(answer).body,
        trace: &change.trace,
    };
    Ok(outbox::record(session, plans, &event).await?)
}

/// The present entity: from the cells just written, or read back if it shows fields of others.
async fn render(
    session: &impl Session,
    plans: &Plans,
    at: RepresentationId,
    draft: &RowDraft,
    viewer: &Viewer,
) -> Result<Entity, Refusal> {
    let plan = &plans.resources[at.resource];
    let representation = plan.representation(at);
    let id = draft.cells[ID].uuid().unwrap_or_default();
    if representation.is_joined {
        return session.entity(plans, at, id, viewer).await?.ok_or(Refusal::NotFound);
    }
    let mut body = Vec::with_capacity(1024);
    representation.render.write(&Cells(&draft.cells), &mut body);
    Ok(Entity { id, owner: plan.owner_of(&draft.cells), body })
}
