//! Absent, null and a value apart, in what is sent.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A property that a request may omit. What is omitted has its default, or keeps its value; null takes the value away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Patchable<T> {
    /// The request does not have it.
    #[default]
    Absent,
    /// The request has it as null.
    Null,
    /// The request has this value.
    Value(T),
}

impl<T> Patchable<T> {
    /// Whether the request does not have it.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value, if there is one.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }
}

impl<T> From<T> for Patchable<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

/// `None` is null.
impl<T> From<Option<T>> for Patchable<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

impl From<&str> for Patchable<String> {
    fn from(text: &str) -> Self {
        Self::Value(text.to_owned())
    }
}

/// Where it is absent, the property is omitted: `skip_serializing_if = "Patchable::is_absent"`.
impl<T: Serialize> Serialize for Patchable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patchable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::from)
    }
}
