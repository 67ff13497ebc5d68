//! What the service's own code reads, and what it wants done as a whole.
//!
//! Its work is no open transaction: it reads, gathers changes, and hands in both. All of it is done in the writer's
//! transaction if each read, read again there, still gives the same; else it is refused and the code runs once more. So
//! code that waits for something else holds nobody up, and what is committed is what a transaction of its own, run
//! at that moment, would have done.

use super::commands;
use super::lists;
use super::read;
use super::write::apply;
use crate::plan::Plans;
use crate::plan::cell::Cell;
use crate::plan::query::{Query, write_order};
use crate::store::{Batch, Entity, Look, Refusal, Seen, Step, StoreError};
use rusqlite::Connection;

/// Looks.
pub(super) fn look(connection: &Connection, plans: &Plans, look: &Look) -> Result<Seen, StoreError> {
    Ok(match look {
        Look::One(resource, id) => {
            let row = read::row_by_id(connection, &plans.resources[*resource].statements.row, *id)?;
            Seen { rows: row.into_iter().collect(), count: 0 }
        }
        Look::Many(resource, query) => Seen { rows: rows(connection, plans, *resource, query)?, count: 0 },
        Look::Count(resource, query) => {
            let table = &plans.resources[*resource].table;
            Seen { rows: Vec::new(), count: lists::count(connection, table, query, None)? }
        }
    })
}

/// Looks at what there would be after changes. What it does is undone by who calls it.
pub(super) fn look_after(connection: &Connection, plans: &Plans, look: &Look, steps: &[Step]) -> Result<Seen, Refusal> {
    for step in steps {
        if let Step::Do(change) = step {
            apply(connection, plans, &mut change.clone())?;
        }
    }
    Ok(self::look(connection, plans, look)?)
}

/// Does a batch.
pub(super) fn commit(connection: &Connection, plans: &Plans, batch: &Batch) -> Result<Vec<Entity>, Refusal> {
    let mut entities = Vec::new();
    for step in &batch.steps {
        match step {
            Step::Saw(look, print) if self::look(connection, plans, look)?.print() != *print => {
                return Err(Refusal::Conflict);
            }
            Step::Saw(..) => {}
            Step::Do(change) => entities.push(apply(connection, plans, &mut change.clone())?),
        }
    }
    if let Some(conclusion) = &batch.conclusion {
        commands::conclude(connection, plans, conclusion)?;
    }
    Ok(entities)
}

fn rows(connection: &Connection, plans: &Plans, resource: usize, query: &Query) -> Result<Vec<Vec<Cell>>, StoreError> {
    let table = &plans.resources[resource].table;
    let columns: Vec<_> = table.columns.iter().map(|column| format!("t.\"{}\"", column.name)).collect();
    let mut sql = format!("SELECT {} FROM \"{}\" t", columns.join(","), table.name);
    query.conditions(table, &mut sql);
    write_order(&query.order(), table, &mut sql);
    sql.push_str(" LIMIT ? OFFSET ?");
    let mut statement = connection.prepare_cached(&sql)?;
    let bound = read::bind(&mut statement, query)?;
    statement.raw_bind_parameter(bound + 1, query.limit)?;
    statement.raw_bind_parameter(bound + 2, query.offset)?;
    let (mut rows, mut found) = (statement.raw_query(), Vec::new());
    while let Some(row) = rows.next()? {
        found.push(read::cells(row, columns.len())?);
    }
    Ok(found)
}
