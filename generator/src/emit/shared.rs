//! Enums and objects, both shared and inline ones.

use super::attribute::{Attribute, literal};
use super::field;
use super::scope::Scope;
use super::view::{DeriveKind, EnumView, StructView, VariantView, docs};
use heck::ToShoutySnakeCase;
use restwell_model::field::{Allow, Construction};
use restwell_model::{Announcement, Enum, Field, Object, names};
use std::collections::BTreeSet;

pub(super) fn enum_view(enumeration: &Enum) -> EnumView {
    let variants: Vec<VariantView> = enumeration.values.iter().map(|value| variant(value)).collect();
    EnumView {
        docs: docs(enumeration.description.as_deref()),
        attribute: attribute(&enumeration.deprecations, &enumeration.allow).finish(),
        name: enumeration.name.clone(),
        fallback: fallback_of(&variants.iter().map(|variant| &*variant.name).collect::<Vec<_>>()),
        variants,
    }
}

pub(super) fn object_view(object: &Object, taken_drafts: &BTreeSet<String>, scope: &mut Scope<'_>) -> StructView {
    let mut attribute = attribute(&object.deprecations, &object.allow);
    attribute.without_draft(draft(&object.name, &object.fields, taken_drafts) == Draft::Taken);
    StructView {
        docs: docs(object.description.as_deref()),
        kind: DeriveKind::Object,
        attribute: attribute.finish(),
        name: object.name.clone(),
        members: field::members(&object.fields, Field::may_be_null, scope),
    }
}

fn variant(value: &str) -> VariantView {
    let name = names::pascal(value);
    VariantView { value: (name.to_shouty_snake_case() != value).then(|| literal(value)), name }
}

/// `Unknown`, or another word where that is one of the values.
pub(crate) fn fallback_of(variants: &[impl AsRef<str>]) -> String {
    let mut name = "Unknown".to_owned();
    while variants.iter().any(|variant| variant.as_ref() == name) {
        name.insert_str(0, "Otherwise");
    }
    name
}

fn attribute(deprecations: &[Announcement], allow: &Allow) -> Attribute {
    let mut attribute = Attribute::default();
    attribute.announcements(deprecations);
    attribute.allow(allow);
    attribute
}

/// The draft that the derive of an object or a command brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Draft {
    /// It brings none.
    None,
    /// It brings one.
    Free,
    /// It would bring one, but another type has its name.
    Taken,
}

/// The draft of a struct of this name and these fields.
pub(super) fn draft(name: &str, fields: &[Field], taken: &BTreeSet<String>) -> Draft {
    match Construction::of(fields.iter().map(Field::has_to_be_given)) {
        Construction::FromNothing | Construction::Whole => Draft::None,
        Construction::FromDraft if taken.contains(&format!("{name}{}", names::DRAFT)) => Draft::Taken,
        Construction::FromDraft => Draft::Free,
    }
}
