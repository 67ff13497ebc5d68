//! A page of a collection, along the index that gives it with the least work.
//!
//! SQLite's planner does not know how many rows a filter leaves, so statements name their index (`INDEXED BY`). There
//! are two ways to a page. To *walk* is to read an index in the page's order and test each row; its cost is the rows
//! that do not pass before the page is full. To *gather* is to read all rows that one filter's index finds, and to test
//! and sort them; its cost is what the filter finds. Which is cheaper depends on the values, and on the correlation of
//! filter and sort, which no statistics show. So both are tried with a growing budget: a filter that finds fewer rows
//! is gathered, and a walk that ends within the budget is the answer. In total this costs a few times the cheaper way,
//! for any values.
//!
//! An index on a column and the id gives the order of both only if both ascend, or both descend. Any other order that
//! begins with the column is made in parts: the walk finds the column's value at the page's start and at its end; the
//! rows of either value are pages of their own, sorted by the rest, and the rows between them fit the page.

mod terms;

use super::connection::{Prepared, prepare};
use super::interrupt::within;
use super::read::{SqliteRow, bind, bind_values, cell};
use crate::plan::cell::Cell;
use crate::plan::query::{Filter, Query, SortTerm, Test};
use crate::plan::render::Render;
use crate::plan::{ColumnIndex, ResourcePlan};
use crate::store::StoreError;
use crate::store::page::PageWriter;
use restwell_model::tables::{Index, Table};
use rusqlite::Connection;
use terms::{after, before, bounded, has_several, is_folded, is_indexable, is_walked, values_of};

/// Rows that either way may read at first.
const BUDGET: u64 = 1024;
/// What it grows by each time.
const GROWTH: u64 = 4;
/// Parts that a page is made of at most, one for each combination of the values that sorted columns may have: each is
/// statements of its own.
const MAX_PARTS: usize = 128;
/// Steps of SQLite's virtual machine for a row that is read.
const STEPS: u64 = 16;

/// A page that is being written.
pub(super) struct Page<'a> {
    connection: &'a Connection,
    table: &'a Table,
    render: &'a Render,
    budget: u64,
    /// How many parts of the page there are like the one that is being written.
    parts: usize,
    /// The response so far.
    pub(super) body: PageWriter,
    /// The index of a filter that finds little.
    pub(super) gathered: Option<String>,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub(super) fn new(
        connection: &'a Connection,
        plan: &'a ResourcePlan,
        render: &'a Render,
        body: PageWriter,
    ) -> Self {
        Self { connection, table: &plan.table, render, budget: BUDGET, parts: 1, body, gathered: None }
    }

    /// How many rows it has.
    pub(super) fn rows(&self) -> u32 {
        self.body.rows()
    }

    /// Adds what a query asks for.
    pub(super) fn write(&mut self, query: &Query) -> Result<(), StoreError> {
        if query.limit == 0 {
            return Ok(());
        }
        let order = query.order();
        if query.is_masked(&order) {
            return self.select(query, &order, None);
        }
        if let Some(values) = values_of(query, order[0])
            && self.parts * values.len() <= MAX_PARTS
        {
            return self.values(query, &order, values);
        }
        let walks = self.walks(query, &order);
        let gathers = self.gathers(query, &order, &walks);
        if let ([walk], []) = (walks.as_slice(), gathers.as_slice()) {
            return self.walk(query, &order, walk, u64::MAX).map(|_| ());
        }
        let mut budget = self.budget;
        loop {
            for (filter, index) in &gathers {
                if self.finds_less(query, filter, index, budget)? {
                    self.select(query, &order, Some(index))?;
                    self.gathered = Some(index.clone());
                    return Ok(());
                }
            }
            for walk in &walks {
                if self.walk(query, &order, walk, budget)? {
                    return Ok(());
                }
            }
            budget = budget.saturating_mul(GROWTH);
        }
    }

    /// The indexes that have the page's order, at least as far as its first column.
    fn walks(&self, query: &Query, order: &[SortTerm]) -> Vec<String> {
        let (first, _) = order[0];
        let has_one = |column: usize| query.has_one(column.into());
        if let Some(combined) = self.table.combined_index_for(first.position(), has_one) {
            return vec![combined.name];
        }
        let is_by_id = first == ColumnIndex::ID
            && !query.filters.iter().any(|f| f.column == ColumnIndex::ID && is_indexable(&f.test));
        let ones = query.filters.iter().rev().filter(|filter| is_by_id && filter.test.leaves_one());
        let ids = ones.filter_map(|filter| self.table.index(filter.column.position())).filter(|index| index.has_ids);
        let walks: Vec<_> = ids.map(|index| index.name).collect();
        if walks.is_empty() { self.index(first).map(|index| index.name).into_iter().collect() } else { walks }
    }

    /// The filtered columns whose rows can be gathered by an index that is not walked anyway.
    fn gathers<'q>(&self, query: &'q Query, order: &[SortTerm], walks: &[String]) -> Vec<(&'q Filter, String)> {
        let mut gathers: Vec<(&Filter, String)> = Vec::new();
        // the index that is walked is on the texts with their case
        let is_walked = |filter: &Filter| filter.column == order[0].0 && !is_folded(&filter.test);
        for filter in query.filters.iter().filter(|filter| is_indexable(&filter.test) && !is_walked(filter)) {
            if let Some(index) = self.index_for(filter)
                && !walks.contains(&index.name)
                && gathers.iter().all(|(_, known)| *known != index.name)
            {
                gathers.push((filter, index.name));
            }
        }
        gathers
    }

    /// The index that finds what passes a filter.
    fn index_for(&self, filter: &Filter) -> Option<Index> {
        match is_folded(&filter.test) {
            true => self.table.folded_index(filter.column.position()),
            false => self.index(filter.column),
        }
    }

    fn index(&self, column: ColumnIndex) -> Option<Index> {
        if column == ColumnIndex::ID {
            // SQLite's name for that of the primary key
            return Some(Index { name: format!("sqlite_autoindex_{}_1", self.table.name), has_ids: true });
        }
        self.table.index(column.position())
    }

    /// Whether the filters that one index serves leave fewer rows than the budget: this one, and those like it.
    fn finds_less(&self, query: &Query, like: &Filter, index: &str, budget: u64) -> Result<bool, StoreError> {
        let of_index = (like.column, is_folded(&like.test));
        let is_of_index = |it: &&Filter| (it.column, is_folded(&it.test)) == of_index && is_indexable(&it.test);
        let filters = query.filters.iter().filter(is_of_index).cloned().collect();
        let query = Query { filters, ..Query::default() };
        let mut sql = format!("SELECT count(*) FROM (SELECT 1{}", self.from(index));
        query.conditions(self.table, &mut sql);
        sql.push_str(" LIMIT ?)");
        let mut statement = self.prepare(&sql)?;
        let bound = bind(&mut statement, &query)?;
        statement.raw_bind_parameter(bound + 1, i64::try_from(budget).unwrap_or(i64::MAX))?;
        let mut rows = statement.raw_query();
        let found: i64 = rows.next()?.map(|row| row.get(0)).transpose()?.unwrap_or_default();
        Ok(found.unsigned_abs() < budget)
    }

    /// Walks an index; false, and nothing written, if that reads more rows than the budget.
    fn walk(&mut self, query: &Query, order: &[SortTerm], index: &str, budget: u64) -> Result<bool, StoreError> {
        let rendered = u64::from(query.limit) * self.table.columns.len() as u64 * 2;
        let steps = budget.saturating_mul(STEPS).saturating_add(rendered);
        if is_walked(order, self.index(order[0].0).is_some_and(|index| index.has_ids)) {
            let mark = self.body.mark();
            let done = within(steps, || self.select(query, order, Some(index)))?;
            if done.is_none() {
                self.body.rewind(mark);
            }
            return Ok(done.is_some());
        }
        let Some(ends) = within(steps, || self.ends(query, order[0], index))? else { return Ok(false) };
        match ends {
            WalkEnds::Beyond => {}
            WalkEnds::Open => self.select(query, order, Some(index))?,
            WalkEnds::Closed { first, last, skipped } => {
                let rest = Query { offset: query.offset - skipped, ..query.clone() };
                self.between(rest, order, index, first.as_ref(), last.as_ref())?;
            }
        }
        Ok(true)
    }

    /// The first column's values at the page's start and its end.
    fn ends(&self, query: &Query, term: SortTerm, index: &str) -> Result<WalkEnds, StoreError> {
        let first = match query.offset {
            0 => None,
            offset => match self.value_at(query, term, index, offset)? {
                None => return Ok(WalkEnds::Beyond),
                first => first,
            },
        };
        let end = query.offset.saturating_add(query.limit) - 1;
        let last = match self.value_at(query, term, index, end)? {
            None if first.is_none() => return Ok(WalkEnds::Open),
            // the page is the last one: no value is past null, nor past the greatest or the least
            None if self.table.columns[term.0].nullable => Some(Cell::Null),
            last => last,
        };
        let skipped = match &first {
            None => 0,
            Some(first) => {
                let before = bounded(query, term.0, before(first, term.1));
                u32::try_from(count(self.connection, self.table, &before, Some(index))?).unwrap_or(query.offset)
            }
        };
        Ok(WalkEnds::Closed { first, last, skipped })
    }

    /// The rows of the first value, those past it and before the last value, those of the last.
    fn between(
        &mut self,
        mut rest: Query,
        order: &[SortTerm],
        index: &str,
        first: Option<&Cell>,
        last: Option<&Cell>,
    ) -> Result<(), StoreError> {
        let (column, descending) = order[0];
        if let Some(first) = first {
            self.block(&mut rest, order, first)?;
            if rest.limit == 0 || *first == Cell::Null || last == Some(first) {
                return Ok(());
            }
        }
        let past = match first {
            Some(first) => bounded(&rest, column, after(first, descending)),
            None => rest.clone(),
        };
        let inner = match last {
            Some(last) => bounded(&past, column, before(last, descending)),
            None => past,
        };
        let rows = self.rows();
        self.select(&inner, order, Some(index))?;
        rest.limit -= self.rows() - rows;
        match last {
            Some(last) if rest.limit > 0 => self.block(&mut rest, order, last),
            _ => Ok(()),
        }
    }

    /// A column that may have several values and is sorted by: one value after the other.
    fn values(&mut self, query: &Query, order: &[SortTerm], values: Vec<Cell>) -> Result<(), StoreError> {
        let column = order[0].0;
        let mut rest = query.clone();
        // each value stands for it
        if let Some(filter) = rest.filters.iter().position(|filter| has_several(filter, column)) {
            rest.filters.remove(filter);
        }
        let parts = self.parts;
        self.parts *= values.len();
        for value in values {
            if rest.limit > 0 {
                self.block(&mut rest, order, &value)?;
            }
        }
        self.parts = parts;
        Ok(())
    }

    /// The rows of one value of the first column, sorted by the rest; what they fill of the page is taken off the
    /// query.
    fn block(&mut self, query: &mut Query, order: &[SortTerm], value: &Cell) -> Result<(), StoreError> {
        let mut block = query.with(Filter { column: order[0].0, test: Test::equal(value.clone()) });
        block.sort = order[1..].to_vec();
        let rows = self.rows();
        self.write(&block)?;
        let found = self.rows() - rows;
        query.limit -= found;
        query.offset = match query.offset {
            0 => 0,
            _ if found > 0 => 0,
            offset => {
                let passed = count(self.connection, self.table, &block, None)?;
                offset.saturating_sub(u32::try_from(passed).unwrap_or(u32::MAX))
            }
        };
        Ok(())
    }

    /// The value of a column in the row at a position of the walk.
    fn value_at(&self, query: &Query, term: SortTerm, index: &str, at: u32) -> Result<Option<Cell>, StoreError> {
        let mut sql = format!("SELECT t.\"{}\"{}", self.table.columns[term.0].name, self.from(index));
        query.conditions(self.table, &mut sql);
        query.write_order(&[term], self.table, &mut sql);
        sql.push_str(" LIMIT 1 OFFSET ?");
        let mut statement = self.prepare(&sql)?;
        let bound = bind(&mut statement, query)?;
        statement.raw_bind_parameter(bound + 1, at)?;
        let mut rows = statement.raw_query();
        Ok(rows.next()?.map(|row| row.get_ref(0).map(|value| cell(value).to_owned())).transpose()?)
    }

    /// Writes what one statement gives; without an index, along the one that the database chooses.
    fn select(&mut self, query: &Query, order: &[SortTerm], index: Option<&str>) -> Result<(), StoreError> {
        let seen = self.render.seen(&query.viewer);
        let (columns, joins, selected) = match &seen {
            None => (self.render.columns.text(), &self.render.joins, &[][..]),
            Some(seen) => (seen.columns.as_str(), &seen.joins, seen.values.as_slice()),
        };
        let from = index.map_or_else(|| format!(" FROM \"{}\" t", self.table.name), |index| self.from(index));
        let mut sql = format!("SELECT {columns}{from}{joins}");
        query.conditions(self.table, &mut sql);
        query.write_order(order, self.table, &mut sql);
        sql.push_str(" LIMIT ? OFFSET ?");
        let mut statement = self.prepare(&sql)?;
        let bound =
            bind_values(&mut statement, selected.iter().chain(query.values()).chain(query.order_values(order)))?;
        statement.raw_bind_parameter(bound + 1, query.limit)?;
        statement.raw_bind_parameter(bound + 2, query.offset)?;
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            let row = SqliteRow::new(row, self.connection, &query.viewer);
            self.body.add(|out| row.render(self.render, out))?;
        }
        Ok(())
    }

    fn from(&self, index: &str) -> String {
        format!(" FROM \"{}\" t INDEXED BY \"{index}\"", self.table.name)
    }

    fn prepare(&self, sql: &str) -> rusqlite::Result<Prepared<'a>> {
        #[cfg(test)]
        tests::note(sql);
        prepare(self.connection, sql)
    }
}

/// How many rows a query finds, on all its pages.
pub(super) fn count(
    connection: &Connection,
    table: &Table,
    query: &Query,
    index: Option<&str>,
) -> Result<u64, StoreError> {
    let mut sql = String::new();
    if index.is_some() || !write_count_by_value(table, query, &mut sql) {
        let named = index.map(|index| format!(" INDEXED BY \"{index}\"")).unwrap_or_default();
        sql = format!("SELECT count(*) FROM \"{}\" t{named}", table.name);
        query.conditions(table, &mut sql);
    }
    #[cfg(test)]
    tests::note(&sql);
    let mut statement = prepare(connection, &sql)?;
    bind(&mut statement, query)?;
    let mut rows = statement.raw_query();
    let count: Option<i64> = rows.next()?.map(|row| row.get(0)).transpose()?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
}

/// Where a condition reads other rows by a reference, and nothing else of the row: the number of rows of each value of
/// the reference, tested once for all of them. False, and nothing written, elsewhere, and where no two rows have the
/// same value.
fn write_count_by_value(table: &Table, query: &Query, sql: &mut String) -> bool {
    let follows = |filter: &Filter| matches!(&filter.test, Test::Meets(predicate) if !predicate.others.is_empty());
    let Some(column) = query.only_column().filter(|_| query.filters.iter().any(follows)) else { return false };
    let Some(index) = table.index(column.position()).filter(|index| index.has_ids) else { return false };
    let name = &table.columns[column].name;
    *sql = format!(
        "SELECT coalesce(sum(t.found), 0) FROM (SELECT t.\"{name}\", count(*) found FROM \"{}\" t INDEXED BY \"{}\" \
         GROUP BY t.\"{name}\") t",
        table.name, index.name
    );
    query.conditions(table, sql);
    true
}

/// What a walk tells of a page that is made in parts.
enum WalkEnds {
    /// It is past the last row.
    Beyond,
    /// It has all rows there are, and begins with the first.
    Open,
    /// The column's value in its first row, unless that is the first of all, and in its last; how many rows come before
    /// those of the first value.
    Closed { first: Option<Cell>, last: Option<Cell>, skipped: u32 },
}

#[cfg(test)]
mod tests;
