//! Bodies that meet conditions, as far as a body decides them: what conditions read is changed until they hold.

use super::BodyMaker;
use super::equations::{equations, solve};
use super::facts::{BodyFacts, shape_of};
use super::search::constants_of;
use crate::condition::{Condition, Scope, Typed, holds};
use crate::field::Field;
use crate::input::check_field_json;
use crate::resource::Resource;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Bodies that are tried.
const ATTEMPTS: usize = 400;
/// How often a field gets a value that follows from nothing, in percent.
const FRESH: u64 = 25;

/// A condition to meet.
struct ConditionToMeet {
    condition: Typed,
    constants: Vec<Json>,
}

impl ConditionToMeet {
    fn of(condition: &Condition, scope: &Scope<'_>) -> Option<Self> {
        Some(Self { condition: condition.typed(scope).ok()?, constants: constants_of(condition.as_str()) })
    }

    /// The fields that it reads.
    fn names(&self) -> BTreeSet<String> {
        let roots = |path: &String| path.split('.').next().map(str::to_owned);
        self.condition.reads().fields.iter().filter_map(roots).collect()
    }
}

impl<'a> BodyMaker<'a> {
    /// Changes a body until no condition on the entity, and no rule of the resource, is known to be broken for this
    /// caller. `may_change` tells which fields may have other values.
    ///
    /// # Errors
    ///
    /// No such body was found; then it is as it was.
    pub fn meet(
        &mut self,
        resource: &'a Resource,
        conditions: &[&Condition],
        caller: Option<Uuid>,
        may_change: &dyn Fn(&Field) -> bool,
        body: &mut Map<String, Json>,
    ) -> Result<(), NotMet> {
        let (service, now) = (self.maker.service, self.now);
        let scope = Scope { service, entity: Some(resource), old: true };
        let rules = resource.rules.iter().map(|rule| &rule.check);
        let wanted: Vec<_> = conditions
            .iter()
            .copied()
            .chain(rules)
            .filter_map(|condition| ConditionToMeet::of(condition, &scope))
            .collect();
        let (shape, fields) = (shape_of(service, resource), self.maker.settable(&resource.fields));
        let free: Vec<&Field> = fields.into_iter().filter(|field| may_change(field)).collect();
        let equations = equations(service, resource, &free);
        let broken = |body: &Map<String, Json>| -> Vec<usize> {
            let Some(facts) = BodyFacts::of(&shape, resource, body, now) else { return Vec::new() };
            let facts = facts.by(caller);
            let is_broken = |wanted: &ConditionToMeet| holds(&wanted.condition, &facts) == Some(false);
            wanted.iter().enumerate().filter(|(_, wanted)| is_broken(wanted)).map(|(index, _)| index).collect()
        };
        let mut best = (broken(body), body.clone());
        for _ in 0..ATTEMPTS {
            let Some(first) = best.0.first() else {
                *body = best.1;
                return Ok(());
            };
            let mut next = best.1.clone();
            self.change(&wanted, *first, &free, &mut next);
            solve(&equations, (service, resource, &shape), now, &mut next);
            let of_next = broken(&next);
            // as good is good enough: what changes may lead further
            if of_next.len() <= best.0.len() {
                best = (of_next, next);
            }
        }
        Err(NotMet)
    }

    /// Another value for one field that a condition reads, or that others need which read the same fields.
    fn change(&mut self, wanted: &[ConditionToMeet], index: usize, free: &[&'a Field], body: &mut Map<String, Json>) {
        let own = wanted[index].names();
        let others = wanted.iter().map(ConditionToMeet::names).filter(|names| !names.is_disjoint(&own));
        let names: BTreeSet<String> = others.flatten().chain(own.iter().cloned()).collect();
        let fields: Vec<&Field> = free.iter().copied().filter(|field| names.contains(&field.name)).collect();
        let Some(field) = self.maker.random.one_of(&fields).copied() else { return };
        let mut candidates = wanted[index].constants.clone();
        candidates.extend([json!(self.now.to_string()), json!(self.now.date().to_string())]);
        candidates.extend(body.values().filter(|value| !value.is_null()).cloned());
        self.maker.number = self.maker.random.below(1_000_000);
        let value = match self.maker.random.percent(FRESH) {
            true => self.maker.field(field, true),
            false => self.maker.choice(&field.name, &field.ty, body.get(&field.name), &candidates),
        };
        match value.filter(|value| check_field_json(self.maker.service, field, value).is_empty()) {
            Some(value) => drop(body.insert(field.name.clone(), value)),
            None if !field.required => drop(body.remove(&field.name)),
            None => {}
        }
    }
}

/// No body was found for which conditions hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotMet;
