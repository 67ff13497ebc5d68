//! The neutral value: what a request's body becomes once it is valid, and what typed structs are made from.

use crate::scalar::Currency;
use uuid::Uuid;

/// A valid value. The type of the field gives its meaning: an `Int` is an integer, a timestamp's milliseconds,
/// a date's days, a time's milliseconds or a decimal's digits; an `Object` holds its fields in the model's order.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// Blank.
    #[default]
    Null,
    /// Not said: on an update the stored value stays, on a creation the default is taken.
    Absent,
    /// `boolean`.
    Bool(bool),
    /// `integer`; `timestamp` and `time` in milliseconds, `date` in days, `decimal` in units of its last digit.
    Int(i64),
    /// `number`.
    Float(f64),
    /// `string`, `enum`, and the types of texts of one form: `duration`, `country`, ….
    Text(String),
    /// `uuid`, and the id of a `ref`.
    Uuid(Uuid),
    /// `price`: minor units and a currency.
    Price(i64, Currency),
    /// `array`.
    List(Vec<Value>),
    /// An object's fields, in the model's order.
    Object(Vec<Value>),
    /// `map`: its names, in their order, and their values.
    Map(Vec<(String, Value)>),
    /// `json`: the canonical text of a value that is not null.
    Json(String),
}

impl Value {
    /// Whether it is null.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}
