//! Clients of a service: packages that others depend on, one for each language.
//!
//! [`ClientPlan`] is what the languages share: which modules there are, which methods they have, and how everything is
//! called. It is derived from [`Api`] alone and repeats no rule of the conventions. A language lays it out.

mod names;
pub mod rust;
mod types;
pub mod typescript;

pub use names::{method_name, under_method};
pub use types::{Direction, ObjectType, SharedTypes, TypePlan};

use crate::emit::Generated;
use crate::project::Starter;
use restwell_model::api::{Api, FilterField, HttpOperation, OperationRole, PathItem, PathSubject, SchemaKey};
use restwell_model::api::{BodyContent, command_filter_fields, filter_fields};
use restwell_model::routes::{Action, FormerWords, Target};
use restwell_model::{Checked, Command, OperationKind, Resource, Version, View};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The files of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientPackage {
    /// The folder that only the generator writes, relative to the package.
    pub folder: &'static str,
    /// Its files, by paths relative to it.
    pub generated: Vec<Generated>,
    /// The files around it: written once if they are missing, then owned by people.
    pub starters: Vec<Starter>,
}

/// What the client of a service consists of, in any language.
#[derive(Debug, Clone)]
pub struct ClientPlan<'a> {
    /// The interface.
    pub api: &'a Api<'a>,
    /// SHA-256 of the checked model, in hex: what the generated files were made from.
    pub model_hash: String,
    /// One part for each version, the public one first; a beta is a module of its own (§9.5).
    pub versions: Vec<VersionPlan<'a>>,
}

/// What a version has.
#[derive(Debug, Clone)]
pub struct VersionPlan<'a> {
    /// The version.
    pub version: Version,
    /// Its media type.
    pub media_type: String,
    /// The resources that are served in it.
    pub resources: Vec<ResourcePlan<'a>>,
    /// The types of values, and which of them are the same in all resources.
    pub types: SharedTypes<'a>,
}

/// A module: a resource with its views and scoped collections.
#[derive(Debug, Clone)]
pub struct ResourcePlan<'a> {
    /// An index into the service's resources.
    pub index: usize,
    /// The resource.
    pub resource: &'a Resource,
    /// Where its entities are, the resource itself first. One that has no operations is left out.
    pub collections: Vec<CollectionPlan<'a>>,
    /// The bodies of its operations, searches and commands, each once, with the names of their types.
    pub bodies: Vec<TypePlan>,
}

/// Entities under one path, and what can be done with them.
#[derive(Debug, Clone)]
pub struct CollectionPlan<'a> {
    /// Which entities.
    pub kind: CollectionKind<'a>,
    /// In camelCase, unique in the service: `offers`, `saleOffers`, `userOffers`.
    pub name: String,
    /// What types of bodies begin with: `Offer`, `SaleOffer`, `UserOffer`.
    pub type_prefix: String,
    /// The path: `/offers`, `/users/{userId}/offers`.
    pub path: String,
    /// Which words of the path are former names: then all of it is deprecated.
    pub former: FormerWords,
    /// The name of the array in a collection response.
    pub items: String,
    /// The operations, in the order of [`OperationKind`].
    pub operations: Vec<OperationPlan<'a>>,
    /// What a list can be filtered and sorted by.
    pub filters: Vec<FilterField<'a>>,
    /// Its searches; only the resource itself has them.
    pub search: Option<SearchPlan<'a>>,
    /// Its commands; only the resource itself has them.
    pub commands: Vec<CommandPlan<'a>>,
}

/// Which entities of a resource a collection has.
#[derive(Debug, Clone, Copy)]
pub enum CollectionKind<'a> {
    /// All of them.
    Root,
    /// Those of a view, with its fields.
    View(&'a View),
    /// Those whose reference, the field with this index, is the path's first id.
    Scoped {
        /// The reference field.
        field: usize,
        /// The resource that it refers to.
        parent: &'a Resource,
    },
}

/// An operation on entities.
#[derive(Debug, Clone)]
pub struct OperationPlan<'a> {
    /// What it does.
    pub kind: OperationKind,
    /// The operation.
    pub operation: &'a HttpOperation<'a>,
    /// The body of a request.
    pub request: Option<SchemaKey>,
    /// The body of a success.
    pub response: Option<SchemaKey>,
}

/// The searches of a resource (§4.5).
#[derive(Debug, Clone, Copy)]
pub struct SearchPlan<'a> {
    /// The POST.
    pub create: &'a HttpOperation<'a>,
    /// The path: `/offer-searches`.
    pub path: &'a str,
    /// What is posted.
    pub criteria: SchemaKey,
    /// What is stored.
    pub stored: SchemaKey,
}

/// A command of a resource (§4.7).
#[derive(Debug, Clone)]
pub struct CommandPlan<'a> {
    /// The method in camelCase: `renew`. One whose name another method has ends in `Command`.
    pub name: String,
    /// The command.
    pub command: &'a Command,
    /// The PUT. The methods that read commands have the same access.
    pub submit: &'a HttpOperation<'a>,
    /// The path of those of an entity: `/offers/{offerId}/renew-commands`.
    pub path: String,
    /// The end of the path: `renew-commands`.
    pub segment: String,
    /// The name of the array in a list of them.
    pub items: String,
    /// The body of the PUT, which may be omitted unless [`requires_body`](HttpOperation::requires_body).
    pub input: SchemaKey,
    /// What is rendered.
    pub rendered: SchemaKey,
    /// What lists of them can be filtered and sorted by.
    pub filters: Vec<FilterField<'static>>,
}

impl<'a> ClientPlan<'a> {
    /// The client of a service.
    #[must_use]
    pub fn of(api: &'a Api<'a>) -> Self {
        let versions: BTreeSet<Version> = api.operations().flat_map(|(_, it)| it.versions.iter().copied()).collect();
        // the public version is the greatest, as in `Resource::versions_by_preference`
        let versions = versions.into_iter().rev().map(|version| VersionPlan::of(api, version)).collect();
        Self { api, model_hash: hash(api.service), versions }
    }

    /// The service.
    #[must_use]
    pub fn service(&self) -> &'a Checked {
        self.api.service
    }

    /// The title for people.
    #[must_use]
    pub fn title(&self) -> &'a str {
        self.service().title.as_deref().unwrap_or(&self.service().name)
    }
}

/// SHA-256 of the model as JSON. A model is always written, so nothing is hashed only of one that cannot be.
fn hash(service: &Checked) -> String {
    let json = serde_json::to_vec(&**service).unwrap_or_default();
    Sha256::digest(json).iter().fold(String::new(), |mut hex, byte| {
        // writing to a String cannot fail
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

impl<'a> VersionPlan<'a> {
    fn of(api: &'a Api<'a>, version: Version) -> Self {
        let all = api.service.resources.iter().enumerate();
        let served = all.filter(|(_, resource)| resource.versions.contains(&version));
        let mut resources: Vec<_> = served
            .map(|(index, resource)| ResourcePlan::of(api, index, resource, version))
            .filter(|resource| !resource.collections.is_empty())
            .collect();
        names::tell_apart(&mut resources);
        types::name_bodies(api.service, &mut resources);
        let types = SharedTypes::of(api, &resources);
        Self { version, media_type: version.media_type(&api.service.vendor), resources, types }
    }

    /// The names of all types: the model's, and those of bodies and objects.
    #[must_use]
    pub fn type_names(&self, service: &Checked) -> BTreeSet<String> {
        let bodies = self.resources.iter().flat_map(|resource| &resource.bodies).map(|body| body.name.clone());
        let objects = self.types.objects.iter().map(|object| object.name.clone());
        names::of_definitions(service).into_iter().chain(bodies).chain(objects).collect()
    }

    /// The folder and the name of its module: nothing for the public version, `beta-v2`.
    #[must_use]
    pub fn folder(&self) -> Option<String> {
        match self.version {
            Version::Public => None,
            Version::Beta(number) => Some(format!("beta-v{number}")),
        }
    }
}

impl<'a> ResourcePlan<'a> {
    fn of(api: &'a Api<'a>, index: usize, resource: &'a Resource, version: Version) -> Self {
        let of_collection = |path: &'a PathItem<'a>| CollectionPlan::of(api, path, index, resource, version);
        let mut collections: Vec<CollectionPlan<'a>> = Vec::new();
        for plan in api.paths.iter().filter_map(of_collection) {
            // the paths of a collection and of its entities are one collection
            match collections.iter_mut().find(|known| known.is_at(&plan)) {
                Some(known) => known.operations.extend(plan.operations),
                None => collections.push(plan),
            }
        }
        for root in collections.iter_mut().filter(|it| matches!(it.kind, CollectionKind::Root)) {
            // where the resource itself has no list, its searches are for views only
            let has_list = root.operation(OperationKind::List).is_some();
            root.search = search(api, index, root.former, version).filter(|_| has_list);
            root.commands = commands(api, index, root.former, resource);
        }
        names::name_commands(&mut collections);
        collections.iter_mut().for_each(|it| it.operations.sort_by_key(|operation| operation.kind));
        collections.retain(|it| !it.operations.is_empty() || it.search.is_some() || !it.commands.is_empty());
        Self { index, resource, collections, bodies: Vec::new() }
    }

    /// The name of the module, dashed: `general-deliveries`.
    #[must_use]
    pub fn module(&self) -> &'a str {
        &self.resource.plural
    }
}

impl<'a> CollectionPlan<'a> {
    /// The collection that a path is a part of; `None` for paths of searches and commands.
    fn of(
        api: &'a Api<'a>,
        path: &'a PathItem<'a>,
        index: usize,
        resource: &'a Resource,
        version: Version,
    ) -> Option<Self> {
        let PathSubject::Resource { resource: of, target } = path.subject else { return None };
        let kind = kind_of(api.service, resource, target).filter(|_| of == index)?;
        let view = match kind {
            CollectionKind::View(view) => Some(view),
            CollectionKind::Root | CollectionKind::Scoped { .. } => None,
        };
        let operations = path.operations.iter().filter_map(|operation| OperationPlan::of(operation, version));
        Some(Self {
            kind,
            name: names::collection(resource, kind, path.former),
            type_prefix: names::type_prefix(resource, kind, path.former),
            path: names::collection_path(path),
            former: path.former,
            items: path.collection.clone(),
            operations: operations.collect(),
            filters: filter_fields(api.service, resource, version, view),
            search: None,
            commands: Vec::new(),
        })
    }

    /// Whether the paths of both are those of one collection and of its entities.
    fn is_at(&self, other: &Self) -> bool {
        let is_same = match (self.kind, other.kind) {
            (CollectionKind::Root, CollectionKind::Root) => true,
            (CollectionKind::View(one), CollectionKind::View(other)) => one.name == other.name,
            (CollectionKind::Scoped { field: one, .. }, CollectionKind::Scoped { field: other, .. }) => one == other,
            _ => false,
        };
        is_same && self.former == other.former
    }

    /// The operation of a kind.
    #[must_use]
    pub fn operation(&self, kind: OperationKind) -> Option<&OperationPlan<'a>> {
        self.operations.iter().find(|operation| operation.kind == kind)
    }

    /// The view's representation, which types of entities follow from.
    #[must_use]
    pub fn entity(&self) -> Option<SchemaKey> {
        self.operations.iter().find_map(|it| match it.response? {
            SchemaKey::Entity(of) | SchemaKey::Collection(of) | SchemaKey::FormerCollection(of) => {
                Some(SchemaKey::Entity(of))
            }
            _ => None,
        })
    }
}

fn kind_of<'a>(service: &'a Checked, resource: &'a Resource, target: Target) -> Option<CollectionKind<'a>> {
    match target {
        Target::Collection { view: None } | Target::Entity { view: None } => Some(CollectionKind::Root),
        Target::Collection { view: Some(view) } | Target::Entity { view: Some(view) } => {
            resource.views.get(view).map(CollectionKind::View)
        }
        Target::Scoped { field } => {
            let parent = names::parent(service, resource, field)?;
            Some(CollectionKind::Scoped { field, parent })
        }
        Target::Searches | Target::Search | Target::Commands { .. } | Target::Command { .. } => None,
    }
}

impl<'a> OperationPlan<'a> {
    /// The operation in a version; `None` if it does not act on entities.
    fn of(operation: &'a HttpOperation<'a>, version: Version) -> Option<Self> {
        let OperationRole::Action(Action::Operation(kind)) = operation.role else { return None };
        // what has no body has no version
        let request = body(&operation.request, version);
        Some(Self { kind, operation, request, response: result(operation, version) })
    }
}

/// The body in a version.
fn body(contents: &[BodyContent], version: Version) -> Option<SchemaKey> {
    contents.iter().find(|content| content.version == Some(version)).and_then(|content| content.schema)
}

/// The body of a success in a version.
fn result(operation: &HttpOperation<'_>, version: Version) -> Option<SchemaKey> {
    let successes = operation.responses.iter().filter(|response| response.status < 300);
    successes.filter_map(|response| body(&response.content, version)).next()
}

/// The operations on a resource with these actions, with their paths.
fn actions<'a>(
    api: &'a Api<'a>,
    index: usize,
    wanted: impl Fn(Action) -> bool,
) -> impl Iterator<Item = (&'a PathItem<'a>, &'a HttpOperation<'a>, Action)> {
    api.operations().filter_map(move |(path, operation)| match (path.subject, operation.role) {
        (PathSubject::Resource { resource, .. }, OperationRole::Action(action))
            if resource == index && wanted(action) =>
        {
            Some((path, operation, action))
        }
        _ => None,
    })
}

fn search<'a>(api: &'a Api<'a>, index: usize, former: FormerWords, version: Version) -> Option<SearchPlan<'a>> {
    let mut paths = actions(api, index, |action| action == Action::CreateSearch);
    let (path, create, _) = paths.find(|(path, ..)| path.former == former)?;
    let (criteria, stored) = (body(&create.request, version)?, result(create, version)?);
    Some(SearchPlan { create, path: &path.path, criteria, stored })
}

fn commands<'a>(api: &'a Api<'a>, index: usize, former: FormerWords, resource: &'a Resource) -> Vec<CommandPlan<'a>> {
    let submits = actions(api, index, |action| matches!(action, Action::PutCommand(_)));
    let plan = |(path, submit, action): (&'a PathItem<'a>, &'a HttpOperation<'a>, Action)| {
        let Action::PutCommand(command) = action else { return None };
        let definition = resource.commands.get(command).filter(|_| path.former.resource == former.resource)?;
        let (of_entity, _) = path.path.rsplit_once('/')?;
        Some(CommandPlan {
            name: definition.name_of(path.former.command).to_owned(),
            command: definition,
            submit,
            path: of_entity.to_owned(),
            segment: definition.segment_of(path.former.command),
            items: path.collection.clone(),
            input: SchemaKey::CommandInput { resource: index, command },
            rendered: SchemaKey::Command { resource: index, command },
            filters: command_filter_fields(),
        })
    };
    submits.filter_map(plan).collect()
}
