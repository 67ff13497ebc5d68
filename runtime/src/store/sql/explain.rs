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

/// Texts that PostgreSQL cannot index, where the model sets no bound below its own.
fn too_long<'a>(plan: &'a ResourcePlan, draft: &'a RowDraft) -> impl Iterator<Item = Problem> + 'a {
    let texts = draft.cells.iter().enumerate().filter_map(|(column, cell)| match cell {
        Cell::Text(text) => Some((column, text)),
        _ => None,
    });
    texts.filter_map(|(column, text)| {
        let path = plan.table.path(column)?;
        let most = indexed_characters(is_too_long(plan, column, text)?);
        Some(Problem::at(ErrorCode::TooLong, path).with("maxLength", most))
    })
}

/// Whether an index has too much of a text, and if so, whether it has it folded.
fn is_too_long(plan: &ResourcePlan, column: usize, text: &str) -> Option<bool> {
    let uniques = || plan.table.uniques.iter().filter(|unique| unique.columns.contains(&column));
    if uniques().any(|unique| unique.ignores_case) && fold_case(text).len() > INDEXED_BYTES {
        return Some(true);
    }
    let is_indexed = plan.table.index(column).is_some() || uniques().any(|unique| !unique.ignores_case);
    (is_indexed && text.len() > INDEXED_BYTES).then_some(false)
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
