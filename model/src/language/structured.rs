//! The types that are built from other types, and the words that some keys accept.

use super::Literal::{Flag, Map, Number, Text, Texts};
use super::documents::FIELDS;
use super::keys::{InRust, KeySpec, KeyTable, Limit, bound, key};
use super::types::DEFAULT_MAP_ENTRIES;
use super::{Case, KeyShape};
use crate::field::{Format, Match, OnDelete, Secret, Uniqueness};

/// The values of `format`.
pub const FORMATS: &[(&str, Format)] = &[("email", Format::Email), ("uri", Format::Uri)];

/// The values of `onDelete`.
pub const ON_DELETE: &[(&str, OnDelete)] =
    &[("restrict", OnDelete::Restrict), ("cascade", OnDelete::Cascade), ("null", OnDelete::Null)];

/// The values of `secret`.
pub const SECRETS: &[(&str, Secret)] = &[("argon2", Secret::Argon2)];

/// What `unique` can be beside `true` and `false`.
pub const UNIQUENESS: &[(&str, Uniqueness)] = &[("ignoreCase", Uniqueness::IgnoreCase)];

/// What a `filter` can list.
pub const MATCHES: &[(&str, Match)] = &[
    ("not", Match::Not),
    ("startsWith", Match::StartsWith),
    ("contains", Match::Contains),
    ("startsWithIgnoreCase", Match::StartsWithIgnoreCase),
    ("containsIgnoreCase", Match::ContainsIgnoreCase),
];

/// An enum of one field.
pub(super) static ENUM: KeyTable = KeyTable {
    what: "enum",
    description: "One of a list of upper-case values, for this field only. A shared enum is its own document.",
    keys: &[key(
        "values",
        KeyShape::Names(Case::UpperSnake, "values"),
        "The values in UPPER_SNAKE_CASE, in their order.",
    )
    .required()
    .example(Texts(&["ACTIVE", "ENDED"]))
    .in_rust(InRust::Code)],
};

/// A reference.
pub(super) static REF: KeyTable = KeyTable {
    what: "ref",
    description: "A reference to another entity, rendered as `{ id }` and the fields of `show`. \
                  Requests need the `id`.",
    keys: &[
        key("to", KeyShape::Name(Case::Pascal), "The resource that it refers to.")
            .required()
            .example(Text("User"))
            .in_rust(InRust::Code),
        key(
            "show",
            KeyShape::Names(Case::Camel, "fields"),
            "Fields of the other entity that are rendered beside its `id`.",
        )
        .example(Texts(&["name"])),
        key(
            "onDelete",
            KeyShape::OnDelete,
            "What happens when the other entity is deleted: the deletion is refused (`restrict`), this entity is \
             deleted too (`cascade`), or the reference becomes null (`null`).",
        )
        .default(Text("restrict")),
    ],
};

/// An object of one field.
pub(super) static OBJECT: KeyTable = KeyTable {
    what: "object",
    description: "A nested object, for this field only. A shared object is its own document.",
    keys: &[FIELDS],
};

/// A list.
pub(super) static ARRAY: KeyTable = KeyTable {
    what: "array",
    description: "A list of values of one type, which cannot be an array. Never null.",
    keys: &[
        ITEMS,
        bound(
            "minItems",
            KeyShape::Count,
            Limit::Least,
            "The least number of items, if the array is required or not empty.",
            Number(1),
        ),
        bound("maxItems", KeyShape::Count, Limit::Most, "The greatest number of items.", Number(16)),
        bound("uniqueItems", KeyShape::Switch, Limit::Exact, "Refuses equal items.", Flag(true)).default(Flag(false)),
    ],
};

/// Values under free names.
pub(super) static MAP: KeyTable = KeyTable {
    what: "map",
    description: "Values of one type under names that clients choose, each of 1 to 64 characters: \
                  `{ colour: red }`. Never null.",
    keys: &[
        VALUES,
        bound(
            "minItems",
            KeyShape::Count,
            Limit::Least,
            "The least number of names, if the map is required or not empty.",
            Number(1),
        ),
        bound("maxItems", KeyShape::Count, Limit::Most, "The greatest number of names.", Number(16))
            .default(Number(DEFAULT_MAP_ENTRIES)),
        bound(
            "pattern",
            KeyShape::Text,
            Limit::Exact,
            "A regular expression that must match somewhere in each name.",
            Text("^[a-z]+$"),
        ),
    ],
};

/// A named type (an enum or an object of the service). It has no keys: its definition has them.
pub static NAMED: KeyTable =
    KeyTable { what: "a shared type", description: "An `enum` or `object` of the service, by its name.", keys: &[] };

const VALUES: KeySpec =
    key("values", KeyShape::Values, "The type of the values: any type but an array, an object, a reference and a map.")
        .required()
        .example(Map(&[("type", Text("string"))]))
        .in_rust(InRust::Code);

const ITEMS: KeySpec = key("items", KeyShape::Items, "The type of the items.")
    .required()
    .example(Map(&[("type", Text("string"))]))
    .in_rust(InRust::Code);
