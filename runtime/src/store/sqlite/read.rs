//! Reads: one entity, a page of a collection, row → bytes.

use super::counts::PageCounts;
use super::known_entities::ReadRow;
use super::lists::Page;
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef, LookupKey, Row};
use crate::plan::query::Query;
use crate::plan::render::Render;
use crate::plan::viewer::{Sight, Viewer};
use crate::store::page::{PageWriter, whole};
use crate::store::{Entity, RepresentationId, StoreError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};
use std::cell::RefCell;
use uuid::Uuid;

/// Room for an entity that most fit in.
const ENTITY_BYTES: usize = 1024;

/// One entity, rendered, as far as it is seen.
pub(super) fn entity(
    connection: &Connection,
    plans: &Plans,
    at: RepresentationId,
    id: Uuid,
    (own, viewer): (Sight<'_>, &Viewer),
) -> Result<Option<ReadRow>, StoreError> {
    let plan = &plans.resources[at.resource];
    let representation = plan.representation(at);
    let seen = representation.select_seen(&plan.table, own, viewer, id);
    let mut statement = match &seen {
        None => {
            let mut statement = connection.prepare_cached(&representation.select_one)?;
            statement.raw_bind_parameter(1, id.as_bytes().as_slice())?;
            statement
        }
        Some((sql, values)) => {
            let mut statement = connection.prepare_cached(sql)?;
            bind_values(&mut statement, values.iter())?;
            statement
        }
    };
    // `select_one` ends with the number of the row
    let number = seen.is_none().then(|| statement.column_count() - 1);
    let mut rows = statement.raw_query();
    let Some(row) = rows.next()? else { return Ok(None) };
    let number = number.map(|column| row.get(column)).transpose()?;
    let row = SqliteRow::new(row, connection, viewer);
    let mut body = Vec::with_capacity(ENTITY_BYTES);
    row.render(&representation.render, &mut body)?;
    let owner = plan.owner.as_ref().and_then(|owner| row.cell(owner.column.position()).uuid());
    Ok(Some(ReadRow { entity: Entity { id, owner, body: whole(body)? }, row: number }))
}

/// Bodies with what their references show.
pub(super) fn shown(
    connection: &Connection,
    render: &Render,
    bodies: &[Cell],
    viewer: &Viewer,
) -> Result<Vec<Vec<u8>>, StoreError> {
    let write = |body: &Cell| {
        let row = BodyRow { body, others: Others::new(connection, viewer) };
        let mut body = Vec::with_capacity(ENTITY_BYTES);
        render.write(&row, &mut body);
        row.others.were_read()?;
        whole(body)
    };
    bodies.iter().map(write).collect()
}

/// A page of a collection, and the number of all that match (decisions, "Paging").
pub(super) fn page(
    connection: &Connection,
    plans: &Plans,
    counts: &PageCounts,
    at: RepresentationId,
    query: &Query,
) -> Result<Vec<u8>, StoreError> {
    let plan = &plans.resources[at.resource];
    let representation = plan.representation(at);
    // the page and its count see the same state
    let counting = counts.before(at.resource, query);
    let transaction = connection.unchecked_transaction()?;
    let body = PageWriter::new(&query.collection, ENTITY_BYTES * 16);
    let mut page = Page::new(connection, plan, &representation.render, body);
    page.write(query)?;
    let count = match (plan.count, query.total(page.rows())) {
        (false, _) => None,
        (true, Some(total)) => Some(total),
        (true, None) => Some(counts.of(connection, plan, counting, page.gathered.as_deref())?),
    };
    drop(transaction);
    Ok(page.body.finish(count))
}

/// Binds what the conditions of a query need; how much that is.
pub(super) fn bind(statement: &mut rusqlite::Statement<'_>, query: &Query) -> rusqlite::Result<usize> {
    bind_values(statement, query.values())
}

/// Binds values in their order; how many they are.
pub(super) fn bind_values<'v>(
    statement: &mut rusqlite::Statement<'_>,
    values: impl Iterator<Item = &'v Cell>,
) -> rusqlite::Result<usize> {
    let mut bound = 0;
    for value in values {
        bound += 1;
        statement.raw_bind_parameter(bound, value.borrow())?;
    }
    Ok(bound)
}

/// A row of SQLite's.
pub(super) struct SqliteRow<'a> {
    row: &'a rusqlite::Row<'a>,
    others: Others<'a>,
}

/// A body, which is the only column.
struct BodyRow<'a> {
    body: &'a Cell,
    others: Others<'a>,
}

/// What a row refers to.
struct Others<'a> {
    connection: &'a Connection,
    /// For whom it is rendered.
    viewer: &'a Viewer,
    /// Why something could not be read.
    failure: RefCell<Option<rusqlite::Error>>,
}

impl<'a> SqliteRow<'a> {
    pub(super) fn new(row: &'a rusqlite::Row<'a>, connection: &'a Connection, viewer: &'a Viewer) -> Self {
        Self { row, others: Others::new(connection, viewer) }
    }

    /// Writes the entity that the row holds.
    pub(super) fn render(&self, render: &Render, out: &mut Vec<u8>) -> Result<(), StoreError> {
        render.write(self, out);
        self.others.were_read()
    }
}

impl<'a> Others<'a> {
    fn new(connection: &'a Connection, viewer: &'a Viewer) -> Self {
        Self { connection, viewer, failure: RefCell::new(None) }
    }

    fn look_up(&self, lookup: LookupKey<'_>, id: Uuid) -> Option<Vec<Cell>> {
        // what was broken off is not begun anew for each reference
        if self.failure.borrow().is_some() {
            return None;
        }
        match looked_up(self.connection, lookup, self.viewer, id) {
            Ok(found) => found,
            Err(error) => {
                self.failure.replace(Some(error));
                None
            }
        }
    }

    fn were_read(&self) -> Result<(), StoreError> {
        match self.failure.take() {
            None => Ok(()),
            Some(error) => Err(error.into()),
        }
    }
}

impl Row for SqliteRow<'_> {
    fn cell(&self, column: usize) -> CellRef<'_> {
        self.row.get_ref(column).map_or(CellRef::Null, cell)
    }

    fn look_up(&self, lookup: LookupKey<'_>, id: Uuid) -> Option<Vec<Cell>> {
        self.others.look_up(lookup, id)
    }
}

impl Row for BodyRow<'_> {
    fn cell(&self, _: usize) -> CellRef<'_> {
        self.body.borrow()
    }

    fn look_up(&self, lookup: LookupKey<'_>, id: Uuid) -> Option<Vec<Cell>> {
        self.others.look_up(lookup, id)
    }
}

/// The cells that a lookup gives.
fn looked_up(
    connection: &Connection,
    lookup: LookupKey<'_>,
    viewer: &Viewer,
    id: Uuid,
) -> rusqlite::Result<Option<Vec<Cell>>> {
    let Some((sql, values)) = lookup.seen(viewer, id) else { return row_by_id(connection, lookup.sql, id) };
    let mut statement = connection.prepare_cached(&sql)?;
    let columns = statement.column_count();
    bind_values(&mut statement, values.iter())?;
    let mut rows = statement.raw_query();
    rows.next()?.map(|row| cells(row, columns)).transpose()
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
