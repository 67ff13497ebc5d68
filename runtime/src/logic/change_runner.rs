//! Does changes: straight to the store, or by the rules of their resource where a team has written some.

use super::hashing::Hasher;
use super::rejection::{Cause, Rejection};
use super::rules::{AnyRules, Context, RuleBook};
use super::transaction::Transaction;
use crate::auth::caller::Caller;
use crate::clock::Clock;
use crate::ids::Ids;
use crate::observe::trace::Trace;
use crate::plan::{Plans, ResourcePlan, bind};
use crate::store::{Batch, Change, ChangeKind, Entity, Refusal, Step, Store};
use crate::typed::Stored;
use restwell_model::Value;
use std::sync::Arc;
use std::time::Duration;

/// How often a change is tried whose rules looked at what others change meanwhile.
const TRIES: u32 = 20;
/// The pause after the first such conflict; each is as much longer.
const PAUSE: Duration = Duration::from_millis(2);

/// What does changes.
pub(crate) struct ChangeRunner {
    store: Arc<dyn Store>,
    plans: Arc<Plans>,
    clock: Clock,
    ids: Ids,
    hasher: Arc<Hasher>,
    /// By resource, as in the plans.
    rules: Vec<Option<Arc<dyn AnyRules>>>,
}

impl ChangeRunner {
    /// What does changes by these rules.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        plans: Arc<Plans>,
        (clock, ids): (Clock, Ids),
        hasher: Arc<Hasher>,
        book: &RuleBook,
    ) -> Self {
        let rules = plans.resources.iter().map(|plan| book.find(&plan.name).cloned()).collect();
        Self { store, plans, clock, ids, hasher, rules }
    }

    /// What hashes secrets.
    pub(crate) fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    /// A transaction of the service's own code, which begins now.
    pub(crate) fn transaction(&self, trace: Trace) -> Transaction {
        let (store, plans, hasher) = (Arc::clone(&self.store), Arc::clone(&self.plans), Arc::clone(&self.hasher));
        Transaction::new(store, plans, hasher, self.ids.clone(), self.clock.now(), trace)
    }

    fn rules_of(&self, change: &Change) -> Option<&Arc<dyn AnyRules>> {
        self.rules.get(change.at.resource.position())?.as_ref()
    }

    /// Whether a team has written rules for the resource of a change.
    pub(crate) fn has_rules(&self, change: &Change) -> bool {
        self.rules_of(change).is_some()
    }

    /// Does a change that a caller has asked for.
    pub(crate) async fn change(&self, change: Change, caller: Option<&Caller>) -> Result<Entity, Cause> {
        let Some(rules) = self.rules_of(&change) else {
            return self.store.write(change).await.map_err(Cause::Store);
        };
        for tries in 1.. {
            match self.by_rules(&**rules, &change, caller).await {
                Err(Cause::Store(Refusal::Conflict)) if tries < TRIES => tokio::time::sleep(PAUSE * tries).await,
                outcome => return outcome,
            }
        }
        Err(Cause::Store(Refusal::Conflict))
    }

    /// What a change comes to, to be committed with something else.
    pub(crate) async fn steps(&self, change: Change, caller: Option<&Caller>) -> Result<Vec<Step>, Cause> {
        match self.rules_of(&change) {
            Some(rules) => self.plan(&**rules, &change, caller).await.map(|(steps, _)| steps),
            None => Ok(vec![Step::Write(change)]),
        }
    }

    async fn by_rules(&self, rules: &dyn AnyRules, change: &Change, caller: Option<&Caller>) -> Result<Entity, Cause> {
        let (steps, place) = self.plan(rules, change, caller).await?;
        let batch = Batch { steps, conclusion: None, is_dry_run: change.is_dry_run };
        let mut entities = self.store.commit(batch).await.map_err(Cause::Store)?;
        Ok(entities.swap_remove(place))
    }

    /// The steps that the rules make of a change, and which of the changes it is.
    async fn plan(
        &self,
        rules: &dyn AnyRules,
        change: &Change,
        caller: Option<&Caller>,
    ) -> Result<(Vec<Step>, usize), Cause> {
        let plan = &self.plans.resources[change.at.resource];
        let transaction = self.transaction(change.trace.clone());
        let stored = match change.kind {
            ChangeKind::Create(_) => None,
            _ => transaction.row(change.at.resource, change.id).await.map_err(cause)?,
        };
        let is_create = matches!(change.kind, ChangeKind::Create(_));
        if !is_create && !stored.as_ref().is_some_and(|row| change.permit.covers(plan.owner_of(row))) {
            // the store says why not
            return Ok((vec![Step::Write(change.clone())], 0));
        }
        let before = stored.as_deref().map(|row| plan.stored(row)).transpose().map_err(cause)?;
        let context = Context { caller, transaction: &transaction, is_dry_run: change.is_dry_run };
        let (kind, entity) = match &change.kind {
            ChangeKind::Delete => {
                if let Some(before) = &before {
                    rules.before_delete(before, &context).await.map_err(cause)?;
                }
                (ChangeKind::Delete, None)
            }
            ChangeKind::Create(value) => {
                let value = rules.before(value.clone(), None, &context).await.map_err(cause)?;
                (ChangeKind::Create(value.clone()), Some(value))
            }
            ChangeKind::Update(value) | ChangeKind::Put(value) => {
                let merged = plan.merged(change, value.clone(), stored.as_deref().unwrap_or_default());
                let value = rules.before(merged, before.as_ref(), &context).await.map_err(cause)?;
                (ChangeKind::Update(value.clone()), Some(value))
            }
        };
        let place =
            transaction.push(Change { kind, now: transaction.now().millis(), ..change.clone() }).map_err(cause)?;
        match (entity, &before) {
            (Some(value), before) => {
                let created_at = before.as_ref().map_or(transaction.now(), |before| before.created_at);
                let entity = Stored { id: change.id, created_at, updated_at: transaction.now(), value };
                rules.after(before.as_ref(), &entity, &context).await.map_err(cause)?;
            }
            (None, Some(before)) => rules.after_delete(before, &context).await.map_err(cause)?,
            (None, None) => {}
        }
        Ok((transaction.gathered().take(), place))
    }
}

fn cause(rejection: Rejection) -> Cause {
    rejection.0
}

impl ResourcePlan {
    /// What an update makes of a stored row: omitted values that stay, stay.
    fn merged(&self, change: &Change, value: Value, row: &[crate::plan::cell::Cell]) -> Value {
        let members = self.representation(change.at).shape.members();
        let mut cells: Vec<_> = row.iter().take(restwell_model::tables::COMMON.len()).cloned().collect();
        // the store reports immutable fields that would change
        let _ = bind::update(&self.table.slots, members, &self.forms, value, row, &mut cells);
        self.values(&cells)
    }
}

impl Step {
    /// Whether it changes something.
    pub(crate) fn is_change(&self) -> bool {
        matches!(self, Self::Write(_))
    }
}
