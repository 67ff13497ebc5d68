//! Criteria of searches (§4.5).

use serde::de::DeserializeOwned;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

/// What a property must be: one of some values, or within bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Criterion<T> {
    any_of: Vec<T>,
    bounds: Vec<(&'static str, Json)>,
}

impl<T> Criterion<T> {
    /// Equal to this value.
    #[must_use]
    pub fn equal(value: impl Into<T>) -> Self {
        Self { any_of: vec![value.into()], bounds: Vec::new() }
    }

    /// Equal to one of these values.
    #[must_use]
    pub fn any_of(values: impl IntoIterator<Item = impl Into<T>>) -> Self {
        Self { any_of: values.into_iter().map(Into::into).collect(), bounds: Vec::new() }
    }

    /// Null, or not null.
    #[must_use]
    pub fn is_null(is_null: bool) -> Self {
        Self { any_of: Vec::new(), bounds: vec![("isNull", Json::Bool(is_null))] }
    }

    /// The values, of which one must be equal; empty for bounds.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.any_of
    }
}

impl<T: Serialize> Criterion<T> {
    /// Greater than this value.
    #[must_use]
    pub fn greater_than(value: impl Into<T>) -> Self {
        Self::within("gt", value)
    }

    /// Less than this value.
    #[must_use]
    pub fn less_than(value: impl Into<T>) -> Self {
        Self::within("lt", value)
    }

    /// This value or greater.
    #[must_use]
    pub fn at_least(value: impl Into<T>) -> Self {
        Self::within("gte", value)
    }

    /// This value or less.
    #[must_use]
    pub fn at_most(value: impl Into<T>) -> Self {
        Self::within("lte", value)
    }

    /// Not this value, where the property opts in.
    #[must_use]
    pub fn not(value: impl Into<T>) -> Self {
        Self::within("not", value)
    }

    /// And this as well: `Criterion::at_least(1).and(Criterion::less_than(5))`.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.any_of.extend(other.any_of);
        self.bounds.extend(other.bounds);
        self
    }

    fn within(bound: &'static str, value: impl Into<T>) -> Self {
        let value = serde_json::to_value(value.into()).unwrap_or_default();
        Self { any_of: Vec::new(), bounds: vec![(bound, value)] }
    }
}

impl Criterion<String> {
    /// Begins with this text, in exact case, where the property opts in.
    #[must_use]
    pub fn starts_with(text: &str) -> Self {
        Self::within("startsWith", text)
    }

    /// Has this text in it, in exact case, where the property opts in.
    #[must_use]
    pub fn contains(text: &str) -> Self {
        Self::within("contains", text)
    }

    /// Begins with this text, in any case, where the property opts in.
    #[must_use]
    pub fn starts_with_ignore_case(text: &str) -> Self {
        Self::within("startsWithIgnoreCase", text)
    }

    /// Has this text in it, in any case, where the property opts in.
    #[must_use]
    pub fn contains_ignore_case(text: &str) -> Self {
        Self::within("containsIgnoreCase", text)
    }
}

/// No criterion.
impl<T> Default for Criterion<T> {
    fn default() -> Self {
        Self { any_of: Vec::new(), bounds: Vec::new() }
    }
}

impl<T> From<T> for Criterion<T> {
    fn from(value: T) -> Self {
        Self { any_of: vec![value], bounds: Vec::new() }
    }
}

impl<T: Serialize> Serialize for Criterion<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (&self.any_of[..], &self.bounds[..]) {
            ([one], []) => one.serialize(serializer),
            (many, []) => many.serialize(serializer),
            (_, bounds) => {
                let mut map = serializer.serialize_map(Some(bounds.len()))?;
                for (name, value) in bounds {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

/// The words of bounds.
const BOUNDS: [&str; 10] =
    ["gt", "gte", "lt", "lte", "isNull", "not", "startsWith", "contains", "startsWithIgnoreCase", "containsIgnoreCase"];

impl<'de, T: DeserializeOwned> Deserialize<'de> for Criterion<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(Json::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl<T: DeserializeOwned> Criterion<T> {
    fn of(json: Json) -> Result<Self, serde_json::Error> {
        let (any_of, bounds) = match json {
            Json::Array(values) => (values, Vec::new()),
            Json::Object(mut map) => {
                (Vec::new(), BOUNDS.iter().filter_map(|bound| Some((*bound, map.remove(*bound)?))).collect())
            }
            value => (vec![value], Vec::new()),
        };
        let any_of = any_of.into_iter().map(serde_json::from_value).collect::<Result<_, _>>()?;
        Ok(Self { any_of, bounds })
    }
}
