//! What a body says of the entity that it would create: conditions are evaluated on it before anything is sent.

use super::known::KnownEntities;
use crate::check::Checked;
use crate::condition::{Facts, FieldPath, Subject};
use crate::input::{Reading, Shape};
use crate::resource::Resource;
use crate::scalar::Timestamp;
use crate::value::Value;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

/// What the bodies of a resource are evaluated with.
pub(super) struct FactReader<'s> {
    pub(super) service: &'s Checked,
    pub(super) resource: &'s Resource,
    /// Of the resource, with the fields of every version.
    pub(super) shape: &'s Shape,
    pub(super) now: Timestamp,
    /// What bodies refer to.
    pub(super) entities: &'s KnownEntities,
}

impl<'s> FactReader<'s> {
    /// The facts of a body; `None`: it is none of the resource's.
    pub(super) fn facts(&self, body: &Map<String, Json>) -> Option<BodyFacts<'s>> {
        let text = serde_json::to_vec(body).ok()?;
        let mut fields = self.shape.read(&text, Reading::Create, &[]).ok()?.value;
        if let (Some(lifecycle), Value::Object(values)) = (&self.resource.lifecycle, &mut fields) {
            let at = self.resource.fields.iter().position(|field| field.name == lifecycle.field);
            if let Some(state) = at.and_then(|at| values.get_mut(at)) {
                *state = Value::Text(lifecycle.initial.clone());
            }
        }
        Some(BodyFacts { fields, now: self.now, caller: None, entities: self.entities })
    }
}

/// The facts of a new entity. What only the service gives it is not known, but for its state.
pub(super) struct BodyFacts<'s> {
    fields: Value,
    now: Timestamp,
    caller: Option<Uuid>,
    entities: &'s KnownEntities,
}

impl BodyFacts<'_> {
    /// The same where the caller is known.
    pub(super) fn by(self, caller: Option<Uuid>) -> Self {
        Self { caller, ..self }
    }
}

/// The shape of a body with the fields of every version.
pub(super) fn shape_of(service: &Checked, resource: &Resource) -> Shape {
    Shape::compile(service, &resource.fields, &[], &|_| true)
}

impl Facts for BodyFacts<'_> {
    fn field(&self, of: Subject<'_>, path: &FieldPath) -> Option<Value> {
        match of {
            Subject::This => path.within(&self.fields).filter(|value| *value != Value::Absent),
            // nothing is there before it is created
            Subject::Old => Some(Value::Null),
            Subject::Entity { id, .. } => self.entities.value(id, path),
        }
    }

    fn caller(&self) -> Option<Option<Uuid>> {
        self.caller.map(Some)
    }

    fn now(&self) -> Option<i64> {
        Some(self.now.millis())
    }
}
