//! Bodies that meet conditions, as far as a body decides them: what conditions read is changed until they hold.

use super::equations::{equations, solve};
use super::facts::shape_of;
use super::search::{constants, constants_of, involved};
use super::{BodyMaker, combinations};
use crate::condition::{Condition, Scope, Typed, holds};
use crate::field::Field;
use crate::resource::Resource;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Bodies that are tried.
const ATTEMPTS: usize = 400;

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
        let service = self.maker.service;
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
        let broken = |maker: &Self, body: &Map<String, Json>| -> Vec<usize> {
            let Some(facts) = maker.reader(resource, &shape).facts(body) else { return Vec::new() };
            let facts = facts.by(caller);
            let is_broken = |wanted: &ConditionToMeet| holds(&wanted.condition, &facts) == Some(false);
            wanted.iter().enumerate().filter(|(_, wanted)| is_broken(wanted)).map(|(index, _)| index).collect()
        };
        let mut best = (broken(self, body), body.clone());
        for _ in 0..ATTEMPTS {
            let Some(first) = best.0.first() else {
                *body = best.1;
                return Ok(());
            };
            let mut next = best.1.clone();
            self.change(&wanted, *first, &free, &mut next);
            solve(&equations, &self.reader(resource, &shape), &mut next);
            let of_next = broken(self, &next);
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
        self.maker.change(field, &wanted[index].constants, self.now, body);
    }

    /// Other values for what a service has refused a body for, by the codes and paths of its errors: what depends on
    /// entities that are not known is found by trying.
    pub fn vary(
        &mut self,
        resource: &'a Resource,
        refused: &[(String, Option<String>)],
        may_change: &dyn Fn(&Field) -> bool,
        body: &mut Map<String, Json>,
    ) {
        let combinations = combinations(self.maker.service, resource);
        let of = |(code, path): &(String, Option<String>)| involved(resource, &combinations, (code, path.as_deref()));
        let names: BTreeSet<String> = refused.iter().flat_map(of).collect();
        let fields = self.maker.settable(&resource.fields).into_iter();
        let free: Vec<&Field> = fields.filter(|field| may_change(field) && names.contains(&field.name)).collect();
        if let Some(field) = self.maker.random.one_of(&free).copied() {
            self.maker.change(field, &constants(resource), self.now, body);
        }
    }
}

/// No body was found for which conditions hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotMet;
