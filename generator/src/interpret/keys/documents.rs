//! The keys of the documents, and of the parts of a resource beside its fields.

use super::Literal::{Flag, List, Map, Text, Texts};
use super::{Case, KeySpec, KeyTable, Shape, key, switch};
use restwell_model::resource::DEFAULT_TIMEOUT;
use restwell_model::service::DEFAULT_VENDOR;

/// The kinds of document, which are their first keys.
pub(crate) const DOCUMENTS: &[&str] = &["service", "resource", "object", "enum"];

/// The tables of the documents. Each begins with the key that names the kind.
pub(crate) static DOCUMENT_TABLES: [&KeyTable; 4] = [&SERVICE, &RESOURCE, &OBJECT, &ENUM];

pub(crate) static SERVICE: KeyTable = KeyTable {
    what: "a service",
    description: "The service as a whole. Exactly one document describes the service.",
    keys: &[
        key(
            "service",
            Shape::Name(Case::Kebab),
            "The name of the service in kebab-case, used for the crate and for event subjects.",
        )
        .required()
        .example(Text("marketplace")),
        key("title", Shape::Text, "The name that the documentation shows.").example(Text("Marketplace API")),
        key(
            "vendor",
            Shape::Name(Case::DottedKebab),
            "The vendor in the media types: `application/vnd.<vendor>.public.v1+json`.",
        )
        .default(Text(DEFAULT_VENDOR)),
        key(
            "users",
            Shape::Name(Case::Pascal),
            "The resource of the users: the id of a caller is the id of one of its entities. Required for `owner`.",
        )
        .example(Text("User")),
    ],
};

pub(crate) static ENUM: KeyTable = KeyTable {
    what: "an enum",
    description: "A list of values that several fields can use as their type.",
    keys: &[
        key("enum", Shape::Name(Case::Pascal), "The name in PascalCase, singular. Fields use it as their `type`.")
            .required()
            .example(Text("Colour")),
        DESCRIPTION,
        ALLOW,
        key("values", Shape::Names(Case::UpperSnake), "The values in UPPER_SNAKE_CASE, in their order.")
            .required()
            .example(Texts(&["WHITE", "BLACK", "RED"])),
    ],
};

pub(crate) static OBJECT: KeyTable = KeyTable {
    what: "an object",
    description: "A nested object that several fields can use as their type.",
    keys: &[
        key("object", Shape::Name(Case::Pascal), "The name in PascalCase, singular. Fields use it as their `type`.")
            .required()
            .example(Text("Address")),
        DESCRIPTION,
        ALLOW,
        FIELDS,
    ],
};

pub(crate) static RESOURCE: KeyTable = KeyTable {
    what: "a resource",
    description: "A kind of entity that the service serves: `Offer` at `/offers`.",
    keys: &[
        key("resource", Shape::Name(Case::Pascal), "The name in PascalCase, singular: `Offer` is served at `/offers`.")
            .required()
            .example(Text("Offer")),
        DESCRIPTION,
        key(
            "renamedFrom",
            Shape::Text,
            "The old name, so that the migration renames the table instead of dropping it.",
        )
        .example(Text("Listing")),
        key("plural", Shape::Name(Case::Kebab), "The plural in paths, if the derived plural is wrong.")
            .example(Text("general-deliveries")),
        key("versions", Shape::Versions, "The versions: `public.v1`, and beta versions in ascending order.")
            .default(Texts(&["public.v1"]))
            .example(Texts(&["public.v1", "beta.v2"])),
        key("retired", Shape::Versions, "Old versions: requests for them get 410.").example(Texts(&["beta.v1"])),
        DEPRECATED,
        SUNSET,
        key("owner", Shape::Name(Case::Camel), "The reference to the user who owns an entity.").example(Text("seller")),
        key(
            "under",
            Shape::Names(Case::Camel),
            "References with a scoped collection: `[seller]` adds `/users/{userId}/offers`.",
        )
        .example(Texts(&["seller"])),
        key(
            "unique",
            Shape::Combinations,
            "Combinations of fields whose values no two entities share. For one field, use its `unique: true`.",
        )
        .example(List(&[Texts(&["seller", "name"])])),
        key(
            "operations",
            Shape::Operations,
            "The operations, and who has access to them. Other methods get 405. \
             Default: `create`, `list`, `get`, `update` and `delete`, open to anyone.",
        )
        .example(Map(&[
            ("create", Map(&[("access", Text("user"))])),
            ("list", Map(&[])),
            ("get", Map(&[])),
            ("update", Map(&[("access", Text("owner"))])),
        ])),
        key("views", Shape::Views, "The same entities under other URLs, by the name of the view in kebab-case.")
            .example(Map(&[("sale", Map(&[("operations", Map(&[("list", Map(&[("access", Text("owner"))]))]))]))])),
        key("count", Shape::Switch, "Whether collections have a `count`. Switch it off for very large tables.")
            .default(Flag(true)),
        key(
            "search",
            Shape::Search,
            "Adds `/<resource>-searches`: `true` for all filterable fields and arrays of objects, or a list of fields.",
        )
        .default(Flag(false))
        .example(Texts(&["name", "buyNow"])),
        key(
            "commands",
            Shape::Commands,
            "Idempotent commands, by name in kebab-case: `/offers/{id}/renew-commands/{commandId}`.",
        )
        .example(Map(&[("renew", Map(&[("access", Text("owner"))]))])),
        ALLOW,
        FIELDS,
    ],
};

pub(crate) static OPERATION: KeyTable = KeyTable {
    what: "an operation",
    description: "Who has access to the operation, and whether it is asynchronous.",
    keys: &[ACCESS, switch("async", "Responds with 202 and does the work later.")],
};

pub(crate) static VIEW: KeyTable = KeyTable {
    what: "a view",
    description: "The same entities under another URL, with its own operations and fields.",
    keys: &[
        key("path", Shape::Path, "The absolute path. Default: `/<view>/<resources>`.").example(Text("/watched-offers")),
        key(
            "through",
            Shape::Through,
            "Shows only the entities that the caller's own entities of another resource refer to: the resource, a dot \
             and its reference field.",
        )
        .example(Text("Watch.offer")),
        key("operations", Shape::Operations, "The operations of the view, and who has access to them.")
            .required()
            .example(Texts(&["list", "get"])),
        ALLOW,
    ],
};

pub(crate) static COMMAND: KeyTable = KeyTable {
    what: "a command",
    description: "An idempotent command: a sub-resource that a client creates with PUT, under an id of its choice.",
    keys: &[
        DESCRIPTION,
        ACCESS,
        key("ready", Shape::Switch, "`false`: only announced; requests get 501.").default(Flag(true)),
        key("input", Shape::Fields, "The fields that the client sends, by name in camelCase.")
            .example(Map(&[("fromDate", Map(&[("type", Text("timestamp"))]))])),
        key("output", Shape::Fields, "The fields that the command adds to its response, by name in camelCase.")
            .example(Map(&[("endingAt", Map(&[("type", Text("timestamp"))]))])),
        key("timeout", Shape::Duration, "How long the command may run, from `PT1S` to `P1D`. After that it is FAILED.")
            .default(Text(DEFAULT_TIMEOUT))
            .example(Text("PT10S")),
        DEPRECATED,
        SUNSET,
        ALLOW,
    ],
};

pub(super) const DESCRIPTION: KeySpec = key("description", Shape::Text, "The description in the documentation.")
    .example(Text("Something that a seller puts up for sale."));

pub(super) const DEPRECATED: KeySpec =
    switch("deprecated", "Marks it as deprecated, in the documentation and in `Deprecation` response headers.");

pub(super) const SUNSET: KeySpec =
    key("sunset", Shape::Date, "The day on which the deprecated part is removed.").example(Text("2027-06-30"));

pub(super) const ALLOW: KeySpec = key("allow", Shape::Allow, "Rules that are switched off here, each with the reason.")
    .example(Map(&[("plural-array", Text("data is the domain's word"))]));

pub(super) const FIELDS: KeySpec = key(
    "fields",
    Shape::Fields,
    "The fields, by name in camelCase. Every resource also has `id`, `createdAt` and `updatedAt`.",
)
.required()
.example(Map(&[("name", Map(&[("type", Text("string")), ("required", Flag(true))]))]));

const ACCESS: KeySpec = key(
    "access",
    Shape::Access,
    "Who has access: `anyone`, `user` (every authenticated caller), `owner` (of the entity), `scope:<name>` (callers \
     whose token has the scope), or a list of these, of which a caller needs one.",
)
.default(Text("anyone"))
.example(Texts(&["owner", "scope:offers.admin"]));
