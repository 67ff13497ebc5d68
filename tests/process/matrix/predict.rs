//! What an answer must be: the decisions' order of checks, done to the interface of the service (`Api`). That says which
//! operations there are, what each takes and who has access; what follows from that for a request is written here.

use super::axes::{Accept, Agent, BETA, Body, Case, ContentType, METHODS, RETIRED, Who};
use super::entities::Deletion;
use super::world::{Found, PagePlace, World};
use restwell_model::api::{HttpOperation, OperationRole};
use restwell_model::resource::{Access, OperationKind, Version};
use restwell_model::routes::{Action, Target};
use std::collections::BTreeSet;

const HTML: &str = "text/html; charset=utf-8";

/// An answer to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) status: u16,
    /// The only code; `None`: no errors, or any.
    pub(super) code: Option<&'static str>,
    pub(super) version: Version,
    /// The methods that `Allow` names.
    pub(super) allow: Option<BTreeSet<&'static str>>,
    /// The media type of what the documentation for people consists of.
    pub(super) page: Option<&'static str>,
}

/// How a request ends before all checks are done.
type Refused = Expected;

fn refused(status: u16, code: &'static str, version: Version) -> Refused {
    Expected { status, code: Some(code), version, allow: None, page: None }
}

fn fine(status: u16, version: Version) -> Expected {
    Expected { status, code: None, version, allow: None, page: None }
}

/// Whether the decisions say what the answer to a case is.
pub(super) fn is_decided(world: &World, case: &Case) -> bool {
    let Some(found) = &world.places[case.place].found else { return true };
    case.method != "DELETE" || world.deletions[&found.resource.name] != Deletion::Undecided
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
    let is_there = place.found.is_some() || place.page.is_some();
    if !is_there {
        return Err(refused(404, "ResourceNotFound", Version::Public));
    }
    let allow = METHODS.into_iter().filter(|method| place.serves(method) || *method == "OPTIONS").collect();
    if case.method == "OPTIONS" {
        return Ok(Expected { allow: Some(allow), ..fine(204, Version::Public) });
    }
    if let Some(page_place) = place.page.filter(|_| place.serves(case.method)) {
        return Ok(Expected { page: Some(page(page_place, case.accept)), ..fine(200, Version::Public) });
    }
    let Some((found, operation)) = place.found.as_ref().zip(place.operation(case.method)) else {
        return Err(Expected { allow: Some(allow), ..refused(405, "MethodNotAllowed", Version::Public) });
    };
    let expected = operate(world, found, operation, case);
    let (Ok(Expected { status, .. }) | Err(Expected { status, .. })) = &expected;
    let is_described = operation.responses.iter().any(|response| response.status == *status);
    assert!(is_described, "{status} is no response of {}", operation.id);
    expected
}

/// The documentation for people ignores what a client accepts, but for the way in: that is a page for a client that
/// prefers one to JSON.
fn page(place: PagePlace, accept: Accept) -> &'static str {
    let prefers_page = matches!(accept, Accept::Browser | Accept::Html | Accept::Refused);
    match place {
        PagePlace::WayIn if prefers_page => HTML,
        PagePlace::WayIn => "application/json",
        PagePlace::Page => HTML,
        PagePlace::Script => "text/javascript; charset=utf-8",
    }
}

/// The checks of an operation that the path has.
fn operate(world: &World, found: &Found, operation: &HttpOperation<'_>, case: &Case) -> Result<Expected, Refused> {
    let OperationRole::Action(action) = operation.role else { panic!("{} is not of a resource", operation.id) };
    let version = negotiate(operation, case)?;
    let asked = Asked { world, found, operation, action, case, version };
    asked.credentials()?;
    asked.body()?;
    asked.target()?;
    asked.authorization()?;
    asked.readiness()?;
    Ok(asked.outcome())
}

/// "`Accept`" and "`Content-Type`": the version that answers.
fn negotiate(operation: &HttpOperation<'_>, case: &Case) -> Result<Version, Refused> {
    let (needs_accept, takes_body) = (operation.requires_header("Accept"), operation.requires_header("Content-Type"));
    if !needs_accept && !takes_body {
        return Ok(Version::Public);
    }
    let not_acceptable = Err(refused(406, "NotAcceptable", Version::Public));
    let is_served = |version| operation.versions.contains(&version);
    let accepted = match case.accept {
        Accept::Public if is_served(Version::Public) => Some(Version::Public),
        // public before the newest beta
        Accept::Any | Accept::Browser => operation.versions.iter().copied().max(),
        Accept::Beta if is_served(BETA) => Some(BETA),
        Accept::Retired if operation.retired.contains(&RETIRED) => {
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
        ContentType::Public | ContentType::Utf8 if is_served(Version::Public) => Version::Public,
        ContentType::Beta if is_served(BETA) => BETA,
        ContentType::Retired if operation.retired.contains(&RETIRED) => {
            return Err(refused(410, "VersionRetired", spoken));
        }
        _ => return Err(refused(415, "UnsupportedMediaType", spoken)),
    };
    Ok(accepted.unwrap_or(written))
}

/// A request whose headers are in order.
struct Asked<'a> {
    world: &'a World,
    found: &'a Found,
    operation: &'a HttpOperation<'a>,
    action: Action,
    case: &'a Case,
    version: Version,
}

impl Asked<'_> {
    /// "Credentials", "Views and owners": bad ones are 401 everywhere, absent ones where they are needed.
    fn credentials(&self) -> Result<(), Refused> {
        let is_needed = self.operation.access.requires_credentials;
        match self.case.who {
            Who::Forged | Who::Basic => Err(self.refused(401, "Unauthenticated")),
            Who::Nobody if is_needed => Err(self.refused(401, "Unauthenticated")),
            _ => Ok(()),
        }
    }

    fn body(&self) -> Result<(), Refused> {
        let is_read = !self.operation.request.is_empty();
        if is_read && self.case.body != Body::Wrong { Err(self.refused(400, "MalformedJson")) } else { Ok(()) }
    }

    /// 404 of what the path names: the entity, a scoped collection's parent, a search, a command.
    fn target(&self) -> Result<(), Refused> {
        // the path's command id is one of nothing
        let is_there = self.found.exists && !matches!(self.action, Action::GetCommand(_));
        let is_seen = self.found.is_seen.is_none_or(|by_owner| by_owner && self.case.who == Who::Owner);
        if is_there && is_seen { Ok(()) } else { Err(self.refused(404, "ResourceNotFound")) }
    }

    fn authorization(&self) -> Result<(), Refused> {
        let access = &self.operation.access.any_of;
        let is_scoped = access.iter().any(|access| self.has_scope(access));
        let is_free = access.contains(&Access::Anyone) || is_scoped;
        let is_owner = self.case.who == Who::Owner;
        let names_owner = matches!(self.found.target, Target::Scoped { field }
            if self.found.resource.owner.as_deref() == Some(self.found.resource.fields[field].name.as_str()));
        let allowed = match self.action {
            _ if is_free => true,
            // the caller becomes the owner; a creation under another's path names another
            Action::Operation(OperationKind::Create) => {
                let is_open = access.contains(&Access::User) || access.contains(&Access::Owner);
                is_open && (is_owner || !names_owner)
            }
            _ if access.contains(&Access::User) => true,
            // a list holds the caller's own; under another's path it is another's
            Action::Operation(OperationKind::List) => access.contains(&Access::Owner) && (is_owner || !names_owner),
            Action::CreateSearch | Action::GetSearch => access.contains(&Access::Owner),
            _ => access.contains(&Access::Owner) && is_owner && self.found.is_owned,
        };
        if allowed { Ok(()) } else { Err(self.refused(403, "Forbidden")) }
    }

    fn readiness(&self) -> Result<(), Refused> {
        let is_sent = matches!(self.action, Action::PutCommand(_));
        if is_sent && !self.operation.is_ready { Err(self.refused(501, "NotReady")) } else { Ok(()) }
    }

    /// The body is wrong wherever one is taken; what is deleted is only tried to be.
    fn outcome(&self) -> Expected {
        match self.action.method() {
            "GET" => fine(200, self.version),
            "DELETE" if self.world.deletions[&self.found.resource.name] == Deletion::Held => {
                self.refused(422, "StillReferenced")
            }
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
}
