//! The numbers of matches of pages: as counted before in the same state of the database, or counted now.

use super::transaction::PostgresTransaction;
use crate::plan::cell::Cell;
use crate::plan::query::Query;
use crate::plan::{ResourceIndex, ResourcePlan};
use crate::store::counts::{CountKey, KnownCounts};
use crate::store::sql::{Session, SqlFailure, count};

/// The state of a database that a transaction sees: the server, for another one may count transactions differently,
/// and the transactions whose changes are visible.
const STATE: &str = "SELECT CAST(pg_postmaster_start_time() AS text), CAST(pg_current_snapshot() AS text)";

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
    /// It is to be counted, and kept with the state if there is one.
    Unknown(Option<(CountKey, SettledState)>),
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
        let Some(key) = key else { return Ok(Self::Unknown(None)) };
        let state = session.rows(STATE, &[]).await?.pop().and_then(SettledState::of);
        Ok(match state.as_ref().and_then(|state| counts.get(&key, state)) {
            Some(count) => Self::Counted(count),
            None => Self::Unknown(state.map(|state| (key, state))),
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
        let found_in = match self {
            Self::Counted(count) => return Ok(count),
            Self::Unknown(found_in) => found_in,
        };
        let counted = count(session, &plan.table, query).await?;
        if let Some((key, state)) = found_in {
            counts.keep(key, state, counted);
        }
        Ok(counted)
    }
}
