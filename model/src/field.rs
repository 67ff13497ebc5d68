//! A field and its type.

use crate::resource::Version;
use crate::scalar::{Date, Timestamp};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rules switched off at one place: the rule's code in kebab-case, and the reason.
pub type Allow = BTreeMap<String, String>;

/// One property of a resource, an object, or a command's input or output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// camelCase, as in JSON.
    pub name: String,
    /// The type, with its constraints.
    #[serde(flatten)]
    pub ty: Type,
    /// Never null; a request without it gets 422 unless it has a default.
    #[serde(default, skip_serializing_if = "is_false")]
    pub required: bool,
    /// Used when a request omits it: JSON in the type's own form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
    /// Taken at creation only.
    #[serde(default, skip_serializing_if = "is_false")]
    pub immutable: bool,
    /// Set by the service only.
    #[serde(default, skip_serializing_if = "is_false")]
    pub read_only: bool,
    /// Accepted, never rendered.
    #[serde(default, skip_serializing_if = "is_false")]
    pub write_only: bool,
    /// How a `writeOnly` value is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
    /// May be a query parameter.
    #[serde(default, skip_serializing_if = "is_false")]
    pub filter: bool,
    /// May stand in `sort`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sort: bool,
    /// No two entities share it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unique: bool,
    /// The views that have it; `None`: the resource itself and all its views.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub views: Option<Vec<String>>,
    /// The versions that have it; `None`: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Vec<Version>>,
    /// Announced as going away.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deprecated: bool,
    /// The day of its removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sunset: Option<Date>,
    /// For the docs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// For the docs: JSON in the type's own form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<serde_json::Value>,
    /// The name it had, so that a migration renames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// Rules switched off here, with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
}

impl Field {
    /// A field of this name and type with every key at its default.
    #[must_use]
    pub fn new(name: &str, ty: Type) -> Self {
        Self {
            name: name.to_owned(),
            ty,
            required: false,
            default: None,
            immutable: false,
            read_only: false,
            write_only: false,
            secret: None,
            filter: false,
            sort: false,
            unique: false,
            views: None,
            versions: None,
            deprecated: false,
            sunset: None,
            description: None,
            example: None,
            renamed_from: None,
            allow: Allow::new(),
        }
    }
}

/// What was used is going away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deprecation {
    /// When, where that is known.
    pub sunset: Option<Date>,
}

impl Deprecation {
    /// Of what is deprecated.
    #[must_use]
    pub fn of(deprecated: bool, sunset: Option<Date>) -> Option<Self> {
        deprecated.then_some(Self { sunset })
    }

    /// Of two things used together, either of which may be deprecated: the one that goes first tells when.
    #[must_use]
    pub fn together(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let both = one.into_iter().chain(other);
        both.reduce(|one, other| Self { sunset: one.sunset.into_iter().chain(other.sunset).min() })
    }
}

/// How a secret is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Secret {
    /// Only its Argon2 hash.
    Argon2,
}

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

/// The default number of digits after the decimal point of a decimal.
pub const DEFAULT_SCALE: u32 = 2;

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

    /// The word after `type:` in YAML.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::String { .. } => "string",
            Self::Integer { .. } => "integer",
            Self::Number { .. } => "number",
            Self::Decimal { .. } => "decimal",
            Self::Boolean => "boolean",
            Self::Uuid => "uuid",
            Self::Timestamp { .. } => "timestamp",
            Self::Date { .. } => "date",
            Self::Time => "time",
            Self::Duration => "duration",
            Self::Country => "country",
            Self::Language => "language",
            Self::Currency => "currency",
            Self::Price { .. } => "price",
            Self::Ref { .. } => "ref",
            Self::Array { .. } => "array",
            Self::Named { name } => name,
        }
    }

    /// Whether its values have an order of their own, so that ranges of them make sense.
    #[must_use]
    pub const fn is_ordered(&self) -> bool {
        matches!(
            self,
            Self::Integer { .. }
                | Self::Number { .. }
                | Self::Decimal { .. }
                | Self::Timestamp { .. }
                | Self::Date { .. }
                | Self::Time
        )
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

/// The form of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// An e-mail address.
    Email,
    /// An absolute URI, RFC 3986.
    Uri,
}

/// What deleting an entity does to those that refer to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OnDelete {
    /// Refuses the deletion.
    #[default]
    Restrict,
    /// Deletes them too.
    Cascade,
    /// Sets their reference to null.
    Null,
}

impl OnDelete {
    fn is_restrict(&self) -> bool {
        *self == Self::Restrict
    }
}

pub(crate) fn is_false(value: &bool) -> bool {
    !*value
}

fn default_scale() -> u32 {
    DEFAULT_SCALE
}

fn is_default_scale(scale: &u32) -> bool {
    *scale == DEFAULT_SCALE
}
