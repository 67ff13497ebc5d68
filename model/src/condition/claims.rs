//! Claims of a token: compared as the JSON that they are. One of another type than it is compared with is equal to
//! nothing and has no order, which is not the same as null: `claims.level != null` holds for every level.

use super::arithmetic::{exact_double, whole};
use super::literals::from_text;
use super::typed::{StaticType, Typed};
use crate::scalar::decimal;
use crate::value::Value;
use rust_decimal::Decimal;
use serde_json::{Number, Value as Json};

/// Digits after the point with which a number lies between all decimals that it does not equal.
const FINER_SCALE: u32 = decimal::MAX_DIGITS + 1;

/// A claim as a value of [`StaticType::Claim`]: numbers that are whole are integers, `3.0` is 3.
pub(super) fn from_json(claim: &Json) -> Value {
    match claim {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => from_number(number),
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(from_json).collect()),
        Json::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_unstable_by_key(|(name, _)| *name);
            let member = |(name, value): (&String, &Json)| [Value::Text(name.clone()), from_json(value)];
            Value::Object(sorted.into_iter().flat_map(member).collect())
        }
    }
}

fn from_number(number: &Number) -> Value {
    let unequal_to_doubles = || Value::Object(vec![Value::Text(number.to_string())]);
    match (number.as_i64(), number.as_f64()) {
        (Some(whole), _) => Value::Int(whole),
        (None, Some(double)) => match whole(double) {
            Some(whole) => Value::Int(whole),
            // beyond 64 bits and between two doubles
            None if number.is_u64() && number.as_u64() != Some(double as u64) => unequal_to_doubles(),
            None => Value::Float(double),
        },
        (None, None) => unequal_to_doubles(),
    }
}

/// A claim as a value of another type; what is none of that type is a value that equals nothing.
pub(super) fn of_type(claim: &Value, ty: &StaticType) -> Typed {
    match (claim, ty) {
        (Value::Null, ty) => Typed::null(ty.clone()),
        (claim, StaticType::Claim) => Typed::constant(StaticType::Claim, claim.clone()),
        (claim, ty) => match equal_value(claim, ty) {
            Some(value) => Typed::constant(ty.clone(), value),
            None => Typed::of_another_type(ty.clone()),
        },
    }
}

/// The value of a type that equals a claim.
pub(super) fn equal_value(claim: &Value, ty: &StaticType) -> Option<Value> {
    match (ty, claim) {
        (StaticType::Claim, claim) => Some(claim.clone()),
        (StaticType::Boolean, Value::Bool(_)) | (StaticType::Integer, Value::Int(_)) => Some(claim.clone()),
        (StaticType::Number, Value::Float(_)) => Some(claim.clone()),
        (StaticType::Number, Value::Int(number)) => exact_double(*number).map(Value::Float),
        (StaticType::Decimal(scale), Value::Int(_) | Value::Float(_)) => {
            decimal::from_decimal(exact(claim)?, *scale).map(Value::Int)
        }
        (ty, Value::Text(text)) if !matches!(ty, StaticType::Decimal(_)) => from_text(text, ty),
        _ => None,
    }
}

/// The value that has the same order among values of a type as a claim: a number may lie between those of the type.
pub(super) fn ordered_value(claim: &Value, ty: &StaticType) -> Option<Typed> {
    let number = |ty, value| Some(Typed::constant(ty, value));
    match (ty, claim) {
        (StaticType::Integer | StaticType::Number, Value::Int(_)) => number(StaticType::Integer, claim.clone()),
        (StaticType::Integer | StaticType::Number, Value::Float(_)) => number(StaticType::Number, claim.clone()),
        (StaticType::Decimal(_), Value::Int(_)) => number(StaticType::Integer, claim.clone()),
        (StaticType::Decimal(_), Value::Float(double)) => {
            let (units, scale) = among_decimals(*double);
            number(StaticType::Decimal(scale), Value::Int(units))
        }
        (ty, claim) => equal_value(claim, ty).map(|value| Typed::constant(ty.clone(), value)),
    }
}

fn exact(claim: &Value) -> Option<Decimal> {
    match claim {
        Value::Int(number) => Some((*number).into()),
        Value::Float(double) => Decimal::from_str_exact(&double.to_string()).ok(),
        _ => None,
    }
}

/// A double that is not whole, or beyond 64 bits, where it stands among decimals.
fn among_decimals(double: f64) -> (i64, u32) {
    let beyond = 10_i64.pow(decimal::MAX_DIGITS);
    let Some(exact) = exact(&Value::Float(double)).filter(|exact| exact.abs() < beyond.into()) else {
        let is_small = double.abs() < 1.0;
        // nearer to zero than every decimal, or farther than all
        let (units, scale) = if is_small { (1, FINER_SCALE) } else { (beyond, 0) };
        return (if double < 0.0 { -units } else { units }, scale);
    };
    let scale = exact.scale().min(decimal::MAX_DIGITS);
    match decimal::from_decimal(exact, scale) {
        Some(units) => (units, scale),
        // it has more digits, and so is small: half a unit more than the decimal before it
        None => {
            let floor = exact.round_dp_with_strategy(decimal::MAX_DIGITS, rust_decimal::RoundingStrategy::ToZero);
            let units = decimal::from_decimal(floor, decimal::MAX_DIGITS).unwrap_or_default();
            (units * 10 + if double < 0.0 { -5 } else { 5 }, FINER_SCALE)
        }
    }
}
