//! The values of the conventions (§2.4) that are more than a text: prices and times.

use super::texts::Currency;
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;
use std::time::Duration;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A text does not have the form of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormError {
    text: String,
    expected: &'static str,
}

impl FormError {
    pub(super) fn new(text: &str, expected: &'static str) -> Self {
        Self { text: text.to_owned(), expected }
    }
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not {}", self.text, self.expected)
    }
}

impl std::error::Error for FormError {}

/// Reading and writing as a text, from `parse` and `Display`.
macro_rules! as_text {
    ($name:ident, $expected:literal) => {
        impl FromStr for $name {
            type Err = FormError;

            fn from_str(text: &str) -> Result<Self, FormError> {
                Self::parse(text).ok_or_else(|| FormError::new(text, $expected))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// A moment in UTC, with milliseconds: `2026-12-01T08:00:00.000Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(OffsetDateTime);

impl Timestamp {
    /// The current moment.
    #[must_use]
    pub fn now() -> Self {
        OffsetDateTime::now_utc().into()
    }

    /// Reads one; `None` if the text is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        OffsetDateTime::parse(text, &Rfc3339).ok().map(Self::from)
    }

    /// The moment at this number of milliseconds since 1970; `None` beyond the years of `time`.
    #[must_use]
    pub fn from_millis(millis: i64) -> Option<Self> {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000).ok().map(Self)
    }

    /// The milliseconds since 1970.
    #[must_use]
    pub fn millis(self) -> i64 {
        i64::try_from(self.0.unix_timestamp_nanos() / 1_000_000).unwrap_or_default()
    }

    /// The moment after a duration; `None` after the year 9999.
    #[must_use]
    pub fn checked_add(self, duration: Duration) -> Option<Self> {
        self.0.checked_add(duration.try_into().ok()?).map(Self)
    }

    /// The moment before a duration; `None` beyond the years of `time`.
    #[must_use]
    pub fn checked_sub(self, duration: Duration) -> Option<Self> {
        self.0.checked_sub(duration.try_into().ok()?).map(Self)
    }
}

/// Cut to milliseconds, in UTC.
impl From<OffsetDateTime> for Timestamp {
    fn from(moment: OffsetDateTime) -> Self {
        let moment = moment.to_offset(time::UtcOffset::UTC);
        Self(moment.replace_millisecond(moment.millisecond()).unwrap_or(moment))
    }
}

impl From<Timestamp> for OffsetDateTime {
    fn from(moment: Timestamp) -> Self {
        moment.0
    }
}

/// Stays at the last moment there is.
impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        self.checked_add(duration).unwrap_or(self)
    }
}

impl Sub for Timestamp {
    type Output = time::Duration;

    fn sub(self, other: Self) -> time::Duration {
        self.0 - other.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T{}Z", Date(self.0.date()), Time(self.0.time()))
    }
}

as_text!(Timestamp, "a timestamp in UTC");

/// A day: `2026-12-01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(time::Date);

impl Date {
    /// Reads one; `None` if the text is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '-');
        let year = parts.next()?.parse().ok()?;
        let month = parts.next()?.parse::<u8>().ok()?.try_into().ok()?;
        time::Date::from_calendar_date(year, month, parts.next()?.parse().ok()?).ok().map(Self)
    }
}

impl From<time::Date> for Date {
    fn from(day: time::Date) -> Self {
        Self(day)
    }
}

impl From<Date> for time::Date {
    fn from(day: Date) -> Self {
        day.0
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), u8::from(self.0.month()), self.0.day())
    }
}

as_text!(Date, "a date");

/// A time of a day, without a time zone: `08:00:00.000`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(time::Time);

impl Time {
    /// Reads one; `None` if the text is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (clock, millis) = text.split_once('.').unwrap_or((text, "0"));
        let mut parts = clock.splitn(3, ':');
        let mut part = || parts.next()?.parse::<u8>().ok();
        time::Time::from_hms_milli(part()?, part()?, part()?, millis.parse().ok()?).ok().map(Self)
    }
}

impl From<time::Time> for Time {
    fn from(time: time::Time) -> Self {
        Self(time)
    }
}

impl From<Time> for time::Time {
    fn from(time: Time) -> Self {
        time.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute, second, milli) = self.0.as_hms_milli();
        write!(f, "{hour:02}:{minute:02}:{second:02}.{milli:03}")
    }
}

as_text!(Time, "a time of day");

/// An amount of money, exact (§2.4.7).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Price {
    amount: Decimal,
    currency: Currency,
}

impl Price {
    /// From the smallest unit: `Price::new(1250, currency)` is 12.50.
    #[must_use]
    pub fn new(minor: i64, currency: Currency) -> Self {
        Self { amount: Decimal::new(minor, 2), currency }
    }

    /// From an amount with two digits after the point at most.
    ///
    /// # Errors
    ///
    /// The amount is negative, or has more digits.
    pub fn of(amount: Decimal, currency: Currency) -> Result<Self, FormError> {
        let mut rounded = amount;
        rounded.rescale(2);
        if rounded != amount || amount.is_sign_negative() {
            return Err(FormError::new(&amount.to_string(), "an amount: digits, at most two of them after the point"));
        }
        Ok(Self { amount: rounded, currency })
    }

    /// The amount.
    #[must_use]
    pub const fn amount(&self) -> Decimal {
        self.amount
    }

    /// The currency.
    #[must_use]
    pub const fn currency(&self) -> &Currency {
        &self.currency
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.amount, self.currency)
    }
}

#[derive(Serialize, Deserialize)]
struct PriceForm {
    amount: String,
    currency: Currency,
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PriceForm { amount: format!("{:.2}", self.amount), currency: self.currency.clone() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PriceForm { amount, currency } = PriceForm::deserialize(deserializer)?;
        let mut amount: Decimal = amount.parse().map_err(de::Error::custom)?;
        amount.rescale(2);
        Ok(Self { amount, currency })
    }
}

/// An enum as a text; unknown values are kept (§2.4.8).
macro_rules! words {
    ($name:ident, $unknown:ident, $($variant:ident = $word:literal,)*) => {
        impl $name {
            /// As in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)*
                    Self::$unknown(word) => word,
                }
            }
        }

        impl ::core::convert::From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)*
                    other => Self::$unknown(::std::string::String::from(other)),
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                let word = <::std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                ::core::result::Result::Ok(::core::convert::From::<&str>::from(&word))
            }
        }
    };
}
