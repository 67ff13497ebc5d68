//! What the store alone can see wrong: references to nothing, values that are taken. All of it, not the first.

use super::write::Draft;
use crate::plan::ResourcePlan;
use crate::plan::cell::Cell;
use restwell_model::input::Shape;
use restwell_model::tables::{ID, Unique};
use restwell_model::{ErrorCode, Problem};
use rusqlite::{Connection, params_from_iter};
use uuid::Uuid;

/// The problems of a row that was refused, or would be. A field that the request's shape lacks is not named.
pub(super) fn explain(
    connection: &Connection,
    plan: &ResourcePlan,
    shape: &Shape,
    draft: &Draft,
) -> rusqlite::Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for (column, cell) in plan.table.columns.iter().zip(&draft.cells) {
        if let (Some(foreign), Some(id)) = (&column.references, cell.uuid())
            && !exists(connection, &foreign.table, id)?
        {
            problems.push(Problem::at(ErrorCode::NotFound, &foreign.path));
        }
    }
    for (link, ids) in plan.table.links.iter().zip(&draft.linked) {
        for (path, id) in ids {
            if !exists(connection, &link.references.table, *id)? {
                problems.push(Problem::at(ErrorCode::NotFound, format!("{path}.id")));
            }
        }
    }
    for unique in &plan.table.uniques {
        if is_taken(connection, plan, unique, &draft.cells)? {
            let path = unique.paths.iter().find(|path| shape.has(path)).cloned();
            problems.push(Problem { path, ..Problem::new(ErrorCode::NotUnique) });
        }
    }
    Ok(problems)
}

pub(super) fn exists(connection: &Connection, table: &str, id: Uuid) -> rusqlite::Result<bool> {
    let sql = format!("SELECT 1 FROM \"{table}\" WHERE \"id\" = ?1");
    connection.prepare_cached(&sql)?.exists([id.as_bytes().as_slice()])
}

/// Whether another row has the same values; a null is like no other.
fn is_taken(connection: &Connection, plan: &ResourcePlan, unique: &Unique, cells: &[Cell]) -> rusqlite::Result<bool> {
    let values: Vec<_> = unique.columns.iter().map(|column| &cells[*column]).collect();
    if values.iter().any(|value| **value == Cell::Null) {
        return Ok(false);
    }
    let table = &plan.table;
    let conditions: Vec<_> = unique.columns.iter().map(|c| format!("\"{}\" = ?", table.columns[*c].name)).collect();
    let sql = format!("SELECT 1 FROM \"{}\" WHERE {} AND \"id\" <> ?", table.name, conditions.join(" AND "));
    let values = values.into_iter().chain([&cells[ID]]);
    connection.prepare_cached(&sql)?.exists(params_from_iter(values))
}
