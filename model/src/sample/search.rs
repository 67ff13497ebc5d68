//! Entities that keep the rules of their resources, found by trying: one that the service refuses is changed in what
//! it was refused for.
//!
//! What a field could be is taken from what decides about it: the constants of the resource's rules, the other values
//! of the entity, those of the entities that it refers to, and what is one step away from these. Equations of rules are
//! [solved](super::equations). Only the service knows whether an entity is taken, so it decides about each attempt.

use super::equations::{Equation, equations, solve};
use super::facts::{FactReader, shape_of};
use super::value::STRIDE;
use super::{BodyMaker, SEED, combinations, key};
use crate::check::Checked;
use crate::condition::{Condition, Expr, ExprKind, parse};
use crate::error::Problem;
use crate::field::Field;
use crate::input::Shape;
use crate::resource::Resource;
use crate::scalar::{Timestamp, decimal};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeSet, HashSet};
use uuid::Uuid;

/// Attempts to make an entity that is unique.
const DRAFTS: usize = 200;
/// How often a second field changes in the same attempt, in percent.
const TWO_FIELDS: u64 = 35;

/// Makes entities, and others in the place of those that are refused.
pub struct EntityMaker<'a> {
    bodies: BodyMaker<'a>,
    resource: &'a Resource,
    fields: Vec<&'a Field>,
    combinations: Vec<Vec<String>>,
    taken: Vec<HashSet<String>>,
    /// The constants of the resource's conditions.
    constants: Vec<Json>,
    equations: Vec<Equation<'a>>,
    shape: Shape,
}

impl<'a> EntityMaker<'a> {
    /// For the entities of a resource; those of the resources that it refers to are known by
    /// [`add`](Self::add), through [`next`](Self::next) from resource to resource.
    #[must_use]
    pub fn new(service: &'a Checked, resource: &'a Resource, now: Timestamp) -> Self {
        let empty = Self {
            bodies: BodyMaker::new(service, SEED).at(now),
            resource,
            fields: Vec::new(),
            combinations: Vec::new(),
            taken: Vec::new(),
            constants: Vec::new(),
            equations: Vec::new(),
            shape: shape_of(service, resource),
        };
        empty.next(resource)
    }

    /// Goes on with another resource.
    #[must_use]
    pub fn next(mut self, resource: &'a Resource) -> Self {
        let maker = &mut self.bodies.maker;
        maker.version = resource.versions_by_preference().first().copied();
        self.resource = resource;
        self.fields = maker.settable(&resource.fields);
        self.combinations = combinations(maker.service, resource);
        self.taken = vec![HashSet::new(); self.combinations.len()];
        self.constants = constants(resource);
        self.equations = equations(maker.service, resource, &self.fields);
        self.shape = shape_of(maker.service, resource);
        self
    }

    /// The texts in the rules of the resource: among them are the states in which it needs other entities.
    #[must_use]
    pub fn texts_of_rules(&self) -> BTreeSet<String> {
        self.constants.iter().filter_map(Json::as_str).map(str::to_owned).collect()
    }

    /// An entity that keeps the constraints of its fields and is unique. The first one has every optional field.
    /// Conditions hold for it where a change of its fields can make them hold.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn draft(&mut self, index: usize, conditions: &[&Condition]) -> Result<Map<String, Json>, String> {
        let mut body = self.unique_body(index)?;
        self.meet(conditions, &mut body);
        Ok(body)
    }

    /// Changes what conditions read until they hold, except for what makes the entity unique.
    fn meet(&mut self, conditions: &[&Condition], body: &mut Map<String, Json>) {
        if conditions.is_empty() {
            return;
        }
        let Self { bodies, resource, combinations, .. } = self;
        let is_free = |field: &Field| !is_in(combinations, &field.name);
        // the service decides about a body that does not meet them
        let _ = bodies.meet(resource, conditions, None, &is_free, body);
    }

    fn unique_body(&mut self, index: usize) -> Result<Map<String, Json>, String> {
        let Self { bodies: BodyMaker { maker, now }, fields, combinations, taken, equations, shape, resource, .. } =
            self;
        let is_unique = |name: &str| is_in(combinations, name);
        for attempt in 0..DRAFTS {
            maker.number = index + attempt * STRIDE;
            maker.is_complete = index == 0 && attempt == 0;
            let Some(mut body) = maker.object(fields, &is_unique) else {
                let name = maker.stuck.as_deref().unwrap_or("a field");
                return Err(format!("no value found for `{name}`"));
            };
            let (service, entities) = (maker.service, &maker.entities);
            solve(equations, &FactReader { service, resource, shape, now: *now, entities }, &mut body);
            let keys = combinations.iter().map(|paths| key(&body, paths));
            if keys.zip(taken.iter()).all(|(key, taken)| key.is_none_or(|key| !taken.contains(&key))) {
                return Ok(body);
            }
        }
        Err("every value that is unique is taken".to_owned())
    }

    /// An entity is there: it is unique from now on, and references may name it.
    pub fn add(&mut self, id: Uuid, body: &Map<String, Json>) {
        for (paths, taken) in self.combinations.iter().zip(&mut self.taken) {
            taken.extend(key(body, paths));
        }
        self.bodies.add(&self.resource.name, id);
        self.bodies.learn(self.resource, id, body);
    }

    /// An entity of a resource has got into a state of its lifecycle.
    pub fn set_state(&mut self, resource: &str, id: Uuid, state: &str) {
        let Some(resource) = self.bodies.maker.service.resource(resource) else { return };
        if let Some(lifecycle) = &resource.lifecycle {
            let body = Map::from_iter([(lifecycle.field.clone(), json!(state))]);
            self.bodies.learn(resource, id, &body);
        }
    }

    /// The entity with other values in what it was refused for. Conditions hold as in a [`draft`](Self::draft).
    #[must_use]
    pub fn changed(
        &mut self,
        body: &Map<String, Json>,
        problems: &[Problem],
        conditions: &[&Condition],
    ) -> Map<String, Json> {
        let mut names = BTreeSet::new();
        for problem in problems {
            let at = (problem.name(), problem.path.as_deref());
            names.extend(involved(self.resource, &self.combinations, at));
        }
        let is_own = |name: &&String| self.fields.iter().any(|field| field.name == **name);
        let mut names: Vec<String> = names.iter().filter(is_own).cloned().collect();
        if names.is_empty() {
            names.extend(self.fields.iter().map(|field| field.name.clone()));
        }
        let mut body = body.clone();
        for _ in 0..1 + usize::from(self.bodies.maker.random.percent(TWO_FIELDS)) {
            let Some(index) = (!names.is_empty()).then(|| self.bodies.maker.random.below(names.len())) else { break };
            let name = names.swap_remove(index);
            let Some(field) = self.fields.iter().copied().find(|field| field.name == name) else { continue };
            self.bodies.maker.change(field, &self.constants, self.bodies.now, &mut body);
        }
        solve(&self.equations, &self.bodies.reader(self.resource, &self.shape), &mut body);
        self.meet(conditions, &mut body);
        body
    }
}

/// Whether a field is unique, alone or with others.
pub(super) fn is_in(combinations: &[Vec<String>], name: &str) -> bool {
    combinations.iter().flatten().any(|path| path.split('.').next() == Some(name))
}

/// The names of the fields that an entity was refused for: that of the path, those of the rule, and what is unique
/// together.
pub(super) fn involved(
    resource: &Resource,
    combinations: &[Vec<String>],
    (code, path): (&str, Option<&str>),
) -> BTreeSet<String> {
    let root = path.and_then(|path| path.split('.').next());
    let mut names: BTreeSet<String> = root.into_iter().map(str::to_owned).collect();
    for rule in resource.rules.iter().filter(|rule| rule.code == code) {
        names.extend(names_in(rule.check.as_str()));
    }
    let required = resource.fields.iter().filter(|field| Some(field.name.as_str()) == root);
    for condition in required.filter_map(|field| field.required_when.as_ref()) {
        names.extend(names_in(condition.as_str()));
    }
    for paths in combinations {
        let roots = || paths.iter().filter_map(|path| path.split('.').next());
        if roots().any(|name| Some(name) == root) {
            names.extend(roots().map(str::to_owned));
        }
    }
    names
}

/// The constants of a resource's rules and of what makes its fields required.
pub(super) fn constants(resource: &Resource) -> Vec<Json> {
    let mut found = Vec::new();
    let rules = resource.rules.iter().map(|rule| &rule.check);
    let required = resource.fields.iter().filter_map(|field| field.required_when.as_ref());
    for condition in rules.chain(required) {
        found.extend(constants_of(condition.as_str()));
    }
    found
}

/// The constants of a condition.
pub(super) fn constants_of(condition: &str) -> Vec<Json> {
    let mut found = Vec::new();
    visit(condition, &mut |expr| match &expr.kind {
        ExprKind::Text(text) => found.push(json!(text)),
        ExprKind::Integer(number) => found.push(json!(number)),
        ExprKind::Decimal { units, scale } => {
            let number = decimal::to_decimal(*units, *scale).to_string();
            found.extend(number.parse::<f64>().ok().map(|number| json!(number)));
            found.push(json!(number));
        }
        _ => {}
    });
    found
}

/// The names of fields in a condition, and other names.
fn names_in(condition: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    visit(condition, &mut |expr| {
        if let ExprKind::Name(name) = &expr.kind {
            names.insert(name.clone());
        }
    });
    names
}

/// Calls `each` with every part of a condition. The parser bounds its nesting.
fn visit(condition: &str, each: &mut dyn FnMut(&Expr)) {
    fn inside(expr: &Expr, each: &mut dyn FnMut(&Expr)) {
        each(expr);
        match &expr.kind {
            ExprKind::Null
            | ExprKind::Boolean(_)
            | ExprKind::Integer(_)
            | ExprKind::Decimal { .. }
            | ExprKind::Text(_)
            | ExprKind::Name(_) => {}
            ExprKind::List(items) => items.iter().for_each(|item| inside(item, each)),
            ExprKind::Member(of, _) | ExprKind::Not(of) | ExprKind::Negate(of) => inside(of, each),
            ExprKind::Call { receiver, arguments, .. } => {
                receiver.iter().for_each(|receiver| inside(receiver, each));
                arguments.iter().for_each(|argument| inside(argument, each));
            }
            ExprKind::Binary(_, left, right) => {
                inside(left, each);
                inside(right, each);
            }
            ExprKind::Choose(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| inside(part, each));
            }
        }
    }
    if let Ok(expr) = parse(condition) {
        inside(&expr, each);
    }
}
