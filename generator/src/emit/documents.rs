//! One file of the output for each document of the schemas, with everything that is defined in it.

use super::names::Module;
use super::scope::Scope;
use super::view::DocumentView;
use super::{command, enumeration, resource};
use crate::compile::Origins;
use restwell_model::{Checked, Enum, Object, Resource};
use std::collections::{BTreeMap, BTreeSet};

/// A document and what is defined in it.
pub(super) struct Document<'a> {
    pub(super) module: Module,
    /// The file that it stands in.
    pub(super) origin: &'a str,
    /// Everything that it defines.
    pub(super) names: BTreeSet<&'a str>,
    pub(super) resource: Option<&'a Resource>,
    objects: Vec<&'a Object>,
    enums: Vec<&'a Enum>,
}

/// The documents of a service, by module. A module is called by its document's own definition, not by what is inline.
pub(super) fn of<'a>(service: &'a Checked, origins: &'a Origins) -> Vec<Document<'a>> {
    let mut documents: BTreeMap<&str, Document<'a>> = BTreeMap::new();
    for name in names(service) {
        let Some(origin) = origins.get(name) else { continue };
        let document = documents.entry(&origin.document).or_insert_with(|| Document {
            module: Module::of(&origin.document),
            origin: &origin.file,
            names: BTreeSet::new(),
            resource: None,
            objects: Vec::new(),
            enums: Vec::new(),
        });
        document.names.insert(name);
        document.resource = document.resource.or(service.resource(name));
        document.objects.extend(service.object(name));
        document.enums.extend(service.enumeration(name));
    }
    let mut documents: Vec<_> = documents.into_values().collect();
    documents.sort_by(|a, b| a.module.cmp(&b.module));
    documents
}

fn names(service: &Checked) -> impl Iterator<Item = &str> {
    let resources = service.resources.iter().map(|resource| resource.name.as_str());
    let objects = service.objects.iter().map(|object| object.name.as_str());
    let enums = service.enums.iter().map(|enumeration| enumeration.name.as_str());
    resources.chain(objects).chain(enums)
}

/// What a document's file says.
pub(super) fn view(service: &Checked, document: &Document<'_>) -> DocumentView {
    let mut scope = Scope::new(&document.names, names(service));
    let mut view = DocumentView {
        library: Vec::new(),
        siblings: Vec::new(),
        structs: document.resource.iter().map(|resource| resource::view(resource, &mut scope)).collect(),
        enums: document.enums.iter().map(|enumeration| enumeration::enum_view(enumeration)).collect(),
        commands: commands(document, &mut scope),
    };
    view.structs.extend(document.objects.iter().map(|object| enumeration::object_view(object, &mut scope)));
    for structure in view.structs.iter().chain(&view.commands) {
        scope.library(structure.kind.derive());
    }
    if !view.enums.is_empty() {
        scope.library("Enum");
    }
    (view.library, view.siblings) = scope.into_imports();
    view
}

fn commands(document: &Document<'_>, scope: &mut Scope<'_>) -> Vec<super::view::StructView> {
    let Some(resource) = document.resource else { return Vec::new() };
    let structs = command::structs(resource, scope);
    let each = resource.commands.iter().zip(structs);
    each.flat_map(|(command, structs)| command::views(command, structs, &resource.name, scope)).collect()
}

/// The structs of a document's commands with their module, in the order of the model.
pub(super) fn command_paths(service: &Checked, document: &Document<'_>) -> Vec<String> {
    let Some(resource) = document.resource else { return Vec::new() };
    let mut scope = Scope::new(&document.names, names(service));
    let structs = command::structs(resource, &mut scope);
    structs.iter().map(|structs| format!("{}::{}", document.module.ident(), structs.input)).collect()
}
