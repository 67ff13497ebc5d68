//! What a run has created: entities to ask about, and what is to be deleted at its end.

use super::served::{ServedPath, index_of};
use restwell_model::Resource;
use restwell_model::api::Api;
use restwell_model::resource::Through;
use serde_json::Value;
use std::collections::BTreeMap;

/// An entity that a run can ask about: it has created it or, where it cannot create any, found it.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// The resource's index in the service.
    pub(crate) resource: usize,
    pub(crate) id: String,
    /// As it was shown last.
    pub(crate) body: Value,
    /// What was posted; null for one that was found.
    pub(crate) posted: Value,
}

/// The entities of a run.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) known: Vec<Known>,
    /// A search of each resource, by the resource's index.
    pub(crate) searches: BTreeMap<usize, String>,
    /// Paths of what was created, in this order.
    pub(crate) created: Vec<String>,
}

impl World {
    /// The entities of a resource.
    pub(crate) fn of(&self, resource: usize) -> impl Iterator<Item = &Known> {
        self.known.iter().filter(move |known| known.resource == resource)
    }

    /// What stood at this path need not be deleted any more, whichever view it was deleted by.
    pub(crate) fn is_gone(&mut self, path: &str) {
        let id = |path: &str| path.rsplit('/').next().map(str::to_owned);
        let gone = id(path);
        self.created.retain(|path| id(path) != gone);
    }

    pub(crate) fn first(&self, resource: usize) -> Option<&Known> {
        self.of(resource).next()
    }

    /// Whether the run has created the entity of a resource that it asks about: only such a one may be lost.
    pub(crate) fn is_own(&self, resource: usize) -> bool {
        self.first(resource).is_some_and(|known| !known.posted.is_null())
    }

    /// Whether a user owns the entity; `None` if it does not say.
    pub(crate) fn is_owned(api: &Api<'_>, resource: &Resource, known: &Known, user: Option<&str>) -> Option<bool> {
        match resource.owner_field() {
            Some(field) => Some(known.body.get(field)?["id"].as_str() == user && user.is_some()),
            None => Some(api.service.users.as_ref() == Some(&resource.name) && user == Some(known.id.as_str())),
        }
    }

    /// Whether an entity of the user's own is known to refer to this one, as a view `through` asks for. If none is
    /// known, there may be others that do.
    pub(crate) fn is_seen(&self, api: &Api<'_>, through: &Through, id: &str, user: Option<&str>) -> bool {
        let Some(other) = index_of(api, &through.resource) else { return false };
        let resource = &api.service.resources[other];
        self.of(other).any(|known| {
            let is_owned = Self::is_owned(api, resource, known, user) == Some(true);
            is_owned && known.body[&through.field]["id"].as_str() == Some(id)
        })
    }
}

/// The path of an entity.
pub(crate) fn entity_path(served: &ServedPath<'_>, id: &str) -> String {
    served.path.pattern.replacen(restwell_model::routes::VARIABLE, id, 1)
}
