//! Names in Rust: escaped keywords, and module names that are valid as file names.

use restwell_model::names;

/// The keywords of Rust, strict and reserved, that `r#` escapes.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// What no module of the generated code may be called: its own root, the library, and what `r#` cannot escape.
const NO_MODULES: [&str; 5] = ["crate", "mod", "restwell", "self", "super"];

/// A name of the model as an identifier in snake_case.
pub(super) fn ident(name: &str) -> String {
    escaped(names::snake(name))
}

/// A word of an attribute: bare where it is an identifier, else a text.
pub(super) fn word(name: &str) -> String {
    let is_ident = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) && !name.is_empty();
    let is_bare = is_ident && !name.starts_with(|c: char| c.is_ascii_digit()) && !is_keyword(name);
    if is_bare { name.to_owned() } else { format!("{name:?}") }
}

fn escaped(name: String) -> String {
    if is_keyword(&name) { format!("r#{name}") } else { name }
}

fn is_keyword(name: &str) -> bool {
    KEYWORDS.binary_search(&name).is_ok()
}

/// The module of a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Module(String);

impl Module {
    /// The module of the document that defines a name.
    pub(super) fn of(name: &str) -> Self {
        let name = names::snake(name);
        Self(if NO_MODULES.contains(&name.as_str()) { format!("{name}_") } else { name })
    }

    /// The file's name without its extension.
    pub(super) fn file(&self) -> &str {
        &self.0
    }

    /// The module in Rust.
    pub(super) fn ident(&self) -> String {
        escaped(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn keywords_are_escaped_and_other_words_are_not() {
        assert_eq!(ident("type"), "r#type");
        assert_eq!(ident("buyNow"), "buy_now");
        assert_eq!(word("sale"), "sale");
        assert_eq!(word("pre-sale"), "\"pre-sale\"");
        assert_eq!(word("ref"), "\"ref\"");
    }

    #[test]
    fn no_module_takes_the_place_of_the_root() {
        assert_eq!(Module::of("Mod").file(), "mod_");
        assert_eq!(Module::of("Type").ident(), "r#type");
        assert_eq!(Module::of("Type").file(), "type");
    }
}
