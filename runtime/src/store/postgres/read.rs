//! Reads: one entity, a page of a collection, rows → bytes.

use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef, Row};
use crate::plan::query::{Query, write_order};
use crate::plan::render::{Render, write_collection};
use crate::store::sql::{Failure, Session, count, page_values};
use crate::store::{At, Entity};
use futures_util::future::try_join_all;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Room for an entity that most fit in.
const ENTITY_BYTES: usize = 1024;
/// Rows that are looked up at a time.
const LOOKUPS: usize = 256;
/// How often an entity is read again that refers to what has gone meanwhile.
const AGAIN: usize = 4;

/// One entity, rendered.
pub(super) async fn entity(session: &impl Session, plans: &Plans, at: At, id: Uuid) -> Result<Option<Entity>, Failure> {
    let plan = &plans.resources[at.resource];
    let representation = &plan.representations(at.view)[at.version];
    let mut rows = session.rows(&representation.select_one, &[CellRef::Uuid(id)]).await?;
    let mut known = Known::of(session, &representation.render, &rows).await?;
    for _ in 0..AGAIN {
        if known.is_whole {
            break;
        }
        // what it refers to went after it was read: by now it refers to it no more
        rows = session.rows(&representation.select_one, &[CellRef::Uuid(id)]).await?;
        known = Known::of(session, &representation.render, &rows).await?;
    }
    let Some(row) = rows.first() else { return Ok(None) };
    let mut body = Vec::with_capacity(ENTITY_BYTES);
    representation.render.write(&known.row(row), &mut body);
    Ok(Some(Entity { id, owner: plan.owner_of(row), body }))
}

/// A page of a collection, and the number of all that match (rulings, "Paging"). The session is to see one state.
pub(super) async fn page(session: &impl Session, plans: &Plans, at: At, query: &Query) -> Result<Vec<u8>, Failure> {
    let plan = &plans.resources[at.resource];
    let render = &plan.representations(at.view)[at.version].render;
    let mut sql = format!("SELECT {} FROM \"{}\" t{}", render.columns, plan.table.name, render.joins);
    query.conditions(&plan.table, &mut sql);
    write_order(&query.order(), &plan.table, &mut sql);
    sql.push_str(" LIMIT ? OFFSET ?");
    let rows = session.rows(&sql, &page_values(query)).await?;
    let known = Known::of(session, render, &rows).await?;
    let mut entities = Vec::with_capacity(rows.len() * ENTITY_BYTES);
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            entities.push(b',');
        }
        render.write(&known.row(row), &mut entities);
    }
    let count = match (plan.count, query.total(rows.len().try_into().unwrap_or(u32::MAX))) {
        (false, _) => None,
        (true, Some(total)) => Some(total),
        (true, None) => Some(count(session, &plan.table, query).await?),
    };
    let mut body = Vec::with_capacity(entities.len() + 64);
    write_collection(&plan.collection, &entities, count, &mut body);
    Ok(body)
}

/// What references inside arrays show: looked up before the rows are written.
struct Known {
    found: HashMap<(String, Uuid), Vec<Cell>>,
    /// Whether all was found.
    is_whole: bool,
}

impl Known {
    /// Looks up what rows ask for when they are written.
    async fn of(session: &impl Session, render: &Render, rows: &[Vec<Cell>]) -> Result<Self, Failure> {
        let mut known = HashMap::new();
        if !render.looks_up {
            return Ok(Self { found: known, is_whole: true });
        }
        let asked: Vec<_> = asked(render, rows).into_iter().collect();
        for some in asked.chunks(LOOKUPS) {
            let found = some.iter().map(|(sql, id)| async move { session.rows(sql, &[CellRef::Uuid(*id)]).await });
            let found = try_join_all(found).await?;
            let found = some.iter().zip(found);
            known.extend(found.filter_map(|(asked, rows)| Some((asked.clone(), rows.into_iter().next()?))));
        }
        Ok(Self { is_whole: known.len() == asked.len(), found: known })
    }

    fn row<'a>(&'a self, cells: &'a [Cell]) -> impl Row + 'a {
        Ready { cells, look_up: |sql: &str, id| self.found.get(&(sql.to_owned(), id)).cloned() }
    }
}

/// What rows ask for when they are written.
fn asked(render: &Render, rows: &[Vec<Cell>]) -> HashSet<(String, Uuid)> {
    let asked = RefCell::new(HashSet::new());
    let note = |sql: &str, id| {
        asked.borrow_mut().insert((sql.to_owned(), id));
        None
    };
    let mut nowhere = Vec::new();
    for row in rows {
        render.write(&Ready { cells: row, look_up: note }, &mut nowhere);
        nowhere.clear();
    }
    asked.into_inner()
}

/// A row's cells, and what gives those that it refers to.
struct Ready<'a, F> {
    cells: &'a [Cell],
    look_up: F,
}

impl<F: Fn(&str, Uuid) -> Option<Vec<Cell>>> Row for Ready<'_, F> {
    fn cell(&self, column: usize) -> CellRef<'_> {
        self.cells.get(column).map_or(CellRef::Null, Cell::borrow)
    }

    fn look_up(&self, sql: &str, id: Uuid) -> Option<Vec<Cell>> {
        (self.look_up)(sql, id)
    }
}
