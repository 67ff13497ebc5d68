//! Where requests go: the paths of the interface, with the entities that they are asked about.

use restwell_model::Resource;
use restwell_model::api::{Api, HttpOperation, OperationRole, PathItem, PathSubject};
use restwell_model::resource::{OperationKind, Version, View};
use restwell_model::routes::{Action, Target, VARIABLE};

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

impl<'a> ServedPath<'a> {
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
