//! [`Typed`]: from a neutral value and back, and what holds for every type.

use super::Mismatch;
use restwell_model::Value;
use std::collections::BTreeMap;

/// A Rust type with a place in the model. What is read and written is positional: an object's values stand in the order
/// of its fields, so that no name is compared while a request is served.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a field",
    label = "neither an object nor an enum",
    note = "derive `restwell::Object` or `restwell::Enum` for `{Self}`; if it is a resource, write `Ref<{Self}>`"
)]
pub trait Typed: Sized {
    /// Takes a value of its own type.
    ///
    /// # Errors
    ///
    /// The value is of another type: the model that made it is not the one that this type is part of.
    fn from_value(value: Value) -> Result<Self, Mismatch>;

    /// The value that [`Typed::from_value`] takes.
    fn to_value(&self) -> Value;
}

/// An absent optional value is null. Written out: each closure would be compiled for each type.
impl<T: Typed> Typed for Option<T> {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match value {
            Value::Null | Value::Absent => Ok(None),
            value => match T::from_value(value) {
                Ok(value) => Ok(Some(value)),
                Err(mismatch) => Err(mismatch),
            },
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Some(value) => value.to_value(),
            None => Value::Null,
        }
    }
}

impl<T: Typed> Typed for Vec<T> {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        let Value::List(items) = value else { return Err(Mismatch::expected("an array", &value)) };
        let items = items.into_iter().enumerate();
        items.map(|(index, item)| T::from_value(item).map_err(|mismatch| mismatch.within(index))).collect()
    }

    fn to_value(&self) -> Value {
        Value::List(self.iter().map(T::to_value).collect())
    }
}

/// Values under the names that clients chose.
impl<T: Typed> Typed for BTreeMap<String, T> {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        let Value::Map(entries) = value else { return Err(Mismatch::expected("a map", &value)) };
        let mut map = Self::new();
        for (name, value) in entries {
            match T::from_value(value) {
                Ok(value) => drop(map.insert(name, value)),
                Err(mismatch) => return Err(mismatch.within(name)),
            }
        }
        Ok(map)
    }

    fn to_value(&self) -> Value {
        Value::Map(self.iter().map(|(name, value)| (name.clone(), value.to_value())).collect())
    }
}

/// An object without fields.
impl Typed for () {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match value {
            Value::Object(fields) if fields.is_empty() => Ok(()),
            other => Err(Mismatch::expected("an object without fields", &other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Object(Vec::new())
    }
}
