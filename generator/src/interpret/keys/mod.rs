//! The tables of all keys of the language, one for each kind of mapping. From them follow what is accepted, what is
//! required, the description of each key and the suggestion for a misspelt one, the JSON Schema for editors, and the
//! order of the formatter.

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
pub(crate) struct KeyTable {
    /// The kind with an article, for messages; for a type, its word.
    pub(crate) what: &'static str,
    /// The description for editors.
    pub(crate) description: &'static str,
    /// All of them.
    pub(crate) keys: &'static [KeySpec],
}

/// One key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeySpec {
    pub(crate) name: &'static str,
    /// The form of its value.
    pub(crate) shape: Shape,
    /// Its position among the keys of a field and its type.
    pub(crate) part: Part,
    pub(crate) is_required: bool,
    /// The default.
    pub(crate) default: Option<Literal>,
    /// An example of its value.
    pub(crate) example: Option<Literal>,
    /// The description for editors.
    pub(crate) description: &'static str,
}

/// The keys of a field come from two tables, that of fields and that of its type. The formatter orders them by part:
/// the type, then presence, constraints and use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Type,
    Presence,
    Constraint,
    Use,
}

impl KeyTable {
    /// The names of the keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }

    /// The names of the required keys.
    pub(crate) fn required(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().filter(|key| key.is_required).map(|key| key.name)
    }

    /// The key as the table writes it.
    pub(crate) fn find(&self, name: &str) -> Option<&'static str> {
        self.key(name).map(|key| key.name)
    }

    /// The specification of a key.
    pub(crate) fn key(&self, name: &str) -> Option<&'static KeySpec> {
        self.keys.iter().find(|key| key.name == name)
    }
}

/// An optional key of a document, for the tables.
const fn key(name: &'static str, shape: Shape, description: &'static str) -> KeySpec {
    KeySpec { name, shape, part: Part::Type, is_required: false, default: None, example: None, description }
}

/// An optional key that is off by default.
const fn switch(name: &'static str, description: &'static str) -> KeySpec {
    key(name, Shape::Switch, description).default(Literal::Flag(false))
}

impl KeySpec {
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

/// An example of a required key, for the help when it is missing.
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
