//! Reads: one entity, a page of a collection, rows → bytes.

use super::counts::{KnownCount, StateCounts};
use super::transaction::PostgresTransaction;
use super::transaction_kind::{PLAN_EACH, REUSE_PLANS};
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef, LookupKey, Row};
use crate::plan::query::Query;
use crate::plan::render::{MAX_PAGE_BYTES, Render};
use crate::plan::statements::RowStatements;
use crate::plan::viewer::{Sight, Viewer};
use crate::store::page::{PageWriter, whole};
use crate::store::sql::{Session, SqlFailure, order_values, page_values};
use crate::store::{Entity, RepresentationId, StoreError};
use futures_util::future::{join, try_join, try_join_all};
use std::cell::RefCell;
use std::collections::HashMap;
use uuid::Uuid;

/// Room for an entity that most fit in.
const ENTITY_BYTES: usize = 1024;
/// Entities that a page has room for before any row has come.
const EXPECTED_ROWS: usize = 16;
/// Rows of a page for which what they refer to is looked up together.
const ROWS_AT_A_TIME: usize = 64;
/// Limits that have statements of their own; other limits share one.
const COMMON_LIMITS: [u32; 6] = [10, 20, 25, 50, 100, 1000];
/// Rows that are looked up at a time.
const LOOKUPS: usize = 256;
/// How often an entity is read again that refers to what has gone meanwhile.
const AGAIN: usize = 4;

/// The row with an id, which is about to change: locked where others may change it.
pub(super) async fn row_to_change(
    session: &impl Session,
    statements: &RowStatements,
    id: Uuid,
) -> Result<Option<Vec<Cell>>, SqlFailure> {
    let sql = if session.locks() { &statements.lock.one } else { &statements.row.one };
    Ok(session.rows(sql, &[CellRef::Uuid(id)]).await?.into_iter().next())
}

/// One entity, rendered, as far as it is seen.
pub(super) async fn entity(
    session: &impl Session,
    plans: &Plans,
    at: RepresentationId,
    id: Uuid,
    seen: (Sight<'_>, &Viewer),
) -> Result<Option<Entity>, SqlFailure> {
    let row = rows_of(session, plans, at, id, seen).await?.into_iter().next();
    entity_of(session, plans, at, (id, row), seen).await
}

/// The row of an entity, as far as it is seen.
async fn rows_of(
    session: &impl Session,
    plans: &Plans,
    at: RepresentationId,
    id: Uuid,
    (own, viewer): (Sight<'_>, &Viewer),
) -> Result<Vec<Vec<Cell>>, SqlFailure> {
    let plan = &plans.resources[at.resource];
    let representation = plan.representation(at);
    match representation.select_seen(&plan.table, own, viewer, id) {
        None => session.rows(&representation.select_one, &[CellRef::Uuid(id)]).await,
        Some((sql, values)) => session.rows(&sql, &values.iter().map(Cell::borrow).collect::<Vec<_>>()).await,
    }
}

/// The entity of a row that was just read, rendered.
pub(super) async fn entity_of(
    session: &impl Session,
    plans: &Plans,
    at: RepresentationId,
    (id, row): (Uuid, Option<Vec<Cell>>),
    seen: (Sight<'_>, &Viewer),
) -> Result<Option<Entity>, SqlFailure> {
    let plan = &plans.resources[at.resource];
    let representation = plan.representation(at);
    let mut rows: Vec<_> = row.into_iter().collect();
    let mut known = ReferencedRows::of(session, &representation.render, &rows, seen.1).await?;
    for _ in 0..AGAIN {
        if known.is_whole {
            break;
        }
        // what it refers to went after it was read: by now it refers to it no more
        rows = rows_of(session, plans, at, id, seen).await?;
        known = ReferencedRows::of(session, &representation.render, &rows, seen.1).await?;
    }
    let Some(row) = rows.first() else { return Ok(None) };
    let mut body = Vec::with_capacity(ENTITY_BYTES);
    representation.render.write(&known.row(row), &mut body);
    Ok(Some(Entity { id, owner: plan.owner_of(row), body: whole(body)? }))
}

/// Bodies with what their references show: each is a row of one column.
pub(super) async fn shown(
    session: &impl Session,
    render: &Render,
    rows: &[Vec<Cell>],
    viewer: &Viewer,
) -> Result<Vec<Vec<u8>>, SqlFailure> {
    // what is gone is not found however often it is looked for
    let known = ReferencedRows::of(session, render, rows, viewer).await?;
    let write = |row: &Vec<Cell>| {
        let mut body = Vec::with_capacity(ENTITY_BYTES);
        render.write(&known.row(row), &mut body);
        Ok(whole(body)?)
    };
    rows.iter().map(write).collect()
}

/// A page of a collection, and the number of all that match (decisions, "Paging"). The session is to see one state.
///
/// Rows are rendered as they come. Where they refer to others from inside their arrays, all rows are gathered before,
/// so that the others are looked up a few at a time; their bytes are bounded like those of the page.
pub(super) async fn page(
    session: &PostgresTransaction,
    plans: &Plans,
    counts: &StateCounts,
    at: RepresentationId,
    query: &Query,
) -> Result<Vec<u8>, SqlFailure> {
    let plan = &plans.resources[at.resource];
    let render = &plan.representation(at).render;
    let seen = render.seen(&query.viewer);
    let (columns, joins, selected) = match &seen {
        None => (render.columns.text(), &render.joins, &[][..]),
        Some(seen) => (seen.columns.as_str(), &seen.joins, seen.values.as_slice()),
    };
    let mut sql = format!("SELECT {columns} FROM \"{}\" t{joins}", plan.table.name);
    query.conditions(&plan.table, &mut sql);
    query.write_order(&query.order(), &plan.table, &mut sql);
    let bound = match written_limit(query) {
        Some(limit) => {
            sql.push_str(&format!(" LIMIT {limit}"));
            order_values(query).collect()
        }
        None => {
            sql.push_str(" LIMIT ? OFFSET ?");
            page_values(query)
        }
    };
    let values: Vec<_> = selected.iter().map(Cell::borrow).chain(bound).collect();
    let mut page = PageWriter::new(&query.collection, ENTITY_BYTES * usize::min(query.limit as usize, EXPECTED_ROWS));
    let known = KnownCount::look_up(session, counts, at.resource, plan, query);
    let (known, written) = join(known, write(session, render, (sql.as_str(), &values), query, &mut page)).await;
    written?;
    let count = match (plan.count, query.total(page.rows())) {
        (false, _) => None,
        (true, Some(total)) => Some(total),
        (true, None) => {
            let planning = async { if render.looks_up { session.set_planning(PLAN_EACH).await } else { Ok(()) } };
            Some(try_join(planning, known?.or_count(session, counts, plan, query)).await?.1)
        }
    };
    Ok(page.finish(count))
}

/// The limit of a page, where it is written into the statement, without an offset. The server then has one plan for all
/// such pages; for a limit that is bound it plans each page anew, because it cannot know how little of the table is
/// wanted. Where values differ between requests that is right: so may the best plans.
fn written_limit(query: &Query) -> Option<u32> {
    (query.offset == 0 && COMMON_LIMITS.contains(&query.limit) && query.is_alike_for_all()).then_some(query.limit)
}

/// Writes the rows that a statement gives.
async fn write(
    session: &PostgresTransaction,
    render: &Render,
    (sql, values): (&str, &[CellRef<'_>]),
    query: &Query,
    page: &mut PageWriter,
) -> Result<(), SqlFailure> {
    if !render.looks_up {
        let mut add = |cells: &[CellRef<'_>]| {
            page.add(|out| {
                render.write(&Streamed(cells), out);
                Ok::<_, StoreError>(())
            })
        };
        return session.each_row(sql, values, &mut add).await;
    }
    let mut reuse = Some(session.set_planning(REUSE_PLANS));
    for rows in gather(session, sql, values).await?.chunks(ROWS_AT_A_TIME) {
        let known = ReferencedRows::of(session, render, rows, &query.viewer);
        let known = match reuse.take() {
            Some(reuse) => try_join(reuse, known).await?.1,
            None => known.await?,
        };
        for row in rows {
            page.add(|out| {
                render.write(&known.row(row), out);
                Ok::<_, StoreError>(())
            })?;
        }
    }
    Ok(())
}

/// The rows of a page, whose texts may have [`MAX_PAGE_BYTES`] together.
async fn gather(
    session: &PostgresTransaction,
    sql: &str,
    values: &[CellRef<'_>],
) -> Result<Vec<Vec<Cell>>, SqlFailure> {
    let (mut rows, mut bytes) = (Vec::new(), 0);
    let mut keep = |cells: &[CellRef<'_>]| {
        let texts = cells.iter().map(|cell| if let CellRef::Text(text) = cell { text.len() } else { 0 });
        bytes += texts.sum::<usize>();
        if bytes > MAX_PAGE_BYTES && !rows.is_empty() {
            return Err(StoreError::PageTooLarge { max_bytes: MAX_PAGE_BYTES, fits: rows.len() });
        }
        rows.push(cells.iter().copied().map(CellRef::to_owned).collect());
        Ok(())
    };
    session.each_row(sql, values, &mut keep).await?;
    Ok(rows)
}

/// What references inside arrays show: looked up before the rows are written.
struct ReferencedRows {
    found: HashMap<(String, Uuid), Vec<Cell>>,
    /// Whether all was found.
    is_whole: bool,
}

impl ReferencedRows {
    /// Looks up what rows ask for when they are written.
    async fn of(
        session: &impl Session,
        render: &Render,
        rows: &[Vec<Cell>],
        viewer: &Viewer,
    ) -> Result<Self, SqlFailure> {
        let mut known = HashMap::new();
        if !render.looks_up {
            return Ok(Self { found: known, is_whole: true });
        }
        let asked: Vec<_> = asked(render, rows, viewer).into_iter().collect();
        for some in asked.chunks(LOOKUPS) {
            let found = some.iter().map(|((sql, id), asked)| async move {
                match &asked.seen {
                    None => session.rows(sql, &[CellRef::Uuid(*id)]).await,
                    Some((sql, values)) => {
                        session.rows(sql, &values.iter().map(Cell::borrow).collect::<Vec<_>>()).await
                    }
                }
            });
            let found = try_join_all(found).await?;
            let found = some.iter().zip(found);
            known.extend(found.filter_map(|((asked, _), rows)| Some((asked.clone(), rows.into_iter().next()?))));
        }
        // what is not seen is not found
        let is_found = |(key, asked): &((String, Uuid), AskedRow)| known.contains_key(key) || asked.may_be_hidden;
        Ok(Self { is_whole: asked.iter().all(is_found), found: known })
    }

    fn row<'a>(&'a self, cells: &'a [Cell]) -> impl Row + 'a {
        let look_up = |lookup: LookupKey<'_>, id| self.found.get(&(lookup.sql.to_owned(), id)).cloned();
        Ready { cells, look_up }
    }
}

/// A row that is asked for.
struct AskedRow {
    /// The statement for the viewer, and what it binds; `None`: the same for all.
    seen: Option<(String, Vec<Cell>)>,
    /// Whether the viewer may not see it.
    may_be_hidden: bool,
}

/// What rows ask for when they are written.
fn asked(render: &Render, rows: &[Vec<Cell>], viewer: &Viewer) -> HashMap<(String, Uuid), AskedRow> {
    let asked = RefCell::new(HashMap::new());
    let note = |lookup: LookupKey<'_>, id| {
        let may_be_hidden = lookup.restricted.is_some() && !viewer.is_everything();
        let row = || AskedRow { seen: lookup.seen(viewer, id), may_be_hidden };
        asked.borrow_mut().entry((lookup.sql.to_owned(), id)).or_insert_with(row);
        None
    };
    let mut nowhere = Vec::new();
    for row in rows {
        render.write(&Ready { cells: row, look_up: note }, &mut nowhere);
        nowhere.clear();
    }
    asked.into_inner()
}

/// A row that refers to nothing from inside its arrays, as the server sends it.
struct Streamed<'a>(&'a [CellRef<'a>]);

impl Row for Streamed<'_> {
    fn cell(&self, column: usize) -> CellRef<'_> {
        self.0.get(column).copied().unwrap_or(CellRef::Null)
    }

    fn look_up(&self, _: LookupKey<'_>, _: Uuid) -> Option<Vec<Cell>> {
        None
    }
}

/// A row's cells, and what gives those that it refers to.
struct Ready<'a, F> {
    cells: &'a [Cell],
    look_up: F,
}

impl<F: Fn(LookupKey<'_>, Uuid) -> Option<Vec<Cell>>> Row for Ready<'_, F> {
    fn cell(&self, column: usize) -> CellRef<'_> {
        self.cells.get(column).map_or(CellRef::Null, Cell::borrow)
    }

    fn look_up(&self, lookup: LookupKey<'_>, id: Uuid) -> Option<Vec<Cell>> {
        (self.look_up)(lookup, id)
    }
}
