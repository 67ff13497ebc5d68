//! What the store alone can see wrong: references to nothing, values that are taken. All of it, not the first.

use super::visible::{may_refer, references};
use super::write::RowDraft;
use super::{Session, SqlFailure};
use crate::plan::cell::{Cell, CellRef};
use crate::plan::viewer::Viewer;
use crate::plan::{Plans, ResourcePlan};
use crate::store::Change;
use crate::store::changed_row::shape;
use restwell_model::case_folding::{FOLD_CASE, fold_case};
use restwell_model::tables::{Dialect, ID, INDEXED_BYTES, Unique, indexed_characters};
use restwell_model::{ErrorCode, Problem};
use uuid::Uuid;

/// The problems of a row that was refused, or would be. A field that the request's shape lacks is not named.
pub(super) async fn explain<S: Session>(
    session: &S,
    plans: &Plans,
    change: &Change,
    draft: &RowDraft,
) -> Result<Vec<Problem>, SqlFailure> {
    let plan = &plans.resources[change.at.resource];
    let shape = shape(plan, change);
    let (mut problems, everything) = (Vec::new(), Viewer::Everything);
    for (path, resource, id) in references(plans, plan, draft) {
        let viewer = if draft.kept.contains(&id) { &everything } else { &change.viewer };
        if !may_refer(session, plans, viewer, (resource, id)).await? {
            problems.push(Problem::at(ErrorCode::NotFound, path));
        }
    }
    for unique in &plan.table.uniques {
        if is_taken(session, plan, unique, &draft.cells).await? {
            let path = unique.paths.iter().find(|path| shape.has(path)).cloned();
            problems.push(Problem { path, ..Problem::new(ErrorCode::NotUnique) });
        }
    }
    if S::DIALECT == Dialect::Postgres && problems.is_empty() {
        problems.extend(too_long(plan, draft));
    }
    Ok(problems)
}

/// Texts that PostgreSQL cannot index, where the model sets no bound below its own. Of an index that has too much of
/// several texts, the longest one is too long.
fn too_long(plan: &ResourcePlan, draft: &RowDraft) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    for values in plan.table.indexed_values() {
        let bytes = |column: usize| match &draft.cells[column] {
            Cell::Text(text) if values.ignores_case => fold_case(text).len(),
            Cell::Text(text) => text.len(),
            // no value that is no text is longer than an id
            _ => size_of::<Uuid>(),
        };
        let excess = values.excess(bytes);
        let longest = values.columns.iter().copied().max_by_key(|column| bytes(*column)).filter(|_| excess > 0);
        let Some((column, path)) = longest.and_then(|column| Some((column, plan.table.path(column)?))) else {
            continue;
        };
        let most = indexed_characters(values.ignores_case);
        let left = bytes(column).saturating_sub(excess) * most / INDEXED_BYTES;
        let problem = Problem::at(ErrorCode::TooLong, path).with("maxLength", left.min(most));
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    problems
}

/// Whether a table has a row of this id.
pub(super) async fn exists(session: &impl Session, table: &str, id: Uuid) -> Result<bool, SqlFailure> {
    let sql = format!("SELECT 1 FROM \"{table}\" WHERE \"id\" = ?1");
    super::exists(session, &sql, &[CellRef::Uuid(id)]).await
}

/// Whether another row has the same values; a null is like no other.
async fn is_taken(
    session: &impl Session,
    plan: &ResourcePlan,
    unique: &Unique,
    cells: &[Cell],
) -> Result<bool, SqlFailure> {
    let values: Vec<_> = unique.columns.iter().map(|column| &cells[*column]).collect();
    if values.iter().any(|value| **value == Cell::Null) {
        return Ok(false);
    }
    let table = &plan.table;
    let condition = |column: &usize| match unique.ignores_case {
        true => format!("\"{FOLD_CASE}\"(\"{}\") = ?", table.columns[*column].name),
        false => format!("\"{}\" = ?", table.columns[*column].name),
    };
    let conditions: Vec<_> = unique.columns.iter().map(condition).collect();
    let sql = format!("SELECT 1 FROM \"{}\" WHERE {} AND \"id\" <> ?", table.name, conditions.join(" AND "));
    let compared = values.into_iter().map(|value| match value {
        Cell::Text(text) if unique.ignores_case => Cell::Text(fold_case(text)),
        value => value.clone(),
    });
    let values: Vec<_> = compared.chain([cells[ID].clone()]).collect();
    super::exists(session, &sql, &values.iter().map(Cell::borrow).collect::<Vec<_>>()).await
}
