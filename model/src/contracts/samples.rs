//! Examples of bodies: the examples of the model, completed by type. A body for which one value cannot be made up (a
//! pattern without an example) has no example.

use super::json_tree::{JsonTree, object};
use super::schema_names::is_request;
use crate::api::{Api, Property, SchemaKey, ValueType};
use crate::error::{ErrorCode, Problem};
use crate::field::Type;
use crate::sample::{self, EXAMPLE_AMOUNT};
use serde_json::Value;

/// An example of a body.
pub(super) fn body(api: &Api<'_>, key: SchemaKey) -> Option<JsonTree> {
    if key == SchemaKey::Errors {
        return Some(object([("errors", JsonTree::List(vec![problem()]))]));
    }
    Sampler { api, is_request: is_request(key) }.value(api.schema(key)?)
}

fn problem() -> JsonTree {
    let problem = Problem::at(ErrorCode::Required, "name");
    object([
        ("message", problem.message().into()),
        ("code", problem.name().into()),
        ("details", JsonTree::Null),
        ("path", problem.path.clone().map_or(JsonTree::Null, JsonTree::from)),
        ("userMessage", "This is required.".into()),
    ])
}

/// Values of an array in an example: one that has to have more has none.
const MAX_VALUES: usize = 1000;

/// Makes examples up.
#[derive(Clone, Copy)]
struct Sampler<'e, 'a> {
    api: &'e Api<'a>,
    is_request: bool,
}

impl Sampler<'_, '_> {
    fn properties(self, properties: &[Property<'_>]) -> Option<JsonTree> {
        let mut members = Vec::new();
        for property in properties {
            if property.is_ignored {
                continue;
            }
            let has_example = property.field.is_some_and(|field| field.example.is_some());
            let is_shown = property.is_required || has_example && property.deprecation.is_none();
            if self.is_request && !is_shown {
                continue;
            }
            let is_null = property.is_nullable && !(has_example && property.deprecation.is_none());
            let value = if is_null { Some(JsonTree::Null) } else { self.property(property) };
            match value {
                Some(value) => members.push((property.name.to_string(), value)),
                None if self.is_request && !property.is_required => {}
                None if property.is_nullable => members.push((property.name.to_string(), JsonTree::Null)),
                None => return None,
            }
        }
        Some(JsonTree::Object(members))
    }

    fn property(self, property: &Property<'_>) -> Option<JsonTree> {
        let example = property.field.and_then(|field| field.example.as_ref());
        match example {
            Some(example) => self.rendered(&property.value, example).or_else(|| self.value(&property.value)),
            None => self.value(&property.value),
        }
    }

    /// An example of the model in the form of a body.
    fn rendered(self, value: &ValueType<'_>, example: &Value) -> Option<JsonTree> {
        match value {
            ValueType::Scalar(Type::Decimal { scale, .. }) => decimal_text(&text_of(example), *scale),
            ValueType::Scalar(_) | ValueType::Enum(_) => Some(example.clone().into()),
            ValueType::Price(_) => {
                let amount = decimal_text(&text_of(example.get("amount")?), 2)?;
                Some(object([("amount", amount), ("currency", example.get("currency")?.clone().into())]))
            }
            ValueType::Array { items, .. } => {
                let items = example.as_array()?.iter().map(|item| self.rendered(items, item));
                Some(JsonTree::List(items.collect::<Option<_>>()?))
            }
            ValueType::Map { values, .. } => {
                let entry = |(name, value): (&String, &Value)| Some((name.clone(), self.rendered(values, value)?));
                Some(JsonTree::Object(example.as_object()?.iter().map(entry).collect::<Option<_>>()?))
            }
            ValueType::Words(_)
            | ValueType::Amount
            | ValueType::Reference { .. }
            | ValueType::Object { .. }
            | ValueType::Criterion { .. }
            | ValueType::Schema(_)
            | ValueType::Any => None,
        }
    }

    fn value(self, value: &ValueType<'_>) -> Option<JsonTree> {
        match value {
            ValueType::Scalar(ty) | ValueType::Price(ty) => sample::example(ty).map(JsonTree::from),
            ValueType::Enum(values) => values.values.first().map(|value| value.as_str().into()),
            ValueType::Words(words) => words.first().map(|word| (*word).into()),
            ValueType::Amount => Some(EXAMPLE_AMOUNT.into()),
            ValueType::Reference { properties, .. } | ValueType::Object { properties, .. } => {
                self.properties(properties)
            }
            ValueType::Array { items, bounds } => {
                let is_page = matches!(**items, ValueType::Schema(SchemaKey::Entity(_)));
                let count = bounds.min_items.unwrap_or(0).max(u32::from(is_page));
                // different items cannot be made up
                if bounds.unique_items && count > 1 {
                    return None;
                }
                let item = if count > 0 { Some(self.value(items)?) } else { None };
                // arrays in arrays multiply
                if item.as_ref().map_or(0, values).saturating_mul(count as usize) > MAX_VALUES {
                    return None;
                }
                Some(JsonTree::List(item.into_iter().cycle().take(count as usize).collect()))
            }
            // names that fit a pattern cannot be made up
            ValueType::Map { bounds, .. } if bounds.min_items.is_some_and(|least| least > 0) => None,
            ValueType::Map { .. } => Some(object([])),
            ValueType::Criterion { value, .. } => self.value(value),
            ValueType::Schema(key) => self.value(self.api.schema(*key)?),
            ValueType::Any => Some(JsonTree::Null),
        }
    }
}

/// The values within a value.
fn values(tree: &JsonTree) -> usize {
    match tree {
        JsonTree::List(items) => 1 + items.iter().map(values).sum::<usize>(),
        JsonTree::Object(members) => 1 + members.iter().map(|(_, value)| values(value)).sum::<usize>(),
        _ => 1,
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn decimal_text(text: &str, scale: u32) -> Option<JsonTree> {
    sample::decimal_text(text.parse().ok()?, scale).map(JsonTree::from)
}
