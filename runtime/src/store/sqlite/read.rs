//! Reads: one entity, a page of a collection, row → bytes.

use super::lists::{self, Page};
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef, Row};
use crate::plan::query::Query;
use crate::plan::render::write_collection;
use crate::store::{At, Entity, StoreError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};
use uuid::Uuid;

/// Room for an entity that most fit in.
const ENTITY_BYTES: usize = 1024;

/// One entity, rendered.
pub(super) fn entity(connection: &Connection, plans: &Plans, at: At, id: Uuid) -> Result<Option<Entity>, StoreError> {
    let plan = &plans.resources[at.resource];
    let representation = &plan.representations(at.view)[at.version];
    let mut statement = connection.prepare_cached(&representation.select_one)?;
    statement.raw_bind_parameter(1, id.as_bytes().as_slice())?;
    let mut rows = statement.raw_query();
    let Some(row) = rows.next()? else { return Ok(None) };
    let row = Stored { row, connection };
    let mut body = Vec::with_capacity(ENTITY_BYTES);
    representation.render.write(&row, &mut body);
    let owner = plan.owner.as_ref().and_then(|owner| row.cell(owner.column).uuid());
    Ok(Some(Entity { id, owner, body }))
}

/// A page of a collection, and the number of all that match (rulings, "Paging").
pub(super) fn page(connection: &Connection, plans: &Plans, at: At, query: &Query) -> Result<Vec<u8>, StoreError> {
    let plan = &plans.resources[at.resource];
    let representation = &plan.representations(at.view)[at.version];
    // the page and its count see the same state
    let transaction = connection.unchecked_transaction()?;
    let mut page = Page::new(connection, plan, &representation.render, ENTITY_BYTES * 16);
    page.write(query)?;
    let count = match (plan.count, query.total(page.rows)) {
        (false, _) => None,
        (true, Some(total)) => Some(total),
        (true, None) => Some(lists::count(connection, &plan.table, query, page.gathered.as_deref())?),
    };
    drop(transaction);
    let mut body = Vec::with_capacity(page.entities.len() + 64);
    write_collection(&plan.collection, &page.entities, count, &mut body);
    Ok(body)
}

/// Binds what the conditions of a query need; how much that is.
pub(super) fn bind(statement: &mut rusqlite::Statement<'_>, query: &Query) -> rusqlite::Result<usize> {
    let mut bound = 0;
    for value in query.values() {
        bound += 1;
        statement.raw_bind_parameter(bound, value.borrow())?;
    }
    Ok(bound)
}

/// A row of SQLite's.
pub(super) struct Stored<'a> {
    pub(super) row: &'a rusqlite::Row<'a>,
    pub(super) connection: &'a Connection,
}

impl Row for Stored<'_> {
    fn cell(&self, column: usize) -> CellRef<'_> {
        self.row.get_ref(column).map_or(CellRef::Null, cell)
    }

    fn look_up(&self, sql: &str, id: Uuid) -> Option<Vec<Cell>> {
        // a failure reads as a row that is not there: it shows nothing
        row_by_id(self.connection, sql, id).ok().flatten()
    }
}

/// The cells that a query by id gives.
pub(super) fn row_by_id(connection: &Connection, sql: &str, id: Uuid) -> rusqlite::Result<Option<Vec<Cell>>> {
    let mut statement = connection.prepare_cached(sql)?;
    let columns = statement.column_count();
    statement.query_row([id.as_bytes().as_slice()], |row| cells(row, columns)).optional()
}

/// The first so many cells of a row.
pub(super) fn cells(row: &rusqlite::Row<'_>, columns: usize) -> rusqlite::Result<Vec<Cell>> {
    (0..columns).map(|column| Ok(cell(row.get_ref(column)?).to_owned())).collect()
}

/// The value that SQLite gives.
pub(super) fn cell(value: ValueRef<'_>) -> CellRef<'_> {
    match value {
        ValueRef::Null => CellRef::Null,
        ValueRef::Integer(number) => CellRef::Int(number),
        ValueRef::Real(number) => CellRef::Real(number),
        ValueRef::Text(text) => CellRef::Text(text),
        ValueRef::Blob(bytes) => Uuid::from_slice(bytes).map_or(CellRef::Null, CellRef::Uuid),
    }
}
