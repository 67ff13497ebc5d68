//! Paths: no two things have the same one (§4).

use crate::check::FaultCode::PathClash;
use crate::check::index::Index;
use crate::check::place::Place;
use crate::check::{Fault, ModelPath};
use crate::resource::Resource;
use crate::routes::{Endpoint, OWN_PATHS, Target, VARIABLE, endpoints};
use std::collections::HashMap;

/// Endpoints that share a path, and views that lie where ids are.
pub(super) fn clashes(index: &Index<'_>, faults: &mut Vec<Fault>) {
    let resources = &index.service.resources;
    let endpoints = endpoints(index.service);
    let mut known: HashMap<&str, &Endpoint> = HashMap::new();
    for endpoint in &endpoints {
        let resource = &resources[endpoint.resource];
        let at = place(endpoint, resource);
        if OWN_PATHS.contains(&top(&endpoint.pattern)) {
            let message = format!("{} is the service's own", top(&endpoint.pattern));
            faults.push(Fault::new(PathClash, at, message).help(cure(endpoint)));
        } else if let Some(other) = known.insert(&endpoint.pattern, endpoint) {
            faults.extend(shared(endpoint, other, resources));
        }
    }
    for endpoint in &endpoints {
        // `/offers/archive` reads as the offer of the id `archive`
        let Target::Collection { view: Some(_) } = endpoint.target else { continue };
        let Some((parent, _)) = endpoint.pattern.rsplit_once('/') else { continue };
        if known.contains_key(format!("{parent}/{VARIABLE}").as_str()) {
            let message = format!("{} lies where the ids of {parent} are", endpoint.pattern);
            let at = place(endpoint, &resources[endpoint.resource]);
            faults.push(Fault::new(PathClash, at, message).help(cure(endpoint)));
        }
    }
}

fn shared(endpoint: &Endpoint, other: &Endpoint, resources: &[Resource]) -> Option<Fault> {
    let (resource, other_resource) = (&resources[endpoint.resource], &resources[other.resource]);
    // what is below a path clashes with it, and two `under` to one resource, or two commands of one name, are told as such
    let is_told = match (endpoint.target, other.target) {
        (Target::Scoped { .. }, Target::Scoped { .. }) | (Target::Command { .. }, Target::Command { .. }) => {
            endpoint.resource == other.resource || resource.plural == other_resource.plural
        }
        (Target::Entity { .. } | Target::Search, _) => other.target != Target::Collection { view: None },
        _ => false,
    };
    if is_told {
        return None;
    }
    let path = endpoint.pattern.replace(VARIABLE, "{id}");
    let message = format!("`{}` and `{}` both have the path {path}", other_resource.name, resource.name);
    let fault = Fault::new(PathClash, place(endpoint, resource), message);
    Some(fault.also(place(other, other_resource), "the other one").help(cure(endpoint)))
}

/// The first segment, with its slash.
fn top(pattern: &str) -> &str {
    let end = pattern.get(1..).and_then(|rest| rest.find('/'));
    end.map_or(pattern, |end| &pattern[..=end])
}

/// What the endpoint's path comes from.
fn place(endpoint: &Endpoint, resource: &Resource) -> ModelPath {
    let at = Place::Definition(&resource.name);
    match endpoint.target {
        Target::Collection { view: Some(view) } | Target::Entity { view: Some(view) } => {
            at.key("views").key(&resource.views[view].name).key("path").path()
        }
        Target::Collection { view: None } | Target::Entity { view: None } => at.key("plural").path(),
        Target::Scoped { .. } => at.key("under").path(),
        Target::Searches | Target::Search => at.key("search").path(),
        Target::Command { command } => at.key("commands").key(&resource.commands[command].name).path().of_key(),
    }
}

fn cure(endpoint: &Endpoint) -> &'static str {
    match endpoint.target {
        Target::Collection { view: Some(_) } | Target::Entity { view: Some(_) } => "give the view another `path`",
        Target::Searches | Target::Search => "rename one of the resources",
        Target::Command { .. } => "rename the command",
        Target::Collection { view: None } | Target::Entity { view: None } | Target::Scoped { .. } => {
            "give the resource another `plural`"
        }
    }
}
