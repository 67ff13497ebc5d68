//! What a team's own code does with entities: typed reads and changes, committed as a whole (`Transaction`).

use super::hashing::Hasher;
use super::rejection::{Cause, Rejection};
use crate::auth::permission::Permit;
use crate::ids::Ids;
use crate::observe::trace::Trace;
use crate::plan::cell::Cell;
use crate::plan::{Plans, ResourceIndex, ResourcePlan};
use crate::store::{Batch, Change, ChangeKind, Read, ReadResult, RepresentationId, Step, Store};
use crate::typed::{Query, Ref, Resource, Stored};
use restwell_model::scalar::Timestamp;
use restwell_model::tables::{CREATED_AT, ID, UPDATED_AT};
use restwell_model::{ErrorCode, Problem, Value};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use uuid::Uuid;

/// Reads and changes that a transaction may have in all.
const MAX_STEPS: usize = 10_000;

/// Reads and changes of any resource, all done or none.
///
/// It reads what is committed, with its own changes. What it changes is checked and written when the code that was
/// given it succeeds; if something that it read has been changed by another request, nothing is written and the
/// code runs again. Slow code does not block other requests.
///
/// What the code does elsewhere may so be done more than once: give it the command's id as the idempotency key.
pub struct Transaction {
    store: Arc<dyn Store>,
    plans: Arc<Plans>,
    hasher: Arc<Hasher>,
    ids: Ids,
    now: Timestamp,
    trace: Trace,
    steps: Steps,
}

/// What a transaction has gathered so far.
#[derive(Clone, Default)]
pub(crate) struct Steps(Arc<Mutex<Vec<Step>>>);

impl Steps {
    /// Takes it.
    pub(crate) fn take(&self) -> Vec<Step> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transaction").field("now", &self.now).finish_non_exhaustive()
    }
}

impl Transaction {
    /// One that has done nothing yet.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        plans: Arc<Plans>,
        hasher: Arc<Hasher>,
        ids: Ids,
        now: Timestamp,
        trace: Trace,
    ) -> Self {
        Self { store, plans, hasher, ids, now, trace, steps: Steps::default() }
    }

    /// When it began: what it creates and changes has this time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The entity that a reference, or an id, names: `get(purchase.offer)`, `get::<Offer>(id)`.
    ///
    /// # Errors
    ///
    /// The store is unavailable, or has a value that the type cannot hold.
    pub async fn get<R: Resource>(&self, id: impl Into<Ref<R>>) -> Result<Option<Stored<R>>, Rejection> {
        let id = id.into().id;
        let (index, plan) = self.plan::<R>()?;
        let seen = self.look(Read::One(index, id)).await?;
        seen.rows.first().map(|row| stored(plan, row)).transpose()
    }

    /// The entity that a reference, or an id, names, and which must be there.
    ///
    /// # Errors
    ///
    /// `NotFound` if it does not exist; the store is unavailable, or has a value that the type cannot hold.
    pub async fn find<R: Resource>(&self, id: impl Into<Ref<R>>) -> Result<Stored<R>, Rejection> {
        let found = self.get(id.into()).await?;
        found.ok_or_else(|| Rejection(Cause::Problems(vec![Problem::new(ErrorCode::NotFound)])))
    }

    /// The entities that a query finds: `OfferQuery::new().seller_id(seller).sort(OfferSort::NAME)`. Without a limit
    /// the first hundred.
    ///
    /// # Errors
    ///
    /// The query compares with a value that the field cannot have; the store is unavailable, or has a value that the
    /// type cannot hold.
    pub async fn list<Q: Query>(&self, query: Q) -> Result<Vec<Stored<Q::Of>>, Rejection> {
        let (index, plan) = self.plan::<Q::Of>()?;
        let query = plan.repository.query(query.spec()).map_err(Rejection::unforeseen)?;
        let seen = self.look(Read::Many(index, query)).await?;
        seen.rows.iter().map(|row| stored(plan, row)).collect()
    }

    /// The number of entities that a query finds, without limit and offset.
    ///
    /// # Errors
    ///
    /// The query compares with a value that the field cannot have, or the store is unavailable.
    pub async fn count<Q: Query>(&self, query: Q) -> Result<u64, Rejection> {
        let (index, plan) = self.plan::<Q::Of>()?;
        let query = plan.repository.query(query.spec()).map_err(Rejection::unforeseen)?;
        Ok(self.look(Read::Count(index, query)).await?.count)
    }

    /// Creates an entity. Whether it is unique, and what it refers to is there, is decided when all is committed.
    ///
    /// # Errors
    ///
    /// Its values break the resource's constraints.
    pub async fn create<R: Resource>(&self, value: R) -> Result<Stored<R>, Rejection> {
        let (index, plan) = self.plan::<R>()?;
        let id = self.ids.entity();
        let value = value.into_value();
        let stored = Stored { id, created_at: self.now, updated_at: self.now, value: R::from_value(value.clone())? };
        self.change(index, plan, id, ChangeKind::Create(value)).await?;
        Ok(stored)
    }

    /// Stores an entity with its present values, also of fields that are read-only or immutable for clients.
    ///
    /// # Errors
    ///
    /// Its values break the resource's constraints.
    pub async fn update<R: Resource>(&self, entity: Stored<R>) -> Result<(), Rejection> {
        let (index, plan) = self.plan::<R>()?;
        self.change(index, plan, entity.id, ChangeKind::Put(entity.value.into_value())).await
    }

    /// Deletes an entity, as `onDelete` says of those that refer to it.
    ///
    /// # Errors
    ///
    /// The transaction has too many changes. Whether the entity can go is decided when all is committed.
    pub async fn delete<R: Resource>(&self, entity: &Stored<R>) -> Result<(), Rejection> {
        let (index, plan) = self.plan::<R>()?;
        self.change(index, plan, entity.id, ChangeKind::Delete).await
    }

    /// Tries what was changed so far, so that what the store would refuse is known here: a name that is taken, a
    /// reference to nothing.
    ///
    /// # Errors
    ///
    /// What the store says.
    pub async fn check(&self) -> Result<(), Rejection> {
        let batch = Batch { steps: self.steps(), is_dry_run: true, ..Batch::default() };
        self.store.commit(batch).await.map(|_| ()).map_err(|refusal| Rejection(Cause::Store(refusal)))
    }

    /// A row, all cells.
    pub(crate) async fn row(&self, resource: ResourceIndex, id: Uuid) -> Result<Option<Vec<Cell>>, Rejection> {
        Ok(self.look(Read::One(resource, id)).await?.rows.into_iter().next())
    }

    /// Adds a change that a request has asked for; returns its position among the changes.
    pub(crate) fn push(&self, change: Change) -> Result<usize, Rejection> {
        let place = self.steps().iter().filter(|step| step.is_change()).count();
        self.step(Step::Write(change)).map(|()| place)
    }

    /// What it gathers, to be taken when its user is done.
    pub(crate) fn gathered(&self) -> Steps {
        self.steps.clone()
    }

    fn plan<R: Resource>(&self) -> Result<(ResourceIndex, &ResourcePlan), Rejection> {
        let found = self.plans.resource(R::NAME);
        found.ok_or_else(|| Rejection::unforeseen(format!("{} is not a resource of the service", R::NAME)))
    }

    async fn look(&self, look: Read) -> Result<ReadResult, Rejection> {
        let seen = self.store.look(look.clone(), self.steps()).await;
        let seen = seen.map_err(|refusal| Rejection(Cause::Store(refusal)))?;
        self.step(Step::Verify(look, seen.fingerprint()))?;
        Ok(seen)
    }

    fn steps(&self) -> Vec<Step> {
        self.steps.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn step(&self, step: Step) -> Result<(), Rejection> {
        let mut steps = self.steps.0.lock().unwrap_or_else(PoisonError::into_inner);
        if steps.len() == MAX_STEPS {
            return Err(Rejection::unforeseen(format!("a transaction may have at most {MAX_STEPS} reads and changes")));
        }
        steps.push(step);
        Ok(())
    }

    async fn change(
        &self,
        resource: ResourceIndex,
        plan: &ResourcePlan,
        id: Uuid,
        mut kind: ChangeKind,
    ) -> Result<(), Rejection> {
        if let ChangeKind::Create(value) | ChangeKind::Put(value) = &mut kind {
            let problems = plan.repository.check(value);
            if !problems.is_empty() {
                return Err(Rejection(Cause::Problems(problems)));
            }
            let hashed = self.hasher.replace(&plan.secrets, value).await;
            hashed.map_err(|error| Rejection(Cause::Store(error.into())))?;
        }
        let at = RepresentationId::canonical(resource);
        let now = self.now.millis();
        let trace = self.trace.clone();
        let change = Change { at, id, now, permit: Permit::All, if_match: Vec::new(), is_dry_run: false, trace, kind };
        self.step(Step::Write(change))
    }
}

fn stored<R: Resource>(plan: &ResourcePlan, row: &[Cell]) -> Result<Stored<R>, Rejection> {
    let Stored { id, created_at, updated_at, value } = plan.stored(row)?;
    Ok(Stored { id, created_at, updated_at, value: R::from_value(value)? })
}

impl ResourcePlan {
    /// The entity in a row.
    pub(crate) fn stored(&self, row: &[Cell]) -> Result<Stored<Value>, Rejection> {
        let time = |at: usize| row.get(at).and_then(|cell| cell.borrow().int()).and_then(Timestamp::from_millis);
        match (row.get(ID).and_then(Cell::uuid), time(CREATED_AT), time(UPDATED_AT)) {
            (Some(id), Some(created_at), Some(updated_at)) => {
                Ok(Stored { id, created_at, updated_at, value: self.values(row) })
            }
            _ => Err(Rejection::unforeseen("a stored row lacks what every entity has")),
        }
    }
}
