//! Examples of bodies: the examples of the model, completed by type. A body for which one value cannot be made up (a
//! pattern without an example) has no example.

use super::json_tree::{JsonTree, object};
use super::scalars::currencies;
use super::schema_names::is_request;
use crate::api::{Api, Property, SchemaKey, ValueType};
use crate::error::{ErrorCode, Problem};
use crate::field::{Format, Type};
use crate::scalar::{Date, Timestamp, decimal};
use serde_json::Value;

/// The id of every example.
pub(super) const SAMPLE_ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
const SAMPLE_TIME: &str = "2026-12-01T08:00:00.000Z";
const SAMPLE_DATE: &str = "2026-12-01";
const SAMPLE_TEXT: &str = "Example";

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
            ValueType::Scalar(ty) => scalar(ty),
            ValueType::Enum(values) => values.values.first().map(|value| value.as_str().into()),
            ValueType::Words(words) => words.first().map(|word| (*word).into()),
            ValueType::Amount => Some("12.30".into()),
            ValueType::Price(ty) => price(ty),
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
                Some(JsonTree::List(item.into_iter().cycle().take(count as usize).collect()))
            }
            ValueType::Criterion { value, .. } => self.value(value),
            ValueType::Schema(key) => self.value(self.api.schema(*key)?),
            ValueType::Any => Some(JsonTree::Null),
        }
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn decimal_text(text: &str, scale: u32) -> Option<JsonTree> {
    let units = decimal::parse(text, scale).ok()?;
    let mut out = Vec::new();
    decimal::write(units, scale, &mut out);
    String::from_utf8(out).ok().map(JsonTree::from)
}

fn price(ty: &Type) -> Option<JsonTree> {
    let Type::Price { minimum, maximum, currencies: allowed } = ty else { return None };
    let limit = within("12.30".parse().ok()?, *minimum, *maximum);
    let currency = allowed.first().cloned().or_else(|| currencies().into_iter().find(|code| code == "EUR"))?;
    Some(object([("amount", decimal_text(&limit.to_string(), 2)?), ("currency", currency.into())]))
}

fn within<T: PartialOrd>(value: T, minimum: Option<T>, maximum: Option<T>) -> T {
    match (minimum, maximum) {
        (Some(minimum), _) if value < minimum => minimum,
        (_, Some(maximum)) if value > maximum => maximum,
        _ => value,
    }
}

fn scalar(ty: &Type) -> Option<JsonTree> {
    match ty {
        Type::String { pattern: Some(_), .. } => None,
        Type::String { min_length, max_length, format, .. } => Some(text(*min_length, *max_length, *format).into()),
        Type::Integer { minimum, maximum } => Some(within(1, *minimum, *maximum).into()),
        Type::Number { minimum, maximum } => Some(within(1.5, *minimum, *maximum).into()),
        Type::Decimal { minimum, maximum, scale } => {
            decimal_text(&within("1".parse().ok()?, *minimum, *maximum).to_string(), *scale)
        }
        Type::Boolean => Some(true.into()),
        Type::Uuid => Some(SAMPLE_ID.into()),
        Type::Timestamp { minimum, maximum } => {
            Some(within(Timestamp::parse(SAMPLE_TIME).ok()?, *minimum, *maximum).to_string().into())
        }
        Type::Date { minimum, maximum } => {
            Some(within(Date::parse(SAMPLE_DATE)?, *minimum, *maximum).to_string().into())
        }
        Type::Time => Some("08:30:00.000".into()),
        Type::Duration => Some("P14D".into()),
        Type::Country => Some("PL".into()),
        Type::Language => Some("pl-PL".into()),
        Type::Currency => Some("EUR".into()),
        Type::Timezone => Some("Europe/Warsaw".into()),
        Type::Phone => Some("+48123456789".into()),
        Type::Price { .. } | Type::Ref { .. } | Type::Array { .. } | Type::Named { .. } => None,
    }
}

fn text(min_length: Option<u32>, max_length: Option<u32>, format: Option<Format>) -> String {
    let sample = match format {
        None => SAMPLE_TEXT,
        Some(Format::Email) => "jan@example.com",
        Some(Format::Uri) => "https://example.com/",
    };
    let least = min_length.unwrap_or(0) as usize;
    let longer = sample.chars().chain("x".chars().cycle());
    let most = max_length.map_or(usize::MAX, |length| length as usize);
    longer.take(sample.len().max(least).min(most)).collect()
}
