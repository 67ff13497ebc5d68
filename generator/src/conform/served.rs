//! Where requests go: the paths of the interface, with the entities that they are asked about.

use super::exchange::Request;
use restwell_model::api::{Api, HttpOperation, OperationRole, PathItem, PathSubject, SystemEndpoint};
use restwell_model::resource::{OperationKind, Version, View};
use restwell_model::routes::{Action, Target, VARIABLE};
use restwell_model::{Field, Resource, Type};

/// A path of a resource.
#[derive(Clone, Copy)]
pub(crate) struct ServedPath<'a> {
    pub(crate) path: &'a PathItem<'a>,
    /// The resource's index in the service.
    pub(crate) index: usize,
    pub(crate) resource: &'a Resource,
    pub(crate) target: Target,
}

/// Every path of the resources.
pub(crate) fn served<'a>(api: &'a Api<'a>) -> impl Iterator<Item = ServedPath<'a>> {
    api.paths.iter().filter_map(|path| match path.subject {
        PathSubject::Resource { resource: index, target } => {
            Some(ServedPath { path, index, resource: &api.service.resources[index], target })
        }
        PathSubject::System(_) => None,
    })
}

/// The path that a request is for. Where a resource has a path of the service itself, a request that names no media
/// type of the service is for the service itself (decisions, "Own paths").
pub(crate) fn find_for<'a>(api: &'a Api<'a>, request: &Request) -> Option<&'a PathItem<'a>> {
    let path = request.path();
    let is_own = |item: &&PathItem<'_>| item.pattern == path && matches!(item.subject, PathSubject::System(_));
    let own = api.paths.iter().find(is_own).filter(|_| !request.names_version(&api.service.vendor));
    own.or_else(|| find(api, path))
}

/// The path that a request's target is one of.
pub(crate) fn find<'a>(api: &'a Api<'a>, path: &str) -> Option<&'a PathItem<'a>> {
    let fits = |item: &&PathItem<'_>| {
        let (mut asked, mut pattern) = (path.split('/'), item.pattern.split('/'));
        loop {
            match (asked.next(), pattern.next()) {
                (None, None) => return true,
                (Some(word), Some(known)) if known == word || known == VARIABLE => {}
                _ => return false,
            }
        }
    };
    // a word before a variable
    let literal = api.paths.iter().find(|item| item.pattern == path);
    literal.or_else(|| api.paths.iter().find(fits))
}

/// The index of a resource.
pub(crate) fn index_of(api: &Api<'_>, resource: &str) -> Option<usize> {
    api.service.resources.iter().position(|other| other.name == resource)
}

/// The index of the resource that a field refers to.
pub(crate) fn referred(api: &Api<'_>, field: &Field) -> Option<usize> {
    let Type::Ref { to, .. } = &field.ty else { return None };
    index_of(api, to)
}

/// The resource of an operation, and what its path names.
pub(crate) fn place_of(api: &Api<'_>, operation: &HttpOperation<'_>) -> Option<(usize, Target)> {
    let (path, _) = api.operations().find(|(_, other)| std::ptr::eq(*other, operation))?;
    match path.subject {
        PathSubject::Resource { resource, target } => Some((resource, target)),
        PathSubject::System(_) => None,
    }
}

impl<'a> ServedPath<'a> {
    /// Whether the service itself has the path too, such as `/events`.
    pub(crate) fn is_shared(&self) -> bool {
        SystemEndpoint::ALL.iter().any(|endpoint| endpoint.path() == self.path.pattern)
    }

    /// The operation of a kind on entities.
    pub(crate) fn operation(&self, kind: OperationKind) -> Option<&'a HttpOperation<'a>> {
        self.action(Action::Operation(kind))
    }

    pub(crate) fn action(&self, action: Action) -> Option<&'a HttpOperation<'a>> {
        self.path.operations.iter().find(|operation| operation.role == OperationRole::Action(action))
    }

    pub(crate) fn view(&self) -> Option<&'a View> {
        match self.target {
            Target::Collection { view } | Target::Entity { view } => {
                view.and_then(|view| self.resource.views.get(view))
            }
            Target::Scoped { .. }
            | Target::Searches
            | Target::Search
            | Target::Commands { .. }
            | Target::Command { .. } => None,
        }
    }

    /// The path of its single entities: in the view, or at the root.
    pub(crate) fn item(&self, api: &'a Api<'a>) -> Option<ServedPath<'a>> {
        let view = match self.target {
            Target::Collection { view } => view,
            _ => None,
        };
        served(api).find(|other| other.index == self.index && other.target == Target::Entity { view })
    }

    /// The paths of single entities of the same resource, that of the resource itself first.
    pub(crate) fn items(&self, api: &'a Api<'a>) -> impl Iterator<Item = ServedPath<'a>> {
        let index = self.index;
        served(api).filter(move |other| other.index == index && matches!(other.target, Target::Entity { .. }))
    }
}

/// The media type of the version that an operation prefers.
pub(crate) fn media_type(api: &Api<'_>, operation: &HttpOperation<'_>) -> String {
    operation.versions.first().copied().unwrap_or(Version::PUBLIC).media_type(&api.service.vendor)
}
