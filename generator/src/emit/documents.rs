//! One output file for each document of the schemas, with all its definitions.

use super::command::{self, Structs};
use super::names::Module;
use super::scope::Scope;
use super::shared::{Draft, draft};
use super::view::{DocumentView, StructView, TraitView};
use super::{handlers, resource, shared};
use crate::compile::Origins;
use restwell_model::field::Construction;
use restwell_model::{Checked, Enum, Object, Resource, names};
use std::collections::{BTreeMap, BTreeSet};

/// A document with its definitions.
pub(super) struct Document<'a> {
    pub(super) module: Module,
    /// The file of the document.
    pub(super) origin: &'a str,
    /// Everything that it defines.
    pub(super) names: BTreeSet<&'a str>,
    pub(super) resource: Option<&'a Resource>,
    /// Of the resource's commands, in the order of the model.
    commands: Vec<Structs>,
    objects: Vec<&'a Object>,
    enums: Vec<&'a Enum>,
    /// Names that a draft would have, if other types did not have them.
    taken_drafts: BTreeSet<String>,
}

/// The documents of a service, by module. The main definition of a document names its module, not an inline one.
pub(super) fn of<'a>(service: &'a Checked, origins: &'a Origins) -> Vec<Document<'a>> {
    let all: BTreeSet<&str> = definitions(service).collect();
    let taken_drafts: BTreeSet<String> =
        all.iter().filter(|name| name.ends_with(names::DRAFT)).map(|&name| name.to_owned()).collect();
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
            taken_drafts: taken_drafts.clone(),
        });
        document.names.insert(name);
        document.objects.extend(service.object(name));
        document.enums.extend(service.enumeration(name));
        if let Some(resource) = service.resource(name) {
            document.commands = command::structs(resource, &all);
            document.taken_drafts.extend(document.commands.iter().flat_map(Structs::names).cloned());
            document.resource = Some(resource);
        }
    }
    let mut documents: Vec<_> = documents.into_values().collect();
    documents.sort_by(|a, b| a.module.cmp(&b.module));
    documents
}

fn definitions(service: &Checked) -> impl Iterator<Item = &str> {
    let resources = service.resources.iter().map(|resource| resource.name.as_str());
    let objects = service.objects.iter().map(|object| object.name.as_str());
    let enums = service.enums.iter().map(|enumeration| enumeration.name.as_str());
    resources.chain(objects).chain(enums)
}

impl Document<'_> {
    /// The content of the document's file.
    pub(super) fn view(&self) -> DocumentView {
        let mut scope = Scope::new(&self.names);
        let resource = self.resource.map(|resource| resource::view(resource, &self.commands, &mut scope));
        let objects = self.objects.iter().map(|object| shared::object_view(object, &self.taken_drafts, &mut scope));
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
        DocumentView { library, siblings, structs, enums, commands, handlers: self.handlers() }
    }

    /// What other code names of it: its definitions, and the queries that are derived with them.
    pub(super) fn types(&self) -> Vec<String> {
        let of = |name: &str, ending: &str| format!("{name}{ending}");
        let defined = self.names.iter().map(|name| (*name).to_owned());
        let resource = self.resource.iter().flat_map(|it| {
            let construction = Construction::of(it.fields.iter().map(|field| it.has_to_be_given(field)));
            let draft = (construction == Construction::FromDraft).then(|| of(&it.name, names::DRAFT));
            [of(&it.name, names::QUERY), of(&it.name, names::SORT)].into_iter().chain(draft)
        });
        let objects = self.objects.iter().flat_map(|it| {
            let filters = it.fields.iter().any(|field| field.filter.is_on()).then(|| of(&it.name, names::QUERY));
            let keys = it.fields.iter().any(|field| field.sort).then(|| of(&it.name, names::SORT));
            let draft =
                (draft(&it.name, &it.fields, &self.taken_drafts) == Draft::Free).then(|| of(&it.name, names::DRAFT));
            filters.into_iter().chain(keys).chain(draft)
        });
        let mut types: Vec<_> = defined.chain(resource).chain(objects).collect();
        types.sort_unstable();
        types
    }

    fn commands(&self, scope: &mut Scope<'_>) -> Vec<StructView> {
        let Some(resource) = self.resource else { return Vec::new() };
        let each = resource.commands.iter().zip(&self.commands);
        let of = (resource.name.as_str(), &self.taken_drafts);
        each.flat_map(|(command, structs)| command::views(command, structs, of, scope)).collect()
    }

    /// The trait of the resource's commands, where any are to be written.
    pub(super) fn handlers(&self) -> Option<TraitView> {
        let resource = self.resource?;
        handlers::view(resource, &self.commands, &format!("{}{}", resource.name, names::COMMANDS))
    }

    /// The trait with its module.
    pub(super) fn handlers_path(&self) -> Option<String> {
        self.handlers().map(|handlers| format!("{}::{}", self.module.ident(), handlers.name))
    }
}
