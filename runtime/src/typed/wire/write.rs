//! Writes neutral values along their form.

use super::ResponseDetails;
use super::form::{WireField, WireForm, WireScalar};
use restwell_model::Value;
use restwell_model::language::JsonForm;
use restwell_model::scalar::{Date, Price, Time, Timestamp, decimal};
use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

/// A value with its form.
pub(super) struct WireValue<'a> {
    pub(super) form: &'a WireForm,
    pub(super) value: &'a Value,
    /// Those of the response that the entity around it was read from.
    pub(super) details: Option<&'a ResponseDetails>,
}

impl Serialize for WireValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (value, details) = (self.value, self.details);
        match (self.form, value) {
            (WireForm::Array(items), Value::List(values)) => {
                serializer.collect_seq(values.iter().map(|value| WireValue { form: items, value, details }))
            }
            (WireForm::Array(_), _) => serializer.collect_seq([(); 0]),
            (WireForm::Map(form), Value::Map(entries)) => {
                let value = |value| WireValue { form, value, details: None };
                serializer.collect_map(entries.iter().map(|(name, it)| (name, value(it))))
            }
            (WireForm::Map(_), _) => serializer.collect_map([((), ()); 0]),
            (_, Value::Null | Value::Absent) => serializer.serialize_none(),
            (WireForm::Object(fields), Value::Object(values)) => {
                let mut map = serializer.serialize_map(None)?;
                write_members(fields, values, details, &mut map)?;
                map.end()
            }
            (WireForm::Reference(path), Value::Uuid(id)) => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("id", id)?;
                for (name, value) in details.map(|details| details.shown(path, *id)).unwrap_or_default() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
            (WireForm::Price(_), Value::Price(minor, currency)) => Price::new(*minor, *currency).serialize(serializer),
            (WireForm::Enum, Value::Text(text)) => serializer.serialize_str(text),
            (WireForm::Json, Value::Json(text)) => {
                serde_json::from_str::<Json>(text).map_err(S::Error::custom)?.serialize(serializer)
            }
            (WireForm::Scalar(scalar), value) => write_scalar(scalar, value, serializer),
            (form, _) => Err(S::Error::custom(format!("the value is not {}", form.what()))),
        }
    }
}

/// Writes the members of an object. Write-only ones are never shown, and those that a response lacked only once they
/// are set.
pub(super) fn write_members<M: SerializeMap>(
    fields: &[WireField],
    values: &[Value],
    details: Option<&ResponseDetails>,
    map: &mut M,
) -> Result<(), M::Error> {
    for (field, value) in fields.iter().zip(values).filter(|(field, _)| !field.is_write_only) {
        let is_lacking = details.is_some_and(|details| details.lacks(&field.path));
        if !is_lacking || Some(value) != field.absent_from_response().as_ref() {
            for name in std::iter::once(&field.name).chain(&field.former) {
                map.serialize_entry(name, &WireValue { form: &field.form, value, details })?;
            }
        }
    }
    Ok(())
}

fn write_scalar<S: Serializer>(scalar: &WireScalar, value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    let out_of_form = || S::Error::custom(format!("the value is not {}", scalar.what));
    match (scalar.json, value) {
        (JsonForm::Text, Value::Text(text)) => serializer.serialize_str(text),
        (JsonForm::Uuid, Value::Uuid(id)) => id.serialize(serializer),
        (JsonForm::Integer, Value::Int(number)) => serializer.serialize_i64(*number),
        (JsonForm::Number, Value::Float(number)) => serializer.serialize_f64(*number),
        (JsonForm::Boolean, Value::Bool(flag)) => serializer.serialize_bool(*flag),
        (JsonForm::Timestamp, Value::Int(millis)) => {
            Timestamp::from_millis(*millis).ok_or_else(out_of_form)?.serialize(serializer)
        }
        (JsonForm::Date, Value::Int(days)) => Date::from_days(*days).ok_or_else(out_of_form)?.serialize(serializer),
        (JsonForm::Time, Value::Int(millis)) => {
            Time::from_millis(*millis).ok_or_else(out_of_form)?.serialize(serializer)
        }
        (JsonForm::Decimal { scale }, Value::Int(units)) => serializer.collect_str(&decimal::to_decimal(*units, scale)),
        _ => Err(out_of_form()),
    }
}
