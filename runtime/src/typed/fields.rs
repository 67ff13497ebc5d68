//! An object's values, handed out one field after the other: what a derived `from_value` is made of.

use super::{Decimals, Mismatch, Typed};
use restwell_model::Value;
use std::vec;

/// The values of an object, in the order of its fields.
#[derive(Debug)]
pub struct Fields(vec::IntoIter<Value>);

impl Fields {
    /// Opens an object with this number of fields.
    ///
    /// # Errors
    ///
    /// The value is not an object, or has another number of fields.
    pub fn open(value: Value, count: usize) -> Result<Self, Mismatch> {
        match value {
            Value::Object(values) if values.len() == count => Ok(Self(values.into_iter())),
            other => Err(Mismatch::expected("an object of as many fields as the type has", &other)),
        }
    }

    /// An object of these values: the other way round.
    #[must_use]
    pub fn close<const COUNT: usize>(values: [Value; COUNT]) -> Value {
        Value::Object(values.into())
    }

    /// The next field; `name` is for the error.
    ///
    /// # Errors
    ///
    /// Its value does not fit.
    pub fn take<T: Typed>(&mut self, name: &'static str) -> Result<T, Mismatch> {
        // no closure, which would be compiled for each type
        match T::from_value(self.value()) {
            Ok(field) => Ok(field),
            Err(mismatch) => Err(mismatch.within(name)),
        }
    }

    /// The next field, of decimals with this scale; `name` is for the error.
    ///
    /// # Errors
    ///
    /// Its value does not fit.
    pub fn take_units<T: Decimals>(&mut self, name: &'static str, scale: u32) -> Result<T, Mismatch> {
        T::from_units(self.value(), scale).map_err(|mismatch| mismatch.within(name))
    }

    /// Past the end everything is null; [`Fields::open`] has counted.
    fn value(&mut self) -> Value {
        self.0.next().unwrap_or_default()
    }
}

/// The text of a value: what a derived enum matches.
///
/// # Errors
///
/// It is none.
pub fn text(value: Value) -> Result<String, Mismatch> {
    match value {
        Value::Text(text) => Ok(text),
        other => Err(Mismatch::expected("a text", &other)),
    }
}
