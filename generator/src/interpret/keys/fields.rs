//! What is said of a field whatever its type.

use super::Literal::{Text, Texts};
use super::documents::{ALLOW, DEPRECATED, DESCRIPTION, SUNSET};
use super::{Key, Part, Shape, Table, key, switch};

/// The keys of a field of any type; those of its type come on top.
pub(crate) static FIELD: Table = Table {
    what: "a field",
    description: "A property of an entity, an object, a command's input or output.",
    keys: &[
        TYPE,
        presence(switch("required", "Never null: a request without it gets 422, unless it has a `default`.")),
        presence(key("default", Shape::Default, "Used when a request omits the field: a value of its type.")),
        presence(switch("immutable", "Taken at creation. Later an unchanged value is fine, and another one gets 422.")),
        presence(switch("readOnly", "Set by the service only, in commands and hooks. Ignored in requests.")),
        presence(switch("writeOnly", "Accepted, never rendered, never filterable.")),
        presence(key("secret", Shape::Secret, "How a `writeOnly` value is kept: `argon2` stores its hash alone.")),
        used(switch("filter", "May be a query parameter: equality, and ranges where the type is ordered. Indexed.")),
        used(switch("sort", "May stand in `sort`. Indexed.")),
        used(switch("unique", "No two entities share it. Null is never equal to null.")),
        used(key("views", Shape::Texts, "The views that have it. Default: the resource itself and all its views."))
            .example(Texts(&["sale"])),
        used(key("versions", Shape::Versions, "The versions that have it. Default: all.")).example(Texts(&["beta.v2"])),
        used(DEPRECATED),
        used(SUNSET),
        used(DESCRIPTION).example(Text("The price to buy it at once.")),
        used(key("example", Shape::Example, "A value of the field's type, for the documentation.")),
        used(key("renamedFrom", Shape::Text, "The name it had, so that the migration renames instead of dropping."))
            .example(Text("title")),
        used(ALLOW),
    ],
};

/// The keys of an array's items of any type; those of the type come on top.
pub(crate) static ITEMS: Table =
    Table { what: "an array's `items`", description: "What an array holds: any type but an array.", keys: &[TYPE] };

const TYPE: Key = key("type", Shape::Type, "The type: a word of the language, or the name of an `object` or `enum`.")
    .required()
    .example(Text("string"));

const fn presence(key: Key) -> Key {
    key.part(Part::Presence)
}

const fn used(key: Key) -> Key {
    key.part(Part::Use)
}
