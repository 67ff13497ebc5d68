//! The rows of the scalar types without keys of their own.

use super::scalar_type::without_rules;
use super::{
    Characters, CheckedText, JsonForm, KeyTable, Order, RustType, ScalarReader, ScalarType, TextExamples, TextShape,
    Type,
};
use crate::error::ErrorCode;
use crate::input::Scalar;
use crate::scalar::{Country, Currency, IsoDuration, Language, Phone, Timezone};
use crate::tables::ColumnKind;

/// At least one part, and weeks alone.
const DURATION_PATTERN: &str = "^P(?=[0-9T])([0-9.]+W|([0-9.]+Y)?([0-9.]+M)?([0-9.]+D)?\
                                (T(?=[0-9])([0-9.]+H)?([0-9.]+M)?([0-9.]+S)?)?)$";

pub(super) static BOOLEAN: ScalarType = ScalarType {
    keys: without_keys("boolean", "`true` or `false`."),
    plain: Type::Boolean,
    rust: RustType::Prelude("bool"),
    columns: &[("", ColumnKind::Boolean)],
    json: JsonForm::Boolean,
    order: Order::Sort,
    reader: ScalarReader::Own(|_| Some(Scalar::Boolean)),
    check: without_rules,
};

pub(super) static UUID: ScalarType = ScalarType {
    keys: without_keys("uuid", "A UUID in lower case."),
    plain: Type::Uuid,
    rust: RustType::Library("Uuid"),
    columns: &[("", ColumnKind::Uuid)],
    json: JsonForm::Uuid,
    order: Order::Sort,
    reader: ScalarReader::Own(|_| Some(Scalar::Uuid)),
    check: without_rules,
};

pub(super) static TIME: ScalarType = ScalarType {
    keys: without_keys("time", "A time of day without a time zone, exactly `HH:mm:ss.SSS`."),
    plain: Type::Time,
    rust: RustType::Library("Time"),
    columns: &[("", ColumnKind::Integer)],
    json: JsonForm::Time,
    order: Order::Ranges,
    reader: ScalarReader::Own(|_| Some(Scalar::Time)),
    check: without_rules,
};

pub(super) static DURATION: ScalarType = ScalarType::checked_text(
    ("duration", "An ISO 8601 duration, stored as written: `P14D`."),
    Type::Duration,
    "IsoDuration",
    CheckedText {
        canonical: |text| IsoDuration::parse(text).map(|duration| duration.to_string()),
        error: ErrorCode::InvalidDuration,
    },
    TextExamples {
        schema: "IsoDuration",
        pattern: DURATION_PATTERN,
        note: Some("ISO 8601: weeks alone, a fraction in the smallest unit only."),
        example: "P14D",
        samples: &["PT30M", "PT2H", "P1D", "P3D", "P1W", "P14D", "P1M"],
        shape: TextShape { prefix: "P", characters: Characters::Visible, length: (2, None) },
    },
)
.without_order("durations have no order: a month can be longer or shorter than 30 days");

pub(super) static COUNTRY: ScalarType = ScalarType::checked_text(
    ("country", "An ISO 3166 country code: two letters, upper case."),
    Type::Country,
    "Country",
    CheckedText {
        canonical: |text| Country::parse(text).map(|country| country.to_string()),
        error: ErrorCode::InvalidCountry,
    },
    TextExamples {
        schema: "CountryCode",
        pattern: "^[A-Z]{2}$",
        note: Some("ISO 3166 alpha-2."),
        example: "PL",
        samples: &["DE", "ES", "FR", "GB", "IT", "NL", "PL", "PT"],
        shape: TextShape { prefix: "", characters: Characters::Capitals, length: (2, Some(2)) },
    },
);

pub(super) static LANGUAGE: ScalarType = ScalarType::checked_text(
    ("language", "A language tag of RFC 5646: `pl-PL`."),
    Type::Language,
    "Language",
    CheckedText {
        canonical: |text| Language::parse(text).map(|language| language.to_string()),
        error: ErrorCode::InvalidLanguage,
    },
    TextExamples {
        schema: "LanguageTag",
        pattern: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
        note: Some("RFC 5646; rendered in canonical case."),
        example: "pl-PL",
        samples: &["en", "en-GB", "de", "fr", "pl-PL", "pt"],
        shape: TextShape { prefix: "", characters: Characters::Words, length: (1, None) },
    },
);

pub(super) static CURRENCY: ScalarType = ScalarType::checked_text(
    ("currency", "An ISO 4217 currency code."),
    Type::Currency,
    "Currency",
    CheckedText {
        canonical: |text| Currency::parse(text).map(|currency| currency.to_string()),
        error: ErrorCode::InvalidCurrency,
    },
    TextExamples {
        schema: "CurrencyCode",
        pattern: "^[A-Z]{3}$",
        note: Some("ISO 4217."),
        example: "EUR",
        samples: &["EUR", "PLN", "GBP"],
        shape: TextShape { prefix: "", characters: Characters::Capitals, length: (3, Some(3)) },
    },
);

pub(super) static TIMEZONE: ScalarType = ScalarType::checked_text(
    ("timezone", "The name of a time zone in the IANA database: `Europe/Warsaw`."),
    Type::Timezone,
    "Timezone",
    CheckedText {
        canonical: |text| Timezone::parse(text).map(|timezone| timezone.to_string()),
        error: ErrorCode::InvalidTimezone,
    },
    TextExamples {
        schema: "TimezoneName",
        pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$",
        note: Some("A name of the IANA time zone database."),
        example: "Europe/Warsaw",
        samples: &["Europe/Warsaw", "Europe/Berlin", "Europe/Lisbon", "Asia/Tokyo", "America/New_York"],
        shape: TextShape { prefix: "", characters: Characters::Visible, length: (1, None) },
    },
);

pub(super) static PHONE: ScalarType = ScalarType::checked_text(
    ("phone", "A phone number in the form of E.164: `+48123456789`."),
    Type::Phone,
    "Phone",
    CheckedText { canonical: |text| Phone::parse(text).map(|phone| phone.to_string()), error: ErrorCode::InvalidPhone },
    TextExamples {
        schema: "PhoneNumber",
        pattern: "^\\+[1-9][0-9]{1,14}$",
        note: None,
        example: "+48123456789",
        samples: &["+48223456789", "+48600700800", "+442071234567", "+4930123456"],
        shape: TextShape { prefix: "+", characters: Characters::Digits, length: (1, Some(15)) },
    },
);

const fn without_keys(what: &'static str, description: &'static str) -> KeyTable {
    KeyTable { what, description, keys: &[] }
}
