//! A body, or an object in one, as a struct.

use super::spelling::{FileScope, deprecation_docs, docs, field, rename, setter, type_ident};
use super::values::value;
use super::version::{StructPlan, VersionTypes, place_of};
use crate::client::Direction;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use restwell_model::Type;
use restwell_model::api::{Property, ValueType};

/// How a property is kept in a struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Always there.
    Given,
    /// Always there, but it may be null.
    OrNull,
    /// A request may omit it, and cannot have it as null.
    OrAbsent,
    /// A request may omit it, or have it as null.
    Patchable,
}

impl Presence {
    pub(super) fn of(property: &Property<'_>, direction: Direction) -> Self {
        let is_never_null = matches!(property.value, ValueType::Array { .. } | ValueType::Map { .. });
        match (direction, property.is_required, property.is_nullable) {
            (Direction::Response, _, true) | (Direction::Create | Direction::Update, true, true) => Self::OrNull,
            (Direction::Response, _, false) | (_, true, _) => Self::Given,
            // null is no criterion, and an array or a map that is null is empty
            (Direction::Criteria, false, _) => Self::OrAbsent,
            (_, false, _) if is_never_null => Self::OrAbsent,
            (_, false, true) => Self::Patchable,
            (_, false, false) => Self::OrAbsent,
        }
    }
}

/// A property of a struct.
struct StructMember<'p> {
    property: &'p Property<'p>,
    presence: Presence,
    ident: Ident,
    ty: TokenStream,
}

/// The struct with its functions.
pub(super) fn item(types: &VersionTypes<'_, '_>, scope: &FileScope<'_>, plan: &StructPlan<'_, '_>) -> TokenStream {
    let members: Vec<StructMember<'_>> = plan
        .properties
        .iter()
        .map(|property| StructMember {
            property,
            presence: Presence::of(property, plan.direction),
            ident: field(&property.name),
            ty: value(types, scope, &property.value, plan.direction, &place_of(&plan.place, property)),
        })
        .collect();
    let name = type_ident(&plan.name);
    let docs = docs(plan.docs.as_deref().unwrap_or(""));
    let fields = members.iter().map(|member| declared(scope, member));
    let default = members.iter().all(|member| member.presence != Presence::Given || is_list(member));
    let default = default.then(|| quote!(Default,));
    let functions = (plan.direction != Direction::Response).then(|| functions(&name, &members));
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, #default serde::Serialize, serde::Deserialize)]
        #[non_exhaustive]
        pub struct #name { #(#fields)* }
        #functions
    }
}

/// Whether it may be empty instead of absent.
fn is_list(member: &StructMember<'_>) -> bool {
    matches!(member.property.value, ValueType::Array { .. } | ValueType::Map { .. } | ValueType::Criterion { .. })
}

fn declared(scope: &FileScope<'_>, member: &StructMember<'_>) -> TokenStream {
    let StructMember { property, presence, ident, ty } = member;
    let described = property.field.and_then(|field| field.description.as_deref());
    let docs = described.map_or_else(|| docs(&format!("`{}`.", property.name)), docs);
    let deprecated = deprecation_docs(property.deprecation);
    let (ty, keys) = match presence {
        Presence::Given if is_list(member) => (quote!(#ty), quote!(default)),
        Presence::Given => (quote!(#ty), quote!()),
        Presence::OrNull => (quote!(Option<#ty>), quote!(default)),
        Presence::OrAbsent => {
            let is_none = scope.path_of("Option") + "::is_none";
            (quote!(Option<#ty>), quote!(default, skip_serializing_if = #is_none))
        }
        Presence::Patchable => {
            (quote!(base::Patchable<#ty>), quote!(default, skip_serializing_if = "base::Patchable::is_absent"))
        }
    };
    let keys = [rename(&property.name), (!keys.is_empty()).then_some(keys)];
    let keys: Vec<_> = keys.into_iter().flatten().collect();
    let serde = (!keys.is_empty()).then(|| quote!(#[serde(#(#keys),*)]));
    quote!(#docs #deprecated #serde pub #ident: #ty,)
}

/// `new` with what has to be given, and a function for each property that does not.
fn functions(name: &Ident, members: &[StructMember<'_>]) -> TokenStream {
    let given: Vec<_> = members.iter().filter(|it| is_given(it)).collect();
    let parameters = given.iter().map(|member| {
        let (ident, ty) = (&member.ident, parameter(member));
        quote!(#ident: #ty)
    });
    let fields = members.iter().map(|member| {
        let ident = &member.ident;
        if is_given(member) {
            let converted = if is_converted(member) { quote!(#ident: #ident.into()) } else { quote!(#ident) };
            quote!(#converted)
        } else {
            quote!(#ident: ::core::default::Default::default())
        }
    });
    let setters = members.iter().filter(|it| !is_given(it)).map(|member| {
        let (ident, ty) = (&member.ident, &member.ty);
        let setter = setter(&member.property.name);
        let note = format!(" With `{}`.", member.property.name);
        let (parameter, value) = match member.presence {
            Presence::Patchable | Presence::OrNull => {
                (quote!(impl ::core::convert::Into<base::Patchable<#ty>>), quote!(#ident.into()))
            }
            Presence::OrAbsent | Presence::Given => {
                (quote!(impl ::core::convert::Into<#ty>), quote!(Some(#ident.into())))
            }
        };
        quote! {
            #[doc = #note]
            #[must_use]
            pub fn #setter(mut self, #ident: #parameter) -> Self {
                self.#ident = #value;
                self
            }
        }
    });
    quote! {
        impl #name {
            /// With what has to be given; the rest is absent.
            #[must_use]
            pub fn new(#(#parameters),*) -> Self {
                Self { #(#fields),* }
            }
            #(#setters)*
        }
    }
}

fn is_given(member: &StructMember<'_>) -> bool {
    matches!(member.presence, Presence::Given | Presence::OrNull)
}

/// Whether `new` takes what becomes the type: a text, or the entity that a reference is to.
fn is_converted(member: &StructMember<'_>) -> bool {
    let is_text = matches!(&member.property.value, ValueType::Scalar(Type::String { .. }));
    member.presence == Presence::Given && (is_text || matches!(member.property.value, ValueType::Reference { .. }))
}

fn parameter(member: &StructMember<'_>) -> TokenStream {
    let ty = &member.ty;
    match member.presence {
        _ if is_converted(member) => quote!(impl ::core::convert::Into<#ty>),
        Presence::OrNull => quote!(Option<#ty>),
        _ => quote!(#ty),
    }
}
