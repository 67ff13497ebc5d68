//! The tokens of JSON, as far as single values need them.

use crate::scalar::string;
use std::borrow::Cow;

/// A piece of JSON by its kind. Objects and arrays are one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token<'a> {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number as written.
    Number(&'a str),
    /// A string, unescaped.
    Text(Cow<'a, str>),
    /// A string with a lone surrogate in it.
    BadText,
    /// An object or array.
    Container,
}

impl<'a> Token<'a> {
    /// The token of a piece of valid JSON.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        match text.as_bytes().first() {
            Some(b'"') => Self::string(text),
            Some(b'{' | b'[') => Self::Container,
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'n') => Self::Null,
            _ => Self::Number(text),
        }
    }

    fn string(text: &'a str) -> Self {
        match text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
            Some(inner) if !inner.as_bytes().contains(&b'\\') => Self::Text(Cow::Borrowed(inner)),
            // the text is valid JSON, so only a lone surrogate can be wrong with it
            _ => serde_json::from_str(text).map_or(Self::BadText, |s| Self::Text(Cow::Owned(s))),
        }
    }

    /// Null, or a string of nothing but blanks (§2.4.1).
    #[must_use]
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Text(text) => string::is_blank(text),
            _ => false,
        }
    }
}
