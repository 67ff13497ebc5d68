//! What an answer must be: the decisions' order of checks, done to the model. Nothing here is the service's own code.

use super::axes::{Accept, Agent, Body, Case, ContentType, METHODS, Who};
use super::world::{Found, World};
use restwell_model::Resource;
use restwell_model::resource::{Access, OperationKind, Version};
use restwell_model::routes::{Action, Target};
use std::collections::BTreeSet;

/// An answer to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) status: u16,
    /// The only code; `None`: no errors, or any.
    pub(super) code: Option<&'static str>,
    pub(super) version: Version,
    /// The methods that `Allow` names.
    pub(super) allow: Option<BTreeSet<&'static str>>,
}

/// How a request ends before all checks are done.
type Refused = Expected;

fn refused(status: u16, code: &'static str, version: Version) -> Refused {
    Expected { status, code: Some(code), version, allow: None }
}

fn fine(status: u16, version: Version) -> Expected {
    Expected { status, code: None, version, allow: None }
}

/// The answer to a case.
pub(super) fn answer(world: &World, case: &Case) -> Expected {
    check(world, case).unwrap_or_else(|refused| refused)
}

fn check(world: &World, case: &Case) -> Result<Expected, Refused> {
    if case.agent != Agent::Named {
        return Err(refused(400, "MissingUserAgent", Version::Public));
    }
    let place = &world.places[case.place];
    let Some(found) = &place.found else { return Err(refused(404, "ResourceNotFound", Version::Public)) };
    let allow = METHODS.into_iter().filter(|method| place.serves(method) || *method == "OPTIONS").collect();
    if case.method == "OPTIONS" {
        return Ok(Expected { allow: Some(allow), ..fine(204, Version::Public) });
    }
    let Some(action) = place.action(case.method) else {
        return Err(Expected { allow: Some(allow), ..refused(405, "MethodNotAllowed", Version::Public) });
    };
    let resource = &world.model.resources[found.endpoint.resource];
    let version = negotiate(resource, action, case)?;
    let asked = Asked { world, resource, found, action, case, version };
    asked.credentials()?;
    asked.body()?;
    asked.target()?;
    asked.authorization()?;
    asked.readiness()?;
    Ok(asked.outcome())
}

/// "`Accept`" and "`Content-Type`": the version that answers.
fn negotiate(resource: &Resource, action: Action, case: &Case) -> Result<Version, Refused> {
    let (needs_accept, takes_body) = match action.method() {
        "GET" => (true, false),
        "POST" => (false, true),
        "PUT" | "PATCH" => (true, true),
        _ => return Ok(Version::Public),
    };
    let not_acceptable = Err(refused(406, "NotAcceptable", Version::Public));
    let accepted = match case.accept {
        Accept::Public => Some(Version::Public),
        // public before the newest beta, and all of these resources have it
        Accept::Any | Accept::Browser => Some(Version::Public),
        Accept::Beta if resource.versions.contains(&Version::Beta(2)) => Some(Version::Beta(2)),
        Accept::Retired if resource.retired.contains(&Version::Beta(1)) => {
            return Err(refused(410, "VersionRetired", Version::Public));
        }
        Accept::Missing if !needs_accept => None,
        _ => return not_acceptable,
    };
    if !takes_body {
        return Ok(accepted.unwrap_or(Version::Public));
    }
    // from here on errors are in the version that is accepted
    let spoken = accepted.unwrap_or(Version::Public);
    let written = match case.content_type {
        ContentType::Public | ContentType::Utf8 => Version::Public,
        ContentType::Beta if resource.versions.contains(&Version::Beta(2)) => Version::Beta(2),
        ContentType::Retired if resource.retired.contains(&Version::Beta(1)) => {
            return Err(refused(410, "VersionRetired", spoken));
        }
        _ => return Err(refused(415, "UnsupportedMediaType", spoken)),
    };
    Ok(accepted.unwrap_or(written))
}

/// A request whose headers are in order.
struct Asked<'a> {
    world: &'a World,
    resource: &'a Resource,
    found: &'a Found,
    action: Action,
    case: &'a Case,
    version: Version,
}

impl Asked<'_> {
    /// "Credentials", "Views and owners": bad ones are 401 everywhere, absent ones where they are needed.
    fn credentials(&self) -> Result<(), Refused> {
        let is_needed = self.is_closed() || !self.access().contains(&Access::Anyone);
        match self.case.who {
            Who::Forged | Who::Basic => Err(self.refused(401, "Unauthenticated")),
            Who::Nobody if is_needed => Err(self.refused(401, "Unauthenticated")),
            _ => Ok(()),
        }
    }

    fn body(&self) -> Result<(), Refused> {
        let is_read = ["POST", "PUT", "PATCH"].contains(&self.action.method());
        if is_read && self.case.body != Body::Wrong { Err(self.refused(400, "MalformedJson")) } else { Ok(()) }
    }

    /// 404 of what the path names: the entity, a scoped collection's parent, a search, a command.
    fn target(&self) -> Result<(), Refused> {
        // the path's command id is one of nothing
        let is_there = self.found.exists && !matches!(self.action, Action::GetCommand(_));
        if is_there { Ok(()) } else { Err(self.refused(404, "ResourceNotFound")) }
    }

    fn authorization(&self) -> Result<(), Refused> {
        let access = self.access();
        let is_scoped = access.iter().any(|access| self.has_scope(access));
        let is_free = access.contains(&Access::Anyone) || is_scoped;
        let is_owner = self.case.who == Who::Owner;
        let names_owner = matches!(self.found.endpoint.target, Target::Scoped { field }
            if self.resource.owner.as_deref() == Some(self.resource.fields[field].name.as_str()));
        let allowed = match self.action {
            _ if is_free => true,
            // a creation under another's path names another as the owner
            Action::Operation(OperationKind::Create) => access.contains(&Access::User) && (is_owner || !names_owner),
            _ if access.contains(&Access::User) => true,
            // a list holds the caller's own; under another's path it is another's
            Action::Operation(OperationKind::List) => access.contains(&Access::Owner) && (is_owner || !names_owner),
            Action::CreateSearch | Action::GetSearch => access.contains(&Access::Owner),
            _ => access.contains(&Access::Owner) && is_owner,
        };
        if allowed { Ok(()) } else { Err(self.refused(403, "Forbidden")) }
    }

    fn readiness(&self) -> Result<(), Refused> {
        match self.action {
            Action::PutCommand(command) if !self.resource.commands[command].ready => Err(self.refused(501, "NotReady")),
            _ => Ok(()),
        }
    }

    /// The body is wrong wherever one is taken; what is deleted is only tried to be.
    fn outcome(&self) -> Expected {
        match self.action.method() {
            "GET" => fine(200, self.version),
            "DELETE" if self.world.held.contains(&self.resource.name) => self.refused(422, "StillReferenced"),
            "DELETE" => fine(204, self.version),
            _ => fine(422, self.version),
        }
    }

    fn refused(&self, status: u16, code: &'static str) -> Refused {
        refused(status, code, self.version)
    }

    fn has_scope(&self, access: &Access) -> bool {
        self.case.who == Who::Scoped && matches!(access, Access::Scope(scope) if self.world.scopes.contains(scope))
    }

    /// Whether the path is one of a view that needs credentials always.
    fn is_closed(&self) -> bool {
        match self.found.endpoint.target {
            Target::Collection { view: Some(view) } | Target::Entity { view: Some(view) } => {
                let view = &self.resource.views[view];
                view.through.is_some() || view.path.starts_with("/sale/")
            }
            _ => false,
        }
    }

    /// Who may.
    fn access(&self) -> Vec<Access> {
        let view = match self.found.endpoint.target {
            Target::Collection { view } | Target::Entity { view } => view,
            _ => None,
        };
        match self.action {
            Action::Operation(kind) => {
                let operations = view.map_or(&self.resource.operations, |view| &self.resource.views[view].operations);
                let operation = operations.iter().find(|operation| operation.kind == kind);
                operation.expect("it is served here").access.clone()
            }
            Action::PutCommand(command) | Action::GetCommand(command) => self.resource.commands[command].access.clone(),
            Action::CreateSearch | Action::GetSearch => self.list_access(),
        }
    }

    /// "Who may list may search", on views too, which keep asking for credentials.
    fn list_access(&self) -> Vec<Access> {
        let own = self.resource.operations.iter().map(|operation| (operation, false));
        let of_views = self.resource.views.iter().flat_map(|view| {
            let is_closed = view.through.is_some() || view.path.starts_with("/sale/");
            view.operations.iter().map(move |operation| (operation, is_closed))
        });
        let lists = own.chain(of_views).filter(|(operation, _)| operation.kind == OperationKind::List);
        let opened = lists.flat_map(|(operation, is_closed)| {
            let known = |access: &Access| match access {
                Access::Anyone if is_closed => Access::User,
                access => access.clone(),
            };
            operation.access.iter().map(known).collect::<Vec<_>>()
        });
        opened.collect()
    }
}
