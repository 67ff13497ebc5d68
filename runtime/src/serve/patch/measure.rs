//! How much a JSON value takes: estimated before it is parsed, out of its text, or out of the parsed value.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Bytes of any parsed value: `size_of::<serde_json::Value>()`.
const VALUE_BYTES: usize = 32;
/// Bytes of a parsed object before its members, about: a node of its tree is made for the first of them.
const OBJECT_BYTES: usize = 512;
/// Bytes of a member of a parsed object, about, without what its name and its value hold.
const MEMBER_BYTES: usize = 128;

/// What a value takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Measure {
    /// Values in it, itself included.
    pub(super) values: usize,
    /// Bytes of memory that it takes when it is parsed, about, and not less than its text has in strings.
    pub(super) bytes: usize,
    /// Levels of nesting: none for a scalar.
    pub(super) depth: usize,
}

impl Measure {
    fn scalar(bytes: usize) -> Self {
        Self { values: 1, bytes: VALUE_BYTES + bytes, depth: 0 }
    }

    fn container(bytes: usize) -> Self {
        Self { values: 1, bytes: VALUE_BYTES + bytes, depth: 1 }
    }

    fn add(&mut self, inner: Self, bytes: usize) {
        self.values += inner.values;
        self.bytes += inner.bytes + bytes;
        self.depth = self.depth.max(inner.depth + 1);
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Measuring)
    }
}

struct Measuring;

impl<'de> Visitor<'de> for Measuring {
    type Value = Measure;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Measure, E> {
        Ok(Measure::scalar(0))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Measure, E> {
        Ok(Measure::scalar(0))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Measure, E> {
        Ok(Measure::scalar(0))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Measure, E> {
        Ok(Measure::scalar(0))
    }

    fn visit_unit<E: Error>(self) -> Result<Measure, E> {
        Ok(Measure::scalar(0))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Measure, E> {
        Ok(Measure::scalar(text.len()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Measure, A::Error> {
        let mut measure = Measure::container(0);
        while let Some(item) = items.next_element()? {
            measure.add(item, 0);
        }
        Ok(measure)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Measure, A::Error> {
        let mut measure = Measure::container(OBJECT_BYTES);
        while let Some((name, value)) = members.next_entry::<Measure, Measure>()? {
            measure.add(value, MEMBER_BYTES + name.bytes);
        }
        Ok(measure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn texts_and_values_measure_the_same() {
        for (value, values, depth) in [
            (json!(7), 1, 0),
            (json!([]), 1, 1),
            (json!([1, "two", null, true, 2.5]), 6, 1),
            (json!({ "a": { "b": [[]] } }), 4, 4),
        ] {
            let of_text: Measure = serde_json::from_str(&value.to_string()).unwrap();
            assert_eq!(of_text, Measure::deserialize(&value).unwrap(), "{value}");
            assert_eq!((of_text.values, of_text.depth), (values, depth), "{value}");
        }
    }

    #[test]
    fn what_cannot_be_parsed_cannot_be_measured() {
        for text in ["1e400", "\"\\ud800\"", "{\"\\ud800\":1}"] {
            assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
            assert!(serde_json::from_str::<Measure>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_value_has_the_size_that_is_counted() {
        assert_eq!(VALUE_BYTES, size_of::<Value>());
    }
}
