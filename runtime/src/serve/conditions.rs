//! What roles and conditions grant a caller: reduced by what is known of the caller, and of the caller's user, who is
//! read where a condition asks for a field (`caller.kind`).

use super::failure::Failure;
use super::{Admitted, Engine, caller};
use crate::auth::caller::Caller;
use crate::plan::conditions::{ConditionPlan, Reduced};
use crate::plan::permission::{Permission, may_create_for_others};
use crate::plan::query::{Filter, Predicate, Query, Test};
use crate::plan::{ColumnIndex, OperationPlan, ResourceIndex, ResourcePlan, stored};
use crate::store::Read;
use restwell_model::condition::{Facts, FieldPath, MAX_REFERENCE_STEPS, Subject};
use restwell_model::tables::{CREATED_AT, UPDATED_AT};
use restwell_model::{Access, ErrorCode, Value};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use uuid::Uuid;

/// What an access list grants a caller.
pub(super) struct Granted {
    pub(super) permission: Permission,
    /// Whether the caller may name another user as the owner of what they create.
    pub(super) for_others: bool,
}

/// An entity that facts about the caller lead to: its resource and its id.
type EntityKey = (String, Uuid);

/// What is known of a caller.
struct CallerFacts<'a> {
    caller: Option<&'a Caller>,
    now: i64,
    known: &'a HashMap<EntityKey, Value>,
    missing: RefCell<BTreeSet<EntityKey>>,
}

impl Facts for CallerFacts<'_> {
    fn field(&self, of: Subject<'_>, path: &FieldPath) -> Option<Value> {
        let Subject::Entity { resource, id } = of else { return None };
        let key = (resource.to_owned(), id);
        match self.known.get(&key) {
            Some(Value::Object(parts)) => match (path.indexes.is_empty(), parts.as_slice()) {
                (false, [_, _, fields]) => path.within(fields),
                (true, [created, updated, _]) => Some(match path.dotted().as_str() {
                    "id" => Value::Uuid(id),
                    "createdAt" => created.clone(),
                    _ => updated.clone(),
                }),
                _ => Some(Value::Null),
            },
            Some(_) => Some(Value::Null),
            None => {
                self.missing.borrow_mut().insert(key);
                None
            }
        }
    }

    fn caller(&self) -> Option<Option<Uuid>> {
        Some(self.caller.map(|caller| caller.id))
    }

    fn scopes(&self) -> Option<&[String]> {
        Some(self.caller.map_or(&[], |caller| &caller.scopes))
    }

    fn claim(&self, path: &str) -> Option<Option<&Json>> {
        Some(self.caller.and_then(|caller| caller.claim(path)))
    }

    fn now(&self) -> Option<i64> {
        Some(self.now)
    }
}

impl Engine {
    /// What is left of conditions for a caller, in their order.
    pub(super) async fn reduce(
        &self,
        conditions: &[&ConditionPlan],
        caller: Option<&Caller>,
    ) -> Result<Vec<Reduced>, Failure> {
        let now = self.clock.now().millis();
        let mut known = HashMap::new();
        // each round follows one reference more
        for round in 0..=MAX_REFERENCE_STEPS + 1 {
            let (reduced, missing) = {
                let facts = CallerFacts { caller, now, known: &known, missing: RefCell::default() };
                let tables = &self.plans.conditions;
                let reduced: Vec<_> = conditions.iter().map(|plan| plan.reduce(&facts, tables)).collect();
                (reduced, facts.missing.into_inner())
            };
            if missing.is_empty() || round > MAX_REFERENCE_STEPS {
                return Ok(reduced);
            }
            for key in missing {
                let value = self.row_value(&key).await?;
                known.insert(key, value);
            }
        }
        Ok(Vec::new())
    }

    /// The times and the fields of an entity; null where there is none.
    async fn row_value(&self, (resource, id): &EntityKey) -> Result<Value, Failure> {
        let Some((index, plan)) = self.plans.resource(resource) else { return Ok(Value::Null) };
        let found = self.store.look(Read::One(index, *id), Vec::new()).await?;
        let Some(row) = found.rows.first() else { return Ok(Value::Null) };
        let time = |column: usize| row.get(column).and_then(|cell| cell.borrow().int()).map_or(Value::Null, Value::Int);
        let fields = stored::values(&plan.table.slots, &plan.forms, row);
        Ok(Value::Object(vec![time(CREATED_AT), time(UPDATED_AT), fields]))
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
        let conditions: Vec<_> = operation.conditions.iter().map(|(_, plan)| plan).collect();
        let (mut is_granted, mut predicates) = (false, Vec::new());
        for ((position, _), reduced) in operation.conditions.iter().zip(self.reduce(&conditions, caller).await?) {
            let is_role = matches!(operation.access.get(*position), Some(Access::Role(_)));
            match reduced {
                // a role is one of callers
                Reduced::Always => is_granted |= !is_role || caller.is_some(),
                Reduced::Meets(predicate) if !is_role => predicates.push(predicate),
                Reduced::Meets(_) | Reduced::Never => {}
            }
        }
        if is_granted {
            return Ok(Granted { permission: Permission::Granted, for_others: true });
        }
        if by_words == Some(Permission::Granted) {
            return Ok(Granted { permission: Permission::Granted, for_others });
        }
        let Some(predicate) = predicates.into_iter().reduce(|one, other| Arc::new(one.or(&other))) else {
            return Ok(Granted { permission: by_words.ok_or_else(caller::unauthenticated)?, for_others });
        };
        let predicate = match (&by_words, &plan.owner) {
            (Some(Permission::Own(id)), Some(owner)) => {
                Arc::new(predicate.or(&Predicate::of_owner(owner, &plan.table, *id)))
            }
            _ => predicate,
        };
        Ok(Granted { permission: Permission::Where(predicate), for_others: true })
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

    /// 404 and 403 (401) for an entity that does not meet a predicate.
    pub(super) async fn meets_or_refused(&self, id: Uuid, predicate: &Arc<Predicate>) -> Result<(), Failure> {
        if self.meets(self.at.resource, id, predicate).await? {
            return Ok(());
        }
        let row = self.engine.store.look(Read::One(self.at.resource, id), Vec::new()).await?;
        Err(if row.rows.is_empty() { Failure::new(ErrorCode::ResourceNotFound) } else { self.forbidden() })
    }

    /// What the view's own condition leaves of its entities; `None`: all of them.
    pub(super) async fn shown_by_view(&self) -> Result<Option<Reduced>, Failure> {
        let Some(condition) = &self.plan.view(self.operation.view).condition else { return Ok(None) };
        let reduced = self.engine.reduce(&[condition], self.caller.as_ref()).await?;
        Ok(Some(reduced.into_iter().next().unwrap_or(Reduced::Never)))
    }

    /// The refusal of a caller: 403, and 401 of one without credentials, who may have access with some.
    pub(super) fn forbidden(&self) -> Failure {
        match self.caller {
            Some(_) => Failure::new(ErrorCode::Forbidden),
            None => caller::unauthenticated(),
        }
    }
}
