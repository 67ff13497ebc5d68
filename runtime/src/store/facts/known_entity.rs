//! An entity, as conditions see it.

use crate::plan::ResourcePlan;
use crate::plan::cell::Cell;
use restwell_model::Value;
use restwell_model::condition::FieldPath;
use restwell_model::tables::{CREATED_AT, ID, UPDATED_AT};
use uuid::Uuid;

/// An entity, as conditions see it.
#[derive(Debug, Clone)]
pub(crate) struct KnownEntity {
    pub(super) id: Uuid,
    created_at: Value,
    updated_at: Value,
    pub(super) fields: Value,
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

    /// The same where these fields have no valid value yet: it is not known.
    pub(crate) fn without(mut self, plan: &ResourcePlan, names: &[String]) -> Self {
        if let Value::Object(values) = &mut self.fields {
            let fields = values.iter_mut().zip(&plan.table.slots);
            let faulty = fields.filter(|(_, slot)| names.contains(&slot.name));
            faulty.for_each(|(value, _)| *value = Value::Absent);
        }
        self
    }

    /// One that is about to be created.
    pub(crate) fn new(id: Uuid, now: i64, fields: Value) -> Self {
        Self { id, created_at: Value::Int(now), updated_at: Value::Int(now), fields }
    }

    /// The value of a field; `None`: it is not known.
    pub(super) fn value(&self, path: &FieldPath) -> Option<Value> {
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
