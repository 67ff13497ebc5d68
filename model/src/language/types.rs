//! The types of the language. A scalar type is a variant of [`Type`] and a row of the table below, or in
//! `limited_types.rs` if it has keys.

use super::limited_types::{DATE, DECIMAL, INTEGER, NUMBER, PRICE, STRING, TIMESTAMP};
use super::scalar_type::without_rules;
use super::{CheckedText, JsonForm, KeyTable, Order, RustType, ScalarReader, ScalarType, TextExamples, structured};
use crate::error::ErrorCode;
use crate::field::{Format, OnDelete, is_false};
use crate::input::Scalar;
use crate::scalar::{Country, Currency, Date, IsoDuration, Language, Phone, Timestamp, Timezone};
use crate::tables::ColumnKind;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// The default number of digits after the decimal point of a decimal.
pub const DEFAULT_SCALE: u32 = 2;

/// What a field holds, with its constraints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Type {
    /// Unicode text; blank is null.
    String {
        /// In characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min_length: Option<u32>,
        /// In characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_length: Option<u32>,
        /// A regular expression that is found in the text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pattern: Option<String>,
        /// A known form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        format: Option<Format>,
    },
    /// 64-bit signed.
    Integer {
        /// Inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minimum: Option<i64>,
        /// Inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<i64>,
    },
    /// A finite double.
    Number {
        /// Inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minimum: Option<f64>,
        /// Inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<f64>,
    },
    /// An exact decimal, a string in JSON.
    Decimal {
        /// Inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minimum: Option<Decimal>,
        /// Inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<Decimal>,
        /// Digits after the point.
        #[serde(default = "default_scale", skip_serializing_if = "is_default_scale")]
        scale: u32,
    },
    /// true or false.
    Boolean,
    /// §2.2.
    Uuid,
    /// §2.4.3.
    Timestamp {
        /// Inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minimum: Option<Timestamp>,
        /// Inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<Timestamp>,
    },
    /// `yyyy-MM-dd`.
    Date {
        /// Inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minimum: Option<Date>,
        /// Inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<Date>,
    },
    /// §2.4.4.
    Time,
    /// An ISO 8601 duration, kept as written.
    Duration,
    /// §2.4.5.
    Country,
    /// §2.4.6.
    Language,
    /// ISO 4217.
    Currency,
    /// A name of the IANA time zone database.
    Timezone,
    /// A phone number in the form of E.164.
    Phone,
    /// §2.4.7.
    Price {
        /// Of the amount, inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minimum: Option<Decimal>,
        /// Of the amount, inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<Decimal>,
        /// The currencies taken; empty: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        currencies: Vec<String>,
    },
    /// §2.4.9: another entity.
    Ref {
        /// The resource it points at.
        to: String,
        /// Fields of the other entity rendered beside its id.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        show: Vec<String>,
        /// What deleting the other entity does.
        #[serde(default, skip_serializing_if = "OnDelete::is_restrict")]
        on_delete: OnDelete,
    },
    /// A list, never null.
    Array {
        /// Any type but an array.
        items: Box<Type>,
        /// Of a required or non-empty array.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min_items: Option<u32>,
        /// The greatest number of items.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_items: Option<u32>,
        /// No two items are equal.
        #[serde(default, skip_serializing_if = "is_false")]
        unique_items: bool,
    },
    /// An enum or an object of the service, by name.
    Named {
        /// The name of the definition. In JSON it is `of`, because the name of the field is beside it.
        #[serde(rename = "of")]
        name: String,
    },
}

/// A type, by how its values are built.
#[derive(Debug, Clone, Copy)]
pub enum TypeClass<'a> {
    /// A scalar type: its row.
    Scalar(&'static ScalarType),
    /// A reference to this resource.
    Ref(&'a str),
    /// A list of these.
    Array(&'a Type),
    /// The enum or object of this name.
    Named(&'a str),
}

impl Type {
    /// A string without constraints.
    #[must_use]
    pub const fn string() -> Self {
        Self::String { min_length: None, max_length: None, pattern: None, format: None }
    }

    /// A reference to a resource, rendered as `{id}`.
    #[must_use]
    pub fn reference(to: &str) -> Self {
        Self::Ref { to: to.to_owned(), show: Vec::new(), on_delete: OnDelete::Restrict }
    }

    /// How its values are built. The only list of the variants: what depends on a scalar type is in its row.
    #[must_use]
    pub fn class(&self) -> TypeClass<'_> {
        TypeClass::Scalar(match self {
            Self::String { .. } => &STRING,
            Self::Integer { .. } => &INTEGER,
            Self::Number { .. } => &NUMBER,
            Self::Decimal { .. } => &DECIMAL,
            Self::Boolean => &BOOLEAN,
            Self::Uuid => &UUID,
            Self::Timestamp { .. } => &TIMESTAMP,
            Self::Date { .. } => &DATE,
            Self::Time => &TIME,
            Self::Duration => &DURATION,
            Self::Country => &COUNTRY,
            Self::Language => &LANGUAGE,
            Self::Currency => &CURRENCY,
            Self::Timezone => &TIMEZONE,
            Self::Phone => &PHONE,
            Self::Price { .. } => &PRICE,
            Self::Ref { to, .. } => return TypeClass::Ref(to),
            Self::Array { items, .. } => return TypeClass::Array(items),
            Self::Named { name } => return TypeClass::Named(name),
        })
    }

    /// The row of a scalar type.
    #[must_use]
    pub fn scalar(&self) -> Option<&'static ScalarType> {
        match self.class() {
            TypeClass::Scalar(scalar) => Some(scalar),
            TypeClass::Ref(_) | TypeClass::Array(_) | TypeClass::Named(_) => None,
        }
    }

    /// The word after `type:` in YAML.
    #[must_use]
    pub fn word(&self) -> &str {
        match self.class() {
            TypeClass::Named(name) => name,
            TypeClass::Scalar(_) | TypeClass::Ref(_) | TypeClass::Array(_) => self.key_table().what,
        }
    }

    /// The keys of the type.
    #[must_use]
    pub fn key_table(&self) -> &'static KeyTable {
        match self.class() {
            TypeClass::Scalar(scalar) => &scalar.keys,
            TypeClass::Ref(_) => &structured::REF,
            TypeClass::Array(_) => &structured::ARRAY,
            TypeClass::Named(_) => &structured::NAMED,
        }
    }

    /// Whether its values have an order of their own, so that ranges of them make sense.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        self.scalar().is_some_and(|scalar| scalar.order == Order::Ranges)
    }

    /// Whether its values are texts of one form, which are stored as text.
    #[must_use]
    pub fn is_checked_text(&self) -> bool {
        self.scalar().is_some_and(ScalarType::is_checked_text)
    }

    /// What an array holds; of anything else, itself.
    #[must_use]
    pub fn element(&self) -> &Self {
        match self {
            Self::Array { items, .. } => items,
            other => other,
        }
    }
}

fn default_scale() -> u32 {
    DEFAULT_SCALE
}

fn is_default_scale(scale: &u32) -> bool {
    *scale == DEFAULT_SCALE
}

/// The scalar types, in the order of the documentation.
pub static SCALAR_TYPES: [&ScalarType; 16] = [
    &STRING, &INTEGER, &NUMBER, &DECIMAL, &BOOLEAN, &UUID, &TIMESTAMP, &DATE, &TIME, &DURATION, &COUNTRY, &LANGUAGE,
    &CURRENCY, &TIMEZONE, &PHONE, &PRICE,
];

/// The scalar type with this word.
#[must_use]
pub fn scalar_type(word: &str) -> Option<&'static ScalarType> {
    SCALAR_TYPES.into_iter().find(|scalar| scalar.keys.what == word)
}

/// The keys of all types, in the order of the documentation.
pub static TYPES: [KeyTable; SCALAR_TYPES.len() + 4] = {
    let mut tables = [structured::NAMED; SCALAR_TYPES.len() + 4];
    let mut index = 0;
    while index < SCALAR_TYPES.len() {
        tables[index] = SCALAR_TYPES[index].keys;
        index += 1;
    }
    tables[index] = structured::ENUM;
    tables[index + 1] = structured::REF;
    tables[index + 2] = structured::OBJECT;
    tables[index + 3] = structured::ARRAY;
    tables
};

/// The keys of the type with this word.
#[must_use]
pub fn type_table(word: &str) -> Option<&'static KeyTable> {
    TYPES.iter().find(|table| table.what == word)
}

/// The types that have a key.
#[must_use]
pub fn types_with(key: &str) -> Vec<&'static str> {
    TYPES.iter().filter(|ty| ty.find(key).is_some()).map(|ty| ty.what).collect()
}

/// At least one part, and weeks alone.
const DURATION_PATTERN: &str = "^P(?=[0-9T])([0-9.]+W|([0-9.]+Y)?([0-9.]+M)?([0-9.]+D)?\
                                (T(?=[0-9])([0-9.]+H)?([0-9.]+M)?([0-9.]+S)?)?)$";

static BOOLEAN: ScalarType = ScalarType {
    keys: without_keys("boolean", "`true` or `false`."),
    plain: Type::Boolean,
    rust: RustType::Prelude("bool"),
    columns: &[("", ColumnKind::Boolean)],
    json: JsonForm::Boolean,
    order: Order::Sort,
    reader: ScalarReader::Own(|_| Some(Scalar::Boolean)),
    check: without_rules,
};

static UUID: ScalarType = ScalarType {
    keys: without_keys("uuid", "A UUID in lower case."),
    plain: Type::Uuid,
    rust: RustType::Library("Uuid"),
    columns: &[("", ColumnKind::Uuid)],
    json: JsonForm::Uuid,
    order: Order::Sort,
    reader: ScalarReader::Own(|_| Some(Scalar::Uuid)),
    check: without_rules,
};

static TIME: ScalarType = ScalarType {
    keys: without_keys("time", "A time of day without a time zone, exactly `HH:mm:ss.SSS`."),
    plain: Type::Time,
    rust: RustType::Library("Time"),
    columns: &[("", ColumnKind::Integer)],
    json: JsonForm::Time,
    order: Order::Ranges,
    reader: ScalarReader::Own(|_| Some(Scalar::Time)),
    check: without_rules,
};

static DURATION: ScalarType = ScalarType::checked_text(
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
    },
)
.without_order("durations have no order: a month can be longer or shorter than 30 days");

static COUNTRY: ScalarType = ScalarType::checked_text(
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
    },
);

static LANGUAGE: ScalarType = ScalarType::checked_text(
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
    },
);

static CURRENCY: ScalarType = ScalarType::checked_text(
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
    },
);

static TIMEZONE: ScalarType = ScalarType::checked_text(
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
    },
);

static PHONE: ScalarType = ScalarType::checked_text(
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
    },
);

const fn without_keys(what: &'static str, description: &'static str) -> KeyTable {
    KeyTable { what, description, keys: &[] }
}
