//! What the author of a change must not see: it does not exist for them.

use super::explain::exists;
use super::write::RowDraft;
use super::{Session, SqlFailure};
use crate::plan::cell::{Cell, CellRef};
use crate::plan::viewer::Viewer;
use crate::plan::{Plans, ResourceIndex, ResourcePlan};
use crate::store::{Change, Refusal};
use restwell_model::{ErrorCode, Problem};
use uuid::Uuid;

/// Whether there is an entity, for a viewer.
pub(super) async fn sees(
    session: &impl Session,
    plans: &Plans,
    viewer: &Viewer,
    (resource, id): (ResourceIndex, Uuid),
) -> Result<bool, SqlFailure> {
    let table = &plans.resources[resource].table.name;
    let sight = viewer.sight(plans, resource);
    if sight.is_all() {
        return exists(session, table, id).await;
    }
    let mut values = vec![Cell::Uuid(id)];
    let condition = sight.condition(&mut values);
    let sql = format!("SELECT 1 FROM \"{table}\" t WHERE t.\"id\" = ?{condition}");
    let values: Vec<_> = values.iter().map(Cell::borrow).collect();
    Ok(!session.rows_in_time(&sql, &values).await?.is_empty())
}

/// Refuses a change of an entity that its author does not see.
pub(super) async fn require_seen(session: &impl Session, plans: &Plans, change: &Change) -> Result<(), Refusal> {
    let resource = change.at.resource;
    if change.viewer.sight(plans, resource).is_all()
        || sees(session, plans, &change.viewer, (resource, change.id)).await?
    {
        return Ok(());
    }
    Err(if plans.resources[resource].discloses() { Refusal::Forbidden } else { Refusal::NotFound })
}

/// Whether a reference may be made: to what the author sees, and to themselves.
pub(super) async fn may_refer(
    session: &impl Session,
    plans: &Plans,
    viewer: &Viewer,
    (resource, id): (ResourceIndex, Uuid),
) -> Result<bool, SqlFailure> {
    let is_free = !viewer.checks_references() || viewer.is_caller(plans, resource, id);
    let everything = Viewer::Everything;
    sees(session, plans, if is_free { &everything } else { viewer }, (resource, id)).await
}

/// The ids that a stored entity refers to, but for those in fields that the author of the change does not see: these
/// may stay, whatever the author sees of them.
pub(super) async fn referred(
    session: &impl Session,
    plan: &ResourcePlan,
    change: &Change,
    (row, unseen): (&[Cell], &[String]),
) -> Result<Vec<Uuid>, SqlFailure> {
    if !change.viewer.checks_references() {
        return Ok(Vec::new());
    }
    let is_seen = |path: &str| !unseen.iter().any(|name| path.split('.').next() == Some(name));
    let columns = plan.table.columns.iter().zip(row);
    let columns = columns.filter(|(column, _)| column.references.as_ref().is_some_and(|it| is_seen(&it.path)));
    let mut referred: Vec<_> = columns.filter_map(|(_, cell)| cell.uuid()).collect();
    for link in plan.table.links.iter().filter(|link| link.path.first().is_some_and(|name| is_seen(name))) {
        let sql = format!("SELECT \"target_id\" FROM \"{}\" WHERE \"entity_id\" = ?1", link.table);
        let rows = session.rows(&sql, &[CellRef::Uuid(change.id)]).await?;
        referred.extend(rows.iter().filter_map(|row| row.first()?.uuid()));
    }
    Ok(referred)
}

/// The references of a row that is about to be written to what its author does not see, or to nothing; none are looked
/// for where all callers see all that it refers to.
pub(super) async fn hidden_references(
    session: &impl Session,
    plans: &Plans,
    change: &Change,
    draft: &RowDraft,
) -> Result<Vec<Problem>, SqlFailure> {
    let mut problems = Vec::new();
    if !change.viewer.checks_references() {
        return Ok(problems);
    }
    for (path, resource, id) in references(plans, &plans.resources[change.at.resource], draft) {
        if plans.resources[resource].visible.is_some()
            && !draft.kept.contains(&id)
            && !may_refer(session, plans, &change.viewer, (resource, id)).await?
        {
            problems.push(Problem::at(ErrorCode::NotFound, path));
        }
    }
    Ok(problems)
}

/// The references of a row, but for those that stay because its author does not see them: the path of each in errors,
/// the resource and the id.
pub(super) fn references(plans: &Plans, plan: &ResourcePlan, draft: &RowDraft) -> Vec<(String, ResourceIndex, Uuid)> {
    let index = |name: &str| plans.resource(name).map(|(index, _)| index);
    let columns = plan.table.columns.iter().zip(&draft.cells).filter_map(|(column, cell)| {
        let foreign = column.references.as_ref()?;
        Some((foreign.path.clone(), index(&foreign.resource)?, cell.uuid()?))
    });
    let links = plan.table.links.iter().zip(&draft.linked).flat_map(|(link, ids)| {
        let resource = index(&link.references.resource);
        ids.iter().filter_map(move |(path, id)| Some((format!("{path}.id"), resource?, *id)))
    });
    let is_seen = |path: &str| !draft.unseen.iter().any(|name| path.split('.').next() == Some(name));
    columns.chain(links).filter(|(path, ..)| is_seen(path)).collect()
}
