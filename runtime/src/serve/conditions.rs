//! What roles and conditions grant a caller: reduced by what is known of the caller, and of the caller's user, who is
//! read where a condition asks for a field (`caller.kind`).

use super::failure::Failure;
use super::{Admitted, Engine, caller};
use crate::auth::caller::Caller;
use crate::plan::conditions::ConditionPlan;
use crate::plan::field_access::CallersPlan;
use crate::plan::permission::{Permission, may_create_for_others};
use crate::plan::predicate::{Predicate, Reduced};
use crate::plan::query::{Filter, Query, Test};
use crate::plan::viewer::{Sights, Viewer};
use crate::plan::{ColumnIndex, OperationPlan, ResourceIndex, ResourcePlan};
use crate::store::facts::{KnownFacts, MAX_ROUNDS};
use crate::store::{Read, Refusal};
use restwell_model::routes::Action;
use restwell_model::{ErrorCode, OperationKind};
use std::sync::Arc;
use uuid::Uuid;

/// What an access list grants a caller.
pub(super) struct Granted {
    pub(super) permission: Permission,
    /// Whether the caller may name another user as the owner of what they create.
    pub(super) for_others: bool,
}

impl Engine {
    /// What is left of conditions for a caller, in their order.
    pub(super) async fn reduce(
        &self,
        conditions: &[&ConditionPlan],
        caller: Option<&Caller>,
    ) -> Result<Vec<Reduced>, Failure> {
        let mut facts = KnownFacts::of_caller(&self.plans, caller, self.clock.now().millis());
        let read = |read| self.store.look(read, Vec::new());
        // each round follows one reference more, or counts what refers to the caller
        for _ in 0..MAX_ROUNDS {
            let reduced: Vec<_> = conditions.iter().map(|plan| plan.reduce(&facts, &self.plans.conditions)).collect();
            if !facts.read_missing(read).await? {
                return Ok(reduced);
            }
        }
        Ok(conditions.iter().map(|plan| plan.reduce(&facts, &self.plans.conditions)).collect())
    }

    /// For whom a request for a resource is served.
    pub(super) async fn viewer(&self, plan: &ResourcePlan, caller: Option<&Caller>) -> Result<Viewer, Failure> {
        self.viewer_of(&plan.touched, caller).await
    }

    /// For whom a request is served that may come across entities of these resources.
    pub(super) async fn viewer_of(
        &self,
        touched: &[ResourceIndex],
        caller: Option<&Caller>,
    ) -> Result<Viewer, Failure> {
        if touched.is_empty() {
            return Ok(Viewer::Everything);
        }
        let mut sights = Sights { caller: caller.map(|caller| caller.id), ..Sights::default() };
        for resource in touched {
            let plan = &self.plans.resources[*resource];
            sights.of.insert(*resource, self.sight(plan, caller).await?);
            let mut fields = Vec::with_capacity(plan.fields.visible.len());
            for callers in &plan.fields.visible {
                fields.push(self.included(callers, plan, caller).await?);
            }
            sights.fields.insert(*resource, fields);
        }
        Ok(Viewer::of_caller(sights))
    }

    /// What a caller sees of the entities of a resource.
    async fn sight(&self, plan: &ResourcePlan, caller: Option<&Caller>) -> Result<Reduced, Failure> {
        match &plan.visible {
            None => Ok(Reduced::Always),
            Some(visible) => self.included(&visible.callers, plan, caller).await,
        }
    }

    /// For which entities of a resource a caller is one of those in a list.
    async fn included(
        &self,
        callers: &CallersPlan,
        plan: &ResourcePlan,
        caller: Option<&Caller>,
    ) -> Result<Reduced, Failure> {
        let by_words = Permission::of(&callers.access, caller);
        if by_words == Some(Permission::Granted) {
            return Ok(Reduced::Always);
        }
        let own = own(by_words.as_ref(), plan).map_or(Reduced::Never, |own| Reduced::Meets(Arc::new(own)));
        Ok(own.or(self.granted(&callers.conditions, caller).await?))
    }

    /// What the access list of an operation grants a caller; 401 if it requires credentials and there are none.
    pub(super) async fn grant(
        &self,
        operation: &OperationPlan,
        plan: &ResourcePlan,
        caller: Option<&Caller>,
    ) -> Result<Granted, Failure> {
        let for_others = may_create_for_others(&operation.access, caller);
        if operation.conditions.is_empty() {
            let permission = caller::permission(&operation.access, caller)?;
            return Ok(Granted { permission, for_others });
        }
        let by_words = Permission::of(&operation.access, caller);
        match self.granted(&operation.conditions, caller).await? {
            Reduced::Always => Ok(Granted { permission: Permission::Granted, for_others: true }),
            Reduced::Meets(predicate) if by_words != Some(Permission::Granted) => {
                let predicate =
                    own(by_words.as_ref(), plan).map_or(Arc::clone(&predicate), |own| Arc::new(own.or(&predicate)));
                Ok(Granted { permission: Permission::Where(predicate), for_others: true })
            }
            Reduced::Meets(_) | Reduced::Never => {
                let permission = granted_by_words(operation, plan, by_words).ok_or_else(caller::unauthenticated)?;
                Ok(Granted { permission, for_others })
            }
        }
    }

    /// What the roles and conditions of an access list grant a caller.
    async fn granted(&self, conditions: &[ConditionPlan], caller: Option<&Caller>) -> Result<Reduced, Failure> {
        let reduced = self.reduce(&conditions.iter().collect::<Vec<_>>(), caller).await?;
        let granted = conditions.iter().zip(reduced).map(|(condition, reduced)| match reduced {
            Reduced::Always | Reduced::Meets(_) if !condition.is_role() => reduced,
            // a role is one of callers
            Reduced::Always if caller.is_some() => Reduced::Always,
            Reduced::Always | Reduced::Meets(_) | Reduced::Never => Reduced::Never,
        });
        Ok(granted.fold(Reduced::Never, Reduced::or))
    }
}

/// What is granted where no condition of an access list admits anything; `None`: 401.
fn granted_by_words(
    operation: &OperationPlan,
    plan: &ResourcePlan,
    by_words: Option<Permission>,
) -> Option<Permission> {
    // a list that has a condition holds what is admitted, which may be nothing
    let is_list = operation.is_list() && operation.has_entity_condition();
    match by_words {
        Some(Permission::Granted) => by_words,
        Some(_) if !is_list => by_words,
        None if operation.action == Action::Operation(OperationKind::Create) => None,
        // without credentials an entity that is not there is 404 all the same; one that is there is 401
        by_words => Some(Permission::Where(Arc::new(own(by_words.as_ref(), plan).unwrap_or_else(Predicate::never)))),
    }
}

/// The caller's own entities, where those are what the words of an access list grant.
fn own(by_words: Option<&Permission>, plan: &ResourcePlan) -> Option<Predicate> {
    match (by_words, &plan.owner) {
        (Some(Permission::Own(id)), Some(owner)) => Some(Predicate::of_owner(owner, &plan.table, *id)),
        _ => None,
    }
}

impl Admitted<'_> {
    /// Whether a stored entity meets a predicate.
    pub(super) async fn meets(
        &self,
        resource: ResourceIndex,
        id: Uuid,
        predicate: &Arc<Predicate>,
    ) -> Result<bool, Failure> {
        let is_it = Filter { column: ColumnIndex::ID, test: Test::equal(crate::plan::cell::Cell::Uuid(id)) };
        let query = Query { filters: vec![is_it, predicate.filter()], ..Query::default() };
        Ok(self.engine.store.look(Read::Count(resource, query), Vec::new()).await?.count > 0)
    }

    /// What is answered where an entity is not found: 404, or 403 (401) where it is there and that is disclosed.
    pub(super) async fn not_found(&self, (resource, id): (ResourceIndex, Uuid)) -> Result<Failure, Failure> {
        if self.engine.plans.resources[resource].discloses() && self.is_there((resource, id)).await? {
            return Ok(self.forbidden());
        }
        Ok(Failure::new(ErrorCode::ResourceNotFound))
    }

    /// Whether the entity exists, also if the caller does not see it.
    pub(super) async fn is_there(&self, (resource, id): (ResourceIndex, Uuid)) -> Result<bool, Failure> {
        let found = self.engine.store.look(Read::One(resource, id), Vec::new()).await?;
        Ok(!found.rows.is_empty())
    }

    /// Whether the caller sees every entity of the resource.
    pub(super) fn sees_all(&self) -> bool {
        self.viewer.sight(&self.engine.plans, self.at.resource).is_all()
    }

    /// What the view's own condition leaves of its entities; `None`: all of them.
    pub(super) async fn shown_by_view(&self) -> Result<Option<Reduced>, Failure> {
        let Some(condition) = &self.plan.view(self.operation.view).condition else { return Ok(None) };
        let reduced = self.engine.reduce(&[condition], self.caller.as_ref()).await?;
        Ok(Some(reduced.into_iter().next().unwrap_or(Reduced::Never)))
    }

    /// The refusal of what a caller may not change: 403, or 401 of one without credentials; with the paths where it is
    /// about fields.
    pub(super) fn refused_access(&self, refusal: Refusal) -> Failure {
        match (&self.caller, refusal) {
            (Some(_), refusal) => refusal.into(),
            (None, Refusal::FieldsForbidden(paths)) => caller::unauthenticated_at(paths),
            (None, _) => caller::unauthenticated(),
        }
    }

    /// The refusal of a caller: 403, and 401 of one without credentials, who may have access with some.
    pub(super) fn forbidden(&self) -> Failure {
        match self.caller {
            Some(_) => Failure::new(ErrorCode::Forbidden),
            None => caller::unauthenticated(),
        }
    }
}
