//! Texts as values of the type that is wanted.

use super::arithmetic::length;
use super::typed::StaticType;
use crate::scalar::{Date, IsoDuration, Time, Timestamp, decimal, uuid_text};
use crate::value::Value;

/// A text as a value of a type whose values are written as texts; `None` if it is malformed.
pub(super) fn from_text(text: &str, ty: &StaticType) -> Option<Value> {
    Some(match ty {
        StaticType::Text | StaticType::Enum(_) => Value::Text(text.to_owned()),
        StaticType::Uuid | StaticType::Reference(_) => Value::Uuid(uuid_text::parse(text)?),
        StaticType::Timestamp => Value::Int(Timestamp::parse(text).ok()?.millis()),
        StaticType::Date => Value::Int(Date::parse(text)?.days()),
        StaticType::Time => Value::Int(Time::parse(text)?.millis()),
        StaticType::Duration => Value::Text(IsoDuration::parse(text)?.to_string()),
        StaticType::Length(_) => Value::Int(length(text)?),
        StaticType::Decimal(scale) => Value::Int(decimal::parse(text, *scale).ok()?),
        _ => return None,
    })
}
