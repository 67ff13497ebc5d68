//! Serde and `FromStr` for types that are a string on the wire: what they write is what
//! [`Display`](std::fmt::Display) shows, what they read is what `parse` accepts.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserializer, de};
use std::fmt;
use std::marker::PhantomData;

/// Characters of a text that an error shows at most.
const MAX_SHOWN: usize = 60;

/// A text that does not have the form of the type that it is read as: `"Poland".parse::<Country>()`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormError {
    expected: &'static str,
    found: String,
}

impl FormError {
    /// The form that is expected, in words.
    #[must_use]
    pub const fn expected(&self) -> &'static str {
        self.expected
    }
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl std::error::Error for FormError {}

/// A type with one textual form.
pub(super) trait TextForm: Sized {
    /// The form in words, after "expected".
    const FORM: &'static str;

    /// The value that a text stands for.
    fn from_text(text: &str) -> Option<Self>;
}

/// The value that a text stands for.
pub(super) fn parse<T: TextForm>(text: &str) -> Result<T, FormError> {
    T::from_text(text).ok_or_else(|| FormError { expected: T::FORM, found: shortened(text) })
}

fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Reads a string and parses it, without owning it in between.
pub(super) fn deserialize<'de, T: TextForm, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_str(TextVisitor(PhantomData))
}

struct TextVisitor<T>(PhantomData<T>);

impl<T: TextForm> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::FORM)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        T::from_text(text).ok_or_else(|| Error::invalid_value(Unexpected::Str(text), &self))
    }
}

/// `FromStr` by [`TextForm`], with an error that names the form.
macro_rules! parse_as_text {
    ($type:ty, $form:literal, $parse:expr) => {
        impl $type {
            /// Its form as text, in words.
            pub const FORM: &'static str = $form;
        }

        impl $crate::scalar::text_form::TextForm for $type {
            const FORM: &'static str = $form;

            fn from_text(text: &str) -> Option<Self> {
                ($parse)(text)
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::scalar::text_form::FormError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::scalar::text_form::parse(text)
            }
        }
    };
}

/// The same, with `Serialize` and `Deserialize` by `Display` and [`TextForm`].
macro_rules! serde_as_text {
    ($type:ty, $form:literal, $parse:expr) => {
        $crate::scalar::text_form::parse_as_text!($type, $form, $parse);

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::scalar::text_form::deserialize(deserializer)
            }
        }
    };
}

pub(super) use {parse_as_text, serde_as_text};

#[cfg(test)]
mod tests {
    use super::super::{Country, Date, IsoDuration, Language, Phone, Price, Time, Timestamp, Timezone};
    use super::FormError;
    use std::fmt::Display;
    use std::str::FromStr;

    #[track_caller]
    fn written_back<T: FromStr<Err = FormError> + Display>(text: &str) {
        let parsed = text.parse::<T>().map(|value| value.to_string());
        assert_eq!(parsed.as_deref(), Ok(text));
    }

    #[test]
    fn what_is_parsed_is_displayed_again() {
        written_back::<Country>("PL");
        written_back::<Language>("pl-PL");
        written_back::<Date>("2024-02-29");
        written_back::<Time>("13:45:00.000");
        written_back::<Timestamp>("2024-02-29T13:45:00.000Z");
        written_back::<IsoDuration>("P14D");
        written_back::<Timezone>("Europe/Warsaw");
        written_back::<Phone>("+48123456789");
        written_back::<Price>("12.30 PLN");
    }

    #[test]
    fn an_error_says_what_is_expected() {
        let error = "Poland".parse::<Country>().unwrap_err();
        assert_eq!(error.to_string(), "expected an ISO 3166-1 alpha-2 code like PL, found `Poland`");
        let error = "2024-02-29T13:45:00.000".parse::<Timestamp>().unwrap_err();
        assert_eq!(error.expected(), "a UTC timestamp like 2024-02-29T13:45:00.000Z");
        let error = "ż".repeat(100).parse::<Date>().unwrap_err();
        assert!(error.to_string().ends_with("żż…`"), "{error}");
    }
}
