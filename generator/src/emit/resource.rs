//! A resource as a struct.
//!
//! The keys are named here and not taken from their table: the arguments have an order for readers, and `plural` and
//! `path` are omitted if they follow from names.

use super::attribute::{Attribute, are_default, literal};
use super::command::Structs;
use super::field;
use super::names::word;
use super::scope::Scope;
use super::shared::Draft;
use super::view::{DeriveKind, StructView, docs};
use restwell_model::names::rust::ident;
use restwell_model::{Resource, Search, Version, View, names};
use std::collections::BTreeSet;

pub(super) fn view(
    resource: &Resource,
    commands: &[Structs],
    (all, taken_drafts): (&BTreeSet<&str>, &BTreeSet<String>),
    scope: &mut Scope<'_>,
) -> StructView {
    let mut attribute = attribute(resource, commands);
    attribute.brought(&resource.name, all, &[names::QUERY, names::SORT]);
    attribute.without_draft(self::draft(resource, taken_drafts) == Draft::Taken);
    StructView {
        docs: docs(resource.description.as_deref()),
        kind: DeriveKind::Resource,
        derive: scope.library(DeriveKind::Resource.derive()),
        attribute: attribute.finish(),
        name: resource.name.clone(),
        members: field::members(&resource.fields, |field| resource.may_be_null(field), scope),
    }
}

/// The draft that the derive of a resource brings.
pub(super) fn draft(resource: &Resource, taken: &BTreeSet<String>) -> Draft {
    Draft::of(&resource.name, resource.fields.iter().map(|field| resource.has_to_be_given(field)), taken)
}

fn attribute(resource: &Resource, commands: &[Structs]) -> Attribute {
    let mut attribute = Attribute::default();
    let default_plural = names::plural_path(&resource.name);
    attribute.text("plural", Some(&resource.plural).filter(|plural| **plural != default_plural));
    if resource.versions != [Version::PUBLIC] {
        attribute.versions("versions", &resource.versions);
    }
    attribute.versions("retired", &resource.retired);
    attribute.deprecation(resource.deprecated, resource.sunset);
    attribute.announcements(&resource.deprecations);
    attribute.value("owner", resource.owner.as_deref().map(ident));
    attribute.fields("under", &resource.under);
    for combination in &resource.unique {
        attribute.fields("unique", combination);
    }
    for combination in &resource.index {
        attribute.fields("index", combination);
    }
    attribute.conditions(&resource.conditions);
    attribute.callers("visible", &resource.visible);
    attribute.flag("disclose", resource.disclose);
    if !are_default(&resource.operations) {
        attribute.operations(&resource.operations);
    }
    for view in &resource.views {
        attribute.nested("view", &view_items(view, &resource.plural));
    }
    attribute.list("commands", &commands.iter().map(|command| command.input.clone()).collect::<Vec<_>>());
    attribute.value("count", (!resource.count).then_some(false));
    match &resource.search {
        Search::None => {}
        Search::All => attribute.flag("search", true),
        Search::Fields(fields) => attribute.fields("search", fields),
    }
    resource.rules.iter().for_each(|rule| attribute.rule(rule));
    if let Some(lifecycle) = &resource.lifecycle {
        attribute.lifecycle(lifecycle);
    }
    attribute.text("renamed_from", resource.renamed_from.as_ref());
    attribute.formerly(resource.formerly.as_ref());
    attribute.allow(&resource.allow);
    attribute
}

/// `sale, path = "/sale/offers", operations(list)`
fn view_items(view: &View, plural: &str) -> Vec<String> {
    let mut attribute = Attribute::default();
    attribute.flag(&word(&view.name), true);
    attribute.text("path", Some(&view.path).filter(|path| **path != View::default_path(&view.name, plural)));
    attribute.value("through", view.through.clone().map(|through| literal(&String::from(through))));
    attribute.text("where", view.filter.as_ref());
    attribute.operations(&view.operations);
    attribute.formerly(view.formerly.as_ref());
    attribute.allow(&view.allow);
    attribute.into_items()
}
