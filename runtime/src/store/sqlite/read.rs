//! Reads: one entity, a page of a collection, row → bytes.

use crate::plan::cell::{Cell, CellRef, Row};
use crate::plan::query::Query;
use crate::plan::render::write_collection;
use crate::plan::{Plans, Representation, ResourcePlan};
use crate::store::{At, Entity, StoreError};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, ToSql};
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

/// Whether a view through another resource has an entity for a caller.
pub(super) fn shows(
    connection: &Connection,
    plans: &Plans,
    at: At,
    id: Uuid,
    caller: Uuid,
) -> Result<bool, StoreError> {
    let Some(ids) = plans.resources[at.resource].through(at.view) else { return Ok(false) };
    let mut statement = connection.prepare_cached(&format!("SELECT ? IN ({ids})"))?;
    // among nulls, what is not found is null
    let shown: Option<bool> = statement.query_row([id.as_bytes(), caller.as_bytes()], |row| row.get(0))?;
    Ok(shown.unwrap_or_default())
}

/// A page of a collection, and the number of all that match (rulings, "Paging").
pub(super) fn page(connection: &Connection, plans: &Plans, at: At, query: &Query) -> Result<Vec<u8>, StoreError> {
    let plan = &plans.resources[at.resource];
    let representation = &plan.representations(at.view)[at.version];
    // the page and its count see the same state
    let transaction = connection.unchecked_transaction()?;
    let mut entities = Vec::with_capacity(ENTITY_BYTES * 16);
    let rows = write_rows(connection, plan, representation, query, &mut entities)?;
    let count = if plan.count { Some(count(connection, plan, query, rows)?) } else { None };
    drop(transaction);
    let mut body = Vec::with_capacity(entities.len() + 64);
    write_collection(&plan.collection, &entities, count, &mut body);
    Ok(body)
}

fn write_rows(
    connection: &Connection,
    plan: &ResourcePlan,
    representation: &Representation,
    query: &Query,
    out: &mut Vec<u8>,
) -> Result<u64, StoreError> {
    let render = &representation.render;
    let mut sql = format!("SELECT {} FROM {}", render.columns, render.from);
    query.conditions(&plan.table, &mut sql);
    query.order(&plan.table, &mut sql);
    let mut statement = connection.prepare_cached(&sql)?;
    let bound = bind(&mut statement, query)?;
    statement.raw_bind_parameter(bound + 1, query.limit)?;
    statement.raw_bind_parameter(bound + 2, query.offset)?;
    let (mut rows, mut count) = (statement.raw_query(), 0);
    while let Some(row) = rows.next()? {
        if count > 0 {
            out.push(b',');
        }
        render.write(&Stored { row, connection }, out);
        count += 1;
    }
    Ok(count)
}

/// All that match; a page that is not full tells it without a second query.
fn count(connection: &Connection, plan: &ResourcePlan, query: &Query, rows: u64) -> Result<u64, StoreError> {
    if rows < u64::from(query.limit) && (rows > 0 || query.offset == 0) {
        return Ok(u64::from(query.offset) + rows);
    }
    let mut sql = format!("SELECT count(*) FROM \"{}\" t", plan.table.name);
    query.conditions(&plan.table, &mut sql);
    let mut statement = connection.prepare_cached(&sql)?;
    bind(&mut statement, query)?;
    let mut rows = statement.raw_query();
    let count: Option<i64> = rows.next()?.map(|row| row.get(0)).transpose()?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
}

fn bind(statement: &mut rusqlite::Statement<'_>, query: &Query) -> rusqlite::Result<usize> {
    let mut bound = 0;
    for value in query.values() {
        bound += 1;
        statement.raw_bind_parameter(bound, value)?;
    }
    Ok(bound)
}

/// A row of SQLite's.
struct Stored<'a> {
    row: &'a rusqlite::Row<'a>,
    connection: &'a Connection,
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
    statement
        .query_row([id.as_bytes().as_slice()], |row| {
            (0..columns).map(|column| Ok(cell(row.get_ref(column)?).to_owned())).collect()
        })
        .optional()
}

fn cell(value: ValueRef<'_>) -> CellRef<'_> {
    match value {
        ValueRef::Null => CellRef::Null,
        ValueRef::Integer(number) => CellRef::Int(number),
        ValueRef::Real(number) => CellRef::Real(number),
        ValueRef::Text(text) => CellRef::Text(text),
        ValueRef::Blob(bytes) => Uuid::from_slice(bytes).map_or(CellRef::Null, CellRef::Uuid),
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Int(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Self::Real(number) => ToSqlOutput::Owned(Value::Real(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Uuid(id) => ToSqlOutput::Borrowed(ValueRef::Blob(id.as_bytes())),
        })
    }
}
