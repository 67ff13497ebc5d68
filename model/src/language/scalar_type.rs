//! What the product knows of a scalar type.

use super::{KeyTable, Type};
use crate::check::{Fault, Place};
use crate::error::ErrorCode;
use crate::input::Scalar;
use crate::tables::ColumnKind;

/// A scalar type. The rows of those with keys are in `limited_types.rs`, those of texts of one form in the file of the
/// type (`scalar/country.rs`), the others in `types_without_keys.rs`.
#[derive(Debug)]
pub struct ScalarType {
    /// Its word in YAML, its description for editors, and its keys.
    pub keys: KeyTable,
    /// The type with every key at its default.
    pub plain: Type,
    /// The Rust type of a value.
    pub rust: RustType,
    /// The columns of a value: the end of the column's name, and what the column holds.
    pub columns: &'static [(&'static str, ColumnKind)],
    /// How a value is written in JSON.
    pub json: JsonForm,
    /// The order of its values.
    pub order: Order,
    /// How a value is read from a request.
    pub reader: ScalarReader,
    /// The rules for its keys in a description.
    pub(crate) check: fn(&Type, &Place<'_>, &mut Vec<Fault>),
}

/// The Rust type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RustType {
    /// One that needs no import.
    Prelude(&'static str),
    /// One that the library exports.
    Library(&'static str),
    /// One of a crate that the library exports, written with the crate.
    OfCrate(&'static str, &'static str),
}

/// How a value is written in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonForm {
    /// A string: the text as it is stored.
    Text,
    /// A string: an id.
    Uuid,
    /// A number without a fraction.
    Integer,
    /// A number.
    Number,
    /// `true`, `false`.
    Boolean,
    /// A string, from milliseconds since 1970.
    Timestamp,
    /// A string, from days since 1970.
    Date,
    /// A string, from milliseconds of the day.
    Time,
    /// A string, from units of the last digit.
    Decimal {
        /// The digits after the point.
        scale: u32,
    },
    /// An object: an amount and a currency.
    Price,
    /// Any JSON: the text as it is stored.
    Any,
}

/// The order of a type's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// They can be compared: filtered by ranges, and sorted.
    Ranges,
    /// They can be sorted only.
    Sort,
    /// They cannot be sorted, for this reason.
    None(&'static str),
}

/// How a value is read from a request.
#[derive(Debug, Clone, Copy)]
pub enum ScalarReader {
    /// A text of one form, which is stored as text.
    Text(CheckedText, TextExamples),
    /// A type with a stored form or keys of its own. `None` for what is more than one scalar: a price.
    Own(fn(&Type) -> Option<Scalar>),
}

/// A text of one form.
#[derive(Debug, Clone, Copy)]
pub struct CheckedText {
    /// The text as it is stored; `None` if it has another form.
    pub canonical: fn(&str) -> Option<String>,
    /// The error for another form.
    pub error: ErrorCode,
}

/// What documents and sample data say of texts of one form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextExamples {
    /// The name of its schema in OpenAPI.
    pub schema: &'static str,
    /// The form as a regular expression, as far as one can say it.
    pub pattern: &'static str,
    /// What else the schema says.
    pub note: Option<&'static str>,
    /// One example.
    pub example: &'static str,
    /// Plausible values, for sample data.
    pub samples: &'static [&'static str],
    /// What clients look at before they send a text.
    pub shape: TextShape,
}

/// A coarse form of texts: one of another shape is wrong in every release of the service, one of this shape may be
/// right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextShape {
    /// What they begin with.
    pub prefix: &'static str,
    /// What follows.
    pub characters: Characters,
    /// How many characters follow: at least, and at most.
    pub length: (usize, Option<usize>),
}

/// Characters of texts of one form; all are ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Characters {
    /// `A` to `Z`.
    Capitals,
    /// `0` to `9`.
    Digits,
    /// Letters, digits and hyphens.
    Words,
    /// All but spaces and control characters.
    Visible,
}

impl RustType {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prelude(name) | Self::Library(name) | Self::OfCrate(_, name) => name,
        }
    }
}

impl TextShape {
    /// Whether a text has this shape.
    #[must_use]
    pub fn fits(&self, text: &str) -> bool {
        text.strip_prefix(self.prefix).is_some_and(|rest| {
            let (least, most) = self.length;
            rest.len() >= least
                && most.is_none_or(|most| rest.len() <= most)
                && rest.bytes().all(|byte| self.characters.contain(byte))
        })
    }
}

impl Characters {
    /// Whether it is one of them.
    #[must_use]
    pub const fn contain(self, byte: u8) -> bool {
        match self {
            Self::Capitals => byte.is_ascii_uppercase(),
            Self::Digits => byte.is_ascii_digit(),
            Self::Words => byte.is_ascii_alphanumeric() || byte == b'-',
            Self::Visible => byte.is_ascii_graphic(),
        }
    }
}

impl ScalarReader {
    /// The reader of one type, with its constraints.
    #[must_use]
    pub fn compile(&self, ty: &Type) -> Option<Scalar> {
        match self {
            Self::Text(form, _) => Some(Scalar::Checked(*form)),
            Self::Own(compile) => compile(ty),
        }
    }
}

impl ScalarType {
    /// A type of texts of one form: without keys, stored and written as these texts.
    pub(crate) const fn checked_text(
        keys: (&'static str, &'static str),
        plain: Type,
        rust: &'static str,
        form: CheckedText,
        examples: TextExamples,
    ) -> Self {
        Self {
            keys: KeyTable { what: keys.0, description: keys.1, keys: &[] },
            plain,
            rust: RustType::Library(rust),
            columns: &[("", ColumnKind::Text)],
            json: JsonForm::Text,
            order: Order::Sort,
            reader: ScalarReader::Text(form, examples),
            check: without_rules,
        }
    }

    /// The same type, whose values cannot be sorted.
    pub(crate) const fn without_order(mut self, why: &'static str) -> Self {
        self.order = Order::None(why);
        self
    }

    /// How the values of a type of this kind are written.
    #[must_use]
    pub const fn form(&self, ty: &Type) -> JsonForm {
        match (self.json, ty) {
            (JsonForm::Decimal { .. }, Type::Decimal { scale, .. }) => JsonForm::Decimal { scale: *scale },
            (form, _) => form,
        }
    }

    /// Whether its values are texts of one form, which are stored as text.
    #[must_use]
    pub const fn is_checked_text(&self) -> bool {
        matches!(self.reader, ScalarReader::Text(..))
    }

    /// The examples of a type of texts of one form.
    #[must_use]
    pub const fn text_examples(&self) -> Option<&TextExamples> {
        match &self.reader {
            ScalarReader::Text(_, examples) => Some(examples),
            ScalarReader::Own(_) => None,
        }
    }
}

/// The rules of a type without keys.
pub(super) fn without_rules(_: &Type, _: &Place<'_>, _: &mut Vec<Fault>) {}
