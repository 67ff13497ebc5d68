//! JSON whose members keep their order: the preferred version of a body must come first.

use serde::{Serialize, Serializer};
use serde_json::{Number, Value};

/// A JSON value whose objects keep the order of their members.
#[derive(Debug, Clone, PartialEq)]
pub enum JsonTree {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<JsonTree>),
    /// An object. No name appears twice.
    Object(Vec<(String, JsonTree)>),
}

/// An object with these members.
pub(super) fn object<const N: usize>(members: [(&str, JsonTree); N]) -> JsonTree {
    JsonTree::Object(members.map(|(name, value)| (name.to_owned(), value)).into())
}

/// An array of texts.
pub(super) fn texts<T: Into<String>>(items: impl IntoIterator<Item = T>) -> JsonTree {
    JsonTree::List(items.into_iter().map(|item| JsonTree::Text(item.into())).collect())
}

impl JsonTree {
    /// The member of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The object with another member, or with another value of it.
    pub(super) fn with(mut self, name: &str, value: impl Into<Self>) -> Self {
        if let Self::Object(members) = &mut self {
            match members.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known = value.into(),
                None => members.push((name.to_owned(), value.into())),
            }
        }
        self
    }

    /// The same, if there is a value.
    pub(super) fn with_some(self, name: &str, value: Option<impl Into<Self>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The same, unless the list or object is empty.
    pub(super) fn with_filled(self, name: &str, value: Self) -> Self {
        match &value {
            Self::List(items) if items.is_empty() => self,
            Self::Object(members) if members.is_empty() => self,
            _ => self.with(name, value),
        }
    }
}

impl Serialize for JsonTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => serializer.collect_map(members.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl From<Value> for JsonTree {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => Self::Number(number),
            Value::String(text) => Self::Text(text),
            Value::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.into_iter().map(|(name, value)| (name, value.into())).collect())
            }
        }
    }
}

impl From<&str> for JsonTree {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for JsonTree {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for JsonTree {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for JsonTree {
    fn from(value: i64) -> Self {
        Self::Number(value.into())
    }
}

impl From<u32> for JsonTree {
    fn from(value: u32) -> Self {
        Self::Number(value.into())
    }
}

impl From<f64> for JsonTree {
    fn from(value: f64) -> Self {
        Number::from_f64(value).map_or(Self::Null, Self::Number)
    }
}
