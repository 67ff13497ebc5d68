//! Serde for types that are a string on the wire: what they write is what [`Display`](std::fmt::Display) shows, what
//! they read is what `parse` accepts.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserializer, de};
use std::fmt;
use std::marker::PhantomData;

/// A type with one textual form.
pub(super) trait TextForm: Sized {
    /// The form in words, after "expected".
    const FORM: &'static str;

    /// The value that a text stands for.
    fn from_text(text: &str) -> Option<Self>;
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

/// `Serialize` and `Deserialize` by `Display` and [`TextForm`].
macro_rules! serde_as_text {
    ($type:ty, $form:literal, $parse:expr) => {
        impl $crate::scalar::text_form::TextForm for $type {
            const FORM: &'static str = $form;

            fn from_text(text: &str) -> Option<Self> {
                ($parse)(text)
            }
        }

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

pub(super) use serde_as_text;
