//! Every key of the language, per kind of mapping: what is accepted, what must be there, and what a misspelt one was
//! meant to be, all from the same tables.

/// The keys of one kind of mapping.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// With an article, for messages.
    pub(super) what: &'static str,
    /// Those that must be there.
    pub(super) required: &'static [&'static str],
    /// The others.
    pub(super) optional: &'static [&'static str],
}

impl Table {
    pub(super) fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.required.iter().chain(self.optional).copied()
    }

    /// The key as the table writes it.
    pub(super) fn find(&self, key: &str) -> Option<&'static str> {
        self.keys().find(|known| *known == key)
    }
}

/// What the first key of a document says it is.
pub(super) const DOCUMENTS: &[&str] = &["service", "resource", "object", "enum"];

pub(super) static SERVICE: Table =
    Table { what: "a service", required: &["service"], optional: &["title", "vendor", "users"] };

pub(super) static ENUM: Table =
    Table { what: "an enum", required: &["enum", "values"], optional: &["description", "allow"] };

pub(super) static OBJECT: Table =
    Table { what: "an object", required: &["object", "fields"], optional: &["description", "allow"] };

pub(super) static RESOURCE: Table = Table {
    what: "a resource",
    required: &["resource", "fields"],
    optional: &[
        "description",
        "plural",
        "versions",
        "retired",
        "deprecated",
        "sunset",
        "owner",
        "under",
        "unique",
        "operations",
        "views",
        "count",
        "search",
        "commands",
        "renamedFrom",
        "allow",
    ],
};

pub(super) static OPERATION: Table = Table { what: "an operation", required: &[], optional: &["access", "async"] };

pub(super) static VIEW: Table =
    Table { what: "a view", required: &["operations"], optional: &["path", "through", "allow"] };

pub(super) static COMMAND: Table = Table {
    what: "a command",
    required: &[],
    optional: &["description", "access", "input", "output", "timeout", "ready", "deprecated", "sunset", "allow"],
};

/// The keys of a field of any type; those of its type come on top.
pub(super) static FIELD: Table = Table {
    what: "a field",
    required: &["type"],
    optional: &[
        "required",
        "default",
        "immutable",
        "readOnly",
        "writeOnly",
        "secret",
        "filter",
        "sort",
        "unique",
        "views",
        "versions",
        "deprecated",
        "sunset",
        "description",
        "example",
        "renamedFrom",
        "allow",
    ],
};

/// The keys of an array's items of any type; those of the type come on top.
pub(super) static ITEMS: Table = Table { what: "an array's `items`", required: &["type"], optional: &[] };

/// The types of the language and the keys that each brings.
pub(super) static TYPES: &[Table] = &[
    Table { what: "string", required: &[], optional: &["minLength", "maxLength", "pattern", "format"] },
    Table { what: "integer", required: &[], optional: &["minimum", "maximum"] },
    Table { what: "number", required: &[], optional: &["minimum", "maximum"] },
    Table { what: "decimal", required: &[], optional: &["minimum", "maximum", "scale"] },
    Table { what: "boolean", required: &[], optional: &[] },
    Table { what: "uuid", required: &[], optional: &[] },
    Table { what: "timestamp", required: &[], optional: &["minimum", "maximum"] },
    Table { what: "date", required: &[], optional: &["minimum", "maximum"] },
    Table { what: "time", required: &[], optional: &[] },
    Table { what: "duration", required: &[], optional: &[] },
    Table { what: "country", required: &[], optional: &[] },
    Table { what: "language", required: &[], optional: &[] },
    Table { what: "currency", required: &[], optional: &[] },
    Table { what: "price", required: &[], optional: &["minimum", "maximum", "currencies"] },
    Table { what: "enum", required: &["values"], optional: &[] },
    Table { what: "ref", required: &["to"], optional: &["show", "onDelete"] },
    Table { what: "object", required: &["fields"], optional: &[] },
    Table { what: "array", required: &["items"], optional: &["minItems", "maxItems", "uniqueItems"] },
];

/// What a named type (an enum or an object of the service) brings: nothing, its definition says it all.
pub(super) static NAMED: Table = Table { what: "a shared type", required: &[], optional: &[] };

/// The keys of a type of the language.
pub(super) fn type_table(word: &str) -> Option<&'static Table> {
    TYPES.iter().find(|table| table.what == word)
}

/// The types that have a key.
pub(super) fn types_with(key: &str) -> Vec<&'static str> {
    TYPES.iter().filter(|ty| ty.find(key).is_some()).map(|ty| ty.what).collect()
}
