//! One value: from JSON text or a query parameter, with its constraints.

use super::token::Token;
use crate::error::{ErrorCode, Problem};
use crate::field::{Deprecation, Format, Type};
use crate::language::{CheckedText, TypeClass};
use crate::pattern::Pattern;
use crate::scalar::{Currency, Date, Time, Timestamp, TimestampFault, amount, decimal, string, uuid_text};
use crate::service::Enum;
use crate::value::Value;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A scalar type, ready to read: patterns compiled, bounds in the units of [`Value`].
#[derive(Debug, Clone)]
pub enum Scalar {
    /// Text with bounds.
    String {
        /// In characters.
        min_length: Option<u32>,
        /// In characters.
        max_length: Option<u32>,
        /// Found in the text.
        pattern: Option<Pattern>,
        /// A known form.
        format: Option<Format>,
    },
    /// 64-bit signed.
    Integer(Bounds<i64>),
    /// A finite double.
    Number(Bounds<f64>),
    /// Units of the last digit.
    Decimal {
        /// Digits after the point.
        scale: u32,
        /// Inclusive.
        bounds: Bounds<i64>,
    },
    /// A price's amount in minor units.
    Amount(Bounds<i64>),
    /// A price's currency: one of these, or any.
    Currency(Vec<Currency>),
    /// A text of one form: `country`, `duration`, ….
    Checked(CheckedText),
    /// true or false.
    Boolean,
    /// §2.2.
    Uuid,
    /// Milliseconds.
    Timestamp(Bounds<i64>),
    /// Days.
    Date(Bounds<i64>),
    /// Milliseconds of the day.
    Time,
    /// One of these.
    Enum {
        /// All of them.
        values: Vec<String>,
        /// Those that go away.
        notices: BTreeMap<String, Deprecation>,
    },
}

/// An inclusive range.
#[derive(Debug, Clone, Copy)]
pub struct Bounds<T> {
    /// The least value.
    pub minimum: Option<T>,
    /// The greatest value.
    pub maximum: Option<T>,
}

impl Scalar {
    /// The reader of a scalar type or enum; `None` for prices, references, objects and arrays. A pattern that does not
    /// compile or a bound that does not fit is left out: `check` has reported it.
    #[must_use]
    pub fn compile(ty: &Type, enumeration: Option<&Enum>) -> Option<Self> {
        match ty.class() {
            TypeClass::Scalar(scalar) => scalar.reader.compile(ty),
            TypeClass::Named(_) => enumeration.map(Self::of_enum),
            TypeClass::Ref(_) | TypeClass::Array(_) | TypeClass::Map(_) => None,
        }
    }

    /// The reader of an enum's values.
    #[must_use]
    pub fn of_enum(enumeration: &Enum) -> Self {
        Self::Enum { values: enumeration.values.clone(), notices: enumeration.notices.clone() }
    }

    /// The reader of words that every service has.
    #[must_use]
    pub fn of_words(words: &[&str]) -> Self {
        Self::Enum { values: words.iter().map(|word| (*word).to_owned()).collect(), notices: BTreeMap::new() }
    }

    /// The announcement that a value goes away.
    #[must_use]
    pub fn deprecation_of(&self, value: &Value) -> Option<Deprecation> {
        match (self, value) {
            (Self::Enum { notices, .. }, Value::Text(word)) => notices.get(word).copied(),
            _ => None,
        }
    }

    /// The reader of a `string`.
    pub(crate) fn of_string(ty: &Type) -> Option<Self> {
        let Type::String { min_length, max_length, pattern, format } = ty else { return None };
        Some(Self::String {
            min_length: *min_length,
            max_length: *max_length,
            pattern: pattern.clone(),
            format: *format,
        })
    }

    /// The reader of an `integer`.
    pub(crate) fn of_integer(ty: &Type) -> Option<Self> {
        let Type::Integer { minimum, maximum } = ty else { return None };
        Some(Self::Integer(Bounds { minimum: *minimum, maximum: *maximum }))
    }

    /// The reader of a `number`.
    pub(crate) fn of_number(ty: &Type) -> Option<Self> {
        let Type::Number { minimum, maximum } = ty else { return None };
        Some(Self::Number(Bounds { minimum: *minimum, maximum: *maximum }))
    }

    /// The reader of a `decimal`.
    pub(crate) fn of_decimal(ty: &Type) -> Option<Self> {
        let Type::Decimal { minimum, maximum, scale } = ty else { return None };
        Some(Self::Decimal { scale: *scale, bounds: units(*minimum, *maximum, *scale) })
    }

    /// The reader of a `timestamp`.
    pub(crate) fn of_timestamp(ty: &Type) -> Option<Self> {
        let Type::Timestamp { minimum, maximum } = ty else { return None };
        let (minimum, maximum) = (minimum.map(Timestamp::millis), maximum.map(Timestamp::millis));
        Some(Self::Timestamp(Bounds { minimum, maximum }))
    }

    /// The reader of a `date`.
    pub(crate) fn of_date(ty: &Type) -> Option<Self> {
        let Type::Date { minimum, maximum } = ty else { return None };
        Some(Self::Date(Bounds { minimum: minimum.map(Date::days), maximum: maximum.map(Date::days) }))
    }

    /// The two scalars of a price.
    #[must_use]
    pub fn of_price(minimum: Option<Decimal>, maximum: Option<Decimal>, currencies: &[String]) -> [Self; 2] {
        [
            Self::Amount(units(minimum, maximum, 2)),
            Self::Currency(currencies.iter().filter_map(|code| Currency::parse(code)).collect()),
        ]
    }

    /// The JSON value as a value of this type, constraints not looked at. Null is for the caller to handle, and so is a
    /// blank string where [`Self::takes_blank`] says that it means null.
    pub fn parse(&self, token: &Token<'_>) -> Result<Value, Problem> {
        match (self, token) {
            (_, Token::BadText) => Err(Problem::new(ErrorCode::InvalidText)),
            (_, Token::Text(text)) if text.contains('\0') => Err(Problem::new(ErrorCode::InvalidText)),
            (Self::Integer(_), Token::Number(text)) => integer(text),
            (Self::Number(_), Token::Number(text)) => match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(Value::Float(number + 0.0)), // -0 becomes 0
                _ => Err(self.wrong_type()),
            },
            (Self::Boolean, Token::Bool(value)) => Ok(Value::Bool(*value)),
            (Self::Integer(_) | Self::Number(_) | Self::Boolean, _) => Err(self.wrong_type()),
            (_, Token::Text(text)) => self.parse_text(text),
            _ => Err(self.wrong_type()),
        }
    }

    /// A query parameter's value: numbers and booleans stand there without JSON's quotes to tell them from text.
    pub fn parse_parameter(&self, text: &str) -> Result<Value, Problem> {
        match self {
            Self::Integer(_) | Self::Number(_) if is_json_number(text) => self.parse(&Token::Number(text)),
            Self::Boolean if text == "true" || text == "false" => Ok(Value::Bool(text == "true")),
            _ => self.parse(&Token::Text(Cow::Borrowed(text))),
        }
    }

    fn parse_text(&self, text: &str) -> Result<Value, Problem> {
        let (value, code) = match self {
            Self::String { .. } => (Some(Value::Text(text.to_owned())), ErrorCode::InvalidText),
            Self::Uuid => (uuid_text::parse(text).map(Value::Uuid), ErrorCode::InvalidUuid),
            Self::Date(_) => (Date::parse(text).map(|d| Value::Int(d.days())), ErrorCode::InvalidDate),
            Self::Time => (Time::parse(text).map(|t| Value::Int(t.millis())), ErrorCode::InvalidTime),
            Self::Checked(form) => ((form.canonical)(text).map(Value::Text), form.error),
            Self::Currency(_) => {
                (Currency::parse(text).map(|c| Value::Text(c.as_str().to_owned())), ErrorCode::InvalidCurrency)
            }
            Self::Amount(_) => (amount::parse(text).map(Value::Int), ErrorCode::InvalidAmount),
            Self::Timestamp(_) => {
                return match Timestamp::parse(text) {
                    Ok(timestamp) => Ok(Value::Int(timestamp.millis())),
                    Err(TimestampFault::NotUtc) => Err(Problem::new(ErrorCode::NotUtc)),
                    Err(TimestampFault::Malformed) => Err(Problem::new(ErrorCode::InvalidTimestamp)),
                };
            }
            Self::Decimal { scale, .. } => {
                return match decimal::parse(text, *scale) {
                    Ok(units) => Ok(Value::Int(units)),
                    Err(decimal::DecimalFault::TooManyDigits) => {
                        Err(Problem::new(ErrorCode::TooManyDigits).with("scale", *scale))
                    }
                    Err(decimal::DecimalFault::Malformed) => Err(Problem::new(ErrorCode::InvalidDecimal)),
                };
            }
            Self::Enum { values, .. } => {
                return match values.iter().find(|value| *value == text) {
                    Some(value) => Ok(Value::Text(value.clone())),
                    None => Err(Problem::new(ErrorCode::UnknownValue).with("values", values.clone())),
                };
            }
            Self::Integer(_) | Self::Number(_) | Self::Boolean => (None, ErrorCode::WrongType),
        };
        value.ok_or_else(|| if code == ErrorCode::WrongType { self.wrong_type() } else { Problem::new(code) })
    }

    /// Whether a blank string means null here (§2.4.1); for other types it is a wrong value.
    #[must_use]
    pub fn takes_blank(&self) -> bool {
        matches!(self, Self::String { .. })
    }

    /// Whether its values have an order that ranges go by.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        matches!(
            self,
            Self::Integer(_)
                | Self::Number(_)
                | Self::Decimal { .. }
                | Self::Amount(_)
                | Self::Timestamp(_)
                | Self::Date(_)
                | Self::Time
        )
    }

    /// The constraints that a value breaks.
    pub fn constrain(&self, value: &Value, mut broken: impl FnMut(Problem)) {
        match (self, value) {
            (Self::String { min_length, max_length, pattern, format }, Value::Text(text)) => {
                let length = Length(text);
                if let Some(min) = min_length.filter(|min| length.is_less(*min)) {
                    broken(Problem::new(ErrorCode::TooShort).with("minLength", min));
                }
                if let Some(max) = max_length.filter(|max| length.is_more(*max)) {
                    broken(Problem::new(ErrorCode::TooLong).with("maxLength", max));
                }
                if let Some(pattern) = pattern.as_ref().filter(|pattern| pattern.misses(text)) {
                    broken(Problem::new(ErrorCode::PatternMismatch).with("pattern", &**pattern));
                }
                match format {
                    Some(Format::Email) if !string::is_email(text) => broken(Problem::new(ErrorCode::NotEmail)),
                    Some(Format::Uri) if !string::is_uri(text) => broken(Problem::new(ErrorCode::NotUri)),
                    _ => {}
                }
            }
            (Self::Integer(bounds), Value::Int(n)) => bounds.hold(*n, Into::into, broken),
            (Self::Number(bounds), Value::Float(n)) => bounds.hold(*n, Into::into, broken),
            (Self::Decimal { scale, bounds }, Value::Int(n)) => {
                bounds.hold(*n, |n| written(|out| decimal::write(n, *scale, out)), broken);
            }
            (Self::Amount(bounds), Value::Int(n)) => {
                bounds.hold(*n, |n| written(|out| amount::write(n, out)), broken);
            }
            (Self::Timestamp(bounds), Value::Int(n)) => {
                bounds.hold(*n, |n| Timestamp::from_millis(n).map(|t| t.to_string()).into(), broken);
            }
            (Self::Date(bounds), Value::Int(n)) => {
                bounds.hold(*n, |n| Date::from_days(n).map(|d| d.to_string()).into(), broken);
            }
            (Self::Currency(allowed), Value::Text(code))
                if !allowed.is_empty() && !allowed.iter().any(|c| c.as_str() == code) =>
            {
                let codes: Vec<_> = allowed.iter().map(|c| c.as_str().to_owned()).collect();
                broken(Problem::new(ErrorCode::CurrencyNotAllowed).with("currencies", codes));
            }
            _ => {}
        }
    }

    fn wrong_type(&self) -> Problem {
        let expected = match self {
            Self::Integer(_) => "integer",
            Self::Number(_) => "number",
            Self::Boolean => "boolean",
            Self::String { .. }
            | Self::Decimal { .. }
            | Self::Amount(_)
            | Self::Currency(_)
            | Self::Checked(_)
            | Self::Uuid
            | Self::Timestamp(_)
            | Self::Date(_)
            | Self::Time
            | Self::Enum { .. } => "string",
        };
        Problem::new(ErrorCode::WrongType).with("expected", expected)
    }
}

impl<T: PartialOrd + Copy> Bounds<T> {
    fn hold(&self, value: T, show: impl Fn(T) -> serde_json::Value, mut broken: impl FnMut(Problem)) {
        if let Some(minimum) = self.minimum.filter(|minimum| value < *minimum) {
            broken(Problem::new(ErrorCode::TooSmall).with("minimum", show(minimum)));
        }
        if let Some(maximum) = self.maximum.filter(|maximum| value > *maximum) {
            broken(Problem::new(ErrorCode::TooLarge).with("maximum", show(maximum)));
        }
    }
}

/// A text's length in characters, counted only where its length in bytes does not settle the question.
struct Length<'a>(&'a str);

impl Length<'_> {
    fn is_less(&self, min: u32) -> bool {
        self.0.len() < min as usize * 4 && self.0.chars().count() < min as usize
    }

    fn is_more(&self, max: u32) -> bool {
        self.0.len() > max as usize && self.0.chars().count() > max as usize
    }
}

/// An integer as JSON may write it: `1`, `1.0`, `1e2`.
fn integer(text: &str) -> Result<Value, Problem> {
    if let Ok(number) = text.parse::<i64>() {
        return Ok(Value::Int(number));
    }
    let exact = Decimal::from_str_exact(text).or_else(|_| Decimal::from_scientific(text));
    if let Some(number) = exact.ok().filter(|d| d.fract().is_zero()).and_then(|d| i64::try_from(d).ok()) {
        return Ok(Value::Int(number));
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= i64::MAX as f64 => {
            Err(Problem::new(ErrorCode::TooLarge).with("maximum", i64::MAX))
        }
        Ok(number) if number.is_finite() && number <= i64::MIN as f64 => {
            Err(Problem::new(ErrorCode::TooSmall).with("minimum", i64::MIN))
        }
        _ => Err(Problem::new(ErrorCode::WrongType).with("expected", "integer")),
    }
}

fn is_json_number(text: &str) -> bool {
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && serde_json::from_str::<&RawValue>(text).is_ok_and(|raw| raw.get().len() == text.len())
}

fn units(minimum: Option<Decimal>, maximum: Option<Decimal>, scale: u32) -> Bounds<i64> {
    let units = |bound: Option<Decimal>| bound.and_then(|bound| decimal::from_decimal(bound, scale));
    Bounds { minimum: units(minimum), maximum: units(maximum) }
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> serde_json::Value {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned().into()
}
