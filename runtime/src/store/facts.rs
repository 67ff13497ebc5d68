//! What is known when a condition is evaluated: the entity, its state before, the caller, and what was read of other
//! entities so far.
//!
//! A condition is evaluated on what is known. Where something is missing, that is read, and the condition is evaluated
//! again: so only what its result depends on is read, in the transaction of the write. How many entities refer to one
//! is counted by the database.

mod known_entity;
mod missing;
mod together;

use super::{Read, ReadResult, StoreError};
use crate::auth::caller::Caller;
use crate::plan::cell::Cell;
use crate::plan::field_access::CallersPlan;
use crate::plan::permission::Permission;
use crate::plan::{ColumnIndex, Plans, ResourceIndex, ResourcePlan};
pub(crate) use known_entity::KnownEntity;
use missing::{CountOf, Missing};
use restwell_model::Value;
use restwell_model::condition::{Counted, Facts, FieldPath, MAX_COUNTED, Subject, Typed, evaluate, holds};
use restwell_model::tables::{Content, ID};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::HashMap;
pub(crate) use together::read_together;
use uuid::Uuid;

/// How often a condition is evaluated because something was missing: each time brings it one step further.
pub(crate) const MAX_ROUNDS: usize = 64;

/// What conditions are evaluated on.
pub(crate) struct KnownFacts<'a> {
    plans: &'a Plans,
    /// The entity; `None` where it is not known yet, and the database is to say.
    this: Option<KnownEntity>,
    /// The row of that entity, where it is, or will be, its state for all that refers to it.
    written: Option<Written<'a>>,
    /// Whether it is only about to be created, and is not found by what `any` and `count` ask.
    is_new: bool,
    /// Whether fields of it have no valid value yet.
    is_faulty: bool,
    /// The entity before the change; `None` at its creation.
    old: Option<KnownEntity>,
    caller: Option<&'a Caller>,
    now: i64,
    entities: HashMap<(ResourceIndex, Uuid), Option<KnownEntity>>,
    counts: Vec<(CountOf, u64)>,
    missing: RefCell<Vec<Missing>>,
}

/// A row as a change leaves it, which may not be written yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written<'a> {
    pub(crate) resource: ResourceIndex,
    /// All cells.
    pub(crate) row: &'a [Cell],
}

impl<'a> KnownFacts<'a> {
    /// What is known of an entity in this state.
    pub(crate) fn new(plans: &'a Plans, this: KnownEntity, caller: Option<&'a Caller>, now: i64) -> Self {
        Self { this: Some(this), ..Self::of_caller(plans, caller, now) }
    }

    /// What is known of an entity by its row, which may not be written yet. Whatever leads back to the entity finds
    /// this row.
    pub(crate) fn of_row(plans: &'a Plans, written: Written<'a>, caller: Option<&'a Caller>, now: i64) -> Self {
        let this = KnownEntity::of(&plans.resources[written.resource], written.row);
        Self { written: Some(written), ..Self::new(plans, this, caller, now) }
    }

    /// The same for a rule: with the row before the change, if there is one, and fields of the new one that have no
    /// valid value yet.
    pub(crate) fn changed(mut self, old: Option<&[Cell]>, faulty: &[String]) -> Self {
        if let Some(written) = self.written {
            let plan = &self.plans.resources[written.resource];
            self.old = old.map(|old| KnownEntity::of(plan, old));
            self.is_faulty = !faulty.is_empty();
            self.this = self.this.map(|this| this.without(plan, faulty));
        }
        self
    }

    /// The same for who may create the entity: that does not follow from the new entity itself.
    pub(crate) fn before_creation(self) -> Self {
        Self { is_new: true, ..self }
    }

    /// What is known of a caller alone.
    pub(crate) fn of_caller(plans: &'a Plans, caller: Option<&'a Caller>, now: i64) -> Self {
        let (entities, counts, missing) = (HashMap::new(), Vec::new(), RefCell::default());
        let (this, written, is_new, is_faulty, old) = (None, None, false, false, None);
        Self { plans, this, written, is_new, is_faulty, old, caller, now, entities, counts, missing }
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
        let written = self.written.filter(|_| !self.is_new);
        for one in missing {
            let found = read(one.read(self.plans, written)?).await?;
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
        // each round reads something more of what one of them misses
        for _ in 0..MAX_ROUNDS * callers.conditions.len().max(1) {
            if let Some(is_among) = self.is_known_among(callers, owner) {
                return Ok(is_among);
            }
            self.read_missing(&read).await?;
        }
        Ok(false)
    }

    /// The same from what is known; `None` where that depends on something that can be read.
    pub(crate) fn is_known_among(&self, callers: &CallersPlan, owner: Option<Uuid>) -> Option<bool> {
        match Permission::of(&callers.access, self.caller) {
            Some(Permission::Granted) => return Some(true),
            Some(Permission::Own(id)) if owner == Some(id) => return Some(true),
            _ => {}
        }
        for condition in &callers.conditions {
            let is_decidable = if condition.is_role() { self.caller.is_some() } else { self.this.is_some() };
            if !is_decidable {
                continue;
            }
            match evaluate(condition.typed(), self) {
                Some(value) => {
                    self.missing.take();
                    if value == Value::Bool(true) {
                        return Some(true);
                    }
                }
                // of what is never known it does not hold
                None if self.missing.borrow().is_empty() => {}
                None => return None,
            }
        }
        Some(false)
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
            Missing::Count(count) => {
                if count.limit.is_none() && found.count > MAX_COUNTED {
                    let reason = format!(
                        "compare the count with a constant, which is how far it is counted: more than {MAX_COUNTED} \
                         entities refer to one"
                    );
                    return Err(StoreError::TooCostly(reason).into());
                }
                self.counts.push((count, found.count));
            }
        }
        Ok(())
    }

    /// Whether a condition on another entity may come back to the written row.
    fn reads_written(&self, condition: &Typed) -> bool {
        let name = self.written.map(|written| &self.plans.resources[written.resource].name);
        name.is_some_and(|name| condition.reads().resources.contains(name))
    }

    /// Whether the written row is one of these; `None`: that is not known.
    fn counts_itself(&self, resource: ResourceIndex, counted: &Counted<'_>) -> Option<bool> {
        let (Some(this), Some(_)) = (&self.this, self.written.filter(|written| written.resource == resource)) else {
            return Some(false);
        };
        if this.value(counted.field)? != Value::Uuid(counted.to) {
            return Some(false);
        }
        counted.condition.map_or(Some(true), |condition| holds(condition, self))
    }

    fn is_missing(&self, one: Missing) {
        let mut missing = self.missing.borrow_mut();
        if !missing.contains(&one) {
            missing.push(one);
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
                if let (Some(this), Some(written)) = (&self.this, self.written)
                    && (written.resource, this.id) == (resource, id)
                {
                    return this.value(path).filter(|value| *value != Value::Absent);
                }
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

    fn counted(&self, counted: &Counted<'_>) -> Option<u64> {
        let (resource, plan) = self.plans.resource(counted.resource)?;
        let column = plan.reference_column(&counted.field.names)?;
        let own = if self.is_new { 0 } else { u64::from(self.counts_itself(resource, counted)?) };
        if self.is_faulty && counted.condition.is_some_and(|condition| self.reads_written(condition)) {
            return None;
        }
        if counted.limit.is_some_and(|limit| limit <= own) {
            return Some(own);
        }
        // what a condition reads of entities by their ids decides a part of it
        if self.missing.borrow().iter().any(|missing| matches!(missing, Missing::Entity(..))) {
            return None;
        }
        let except = self.written.filter(|written| written.resource == resource);
        let count = CountOf {
            resource,
            column,
            to: counted.to,
            condition: counted.condition.cloned(),
            limit: counted.limit.map(|limit| limit - own),
            except: except.and_then(|written| written.row.get(ID)?.uuid()),
        };
        let found = self.counts.iter().find(|(known, _)| *known == count);
        if found.is_none() {
            self.is_missing(Missing::Count(count));
        }
        found.map(|(_, found)| found + own)
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
