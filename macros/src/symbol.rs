//! The words of the attributes, each written once. The readers match them, and an unknown word gets the most similar
//! one as a suggestion.

use crate::attribute::Argument;
use restwell_model::names;

macro_rules! words {
    ($($name:ident = $word:literal),* $(,)?) => {
        $(pub(crate) const $name: &str = $word;)*
    };
}

words! {
    ACCESS = "access",
    ALLOW = "allow",
    ASYNC = "async",
    COUNT = "count",
    CURRENCIES = "currencies",
    DEFAULT = "default",
    DEPRECATED = "deprecated",
    EXAMPLE = "example",
    FILTER = "filter",
    FORMAT = "format",
    IMMUTABLE = "immutable",
    MAX_ITEMS = "max_items",
    MAX_LENGTH = "max_length",
    MAXIMUM = "maximum",
    MIN_ITEMS = "min_items",
    MIN_LENGTH = "min_length",
    MINIMUM = "minimum",
    NAME = "name",
    ON = "on",
    ON_DELETE = "on_delete",
    OPERATIONS = "operations",
    OUTPUT = "output",
    OWNER = "owner",
    PATH = "path",
    PATTERN = "pattern",
    PLURAL = "plural",
    READ_ONLY = "read_only",
    READY = "ready",
    RENAMED_FROM = "renamed_from",
    REQUIRED = "required",
    RETIRED = "retired",
    SCALE = "scale",
    SEARCH = "search",
    SECRET = "secret",
    SHOW = "show",
    SORT = "sort",
    SUNSET = "sunset",
    THROUGH = "through",
    TIMEOUT = "timeout",
    UNDER = "under",
    UNIQUE = "unique",
    UNIQUE_ITEMS = "unique_items",
    UNKNOWN = "unknown",
    VERSIONS = "versions",
    VIEW = "view",
    VIEWS = "views",
    WRITE_ONLY = "write_only",
}

/// The words that one attribute, or one argument with a list, accepts.
pub(crate) struct Vocabulary(&'static [&'static str]);

/// `#[resource(…)]`
pub(crate) const IN_RESOURCE: Vocabulary = Vocabulary(&[
    PLURAL,
    VERSIONS,
    RETIRED,
    DEPRECATED,
    SUNSET,
    OWNER,
    UNDER,
    UNIQUE,
    OPERATIONS,
    VIEW,
    COUNT,
    SEARCH,
    RENAMED_FROM,
    ALLOW,
]);
/// `create(…)`
pub(crate) const IN_OPERATION: Vocabulary = Vocabulary(&[ACCESS, ASYNC]);
/// `view(sale, …)`
pub(crate) const IN_VIEW: Vocabulary = Vocabulary(&[PATH, THROUGH, OPERATIONS, ALLOW]);
/// `#[field(…)]`
pub(crate) const IN_FIELD: Vocabulary = Vocabulary(&[
    REQUIRED,
    DEFAULT,
    EXAMPLE,
    IMMUTABLE,
    READ_ONLY,
    WRITE_ONLY,
    SECRET,
    FILTER,
    SORT,
    UNIQUE,
    VIEWS,
    VERSIONS,
    DEPRECATED,
    SUNSET,
    RENAMED_FROM,
    ALLOW,
    NAME,
    MIN_LENGTH,
    MAX_LENGTH,
    PATTERN,
    FORMAT,
    MINIMUM,
    MAXIMUM,
    SCALE,
    CURRENCIES,
    SHOW,
    ON_DELETE,
    MIN_ITEMS,
    MAX_ITEMS,
    UNIQUE_ITEMS,
]);
/// `#[command(…)]`
pub(crate) const IN_COMMAND: Vocabulary =
    Vocabulary(&[ON, NAME, ACCESS, OUTPUT, TIMEOUT, READY, DEPRECATED, SUNSET, ALLOW]);
/// `#[object(…)]`, `#[enumeration(…)]`
pub(crate) const IN_DEFINITION: Vocabulary = Vocabulary(&[ALLOW]);

impl Vocabulary {
    /// The error for an argument that is not one of these words.
    pub(crate) fn unknown(&self, argument: &Argument) -> syn::Error {
        let given = argument.name.text();
        let cure = match names::nearest(&given, self.0.iter().copied()) {
            Some(word) => format!("did you mean `{word}`?"),
            None => format!("the keys here are {}", self.listed()),
        };
        syn::Error::new_spanned(&argument.name, format!("unknown key `{given}`; {cure}"))
    }

    fn listed(&self) -> String {
        self.0.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
    }
}
