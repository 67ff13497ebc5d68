//! From what was read to what replaces it: `From<Offer> for OfferUpdate`, and the same for the objects inside.

use super::spelling::{FileScope, field};
use super::structs::Presence;
use super::values::is_bare;
use super::version::{StructPlan, VersionTypes, place_of};
use crate::client::Direction;
use proc_macro2::TokenStream;
use quote::quote;
use restwell_model::api::{Property, SchemaKey, ValueType};
use std::collections::BTreeSet;

/// The conversions of a version: each pair of types once. Those of shared types are in the module of these.
pub(super) struct Conversions<'t, 'p, 'a> {
    types: &'t VersionTypes<'p, 'a>,
    done: BTreeSet<(String, String)>,
    shared: BTreeSet<(String, String)>,
}

impl<'t, 'p, 'a> Conversions<'t, 'p, 'a> {
    pub(super) fn new(types: &'t VersionTypes<'p, 'a>) -> Self {
        Self { types, done: BTreeSet::new(), shared: BTreeSet::new() }
    }

    /// From the entities of a resource to their replacement, where that can be made of them.
    pub(super) fn of_update(&mut self, scope: &FileScope<'_>, from: SchemaKey, to: SchemaKey) -> TokenStream {
        let plan = |key| self.types.body(key).and_then(|name| self.find(name));
        match (plan(from), plan(to)) {
            (Some(from), Some(to)) => self.between(scope, from, to),
            _ => TokenStream::new(),
        }
    }

    /// Those of shared types that the resources need.
    pub(super) fn of_shared(&mut self, scope: &FileScope<'_>) -> TokenStream {
        let pairs = std::mem::take(&mut self.shared).into_iter();
        pairs
            .map(|(from, to)| match (self.find(&from), self.find(&to)) {
                (Some(from), Some(to)) => self.between(scope, from, to),
                _ => TokenStream::new(),
            })
            .collect()
    }

    /// Whether a replacement can be made of what was read: nothing that it has to have is missing there.
    pub(super) fn is_possible(&self, from: SchemaKey, to: SchemaKey) -> bool {
        let plan = |key| self.types.body(key).and_then(|name| self.find(name));
        let (Some(from), Some(to)) = (plan(from), plan(to)) else { return false };
        to.properties.iter().all(|property| {
            let is_there = from.properties.iter().any(|known| known.name == property.name);
            is_there || !property.is_required
        })
    }

    fn find(&self, name: &str) -> Option<&'t StructPlan<'p, 'a>> {
        self.types.structs.values().flatten().find(|plan| plan.name == name)
    }

    fn between(&mut self, scope: &FileScope<'_>, from: &StructPlan<'p, 'a>, to: &StructPlan<'p, 'a>) -> TokenStream {
        if from.name != to.name && self.types.homes.is_shared(&to.name) && !scope.is_shared() {
            self.shared.insert((from.name.clone(), to.name.clone()));
            return TokenStream::new();
        }
        if from.name == to.name || !self.done.insert((from.name.clone(), to.name.clone())) {
            return TokenStream::new();
        }
        let mut inner = TokenStream::new();
        let mut fields = Vec::new();
        for property in &to.properties {
            let name = field(&property.name);
            let source = from.properties.iter().find(|known| known.name == property.name);
            let converted = match source {
                Some(source) => {
                    let (of, into) = (place_of(&from.place, source), place_of(&to.place, property));
                    inner.extend(self.inside(scope, &source.value, &property.value, (&of, &into), to.direction));
                    member(source, property, to.direction)
                }
                None => quote!(::core::default::Default::default()),
            };
            fields.push(quote!(#name: #converted));
        }
        let (from_name, to_name) = (scope.named(&from.name), scope.named(&to.name));
        let read = if fields.is_empty() { quote!(_read) } else { quote!(read) };
        quote! {
            impl ::core::convert::From<#from_name> for #to_name {
                fn from(#read: #from_name) -> Self {
                    Self { #(#fields),* }
                }
            }
            #inner
        }
    }

    /// The conversions of the types of a property.
    fn inside(
        &mut self,
        scope: &FileScope<'_>,
        from: &ValueType<'_>,
        to: &ValueType<'_>,
        (from_place, to_place): (&str, &str),
        direction: Direction,
    ) -> TokenStream {
        match (from, to) {
            (ValueType::Array { items: from, .. }, ValueType::Array { items: to, .. }) => {
                self.inside(scope, from, to, (from_place, to_place), direction)
            }
            (
                ValueType::Object { name: Some(name), properties: from },
                ValueType::Object { name: Some(_), properties: to },
            ) => {
                let named = |properties: &[Property<'_>], direction| {
                    self.types.plan.types.object(name, direction, properties).and_then(|name| self.find(name))
                };
                match (named(from, Direction::Response), named(to, direction)) {
                    (Some(from), Some(to)) => self.between(scope, from, to),
                    _ => TokenStream::new(),
                }
            }
            (ValueType::Reference { to, properties }, ValueType::Reference { .. }) if !is_bare(properties) => {
                self.reference(scope, to, from_place)
            }
            _ => TokenStream::new(),
        }
    }

    /// From a reference with what it shows to the reference.
    fn reference(&mut self, scope: &FileScope<'_>, to: &str, place: &str) -> TokenStream {
        let Some(name) = self.types.place(place) else { return TokenStream::new() };
        if !self.done.insert((name.to_owned(), String::new())) {
            return TokenStream::new();
        }
        let reference = super::values::reference(self.types, scope, to);
        let name = scope.named(name);
        quote! {
            impl ::core::convert::From<#name> for #reference {
                fn from(shown: #name) -> Self {
                    Self::to(shown.id)
                }
            }
        }
    }
}

/// The value of a property, from the same property of what was read.
fn member(from: &Property<'_>, to: &Property<'_>, direction: Direction) -> TokenStream {
    let name = field(&from.name);
    let (source, target) = (Presence::of(from, Direction::Response), Presence::of(to, direction));
    let is_same = is_same(&from.value, &to.value);
    let is_list = matches!(from.value, ValueType::Array { .. });
    let converted = |value: TokenStream| match (is_same, is_list) {
        (true, _) => value,
        (false, true) => quote!(#value.into_iter().map(::core::convert::Into::into).collect()),
        (false, false) => quote!(#value.into()),
    };
    let whole = converted(quote!(read.#name));
    let optional = if is_same { quote!(read.#name) } else { quote!(read.#name.map(::core::convert::Into::into)) };
    match (source == Presence::OrNull, target) {
        (false, Presence::Given) => whole,
        (false, Presence::OrNull | Presence::OrAbsent) => quote!(Some(#whole)),
        (false, Presence::Patchable) => quote!(base::Patchable::Value(#whole)),
        // an entity without a value that has to be given: the service says so
        (true, Presence::Given) => quote!(#optional.unwrap_or_default()),
        (true, Presence::OrNull | Presence::OrAbsent) => optional,
        (true, Presence::Patchable) => quote!(#optional.into()),
    }
}

/// Whether both have the same type in Rust.
fn is_same(from: &ValueType<'_>, to: &ValueType<'_>) -> bool {
    match (from, to) {
        (ValueType::Array { items: from, .. }, ValueType::Array { items: to, .. }) => is_same(from, to),
        (ValueType::Object { .. }, ValueType::Object { .. }) => false,
        (ValueType::Reference { properties, .. }, ValueType::Reference { .. }) => is_bare(properties),
        _ => true,
    }
}
