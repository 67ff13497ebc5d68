//! The words of the attributes, each written once: the readers match them, and what is none of them is told the nearest.

use crate::attribute::Argument;

macro_rules! words {
    ($list:ident: $($name:ident = $word:literal),* $(,)?) => {
        $(pub(crate) const $name: &str = $word;)*
        const $list: &[&str] = &[$($name),*];
    };
}

words! { COMMON:
    ALLOW = "allow",
    DEPRECATED = "deprecated",
    SUNSET = "sunset",
    RENAMED_FROM = "renamed_from",
    VERSIONS = "versions",
    UNIQUE = "unique",
    ACCESS = "access",
    NAME = "name",
    OPERATIONS = "operations",
}

words! { RESOURCE_ONLY:
    PLURAL = "plural",
    RETIRED = "retired",
    OWNER = "owner",
    UNDER = "under",
    VIEW = "view",
    COUNT = "count",
    SEARCH = "search",
}

words! { VIEW_ONLY:
    PATH = "path",
    THROUGH = "through",
}

words! { OPERATION_ONLY:
    ASYNC = "async",
}

words! { FIELD_ONLY:
    REQUIRED = "required",
    DEFAULT = "default",
    EXAMPLE = "example",
    IMMUTABLE = "immutable",
    READ_ONLY = "read_only",
    WRITE_ONLY = "write_only",
    SECRET = "secret",
    FILTER = "filter",
    SORT = "sort",
    VIEWS = "views",
}

words! { CONSTRAINTS:
    MIN_LENGTH = "min_length",
    MAX_LENGTH = "max_length",
    PATTERN = "pattern",
    FORMAT = "format",
    MINIMUM = "minimum",
    MAXIMUM = "maximum",
    SCALE = "scale",
    CURRENCIES = "currencies",
    SHOW = "show",
    ON_DELETE = "on_delete",
    MIN_ITEMS = "min_items",
    MAX_ITEMS = "max_items",
    UNIQUE_ITEMS = "unique_items",
}

words! { COMMAND_ONLY:
    ON = "on",
    OUTPUT = "output",
    TIMEOUT = "timeout",
    READY = "ready",
}

/// The words that one attribute (or one argument with a list) takes.
pub(crate) struct Vocabulary(&'static [&'static [&'static str]]);

pub(crate) const RESOURCE: Vocabulary = Vocabulary(&[
    RESOURCE_ONLY,
    &[VERSIONS, DEPRECATED, SUNSET, UNIQUE, OPERATIONS, RENAMED_FROM, ALLOW],
]);
pub(crate) const OPERATION: Vocabulary = Vocabulary(&[OPERATION_ONLY, &[ACCESS]]);
pub(crate) const VIEW_KEYS: Vocabulary = Vocabulary(&[VIEW_ONLY, &[OPERATIONS, ALLOW]]);
pub(crate) const FIELD: Vocabulary = Vocabulary(&[
    FIELD_ONLY,
    CONSTRAINTS,
    &[UNIQUE, VERSIONS, DEPRECATED, SUNSET, RENAMED_FROM, ALLOW, NAME],
]);
pub(crate) const COMMAND: Vocabulary = Vocabulary(&[COMMAND_ONLY, &[NAME, ACCESS, DEPRECATED, SUNSET, ALLOW]]);
pub(crate) const DEFINITION: Vocabulary = Vocabulary(&[&[ALLOW]]);

impl Vocabulary {
    /// That an argument is none of these words.
    pub(crate) fn unknown(&self, argument: &Argument) -> syn::Error {
        let given = argument.name.text();
        let words = self.0.iter().copied().flatten().copied();
        let nearest = words.map(|word| (strsim::damerau_levenshtein(word, &given), word)).min();
        let message = match nearest {
            Some((distance, word)) if distance <= given.len() / 3 => {
                format!("unknown key `{given}`; did you mean `{word}`?")
            }
            _ => format!("unknown key `{given}`; the keys are {}", self.listed()),
        };
        syn::Error::new_spanned(&argument.name, message)
    }

    fn listed(&self) -> String {
        let mut words: Vec<String> = self.0.iter().copied().flatten().map(|word| format!("`{word}`")).collect();
        words.sort();
        words.join(", ")
    }
}
