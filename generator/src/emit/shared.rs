//! Enums and objects, both shared and inline ones.

use super::attribute::{Attribute, literal};
use super::field;
use super::scope::Scope;
use super::view::{DeriveKind, EnumView, StructView, VariantView, docs};
use heck::ToShoutySnakeCase;
use restwell_model::field::Allow;
use restwell_model::{Announcement, Enum, Object, names};

pub(super) fn enum_view(enumeration: &Enum) -> EnumView {
    let variants: Vec<VariantView> = enumeration.values.iter().map(|value| variant(value)).collect();
    EnumView {
        docs: docs(enumeration.description.as_deref()),
        attribute: attribute(&enumeration.deprecations, &enumeration.allow),
        name: enumeration.name.clone(),
        fallback: fallback_of(&variants.iter().map(|variant| &*variant.name).collect::<Vec<_>>()),
        variants,
    }
}

pub(super) fn object_view(object: &Object, scope: &mut Scope<'_>) -> StructView {
    StructView {
        docs: docs(object.description.as_deref()),
        kind: DeriveKind::Object,
        attribute: attribute(&object.deprecations, &object.allow),
        name: object.name.clone(),
        members: field::members(&object.fields, scope),
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

fn attribute(deprecations: &[Announcement], allow: &Allow) -> Option<String> {
    let mut attribute = Attribute::default();
    attribute.announcements(deprecations);
    attribute.allow(allow);
    attribute.finish()
}
