//! A resource as a struct.
//!
//! The keys are named here and not taken from their table: the arguments have an order for readers, and `plural` and
//! `path` are omitted if they follow from names.

use super::attribute::{Attribute, are_default, literal};
use super::command::Structs;
use super::field;
use super::names::{ident, word};
use super::scope::Scope;
use super::view::{DeriveKind, StructView, docs};
use restwell_model::{Resource, Search, Version, View, names};

pub(super) fn view(resource: &Resource, commands: &[Structs], scope: &mut Scope<'_>) -> StructView {
    StructView {
        docs: docs(resource.description.as_deref()),
        kind: DeriveKind::Resource,
        attribute: attribute(resource, commands),
        name: resource.name.clone(),
        members: field::members(&resource.fields, |field| resource.may_be_null(field), scope),
    }
}

fn attribute(resource: &Resource, commands: &[Structs]) -> Option<String> {
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
    attribute.finish()
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
