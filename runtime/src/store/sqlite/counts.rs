//! The numbers of matches of pages: as counted before in the same state of the rows that decide them, or counted now.

use super::lists;
use super::versions::{TableVersion, TableVersions};
use crate::plan::query::{Difference, Query};
use crate::plan::{ResourceIndex, ResourcePlan};
use crate::store::StoreError;
use crate::store::counts::{CountKey, DifferenceKeys, KnownCounts, Way};
use rusqlite::Connection;
use std::sync::Arc;

/// What was counted, and what tells whether that still holds.
pub(super) struct PageCounts {
    known: KnownCounts<CountedState>,
    versions: Arc<TableVersions>,
}

/// The states of all rows that decide a number.
type CountedState = Vec<TableVersion>;

/// What is to be counted, and the state of the rows that decide it before the snapshot; `None` while a commit changes
/// one of them, and where more than rows decides.
pub(super) struct CountedQuery<'a> {
    resource: ResourceIndex,
    query: &'a Query,
    state: Option<CountedState>,
    difference: Option<(Difference, Option<CountedState>)>,
}

impl PageCounts {
    pub(super) fn new(versions: Arc<TableVersions>) -> Self {
        Self { known: KnownCounts::new(), versions }
    }

    /// To be called before the snapshot.
    pub(super) fn before<'a>(&self, resource: ResourceIndex, query: &'a Query) -> CountedQuery<'a> {
        let difference = query.difference().map(|difference| {
            let state = self.state(resource, &difference.all);
            (difference, state)
        });
        CountedQuery { resource, query, state: self.state(resource, query), difference }
    }

    fn state(&self, resource: ResourceIndex, query: &Query) -> Option<CountedState> {
        let others = query.others()?;
        std::iter::once(resource).chain(others).map(|resource| self.versions.of(resource)).collect()
    }

    /// How many rows a query finds, along an index if one is given.
    pub(super) fn of(
        &self,
        connection: &Connection,
        plan: &ResourcePlan,
        CountedQuery { resource, query, state, difference }: CountedQuery<'_>,
        index: Option<&str>,
    ) -> Result<u64, StoreError> {
        let table = &plan.table;
        let count = |query: &Query, index: Option<&str>| lists::count(connection, table, query, index);
        let Some(key) = CountKey::of(resource, table, query) else { return count(query, index) };
        self.known_or((resource, query), &key, state, || {
            let difference = difference.filter(|_| index.is_none());
            let Some((difference, state)) = difference else { return count(query, index) };
            let Some(keys) = DifferenceKeys::of(resource, table, &difference) else { return count(query, None) };
            let Difference { all, less, column, referenced } = difference;
            let way = self.known.way(&key, &keys);
            if way == Way::Directly {
                return count(query, None);
            }
            self.known.keep(keys.referenced, None, rows_of(connection, &referenced)?);
            let all = self.known_or((resource, &all), &keys.all, state, || count(&all, None))?;
            if way == Way::DirectlyAndAll {
                return count(query, None);
            }
            let index = table.index(column.position()).map(|index| index.name);
            Ok(all.saturating_sub(count(&less, index.as_deref())?))
        })
    }

    /// A number as known, or as `count` says.
    fn known_or(
        &self,
        (resource, query): (ResourceIndex, &Query),
        key: &CountKey,
        before: Option<CountedState>,
        count: impl FnOnce() -> Result<u64, StoreError>,
    ) -> Result<u64, StoreError> {
        let is_current = |before: &CountedState| self.state(resource, query).as_ref() == Some(before);
        let known = before.as_ref().and_then(|before| self.known.get(key, before).filter(|_| is_current(before)));
        if let Some(count) = known {
            return Ok(count);
        }
        let counted = count()?;
        self.known.keep(key.clone(), before.filter(is_current), counted);
        Ok(counted)
    }
}

/// How many rows a table has.
fn rows_of(connection: &Connection, table: &str) -> Result<u64, StoreError> {
    let mut statement = connection.prepare_cached(&format!("SELECT count(*) FROM \"{table}\""))?;
    let count: i64 = statement.query_row([], |row| row.get(0))?;
    Ok(count.unsigned_abs())
}
