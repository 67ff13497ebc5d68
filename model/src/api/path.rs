//! A path and its methods (§2.1, §4).

use super::operation::{Call, HttpOperation};
use super::responses::HttpResponse;
use super::system::SystemEndpoint;
use crate::check::Checked;
use crate::field::Type;
use crate::names;
use crate::routes::{Endpoint, FormerWords, Target, VARIABLE, allowed};

/// The name of a command's id in a path.
const COMMAND_ID: &str = "commandId";

/// A path and its methods.
///
/// HEAD is served wherever GET is, with the same response but its body.
#[derive(Debug, Clone)]
pub struct PathItem<'a> {
    /// The path with the names of its ids: `/users/{userId}/offers`.
    pub path: String,
    /// The path as the table of routes has it: `/users/{}/offers`.
    pub pattern: String,
    /// What the path names.
    pub subject: PathSubject,
    /// The ids in the path, in their order.
    pub ids: Vec<PathId>,
    /// The value of `Allow`: the methods, HEAD and OPTIONS included, in alphabetical order.
    pub allow: String,
    /// Which of its words are former names: then all of its operations are deprecated.
    pub former: FormerWords,
    /// The path below which what is created here is found; none of a path of the service itself.
    pub home: String,
    /// The name of the array in the collections that are read here; none of a path of the service itself.
    pub collection: String,
    /// What each method does, in the order of the table of routes.
    pub operations: Vec<HttpOperation<'a>>,
    /// The response to OPTIONS: 204, with `Allow`.
    pub options: HttpResponse,
    /// The response to any other method: 405, with `Allow`.
    pub other_methods: HttpResponse,
}

/// What a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathSubject {
    /// Something of a resource.
    Resource {
        /// The resource, as an index into the service's.
        resource: usize,
        /// Its entities, searches or commands.
        target: Target,
    },
    /// Something of the service itself, outside the conventions.
    System(SystemEndpoint),
}

/// An id in a path: a UUID in lower case (§2.2). Anything else is 404; as the id of a command that is sent, 422.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathId {
    /// The name in the path: `userId`. Unique in its path.
    pub name: String,
    /// What it identifies.
    pub kind: PathIdKind,
}

/// What an id in a path identifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathIdKind {
    /// An entity of this resource, an index into the service's.
    Entity(usize),
    /// A stored search (§4.5).
    Search,
    /// A command; the client chooses its id (§2.6).
    Command,
}

impl<'a> PathItem<'a> {
    pub(super) fn of_resource(service: &'a Checked, endpoint: &Endpoint, is_held: bool) -> Self {
        let ids = ids(service, endpoint);
        let call = |action| Call::of(service, endpoint, action, is_held);
        Self {
            path: named(&endpoint.pattern, &ids),
            pattern: endpoint.pattern.clone(),
            subject: PathSubject::Resource { resource: endpoint.resource, target: endpoint.target },
            ids,
            allow: allowed(&endpoint.actions),
            former: endpoint.former,
            home: endpoint.home(&service.resources[endpoint.resource]),
            collection: endpoint.collection(&service.resources[endpoint.resource]),
            operations: endpoint.actions.iter().map(|action| call(*action).operation()).collect(),
            options: HttpResponse::options(true),
            other_methods: HttpResponse::method_not_allowed(service, true),
        }
    }

    pub(super) fn of_system(service: &'a Checked, endpoint: SystemEndpoint) -> Self {
        Self {
            path: endpoint.path().to_owned(),
            pattern: endpoint.path().to_owned(),
            subject: PathSubject::System(endpoint),
            ids: Vec::new(),
            allow: "GET, HEAD, OPTIONS".to_owned(),
            former: FormerWords::default(),
            home: String::new(),
            collection: String::new(),
            operations: vec![endpoint.operation(service)],
            options: HttpResponse::options(!endpoint.is_probe()),
            other_methods: HttpResponse::method_not_allowed(service, !endpoint.is_probe()),
        }
    }
}

impl PathItem<'_> {
    /// The resource that the path belongs to, as an index into the service's.
    #[must_use]
    pub fn subject_resource(&self) -> Option<usize> {
        match self.subject {
            PathSubject::Resource { resource, .. } => Some(resource),
            PathSubject::System(_) => None,
        }
    }

    /// Whether the path is that of one entity, of the resource or of a view.
    #[must_use]
    pub fn is_entity(&self) -> bool {
        matches!(self.subject, PathSubject::Resource { target: Target::Entity { .. }, .. })
    }
}

/// The name of an entity's id in a path, by its resource.
pub(super) fn entity_id(resource: &str) -> String {
    format!("{}Id", names::camel(resource))
}

/// The same before the id of a command: a resource called `Command` shares its name.
pub(super) fn entity_id_beside_command(resource: &str) -> String {
    let name = entity_id(resource);
    if name == COMMAND_ID { "id".to_owned() } else { name }
}

fn ids(service: &Checked, endpoint: &Endpoint) -> Vec<PathId> {
    let &Endpoint { resource, target, former, .. } = endpoint;
    let entity = |index: usize, is_former: bool| {
        let name = service.resources.get(index).map(|resource| entity_id(resource.name_of(is_former)));
        PathId { name: name.unwrap_or_default(), kind: PathIdKind::Entity(index) }
    };
    match target {
        Target::Collection { .. } | Target::Searches => Vec::new(),
        Target::Entity { .. } | Target::Commands { .. } => vec![entity(resource, former.resource)],
        Target::Scoped { field } => {
            parent(service, resource, field).map(|parent| entity(parent, former.parent)).into_iter().collect()
        }
        Target::Search => vec![PathId { name: "searchId".to_owned(), kind: PathIdKind::Search }],
        Target::Command { .. } => {
            let of = service.resources[resource].name_of(former.resource);
            let entity = PathId { name: entity_id_beside_command(of), kind: PathIdKind::Entity(resource) };
            vec![entity, PathId { name: COMMAND_ID.to_owned(), kind: PathIdKind::Command }]
        }
    }
}

/// The resource whose entity is the parent of a scoped collection.
fn parent(service: &Checked, resource: usize, field: usize) -> Option<usize> {
    let Type::Ref { to, .. } = &service.resources[resource].fields[field].ty else { return None };
    service.resources.iter().position(|resource| resource.name == *to)
}

fn named(pattern: &str, ids: &[PathId]) -> String {
    ids.iter().fold(pattern.to_owned(), |path, id| path.replacen(VARIABLE, &format!("{{{}}}", id.name), 1))
}
