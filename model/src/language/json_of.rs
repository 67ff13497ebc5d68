//! Values of scalar types in JSON, in the one form in which they are stored and shown.

use super::types::Type;
use crate::scalar::{Date, Time, Timestamp, amount, decimal};
use crate::value::Value;
use serde_json::{Value as Json, json};

/// A value of a scalar type in JSON; `None` for null, and for what is no value of the type. JSON of any form is a text
/// of its own.
pub(crate) fn json_of(ty: &Type, value: &Value) -> Option<Json> {
    Some(match (ty, value) {
        (Type::Boolean, Value::Bool(flag)) => json!(flag),
        (Type::Integer { .. }, Value::Int(number)) => json!(number),
        (Type::Number { .. }, Value::Float(number)) => json!(number),
        (Type::Number { .. }, Value::Int(number)) => json!(*number as f64),
        (Type::Decimal { scale, .. }, Value::Int(units)) => text(|out| decimal::write(*units, *scale, out))?,
        (Type::Date { .. }, Value::Int(days)) => json!(Date::from_days(*days)?.to_string()),
        (Type::Timestamp { .. }, Value::Int(millis)) => json!(Timestamp::from_millis(*millis)?.to_string()),
        (Type::Time, Value::Int(millis)) => json!(Time::from_millis(*millis)?.to_string()),
        (Type::Price { .. }, Value::Price(minor, currency)) => {
            json!({ "amount": text(|out| amount::write(*minor, out))?, "currency": currency.as_str() })
        }
        (Type::Ref { .. }, Value::Uuid(id)) => json!({ "id": id.to_string() }),
        (_, Value::Uuid(id)) => json!(id.to_string()),
        (_, Value::Text(text)) => json!(text),
        _ => return None,
    })
}

fn text(write: impl FnOnce(&mut Vec<u8>)) -> Option<Json> {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).ok().map(Json::from)
}
