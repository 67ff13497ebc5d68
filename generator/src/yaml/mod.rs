//! YAML as a tree in which every node has its place in the file.
//!
//! The tree does not interpret scalars: they are stored as written, and the reader, which knows the expected type,
//! resolves the value (see [`scalar`]). So `9999999.99` and `"9999999.99"` are the same amount, and `NO` is a country.

mod byte_offsets;
mod outdented;
mod read;
pub mod scalar;
mod tabs;
mod written;

pub use read::{MAX_BYTES, MAX_DEPTH, read};

pub(crate) use written::place_of_part;

use crate::source::Span;

/// A value with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The whole value.
    pub span: Span,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
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
    pub key: YamlKey,
    /// The value.
    pub value: Node,
}

/// A key with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlKey {
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
            NodeKind::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a sequence; of anything else none.
    #[must_use]
    pub fn items(&self) -> &[Node] {
        match &self.kind {
            NodeKind::Sequence(items) => items,
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
            NodeKind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether this is the empty value of a key.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(scalar::resolve(self), Some(scalar::Scalar::Null))
    }
}
