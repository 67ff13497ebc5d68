//! The types of the language. A scalar type is a variant of [`Type`] and a row: in `limited_types.rs` if it has keys;
//! in its own file, `scalar/country.rs`, if its values are texts of one form; otherwise in `types_without_keys.rs`.

use super::limited_types::{DATE, DECIMAL, INTEGER, JSON, NUMBER, PRICE, STRING, TIMESTAMP};
use super::types_without_keys::{BOOLEAN, TIME, UUID};
use super::{KeyTable, Order, ScalarType, structured};
use crate::field::{Format, OnDelete, is_false};
use crate::pattern::Pattern;
use crate::scalar::{self, Date, Timestamp};
use crate::with_text_types;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// The default number of digits after the decimal point of a decimal.
pub const DEFAULT_SCALE: u32 = 2;

/// The greatest number of entries of a map that says none: 422 `TooManyItems` beyond.
pub const DEFAULT_MAP_ENTRIES: u32 = 50;

/// The greatest number of bytes of a `json` value that says none: 422 `TooManyBytes` beyond.
pub const DEFAULT_JSON_BYTES: u32 = 16 * 1024;

/// The greatest number of bytes that a `json` field can accept.
pub const MAX_JSON_BYTES: u32 = 256 * 1024;

/// Declares [`Type`], with the texts of one form from their list.
macro_rules! types {
    ($($variant:ident, $type:ident, $file:ident, $name:literal, $form:literal;)*) => {
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
                pattern: Option<Pattern>,
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
            $(
                #[doc = concat!("A text: ", $form, ".")]
                $variant,
            )*
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
            /// Any JSON value.
            Json {
                /// Bytes at most, written without blanks.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                max_bytes: Option<u32>,
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
            /// Values of one type under free names, never null.
            Map {
                /// Any type but an array, an object, a reference and a map.
                values: Box<Type>,
                /// Of a required or non-empty map.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                min_items: Option<u32>,
                /// The greatest number of entries.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                max_items: Option<u32>,
                /// A regular expression that is found in each name.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pattern: Option<Pattern>,
            },
            /// An enum or an object of the service, by name.
            Named {
                /// The name of the definition. In JSON it is `of`, because the name of the field is beside it.
                #[serde(rename = "of")]
                name: String,
            },
        }

        impl Type {
            /// How its values are built. The only list of the variants: what depends on a scalar type is in its
            /// row.
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
                    $(Self::$variant => &scalar::$file::SCALAR_TYPE,)*
                    Self::Price { .. } => &PRICE,
                    Self::Json { .. } => &JSON,
                    Self::Ref { to, .. } => return TypeClass::Ref(to),
                    Self::Array { items, .. } => return TypeClass::Array(items),
                    Self::Map { values, .. } => return TypeClass::Map(values),
                    Self::Named { name } => return TypeClass::Named(name),
                })
            }
        }

        /// The scalar types, in the order of the documentation.
        pub static SCALAR_TYPES: [&ScalarType; 11 + [$($name),*].len()] = [
            &STRING, &INTEGER, &NUMBER, &DECIMAL, &BOOLEAN, &UUID, &TIMESTAMP, &DATE, &TIME,
            $(&scalar::$file::SCALAR_TYPE,)*
            &PRICE,
            &JSON,
        ];
    };
}

with_text_types!(types);

/// A type, by how its values are built.
#[derive(Debug, Clone, Copy)]
pub enum TypeClass<'a> {
    /// A scalar type: its row.
    Scalar(&'static ScalarType),
    /// A reference to this resource.
    Ref(&'a str),
    /// A list of these.
    Array(&'a Type),
    /// These under free names.
    Map(&'a Type),
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

    /// The row of a scalar type.
    #[must_use]
    pub fn scalar(&self) -> Option<&'static ScalarType> {
        match self.class() {
            TypeClass::Scalar(scalar) => Some(scalar),
            TypeClass::Ref(_) | TypeClass::Array(_) | TypeClass::Map(_) | TypeClass::Named(_) => None,
        }
    }

    /// The word after `type:` in YAML.
    #[must_use]
    pub fn word(&self) -> &str {
        match self.class() {
            TypeClass::Named(name) => name,
            TypeClass::Scalar(_) | TypeClass::Ref(_) | TypeClass::Array(_) | TypeClass::Map(_) => self.key_table().what,
        }
    }

    /// The keys of the type.
    #[must_use]
    pub fn key_table(&self) -> &'static KeyTable {
        match self.class() {
            TypeClass::Scalar(scalar) => &scalar.keys,
            TypeClass::Ref(_) => &structured::REF,
            TypeClass::Array(_) => &structured::ARRAY,
            TypeClass::Map(_) => &structured::MAP,
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

    /// What an array or a map holds; of anything else, itself. Of a map it is a scalar type or an enum.
    #[must_use]
    pub fn element(&self) -> &Self {
        match self {
            Self::Array { items, .. } => items.map_values(),
            other => other.map_values(),
        }
    }

    fn map_values(&self) -> &Self {
        match self {
            Self::Map { values, .. } => values,
            other => other,
        }
    }

    /// Whether it has no null: without a value it is empty.
    #[must_use]
    pub const fn is_never_null(&self) -> bool {
        matches!(self, Self::Array { .. } | Self::Map { .. })
    }

    /// The least number of items of an array or a map that is not empty.
    #[must_use]
    pub const fn min_items(&self) -> Option<u32> {
        match self {
            Self::Array { min_items, .. } | Self::Map { min_items, .. } => *min_items,
            _ => None,
        }
    }

    /// Whether its values have parts that a model does not describe: a map, and any JSON.
    #[must_use]
    pub const fn is_free(&self) -> bool {
        matches!(self, Self::Map { .. } | Self::Json { .. })
    }
}

fn default_scale() -> u32 {
    DEFAULT_SCALE
}

fn is_default_scale(scale: &u32) -> bool {
    *scale == DEFAULT_SCALE
}

/// The scalar type with this word.
#[must_use]
pub fn scalar_type(word: &str) -> Option<&'static ScalarType> {
    SCALAR_TYPES.into_iter().find(|scalar| scalar.keys.what == word)
}

/// The keys of all types, in the order of the documentation.
pub static TYPES: [KeyTable; SCALAR_TYPES.len() + 5] = {
    let mut tables = [structured::NAMED; SCALAR_TYPES.len() + 5];
    let mut index = 0;
    while index < SCALAR_TYPES.len() {
        tables[index] = SCALAR_TYPES[index].keys;
        index += 1;
    }
    tables[index] = structured::ENUM;
    tables[index + 1] = structured::REF;
    tables[index + 2] = structured::OBJECT;
    tables[index + 3] = structured::ARRAY;
    tables[index + 4] = structured::MAP;
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
