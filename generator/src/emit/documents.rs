//! One output file for each document of the schemas, with all its definitions.

use super::command::{self, Structs};
use super::names::Module;
use super::scope::Scope;
use super::shared::{Draft, draft};
use super::view::{DocumentView, StructView, TraitView};
use super::{handlers, resource, shared};
use crate::compile::Origins;
use restwell_model::language::TypeClass;
use restwell_model::names::rust;
use restwell_model::{Checked, Enum, Object, Resource, names};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A document with its definitions.
pub(super) struct Document<'a> {
    pub(super) module: Module,
    /// The file of the document.
    pub(super) origin: &'a str,
    /// Everything that it defines.
    pub(super) names: BTreeSet<&'a str>,
    /// Everything that the service defines.
    all: Arc<BTreeSet<&'a str>>,
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
    let all: Arc<BTreeSet<&str>> = Arc::new(definitions(service).collect());
    let taken_drafts: BTreeSet<String> =
        all.iter().filter(|name| name.ends_with(names::DRAFT)).map(|&name| name.to_owned()).collect();
    let mut documents: BTreeMap<&str, Document<'a>> = BTreeMap::new();
    for &name in all.iter() {
        let Some(origin) = origins.get(name) else { continue };
        let document = documents.entry(&origin.document).or_insert_with(|| Document {
            module: Module::of(&origin.document),
            origin: &origin.file,
            names: BTreeSet::new(),
            all: Arc::clone(&all),
            resource: None,
            commands: Vec::new(),
            objects: Vec::new(),
            enums: Vec::new(),
            taken_drafts: taken_drafts.clone(),
        });
        document.names.insert(name);
        document.objects.extend(service.object(name));
        document.enums.extend(service.enumeration(name));
        document.resource = service.resource(name).or(document.resource);
    }
    let mut documents: Vec<_> = documents.into_values().collect();
    for document in &mut documents {
        let Some(resource) = document.resource else { continue };
        document.commands = command::structs(resource, &document.names, &all);
        document.taken_drafts.extend(document.commands.iter().flat_map(Structs::names).cloned());
    }
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
        let mut scope = Scope::new(&self.names, self.named());
        let taken = (&*self.all, &self.taken_drafts);
        let resource = self.resource.map(|resource| resource::view(resource, &self.commands, taken, &mut scope));
        let objects = self.objects.iter().map(|object| shared::object_view(object, taken, &mut scope));
        let structs: Vec<StructView> = resource.into_iter().chain(objects).collect();
        let commands = self.commands(&mut scope);
        let enums = self.enums.iter().map(|enumeration| shared::enum_view(enumeration, &mut scope)).collect();
        let handlers = self.handlers(&scope);
        let (library, siblings) = scope.into_imports();
        DocumentView { library, siblings, structs, enums, commands, handlers }
    }

    /// The definitions that the fields of the document name.
    fn named(&self) -> BTreeSet<&str> {
        let commands = self.resource.into_iter().flat_map(|it| &it.commands);
        let of_commands = commands.flat_map(|command| command.input.iter().chain(&command.output));
        let of_resource = self.resource.into_iter().flat_map(|it| &it.fields);
        let fields = of_resource.chain(of_commands).chain(self.objects.iter().flat_map(|it| &it.fields));
        let types = fields.map(|field| field.ty.element().class());
        types
            .filter_map(|class| match class {
                TypeClass::Ref(name) | TypeClass::Named(name) => Some(name),
                TypeClass::Scalar(_) | TypeClass::Array(_) | TypeClass::Map(_) => None,
            })
            .collect()
    }

    /// What other code names of it: its definitions, and the queries that are derived with them.
    pub(super) fn types(&self) -> Vec<String> {
        let brought = |name: &str, suffix: &str| self.brought(name, suffix);
        let defined = self.names.iter().map(|name| (*name).to_owned());
        let resource = self.resource.iter().flat_map(|it| {
            let draft = resource::draft(it, &self.taken_drafts) == Draft::Free;
            let suffixes = [names::QUERY, names::SORT].into_iter().chain(draft.then_some(names::DRAFT));
            suffixes.map(|suffix| brought(&it.name, suffix))
        });
        let objects = self.objects.iter().flat_map(|it| {
            let draft = draft(&it.name, &it.fields, &self.taken_drafts) == Draft::Free;
            let suffixes = shared::queries_of(it).into_iter().chain(draft.then_some(names::DRAFT));
            suffixes.map(|suffix| brought(&it.name, suffix))
        });
        let mut types: Vec<_> = defined.chain(resource).chain(objects).collect();
        types.sort_unstable();
        types
    }

    fn brought(&self, name: &str, suffix: &str) -> String {
        rust::brought(name, suffix, |it| self.all.contains(it))
    }

    fn commands(&self, scope: &mut Scope<'_>) -> Vec<StructView> {
        let Some(resource) = self.resource else { return Vec::new() };
        let each = resource.commands.iter().zip(&self.commands);
        let of = (resource.name.as_str(), &self.taken_drafts);
        each.flat_map(|(command, structs)| command::views(command, structs, of, scope)).collect()
    }

    /// The name of the trait of the resource's commands, where any are to be written.
    pub(super) fn handlers_name(&self) -> Option<String> {
        let resource = self.resource?;
        handlers::ready(resource, &self.commands).next()?;
        Some(self.brought(&resource.name, names::COMMANDS))
    }

    /// This trait.
    fn handlers(&self, scope: &Scope<'_>) -> Option<TraitView> {
        let result = scope.prelude("Result");
        Some(handlers::view(self.resource?, &self.commands, self.handlers_name()?, result))
    }

    /// This trait as the starter file of its handlers needs it.
    pub(super) fn starter(&self) -> Option<TraitView> {
        Some(handlers::view(self.resource?, &self.commands, self.handlers_name()?, "Result".to_owned()))
    }

    /// The trait with its module.
    pub(super) fn handlers_path(&self) -> Option<String> {
        self.handlers_name().map(|name| format!("{}::{name}", self.module.ident()))
    }

    /// Whether the service defines something of this name.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.all.contains(name)
    }
}
