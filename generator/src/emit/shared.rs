//! Enums and objects, both shared and inline ones.

use super::attribute::{Attribute, literal};
use super::field;
use super::scope::Scope;
use super::view::{DeriveKind, EnumView, StructView, VariantView, docs};
use heck::ToShoutySnakeCase;
use restwell_model::field::{Allow, Construction};
use restwell_model::names::rust;
use restwell_model::{Announcement, Enum, Field, Object, names};
use std::collections::BTreeSet;

pub(super) fn enum_view(enumeration: &Enum, scope: &mut Scope<'_>) -> EnumView {
    let names = rust::variants(&enumeration.values);
    let fallback = (rust::fallback_variant(&names), scope.prelude("String"));
    let variants = names.into_iter().zip(&enumeration.values).map(|(name, value)| variant(name, value)).collect();
    EnumView {
        docs: docs(enumeration.description.as_deref()),
        derive: scope.library("Enum"),
        attribute: attribute(&enumeration.deprecations, &enumeration.allow).finish(),
        name: enumeration.name.clone(),
        fallback,
        variants,
    }
}

pub(super) fn object_view(
    object: &Object,
    (all, taken_drafts): (&BTreeSet<&str>, &BTreeSet<String>),
    scope: &mut Scope<'_>,
) -> StructView {
    let mut attribute = attribute(&object.deprecations, &object.allow);
    attribute.brought(&object.name, all, &queries_of(object));
    attribute.without_draft(draft(&object.name, &object.fields, taken_drafts) == Draft::Taken);
    StructView {
        docs: docs(object.description.as_deref()),
        kind: DeriveKind::Object,
        derive: scope.library(DeriveKind::Object.derive()),
        attribute: attribute.finish(),
        name: object.name.clone(),
        members: field::members(&object.fields, Field::may_be_null, scope),
    }
}

fn variant(name: String, value: &str) -> VariantView {
    VariantView { value: (name.to_shouty_snake_case() != value).then(|| literal(value)), name }
}

/// The endings of the types for queries that an object brings.
pub(super) fn queries_of(object: &Object) -> Vec<&'static str> {
    let filters = object.fields.iter().any(|field| field.filter.is_on()).then_some(names::QUERY);
    let keys = object.fields.iter().any(|field| field.sort).then_some(names::SORT);
    filters.into_iter().chain(keys).collect()
}

fn attribute(deprecations: &[Announcement], allow: &Allow) -> Attribute {
    let mut attribute = Attribute::default();
    attribute.announcements(deprecations);
    attribute.allow(allow);
    attribute
}

/// The draft that a derive brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Draft {
    /// It brings none.
    None,
    /// It brings one.
    Free,
    /// It would bring one, but another type has its name.
    Taken,
}

impl Draft {
    /// The draft of a struct of this name, whose fields have to be given or not.
    pub(super) fn of(name: &str, has_to_be_given: impl Iterator<Item = bool>, taken: &BTreeSet<String>) -> Self {
        match Construction::of(has_to_be_given) {
            Construction::FromNothing | Construction::Whole => Self::None,
            Construction::FromDraft if taken.contains(&format!("{name}{}", names::DRAFT)) => Self::Taken,
            Construction::FromDraft => Self::Free,
        }
    }
}

/// The draft of an object or a command of this name and these fields.
pub(super) fn draft(name: &str, fields: &[Field], taken: &BTreeSet<String>) -> Draft {
    Draft::of(name, fields.iter().map(Field::has_to_be_given), taken)
}
