//! Paths: no two endpoints have the same path (§4), and some are kept free.
//!
//! A resource may have the path of a system endpoint: the media types of a request say which of the two it is for.

use crate::check::FaultCode::{FormerNameClash, PathClash, ReservedPath};
use crate::check::index::DefinitionIndex;
use crate::check::place::Place;
use crate::check::{Fault, ModelPath};
use crate::resource::Resource;
use crate::routes::{Endpoint, Target, VARIABLE, endpoints};
use std::collections::{HashMap, HashSet};

/// Endpoints that share a path, and collections that lie where other things have their ids.
pub(super) fn clashes(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let resources = &index.service.resources;
    let endpoints = endpoints(index.service);
    let mut known: HashMap<&str, &Endpoint> = HashMap::new();
    let mut reported = HashSet::new();
    for endpoint in &endpoints {
        if let Some(purpose) = coming(endpoint) {
            let fault = Fault::new(ReservedPath, place(endpoint, resources), purpose).help(cure(endpoint));
            // a collection and its entities are refused once
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        } else if let Some(other) = known.insert(&endpoint.pattern, endpoint) {
            let places = [endpoint, other].map(|it| place(it, resources));
            let is_known = |fault: &Fault| fault.code == FormerNameClash && places.contains(&fault.at);
            // where two collections clash, all below them does
            if !is_anothers(endpoint, other)
                && !faults.iter().any(is_known)
                && reported.insert((endpoint.resource, other.resource))
            {
                faults.push(shared(endpoint, other, resources));
            }
        }
    }
    for endpoint in &endpoints {
        let Some((parent, _)) = endpoint.pattern.rsplit_once('/') else { continue };
        let message = match endpoint.target {
            // `/offers/archive` reads as the offer of the id `archive`
            Target::Collection { view: Some(_) } if known.contains_key(format!("{parent}/{VARIABLE}").as_str()) => {
                format!("{} is at the place of the ids in {parent}", endpoint.pattern)
            }
            // `/users/{}/renew-commands` would be commands and entities
            Target::Command { .. } if endpoints.iter().any(|other| is_scoped(other) && other.pattern == parent) => {
                format!("{} is already the path of a scoped collection", parent.replace(VARIABLE, "{id}"))
            }
            _ => continue,
        };
        faults.push(Fault::new(PathClash, place(endpoint, resources), message).help(cure(endpoint)));
    }
}

/// Whether it is reported otherwise: two `under` to one resource, two commands of one name, a scoped collection at the
/// path of commands.
fn is_anothers(endpoint: &Endpoint, other: &Endpoint) -> bool {
    let is_command = |endpoint: &Endpoint| matches!(endpoint.target, Target::Commands { .. } | Target::Command { .. });
    let is_nested = |endpoint: &Endpoint| is_scoped(endpoint) || is_command(endpoint);
    let is_of_two = is_scoped(endpoint) && is_command(other) || is_command(endpoint) && is_scoped(other);
    is_of_two || endpoint.resource == other.resource && is_nested(endpoint) && is_nested(other)
}

fn is_scoped(endpoint: &Endpoint) -> bool {
    matches!(endpoint.target, Target::Scoped { .. })
}

fn shared(endpoint: &Endpoint, other: &Endpoint, resources: &[Resource]) -> Fault {
    let path = endpoint.pattern.replace(VARIABLE, "{id}");
    let names = (&resources[other.resource].name, &resources[endpoint.resource].name);
    let message = match names {
        (one, two) if one == two => format!("`{one}` has two endpoints with the path {path}"),
        (one, two) => format!("`{one}` and `{two}` both have the path {path}"),
    };
    let fault = Fault::new(PathClash, place(endpoint, resources), message);
    fault.also(place(other, resources), "the other one is here").help(cure(endpoint))
}

/// What the path of a resource or view is reserved for, in a sentence.
fn coming(endpoint: &Endpoint) -> Option<String> {
    let (Target::Collection { .. } | Target::Entity { .. }) = endpoint.target else { return None };
    let path = endpoint.pattern.strip_suffix(VARIABLE).unwrap_or(&endpoint.pattern).trim_matches('/');
    let (first, last) = (path.split('/').next()?, path.rsplit('/').next()?);
    let purpose = match () {
        () if first == "account" => "/account is reserved for the accounts of users",
        () if first.starts_with("webhook-") => "paths that begin with /webhook- are reserved for webhooks",
        () if first.starts_with("deleted-") => "paths that begin with /deleted- are reserved for deleted entities",
        () if last.ends_with("-statistics") => "paths that end in -statistics are reserved for statistics of lists",
        () if last.ends_with("-revisions") => "paths that end in -revisions are reserved for the history of entities",
        () => return None,
    };
    Some(purpose.to_owned())
}

/// What the endpoint's path comes from.
pub(super) fn place(endpoint: &Endpoint, resources: &[Resource]) -> ModelPath {
    let resource = &resources[endpoint.resource];
    let at = Place::Definition(&resource.name);
    match endpoint.target {
        Target::Commands { command } | Target::Command { command } if endpoint.former.command => {
            at.key("commands").key(&resource.commands[command].name).key("formerly").key("name").path()
        }
        Target::Collection { view: Some(view) } | Target::Entity { view: Some(view) } if endpoint.former.view => {
            let view = &resource.views[view];
            let has_path = view.formerly.as_ref().is_some_and(|former| former.path.is_some());
            at.key("views").key(&view.name).key("formerly").key(if has_path { "path" } else { "name" }).path()
        }
        _ if endpoint.former.resource => {
            // the paths of searches have the singular
            let is_search = matches!(endpoint.target, Target::Searches | Target::Search);
            let has_plural = resource.formerly.as_ref().is_some_and(|former| former.plural.is_some());
            at.key("formerly").key(if has_plural && !is_search { "plural" } else { "name" }).path()
        }
        Target::Collection { view: Some(view) } | Target::Entity { view: Some(view) } => {
            at.key("views").key(&resource.views[view].name).key("path").path()
        }
        Target::Collection { view: None } | Target::Entity { view: None } => at.key("plural").path(),
        Target::Scoped { .. } => at.key("under").path(),
        Target::Searches | Target::Search => at.key("search").path(),
        Target::Commands { command } | Target::Command { command } => {
            at.key("commands").key(&resource.commands[command].name).path().of_key()
        }
    }
}

fn cure(endpoint: &Endpoint) -> &'static str {
    match endpoint.target {
        _ if endpoint.former.is_any() => "remove `formerly`, or rename the other one",
        Target::Collection { view: Some(_) } | Target::Entity { view: Some(_) } => "give the view another `path`",
        Target::Searches | Target::Search => "rename one of the resources",
        Target::Commands { .. } | Target::Command { .. } => "rename the command",
        Target::Collection { view: None } | Target::Entity { view: None } | Target::Scoped { .. } => {
            "give the resource another `plural`"
        }
    }
}
