//! The numbers of matches of pages: as counted before in the same state of the database, or counted now.

use super::transaction::PostgresTransaction;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::query::{Difference, Query};
use crate::plan::{ResourceIndex, ResourcePlan};
use crate::store::counts::{CountKey, DifferenceKeys, KnownCounts, Way};
use crate::store::sql::{Session, SqlFailure, count};
use futures_util::future::try_join3;

/// The state of a database that a transaction sees: the server, for another one may count transactions differently,
/// and the transactions whose changes are visible.
const STATE: &str = "SELECT CAST(pg_postmaster_start_time() AS text), CAST(pg_current_snapshot() AS text)";

/// How many rows a table has, as the server estimates: below zero where it never looked.
const ESTIMATE: &str =
    "SELECT CAST(reltuples AS bigint) FROM pg_class WHERE oid = CAST(format('%I', CAST(? AS text)) AS regclass)";

/// A state of a database, in which no transaction is in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SettledState {
    server: String,
    /// All transactions before this one are over.
    next_transaction: String,
}

impl SettledState {
    /// The state that a transaction sees; `None` if others are in progress. A standby does not list these, so that two
    /// of its states could not be told apart otherwise.
    fn of(row: Vec<Cell>) -> Option<Self> {
        let mut cells = row.into_iter();
        let (Cell::Text(server), Cell::Text(snapshot)) = (cells.next()?, cells.next()?) else { return None };
        let mut parts = snapshot.split(':');
        let (oldest, next) = (parts.next()?, parts.next()?);
        (oldest == next).then(|| Self { server, next_transaction: next.to_owned() })
    }
}

/// What was counted.
pub(super) type StateCounts = KnownCounts<SettledState>;

/// What is known of the number of matches.
pub(super) enum KnownCount {
    /// It was counted in the same state.
    Counted(u64),
    /// It is to be counted.
    Unknown(Box<UnknownCount>),
}

/// How a number is counted, and what it is kept by.
#[derive(Default)]
pub(super) struct UnknownCount {
    key: Option<CountKey>,
    state: Option<SettledState>,
    difference: Option<(Difference, DifferenceKeys, Way)>,
}

impl KnownCount {
    /// For a page that is read in the same transaction.
    pub(super) async fn look_up(
        session: &PostgresTransaction,
        counts: &StateCounts,
        resource: ResourceIndex,
        plan: &ResourcePlan,
        query: &Query,
    ) -> Result<Self, SqlFailure> {
        let key = if plan.count { CountKey::of(resource, &plan.table, query) } else { None };
        let Some(key) = key else { return Ok(Self::Unknown(Box::default())) };
        let difference = query.difference().and_then(|difference| {
            let keys = DifferenceKeys::of(resource, &plan.table, &difference)?;
            let way = counts.way(&key, &keys);
            Some((difference, keys, way))
        });
        let state = session.rows(STATE, &[]).await?.pop().and_then(SettledState::of);
        Ok(match state.as_ref().and_then(|state| counts.get(&key, state)) {
            Some(count) => Self::Counted(count),
            None => Self::Unknown(Box::new(UnknownCount { key: Some(key), state, difference })),
        })
    }

    /// The number; counted now where it is not known.
    pub(super) async fn or_count(
        self,
        session: &PostgresTransaction,
        counts: &StateCounts,
        plan: &ResourcePlan,
        query: &Query,
    ) -> Result<u64, SqlFailure> {
        let UnknownCount { key, state, difference } = match self {
            Self::Counted(count) => return Ok(count),
            Self::Unknown(counting) => *counting,
        };
        let number = |query| count(session, &plan.table, query);
        let has_difference = difference.is_some();
        let counted = match difference {
            None => number(query).await?,
            Some((Difference { all, less, referenced, .. }, keys, way)) => {
                let first = number(if way == Way::ByDifference { &less } else { query });
                let all = async { if way == Way::Directly { Ok(None) } else { number(&all).await.map(Some) } };
                let (first, all, rows) = try_join3(first, all, rows_of(session, &referenced)).await?;
                counts.keep(keys.referenced, None, rows);
                if let Some(all) = all {
                    counts.keep(keys.all, state.clone(), all);
                }
                match (way, all) {
                    (Way::ByDifference, Some(all)) => all.saturating_sub(first),
                    _ => first,
                }
            }
        };
        if let Some(key) = key.filter(|_| state.is_some() || has_difference) {
            counts.keep(key, state, counted);
        }
        Ok(counted)
    }
}

/// How many rows a table has, as the server estimates; where it never looked, as many as can be.
async fn rows_of(session: &PostgresTransaction, table: &str) -> Result<u64, SqlFailure> {
    let rows = session.rows(ESTIMATE, &[CellRef::Text(table.as_bytes())]).await?;
    Ok(rows.first().and_then(|row| u64::try_from(row.first()?.borrow().int()?).ok()).unwrap_or(u64::MAX))
}
