//! The entities that are there: what references may name, and what these say.

use super::near::referred;
use crate::check::Checked;
use crate::condition::FieldPath;
use crate::field::Field;
use crate::input::{Reading, Shape};
use crate::resource::Resource;
use crate::value::Value;
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use uuid::Uuid;

/// Values that an attempt chooses from.
const MAX_CANDIDATES: usize = 400;
/// References that are followed to find such values.
const MAX_STEPS: usize = 3;

/// What is known of the entities that are there.
#[derive(Default)]
pub(super) struct KnownEntities(HashMap<Uuid, KnownEntity>);

struct KnownEntity {
    body: Map<String, Json>,
    /// The same in the form in which conditions are evaluated; absent what is not known.
    fields: Value,
}

impl KnownEntities {
    /// Adds what an entity says, or says more of it than before: what was posted, and what the service shows.
    pub(super) fn add(&mut self, service: &Checked, resource: &Resource, id: Uuid, body: &Map<String, Json>) {
        let known = self.0.remove(&id).map(|known| known.body).unwrap_or_default();
        let body: Map<String, Json> = known.into_iter().chain(body.clone()).collect();
        let fields = fields_of(service, resource, &body);
        self.0.insert(id, KnownEntity { body, fields });
    }

    /// What an entity says of a field; `None`: it is not known.
    pub(super) fn value(&self, id: Uuid, path: &FieldPath) -> Option<Value> {
        if path.is_id() {
            return Some(Value::Uuid(id));
        }
        let fields = &self.0.get(&id)?.fields;
        let Value::Object(values) = fields else { return None };
        // what is in an object that is not known is not known either
        let is_known = *values.get(*path.indexes.first()?)? != Value::Absent;
        path.within(fields).filter(|value| is_known && *value != Value::Absent)
    }

    /// Adds what values may be taken from: those of a body, and of what it refers to.
    pub(super) fn candidates(&self, body: &Map<String, Json>, found: &mut Vec<Json>) {
        body.values().for_each(|value| self.collect(value, 0, found));
    }

    fn collect(&self, value: &Json, steps: usize, found: &mut Vec<Json>) {
        if found.len() >= MAX_CANDIDATES {
            return;
        }
        match value {
            Json::Null => {}
            Json::Array(items) => items.iter().for_each(|item| self.collect(item, steps, found)),
            Json::Object(members) => {
                found.push(value.clone());
                members.values().for_each(|member| self.collect(member, steps, found));
                let referred = referred(value).and_then(|id| self.0.get(&id)).filter(|_| steps < MAX_STEPS);
                if let Some(referred) = referred {
                    referred.body.values().for_each(|member| self.collect(member, steps + 1, found));
                }
            }
            scalar => found.push(scalar.clone()),
        }
    }
}

/// The fields of an entity with those that only the service sets.
fn fields_of(service: &Checked, resource: &Resource, body: &Map<String, Json>) -> Value {
    // what requests cannot set is read, too
    let as_shown = |field: &Field| Field { read_only: false, computed: None, ..field.clone() };
    let shown: Vec<Field> = resource.fields.iter().map(as_shown).collect();
    let shape = Shape::compile(service, &shown, &[], &|_| true);
    let text = Json::Object(body.clone()).to_string();
    let read = shape.read(text.as_bytes(), Reading::Create, &[]).map(|read| read.value);
    let Ok(Value::Object(mut values)) = read else { return Value::Absent };
    for (field, value) in resource.fields.iter().zip(&mut values) {
        if !body.contains_key(&field.name) {
            *value = Value::Absent;
        }
    }
    Value::Object(values)
}
