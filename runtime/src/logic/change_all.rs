//! Changes of all entities that a query finds: `transition_all`, `update_all`, `delete_all`.
//!
//! They are read in portions, in the order of their ids, and changed one by one: each by the rules of its resource,
//! with an event of its own. An entity has its turn once, as it is then: what rules did for others before it counts.

use super::rejection::Rejection;
use super::transaction::Transaction;
use super::transitions;
use crate::plan::cell::Cell;
use crate::plan::query::{Filter, Query as PlannedQuery, Test};
use crate::plan::{ColumnIndex, ResourceIndex, ResourcePlan};
use crate::store::{ChangeKind, Read};
use crate::typed::{Command, Query, Stored};
use restwell_model::tables::ID;
use uuid::Uuid;

/// Entities that are read at a time.
const PORTION: u32 = 500;

impl Transaction {
    /// Makes the transition of a command, of every entity that a query finds, and returns how many these are:
    /// `transition_all::<End>(OfferQuery::new().seller_id(seller))`. The command's own handler does not run.
    ///
    /// All are found, in the order of their ids; the query's own order does not count. It can be thousands: a
    /// transaction takes 32 MiB of changes.
    ///
    /// # Errors
    ///
    /// As [`transition`](Self::transition), by the first entity that cannot make it: then nothing is changed if the
    /// code returns the error. The query has a limit or an offset.
    pub async fn transition_all<C: Command>(&self, query: impl Query<Of = C::On>) -> Result<u64, Rejection> {
        let (index, transition) = self.transition_of::<C>()?;
        let mut portions = Portions::of(self, query)?;
        while let Some(ids) = portions.next_ids().await? {
            for id in ids {
                transitions::make(self, index, id, transition).await?;
            }
        }
        Ok(portions.found)
    }

    /// Changes every entity that a query finds, and returns how many these are:
    /// `update_all(OfferQuery::new().seller_id(seller), |offer| offer.paused = true)`. Each is stored as
    /// [`update`](Self::update) does.
    ///
    /// All are found, in the order of their ids; the query's own order does not count. It can be thousands: a
    /// transaction takes 32 MiB of changes.
    ///
    /// # Errors
    ///
    /// As `update`, by the first entity whose change is rejected. The query has a limit or an offset.
    pub async fn update_all<Q: Query>(
        &self,
        query: Q,
        mut change: impl FnMut(&mut Stored<Q::Of>) + Send,
    ) -> Result<u64, Rejection> {
        let (_, plan) = self.plan::<Q::Of>()?;
        let mut portions = Portions::of(self, query)?;
        while let Some(rows) = portions.next().await? {
            for row in rows {
                let mut entity = self.stored(plan, &row).await?;
                change(&mut entity);
                self.update(entity).await?;
            }
        }
        Ok(portions.found)
    }

    /// Deletes every entity that a query finds, and returns how many these are. Each is deleted as
    /// [`delete`](Self::delete) does.
    ///
    /// # Errors
    ///
    /// As `delete`, by the first entity whose deletion is rejected. The query has a limit or an offset.
    pub async fn delete_all<Q: Query>(&self, query: Q) -> Result<u64, Rejection> {
        let (index, plan) = self.plan::<Q::Of>()?;
        let mut portions = Portions::of(self, query)?;
        while let Some(ids) = portions.next_ids().await? {
            for id in ids {
                self.change(index, plan, id, ChangeKind::Delete).await?;
            }
        }
        Ok(portions.found)
    }
}

/// The entities that a query finds, some at a time.
struct Portions<'a> {
    transaction: &'a Transaction,
    resource: ResourceIndex,
    query: PlannedQuery,
    /// The last one that was found.
    last: Option<Uuid>,
    /// How many were found so far.
    found: u64,
    is_at_end: bool,
}

impl<'a> Portions<'a> {
    fn of<Q: Query>(transaction: &'a Transaction, query: Q) -> Result<Self, Rejection> {
        let (resource, plan): (_, &ResourcePlan) = transaction.plan::<Q::Of>()?;
        let spec = query.spec();
        if spec.limit.is_some() || spec.offset > 0 {
            let name = &plan.name;
            let reason = format!("a change of all that a query of {name} finds has neither limit nor offset");
            return Err(Rejection::unforeseen(reason));
        }
        let query = plan.repository.query(spec).map_err(Rejection::unforeseen)?;
        let query = PlannedQuery { sort: Vec::new(), limit: PORTION, ..query };
        Ok(Self { transaction, resource, query, last: None, found: 0, is_at_end: false })
    }

    /// The next ones; `None`: there are no more.
    async fn next(&mut self) -> Result<Option<Vec<Vec<Cell>>>, Rejection> {
        if self.is_at_end {
            return Ok(None);
        }
        let query = match self.last {
            None => self.query.clone(),
            Some(last) => {
                let test = Test::Compare(">", Cell::Uuid(last));
                self.query.with(Filter { column: ColumnIndex::ID, test })
            }
        };
        let rows = self.transaction.look(Read::Many(self.resource, query)).await?.rows;
        self.transaction.about_to_change(self.resource, &rows).await;
        self.found += rows.len() as u64;
        self.is_at_end = rows.len() < PORTION as usize;
        self.last = rows.last().and_then(|row| row.get(ID)?.uuid());
        Ok((!rows.is_empty()).then_some(rows))
    }

    /// Their ids.
    async fn next_ids(&mut self) -> Result<Option<Vec<Uuid>>, Rejection> {
        let rows = self.next().await?;
        Ok(rows.map(|rows| rows.iter().filter_map(|row| row.get(ID)?.uuid()).collect()))
    }
}
