//! YAML as a tree in which everything keeps its place.
//!
//! The tree is what the file says and no more: scalars are kept as written, and only who knows what is expected asks
//! one for its value (see [`scalar`]). So `9999999.99` and `"9999999.99"` are the same amount, and `NO` is a country.

mod read;
pub mod scalar;

pub use read::{MAX_BYTES, MAX_DEPTH, read};

use crate::source::Span;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// All of it.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// One value.
    Scalar {
        /// Without quotes, escapes resolved.
        text: String,
        /// Written without quotes, so that it may be a number, a boolean or null.
        plain: bool,
    },
    /// A list.
    Sequence(Vec<Node>),
    /// Keys and values, in the order of writing; no key twice.
    Mapping(Vec<Entry>),
    /// Something the language refuses (an alias, a tag), reported when it was read.
    Refused,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// The value.
    pub value: Node,
}

/// A key and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Where.
    pub span: Span,
    /// Without quotes.
    pub text: String,
}

impl Node {
    /// The entries of a mapping; of anything else none.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.kind {
            Kind::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a sequence; of anything else none.
    #[must_use]
    pub fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Sequence(items) => items,
            _ => &[],
        }
    }

    /// The entry under a key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key.text == key)
    }

    /// The text of a scalar.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether a key stands there without a value.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(scalar::resolve(self), Some(scalar::Scalar::Null))
    }
}
