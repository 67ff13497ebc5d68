//! What a condition asked for that is not known, and how it is read: entities by their ids, and how many refer to one.

use super::Written;
use crate::plan::cell::Cell;
use crate::plan::conditions::bound;
use crate::plan::predicate::Predicate;
use crate::plan::query::{Filter, Query, Test};
use crate::plan::{ColumnIndex, Plans, ResourceIndex};
use crate::store::{Read, StoreError};
use restwell_model::condition::sql::{SqlTarget, predicate};
use restwell_model::condition::{MAX_COUNTED, Typed};
use restwell_model::tables::{ID, Table};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use uuid::Uuid;

/// The name of a table in which the written row has its new state. No table of a model has a dot in its name.
const LEFT: &str = "written.rows";

/// What was asked for and is not known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Missing {
    Entity(ResourceIndex, Uuid),
    Count(CountOf),
}

/// Entities that refer to one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CountOf {
    pub(super) resource: ResourceIndex,
    /// The reference.
    pub(super) column: ColumnIndex,
    pub(super) to: Uuid,
    /// The condition on each of them.
    pub(super) condition: Option<Typed>,
    /// How far they are counted; `None`: as far as they go, if these are not too many.
    pub(super) limit: Option<u64>,
    /// One that is not counted.
    pub(super) except: Option<Uuid>,
}

impl Missing {
    /// The read that finds it, in tables where the written row may still have its earlier state.
    ///
    /// # Errors
    ///
    /// A condition cannot be written in SQL.
    pub(super) fn read(&self, plans: &Plans, written: Option<Written<'_>>) -> Result<Read, StoreError> {
        match self {
            Self::Entity(resource, id) => Ok(Read::One(*resource, *id)),
            Self::Count(count) => count.read(plans, written),
        }
    }
}

impl CountOf {
    fn read(&self, plans: &Plans, written: Option<Written<'_>>) -> Result<Read, StoreError> {
        Ok(Read::CountTo(self.resource, self.query(plans, written)?))
    }

    /// What is counted.
    pub(super) fn query(&self, plans: &Plans, written: Option<Written<'_>>) -> Result<Query, StoreError> {
        let mut query = self.conditions(plans, written)?;
        query.filters.insert(0, Filter { column: self.column, test: Test::equal(Cell::Uuid(self.to)) });
        Ok(query)
    }

    /// What is counted, but for what it refers to.
    pub(super) fn conditions(&self, plans: &Plans, written: Option<Written<'_>>) -> Result<Query, StoreError> {
        let except = |id| Filter { column: ColumnIndex::ID, test: Test::none_of(vec![Cell::Uuid(id)]) };
        let mut filters: Vec<_> = self.except.map(except).into_iter().collect();
        if let Some(condition) = &self.condition {
            let unwritten = || StoreError::Internal("a condition has no form in SQL".to_owned());
            let predicate = self.predicate(condition, plans, written).ok_or_else(unwritten)?;
            filters.push(Arc::new(predicate).filter());
        }
        let limit = u32::try_from(self.limit.unwrap_or(MAX_COUNTED + 1)).unwrap_or(u32::MAX);
        Ok(Query { filters, limit, ..Query::default() })
    }

    fn predicate(&self, condition: &Typed, plans: &Plans, written: Option<Written<'_>>) -> Option<Predicate> {
        let reads = condition.reads().resources;
        let index = |name: &String| Some(plans.resource(name)?.0);
        let others: Vec<_> = reads.iter().filter_map(index).collect();
        let resource = &plans.resources[self.resource].name;
        let written = written.filter(|written| others.contains(&written.resource));
        let (text, values) = match written {
            Some(written) => over_written(condition, plans, (resource, &reads), written)?,
            None => {
                let sql = predicate(condition, plans.conditions.target(resource))?;
                (sql.text, sql.values.into_iter().map(bound).collect())
            }
        };
        Some(Predicate { sql: text.into(), values, others, ..Predicate::default() })
    }
}

/// A condition that reads the resource of the written row besides, in which that row has its new state.
fn over_written(
    condition: &Typed,
    plans: &Plans,
    (resource, reads): (&str, &BTreeSet<String>),
    written: Written<'_>,
) -> Option<(String, Vec<Cell>)> {
    let (all, dialect) = (&plans.conditions.tables, plans.conditions.dialect);
    let name = &plans.resources[written.resource].name;
    let table = all.get(name)?;
    let mut tables: HashMap<String, Table> = HashMap::new();
    for read in reads.iter().map(String::as_str).chain([resource]) {
        tables.insert(read.to_owned(), all.get(read)?.clone());
    }
    tables.get_mut(name)?.name = LEFT.to_owned();
    let target = SqlTarget { dialect, tables: &tables, resource, alias: "t" };
    let sql = predicate(condition, target)?;
    let columns: Vec<_> = table.columns.iter().map(|column| format!("w.\"{}\"", column.name)).collect();
    let cells: Vec<_> = table.columns.iter().map(|column| dialect.cast("?", column.kind)).collect();
    // SQLite looks for what is sought in each part, with its indexes, only where each reads something
    let text = format!(
        "EXISTS (WITH \"{LEFT}\" AS NOT MATERIALIZED (SELECT {} FROM \"{}\" w WHERE w.\"id\" <> ? \
         UNION ALL SELECT {} FROM (SELECT 1) o) SELECT 1 WHERE {})",
        columns.join(", "),
        table.name,
        cells.join(", "),
        sql.text,
    );
    let id = written.row.get(ID)?.clone();
    let values = std::iter::once(id).chain(written.row.iter().cloned()).chain(sql.values.into_iter().map(bound));
    Some((text, values.collect()))
}
