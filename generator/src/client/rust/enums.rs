//! An enum, which keeps values that it does not know.

use super::spelling::{docs, goes_away, ident, type_ident};
use proc_macro2::TokenStream;
use quote::quote;
use restwell_model::names::rust;
use restwell_model::service::Enum;

pub(super) fn item(values: &Enum) -> TokenStream {
    let (name, text) =
        (type_ident(&values.name), values.description.clone().unwrap_or_else(|| format!("`{}`.", values.name)));
    let docs = docs(&text);
    let names = rust::variants(&values.values);
    let unknown = ident(&rust::fallback_variant(&names));
    let variants: Vec<_> = names.iter().map(|name| type_ident(name)).collect();
    let words = &values.values;
    let meanings = words.iter().map(|word| match values.notices.get(word) {
        Some(notice) => format!(" `{word}`.{}", goes_away(*notice)),
        None => format!(" `{word}`."),
    });
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#[doc = #meanings] #variants,)*
            /// A value that the service has added later.
            #unknown(String),
        }
        words!(#name, #unknown, #(#variants = #words,)*);
    }
}
