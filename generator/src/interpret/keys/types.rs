//! The types of the language, the keys that each brings, and the words that these take.

use super::Literal::{Flag, Map, Number, Text, Texts};
use super::documents::FIELDS;
use super::{Case, Key, Literal, Part, Shape, Table, key};
use restwell_model::field::DEFAULT_SCALE;
use restwell_model::{Format, OnDelete, Secret};

/// What `format` may say.
pub(crate) const FORMATS: &[(&str, Format)] = &[("email", Format::Email), ("uri", Format::Uri)];

/// What `onDelete` may say.
pub(crate) const ON_DELETE: &[(&str, OnDelete)] =
    &[("restrict", OnDelete::Restrict), ("cascade", OnDelete::Cascade), ("null", OnDelete::Null)];

/// What `secret` may say.
pub(crate) const SECRETS: &[(&str, Secret)] = &[("argon2", Secret::Argon2)];

/// The types, as the language's page lists them.
pub(crate) static TYPES: &[Table] = &[
    Table {
        what: "string",
        description: "Unicode text. `\"\"` and blanks alone are null.",
        keys: &[
            bound("minLength", Shape::Count, "At least so many characters.", Number(1)),
            bound("maxLength", Shape::Count, "At most so many characters.", Number(75)),
            bound("pattern", Shape::Text, "A regular expression that is found in the text.", Text("^[A-Z]{3}-[0-9]{2}$")),
            bound("format", Shape::Format, "A known form: `email` or `uri`.", Text("uri")),
        ],
    },
    Table {
        what: "integer",
        description: "A whole number in 64 bits, signed.",
        keys: &[least(Shape::Integer, Number(0)), most(Shape::Integer, Number(1000))],
    },
    Table {
        what: "number",
        description: "A finite number in double precision. Money and other exact values are a `price` or a `decimal`.",
        keys: &[least(Shape::Number, Number(0)), most(Shape::Number, Number(1))],
    },
    Table {
        what: "decimal",
        description: "An exact decimal, a string in JSON: `\"1.50\"`.",
        keys: &[
            bound("scale", Shape::Count, "Digits after the point.", Number(3)).default(Number(DEFAULT_SCALE)),
            least(Shape::Decimal, Text("0.00")),
            most(Shape::Decimal, Text("999.99")),
        ],
    },
    plain("boolean", "`true` or `false`."),
    plain("uuid", "A UUID in lower case."),
    Table {
        what: "timestamp",
        description: "A moment in UTC, exactly `yyyy-MM-ddTHH:mm:ss.SSSZ`.",
        keys: &[
            least(Shape::Timestamp, Text("2000-01-01T00:00:00.000Z")),
            most(Shape::Timestamp, Text("2099-12-31T23:59:59.999Z")),
        ],
    },
    Table {
        what: "date",
        description: "A day, `yyyy-MM-dd`.",
        keys: &[least(Shape::Date, Text("2000-01-01")), most(Shape::Date, Text("2099-12-31"))],
    },
    plain("time", "A time of day without a zone, exactly `HH:mm:ss.SSS`."),
    plain("duration", "An ISO 8601 duration, kept as written: `P14D`."),
    plain("country", "An ISO 3166 country code: two letters, upper case."),
    plain("language", "A language tag of RFC 5646: `pl-PL`."),
    plain("currency", "An ISO 4217 currency code."),
    Table {
        what: "price",
        description: "An amount and a currency: `{ amount: \"9.50\", currency: PLN }`.",
        keys: &[
            least(Shape::Decimal, Text("0.01")),
            most(Shape::Decimal, Text("9999999.99")),
            bound("currencies", Shape::Texts, "The currencies that are taken. Default: all.", Texts(&["PLN", "EUR"])),
        ],
    },
    Table {
        what: "enum",
        description: "One of a few values in upper case, for this field alone. One that is shared is a document.",
        keys: &[form("values", Shape::Names(Case::UpperSnake), "The values in UPPER_SNAKE, in the order of writing.")
            .required()
            .example(Texts(&["ACTIVE", "ENDED"]))],
    },
    Table {
        what: "ref",
        description: "Another entity, rendered as `{ id }` with what is shown of it. A request needs its `id` only.",
        keys: &[
            form("to", Shape::Name(Case::Pascal), "The resource that it points at.").required().example(Text("User")),
            form("show", Shape::Names(Case::Camel), "Fields of the other entity that are rendered beside its `id`.")
                .example(Texts(&["name"])),
            form(
                "onDelete",
                Shape::OnDelete,
                "What deleting the other entity does: it is refused (`restrict`), this one goes too (`cascade`), or loses \
                 the reference (`null`).",
            )
            .default(Text("restrict")),
        ],
    },
    Table {
        what: "object",
        description: "A nested structure, for this field alone. One that is shared is a document.",
        keys: &[FIELDS],
    },
    Table {
        what: "array",
        description: "A list of one type, any but an array. Never null.",
        keys: &[
            form("items", Shape::Items, "What it holds.").required().example(Map(&[("type", Text("string"))])),
            bound("minItems", Shape::Count, "At least so many, where it is required or not empty.", Number(1)),
            bound("maxItems", Shape::Count, "At most so many.", Number(16)),
            bound("uniqueItems", Shape::Switch, "No two items are equal.", Flag(true)).default(Flag(false)),
        ],
    },
];

/// What a named type (an enum or an object of the service) brings: nothing, its definition says it all.
pub(crate) static NAMED: Table = plain("a shared type", "An `enum` or `object` of the service, by its name.");

/// The keys of a type of the language.
pub(crate) fn type_table(word: &str) -> Option<&'static Table> {
    TYPES.iter().find(|table| table.what == word)
}

/// The types that have a key.
pub(crate) fn types_with(key: &str) -> Vec<&'static str> {
    TYPES.iter().filter(|ty| ty.find(key).is_some()).map(|ty| ty.what).collect()
}

const fn plain(what: &'static str, description: &'static str) -> Table {
    Table { what, description, keys: &[] }
}

/// A key that says what the type is.
const fn form(name: &'static str, shape: Shape, description: &'static str) -> Key {
    key(name, shape, description)
}

/// A key that says what is accepted.
const fn bound(name: &'static str, shape: Shape, description: &'static str, example: Literal) -> Key {
    key(name, shape, description).part(Part::Constraint).example(example)
}

const fn least(shape: Shape, example: Literal) -> Key {
    bound("minimum", shape, "The smallest value that is accepted.", example)
}

const fn most(shape: Shape, example: Literal) -> Key {
    bound("maximum", shape, "The largest value that is accepted.", example)
}
