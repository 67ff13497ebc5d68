//! The keys of a field that do not depend on its type.
//!
//! The name of a key is that of a member of [`Field`](crate::Field) in the model's JSON: front ends set it by that
//! name, and the emitter reads it from there.

use super::Literal::{Map, Text, Texts};
use super::documents::{ALLOW, DEPRECATED, DESCRIPTION, SUNSET};
use super::keys::{InRust, KeySpec, KeyTable, Part, key, switch};
use super::{KeyShape, Literal, Renamed};

/// The keys of a field of any type; those of its type come on top.
pub static FIELD: KeyTable = KeyTable {
    what: "a field",
    description: "A property of an entity or an object, or an input or output of a command.",
    keys: &[
        TYPE,
        presence(
            key(
                "required",
                KeyShape::Required,
                "The field is never null: a request without it gets 422, unless there is a `default`. With a \
                 condition, `{ when: 'kind == \"AUCTION\"' }`, only where that holds.",
            )
            .default(Literal::Flag(false)),
        ),
        presence(key(
            "default",
            KeyShape::Default,
            "The value when a request omits the field. With `{ is: now }` it is computed when the entity is created.",
        )),
        presence(key(
            "is",
            KeyShape::Condition,
            "The value, computed whenever an entity is read: neither stored nor written, and ignored in requests.",
        ))
        .example(Text("price * quantity")),
        presence(switch(
            "immutable",
            "Set at creation only. A later request may repeat the value; a different value gets 422.",
        )),
        presence(switch("readOnly", "Only the service sets it, in commands and hooks. Ignored in requests.")),
        presence(switch("writeOnly", "Accepted in requests, but never rendered and never filterable.")),
        presence(key(
            "secret",
            KeyShape::Secret,
            "How a `writeOnly` value is stored: with `argon2`, only as its hash.",
        )),
        presence(key(
            "visible",
            KeyShape::Access,
            "Who sees the field, as in `access`. For other callers it is null, and cannot be filtered, sorted, \
             searched or set. Default: every caller.",
        ))
        .example(Texts(&["owner", "scope:offers.admin"])),
        presence(key(
            "writable",
            KeyShape::Access,
            "Who may change the field, as in `access`. For other callers a request that would change it is 403. \
             Default: every caller who may change the entity.",
        ))
        .example(Texts(&["owner"])),
        used(
            key(
                "filter",
                KeyShape::Filter,
                "Allows the field as a query parameter: equality, and ranges if the type is ordered. Indexed. A list \
                 adds comparisons to these: `[not, startsWith, contains, startsWithIgnoreCase, containsIgnoreCase]`.",
            )
            .default(Literal::Flag(false)),
        ),
        used(switch("sort", "Allows the field in `sort`. Indexed.")),
        used(
            key(
                "unique",
                KeyShape::Unique,
                "No two entities have the same value. Two nulls are not equal. With `ignoreCase`, for strings, values \
                 that differ in case alone are the same.",
            )
            .default(Literal::Flag(false)),
        ),
        used(key(
            "views",
            KeyShape::Words,
            "The views that have the field. Default: the resource itself and all its views.",
        ))
        .example(Texts(&["sale"])),
        used(key("versions", KeyShape::Versions, "The versions that have the field. Default: all."))
            .example(Texts(&["beta.v2"])),
        used(key("placeholder", KeyShape::Text, "An example of what to type, for forms.")).example(Text("Red bicycle")),
        used(DEPRECATED),
        used(SUNSET),
        used(DESCRIPTION).example(Text("The price to buy it at once.")),
        used(key("example", KeyShape::Example, "A valid value, for the documentation.")),
        used(key(
            "renamedFrom",
            KeyShape::Text,
            "The old name, so that the migration renames the field instead of dropping it.",
        ))
        .example(Text("title")),
        used(key(
            "formerly",
            KeyShape::Formerly(Renamed::Field),
            "The former name, which is served beside the present one until its `sunset`. Its rows are kept.",
        ))
        .example(Map(&[("name", Text("title")), ("sunset", Text("2027-06-30"))])),
        used(ALLOW),
    ],
};

/// The keys of an array's items of any type; those of the type come on top.
pub static ITEMS: KeyTable = KeyTable {
    what: "an array's `items`",
    description: "The type of the items of an array: any type except an array.",
    keys: &[TYPE],
};

/// The keys of a map's values of any type; those of the type come on top.
pub static VALUES: KeyTable = KeyTable {
    what: "a map's `values`",
    description: "The type of the values of a map: any type except an array, an object, a reference and a map.",
    keys: &[TYPE],
};

const TYPE: KeySpec = key("type", KeyShape::Type, "The type: a built-in type, or the name of an `object` or `enum`.")
    .required()
    .example(Text("string"))
    .in_rust(InRust::Code);

const fn presence(key: KeySpec) -> KeySpec {
    key.part(Part::Presence)
}

const fn used(key: KeySpec) -> KeySpec {
    key.part(Part::Use)
}
