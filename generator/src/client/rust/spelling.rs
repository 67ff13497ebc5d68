//! Names in Rust, and where each type of a version is.

use super::version::SHARED;
use proc_macro2::{Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use restwell_model::names::rust;
use restwell_model::{Deprecation, names};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A name as an identifier: keywords are raw, and the few that cannot be raw end in `_`.
pub(super) fn ident(name: &str) -> Ident {
    let word = rust::escaped(name);
    match word.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(&word, Span::call_site()),
    }
}

/// What `Stored` adds of the response to an entity, whose own fields are reached through it, and the function that
/// makes a struct.
const TAKEN: [&str; 3] = ["etag", "trace_id", "new"];

/// Functions that structs have of traits, which are called by their names.
const OF_TRAITS: [&str; 3] = ["clone", "default", "from"];

/// A property of the model as a field. One that would be hidden by something of the client's ends in `_`.
pub(super) fn field(name: &str) -> Ident {
    ident(&field_name(name))
}

/// The function that sets a property: called like the field, unless that would hide a function of a trait.
pub(super) fn setter(name: &str) -> Ident {
    let field = field_name(name);
    if OF_TRAITS.contains(&field.as_str()) { ident(&(field + "_")) } else { ident(&field) }
}

fn field_name(name: &str) -> String {
    let name = names::snake(name);
    // a keyword that is raw is called as it is
    let is_escaped = !rust::is_keyword(&name) && rust::escaped(&name) != name;
    if TAKEN.contains(&name.as_str()) || is_escaped { name + "_" } else { name }
}

/// `#[serde(rename)]`, where the field's name differs from the property's.
pub(super) fn rename(name: &str) -> Option<TokenStream> {
    (field_name(name) != name).then(|| quote!(rename = #name))
}

/// Methods of the client, beside those that lead to collections.
const CLIENT_METHODS: [&str; 15] = [
    "builder",
    "clone",
    "events",
    "new",
    "notice_deprecation",
    "one_try",
    "open",
    "request",
    "send",
    "sleep",
    "token",
    "tried",
    "with_retries",
    "with_token",
    "within",
];

/// The method of the client that leads to a collection. One that the client has otherwise ends in `_collection`.
pub(super) fn client_method(collection: &str) -> Ident {
    let name = names::snake(collection);
    if CLIENT_METHODS.contains(&name.as_str()) { ident(&(name + "_collection")) } else { ident(&name) }
}

/// Types of the prelude that files name, with their paths.
const PRELUDE: [(&str, &str); 4] = [
    ("Option", "::core::option::Option"),
    ("Result", "::core::result::Result"),
    ("String", "::std::string::String"),
    ("Vec", "::std::vec::Vec"),
];

/// What marks a type of the model that is called like one of the prelude. No name of a model has an underscore.
const OWN: &str = "own_";

/// A type of the model, for [`FileScope::finished`].
pub(super) fn type_ident(name: &str) -> Ident {
    let is_of_prelude = PRELUDE.iter().any(|(known, _)| *known == name);
    if is_of_prelude { Ident::new(&format!("{OWN}{name}"), Span::call_site()) } else { ident(name) }
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
        let name = rust::claim(name.to_owned(), "_", |name| self.has(name));
        self.0.insert(name.clone(), module.to_owned());
        name
    }

    /// Whether there is a type of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
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
        type_ident(name)
    }

    /// A type of the prelude as the text of an attribute names it.
    pub(super) fn path_of(&self, prelude: &str) -> String {
        let path = PRELUDE.iter().find(|(name, _)| *name == prelude && self.homes.has(name));
        path.map_or_else(|| prelude.to_owned(), |(_, path)| (*path).to_owned())
    }

    /// The code of the file: types of the prelude by their paths, where the version has a type of the same name.
    pub(super) fn finished(&self, code: TokenStream) -> TokenStream {
        // the colons before a name: two of them lead to it
        let mut colons = 0;
        let finished = code.into_iter().map(|tree| {
            let starts_path = colons < 2;
            colons = match &tree {
                TokenTree::Punct(colon) if colon.as_char() == ':' && colon.spacing() == Spacing::Joint => 1,
                TokenTree::Punct(colon) if colon.as_char() == ':' => colons + 1,
                _ => 0,
            };
            match tree {
                TokenTree::Group(group) => {
                    let inner = Group::new(group.delimiter(), self.finished(group.stream()));
                    TokenStream::from(TokenTree::Group(inner))
                }
                TokenTree::Ident(name) => self.finished_name(&name, starts_path),
                other => TokenStream::from(other),
            }
        });
        finished.collect()
    }

    fn finished_name(&self, name: &Ident, starts_path: bool) -> TokenStream {
        let text = name.to_string();
        if let Some(own) = text.strip_prefix(OWN).filter(|own| PRELUDE.iter().any(|(known, _)| known == own)) {
            let own = ident(own);
            return quote!(#own);
        }
        let path = PRELUDE.iter().find(|(known, _)| *known == text && starts_path && self.homes.has(known));
        match path.and_then(|(_, path)| path.parse().ok()) {
            Some(path) => path,
            None => quote!(#name),
        }
    }

    /// The imports.
    pub(super) fn imports(&self) -> TokenStream {
        let used = self.used.borrow();
        let elsewhere = used.iter().filter_map(|name| {
            let home = self.homes.0.get(name).filter(|home| **home != self.module)?;
            let (home, name) = (ident(home), type_ident(name));
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

    #[test]
    fn keywords_are_fields() {
        for (name, expected) in [("type", "r#type"), ("gen", "r#gen"), ("self", "self_"), ("crate", "crate_")] {
            assert_eq!(field(name).to_string(), expected);
        }
        assert_eq!((rename("gen").is_none(), rename("self").is_some()), (true, true));
        assert_eq!(
            (setter("default").to_string(), field("default").to_string()),
            ("default_".into(), "default".into())
        );
    }

    /// The methods of `Client` in the base, private ones too: a second one of a name does not compile.
    #[test]
    fn the_methods_of_the_client_are_known() {
        let mut methods = BTreeSet::from(["clone".to_owned()]);
        for (path, text) in super::super::BASE.iter().filter(|(path, _)| !path.ends_with("texts.rs")) {
            let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
            for item in file.items {
                let syn::Item::Impl(item) = item else { continue };
                let of_client = matches!(&*item.self_ty, syn::Type::Path(path) if path.path.is_ident("Client"));
                methods.extend(item.items.iter().filter(|_| of_client && item.trait_.is_none()).filter_map(|item| {
                    let syn::ImplItem::Fn(method) = item else { return None };
                    Some(method.sig.ident.to_string())
                }));
            }
        }
        assert!(methods.iter().eq(CLIENT_METHODS), "{methods:?}");
    }

    #[test]
    fn types_of_the_prelude_have_paths_beside_types_of_their_names() {
        let mut homes = Homes::default();
        homes.claim("Option", "options");
        let scope = FileScope::new(&homes, "options");
        let own = scope.named("Option");
        let code =
            scope.finished(quote!(fn of(it: Option<base::Option<#own>>) -> Vec<u8> { ::core::option::Option::None }));
        let expected = {
            quote!(
                fn of(it: ::core::option::Option<base::Option<Option>>) -> Vec<u8> {
                    ::core::option::Option::None
                }
            )
        };
        assert_eq!(code.to_string(), expected.to_string());
        assert_eq!((&*scope.path_of("Option"), &*scope.path_of("Vec")), ("::core::option::Option", "Vec"));
    }
}
