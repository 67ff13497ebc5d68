//! The smallest valid body that a model takes.

use restwell_model::field::Format;
use restwell_model::{Checked, Field, Kind, Type};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What bodies are made from.
pub(super) struct Bodies<'a> {
    pub(super) model: &'a Checked,
    /// The entities that may be referred to, by the resource's name.
    pub(super) ids: &'a BTreeMap<String, String>,
    /// Other numbers make bodies that differ in what must be unique.
    pub(super) number: usize,
}

impl Bodies<'_> {
    /// A body with the required fields of these.
    pub(super) fn body(&self, fields: &[Field]) -> Value {
        let required = fields.iter().filter(|field| field.required && !field.read_only);
        Value::Object(required.map(|field| (field.name.clone(), self.field(field))).collect::<Map<_, _>>())
    }

    fn field(&self, field: &Field) -> Value {
        let is_varied = match &field.ty {
            Type::String { format, .. } => field.unique || *format == Some(Format::Email),
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
            Kind::Enum(values) => json!(values.values[self.number % values.values.len()]),
            Kind::Object(object) => self.body(&object.fields),
            Kind::Scalar(ty) => self.scalar(ty),
        }
    }

    fn scalar(&self, ty: &Type) -> Value {
        let number = self.number;
        match ty {
            Type::String { format: Some(Format::Email), .. } => json!(format!("person-{number}@example.com")),
            Type::String { format: Some(Format::Uri), .. } => json!("https://example.com/"),
            Type::String { pattern: Some(pattern), .. } => {
                panic!("a field with the pattern {pattern} needs an example")
            }
            Type::String { max_length, .. } => {
                let length = max_length.map_or(usize::MAX, |length| length as usize);
                json!(format!("{number} words").chars().take(length).collect::<String>())
            }
            Type::Integer { minimum, .. } => json!(minimum.unwrap_or(1).max(1)),
            Type::Number { .. } => json!(1),
            Type::Decimal { scale, .. } => json!(format!("1.{}", "0".repeat(*scale as usize))),
            Type::Boolean => json!(true),
            Type::Uuid => json!("01890a5d-ac96-774b-bcce-b302099a8057"),
            Type::Timestamp { .. } => json!("2030-01-01T00:00:00.000Z"),
            Type::Date { .. } => json!("2030-01-01"),
            Type::Time => json!("12:00:00.000"),
            Type::Duration => json!("P1D"),
            Type::Country => json!("PL"),
            Type::Language => json!("pl-PL"),
            Type::Currency => json!("PLN"),
            Type::Timezone => json!("Europe/Warsaw"),
            Type::Phone => json!("+48123456789"),
            Type::Price { .. } => json!({ "amount": "12.50", "currency": "PLN" }),
            Type::Ref { to, .. } => json!({ "id": self.ids[to] }),
            Type::Array { .. } | Type::Named { .. } => panic!("{ty:?} is no scalar"),
        }
    }
}
