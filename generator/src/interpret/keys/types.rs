//! The types of the language, the keys of each type, and the words that these keys accept.

use super::Literal::{Flag, Map, Number, Text, Texts};
use super::documents::FIELDS;
use super::{Case, KeySpec, KeyTable, Literal, Part, Shape, key};
use restwell_model::field::DEFAULT_SCALE;
use restwell_model::{Format, OnDelete, Secret};

/// The values of `format`.
pub(crate) const FORMATS: &[(&str, Format)] = &[("email", Format::Email), ("uri", Format::Uri)];

/// The values of `onDelete`.
pub(crate) const ON_DELETE: &[(&str, OnDelete)] =
    &[("restrict", OnDelete::Restrict), ("cascade", OnDelete::Cascade), ("null", OnDelete::Null)];

/// The values of `secret`.
pub(crate) const SECRETS: &[(&str, Secret)] = &[("argon2", Secret::Argon2)];

/// The types, in the order of the documentation.
pub(crate) static TYPES: &[KeyTable] = &[
    KeyTable {
        what: "string",
        description: "Unicode text. An empty or blank text is null.",
        keys: &[
            bound("minLength", Shape::Count, "The least number of characters.", Number(1)),
            bound("maxLength", Shape::Count, "The greatest number of characters.", Number(75)),
            bound(
                "pattern",
                Shape::Text,
                "A regular expression that must match somewhere in the text.",
                Text("^[A-Z]{3}-[0-9]{2}$"),
            ),
            bound("format", Shape::Format, "The format of the text: `email` or `uri`.", Text("uri")),
        ],
    },
    KeyTable {
        what: "integer",
        description: "A signed 64-bit integer.",
        keys: &[least(Shape::Integer, Number(0)), most(Shape::Integer, Number(1000))],
    },
    KeyTable {
        what: "number",
        description: "A finite double-precision number. For money and other exact values use `price` or `decimal`.",
        keys: &[least(Shape::Number, Number(0)), most(Shape::Number, Number(1))],
    },
    KeyTable {
        what: "decimal",
        description: "An exact decimal number, a string in JSON: `\"1.50\"`.",
        keys: &[
            bound("scale", Shape::Count, "The number of digits after the decimal point.", Number(3))
                .default(Number(DEFAULT_SCALE)),
            least(Shape::Decimal, Text("0.00")),
            most(Shape::Decimal, Text("999.99")),
        ],
    },
    plain("boolean", "`true` or `false`."),
    plain("uuid", "A UUID in lower case."),
    KeyTable {
        what: "timestamp",
        description: "A time in UTC, exactly `yyyy-MM-ddTHH:mm:ss.SSSZ`.",
        keys: &[
            least(Shape::Timestamp, Text("2000-01-01T00:00:00.000Z")),
            most(Shape::Timestamp, Text("2099-12-31T23:59:59.999Z")),
        ],
    },
    KeyTable {
        what: "date",
        description: "A date, `yyyy-MM-dd`.",
        keys: &[least(Shape::Date, Text("2000-01-01")), most(Shape::Date, Text("2099-12-31"))],
    },
    plain("time", "A time of day without a time zone, exactly `HH:mm:ss.SSS`."),
    plain("duration", "An ISO 8601 duration, stored as written: `P14D`."),
    plain("country", "An ISO 3166 country code: two letters, upper case."),
    plain("language", "A language tag of RFC 5646: `pl-PL`."),
    plain("currency", "An ISO 4217 currency code."),
    KeyTable {
        what: "price",
        description: "An amount and a currency: `{ amount: \"9.50\", currency: PLN }`.",
        keys: &[
            least(Shape::Decimal, Text("0.01")),
            most(Shape::Decimal, Text("9999999.99")),
            bound("currencies", Shape::Texts, "The accepted currencies. Default: all.", Texts(&["PLN", "EUR"])),
        ],
    },
    KeyTable {
        what: "enum",
        description: "One of a list of upper-case values, for this field only. A shared enum is its own document.",
        keys: &[form("values", Shape::Names(Case::UpperSnake), "The values in UPPER_SNAKE_CASE, in their order.")
            .required()
            .example(Texts(&["ACTIVE", "ENDED"]))],
    },
    KeyTable {
        what: "ref",
        description: "A reference to another entity, rendered as `{ id }` and the fields of `show`. Requests need the `id`.",
        keys: &[
            form("to", Shape::Name(Case::Pascal), "The resource that it refers to.").required().example(Text("User")),
            form("show", Shape::Names(Case::Camel), "Fields of the other entity that are rendered beside its `id`.")
                .example(Texts(&["name"])),
            form(
                "onDelete",
                Shape::OnDelete,
                "What happens when the other entity is deleted: the deletion is refused (`restrict`), this entity is \
                 deleted too (`cascade`), or the reference becomes null (`null`).",
            )
            .default(Text("restrict")),
        ],
    },
    KeyTable {
        what: "object",
        description: "A nested object, for this field only. A shared object is its own document.",
        keys: &[FIELDS],
    },
    KeyTable {
        what: "array",
        description: "A list of values of one type, which cannot be an array. Never null.",
        keys: &[
            form("items", Shape::Items, "The type of the items.").required().example(Map(&[("type", Text("string"))])),
            bound(
                "minItems",
                Shape::Count,
                "The least number of items, if the array is required or not empty.",
                Number(1),
            ),
            bound("maxItems", Shape::Count, "The greatest number of items.", Number(16)),
            bound("uniqueItems", Shape::Switch, "Refuses equal items.", Flag(true)).default(Flag(false)),
        ],
    },
];

/// A named type (an enum or an object of the service). It has no keys: its definition has them.
pub(crate) static NAMED: KeyTable = plain("a shared type", "An `enum` or `object` of the service, by its name.");

/// The keys of a type of the language.
pub(crate) fn type_table(word: &str) -> Option<&'static KeyTable> {
    TYPES.iter().find(|table| table.what == word)
}

/// The types that have a key.
pub(crate) fn types_with(key: &str) -> Vec<&'static str> {
    TYPES.iter().filter(|ty| ty.find(key).is_some()).map(|ty| ty.what).collect()
}

const fn plain(what: &'static str, description: &'static str) -> KeyTable {
    KeyTable { what, description, keys: &[] }
}

/// A key that defines the type.
const fn form(name: &'static str, shape: Shape, description: &'static str) -> KeySpec {
    key(name, shape, description)
}

/// A key that constrains the values.
const fn bound(name: &'static str, shape: Shape, description: &'static str, example: Literal) -> KeySpec {
    key(name, shape, description).part(Part::Constraint).example(example)
}

const fn least(shape: Shape, example: Literal) -> KeySpec {
    bound("minimum", shape, "The smallest value that is accepted.", example)
}

const fn most(shape: Shape, example: Literal) -> KeySpec {
    bound("maximum", shape, "The largest value that is accepted.", example)
}
