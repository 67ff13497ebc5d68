//! What the service's own code reads, and what it wants done as a whole.
//!
//! Its work is no open transaction: it reads, gathers changes, and hands in both. All of it is done in one transaction
//! if each read, read again there, still gives the same; else it is refused and the code runs once more. So
//! code that waits for something else blocks no request, and what is committed is what a transaction of its own, run
//! at that moment, would have done.

use super::commands::{announce, end};
use super::write::apply;
use super::{Session, SqlFailure, row};
use crate::plan::cell::{Cell, CellRef};
use crate::plan::query::{Filter, Query, Test};
use crate::plan::{ColumnIndex, Plans, ResourceIndex};
use crate::store::{Batch, Entity, Read, ReadResult, Refusal, Step};
use futures_util::future::{join, join_all};
use restwell_model::tables::{Dialect, Table};
use std::borrow::Cow;
use std::collections::HashMap;
use uuid::Uuid;

/// Reads that are verified at the same time.
const VERIFIED_AT_ONCE: usize = 32;

/// What a read finds; a query passes over the entities in `except`.
pub(in crate::store) async fn look<S: Session>(
    session: &S,
    plans: &Plans,
    look: &Read,
    except: &[Uuid],
) -> Result<ReadResult, SqlFailure> {
    Ok(match look {
        Read::One(resource, id) => {
            let row = row(session, &plans.resources[*resource].statements.row.one, &[CellRef::Uuid(*id)]).await?;
            ReadResult { rows: row.into_iter().collect(), count: 0 }
        }
        Read::Many(resource, query) => {
            let table = &plans.resources[*resource].table;
            ReadResult { rows: rows(session, table, &excluding(S::DIALECT, query, except)).await?, count: 0 }
        }
        Read::Count(resource, query) => {
            let table = &plans.resources[*resource].table;
            let count = count(session, table, &excluding(S::DIALECT, query, except)).await?;
            ReadResult { rows: Vec::new(), count }
        }
        Read::CountTo(resource, query) => {
            let table = &plans.resources[*resource].table;
            let count = count_to(session, table, &excluding(S::DIALECT, query, except)).await?;
            ReadResult { rows: Vec::new(), count }
        }
    })
}

/// What a read finds after changes. The caller rolls them back.
pub(in crate::store) async fn look_after(
    session: &impl Session,
    plans: &Plans,
    look: &Read,
    steps: &[Step],
) -> Result<ReadResult, Refusal> {
    for step in steps {
        if let Step::Write(change) = step {
            apply(session, plans, &mut change.clone()).await?;
        }
    }
    Ok(self::look(session, plans, look, &[]).await?)
}

/// A query that passes over some entities.
fn excluding<'a>(dialect: Dialect, query: &'a Query, except: &[Uuid]) -> Cow<'a, Query> {
    if except.is_empty() {
        return Cow::Borrowed(query);
    }
    let (list, text) = listed(dialect, except);
    let test = Test::Holds { sql: format!("t.\"id\" NOT IN (SELECT {list})"), values: vec![Cell::Text(text)] };
    Cow::Owned(query.with(Filter { column: ColumnIndex::ID, test }))
}

/// What selects some ids, as `id`. They are one text, so that the statement does not depend on their number; it is a
/// table that is searched by its values, not a list.
fn listed(dialect: Dialect, ids: &[Uuid]) -> (&'static str, String) {
    let quoted =
        |quote: &str| ids.iter().map(|id| format!("{quote}{}{quote}", id.simple())).collect::<Vec<_>>().join(",");
    match dialect {
        Dialect::Sqlite => ("unhex(value) AS \"id\" FROM json_each(?)", format!("[{}]", quoted("\""))),
        Dialect::Postgres => ("unnest(CAST(CAST(? AS text) AS uuid[])) AS \"id\"", format!("{{{}}}", quoted(""))),
    }
}

/// How many rows a query finds that refer to each of these by a column, counted to the query's limit. Those to which
/// none refers are not in it.
pub(in crate::store) async fn count_each<S: Session>(
    session: &S,
    table: &Table,
    column: ColumnIndex,
    (to, query): (&[Uuid], &Query),
) -> Result<HashMap<Uuid, u64>, SqlFailure> {
    let refers = format!("t.\"{}\" = v.\"id\"", table.columns[column].name);
    let mut query = query.clone();
    query.filters.insert(0, Filter { column, test: Test::Holds { sql: refers, values: Vec::new() } });
    let (list, text) = listed(S::DIALECT, to);
    let mut sql = format!("SELECT v.\"id\", (SELECT count(*) FROM (SELECT 1 FROM \"{}\" t", table.name);
    query.conditions(table, &mut sql);
    sql.push_str(&format!(" LIMIT ?) t) FROM (SELECT {list}) v"));
    let mut values: Vec<_> = query.values().map(Cell::borrow).collect();
    values.extend([CellRef::Int(query.limit.into()), CellRef::Text(text.as_bytes())]);
    let rows = session.rows_in_time(&sql, &values).await?;
    let counts = rows.iter().filter_map(|row| Some((row.first()?.uuid()?, counted(row.get(1..)))));
    Ok(counts.filter(|(_, count)| *count > 0).collect())
}

/// How many rows each of some queries finds, counted to its limit.
pub(in crate::store) async fn count_apart(
    session: &impl Session,
    plans: &Plans,
    queries: &[(ResourceIndex, Query)],
) -> Result<Vec<u64>, SqlFailure> {
    let (mut sql, mut values) = (String::new(), Vec::new());
    for (number, (resource, query)) in queries.iter().enumerate() {
        let union = if number == 0 { "" } else { " UNION ALL " };
        sql.push_str(&format!("{union}SELECT CAST({number} AS bigint), ("));
        write_count_to(&plans.resources[*resource].table, query, &mut sql);
        sql.push(')');
        values.extend(query.values().map(Cell::borrow).chain([CellRef::Int(query.limit.into())]));
    }
    let rows = session.rows_in_time(&sql, &values).await?;
    let mut counts = vec![0; queries.len()];
    for row in &rows {
        let number = row.first().and_then(|cell| usize::try_from(cell.borrow().int()?).ok());
        if let Some(count) = number.and_then(|number| counts.get_mut(number)) {
            *count = counted(row.get(1..));
        }
    }
    Ok(counts)
}

/// Does a batch.
pub(in crate::store) async fn commit(
    session: &impl Session,
    plans: &Plans,
    batch: &Batch,
) -> Result<Vec<Entity>, Refusal> {
    let first_change = batch.steps.iter().position(|step| matches!(step, Step::Write(_)));
    let (reads, rest) = batch.steps.split_at(first_change.unwrap_or(batch.steps.len()));
    // if what it is based on has changed, there is nothing to undo
    for reads in reads.chunks(VERIFIED_AT_ONCE) {
        let verified = join_all(reads.iter().map(|read| do_step(session, plans, read))).await;
        verified.into_iter().collect::<Result<Vec<_>, _>>()?;
    }
    let Some(conclusion) = &batch.conclusion else { return do_steps(session, plans, rest).await };
    let (ended, entities) = join(end(session, conclusion), do_steps(session, plans, rest)).await;
    ended?;
    let entities = entities?;
    announce(session, plans, &conclusion.record, conclusion.status, conclusion.now).await?;
    Ok(entities)
}

async fn do_steps(session: &impl Session, plans: &Plans, steps: &[Step]) -> Result<Vec<Entity>, Refusal> {
    let mut entities = Vec::new();
    for step in steps {
        entities.extend(do_step(session, plans, step).await?);
    }
    Ok(entities)
}

/// Does a step; the entity, if it is a change.
async fn do_step(session: &impl Session, plans: &Plans, step: &Step) -> Result<Option<Entity>, Refusal> {
    match step {
        Step::Verify { read, fingerprint, .. } => {
            let found = match read {
                // which often changes next
                Read::One(resource, id) => {
                    let row = session.row_to_change(&plans.resources[*resource].statements, *id).await?;
                    ReadResult { rows: row.into_iter().collect(), count: 0 }
                }
                Read::Many(..) | Read::Count(..) | Read::CountTo(..) => look(session, plans, read, &[]).await?,
            };
            if found.fingerprint() == *fingerprint { Ok(None) } else { Err(Refusal::Conflict) }
        }
        // where several write at a time, the transaction has begun with its locks
        Step::Lock(..) => Ok(None),
        Step::Write(change) => apply(session, plans, &mut change.clone()).await.map(Some),
    }
}

async fn rows(session: &impl Session, table: &Table, query: &Query) -> Result<Vec<Vec<Cell>>, SqlFailure> {
    let columns: Vec<_> = table.columns.iter().map(|column| format!("t.\"{}\"", column.name)).collect();
    let mut sql = format!("SELECT {} FROM \"{}\" t", columns.join(","), table.name);
    query.conditions(table, &mut sql);
    query.write_order(&query.order(), table, &mut sql);
    sql.push_str(" LIMIT ? OFFSET ?");
    session.rows(&sql, &page_values(query)).await
}

/// How many rows a query finds, on all its pages.
pub(in crate::store) async fn count(session: &impl Session, table: &Table, query: &Query) -> Result<u64, SqlFailure> {
    let mut sql = format!("SELECT count(*) FROM \"{}\" t", table.name);
    query.conditions(table, &mut sql);
    let values: Vec<_> = query.values().map(Cell::borrow).collect();
    Ok(counted(row(session, &sql, &values).await?.as_deref()))
}

/// The same up to its limit, for a condition of the model: broken off where that takes long.
async fn count_to(session: &impl Session, table: &Table, query: &Query) -> Result<u64, SqlFailure> {
    let mut sql = String::new();
    write_count_to(table, query, &mut sql);
    let values: Vec<_> = query.values().map(Cell::borrow).chain([CellRef::Int(query.limit.into())]).collect();
    Ok(counted(session.rows_in_time(&sql, &values).await?.first().map(Vec::as_slice)))
}

fn write_count_to(table: &Table, query: &Query, sql: &mut String) {
    sql.push_str(&format!("SELECT count(*) FROM (SELECT 1 FROM \"{}\" t", table.name));
    query.conditions(table, sql);
    sql.push_str(" LIMIT ?) t");
}

fn counted(row: Option<&[Cell]>) -> u64 {
    let count = row.and_then(|row| row.first()?.borrow().int());
    count.map(i64::unsigned_abs).unwrap_or_default()
}

/// What a query's conditions, its order, its limit and its offset bind.
pub(in crate::store) fn page_values(query: &Query) -> Vec<CellRef<'_>> {
    let page = [query.limit, query.offset].map(|number| CellRef::Int(number.into()));
    order_values(query).chain(page).collect()
}

/// What a query's conditions and its order bind.
pub(in crate::store) fn order_values(query: &Query) -> impl Iterator<Item = CellRef<'_>> {
    query.values().chain(query.order_values(&query.order())).map(Cell::borrow)
}
