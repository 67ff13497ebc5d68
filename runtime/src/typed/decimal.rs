//! Decimals: the one type whose value is read only with the field's `scale` at hand.

use super::Mismatch;
use restwell_model::Value;
use restwell_model::scalar::decimal;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// A decimal, an optional one, or an array or a map of them, kept in units of its last digit.
pub trait Decimals: Sized {
    /// Takes units of the digit that `scale` names.
    ///
    /// # Errors
    ///
    /// The value is of another type.
    fn from_units(value: Value, scale: u32) -> Result<Self, Mismatch>;

    /// The units. A number that has no whole ones (more digits than `scale`, or too big a number) is never rounded: it
    /// becomes its text, which no decimal field accepts, so that storing it is an error.
    fn to_units(&self, scale: u32) -> Value;
}

impl Decimals for Decimal {
    fn from_units(value: Value, scale: u32) -> Result<Self, Mismatch> {
        match value {
            Value::Int(units) => Ok(decimal::to_decimal(units, scale)),
            other => Err(Mismatch::expected("a decimal", &other)),
        }
    }

    fn to_units(&self, scale: u32) -> Value {
        decimal::from_decimal(*self, scale).map_or_else(|| Value::Text(self.to_string()), Value::Int)
    }
}

impl<T: Decimals> Decimals for Option<T> {
    fn from_units(value: Value, scale: u32) -> Result<Self, Mismatch> {
        match value {
            Value::Null | Value::Absent => Ok(None),
            value => T::from_units(value, scale).map(Some),
        }
    }

    fn to_units(&self, scale: u32) -> Value {
        self.as_ref().map_or(Value::Null, |decimal| decimal.to_units(scale))
    }
}

impl<T: Decimals> Decimals for BTreeMap<String, T> {
    fn from_units(value: Value, scale: u32) -> Result<Self, Mismatch> {
        let Value::Map(entries) = value else { return Err(Mismatch::expected("a map", &value)) };
        let entry = |(name, value)| match T::from_units(value, scale) {
            Ok(value) => Ok((name, value)),
            Err(mismatch) => Err(mismatch.within(name)),
        };
        entries.into_iter().map(entry).collect()
    }

    fn to_units(&self, scale: u32) -> Value {
        Value::Map(self.iter().map(|(name, decimal)| (name.clone(), decimal.to_units(scale))).collect())
    }
}

impl<T: Decimals> Decimals for Vec<T> {
    fn from_units(value: Value, scale: u32) -> Result<Self, Mismatch> {
        let Value::List(items) = value else { return Err(Mismatch::expected("an array", &value)) };
        let items = items.into_iter().enumerate();
        items.map(|(index, item)| T::from_units(item, scale).map_err(|mismatch| mismatch.within(index))).collect()
    }

    fn to_units(&self, scale: u32) -> Value {
        Value::List(self.iter().map(|decimal| decimal.to_units(scale)).collect())
    }
}
