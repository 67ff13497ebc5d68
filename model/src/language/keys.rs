//! What the language knows of a key, and the table of the keys of one kind of mapping.
//!
//! From the tables follow what is accepted, what is required, the description of each key and the suggestion for a
//! misspelt one, the JSON Schema for editors, the order of the formatter, and the words of the derives' attributes.

use super::{KeyShape, Literal};

/// The keys of one kind of mapping, in their canonical order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyTable {
    /// The kind with an article, for messages; for a type, its word.
    pub what: &'static str,
    /// The description for editors.
    pub description: &'static str,
    /// All of them.
    pub keys: &'static [KeySpec],
}

/// One key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeySpec {
    /// The key in YAML, and in the JSON of the model.
    pub name: &'static str,
    /// The form of its value.
    pub shape: KeyShape,
    /// Its position among the keys of a field and its type.
    pub part: Part,
    /// Whether it must be given.
    pub is_required: bool,
    /// The default.
    pub default: Option<Literal>,
    /// An example of its value.
    pub example: Option<Literal>,
    /// The description for editors.
    pub description: &'static str,
    /// How it limits the values of a type.
    pub limit: Option<Limit>,
    /// How a derive says it.
    pub in_rust: InRust,
}

/// The keys of a field come from two tables, that of fields and that of its type. The formatter orders them by part:
/// the type, then presence, constraints and use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The type, and the keys that define it.
    Type,
    /// Whether there is a value, and who sets it.
    Presence,
    /// Which values are accepted.
    Constraint,
    /// What the value is used for.
    Use,
}

/// How a key limits values: whether a changed key accepts more of them or fewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// A lower bound.
    Least,
    /// An upper bound.
    Most,
    /// A condition. Two different ones cannot be compared.
    Exact,
    /// A list of accepted values; an empty one accepts all.
    Among,
}

/// How a derive says a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InRust {
    /// By an argument with the name of the key in snake_case.
    Argument,
    /// By an argument with another name.
    Renamed(&'static str),
    /// By the Rust code itself: a type, a name, a doc comment, another struct.
    Code,
}

impl KeyTable {
    /// The names of the keys.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.keys.iter().map(|key| key.name)
    }

    /// The names of the required keys.
    pub fn required(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.keys.iter().filter(|key| key.is_required).map(|key| key.name)
    }

    /// The key as the table writes it.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&'static str> {
        self.key(name).map(|key| key.name)
    }

    /// The specification of a key.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&'static KeySpec> {
        self.keys.iter().find(|key| key.name == name)
    }
}

/// An optional key of a document, for the tables.
pub(super) const fn key(name: &'static str, shape: KeyShape, description: &'static str) -> KeySpec {
    KeySpec {
        name,
        shape,
        part: Part::Type,
        is_required: false,
        default: None,
        example: None,
        description,
        limit: None,
        in_rust: InRust::Argument,
    }
}

/// An optional key that is off by default.
pub(super) const fn switch(name: &'static str, description: &'static str) -> KeySpec {
    key(name, KeyShape::Switch, description).default(Literal::Flag(false))
}

/// A key that constrains the values of a type.
pub(super) const fn bound(
    name: &'static str,
    shape: KeyShape,
    limit: Limit,
    description: &'static str,
    example: Literal,
) -> KeySpec {
    KeySpec { limit: Some(limit), ..key(name, shape, description).part(Part::Constraint).example(example) }
}

impl KeySpec {
    pub(super) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    pub(super) const fn default(self, value: Literal) -> Self {
        Self { default: Some(value), ..self }
    }

    pub(super) const fn example(self, value: Literal) -> Self {
        Self { example: Some(value), ..self }
    }

    pub(super) const fn part(self, part: Part) -> Self {
        Self { part, ..self }
    }

    pub(super) const fn in_rust(self, in_rust: InRust) -> Self {
        Self { in_rust, ..self }
    }
}

/// An example of a required key, for the help when it is missing.
#[must_use]
pub fn example(key: &KeySpec) -> Option<&'static str> {
    Some(match key.name {
        "values" if key.shape == KeyShape::Values => "values: { type: string }",
        "fields" => "fields: { name: { type: string } }",
        "items" => "items: { type: string }",
        "check" => "check: 'endingAt > startingAt'",
        "code" => "code: EndsBeforeStart",
        "message" => "message: must be after startingAt",
        "field" => "field: status",
        "initial" => "initial: ACTIVE",
        "transitions" => "transitions: { end: { from: ACTIVE, to: ENDED } }",
        "from" => "from: ACTIVE",
        "operations" => "operations: [list, get]",
        "when" => "when: 'kind == \"AUCTION\"'",
        "to" => "to: User",
        "type" => "type: string",
        "values" => "values: [WHITE, BLACK]",
        _ => return None,
    })
}
