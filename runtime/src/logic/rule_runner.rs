//! Runs the rules of a resource for a change of one of its entities.

use super::rejection::Rejection;
use super::rules::{AnyRules, RuleBook};
use super::transaction::{AppliedChange, Applying, ChangeRules, Transaction};
use crate::plan::{Plans, ResourceIndex, ResourcePlan, bind, exact_digits};
use crate::store::{Change, ChangeKind, field_guard};
use crate::typed::Stored;
use restwell_model::Value;
use restwell_model::scalar::Timestamp;
use std::sync::Arc;
use uuid::Uuid;

/// The rules of a service.
pub(super) struct RuleRunner {
    plans: Arc<Plans>,
    /// By resource, as in the plans.
    rules: Vec<Option<Arc<dyn AnyRules>>>,
}

impl RuleRunner {
    /// What runs these rules.
    pub(super) fn new(plans: Arc<Plans>, book: &RuleBook) -> Self {
        let rules = plans.resources.iter().map(|plan| book.find(&plan.name).cloned()).collect();
        Self { plans, rules }
    }

    fn rules_of(&self, resource: ResourceIndex) -> Option<&Arc<dyn AnyRules>> {
        self.rules.get(resource.position())?.as_ref()
    }

    /// Runs rules: those before the change, the change, those after it.
    async fn run(
        &self,
        rules: &dyn AnyRules,
        change: Change,
        transaction: &Transaction,
    ) -> Result<AppliedChange, Rejection> {
        let plan = &self.plans.resources[change.at.resource];
        let is_create = matches!(change.kind, ChangeKind::Create(_));
        let stored = match is_create {
            true => None,
            false => transaction.row(change.at.resource, change.id).await?,
        };
        if !is_create && !stored.as_ref().is_some_and(|row| change.permit.keeps(plan.owner_of(row))) {
            // the store says why not
            return transaction.push(change).map(|applied| AppliedChange { value: None, ..applied });
        }
        let before = stored.as_deref().map(|row| plan.stored(row)).transpose()?;
        let (id, now) = (change.id, transaction.now());
        let created_at = before.as_ref().map_or(now, |before| before.created_at);
        let ruling = Ruling { rules, plan, before: before.as_ref(), id, created_at, transaction };
        let kind = match &change.kind {
            ChangeKind::Delete => {
                if let Some(before) = &before {
                    rules.before_delete(before, transaction).await?;
                }
                ChangeKind::Delete
            }
            ChangeKind::Create(value) => {
                let mut value = value.clone();
                plan.set_initial_state(&mut value);
                ChangeKind::Create(ruling.values(value).await?)
            }
            ChangeKind::Put(value) => ChangeKind::Put(ruling.values(value.clone()).await?),
            ChangeKind::Update(value) => {
                let row = stored.as_deref().unwrap_or_default();
                let read = |read| transaction.look(read);
                let guarded = field_guard::update(&self.plans, &change, value.clone(), row, read).await?;
                if !guarded.forbidden.is_empty() || !guarded.problems.is_empty() {
                    // the store says what is wrong
                    return transaction.push(change).map(|applied| AppliedChange { value: None, ..applied });
                }
                let merged = plan.merged(&change, guarded.value, row);
                ChangeKind::Update(ruling.values(merged).await?)
            }
        };
        let applied =
            transaction.push(Change { kind, now: now.millis(), viewer: change.viewer.after_rules(), ..change })?;
        match (&applied.value, &before) {
            (Some(value), before) => {
                let mut value = value.clone();
                ruling.compute(&mut value);
                let exact = plan.repository.exact(&value);
                let entity = Stored::new(id, created_at, now, value).with_exact(exact);
                rules.after(before.as_ref(), &entity, transaction).await?;
            }
            (None, Some(before)) => rules.after_delete(before, transaction).await?,
            (None, None) => {}
        }
        Ok(applied)
    }
}

/// A change of an entity that rules decide on.
struct Ruling<'a> {
    rules: &'a dyn AnyRules,
    plan: &'a ResourcePlan,
    /// Its state before the change; `None` at its creation.
    before: Option<&'a Stored<Value>>,
    id: Uuid,
    created_at: Timestamp,
    transaction: &'a Transaction,
}

impl Ruling<'_> {
    /// The values of the entity as its rules leave them, which they have found valid. Rules see computed fields as they
    /// will be.
    async fn values(&self, mut value: Value) -> Result<Value, Rejection> {
        let Self { rules, before, transaction, .. } = *self;
        self.compute(&mut value);
        let exact = self.plan.repository.exact(&value);
        let mut value = exact_digits::saved(rules.before(value, before, transaction).await?, exact.as_deref());
        self.compute(&mut value);
        rules.validate(value.clone(), before, transaction).await?;
        transaction.hash(self.plan, &mut value).await?;
        Ok(value)
    }

    fn compute(&self, value: &mut Value) {
        let times = [self.created_at.millis(), self.transaction.now().millis()];
        self.plan.compute_again((self.id, times), value);
    }
}

impl ChangeRules for RuleRunner {
    fn has_rules(&self, resource: ResourceIndex) -> bool {
        self.rules_of(resource).is_some()
    }

    fn apply<'a>(&'a self, change: Change, transaction: &'a Transaction) -> Applying<'a> {
        Box::pin(async move {
            let Some(rules) = self.rules_of(change.at.resource) else { return transaction.push(change) };
            let inner = transaction.within()?;
            let outcome = self.run(&**rules, change, &inner).await;
            transaction.merge(&inner, outcome)
        })
    }
}

impl ResourcePlan {
    /// The values of a stored row after an update: absent ones are kept.
    fn merged(&self, change: &Change, value: Value, row: &[crate::plan::cell::Cell]) -> Value {
        let members = self.representation(change.at).shape.members();
        let mut cells: Vec<_> = row.iter().take(restwell_model::tables::COMMON.len()).cloned().collect();
        // the store reports immutable fields that would change
        let _ = bind::update(&self.table.slots, members, &self.forms, value, row, &mut cells);
        self.values(&cells)
    }
}
