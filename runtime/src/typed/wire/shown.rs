//! What references show beside their ids (§2.4.9): any JSON.

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// JSON whose properties keep their order.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::typed) enum ShownValue {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<ShownValue>),
    Object(Vec<(String, ShownValue)>),
}

impl Serialize for ShownValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(fields) => serializer.collect_map(fields.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl<'de> Deserialize<'de> for ShownValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShownVisitor)
    }
}

struct ShownVisitor;

impl<'de> Visitor<'de> for ShownVisitor {
    type Value = ShownValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<ShownValue, E> {
        Ok(ShownValue::Null)
    }

    fn visit_none<E>(self) -> Result<ShownValue, E> {
        Ok(ShownValue::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<ShownValue, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<ShownValue, E> {
        Ok(ShownValue::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<ShownValue, E> {
        Ok(ShownValue::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<ShownValue, E> {
        Ok(i64::try_from(number).map_or(ShownValue::Float(number as f64), ShownValue::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<ShownValue, E> {
        Ok(ShownValue::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<ShownValue, E> {
        Ok(ShownValue::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<ShownValue, E> {
        Ok(ShownValue::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ShownValue, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(ShownValue::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ShownValue, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(ShownValue::Object(fields))
    }
}
