//! Texts and claims as values of the type that is wanted.

use super::typed::StaticType;
use crate::scalar::{Date, IsoDuration, Time, Timestamp, decimal, uuid_text};
use crate::value::Value;
use rust_decimal::Decimal;
use serde_json::Value as Json;

/// A text as a value of a type whose values are written as texts; `None` if it is malformed.
pub(super) fn from_text(text: &str, ty: &StaticType) -> Option<Value> {
    Some(match ty {
        StaticType::Text | StaticType::Enum(_) => Value::Text(text.to_owned()),
        StaticType::Uuid | StaticType::Reference(_) => Value::Uuid(uuid_text::parse(text)?),
        StaticType::Timestamp => Value::Int(Timestamp::parse(text).ok()?.millis()),
        StaticType::Date => Value::Int(Date::parse(text)?.days()),
        StaticType::Time => Value::Int(Time::parse(text)?.millis()),
        StaticType::Duration => Value::Text(IsoDuration::parse(text)?.to_string()),
        StaticType::Decimal(scale) => Value::Int(decimal::parse(text, *scale).ok()?),
        _ => return None,
    })
}

/// A claim as a value of the type that its use wants; null if it is something else.
pub(super) fn from_claim(claim: &Json, ty: &StaticType) -> Value {
    let read = match (ty, claim) {
        (StaticType::Claim, Json::String(text)) => Some(Value::Text(text.clone())),
        (StaticType::Claim, Json::Array(items)) => {
            Some(Value::List(items.iter().map(|item| from_claim(item, &StaticType::Claim)).collect()))
        }
        // there is one: no more is asked of it
        (StaticType::Claim, Json::Object(_) | Json::Bool(_) | Json::Number(_)) => Some(Value::Bool(true)),
        (StaticType::Boolean, Json::Bool(flag)) => Some(Value::Bool(*flag)),
        (StaticType::Integer, Json::Number(number)) => number.as_i64().map(Value::Int),
        (StaticType::Number, Json::Number(number)) => number.as_f64().map(Value::Float),
        (StaticType::Decimal(scale), Json::Number(number)) => {
            let read: Option<Decimal> = number.to_string().parse().ok();
            read.and_then(|read| decimal::from_decimal(read, *scale)).map(Value::Int)
        }
        (StaticType::List(items), Json::Array(list)) => {
            Some(Value::List(list.iter().map(|item| from_claim(item, items)).collect()))
        }
        (ty, Json::String(text)) => from_text(text, ty),
        _ => None,
    };
    read.unwrap_or(Value::Null)
}
