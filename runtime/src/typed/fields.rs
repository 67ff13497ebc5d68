//! An object's values, handed out one field after the other: what a derived `from_value` is made of.

use super::Mismatch;
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

    /// The next field, taken by `from_value`; `name` is for the error.
    ///
    /// # Errors
    ///
    /// Its value does not fit.
    pub fn take<T>(
        &mut self,
        name: &'static str,
        from_value: impl FnOnce(Value) -> Result<T, Mismatch>,
    ) -> Result<T, Mismatch> {
        from_value(self.value()).map_err(|mismatch| mismatch.within(name))
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
