//! The keys of the documents, and of the parts of a resource beside its fields.

use super::Literal::{Flag, List, Map, Text, Texts};
use super::keys::{InRust, KeySpec, KeyTable, key, switch};
use super::{Case, KeyShape, Renamed};
use crate::resource::DEFAULT_TIMEOUT;
use crate::service::DEFAULT_VENDOR;

/// The kinds of document, which are their first keys.
pub const DOCUMENTS: &[&str] = &["service", "resource", "object", "enum"];

/// The tables of the documents. Each begins with the key that names the kind.
pub static DOCUMENT_TABLES: [&KeyTable; 4] = [&SERVICE, &RESOURCE, &OBJECT, &ENUM];

/// The keys of the service.
pub static SERVICE: KeyTable = KeyTable {
    what: "a service",
    description: "The service as a whole. Exactly one document describes the service.",
    keys: &[
        key(
            "service",
            KeyShape::Name(Case::Kebab),
            "The name of the service in kebab-case, used for the crate and for event subjects.",
        )
        .required()
        .example(Text("marketplace")),
        key("title", KeyShape::Prose, "The name that the documentation shows.").example(Text("Marketplace API")),
        key(
            "description",
            KeyShape::Prose,
            "What the service is: the beginning of the description in the documentation. Markdown.",
        )
        .example(Text("Offers of people and companies.")),
        key("termsOfService", KeyShape::Text, "The URL of the terms under which the service may be used.")
            .example(Text("https://example.com/terms")),
        key("contact", KeyShape::Contact, "Who answers questions about the service.")
            .example(Map(&[("email", Text("api@example.com"))])),
        key("license", KeyShape::License, "The license of the interface.")
            .example(Map(&[("name", Text("Apache 2.0")), ("identifier", Text("Apache-2.0"))])),
        key(
            "vendor",
            KeyShape::Name(Case::DottedKebab),
            "The vendor in the media types: `application/vnd.<vendor>.public.v1+json`.",
        )
        .default(Text(DEFAULT_VENDOR)),
        key(
            "users",
            KeyShape::Users,
            "The resource of the users: the id of a caller is the id of one of its entities. Required for `owner`. Or \
             a mapping, where a field of theirs has the subject of their tokens: \
             `{ resource: User, subject: externalId, provision: { name: name } }`.",
        )
        .example(Text("User")),
        key(
            "roles",
            KeyShape::Roles,
            "Names for conditions on the caller alone, in camelCase. In `access` a role is a word like `user`.",
        )
        .example(Map(&[("moderator", Text("\"moderator\" in claims.roles"))])),
        key(
            "conditions",
            KeyShape::Conditions,
            "Names for conditions on the caller alone, in camelCase: words in all conditions of the service, and in \
             `access`, `visible` and `writable`.",
        )
        .example(Map(&[("desk", Text("claims.team == \"desk\" || \"desk\" in scopes"))])),
        key(
            "allow",
            KeyShape::AllowedChanges,
            "Changes of this document that are meant, and removed resources (`Offer.resource-dropped`), each with the \
             reason.",
        )
        .example(Map(&[("Listing.resource-dropped", Text("no client has used it since March"))])),
    ],
};

/// The keys of `contact`.
pub static CONTACT: KeyTable = KeyTable {
    what: "`contact`",
    description: "Who answers questions about the service.",
    keys: &[
        key("name", KeyShape::Text, "A person or a team.").example(Text("API team")),
        key("url", KeyShape::Text, "The URL of a page.").example(Text("https://example.com/support")),
        key("email", KeyShape::Text, "An address for mail.").example(Text("api@example.com")),
    ],
};

/// The keys of `license`.
pub static LICENSE: KeyTable = KeyTable {
    what: "`license`",
    description: "The license of the interface.",
    keys: &[
        key("name", KeyShape::Text, "The name of the license.").required().example(Text("Apache 2.0")),
        key("identifier", KeyShape::Text, "Its expression in SPDX. Documents have it in place of `url`.")
            .example(Text("Apache-2.0")),
        key("url", KeyShape::Text, "The URL of its text.").example(Text("https://example.com/license")),
    ],
};

/// The keys of `users`, where a field has the subject of tokens.
pub static USERS: KeyTable = KeyTable {
    what: "`users`",
    description: "How the user is found whom a token is about.",
    keys: &[
        key("resource", KeyShape::Name(Case::Pascal), "The resource of the users.").required().example(Text("User")),
        key(
            "subject",
            KeyShape::Name(Case::Camel),
            "The field that has the subject of their tokens: a string with `unique: true`.",
        )
        .required()
        .example(Text("externalId")),
        key(
            "provision",
            KeyShape::Claims,
            "Makes a user at the first token of a subject, with these fields from these claims of the token.",
        )
        .example(Map(&[("name", Text("name")), ("email", Text("email"))])),
    ],
};

/// The keys of a shared enum.
pub static ENUM: KeyTable = KeyTable {
    what: "an enum",
    description: "A list of values that several fields can use as their type.",
    keys: &[
        key("enum", KeyShape::Name(Case::Pascal), "The name in PascalCase, singular. Fields use it as their `type`.")
            .required()
            .example(Text("Colour"))
            .in_rust(InRust::Code),
        DESCRIPTION,
        DEPRECATIONS.example(List(&[Map(&[("what", Text("values.RED")), ("sunset", Text("2027-06-30"))])])),
        ALLOW,
        key("values", KeyShape::Names(Case::UpperSnake, "values"), "The values in UPPER_SNAKE_CASE, in their order.")
            .required()
            .example(Texts(&["WHITE", "BLACK", "RED"]))
            .in_rust(InRust::Code),
    ],
};

/// The keys of a shared object.
pub static OBJECT: KeyTable = KeyTable {
    what: "an object",
    description: "A nested object that several fields can use as their type.",
    keys: &[
        key("object", KeyShape::Name(Case::Pascal), "The name in PascalCase, singular. Fields use it as their `type`.")
            .required()
            .example(Text("Address"))
            .in_rust(InRust::Code),
        DESCRIPTION,
        DEPRECATIONS.example(List(&[Map(&[("what", Text("fields.city.filter")), ("sunset", Text("2027-06-30"))])])),
        ALLOW,
        FIELDS,
    ],
};

/// The keys of a resource.
pub static RESOURCE: KeyTable = KeyTable {
    what: "a resource",
    description: "A kind of entity that the service serves: `Offer` at `/offers`.",
    keys: &[
        key(
            "resource",
            KeyShape::Name(Case::Pascal),
            "The name in PascalCase, singular: `Offer` is served at `/offers`.",
        )
        .required()
        .example(Text("Offer"))
        .in_rust(InRust::Code),
        DESCRIPTION,
        key(
            "renamedFrom",
            KeyShape::Text,
            "The old name, so that the migration renames the table instead of dropping it.",
        )
        .example(Text("Listing")),
        key(
            "formerly",
            KeyShape::Formerly(Renamed::Resource),
            "The former name, whose paths and events are served beside the present ones until its `sunset`. Its rows \
             are kept.",
        )
        .example(Map(&[("name", Text("Listing")), ("sunset", Text("2027-06-30"))])),
        key("plural", KeyShape::Name(Case::Kebab), "The plural in paths, if the derived plural is wrong.")
            .example(Text("general-deliveries")),
        key("versions", KeyShape::Versions, "The versions: `public.v1`, and beta versions in ascending order.")
            .default(Texts(&["public.v1"]))
            .example(Texts(&["public.v1", "beta.v2"])),
        key("retired", KeyShape::Versions, "Old versions: requests for them get 410.").example(Texts(&["beta.v1"])),
        DEPRECATED,
        SUNSET,
        DEPRECATIONS,
        key(
            "owner",
            KeyShape::Name(Case::Camel),
            "The reference to the user who owns an entity; `id` on the resource of the users, who own themselves.",
        )
        .example(Text("seller")),
        key(
            "under",
            KeyShape::Names(Case::Camel, "reference fields"),
            "References with a scoped collection: `[seller]` adds `/users/{userId}/offers`.",
        )
        .example(Texts(&["seller"])),
        key(
            "unique",
            KeyShape::Combinations,
            "Combinations of fields whose values no two entities share. For one field, use its `unique: true`.",
        )
        .example(List(&[Texts(&["seller", "name"])])),
        key(
            "index",
            KeyShape::Combinations,
            "Indexes for lists that filter by the first fields, one value each, and sort by the last one. Every field \
             with `filter` or `sort` has an index of its own already.",
        )
        .example(List(&[Texts(&["category", "price"])])),
        key(
            "conditions",
            KeyShape::Conditions,
            "Names for conditions on an entity and the caller, in camelCase: words in the conditions of this document, \
             and in `access`, `visible` and `writable`.",
        )
        .example(Map(&[("staff", Text("property in caller.employers"))])),
        key(
            "visible",
            KeyShape::Access,
            "Who sees an entity at all, as in `access`. For other callers it does not exist: in lists, by its id, in \
             references, in events. Default: every caller.",
        )
        .example(Texts(&["owner", "scope:offers.admin"])),
        switch("disclose", "Callers who must not see an entity get 403 for its id, not 404."),
        key(
            "operations",
            KeyShape::Operations,
            "The operations, and who has access to them. Other methods get 405. \
             Default: `create`, `list`, `get`, `update` and `delete`, open to anyone.",
        )
        .example(Map(&[
            ("create", Map(&[("access", Text("user"))])),
            ("list", Map(&[])),
            ("get", Map(&[])),
            ("update", Map(&[("access", Text("owner"))])),
        ])),
        key("views", KeyShape::Views, "The same entities under other URLs, by the name of the view in kebab-case.")
            .example(Map(&[("sale", Map(&[("operations", Map(&[("list", Map(&[("access", Text("owner"))]))]))]))]))
            .in_rust(InRust::Renamed("view")),
        key("count", KeyShape::Switch, "Whether collections have a `count`. Switch it off for very large tables.")
            .default(Flag(true)),
        key(
            "search",
            KeyShape::Search,
            "Adds `/<resource>-searches`: `true` for all filterable fields and arrays, or a list of fields.",
        )
        .default(Flag(false))
        .example(Texts(&["name", "buyNow"])),
        key(
            "commands",
            KeyShape::Commands,
            "Idempotent commands, by name in kebab-case: `/offers/{id}/renew-commands/{commandId}`.",
        )
        .example(Map(&[("renew", Map(&[("access", Text("owner"))]))]))
        .in_rust(InRust::Code),
        key(
            "rules",
            KeyShape::Rules,
            "Conditions that every write has to keep, whoever makes it: each with the code and the message of its \
             error.",
        )
        .example(List(&[Map(&[
            ("check", Text("endingAt == null || endingAt > startingAt")),
            ("code", Text("EndsBeforeStart")),
            ("path", Text("endingAt")),
            ("message", Text("must be after startingAt")),
        ])]))
        .in_rust(InRust::Renamed("rule")),
        key(
            "lifecycle",
            KeyShape::Lifecycle,
            "The states of an entity, and the only ways from one to another: commands, or the clock.",
        )
        .example(Map(&[
            ("field", Text("status")),
            ("initial", Text("ACTIVE")),
            ("final", Texts(&["ENDED"])),
            ("transitions", Map(&[("end", Map(&[("from", Text("ACTIVE")), ("to", Text("ENDED"))]))])),
        ])),
        ALLOW,
        FIELDS,
    ],
};

/// The keys of an entry of `deprecations`.
pub static ANNOUNCEMENT: KeyTable = KeyTable {
    what: "an entry of `deprecations`",
    description: "A part of this document that goes away.",
    keys: &[
        key("what", KeyShape::Text, "The path of the part in this document.")
            .required()
            .example(Text("fields.name.filter")),
        key("sunset", KeyShape::Date, "The day on which it is removed.").example(Text("2027-06-30")),
    ],
};

/// The keys of `required`, where it depends on other fields.
pub static REQUIRED: KeyTable = KeyTable {
    what: "`required`",
    description: "When a value is needed.",
    keys: &[key("when", KeyShape::Condition, "The field must not be null where this holds.")
        .required()
        .example(Text("kind == \"AUCTION\""))],
};

/// The keys of a rule.
pub static RULE: KeyTable = KeyTable {
    what: "a rule",
    description: "A condition that every write has to keep: of requests, of commands, of the service's own code.",
    keys: &[
        key("check", KeyShape::Condition, "What has to hold of the entity that a write leaves.")
            .required()
            .example(Text("endingAt == null || endingAt > startingAt")),
        key("code", KeyShape::Name(Case::Pascal), "The code of the error, in PascalCase. Messages for users have it.")
            .required()
            .example(Text("EndsBeforeStart")),
        key("path", KeyShape::Text, "The field that the error is about, dotted. Default: the entity as a whole.")
            .example(Text("endingAt")),
        key(
            "message",
            KeyShape::Text,
            "The English text of the error, for developers. Default: that it breaks the rule.",
        )
        .example(Text("must be after startingAt")),
    ],
};

/// The keys of a lifecycle.
pub static LIFECYCLE: KeyTable = KeyTable {
    what: "a lifecycle",
    description: "The states of an entity, and the only ways from one to another.",
    keys: &[
        key("field", KeyShape::Name(Case::Camel), "The field with the state: an enum with `readOnly: true`.")
            .required()
            .example(Text("status")),
        key("initial", KeyShape::Name(Case::UpperSnake), "The state of a new entity.")
            .required()
            .example(Text("ACTIVE")),
        key("final", KeyShape::States, "The states that no transition leaves.").example(Texts(&["ENDED"])),
        key(
            "transitions",
            KeyShape::Transitions,
            "The transitions, by the name of the command that makes each of them.",
        )
        .required()
        .example(Map(&[("end", Map(&[("from", Text("ACTIVE")), ("to", Text("ENDED"))]))]))
        .in_rust(InRust::Renamed("transition")),
    ],
};

/// The keys of a transition.
pub static TRANSITION: KeyTable = KeyTable {
    what: "a transition",
    description: "A way from some states to one, made by the command of its name, or by the clock.",
    keys: &[
        key("from", KeyShape::States, "The state that it starts from, or a list of states.")
            .required()
            .example(Text("ACTIVE")),
        key("to", KeyShape::Name(Case::UpperSnake), "The state that it leads to.").required().example(Text("ENDED")),
        key("set", KeyShape::Assignments, "Fields that it sets, each to the value of an expression.")
            .example(Map(&[("endingAt", Text("now"))])),
        key("when", KeyShape::Condition, "What has to hold of the entity besides.")
            .example(Text("seller.status == \"ACTIVE\"")),
        key(
            "at",
            KeyShape::Name(Case::Camel),
            "The timestamp field at whose time it happens by itself, without a command.",
        )
        .example(Text("endingAt")),
    ],
};

/// The keys of an operation, of a resource or a view.
pub static OPERATION: KeyTable = KeyTable {
    what: "an operation",
    description: "Who has access to the operation, and whether it is asynchronous.",
    keys: &[ACCESS, switch("async", "Responds with 202 and does the work later.")],
};

/// The keys of an access that depends on the entity.
pub static WHEN: KeyTable = KeyTable {
    what: "an access",
    description: "Callers for whom a condition on the entity holds have access.",
    keys: &[key("when", KeyShape::Condition, "The condition: `seller == caller && status == \"DRAFT\"`.")
        .required()
        .example(Text("status == \"DRAFT\""))],
};

/// The keys of a view.
pub static VIEW: KeyTable = KeyTable {
    what: "a view",
    description: "The same entities under another URL, with its own operations and fields.",
    keys: &[
        key("path", KeyShape::Path, "The absolute path. Default: `/<view>/<resources>`.")
            .example(Text("/watched-offers")),
        key(
            "through",
            KeyShape::Through,
            "Shows only the entities that the caller's own entities of another resource refer to: the resource, a dot \
             and its reference field.",
        )
        .example(Text("Watch.offer")),
        key("where", KeyShape::Condition, "Shows only the entities that meet this condition.")
            .example(Text("status == \"ENDED\"")),
        key("operations", KeyShape::Operations, "The operations of the view, and who has access to them.")
            .required()
            .example(Texts(&["list", "get"])),
        key(
            "formerly",
            KeyShape::Formerly(Renamed::View),
            "The former name, whose paths are served beside the present ones until its `sunset`.",
        )
        .example(Map(&[("name", Text("seen")), ("sunset", Text("2027-06-30"))])),
        ALLOW,
    ],
};

/// The keys of a command.
pub static COMMAND: KeyTable = KeyTable {
    what: "a command",
    description: "An idempotent command: a sub-resource that a client creates with PUT, under an id of its choice.",
    keys: &[
        DESCRIPTION,
        ACCESS,
        key("ready", KeyShape::Switch, "`false`: only announced; requests get 501.").default(Flag(true)),
        key("input", KeyShape::Fields, "The fields that the client sends, by name in camelCase.")
            .example(Map(&[("fromDate", Map(&[("type", Text("timestamp"))]))]))
            .in_rust(InRust::Code),
        key("output", KeyShape::Fields, "The fields that the command adds to its response, by name in camelCase.")
            .example(Map(&[("endingAt", Map(&[("type", Text("timestamp"))]))])),
        key(
            "timeout",
            KeyShape::Duration,
            "How long the command may run, from `PT1S` to `P1D`. After that it is FAILED.",
        )
        .default(Text(DEFAULT_TIMEOUT))
        .example(Text("PT10S")),
        DEPRECATED,
        SUNSET,
        key(
            "formerly",
            KeyShape::Formerly(Renamed::Command),
            "The former name, whose paths and events are served beside the present ones until its `sunset`.",
        )
        .example(Map(&[("name", Text("prolong")), ("sunset", Text("2027-06-30"))])),
        ALLOW,
    ],
};

pub(super) const DESCRIPTION: KeySpec = key("description", KeyShape::Prose, "The description in the documentation.")
    .example(Text("Something that a seller puts up for sale."))
    .in_rust(InRust::Code);

pub(super) const DEPRECATED: KeySpec =
    switch("deprecated", "Marks it as deprecated, in the documentation and in `Deprecation` response headers.");

pub(super) const SUNSET: KeySpec =
    key("sunset", KeyShape::Date, "The day on which the deprecated part is removed.").example(Text("2027-06-30"));

const DEPRECATIONS: KeySpec = key(
    "deprecations",
    KeyShape::Deprecations,
    "Parts of this document that go away, by their paths: `operations.delete`, `views.sale`, `fields.name.filter`, \
     `fields.colour.values.RED`, `search`, `count`, `under.seller`, `versions.beta.v1`. Requests that use them get \
     `Deprecation` headers.",
)
.example(List(&[Map(&[("what", Text("operations.delete")), ("sunset", Text("2027-06-30"))])]));

pub(super) const ALLOW: KeySpec =
    key("allow", KeyShape::Allow, "Rules that are switched off here, each with the reason.")
        .example(Map(&[("plural-array", Text("data is the domain's word"))]));

pub(super) const FIELDS: KeySpec = key(
    "fields",
    KeyShape::Fields,
    "The fields, by name in camelCase. Every resource also has `id`, `createdAt` and `updatedAt`.",
)
.required()
.example(Map(&[("name", Map(&[("type", Text("string")), ("required", Flag(true))]))]))
.in_rust(InRust::Code);

const ACCESS: KeySpec = key(
    "access",
    KeyShape::Access,
    "Who has access: `anyone`, `user` (every authenticated caller), `owner` (of the entity), `scope:<name>` (callers \
     whose token has the scope), a role of the service, the name of a condition, `{ when: '…' }` (a condition on the entity), or a list of \
     these, of which a caller needs one.",
)
.default(Text("anyone"))
.example(Texts(&["owner", "scope:offers.admin"]));
