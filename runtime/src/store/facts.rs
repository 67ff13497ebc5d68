//! What is known when a condition is evaluated: the entity, its state before, the caller, and what was read of other
//! entities so far.
//!
//! A condition is evaluated on what is known. Where something is missing, that is read, and the condition is evaluated
//! again: so only what its result depends on is read, in the transaction of the write.

use super::{Read, ReadResult, StoreError};
use crate::auth::caller::Caller;
use crate::plan::cell::Cell;
use crate::plan::field_access::CallersPlan;
use crate::plan::permission::Permission;
use crate::plan::query::{Filter, Query, Test};
use crate::plan::{ColumnIndex, Plans, ResourceIndex, ResourcePlan};
use restwell_model::Value;
use restwell_model::condition::{Facts, FieldPath, Subject, Typed, evaluate};
use restwell_model::tables::{CREATED_AT, Content, ID, UPDATED_AT};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::HashMap;
use uuid::Uuid;

/// Entities that refer to another one, of which a condition that is evaluated in memory reads the fields.
const MAX_REFERRING: u32 = 1_000;
/// How often a condition is evaluated because something was missing: each time brings it one step further.
const MAX_ROUNDS: usize = 64;

/// An entity, as conditions see it.
#[derive(Debug, Clone)]
pub(crate) struct KnownEntity {
    id: Uuid,
    created_at: Value,
    updated_at: Value,
    fields: Value,
}

impl KnownEntity {
    /// The entity in a row.
    pub(crate) fn of(plan: &ResourcePlan, row: &[Cell]) -> Self {
        let time = |at: usize| row.get(at).and_then(|cell| cell.borrow().int()).map_or(Value::Null, Value::Int);
        let id = row.get(ID).and_then(Cell::uuid).unwrap_or_default();
        Self { id, created_at: time(CREATED_AT), updated_at: time(UPDATED_AT), fields: plan.values(row) }
    }

    /// One of which these times and fields are known; others are [`Value::Absent`].
    pub(crate) fn known(id: Uuid, [created_at, updated_at]: [Value; 2], fields: Value) -> Self {
        Self { id, created_at, updated_at, fields }
    }

    /// One that is about to be created.
    pub(crate) fn new(id: Uuid, now: i64, fields: Value) -> Self {
        Self { id, created_at: Value::Int(now), updated_at: Value::Int(now), fields }
    }

    fn value(&self, path: &FieldPath) -> Option<Value> {
        match path.names.as_slice() {
            [name] if path.indexes.is_empty() => match name.as_str() {
                "id" => Some(Value::Uuid(self.id)),
                "createdAt" => Some(self.created_at.clone()),
                "updatedAt" => Some(self.updated_at.clone()),
                _ => None,
            },
            _ if self.lacks(path) => None,
            _ => path.within(&self.fields),
        }
    }

    /// Whether a field, or an object that it is in, is not known.
    fn lacks(&self, path: &FieldPath) -> bool {
        let mut value = &self.fields;
        for index in &path.indexes {
            match value {
                Value::Object(members) => match members.get(*index) {
                    Some(member) => value = member,
                    None => return false,
                },
                _ => return false,
            }
            if *value == Value::Absent {
                return true;
            }
        }
        false
    }
}

/// What conditions are evaluated on.
pub(crate) struct KnownFacts<'a> {
    plans: &'a Plans,
    /// The entity; `None` where it is not known yet, and the database is to say.
    this: Option<KnownEntity>,
    /// The entity before the change; `None` at its creation.
    old: Option<KnownEntity>,
    caller: Option<&'a Caller>,
    now: i64,
    entities: HashMap<(ResourceIndex, Uuid), Option<KnownEntity>>,
    referring: HashMap<(ResourceIndex, ColumnIndex, Uuid), Vec<Uuid>>,
    missing: RefCell<Vec<Missing>>,
}

/// What was asked for and is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    Entity(ResourceIndex, Uuid),
    Referring(ResourceIndex, ColumnIndex, Uuid),
}

impl<'a> KnownFacts<'a> {
    /// What is known of an entity that is written.
    pub(crate) fn new(
        plans: &'a Plans,
        (this, old): (KnownEntity, Option<KnownEntity>),
        caller: Option<&'a Caller>,
        now: i64,
    ) -> Self {
        Self { this: Some(this), old, ..Self::of_caller(plans, caller, now) }
    }

    /// What is known of a caller alone.
    pub(crate) fn of_caller(plans: &'a Plans, caller: Option<&'a Caller>, now: i64) -> Self {
        let (entities, referring, missing) = (HashMap::new(), HashMap::new(), RefCell::default());
        Self { plans, this: None, old: None, caller, now, entities, referring, missing }
    }

    /// The value of an expression; what it needs of other entities is read.
    ///
    /// # Errors
    ///
    /// The store's; more entities refer to one than a condition may read.
    pub(crate) async fn value<F, R, E>(&mut self, typed: &Typed, read: F) -> Result<Value, E>
    where
        F: Fn(Read) -> R,
        R: Future<Output = Result<ReadResult, E>>,
        E: From<StoreError>,
    {
        let unknown = || StoreError::Internal("a condition could not be evaluated".to_owned());
        Ok(self.value_if_known(typed, read).await?.ok_or_else(unknown)?)
    }

    /// The same; `None` where it depends on something of the entity that is not known.
    ///
    /// # Errors
    ///
    /// Those of [`value`](Self::value).
    pub(crate) async fn value_if_known<F, R, E>(&mut self, typed: &Typed, read: F) -> Result<Option<Value>, E>
    where
        F: Fn(Read) -> R,
        R: Future<Output = Result<ReadResult, E>>,
        E: From<StoreError>,
    {
        for _ in 0..MAX_ROUNDS {
            if let Some(value) = evaluate(typed, &*self) {
                self.missing.take();
                return Ok(Some(value));
            }
            if !self.read_missing(&read).await? {
                break;
            }
        }
        Ok(None)
    }

    /// Reads what was asked for and is not known; false: nothing was.
    ///
    /// # Errors
    ///
    /// Those of [`value`](Self::value).
    pub(crate) async fn read_missing<F, R, E>(&mut self, read: F) -> Result<bool, E>
    where
        F: Fn(Read) -> R,
        R: Future<Output = Result<ReadResult, E>>,
        E: From<StoreError>,
    {
        let missing = self.missing.take();
        let is_something = !missing.is_empty();
        for one in missing {
            let found = read(one.read()).await?;
            self.add(one, &found)?;
        }
        Ok(is_something)
    }

    /// Whether a condition holds.
    ///
    /// # Errors
    ///
    /// Those of [`value`](Self::value).
    pub(crate) async fn holds<F, R, E>(&mut self, typed: &Typed, read: F) -> Result<bool, E>
    where
        F: Fn(Read) -> R,
        R: Future<Output = Result<ReadResult, E>>,
        E: From<StoreError>,
    {
        Ok(self.value(typed, read).await? == Value::Bool(true))
    }

    /// Whether the caller is one of these for the entity, which has this owner. Where the entity is not known,
    /// conditions on it do not hold, nor do those that depend on something of it that is not known.
    ///
    /// # Errors
    ///
    /// Those of [`value`](Self::value).
    pub(crate) async fn is_among<F, R, E>(
        &mut self,
        callers: &CallersPlan,
        owner: Option<Uuid>,
        read: F,
    ) -> Result<bool, E>
    where
        F: Fn(Read) -> R,
        R: Future<Output = Result<ReadResult, E>>,
        E: From<StoreError>,
    {
        match Permission::of(&callers.access, self.caller) {
            Some(Permission::Granted) => return Ok(true),
            Some(Permission::Own(id)) if owner == Some(id) => return Ok(true),
            _ => {}
        }
        for condition in &callers.conditions {
            let is_decidable = if condition.is_role() { self.caller.is_some() } else { self.this.is_some() };
            if is_decidable && self.value_if_known(condition.typed(), &read).await? == Some(Value::Bool(true)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a field of the entity that is written has no value.
    pub(crate) fn is_null(&self, index: usize) -> bool {
        match self.this.as_ref().map(|this| &this.fields) {
            Some(Value::Object(values)) => values.get(index).is_none_or(Value::is_null),
            _ => true,
        }
    }

    fn add<E: From<StoreError>>(&mut self, missing: Missing, found: &ReadResult) -> Result<(), E> {
        match missing {
            Missing::Entity(resource, id) => {
                let plan = &self.plans.resources[resource];
                let entity = found.rows.first().map(|row| KnownEntity::of(plan, row));
                self.entities.insert((resource, id), entity);
            }
            Missing::Referring(resource, column, to) => {
                if found.rows.len() > MAX_REFERRING as usize {
                    let reason = format!("a condition reads more than {MAX_REFERRING} entities that refer to one");
                    return Err(StoreError::TooCostly(reason).into());
                }
                let plan = &self.plans.resources[resource];
                let entities = found.rows.iter().map(|row| KnownEntity::of(plan, row));
                let entities: Vec<_> = entities.collect();
                self.referring.insert((resource, column, to), entities.iter().map(|entity| entity.id).collect());
                self.entities.extend(entities.into_iter().map(|entity| ((resource, entity.id), Some(entity))));
            }
        }
        Ok(())
    }

    fn is_missing(&self, one: Missing) {
        let mut missing = self.missing.borrow_mut();
        if !missing.contains(&one) {
            missing.push(one);
        }
    }
}

impl Missing {
    fn read(self) -> Read {
        match self {
            Self::Entity(resource, id) => Read::One(resource, id),
            Self::Referring(resource, column, to) => {
                let test = Test::OneOf { values: vec![Cell::Uuid(to)], or_null: false };
                let filters = vec![Filter { column, test }];
                Read::Many(resource, Query { filters, limit: MAX_REFERRING + 1, ..Query::default() })
            }
        }
    }
}

impl Facts for KnownFacts<'_> {
    fn field(&self, of: Subject<'_>, path: &FieldPath) -> Option<Value> {
        match of {
            Subject::This => self.this.as_ref()?.value(path).filter(|value| *value != Value::Absent),
            Subject::Old => match &self.old {
                Some(old) => old.value(path),
                None => Some(Value::Null),
            },
            Subject::Entity { resource, id } => {
                let (resource, _) = self.plans.resource(resource)?;
                match self.entities.get(&(resource, id)) {
                    Some(Some(entity)) => entity.value(path),
                    Some(None) => Some(Value::Null),
                    None => {
                        self.is_missing(Missing::Entity(resource, id));
                        None
                    }
                }
            }
        }
    }

    fn referring(&self, resource: &str, field: &FieldPath, to: Uuid) -> Option<Vec<Uuid>> {
        let (resource, plan) = self.plans.resource(resource)?;
        let column = plan.reference_column(&field.names)?;
        let found = self.referring.get(&(resource, column, to)).cloned();
        if found.is_none() {
            self.is_missing(Missing::Referring(resource, column, to));
        }
        found
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

impl ResourcePlan {
    /// The column of a reference outside of arrays.
    fn reference_column(&self, names: &[String]) -> Option<ColumnIndex> {
        let mut slots = &self.table.slots;
        for name in names {
            let slot = slots.iter().find(|slot| slot.name == *name)?;
            match &slot.content {
                Content::Object { slots: inner, .. } => slots = inner,
                Content::Reference => return Some(slot.columns.start.into()),
                _ => return None,
            }
        }
        None
    }
}
