//! The documents, and what stands in a resource beside its fields.

use super::Literal::{Flag, List, Map, Text, Texts};
use super::{Case, Key, Shape, Table, key, switch};
use restwell_model::resource::DEFAULT_TIMEOUT;
use restwell_model::service::DEFAULT_VENDOR;

/// What the first key of a document says it is.
pub(crate) const DOCUMENTS: &[&str] = &["service", "resource", "object", "enum"];

/// The tables of the documents, each of which begins with the key that says what the document is.
pub(crate) static DOCUMENT_TABLES: [&Table; 4] = [&SERVICE, &RESOURCE, &OBJECT, &ENUM];

pub(crate) static SERVICE: Table = Table {
    what: "a service",
    description: "The service as a whole. Exactly one document is a service.",
    keys: &[
        key("service", Shape::Name(Case::Kebab), "The service's name in kebab-case: the crate, the event subjects.")
            .required()
            .example(Text("marketplace")),
        key("title", Shape::Text, "The name for people, as the documentation shows it.")
            .example(Text("Marketplace API")),
        key(
            "vendor",
            Shape::Name(Case::DottedKebab),
            "The word of the media types: `application/vnd.<vendor>.public.v1+json`.",
        )
        .default(Text(DEFAULT_VENDOR)),
        key(
            "users",
            Shape::Name(Case::Pascal),
            "The resource whose id is the authenticated caller's. Needed once `owner` is used.",
        )
        .example(Text("User")),
    ],
};

pub(crate) static ENUM: Table = Table {
    what: "an enum",
    description: "A list of values that fields share by its name.",
    keys: &[
        key("enum", Shape::Name(Case::Pascal), "The name in PascalCase, singular: what fields give as their `type`.")
            .required()
            .example(Text("Colour")),
        DESCRIPTION,
        ALLOW,
        key("values", Shape::Names(Case::UpperSnake), "The values in UPPER_SNAKE, in the order of writing.")
            .required()
            .example(Texts(&["WHITE", "BLACK", "RED"])),
    ],
};

pub(crate) static OBJECT: Table = Table {
    what: "an object",
    description: "A nested structure that fields share by its name.",
    keys: &[
        key("object", Shape::Name(Case::Pascal), "The name in PascalCase, singular: what fields give as their `type`.")
            .required()
            .example(Text("Address")),
        DESCRIPTION,
        ALLOW,
        FIELDS,
    ],
};

pub(crate) static RESOURCE: Table = Table {
    what: "a resource",
    description: "Something that the service serves: `Offer` at `/offers`.",
    keys: &[
        key("resource", Shape::Name(Case::Pascal), "The name in PascalCase, singular: `Offer` is served at `/offers`.")
            .required()
            .example(Text("Offer")),
        DESCRIPTION,
        key("renamedFrom", Shape::Text, "The name it had, so that the migration renames instead of dropping.")
            .example(Text("Listing")),
        key("plural", Shape::Name(Case::Kebab), "The word in paths, where the derived plural is wrong.")
            .example(Text("general-deliveries")),
        key("versions", Shape::Versions, "The versions served now: `public.v1`, and betas that count up.")
            .default(Texts(&["public.v1"]))
            .example(Texts(&["public.v1", "beta.v2"])),
        key("retired", Shape::Versions, "Versions that are answered with 410.").example(Texts(&["beta.v1"])),
        DEPRECATED,
        SUNSET,
        key("owner", Shape::Name(Case::Camel), "The reference to the service's `users` that names an entity's owner.")
            .example(Text("seller")),
        key(
            "under",
            Shape::Names(Case::Camel),
            "References that make scoped collections: `[seller]` makes `/users/{userId}/offers`.",
        )
        .example(Texts(&["seller"])),
        key(
            "unique",
            Shape::Combinations,
            "Combinations of fields that no two entities share. One field alone says `unique: true` itself.",
        )
        .example(List(&[Texts(&["seller", "name"])])),
        key(
            "operations",
            Shape::Operations,
            "What may be done, and by whom. A method that is not listed answers 405. \
             Default: `create`, `list`, `get`, `update` and `delete`, open to anyone.",
        )
        .example(Map(&[
            ("create", Map(&[("access", Text("user"))])),
            ("list", Map(&[])),
            ("get", Map(&[])),
            ("update", Map(&[("access", Text("owner"))])),
        ])),
        key("views", Shape::Views, "The same entities under other URLs, by the view's name in kebab-case.").example(
            Map(&[("sale", Map(&[("operations", Map(&[("list", Map(&[("access", Text("owner"))]))]))]))]),
        ),
        key("count", Shape::Switch, "Whether collections tell their `count`. Switch it off for very big tables.")
            .default(Flag(true)),
        key(
            "search",
            Shape::Search,
            "Makes `/<resource>-searches`: `true` over all filterable fields and arrays of objects, or a list of fields.",
        )
        .default(Flag(false))
        .example(Texts(&["name", "buyNow"])),
        key("commands", Shape::Commands, "Idempotent commands, by name in kebab-case: `/offers/{id}/renew-commands/{commandId}`.")
            .example(Map(&[("renew", Map(&[("access", Text("owner"))]))])),
        ALLOW,
        FIELDS,
    ],
};

pub(crate) static OPERATION: Table = Table {
    what: "an operation",
    description: "Who may call the operation, and whether it is done later.",
    keys: &[ACCESS, switch("async", "Answered with 202 and done later.")],
};

pub(crate) static VIEW: Table = Table {
    what: "a view",
    description: "The same entities under another URL, with operations and fields of its own.",
    keys: &[
        key("path", Shape::Path, "The absolute path. Default: `/<view>/<resources>`.").example(Text("/watched-offers")),
        key(
            "through",
            Shape::Through,
            "Only the entities that the caller's own entities of another resource point at: the resource, a dot and its \
             reference field.",
        )
        .example(Text("Watch.offer")),
        key("operations", Shape::Operations, "What may be done in the view, and by whom.")
            .required()
            .example(Texts(&["list", "get"])),
        ALLOW,
    ],
};

pub(crate) static COMMAND: Table = Table {
    what: "a command",
    description: "An idempotent command: a sub-resource that a client creates with PUT under an id of its own.",
    keys: &[
        DESCRIPTION,
        ACCESS,
        key("ready", Shape::Switch, "`false`: announced only, answered with 501.").default(Flag(true)),
        key("input", Shape::Fields, "What the client sends, by name in camelCase.")
            .example(Map(&[("fromDate", Map(&[("type", Text("timestamp"))]))])),
        key("output", Shape::Fields, "What the command adds to its answer, by name in camelCase.")
            .example(Map(&[("endingAt", Map(&[("type", Text("timestamp"))]))])),
        key("timeout", Shape::Duration, "How long it may run, from `PT1S` to `P1D`. Past it the command is FAILED.")
            .default(Text(DEFAULT_TIMEOUT))
            .example(Text("PT10S")),
        DEPRECATED,
        SUNSET,
        ALLOW,
    ],
};

pub(super) const DESCRIPTION: Key = key("description", Shape::Text, "What it is, for the documentation.")
    .example(Text("Something that a seller puts up for sale."));

pub(super) const DEPRECATED: Key =
    switch("deprecated", "Announced as going away: in the docs, and in `Deprecation` response headers.");

pub(super) const SUNSET: Key =
    key("sunset", Shape::Date, "The day on which what is deprecated goes away.").example(Text("2027-06-30"));

pub(super) const ALLOW: Key = key(
    "allow",
    Shape::Allow,
    "Rules that are switched off here, each with the reason why it is wrong for this one name.",
)
.example(Map(&[("plural-array", Text("data is the domain's word"))]));

pub(super) const FIELDS: Key = key(
    "fields",
    Shape::Fields,
    "The fields, by name in camelCase. `id`, `createdAt` and `updatedAt` of a resource are always there.",
)
.required()
.example(Map(&[("name", Map(&[("type", Text("string")), ("required", Flag(true))]))]));

const ACCESS: Key = key(
    "access",
    Shape::Access,
    "Who may: `anyone`, `user` (whoever is authenticated), `owner` (of the entity), `scope:<name>` (whose token has it), \
     or a list of these, any of which will do.",
)
.default(Text("anyone"))
.example(Texts(&["owner", "scope:offers.admin"]));
