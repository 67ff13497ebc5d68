//! The words of attributes, and the modules of documents.

use restwell_model::names::rust;

/// A word of an attribute: bare where it is an identifier, else a text.
pub(super) fn word(name: &str) -> String {
    let is_ident = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) && !name.is_empty();
    let is_bare = is_ident && !name.starts_with(|c: char| c.is_ascii_digit()) && rust::escaped(name) == name;
    if is_bare { name.to_owned() } else { format!("{name:?}") }
}

/// The module of a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Module(String);

impl Module {
    /// The module of the document that defines a name.
    pub(super) fn of(name: &str) -> Self {
        Self(rust::module(name))
    }

    /// The file's name without its extension.
    pub(super) fn file(&self) -> &str {
        &self.0
    }

    /// The module in Rust.
    pub(super) fn ident(&self) -> String {
        rust::escaped(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_no_identifiers_are_texts() {
        assert_eq!(word("sale"), "sale");
        for name in ["pre-sale", "ref", "self", "2nd"] {
            assert_eq!(word(name), format!("{name:?}"));
        }
    }

    #[test]
    fn a_keyword_is_a_file_and_an_escaped_module() {
        assert_eq!((Module::of("Type").file(), Module::of("Type").ident()), ("type", "r#type".to_owned()));
        assert_eq!((Module::of("Std").file(), Module::of("Std").ident()), ("std_", "std_".to_owned()));
    }
}
