//! The scalar types of the language (§2.2–2.4): each parses exactly the form the conventions give and writes it back.
//!
//! Parsing answers `None`/`Err` for anything else; nothing here allocates on the way out: each type writes itself to a
//! byte buffer, as the renderer needs it. Values are kept as what the store holds (milliseconds, days, minor units).

mod date;
mod time_of_day;
mod timestamp;
pub(crate) mod timezone;

pub(crate) mod duration;

pub(crate) mod country;
pub(crate) mod currency;
pub(crate) mod language;
pub(crate) mod phone;

pub mod amount;
pub mod decimal;
mod price;

pub mod string;
pub mod uuid_text;

mod arithmetic;
mod codes;
mod digits;
mod text_form;

pub(crate) use date::MILLIS_A_DAY;
pub use price::PriceError;
pub use text_form::FormError;
pub use timestamp::TimestampFault;
pub use values::*;

/// The types of values, which the library exports.
pub mod values {
    pub use super::country::Country;
    pub use super::currency::Currency;
    pub use super::date::Date;
    pub use super::duration::IsoDuration;
    pub use super::language::Language;
    pub use super::phone::Phone;
    pub use super::price::Price;
    pub use super::time_of_day::Time;
    pub use super::timestamp::Timestamp;
    pub use super::timezone::Timezone;
}

use std::fmt;

/// Calls a macro with the types that are kept as the text that they are written in: each has a `parse` and `Display`,
/// and in its file the row of the language (`SCALAR_TYPE`). This is the only list of them. A row has the variant of
/// [`Type`](crate::Type), the type of a value, its file, what an error calls a value, and its form in words.
#[doc(hidden)]
#[macro_export]
macro_rules! with_text_types {
    ($each:ident) => {
        $each! {
            Duration, IsoDuration, duration, "a duration", "an ISO 8601 duration like PT1H30M";
            Country, Country, country, "a country", "an ISO 3166-1 alpha-2 code like PL";
            Language, Language, language, "a language", "a language tag like pl-PL";
            Currency, Currency, currency, "a currency", "an ISO 4217 code like PLN";
            Timezone, Timezone, timezone, "a time zone", "an IANA time zone like Europe/Warsaw";
            Phone, Phone, phone, "a phone number", "a phone number like +48123456789";
        }
    };
}

macro_rules! read_and_write {
    ($($variant:ident, $type:ident, $file:ident, $name:literal, $form:literal;)*) => {
        $(text_form::serde_as_text!($type, $form, $type::parse);)*
    };
}

with_text_types!(read_and_write);

/// A point in time of another type that lies outside the years 0001 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfYears;

impl fmt::Display for OutOfYears {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("outside the years 0001 to 9999")
    }
}

impl std::error::Error for OutOfYears {}
