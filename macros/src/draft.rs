//! A struct without naming all of its fields: `Default` where none has to be given, and otherwise a struct of those
//! that have to, `OfferDraft`, which becomes an `Offer`.
//!
//! A field has to be given if it cannot be null and has no default in the model; all others start as in a request that
//! does not have them.

use crate::common;
use crate::field::Member;
use crate::query::Definitions;
use crate::symbol;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use restwell_model::field::Construction;
use restwell_model::names;
use syn::DeriveInput;
use syn::ext::IdentExt;

/// What the derive with an attribute of this name brings.
pub(crate) fn of(input: &DeriveInput, attribute: &str, members: &[Member]) -> Definitions {
    match construction(input, attribute, members) {
        Construction::FromNothing => default(input, members),
        Construction::FromDraft => draft(input, members),
        Construction::Whole => Definitions::default(),
    }
}

fn construction(input: &DeriveInput, attribute: &str, members: &[Member]) -> Construction {
    if common::has(input, attribute, symbol::DEFAULT) {
        return Construction::Whole;
    }
    Construction::of(members.iter().map(Member::has_to_be_given))
}

fn default(input: &DeriveInput, members: &[Member]) -> Definitions {
    let ident = &input.ident;
    let fields = members.iter().enumerate().map(|(index, member)| preset(index, member));
    let impls = quote! {
        impl ::core::default::Default for #ident {
            #[inline]
            fn default() -> Self {
                Self { #(#fields),* }
            }
        }
    };
    Definitions { impls, ..Definitions::default() }
}

fn draft(input: &DeriveInput, members: &[Member]) -> Definitions {
    let (ident, visibility) = (&input.ident, &input.vis);
    let draft = format_ident!("{}{}", ident.unraw(), names::DRAFT);
    let docs = format!(
        "The fields of [`{ident}`] that have to be given; the others have their defaults: \
         `{ident} {{ …, ..{draft} {{ … }}.into() }}`.{}",
        computed(members)
    );
    let given = members.iter().filter(|member| member.has_to_be_given()).map(|member| {
        let Member { ident, ty, visibility, .. } = member;
        quote!(#visibility #ident: #ty)
    });
    let fields = members.iter().enumerate().map(|(index, member)| {
        let name = &member.ident;
        if member.has_to_be_given() { quote!(#name: draft.#name) } else { preset(index, member) }
    });
    let types = quote! {
        #[doc = #docs]
        #[allow(dead_code, missing_docs, reason = "not every service makes all of them; the struct has the docs")]
        #visibility struct #draft { #(#given),* }
    };
    let impls = quote! {
        impl ::core::convert::From<#draft> for #ident {
            #[inline]
            fn from(draft: #draft) -> Self {
                Self { #(#fields),* }
            }
        }
    };
    Definitions { types, impls }
}

/// That nothing writes the computed fields, where there are some.
fn computed(members: &[Member]) -> String {
    let computed = members.iter().filter(|member| member.field.computed.is_some());
    let computed: Vec<_> = computed.map(|member| format!("`{}`", member.ident.unraw())).collect();
    if computed.is_empty() {
        return String::new();
    }
    format!(" Computed whenever an entity is read, and ignored when it is written: {}.", computed.join(", "))
}

/// A field that is not given.
fn preset(index: usize, member: &Member) -> TokenStream {
    let Member { ident, field, .. } = member;
    let value = match (&field.default, member.scale()) {
        (None, _) => quote!(__restwell::absent()),
        (Some(_), Some(scale)) => quote!(__restwell::preset_units::<Self, _>(#index, #scale)),
        (Some(_), None) => quote!(__restwell::preset::<Self, _>(#index)),
    };
    quote!(#ident: #value)
}
