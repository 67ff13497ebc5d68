//! Every key of the language, per kind of mapping: what is accepted, what must be there, what it means and what a
//! misspelt one was meant to be, all from the same tables. The JSON Schema for editors is written from them, and the
//! formatter's order is theirs.

mod documents;
mod fields;
mod shape;
mod types;

pub(crate) use documents::{COMMAND, DOCUMENT_TABLES, DOCUMENTS, ENUM, OBJECT, OPERATION, RESOURCE, SERVICE, VIEW};
pub(crate) use fields::{FIELD, ITEMS};
pub(crate) use shape::{Case, Literal, Shape};
pub(crate) use types::{FORMATS, NAMED, ON_DELETE, SECRETS, TYPES, type_table, types_with};

/// The keys of one kind of mapping, in their canonical order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// With an article, for messages; of a type its word.
    pub(crate) what: &'static str,
    /// For people who write one.
    pub(crate) description: &'static str,
    /// All of them.
    pub(crate) keys: &'static [Key],
}

/// One key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// What may stand after it.
    pub(crate) shape: Shape,
    /// Where it stands among the keys of a field and its type.
    pub(crate) part: Part,
    pub(crate) is_required: bool,
    /// What holds where the key is not given.
    pub(crate) default: Option<Literal>,
    /// Something that may be written.
    pub(crate) example: Option<Literal>,
    /// For people who write it.
    pub(crate) description: &'static str,
}

/// The keys of a field come from two tables, that of fields and that of its type. This is how they mix: what it is,
/// what must be given, what is accepted, what it is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Type,
    Presence,
    Constraint,
    Use,
}

impl Table {
    /// The names of the keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }

    /// The names of those that must be there.
    pub(crate) fn required(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().filter(|key| key.is_required).map(|key| key.name)
    }

    /// The key as the table writes it.
    pub(crate) fn find(&self, name: &str) -> Option<&'static str> {
        self.key(name).map(|key| key.name)
    }

    /// What is known of a key.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

/// An optional key of a document, for the tables.
const fn key(name: &'static str, shape: Shape, description: &'static str) -> Key {
    Key { name, shape, part: Part::Type, is_required: false, default: None, example: None, description }
}

/// An optional key that is off where it is not given.
const fn switch(name: &'static str, description: &'static str) -> Key {
    key(name, Shape::Switch, description).default(Literal::Flag(false))
}

impl Key {
    const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    const fn default(self, value: Literal) -> Self {
        Self { default: Some(value), ..self }
    }

    const fn example(self, value: Literal) -> Self {
        Self { example: Some(value), ..self }
    }

    const fn part(self, part: Part) -> Self {
        Self { part, ..self }
    }
}

/// A required key as it may be written, for who forgot it.
pub(super) fn example(key: &str) -> Option<&'static str> {
    Some(match key {
        "fields" => "fields: { name: { type: string } }",
        "items" => "items: { type: string }",
        "operations" => "operations: [list, get]",
        "to" => "to: User",
        "type" => "type: string",
        "values" => "values: [WHITE, BLACK]",
        _ => return None,
    })
}
