//! What a team's own code does with entities: typed reads and changes, committed as a whole (`Transaction`).

use super::defaults;
use super::hashing::Hasher;
use super::rejection::{Cause, Rejection};
use super::rule_chain::RuleChain;
use super::steps::{Steps, reads};
use super::transitions;
use crate::auth::caller::Caller;
use crate::etag::Preconditions;
use crate::ids::Ids;
use crate::observe::trace::Trace;
use crate::plan::cell::Cell;
use crate::plan::lifecycle::TransitionPlan;
use crate::plan::permission::Permit;
use crate::plan::viewer::Viewer;
use crate::plan::{Plans, ResourceIndex, ResourcePlan, exact_digits};
use crate::store::{Batch, Change, ChangeKind, QueryGuard, Read, ReadResult, RepresentationId, Step, Store};
use crate::typed::{Command, Query, Ref, Resource, Stored};
use restwell_model::scalar::Timestamp;
use restwell_model::tables::{CREATED_AT, ID, UPDATED_AT};
use restwell_model::{ErrorCode, Problem, Value};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use uuid::Uuid;

/// Reads and changes of any resource, all done or none.
///
/// It reads what is committed, with its own changes. What it changes is checked, by the rules of the resource too, and
/// written when the code that was given it succeeds; if something that it read has been changed by another request,
/// nothing is written and the code runs again. Slow code does not block other requests.
///
/// So effects elsewhere may happen more than once: use the command's id as their idempotency key.
pub struct Transaction {
    origin: Arc<Origin>,
    steps: Steps,
    /// The rules that it was given to.
    chain: RuleChain,
    /// Whether locks of entities guard what its queries find.
    is_guarded: AtomicBool,
}

/// What is the same for a whole transaction: when it began, for whom, and what it works with.
pub(crate) struct Origin {
    pub(super) store: Arc<dyn Store>,
    pub(super) plans: Arc<Plans>,
    pub(super) hasher: Arc<Hasher>,
    pub(super) rules: Arc<dyn ChangeRules>,
    pub(super) ids: Ids,
    pub(super) now: Timestamp,
    pub(super) trace: Trace,
    pub(super) caller: Option<Caller>,
    pub(super) is_dry_run: bool,
}

/// The rules that a transaction's changes run.
pub(crate) trait ChangeRules: Send + Sync {
    /// Whether a resource has rules.
    fn has_rules(&self, resource: ResourceIndex) -> bool;

    /// Adds a change to a transaction: as the rules of its resource leave it, and with what they change besides.
    fn apply<'a>(&'a self, change: Change, transaction: &'a Transaction) -> Applying<'a>;
}

/// A change whose rules run.
pub(crate) type Applying<'a> = Pin<Box<dyn Future<Output = Result<AppliedChange, Rejection>> + Send + 'a>>;

/// A change that is part of a transaction.
pub(crate) struct AppliedChange {
    /// Its position among the changes.
    pub(crate) position: usize,
    /// The values of the entity as they will be; `None`: it is deleted, or the store will refuse the change.
    pub(crate) value: Option<Value>,
}

impl fmt::Debug for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transaction").field("now", &self.now()).finish_non_exhaustive()
    }
}

impl Transaction {
    /// One that has done nothing yet.
    pub(crate) fn new(origin: Origin) -> Self {
        let (steps, chain) = (Steps::default(), RuleChain::default());
        Self { origin: Arc::new(origin), steps, chain, is_guarded: AtomicBool::new(false) }
    }

    /// The same for one of the rules that run for a change of it.
    pub(super) fn for_rule(&self, resource: &str, rule: &'static str) -> Self {
        let (origin, steps) = (Arc::clone(&self.origin), self.steps.clone());
        Self { origin, steps, chain: self.chain.to(resource, rule), is_guarded: AtomicBool::new(false) }
    }

    /// One within it, for a change and all that its rules do. What that gathers becomes part of it only where the
    /// change is accepted.
    ///
    /// # Errors
    ///
    /// Too many rules run because of each other.
    pub(super) fn within(&self) -> Result<Self, Rejection> {
        self.chain.may_go_on()?;
        let (origin, steps) = (Arc::clone(&self.origin), self.steps.within());
        Ok(Self { origin, steps, chain: self.chain.clone(), is_guarded: AtomicBool::new(false) })
    }

    /// Ends one within it. Of a rejected change, only the reads of its rules are kept.
    pub(super) fn merge<T>(&self, inner: &Self, outcome: Result<T, Rejection>) -> Result<T, Rejection> {
        let steps = inner.steps.take();
        match outcome {
            Ok(done) => self.steps.extend(steps).map(|()| done),
            Err(rejection) => self.steps.extend(reads(steps)).and(Err(rejection)),
        }
    }

    /// Who sent the request or the command.
    pub(super) fn caller(&self) -> Option<&Caller> {
        self.origin.caller.as_ref()
    }

    /// Whether it is rolled back at its end.
    pub(super) fn is_dry_run(&self) -> bool {
        self.origin.is_dry_run
    }

    /// When it began: what it creates and changes has this time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.origin.now
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
        match seen.rows.first() {
            Some(row) => self.stored(plan, row).await.map(Some),
            None => Ok(None),
        }
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
        let mut found = Vec::with_capacity(seen.rows.len());
        for row in &seen.rows {
            found.push(self.stored(plan, row).await?);
        }
        Ok(found)
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

    /// Locks an entity until all is committed, so that others who lock it wait: `lock(booking.room)`. What queries find
    /// after it is guarded by this lock alone. Without one a query keeps all others from writing to its table, which on
    /// PostgreSQL takes longer than anything else.
    ///
    /// So all code that changes what these queries find has to lock the same entity. The way to do so is a rule of the
    /// queried resource, since it runs for every write. The lock belongs to one rule or handler, and does not guard the
    /// queries of others. SQLite has one writer at a time, and needs no lock.
    ///
    /// # Errors
    ///
    /// The store is unavailable.
    pub async fn lock<R: Resource>(&self, entity: impl Into<Ref<R>>) -> Result<(), Rejection> {
        let (index, _) = self.plan::<R>()?;
        let id = entity.into().id;
        // other transactions cannot see an entity that it creates itself
        if !self.steps.create(id) {
            if self.seen(&Read::One(index, id)).await?.rows.is_empty() {
                return Ok(());
            }
            self.steps.push(Step::Lock(index, id))?;
        }
        self.is_guarded.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Creates an entity, by the rules of its resource. Whether it is unique, and what it refers to is there, is
    /// decided when all is committed.
    ///
    /// # Errors
    ///
    /// Its values break the resource's constraints, or a rule rejects it.
    pub async fn create<R: Resource>(&self, value: R) -> Result<Stored<R>, Rejection> {
        let (index, plan) = self.plan::<R>()?;
        let id = self.origin.ids.entity();
        let value = self.change(index, plan, id, ChangeKind::Create(value.to_value())).await?;
        let value = value.ok_or_else(|| Rejection::unforeseen("a new entity has no values"))?;
        let exact = plan.repository.exact(&value);
        Ok(Stored::new(id, self.now(), self.now(), R::from_value(value)?).with_exact(exact))
    }

    /// Stores an entity with its present values, also of fields that are read-only or immutable for clients, by the
    /// rules of its resource. Numbers in JSON of any form that are as they were read keep all their digits.
    ///
    /// # Errors
    ///
    /// Its values break the resource's constraints, or a rule rejects it.
    pub async fn update<R: Resource>(&self, entity: Stored<R>) -> Result<(), Rejection> {
        let (index, plan) = self.plan::<R>()?;
        let value = exact_digits::saved(entity.value.to_value(), entity.exact.as_deref());
        self.change(index, plan, entity.id, ChangeKind::Put(value)).await.map(drop)
    }

    /// Deletes an entity by the rules of its resource, and as `onDelete` says of those that refer to it.
    ///
    /// # Errors
    ///
    /// A rule rejects it, or the transaction has too many changes. Whether the entity can go is decided when all is
    /// committed.
    pub async fn delete<R: Resource>(&self, entity: &Stored<R>) -> Result<(), Rejection> {
        let (index, plan) = self.plan::<R>()?;
        self.change(index, plan, entity.id, ChangeKind::Delete).await.map(drop)
    }

    /// Makes the transition of a command, of any entity, and returns the entity as it is then:
    /// `transition::<End>(offer)`. The field of a lifecycle changes in no other way. The command's own handler does
    /// not run.
    ///
    /// # Errors
    ///
    /// `WrongState` if the entity is not in a state that the transition starts from, or its condition does not hold;
    /// `NotFound` if it does not exist; what the rules of the resource say.
    pub async fn transition<C: Command>(&self, entity: impl Into<Ref<C::On>>) -> Result<Stored<C::On>, Rejection> {
        let (index, transition) = self.transition_of::<C>()?;
        let entity = entity.into();
        transitions::make(self, index, entity.id, transition).await?;
        self.find(entity).await
    }

    /// Whether a text is the secret that has this hash: the value of a field with `secret = argon2`, as it was read.
    /// Pass `None` for a user who does not exist: the result is `false` after the same time, so that the time does not
    /// tell who exists.
    ///
    /// It is hashed by the threads that hash the secrets of requests, and waits in their queue.
    ///
    /// # Errors
    ///
    /// The queue is full: 503.
    pub async fn verify(&self, secret: &str, hash: Option<&str>) -> Result<bool, Rejection> {
        let verified = self.origin.hasher.verify(secret.to_owned(), hash.map(str::to_owned)).await;
        verified.map_err(|error| Rejection(Cause::Store(error.into())))
    }

    /// Tries what was changed so far, so that what the store would refuse is known here: a name that is taken, a
    /// reference to nothing.
    ///
    /// # Errors
    ///
    /// What the store says.
    pub async fn check(&self) -> Result<(), Rejection> {
        let batch = Batch { steps: self.steps.to_be_repeated()?, is_dry_run: true, ..Batch::default() };
        self.origin.store.commit(batch).await.map(|_| ()).map_err(|refusal| Rejection(Cause::Store(refusal)))
    }

    /// A row, all cells.
    pub(crate) async fn row(&self, resource: ResourceIndex, id: Uuid) -> Result<Option<Vec<Cell>>, Rejection> {
        Ok(self.look(Read::One(resource, id)).await?.rows.into_iter().next())
    }

    /// Adds a change by the rules of its resource.
    pub(crate) async fn apply(&self, change: Change) -> Result<AppliedChange, Rejection> {
        let rules = &self.origin.rules;
        if rules.has_rules(change.at.resource) { rules.apply(change, self).await } else { self.push(change) }
    }

    /// Adds a change as it is.
    pub(super) fn push(&self, change: Change) -> Result<AppliedChange, Rejection> {
        let position = self.steps.changes();
        let value = match &change.kind {
            ChangeKind::Create(value) | ChangeKind::Update(value) | ChangeKind::Put(value) => Some(value.clone()),
            ChangeKind::Delete => None,
        };
        self.steps.push(Step::Write(change))?;
        Ok(AppliedChange { position, value })
    }

    /// Puts hashes in the places of the secrets among an entity's values.
    pub(super) async fn hash(&self, plan: &ResourcePlan, value: &mut Value) -> Result<(), Rejection> {
        let hashed = self.origin.hasher.replace(&plan.secrets, value).await;
        hashed.map_err(|error| Rejection(Cause::Store(error.into())))
    }

    /// The plans of the service.
    pub(super) fn plans(&self) -> &Plans {
        &self.origin.plans
    }

    /// The plan of a resource.
    pub(super) fn plan_of(&self, resource: ResourceIndex) -> &ResourcePlan {
        &self.origin.plans.resources[resource]
    }

    /// What it gathers, to be taken when its user is done.
    pub(crate) fn gathered(&self) -> Steps {
        self.steps.clone()
    }

    /// The transition of a command.
    pub(super) fn transition_of<C: Command>(&self) -> Result<(ResourceIndex, &TransitionPlan), Rejection> {
        let (index, plan) = self.plan::<C::On>()?;
        let command = plan.commands.iter().find(|command| command.name == C::NAME);
        let transition = command.and_then(|command| command.transition.as_ref());
        let none = || Rejection::unforeseen(format!("{} has no transition `{}`", plan.name, C::NAME));
        Ok((index, transition.ok_or_else(none)?))
    }

    /// Takes note of rows that are about to change.
    pub(super) async fn about_to_change(&self, resource: ResourceIndex, rows: &[Vec<Cell>]) {
        self.steps.know(resource, rows).await;
    }

    pub(super) fn plan<R: Resource>(&self) -> Result<(ResourceIndex, &ResourcePlan), Rejection> {
        let found = self.origin.plans.resource(R::NAME);
        found.ok_or_else(|| Rejection::unforeseen(format!("{} is not a resource of the service", R::NAME)))
    }

    /// What there is, by what is committed and what was changed so far.
    async fn seen(&self, read: &Read) -> Result<ReadResult, Rejection> {
        let Origin { store, plans, .. } = &*self.origin;
        let seen = self.steps.look(&**store, plans, read).await;
        match seen.map_err(|error| Rejection(Cause::Store(error.into())))? {
            Some(seen) => Ok(seen),
            None => {
                let seen = store.look_after(read.clone(), self.steps.to_be_repeated()?).await;
                seen.map_err(|refusal| Rejection(Cause::Store(refusal)))
            }
        }
    }

    /// The same; it must still be so when all is committed.
    pub(super) async fn look(&self, read: Read) -> Result<ReadResult, Rejection> {
        let seen = self.seen(&read).await?;
        let guard = if self.is_guarded.load(Ordering::Relaxed) { QueryGuard::Locks } else { QueryGuard::Table };
        self.steps.push(Step::Verify { read, fingerprint: seen.fingerprint(), guard })?;
        Ok(seen)
    }

    /// The entity in a row.
    pub(super) async fn stored<R: Resource>(&self, plan: &ResourcePlan, row: &[Cell]) -> Result<Stored<R>, Rejection> {
        let Stored { id, created_at, updated_at, mut value, exact, .. } = plan.stored(row)?;
        self.compute(plan, row, &mut value).await?;
        Ok(Stored::new(id, created_at, updated_at, R::from_value(value)?).with_exact(exact))
    }

    /// A change by a team's own code; the values of the entity as they will be.
    pub(super) async fn change(
        &self,
        resource: ResourceIndex,
        plan: &ResourcePlan,
        id: Uuid,
        kind: ChangeKind,
    ) -> Result<Option<Value>, Rejection> {
        self.change_as(false, (resource, plan), id, kind).await
    }

    /// Puts the values of an entity that a transition leaves.
    pub(super) async fn put_transition(
        &self,
        (resource, plan): (ResourceIndex, &ResourcePlan),
        id: Uuid,
        value: Value,
    ) -> Result<(), Rejection> {
        self.change_as(true, (resource, plan), id, ChangeKind::Put(value)).await.map(drop)
    }

    async fn change_as(
        &self,
        is_transition: bool,
        (resource, plan): (ResourceIndex, &ResourcePlan),
        id: Uuid,
        mut kind: ChangeKind,
    ) -> Result<Option<Value>, Rejection> {
        if let ChangeKind::Create(value) = &mut kind {
            let blank = plan.blank_defaults(value);
            let known = defaults::Creation { id, now: self.now().millis(), caller: self.caller() };
            let read = |read| self.look(read);
            let problems = defaults::fill(&self.origin.plans, (plan, &blank), known, value, read).await?;
            if !problems.is_empty() {
                return Err(Rejection(Cause::Problems(problems)));
            }
        }
        if let ChangeKind::Create(value) | ChangeKind::Put(value) = &mut kind {
            let problems = plan.repository.check(value);
            if !problems.is_empty() {
                return Err(Rejection(Cause::Problems(problems)));
            }
            self.hash(plan, value).await?;
        }
        let at = RepresentationId::canonical(resource);
        let (now, trace) = (self.now().millis(), self.origin.trace.clone());
        let change = Change {
            at,
            id,
            now,
            permit: Permit::All,
            viewer: Viewer::Everything,
            preconditions: Preconditions::default(),
            is_dry_run: false,
            trace,
            author: plan.author(self.caller()),
            faulty: Vec::new(),
            given: Vec::new(),
            is_transition,
            kind,
        };
        Ok(self.apply(change).await?.value)
    }
}

impl ResourcePlan {
    /// The entity in a row.
    pub(crate) fn stored(&self, row: &[Cell]) -> Result<Stored<Value>, Rejection> {
        let time = |at: usize| row.get(at).and_then(|cell| cell.borrow().int()).and_then(Timestamp::from_millis);
        match (row.get(ID).and_then(Cell::uuid), time(CREATED_AT), time(UPDATED_AT)) {
            (Some(id), Some(created_at), Some(updated_at)) => {
                let value = self.values(row);
                let exact = self.repository.exact(&value);
                Ok(Stored::new(id, created_at, updated_at, value).with_exact(exact))
            }
            _ => Err(Rejection::unforeseen("a stored row lacks what every entity has")),
        }
    }
}
