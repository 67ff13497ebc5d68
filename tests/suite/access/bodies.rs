//! The smallest valid body that a model takes.

use restwell_model::field::Format;
use restwell_model::sample::example;
use restwell_model::{Checked, Field, Kind, Type};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What bodies are made from.
pub(crate) struct Bodies<'a> {
    pub(crate) model: &'a Checked,
    /// The entities that may be referred to, by the resource's name.
    pub(crate) ids: &'a BTreeMap<String, String>,
    /// Other numbers make bodies that differ in what must be unique.
    pub(crate) number: usize,
}

impl Bodies<'_> {
    /// A body with the required fields of these.
    pub(crate) fn body(&self, fields: &[Field]) -> Value {
        let required = fields.iter().filter(|field| field.required && !field.read_only);
        Value::Object(required.map(|field| (field.name.clone(), self.field(field))).collect::<Map<_, _>>())
    }

    fn field(&self, field: &Field) -> Value {
        let is_varied = match &field.ty {
            Type::String { format, .. } => field.unique.is_on() || *format == Some(Format::Email),
            // prices have to fit together, and references to lead somewhere
            Type::Price { .. } | Type::Ref { .. } => true,
            _ => false,
        };
        match &field.example {
            Some(example) if !is_varied => example.clone(),
            _ => self.value(&field.ty),
        }
    }

    fn value(&self, ty: &Type) -> Value {
        match self.model.kind(ty) {
            Kind::Array(items) => json!([self.value(items)]),
            Kind::Map(values) => json!({ "colour": self.value(values) }),
            Kind::Enum(values) => json!(values.values[self.number % values.values.len()]),
            Kind::Object(object) => self.body(&object.fields),
            Kind::Scalar(ty) => self.scalar(ty),
        }
    }

    fn scalar(&self, ty: &Type) -> Value {
        let number = self.number;
        match ty {
            Type::String { format: Some(Format::Email), .. } => json!(format!("person-{number}@example.com")),
            Type::String { pattern: Some(pattern), .. } => {
                panic!("a field with the pattern {pattern} needs an example")
            }
            Type::String { max_length, format: None, .. } => {
                let length = max_length.map_or(usize::MAX, |length| length as usize);
                json!(format!("{number} words").chars().take(length).collect::<String>())
            }
            Type::Ref { to, .. } => json!({ "id": self.ids[to] }),
            other => example(other).unwrap_or_else(|| panic!("{other:?} is not scalar")),
        }
    }
}
