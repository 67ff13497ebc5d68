//! The digits of numbers in JSON of any form, while a team's code has the entity that they are in.
//!
//! The code sees `serde_json`'s numbers, which have no more digits than a double, and no zeros at their ends. What it
//! leaves as it was is stored as it was: the values that were read are kept beside the entity if any of their numbers
//! would be written otherwise.

use super::exact_json;
use restwell_model::Value;
use serde_json::{Number, Value as Json};
use std::borrow::Cow;
use std::collections::HashMap;

/// The values, if a number in them has other digits than the code sees.
pub(super) fn exact(value: &Value) -> Option<Box<Value>> {
    loses_digits(value).then(|| Box::new(value.clone()))
}

fn loses_digits(value: &Value) -> bool {
    match value {
        Value::Json(text) => matches!(exact_json::marked(text), Cow::Owned(_)),
        Value::Object(values) | Value::List(values) => values.iter().any(loses_digits),
        Value::Map(entries) => entries.iter().any(|(_, value)| loses_digits(value)),
        _ => false,
    }
}

/// The values as the code leaves them, with the digits of all numbers that it left as they were in [`exact`] ones.
pub(crate) fn saved(value: Value, exact: Option<&Value>) -> Value {
    match exact {
        Some(exact) => restored(value, exact),
        None => value,
    }
}

fn restored(value: Value, exact: &Value) -> Value {
    let all = |values: Vec<Value>, exact: &[Value]| {
        let mut exact = exact.iter();
        values.into_iter().map(|value| saved(value, exact.next())).collect()
    };
    match (value, exact) {
        (Value::Json(text), Value::Json(exact)) => Value::Json(restored_text(text, exact)),
        (Value::Object(values), Value::Object(exact)) => Value::Object(all(values, exact)),
        (Value::List(values), Value::List(exact)) => Value::List(all(values, exact)),
        (Value::Map(entries), Value::Map(exact)) => {
            let exact: HashMap<&str, &Value> = exact.iter().map(|(name, value)| (name.as_str(), value)).collect();
            let entry = |(name, value): (String, Value)| {
                let value = saved(value, exact.get(name.as_str()).copied());
                (name, value)
            };
            Value::Map(entries.into_iter().map(entry).collect())
        }
        (value, _) => value,
    }
}

fn restored_text(text: String, exact: &str) -> String {
    if text == exact {
        return text;
    }
    let (Ok(mut json), Ok(exact)) = (exact_json::parse(&text), exact_json::parse(exact)) else { return text };
    restore(&mut json, &exact);
    exact_json::text(&json)
}

/// Puts the marked numbers of one tree in the places where the other has what the code saw of them.
fn restore(json: &mut Json, exact: &Json) {
    match (json, exact) {
        (Json::Array(items), Json::Array(exact)) => {
            items.iter_mut().zip(exact).for_each(|(item, exact)| restore(item, exact));
        }
        (Json::Object(members), Json::Object(exact)) => {
            let both = members.iter_mut().filter_map(|(name, value)| Some((value, exact.get(name)?)));
            both.for_each(|(value, exact)| restore(value, exact));
        }
        (json @ Json::Number(_), exact) => {
            let seen = exact_json::marked_number(exact).and_then(|digits| serde_json::from_str::<Number>(digits).ok());
            if seen.is_some_and(|seen| *json == Json::Number(seen)) {
                *json = exact.clone();
            }
        }
        _ => {}
    }
}
