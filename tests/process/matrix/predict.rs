//! What an answer must be: the decisions' order of checks, done to the interface of the service (`Api`). The checks of an
//! operation are `PathItem::admit`; those before an operation is found, and what the case makes of it, are written here.

use super::axes::{Accept, Agent, BETA, Body, Case, ContentType, METHODS, RETIRED, Who};
use super::entities::Deletion;
use super::world::{Found, PagePlace, World};
use restwell_model::ErrorCode;
use restwell_model::api::{Asked, CallerKind, HttpOperation, OperationRole, Refusal, SentBody, Situation};
use restwell_model::resource::{Access, Version};
use restwell_model::routes::Action;
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
        let allow = match &place.found {
            Some(found) => options(world, found, case, allow)?,
            None => allow,
        };
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

/// "OPTIONS": the methods of a path; of a caller with credentials those that the caller may use there.
fn options(
    world: &World,
    found: &Found,
    case: &Case,
    mut allow: BTreeSet<&'static str>,
) -> Result<BTreeSet<&'static str>, Refused> {
    match case.who {
        Who::Nobody => return Ok(allow),
        Who::Forged | Who::Basic => return Err(refused(401, "Unauthenticated", Version::Public)),
        Who::Stranger | Who::Owner | Who::Scoped => {}
    }
    for operation in &found.path.operations {
        let OperationRole::Action(action) = operation.role else { continue };
        // a search, and the id of a command, need not be there
        let exists = matches!(action, Action::GetSearch) || is_there(found, case);
        let version = operation.versions.iter().copied().max().map_or(Asked::Nothing, Asked::Version);
        let asked = Situation {
            accept: Asked::Any,
            content_type: version,
            body: SentBody::Json,
            exists,
            ..situation(world, found, operation, case)
        };
        match found.path.admit(found.resource, operation, &asked) {
            Err(Refusal { code: ErrorCode::ResourceNotFound, .. }) => {
                return Err(refused(404, "ResourceNotFound", Version::Public));
            }
            Err(Refusal { code: ErrorCode::Forbidden, .. }) => {
                allow.retain(|method| *method != operation.method && (*method != "HEAD" || operation.method != "GET"));
            }
            _ => {}
        }
    }
    Ok(allow)
}

/// Whether what a path names is there, for this caller.
fn is_there(found: &Found, case: &Case) -> bool {
    found.exists && found.is_seen.is_none_or(|by_owner| by_owner && case.who == Who::Owner)
}

/// The checks of an operation that the path has.
fn operate(world: &World, found: &Found, operation: &HttpOperation<'_>, case: &Case) -> Result<Expected, Refused> {
    let OperationRole::Action(action) = operation.role else { panic!("{} is not of a resource", operation.id) };
    let admitted = found.path.admit(found.resource, operation, &situation(world, found, operation, case));
    let version = admitted.map_err(|Refusal { code, version }| refused(code.status(), code.name(), version))?;
    Ok(outcome(world, found, (action, case.body), version))
}

/// What an operation decides by.
fn situation<'w>(world: &'w World, found: &Found, operation: &HttpOperation<'_>, case: &Case) -> Situation<'w> {
    let is_owner = case.who == Who::Owner;
    let scopes: &[String] = if case.who == Who::Scoped { &world.scopes } else { &[] };
    // who has every scope has every role, and what conditions ask for holds for the owner of all
    let meets_conditions = operation.access.any_of.iter().any(|access| match access {
        Access::Role(_) => case.who == Who::Scoped,
        Access::When(_) | Access::Named(_) => is_owner,
        _ => false,
    });
    // the path's command id is one of nothing
    let is_of_command = matches!(operation.role, OperationRole::Action(Action::GetCommand(_)));
    Situation {
        accept: accepted(case.accept),
        content_type: written(case.content_type),
        caller: match case.who {
            Who::Nobody => CallerKind::Nobody,
            Who::Forged | Who::Basic => CallerKind::Bad,
            Who::Stranger | Who::Owner | Who::Scoped => {
                let owns_entity = is_owner && found.is_owned;
                CallerKind::User { scopes, owns_entity, is_parent: is_owner, meets_conditions }
            }
        },
        body: match case.body {
            Body::Wrong => SentBody::Json,
            Body::NoJson => SentBody::Other,
            Body::Missing => SentBody::Nothing,
        },
        exists: is_there(found, case) && !is_of_command,
    }
}

fn accepted(accept: Accept) -> Asked {
    match accept {
        Accept::Public => Asked::Version(Version::Public),
        Accept::Any | Accept::Browser => Asked::Any,
        Accept::Html | Accept::Json | Accept::Refused | Accept::Unparsable => Asked::Other,
        Accept::Missing => Asked::Nothing,
        Accept::Beta => Asked::Version(BETA),
        Accept::Retired => Asked::Version(RETIRED),
    }
}

fn written(content_type: ContentType) -> Asked {
    match content_type {
        ContentType::Public | ContentType::Utf8 => Asked::Version(Version::Public),
        ContentType::Latin1 | ContentType::Text | ContentType::Json => Asked::Other,
        ContentType::Missing => Asked::Nothing,
        ContentType::Beta => Asked::Version(BETA),
        ContentType::Retired => Asked::Version(RETIRED),
    }
}

/// The body is wrong wherever one is taken; what is deleted is only tried to be.
fn outcome(world: &World, found: &Found, (action, body): (Action, Body), version: Version) -> Expected {
    match action.method() {
        "GET" => fine(200, version),
        "DELETE" if world.deletions[&found.resource.name] == Deletion::Held => refused(422, "StillReferenced", version),
        "DELETE" => fine(204, version),
        // a command that needs no input
        "PUT" if body == Body::Missing && is_of_new(found, action) => fine(204, version),
        _ => fine(422, version),
    }
}

/// Whether a command can be sent to an entity that is in its first state.
fn is_of_new(found: &Found, action: Action) -> bool {
    let Action::PutCommand(command) = action else { return true };
    let transition = found.resource.transition_of(&found.resource.commands[command]);
    let states = found.resource.lifecycle.as_ref().zip(transition);
    states.is_none_or(|(lifecycle, transition)| transition.from.contains(&lifecycle.initial))
}
