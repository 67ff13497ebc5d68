//! The types of values in Rust.

use super::spelling::FileScope;
use super::version::VersionTypes;
use crate::client::Direction;
use proc_macro2::TokenStream;
use quote::quote;
use restwell_model::Type;
use restwell_model::api::{Property, SchemaKey, ValueType};
use restwell_model::language::RustType;

/// How the value of a type is written down in Rust.
pub(super) fn value(
    types: &VersionTypes<'_, '_>,
    scope: &FileScope<'_>,
    value: &ValueType<'_>,
    direction: Direction,
    place: &str,
) -> TokenStream {
    match value {
        ValueType::Scalar(ty) => scalar(ty),
        ValueType::Enum(values) => {
            let name = scope.named(&values.name);
            quote!(#name)
        }
        // the only words that bodies have
        ValueType::Words(_) => quote!(base::CommandStatus),
        ValueType::Amount => quote!(rust_decimal::Decimal),
        ValueType::Price(_) => quote!(base::Price),
        ValueType::Reference { to, properties } if is_bare(properties) => reference(types, scope, to),
        ValueType::Reference { .. } => named_place(types, scope, place),
        ValueType::Object { name: Some(name), properties } => {
            match types.plan.types.object(name, direction, properties) {
                Some(name) => {
                    let name = scope.named(name);
                    quote!(#name)
                }
                None => quote!(serde_json::Value),
            }
        }
        ValueType::Object { name: None, .. } => named_place(types, scope, place),
        ValueType::Array { items, .. } => {
            let item = self::value(types, scope, items, direction, place);
            quote!(Vec<#item>)
        }
        ValueType::Map { values, .. } => {
            let value = self::value(types, scope, values, direction, place);
            quote!(::std::collections::BTreeMap<::std::string::String, #value>)
        }
        ValueType::Criterion { value, .. } => {
            let value = self::value(types, scope, value, direction, place);
            quote!(base::Criterion<#value>)
        }
        ValueType::Schema(SchemaKey::Problem) => quote!(base::Problem),
        ValueType::Schema(_) | ValueType::Any => quote!(serde_json::Value),
    }
}

/// The Rust type of a scalar.
pub(super) fn scalar(ty: &Type) -> TokenStream {
    let Some(scalar) = ty.scalar() else { return quote!(serde_json::Value) };
    let name = super::spelling::ident(scalar.rust.name());
    match scalar.rust {
        RustType::Prelude(_) => quote!(#name),
        RustType::Library("Uuid") => quote!(uuid::Uuid),
        RustType::Library("Decimal") => quote!(rust_decimal::Decimal),
        RustType::OfCrate(..) => quote!(serde_json::Value),
        RustType::Library(_) => quote!(base::#name),
    }
}

/// A reference of which only the id is known.
pub(super) fn reference(types: &VersionTypes<'_, '_>, scope: &FileScope<'_>, to: &str) -> TokenStream {
    match types.entity(to) {
        Some(entity) => {
            let entity = scope.named(entity);
            quote!(base::Ref<#entity>)
        }
        None => quote!(base::Ref<()>),
    }
}

/// Whether a reference shows nothing beside its id.
pub(super) fn is_bare(properties: &[Property<'_>]) -> bool {
    properties.len() == 1
}

/// An object without a name in the model has one by its place.
fn named_place(types: &VersionTypes<'_, '_>, scope: &FileScope<'_>, place: &str) -> TokenStream {
    match types.place(place) {
        Some(name) => {
            let name = scope.named(name);
            quote!(#name)
        }
        None => quote!(serde_json::Value),
    }
}
