//! Values in bodies: found by their dotted names, compared in the order of collections.

use restwell_model::Type;
use restwell_model::api::ValueType;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use std::cmp::Ordering;

/// What a property without a value shows.
pub(super) fn no_value(ty: &Type) -> Value {
    match ty {
        Type::Array { .. } => json!([]),
        Type::Map { .. } => json!({}),
        _ => Value::Null,
    }
}

/// A value by its dotted name; null where there is none.
pub(super) fn at<'v>(body: &'v Value, name: &str) -> &'v Value {
    name.split('.').fold(body, |value, word| &value[word])
}

/// Where a response does not show the value that was given; what it has not, such as what is only written, is left out.
pub(super) fn echo_fault(given: &Value, shown: &Value, path: &str) -> Option<String> {
    let inner = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let is_same = match (given, shown) {
        (Value::Object(given), Value::Object(shown)) => {
            let known = given.iter().filter_map(|(name, given)| Some((name, given, shown.get(name)?)));
            return known.into_iter().find_map(|(name, given, shown)| echo_fault(given, shown, &inner(name)));
        }
        (Value::Array(given), Value::Array(shown)) if given.len() == shown.len() => {
            let mut items = given.iter().zip(shown).enumerate();
            return items.find_map(|(index, (given, shown))| echo_fault(given, shown, &inner(&index.to_string())));
        }
        (Value::Number(given), Value::Number(shown)) => given == shown || given.as_f64() == shown.as_f64(),
        (Value::String(given), Value::String(shown)) => {
            let as_decimals = || given.parse::<Decimal>().ok().zip(shown.parse::<Decimal>().ok());
            // languages have their canonical form
            given.eq_ignore_ascii_case(shown) || as_decimals().is_some_and(|(given, shown)| given == shown)
        }
        (given, shown) => given == shown,
    };
    (!is_same).then(|| path.to_owned())
}

/// The text of a value in a query string; `None` for what cannot be written there.
pub(super) fn parameter(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_so) => Some(is_so.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// How two values of a type compare (§4.6); `None`: they have no order that this program knows.
pub(super) fn compare(ty: &ValueType<'_>, one: &Value, other: &Value) -> Option<Ordering> {
    let decimals = |one: &Value, other: &Value| {
        let decimal = |value: &Value| value.as_str().and_then(|text| text.parse::<Decimal>().ok());
        Some(decimal(one)?.cmp(&decimal(other)?))
    };
    match ty {
        ValueType::Price(_) => decimals(&one["amount"], &other["amount"]),
        ValueType::Amount | ValueType::Scalar(Type::Decimal { .. }) => decimals(one, other),
        ValueType::Scalar(Type::Integer { .. }) => Some(one.as_i64()?.cmp(&other.as_i64()?)),
        ValueType::Scalar(Type::Number { .. }) => one.as_f64()?.partial_cmp(&other.as_f64()?),
        ValueType::Scalar(Type::Boolean) => Some(one.as_bool()?.cmp(&other.as_bool()?)),
        // durations of months have no order
        ValueType::Scalar(Type::Duration) => None,
        // by code point, which is also the order of timestamps, dates, times and ids
        ValueType::Scalar(_) | ValueType::Enum(_) | ValueType::Words(_) => Some(one.as_str()?.cmp(other.as_str()?)),
        ValueType::Reference { .. }
        | ValueType::Object { .. }
        | ValueType::Array { .. }
        | ValueType::Map { .. }
        | ValueType::Criterion { .. }
        | ValueType::Schema(_)
        | ValueType::Any => None,
    }
}
