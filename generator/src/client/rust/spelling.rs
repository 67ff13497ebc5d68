//! Names in Rust, and where each type of a version is.

use super::version::SHARED;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use restwell_model::{Deprecation, names};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A name as an identifier.
pub(super) fn ident(name: &str) -> Ident {
    match names::rust::escaped(name) {
        _ if names::rust::is_keyword(name) => Ident::new_raw(name, Span::call_site()),
        word => Ident::new(&word, Span::call_site()),
    }
}

/// What `Stored` adds of the response to an entity, whose own fields are reached through it, and the function that
/// makes a struct.
const TAKEN: [&str; 3] = ["etag", "trace_id", "new"];

/// A property of the model as a field. One that would be hidden by something of the client's ends in `_`.
pub(super) fn field(name: &str) -> Ident {
    ident(&field_name(name))
}

fn field_name(name: &str) -> String {
    let name = names::snake(name);
    if TAKEN.contains(&name.as_str()) { name + "_" } else { name }
}

/// `#[serde(rename)]`, where the field's name differs from the property's.
pub(super) fn rename(name: &str) -> Option<TokenStream> {
    (field_name(name) != name).then(|| quote!(rename = #name))
}

/// Documentation, a line for a line.
pub(super) fn docs(text: &str) -> TokenStream {
    let lines = text.trim_end().lines().map(|line| format!(" {}", line.trim_end()));
    quote!(#(#[doc = #lines])*)
}

/// The documentation of what goes away.
pub(super) fn goes_away(deprecation: Deprecation) -> String {
    match deprecation.sunset {
        Some(sunset) => format!(" It goes away on {sunset}."),
        None => " It goes away.".to_owned(),
    }
}

/// The same as a paragraph of its own; nothing of what stays.
pub(super) fn deprecation_docs(deprecation: Option<Deprecation>) -> Option<TokenStream> {
    let note = goes_away(deprecation?);
    Some(quote!(#[doc = ""] #[doc = #note]))
}

/// Where the types of a version are: the module of each.
#[derive(Debug, Default)]
pub(super) struct Homes(BTreeMap<String, String>);

impl Homes {
    /// Takes a name for a type; another one, if it is taken.
    pub(super) fn claim(&mut self, name: &str, module: &str) -> String {
        let mut free = name.to_owned();
        while self.0.contains_key(&free) {
            free.push('_');
        }
        self.0.insert(free.clone(), module.to_owned());
        free
    }

    /// Whether several resources have the type.
    pub(super) fn is_shared(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|home| home == SHARED)
    }
}

/// A file that is written: it imports the types of other files that it names.
pub(super) struct FileScope<'h> {
    homes: &'h Homes,
    module: String,
    used: RefCell<BTreeSet<String>>,
}

impl<'h> FileScope<'h> {
    pub(super) fn new(homes: &'h Homes, module: &str) -> Self {
        Self { homes, module: module.to_owned(), used: RefCell::default() }
    }

    /// Whether it is the file of the types that several resources have.
    pub(super) fn is_shared(&self) -> bool {
        self.module == SHARED
    }

    /// A type of the version.
    pub(super) fn named(&self, name: &str) -> Ident {
        self.used.borrow_mut().insert(name.to_owned());
        ident(name)
    }

    /// The imports.
    pub(super) fn imports(&self) -> TokenStream {
        let used = self.used.borrow();
        let elsewhere = used.iter().filter_map(|name| {
            let home = self.homes.0.get(name).filter(|home| **home != self.module)?;
            let (home, name) = (ident(home), ident(name));
            Some(quote!(use super::#home::#name;))
        });
        quote!(#(#elsewhere)*)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_not_hidden_by_what_an_entity_has_of_its_response() {
        for (name, expected) in [("etag", "etag_"), ("traceId", "trace_id_"), ("new", "new_")] {
            assert_eq!(field(name), expected);
            assert_eq!(rename(name).unwrap().to_string(), quote!(rename = #name).to_string());
        }
        assert_eq!((field("value").to_string(), rename("value").is_none()), ("value".to_owned(), true));
    }
}
