//! The service that is asked: one entity of each resource, and every path there is.

use super::axes::Who;
use super::entities::{Deletion, Entities};
use restwell_model::api::{Api, HttpOperation, PathItem, PathSubject};
use restwell_model::routes::{Target, VARIABLE};
use restwell_model::{Resource, Type};
use std::collections::HashMap;
use uuid::Uuid;

pub(super) struct World {
    pub(super) places: Vec<Place>,
    /// What becomes of the entity of a resource that is deleted.
    pub(super) deletions: HashMap<String, Deletion>,
    /// The word in the media types.
    pub(super) vendor: String,
    tokens: Tokens,
    /// Every scope that the model speaks of.
    pub(super) scopes: Vec<String>,
}

/// The tokens of callers.
pub(super) struct Tokens {
    /// Of somebody who owns nothing.
    pub(super) stranger: String,
    /// Of the user who owns what has an owner.
    pub(super) owner: String,
    /// Of somebody who owns nothing, with every scope.
    pub(super) scoped: String,
}

/// A path, and what the model has there.
pub(super) struct Place {
    pub(super) path: String,
    pub(super) found: Option<Found>,
    /// What the documentation for people has there.
    pub(super) page: Option<PagePlace>,
}

/// A kind of path of the documentation for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PagePlace {
    /// `/`: the page, or links.
    WayIn,
    Page,
    Script,
}

pub(super) struct Found {
    pub(super) path: PathItem<'static>,
    pub(super) resource: &'static Resource,
    /// Whether there is what the path's first id names.
    pub(super) exists: bool,
    /// Whether the owner of all owns that.
    pub(super) is_owned: bool,
    /// Whether a view shows it to the owner of all, and to nobody else; `None` where a view shows all.
    pub(super) is_seen: Option<bool>,
}

impl World {
    /// The world of a service with these entities. `search` creates a search of a resource and tells its id, where
    /// anybody may create one.
    pub(super) fn of(
        entities: &Entities,
        tokens: Tokens,
        scopes: Vec<String>,
        mut search: impl FnMut(&Resource) -> Option<String>,
    ) -> Self {
        let model = entities.model;
        let mut places = Vec::new();
        for path in Api::of(model).paths {
            let PathSubject::Resource { resource, target } = path.subject else { continue };
            let resource = &model.resources[resource];
            let existing = existing(entities, resource, target, &mut search);
            let missing = path.pattern.contains(VARIABLE).then(|| Uuid::now_v7().to_string());
            for (id, exists) in existing.map(|id| (id, true)).into_iter().chain(missing.map(|id| (id, false))) {
                places.push(place(entities, &path, (resource, target), &id, exists));
            }
        }
        places.extend(unknown_paths(entities).into_iter().map(|path| Place { path, found: None, page: None }));
        let deletions = model.resources.iter().map(|it| (it.name.clone(), entities.deletion(it))).collect();
        Self { places, deletions, vendor: model.vendor.clone(), tokens, scopes }
    }

    /// An `Authorization` header's value.
    pub(super) fn credentials(&self, who: Who) -> Option<String> {
        let Tokens { stranger, owner, scoped } = &self.tokens;
        match who {
            Who::Nobody => None,
            Who::Forged => Some(format!("Bearer {}x", &owner[..owner.len() - 4])),
            Who::Basic => Some("Basic b3duZXI6b3duZXI=".to_owned()),
            Who::Stranger => Some(format!("Bearer {stranger}")),
            Who::Owner => Some(format!("Bearer {owner}")),
            Who::Scoped => Some(format!("Bearer {scoped}")),
        }
    }
}

impl Place {
    /// The documentation for people, of a service that has it.
    pub(super) fn of_page() -> impl Iterator<Item = Self> {
        let places = [("/", PagePlace::WayIn), ("/docs", PagePlace::Page), ("/docs/app.js", PagePlace::Script)];
        places.into_iter().map(|(path, page)| Self { path: path.to_owned(), found: None, page: Some(page) })
    }

    /// What a method does here.
    pub(super) fn operation(&self, method: &str) -> Option<&HttpOperation<'static>> {
        let method = if method == "HEAD" { "GET" } else { method };
        self.found.as_ref()?.path.operations.iter().find(|operation| operation.method == method)
    }

    pub(super) fn serves(&self, method: &str) -> bool {
        self.operation(method).is_some() || (self.page.is_some() && ["GET", "HEAD"].contains(&method))
    }
}

fn place(
    entities: &Entities,
    path: &PathItem<'static>,
    (resource, target): (&'static Resource, Target),
    id: &str,
    exists: bool,
) -> Place {
    let text = path.pattern.replacen(VARIABLE, id, 1).replacen(VARIABLE, &Uuid::now_v7().to_string(), 1);
    let view = match target {
        Target::Entity { view: Some(view) } => Some(&resource.views[view]),
        _ => None,
    };
    let is_owned = entities.is_owned(resource);
    // what conditions ask for holds for the owner of all
    let is_seen = view.and_then(|view| match &view.through {
        Some(through) => Some(entities.is_seen(resource, through)),
        None => view.filter.as_ref().map(|_| true),
    });
    let found = Found { path: path.clone(), resource, exists, is_owned, is_seen };
    Place { path: text, found: Some(found), page: None }
}

/// What a path names first; the empty text where it names nothing, and `None` where there is none of it.
fn existing(
    entities: &Entities,
    resource: &Resource,
    target: Target,
    search: &mut impl FnMut(&Resource) -> Option<String>,
) -> Option<String> {
    let of = |name: &str| entities.of.get(name).map(|entity| entity.id.clone());
    match target {
        Target::Scoped { field } => match &resource.fields[field].ty {
            Type::Ref { to, .. } => of(to),
            _ => panic!("a scoped collection is under a reference"),
        },
        Target::Search => search(resource),
        Target::Entity { .. } | Target::Commands { .. } | Target::Command { .. } => of(&resource.name),
        Target::Collection { .. } | Target::Searches => Some(String::new()),
    }
}

/// Paths that the model has not.
fn unknown_paths(entities: &Entities) -> Vec<String> {
    let mut paths: Vec<_> = ["/nothing", "/docs/nothing.js"].map(str::to_owned).into();
    if let Some(resource) = entities.model.resources.first() {
        let path = resource.path();
        let id = entities.of.get(&resource.name).map_or_else(|| Uuid::now_v7().to_string(), |it| it.id.clone());
        let capital = path[1..2].to_uppercase();
        paths.extend([
            format!("/{capital}{}", &path[2..]),
            format!("{path}/"),
            format!("/{path}"),
            format!("{path}/nothing"),
            format!("{path}/{}", id.to_uppercase()),
            format!("{path}/{id}/nothing"),
            format!("/nothing{path}/{id}"),
            format!("{path}/{id}/nothing-commands"),
        ]);
    }
    paths
}
