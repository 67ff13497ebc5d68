//! One file of the output for each document of the schemas, with everything that is defined in it.

use super::command::{self, Structs};
use super::names::Module;
use super::scope::Scope;
use super::view::{DocumentView, StructView};
use super::{resource, shared};
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
    /// Of the resource's commands, in the order of the model.
    commands: Vec<Structs>,
    objects: Vec<&'a Object>,
    enums: Vec<&'a Enum>,
}

/// The documents of a service, by module. A module is called by its document's own definition, not by what is inline.
pub(super) fn of<'a>(service: &'a Checked, origins: &'a Origins) -> Vec<Document<'a>> {
    let all: BTreeSet<&str> = names(service).collect();
    let mut documents: BTreeMap<&str, Document<'a>> = BTreeMap::new();
    for &name in &all {
        let Some(origin) = origins.get(name) else { continue };
        let document = documents.entry(&origin.document).or_insert_with(|| Document {
            module: Module::of(&origin.document),
            origin: &origin.file,
            names: BTreeSet::new(),
            resource: None,
            commands: Vec::new(),
            objects: Vec::new(),
            enums: Vec::new(),
        });
        document.names.insert(name);
        document.objects.extend(service.object(name));
        document.enums.extend(service.enumeration(name));
        if let Some(resource) = service.resource(name) {
            document.commands = command::structs(resource, &all);
            document.resource = Some(resource);
        }
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

impl Document<'_> {
    /// What the document's file says.
    pub(super) fn view(&self) -> DocumentView {
        let mut scope = Scope::new(&self.names);
        let resource = self.resource.map(|resource| resource::view(resource, &mut scope));
        let objects = self.objects.iter().map(|object| shared::object_view(object, &mut scope));
        let structs: Vec<StructView> = resource.into_iter().chain(objects).collect();
        let commands = self.commands(&mut scope);
        for structure in structs.iter().chain(&commands) {
            scope.library(structure.kind.derive());
        }
        if !self.enums.is_empty() {
            scope.library("Enum");
        }
        let enums = self.enums.iter().map(|enumeration| shared::enum_view(enumeration)).collect();
        let (library, siblings) = scope.into_imports();
        DocumentView { library, siblings, structs, enums, commands }
    }

    fn commands(&self, scope: &mut Scope<'_>) -> Vec<StructView> {
        let Some(resource) = self.resource else { return Vec::new() };
        let each = resource.commands.iter().zip(&self.commands);
        each.flat_map(|(command, structs)| command::views(command, structs, &resource.name, scope)).collect()
    }

    /// The structs of the commands with their module, in the order of the model.
    pub(super) fn command_paths(&self) -> Vec<String> {
        let module = self.module.ident();
        self.commands.iter().map(|structs| format!("{module}::{}", structs.input)).collect()
    }
}
