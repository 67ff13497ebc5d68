//! The words of the attributes. They follow from the keys of the language; those that a reader matches by name have a
//! constant. An unknown word gets the most similar one as a suggestion.

use crate::attribute::Argument;
use restwell_model::language::{self, InRust, KeySpec, KeyTable};
use restwell_model::names;
use std::iter;

macro_rules! words {
    ($($name:ident = $word:literal),* $(,)?) => {
        $(pub(crate) const $name: &str = $word;)*
    };
}

words! {
    ACCESS = "access",
    ALLOW = "allow",
    COMMANDS = "commands",
    DEFAULT = "default",
    DEPRECATIONS = "deprecations",
    INDEX = "index",
    ITEMS = "items",
    NAME = "name",
    OBJECT = "object",
    ON = "on",
    OUTPUT = "output",
    PATH = "path",
    PLURAL = "plural",
    REQUIRED = "required",
    QUERY = "query",
    RULE = "rule",
    SORT = "sort",
    IS = "is",
    WHEN = "when",
    SERDE = "serde",
    TRANSITION = "transition",
    UNIQUE = "unique",
    UNKNOWN = "unknown",
    VALUES = "values",
    VIEW = "view",
}

/// The words that one attribute, or one argument with a list, accepts: those of the derives alone, and the keys of the
/// language.
pub(crate) struct Vocabulary {
    own: &'static [&'static str],
    keys: &'static KeyTable,
}

/// `#[resource(…)]`
pub(crate) const IN_RESOURCE: Vocabulary =
    Vocabulary { own: &[COMMANDS, SERDE, DEFAULT, QUERY, SORT], keys: &language::RESOURCE };
/// `create(…)`
pub(crate) const IN_OPERATION: Vocabulary = Vocabulary { own: &[], keys: &language::OPERATION };
/// `view(sale, …)`
pub(crate) const IN_VIEW: Vocabulary = Vocabulary { own: &[], keys: &language::VIEW };
/// `rule(…)`
pub(crate) const IN_RULE: Vocabulary = Vocabulary { own: &[], keys: &language::RULE };
/// `lifecycle(…)`
pub(crate) const IN_LIFECYCLE: Vocabulary = Vocabulary { own: &[], keys: &language::LIFECYCLE };
/// `transition(end, …)`
pub(crate) const IN_TRANSITION: Vocabulary = Vocabulary { own: &[], keys: &language::TRANSITION };
/// `#[command(…)]`
pub(crate) const IN_COMMAND: Vocabulary = Vocabulary { own: &[ON, NAME, SERDE, DEFAULT], keys: &language::COMMAND };
/// `#[object(…)]`
pub(crate) const IN_OBJECT: Vocabulary =
    Vocabulary { own: &[OUTPUT, SERDE, DEFAULT, QUERY, SORT], keys: &language::OBJECT };
/// `#[enumeration(…)]`
pub(crate) const IN_ENUMERATION: Vocabulary = Vocabulary { own: &[SERDE], keys: &language::OBJECT };

impl Vocabulary {
    /// The key that an argument says.
    pub(crate) fn key(&self, argument: &Argument) -> syn::Result<&'static KeySpec> {
        key(self.keys, argument).ok_or_else(|| self.unknown(argument))
    }

    /// The error for an argument that is not one of these words.
    pub(crate) fn unknown(&self, argument: &Argument) -> syn::Error {
        let own = self.own.iter().map(|word| (*word).to_owned());
        unknown(argument, &own.chain(words(self.keys)).collect::<Vec<_>>())
    }
}

/// The error for an argument of `#[field(…)]` that is neither a key of a field nor of a type.
pub(crate) fn unknown_in_field(argument: &Argument) -> syn::Error {
    let tables = iter::once(&language::FIELD).chain(&language::TYPES);
    let mut all = vec![NAME.to_owned()];
    for word in tables.flat_map(words) {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    unknown(argument, &all)
}

/// The key of a table that an argument says.
pub(crate) fn key(table: &'static KeyTable, argument: &Argument) -> Option<&'static KeySpec> {
    let given = argument.name.text();
    let is_said = |key: &&KeySpec| match key.in_rust {
        // the first letter is the same, and spares most keys the rest
        InRust::Argument => given.starts_with(|first| key.name.starts_with(first)) && names::snake(key.name) == given,
        InRust::Renamed(word) => word == given,
        InRust::Code => false,
    };
    table.keys.iter().find(is_said)
}

fn unknown(argument: &Argument, known: &[String]) -> syn::Error {
    let given = argument.name.text();
    let cure = match names::nearest(&given, known.iter().map(String::as_str)) {
        Some(word) => format!("did you mean `{word}`?"),
        None => {
            let listed: Vec<_> = known.iter().map(|word| format!("`{word}`")).collect();
            format!("the keys here are {}", listed.join(", "))
        }
    };
    syn::Error::new_spanned(&argument.name, format!("unknown key `{given}`; {cure}"))
}

/// The words for the keys of a table.
fn words(table: &'static KeyTable) -> impl Iterator<Item = String> {
    table.keys.iter().filter_map(word)
}

/// The word for a key; `None` if Rust says it otherwise.
fn word(key: &KeySpec) -> Option<String> {
    match key.in_rust {
        InRust::Argument => Some(names::snake(key.name)),
        InRust::Renamed(word) => Some(word.to_owned()),
        InRust::Code => None,
    }
}
