//! Values made from the types of a model.
//!
//! [`example`] is one fixed value for each type, for documents and tests. The sample data has entities of every
//! resource with plausible values that keep every constraint of the model.
//!
//! Values are made from types and names, and each is checked by the rules for requests: one that cannot be met (a
//! pattern that contradicts a length) leaves an optional field out, and an entity whose required field it is. Data is
//! the same in every run, but for the ids and what follows from the time. What rules ask for is
//! [searched](EntityMaker), and what conditions ask for is [met](BodyMaker::meet).

mod equations;
mod example;
mod facts;
mod known;
mod meeting;
mod near;
mod pattern;
mod random;
mod search;
#[cfg(test)]
mod tests;
mod text;
mod value;

pub use example::{EXAMPLE_AMOUNT, EXAMPLE_ID, decimal_text, example};
pub use meeting::NotMet;
pub use search::EntityMaker;

use crate::case_folding::fold_case;
use crate::check::Checked;
use crate::field::Field;
use crate::input::Shape;
use crate::language::{Type, TypeClass};
use crate::resource::{Command, Resource, Version, View};
use crate::scalar::Timestamp;
use equations::{equations, solve};
use facts::{FactReader, shape_of};
use search::is_in;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeSet, HashSet};
use uuid::Uuid;
use value::{STRIDE, ValueMaker};

/// Number of attempts to make an entity of a resource: a unique enum, for example, has a limited number of values.
const ATTEMPTS: usize = 40;
/// What the values follow from.
const SEED: u64 = 15;

/// An entity to create.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleEntity {
    /// The path's word of its resource.
    pub resource: String,
    /// Its id.
    pub id: Uuid,
    /// The body of the request that would create it.
    pub body: Json,
}

/// Makes the bodies of requests one at a time: for a client that knows which entities are there to refer to.
pub struct BodyMaker<'a> {
    maker: ValueMaker<'a>,
    now: Timestamp,
}

impl<'a> BodyMaker<'a> {
    /// Values follow from the seed: two makers with different ones make different bodies.
    #[must_use]
    pub fn new(service: &'a Checked, seed: u64) -> Self {
        Self { maker: ValueMaker::new(service, seed), now: Timestamp::MIN }
    }

    /// With the time at which bodies are sent, for what rules and conditions compare with it.
    #[must_use]
    pub fn at(self, now: Timestamp) -> Self {
        Self { now, ..self }
    }

    /// An entity of a resource exists: references may name it.
    pub fn add(&mut self, resource: &str, id: Uuid) {
        self.maker.known.entry(resource.to_owned()).or_default().push(id);
    }

    /// Such an entity says this, or more than before: values of others follow from it.
    pub fn learn(&mut self, resource: &Resource, id: Uuid, body: &Map<String, Json>) {
        self.maker.entities.add(self.maker.service, resource, id, body);
    }

    fn reader<'s>(&'s self, resource: &'s Resource, shape: &'s Shape) -> FactReader<'s> {
        let (service, entities) = (self.maker.service, &self.maker.entities);
        FactReader { service, resource, shape, now: self.now, entities }
    }

    /// The body that creates an entity in a version and a view (`None`: the resource itself). No two `number`s make the
    /// same text where texts must differ. `is_complete`: every optional field has a value. `None`: a required field can
    /// have no value, such as a reference to a resource without entities.
    pub fn entity(
        &mut self,
        resource: &'a Resource,
        (version, view): (Version, Option<&'a View>),
        number: usize,
        is_complete: bool,
    ) -> Option<Json> {
        let combinations = combinations(self.maker.service, resource);
        let is_unique = |name: &str| is_in(&combinations, name);
        (self.maker.version, self.maker.view) = (Some(version), view);
        (self.maker.number, self.maker.is_complete) = (number, is_complete);
        let mut fields = self.maker.settable(&resource.fields);
        // the service makes its caller the owner
        let is_unknown = |field: &Field| match field.ty.class() {
            TypeClass::Ref(to) => !self.maker.known.contains_key(to),
            _ => false,
        };
        fields.retain(|field| resource.owner_field() != Some(field.name.as_str()) || !is_unknown(field));
        let mut body = self.maker.object(&fields, &is_unique)?;
        let (service, shape) = (self.maker.service, shape_of(self.maker.service, resource));
        solve(&equations(service, resource, &fields), &self.reader(resource, &shape), &mut body);
        Some(Json::Object(body))
    }

    /// The body that sends a command.
    pub fn input(&mut self, command: &'a Command, number: usize) -> Option<Json> {
        (self.maker.version, self.maker.view) = (None, None);
        (self.maker.number, self.maker.is_complete) = (number, true);
        let fields = self.maker.settable(&command.input);
        self.maker.object(&fields, &|_| false).map(Json::Object)
    }

    /// A value of a field; `None`: it can have none.
    pub fn value(&mut self, field: &Field, number: usize) -> Option<Json> {
        (self.maker.number, self.maker.is_complete, self.maker.made) = (number, false, 0);
        self.maker.field(field, true)
    }
}

/// At most `each` entities of each resource, those that others refer to first. `new_id` makes their ids.
pub fn entities(service: &Checked, each: usize, mut new_id: impl FnMut() -> Uuid) -> Vec<SampleEntity> {
    let mut maker = ValueMaker::new(service, SEED);
    let mut entities = Vec::new();
    for resource in in_order(service) {
        maker.version = resource.versions_by_preference().first().copied();
        let fields = maker.settable(&resource.fields);
        let combinations = combinations(service, resource);
        let mut taken: Vec<HashSet<String>> = vec![HashSet::new(); combinations.len()];
        for index in 0..each {
            let Some(body) = entity(&mut maker, &fields, &combinations, &mut taken, index) else { break };
            let id = new_id();
            maker.known.entry(resource.name.clone()).or_default().push(id);
            entities.push(SampleEntity { resource: resource.plural.clone(), id, body: Json::Object(body) });
        }
    }
    entities
}

/// What a command could answer with: its output's examples, and values of the types of the rest.
#[must_use]
pub fn output(service: &Checked, command: &Command) -> Map<String, Json> {
    let mut maker = ValueMaker { may_invent: true, ..ValueMaker::new(service, SEED) };
    let fields: Vec<&Field> = command.output.iter().collect();
    maker.object(&fields, &|_| false).unwrap_or_default()
}

fn entity(
    maker: &mut ValueMaker<'_>,
    fields: &[&Field],
    combinations: &[Vec<String>],
    taken: &mut [HashSet<String>],
    index: usize,
) -> Option<Map<String, Json>> {
    let is_unique = |name: &str| is_in(combinations, name);
    for attempt in 0..ATTEMPTS {
        maker.number = index + attempt * STRIDE;
        maker.is_complete = index == 0 && attempt == 0;
        let body = maker.object(fields, &is_unique)?;
        let keys: Vec<Option<String>> = combinations.iter().map(|paths| key(&body, paths)).collect();
        let is_new =
            keys.iter().zip(taken.iter()).all(|(key, taken)| key.as_ref().is_none_or(|key| !taken.contains(key)));
        if is_new {
            keys.into_iter().zip(taken).for_each(|(key, taken)| taken.extend(key));
            return Some(body);
        }
    }
    None
}

/// What may not be there twice; `None` where a value is missing, for that is equal to nothing.
fn key(body: &Map<String, Json>, paths: &[String]) -> Option<String> {
    let value = |path: &String| {
        let mut words = path.split('.');
        let first = body.get(words.next()?)?;
        words.try_fold(first, |value, word| value.get(word)).filter(|value| !value.is_null())
    };
    let values: Option<Vec<_>> = paths.iter().map(|path| value(path).map(ToString::to_string)).collect();
    // a value that is taken in another case is no value for `ignoreCase`
    values.map(|values| fold_case(&values.join("\n")))
}

/// The paths of the fields of each combination that is unique, single fields included.
fn combinations(service: &Checked, resource: &Resource) -> Vec<Vec<String>> {
    let mut combinations = resource.unique.clone();
    unique_fields(service, &resource.fields, "", &mut BTreeSet::new(), &mut combinations);
    combinations
}

fn unique_fields<'a>(
    service: &'a Checked,
    fields: &'a [Field],
    prefix: &str,
    within: &mut BTreeSet<&'a str>,
    found: &mut Vec<Vec<String>>,
) {
    for field in fields {
        let path = format!("{prefix}{}", field.name);
        if let TypeClass::Named(name) = field.ty.class()
            && let Some(object) = service.object(name)
            && within.insert(name)
        {
            unique_fields(service, &object.fields, &format!("{path}."), within, found);
            within.remove(name);
        }
        if field.unique.is_on() {
            found.push(vec![path]);
        }
    }
}

/// The resources, each after those that it needs, and, where there is a choice, after those that it may refer to.
#[must_use]
pub fn in_order(service: &Checked) -> Vec<&Resource> {
    let mut left: Vec<(&Resource, BTreeSet<&str>, BTreeSet<&str>)> = service
        .resources
        .iter()
        .map(|resource| {
            let (mut needed, mut wanted) = (BTreeSet::new(), BTreeSet::new());
            references(service, &resource.fields, true, &mut BTreeSet::new(), &mut needed, &mut wanted);
            needed.remove(resource.name.as_str());
            wanted.remove(resource.name.as_str());
            (resource, needed, wanted)
        })
        .collect();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let best = left.iter().enumerate().min_by_key(|(_, (_, needed, wanted))| (needed.len(), wanted.len()));
        let Some((best, _)) = best else { break };
        let (resource, ..) = left.remove(best);
        for (_, needed, wanted) in &mut left {
            needed.remove(resource.name.as_str());
            wanted.remove(resource.name.as_str());
        }
        ordered.push(resource);
    }
    ordered
}

/// The resources that fields refer to: those that a value needs, and the others.
fn references<'a>(
    service: &'a Checked,
    fields: &'a [Field],
    is_needed: bool,
    within: &mut BTreeSet<&'a str>,
    needed: &mut BTreeSet<&'a str>,
    wanted: &mut BTreeSet<&'a str>,
) {
    for field in fields {
        let is_filled = match &field.ty {
            Type::Array { .. } | Type::Map { .. } => field.is_never_empty(),
            _ => field.required,
        };
        let is_needed = is_needed && is_filled;
        match field.ty.element().class() {
            TypeClass::Ref(to) if is_needed => drop(needed.insert(to)),
            TypeClass::Ref(to) => drop(wanted.insert(to)),
            TypeClass::Named(name) => {
                if let Some(object) = service.object(name)
                    && within.insert(name)
                {
                    references(service, &object.fields, is_needed, within, needed, wanted);
                    within.remove(name);
                }
            }
            TypeClass::Scalar(_) | TypeClass::Array(_) | TypeClass::Map(_) => {}
        }
    }
}
