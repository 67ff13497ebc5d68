//! Decimals: the one type whose value is read only with the field's `scale` at hand.

use crate::typed::Mismatch;
use restwell_model::Value;
use rust_decimal::Decimal;

/// A decimal, an optional one, or an array of them, kept in units of its last digit.
pub trait Decimals: Sized {
    /// Takes units of the digit that `scale` names.
    ///
    /// # Errors
    ///
    /// The value is of another type.
    fn from_units(value: Value, scale: u32) -> Result<Self, Mismatch>;

    /// The units. A number that has no whole ones (more digits than `scale`, or too big a number) is never rounded: it
    /// becomes its text, which no decimal field takes, so that whoever stores it is told.
    fn into_units(self, scale: u32) -> Value;
}

impl Decimals for Decimal {
    fn from_units(value: Value, scale: u32) -> Result<Self, Mismatch> {
        let Value::Int(units) = value else { return Err(Mismatch::expected("a decimal", &value)) };
        Self::try_new(units, scale).map_err(|_| Mismatch::expected("a decimal of a scale up to 28", &value))
    }

    fn into_units(self, scale: u32) -> Value {
        let exact = self.normalize();
        let missing = scale.checked_sub(exact.scale());
        let units = missing
            .and_then(|zeros| 10_i128.checked_pow(zeros))
            .and_then(|factor| exact.mantissa().checked_mul(factor))
            .and_then(|units| i64::try_from(units).ok());
        units.map_or_else(|| Value::Text(self.to_string()), Value::Int)
    }
}

impl<T: Decimals> Decimals for Option<T> {
    fn from_units(value: Value, scale: u32) -> Result<Self, Mismatch> {
        match value {
            Value::Null => Ok(None),
            value => T::from_units(value, scale).map(Some),
        }
    }

    fn into_units(self, scale: u32) -> Value {
        self.map_or(Value::Null, |decimal| decimal.into_units(scale))
    }
}

impl<T: Decimals> Decimals for Vec<T> {
    fn from_units(value: Value, scale: u32) -> Result<Self, Mismatch> {
        let Value::List(items) = value else { return Err(Mismatch::expected("an array", &value)) };
        let items = items.into_iter().enumerate();
        items.map(|(index, item)| T::from_units(item, scale).map_err(|mismatch| mismatch.within(index))).collect()
    }

    fn into_units(self, scale: u32) -> Value {
        Value::List(self.into_iter().map(|decimal| decimal.into_units(scale)).collect())
    }
}
