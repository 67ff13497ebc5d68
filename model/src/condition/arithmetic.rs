//! Arithmetic and order of values. SQLite calls these functions, so that it computes what Rust computes; PostgreSQL
//! computes with `numeric` and `interval`, which a test compares with them.

use super::expr::Operator;
use super::typed::{LengthForm, StaticType};
use crate::scalar::{Date, IsoDuration, MILLIS_A_DAY, Time, Timestamp, amount, decimal};
use crate::value::Value;
use std::cmp::Ordering;

/// What an exact result must not exceed: 64 bits, or the digits of a decimal.
fn bounded(result: Option<i128>, is_decimal: bool) -> Option<i64> {
    let result = i64::try_from(result?).ok()?;
    let fits = !is_decimal || result.unsigned_abs() < 10_u64.pow(decimal::MAX_DIGITS);
    fits.then_some(result)
}

/// Units at a finer scale.
fn scaled(units: i64, by: u32) -> Option<i128> {
    i128::from(units).checked_mul(10_i128.checked_pow(by)?)
}

/// The sum of units, each with the number of digits by which its scale is coarser than that of the result.
#[must_use]
pub fn add((one, by): (i64, u32), (other, other_by): (i64, u32), is_decimal: bool) -> Option<i64> {
    bounded(scaled(one, by)?.checked_add(scaled(other, other_by)?), is_decimal)
}

/// The difference of units, as [`add`].
#[must_use]
pub fn subtract((one, by): (i64, u32), (other, other_by): (i64, u32), is_decimal: bool) -> Option<i64> {
    bounded(scaled(one, by)?.checked_sub(scaled(other, other_by)?), is_decimal)
}

/// The product of units; the scale of the result is the sum of theirs.
#[must_use]
pub fn multiply(one: i64, other: i64, is_decimal: bool) -> Option<i64> {
    bounded(i128::from(one).checked_mul(i128::from(other)), is_decimal)
}

/// The order of exact numbers of two scales.
#[must_use]
pub fn decimal_order((one, scale): (i64, u32), (other, other_scale): (i64, u32)) -> Option<Ordering> {
    let finer = scale.max(other_scale);
    Some(scaled(one, finer - scale)?.cmp(&scaled(other, finer - other_scale)?))
}

/// A timestamp in milliseconds, a duration later or earlier. Months and years go first, to the same day of their month
/// or to its last.
#[must_use]
pub fn shift_timestamp(millis: i64, duration: &str, is_earlier: bool) -> Option<i64> {
    let (start, duration) = (Timestamp::from_millis(millis)?, IsoDuration::parse(duration)?);
    let shifted = if is_earlier { start.minus(&duration) } else { start.plus(&duration) };
    shifted.map(Timestamp::millis)
}

/// A date in days, a duration later or earlier; what is less than a day does not count.
#[must_use]
pub fn shift_date(days: i64, duration: &str, is_earlier: bool) -> Option<i64> {
    let (start, duration) = (Date::from_days(days)?, IsoDuration::parse(duration)?);
    let shifted = if is_earlier { start.minus(&duration) } else { start.plus(&duration) };
    shifted.map(Date::days)
}

/// A timestamp in milliseconds, a length later or earlier.
#[must_use]
pub fn shift_timestamp_by(millis: i64, length: i64, is_earlier: bool) -> Option<i64> {
    let length = if is_earlier { length.checked_neg()? } else { length };
    Timestamp::from_millis(millis)?.shift(0, length).map(Timestamp::millis)
}

/// A date in days, a length later or earlier; what is less than a day does not count.
#[must_use]
pub fn shift_date_by(days: i64, length: i64, is_earlier: bool) -> Option<i64> {
    let length = if is_earlier { length.checked_neg()? } else { length };
    Date::from_days(days)?.shift(0, length).map(Date::days)
}

/// The length of a duration in milliseconds, cut off below them; `None` of one with months or years, and past 64 bits.
#[must_use]
pub fn length(duration: &str) -> Option<i64> {
    let (months, rest) = IsoDuration::parse(duration)?.months_and_millis()?;
    (months == 0).then_some(rest)
}

/// A length as a duration of days; `None` of a negative one, which no duration is.
#[must_use]
pub fn duration_of_days(length: i64) -> Option<String> {
    (length >= 0).then(|| format!("P{}D", length / MILLIS_A_DAY))
}

/// A length as a duration of seconds and milliseconds; `None` of a negative one, which no duration is.
#[must_use]
pub fn duration_of_seconds(length: i64) -> Option<String> {
    let (seconds, millis) = (length / 1000, length % 1000);
    let fraction = if millis == 0 { String::new() } else { format!(".{millis:03}") };
    (length >= 0).then(|| format!("PT{seconds}{}S", fraction.trim_end_matches('0')))
}

/// A duration as its length, or a length as a duration.
pub(super) fn convert(value: &Value, from: &StaticType, to: &StaticType) -> Value {
    let converted = match (value, from, to) {
        (Value::Text(duration), _, StaticType::Length(_)) => length(duration).map(Value::Int),
        (Value::Int(length), StaticType::Length(LengthForm::Days), _) => duration_of_days(*length).map(Value::Text),
        (Value::Int(length), ..) => duration_of_seconds(*length).map(Value::Text),
        _ => None,
    };
    converted.unwrap_or(Value::Null)
}

/// The stored form of a text in an array's JSON: of a timestamp, date, time, or a decimal of this scale.
#[must_use]
pub fn item_units(text: &str, form: &str) -> Option<i64> {
    match form {
        "timestamp" => Timestamp::parse(text).ok().map(Timestamp::millis),
        "date" => Date::parse(text).map(Date::days),
        "time" => Time::parse(text).map(Time::millis),
        scale => decimal::parse(text, scale.parse().ok()?).ok(),
    }
}

/// `+`, `-` or `*` on two values of these types; null where there is no result.
pub(super) fn compute(
    operator: Operator,
    ty: &StaticType,
    one: (&StaticType, &Value),
    other: (&StaticType, &Value),
) -> Value {
    let ((one_type, one), (other_type, other)) = (one, other);
    let computed = match (one, other) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Int(one), Value::Text(duration)) => {
            let is_earlier = operator == Operator::Subtract;
            let shift = if *one_type == StaticType::Date { shift_date } else { shift_timestamp };
            shift(*one, duration, is_earlier).map(Value::Int)
        }
        (Value::Int(one), Value::Int(length)) if matches!(ty, StaticType::Date | StaticType::Timestamp) => {
            let is_earlier = operator == Operator::Subtract;
            let shift = if *ty == StaticType::Date { shift_date_by } else { shift_timestamp_by };
            shift(*one, *length, is_earlier).map(Value::Int)
        }
        (Value::Text(one), Value::Text(other)) => Some(Value::Text(format!("{one}{other}"))),
        (Value::Int(one), Value::Int(other)) if *ty != StaticType::Number => {
            let is_decimal = matches!(ty, StaticType::Decimal(_));
            let by = |of: &StaticType| ty.scale() - of.scale().min(ty.scale());
            match operator {
                Operator::Add => add((*one, by(one_type)), (*other, by(other_type)), is_decimal),
                Operator::Subtract => subtract((*one, by(one_type)), (*other, by(other_type)), is_decimal),
                _ => multiply(*one, *other, is_decimal),
            }
            .map(Value::Int)
        }
        (Value::Price(one, currency), Value::Price(other, other_currency)) => {
            let sum = match operator {
                Operator::Add => add((*one, 0), (*other, 0), true),
                _ => subtract((*one, 0), (*other, 0), true),
            };
            sum.filter(|_| currency == other_currency).map(|units| Value::Price(units, *currency))
        }
        (Value::Price(units, currency), factor) => {
            times(*units, factor, other_type).map(|units| Value::Price(units, *currency))
        }
        (factor, Value::Price(units, currency)) => {
            times(*units, factor, one_type).map(|units| Value::Price(units, *currency))
        }
        (one, other) => match (double(one), double(other)) {
            (Some(one), Some(other)) => number_result(operator.symbol(), one, other).map(Value::Float),
            _ => None,
        },
    };
    computed.unwrap_or(Value::Null)
}

/// `+`, `-` or `*` on doubles; what overflows has no result.
#[must_use]
pub fn number_result(symbol: &str, one: f64, other: f64) -> Option<f64> {
    let result = match symbol {
        "+" => one + other,
        "-" => one - other,
        _ => one * other,
    };
    // zero has one sign: databases do not agree on two
    result.is_finite().then_some(0.0 + result)
}

/// What a price is added to, or multiplied by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PriceOperand<'a> {
    /// A price as conditions write it in SQL.
    Price(&'a str),
    /// Units of a number with this many digits after the point.
    Exact(i64, u32),
    /// A double.
    Double(f64),
}

/// `+`, `-` or `*` on prices as conditions write them in SQL (`1250 PLN`); of `*`, the second is a number.
#[must_use]
pub fn price_result(symbol: &str, one: &str, other: PriceOperand<'_>) -> Option<String> {
    let (units, currency) = one.split_once(' ')?;
    let units: i64 = units.parse().ok()?;
    let result = match other {
        PriceOperand::Price(other) => {
            let (other, _) = other.split_once(' ').filter(|(_, of_other)| *of_other == currency)?;
            let other = other.parse().ok()?;
            let of_prices = if symbol == "-" { subtract } else { add };
            of_prices((units, 0), (other, 0), true)
        }
        PriceOperand::Exact(units_of_factor, scale) => product(units, (units_of_factor.into(), scale)),
        PriceOperand::Double(factor) => product(units, amount::factor(factor)?),
    };
    Some(format!("{} {currency}", result?))
}

/// Minor units of a price, times a number of this type.
fn times(units: i64, factor: &Value, ty: &StaticType) -> Option<i64> {
    match factor {
        Value::Int(factor) => product(units, ((*factor).into(), ty.scale())),
        Value::Float(factor) => product(units, amount::factor(*factor)?),
        _ => None,
    }
}

/// Minor units times a factor, rounded half up.
fn product(units: i64, factor: (i128, u32)) -> Option<i64> {
    bounded(amount::times(units, factor).map(i128::from), true)
}

fn double(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

/// Doubles from here on, and those below its negative, are beyond 64 bits.
pub(super) const BEYOND_INTEGERS: f64 = 9_223_372_036_854_775_808.0;

/// A double as the whole number that it is.
pub(super) fn whole(double: f64) -> Option<i64> {
    (double.fract() == 0.0 && (-BEYOND_INTEGERS..BEYOND_INTEGERS).contains(&double)).then_some(double as i64)
}

/// A whole number as the double that it is; between two doubles it is none.
pub(super) fn exact_double(number: i64) -> Option<f64> {
    let double = number as f64;
    (whole(double) == Some(number)).then_some(double)
}

/// The order of a whole number and a double, by their exact values.
fn order_with_double(whole: i64, double: f64) -> Option<Ordering> {
    if double.is_nan() {
        return None;
    }
    if double >= BEYOND_INTEGERS {
        return Some(Ordering::Less);
    }
    if double < -BEYOND_INTEGERS {
        return Some(Ordering::Greater);
    }
    // within 64 bits no fraction is lost
    let order = whole.cmp(&(double.trunc() as i64));
    Some(order.then(0.0.partial_cmp(&double.fract())?))
}

/// The order of two values; `None` if one of them is null.
pub(super) fn order(one: (&StaticType, &Value), other: (&StaticType, &Value)) -> Option<Ordering> {
    match (one.1, other.1) {
        (Value::Int(a), Value::Int(b)) => decimal_order((*a, one.0.scale()), (*b, other.0.scale())),
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        (Value::Uuid(a), Value::Uuid(b)) => Some(a.cmp(b)),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Int(a), Value::Float(b)) => order_with_double(*a, *b),
        (Value::Float(a), Value::Int(b)) => order_with_double(*b, *a).map(Ordering::reverse),
        _ => None,
    }
}

/// Whether two values are the same; null is the same as null.
pub(super) fn is_equal(one: (&StaticType, &Value), other: (&StaticType, &Value)) -> bool {
    match (one.1, other.1) {
        (Value::Null, Value::Null) => true,
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::Price(a, currency), Value::Price(b, other)) => a == b && currency == other,
        // claims, which are JSON
        (a, b) if *one.0 == StaticType::Claim && *other.0 == StaticType::Claim => a == b,
        _ => order(one, other) == Some(Ordering::Equal),
    }
}
