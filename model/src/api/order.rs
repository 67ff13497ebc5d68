//! The order of checks (decisions, "Order of checks"): which of the things that are wrong with a request its response
//! is about. It is decided from the interface alone; what only the service can know, such as whether an entity exists,
//! is said by the caller of this module.

use super::operation::{HttpOperation, OperationRole};
use super::path::{PathItem, PathSubject};
use crate::error::ErrorCode;
use crate::resource::{Access, OperationKind, Resource, Version};
use crate::routes::{Action, Target};

/// A request to one operation, as far as the order of checks depends on it.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// What `Accept` asks for.
    pub accept: Asked,
    /// What `Content-Type` names.
    pub content_type: Asked,
    /// Who calls.
    pub caller: CallerKind<'a>,
    /// What is sent as its body.
    pub body: SentBody,
    /// Whether what the path names exists, for this caller.
    pub exists: bool,
}

/// What a header asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The header is missing.
    Nothing,
    /// Any version: `*/*`.
    Any,
    /// This version.
    Version(Version),
    /// What no service of the conventions serves, or what cannot be read.
    Other,
}

/// What is sent as a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentBody {
    /// Nothing, or an empty one.
    Nothing,
    /// JSON.
    Json,
    /// What is not JSON.
    Other,
}

/// Who calls.
#[derive(Debug, Clone, Copy)]
pub enum CallerKind<'a> {
    /// No credentials.
    Nobody,
    /// Credentials that are not good.
    Bad,
    /// An authenticated caller.
    User {
        /// The scopes of the token.
        scopes: &'a [String],
        /// Whether the caller owns the entity that the path names.
        owns_entity: bool,
        /// Whether the caller is the user under whose path a scoped collection is.
        is_parent: bool,
        /// Whether a role or a condition of the operation's access list grants it.
        meets_conditions: bool,
    },
}

/// How a request ends before its operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// Its error, with its status.
    pub code: ErrorCode,
    /// The version of the response.
    pub version: Version,
}

impl Refusal {
    fn new(code: ErrorCode, version: Version) -> Self {
        Self { code, version }
    }
}

impl<'a> PathItem<'a> {
    /// The operation of a method, HEAD included.
    #[must_use]
    pub fn operation(&self, method: &str) -> Option<&HttpOperation<'a>> {
        let method = if method == "HEAD" { "GET" } else { method };
        self.operations.iter().find(|operation| operation.method == method)
    }

    /// Whether the entity that the path's first id names is the owner of what is in the collection.
    #[must_use]
    pub fn is_under_owner(&self, resource: &Resource) -> bool {
        let PathSubject::Resource { target: Target::Scoped { field }, .. } = self.subject else { return false };
        resource.fields.get(field).is_some_and(|field| resource.owner.as_deref() == Some(field.name.as_str()))
    }

    /// Why a request does not get as far as the validation of an operation of this path, and the version of the
    /// response if it does.
    ///
    /// # Errors
    ///
    /// The first check that it fails.
    pub fn admit(
        &self,
        resource: &Resource,
        operation: &HttpOperation<'_>,
        situation: &Situation<'_>,
    ) -> Result<Version, Refusal> {
        let version = negotiate(operation, situation)?;
        let refused = |code| Err(Refusal::new(code, version));
        if !has_credentials(operation, situation.caller) {
            return refused(ErrorCode::Unauthenticated);
        }
        let is_readable = match situation.body {
            SentBody::Nothing => !operation.requires_body(),
            SentBody::Json => true,
            SentBody::Other => operation.request.is_empty(),
        };
        if !is_readable {
            return refused(ErrorCode::MalformedJson);
        }
        if !situation.exists {
            return refused(ErrorCode::ResourceNotFound);
        }
        if !self.has_access(resource, operation, situation.caller) {
            let is_nobody = matches!(situation.caller, CallerKind::Nobody);
            return refused(if is_nobody { ErrorCode::Unauthenticated } else { ErrorCode::Forbidden });
        }
        let is_sent = matches!(operation.role, OperationRole::Action(Action::PutCommand(_)));
        if is_sent && !operation.is_ready { refused(ErrorCode::NotReady) } else { Ok(version) }
    }

    /// "Views and owners": whether this caller may call an operation here.
    fn has_access(&self, resource: &Resource, operation: &HttpOperation<'_>, caller: CallerKind<'_>) -> bool {
        let access = &operation.access.any_of;
        let is_list = matches!(operation.role, OperationRole::Action(action) if action.is_list());
        // a list with a condition holds what is admitted, which may be nothing
        if access.contains(&Access::Anyone) || is_list && access.iter().any(|access| access.condition().is_some()) {
            return true;
        }
        let CallerKind::User { scopes, owns_entity, is_parent, meets_conditions } = caller else { return false };
        let by_scope = |access: &Access| matches!(access, Access::Scope(scope) if scopes.contains(scope));
        if meets_conditions || access.iter().any(by_scope) {
            return true;
        }
        let is_own_path = is_parent || !self.is_under_owner(resource);
        let (user, owner) = (access.contains(&Access::User), access.contains(&Access::Owner));
        match operation.role {
            // the caller becomes the owner; a creation under another's path names another
            OperationRole::Action(Action::Operation(OperationKind::Create)) => (user || owner) && is_own_path,
            _ if user => true,
            // a list holds the caller's own entities; under the path of another user, those of that user
            OperationRole::Action(Action::Operation(OperationKind::List)) => owner && is_own_path,
            OperationRole::Action(Action::CreateSearch | Action::GetSearch) => owner,
            OperationRole::Action(_) | OperationRole::System(_) => owner && owns_entity,
        }
    }
}

/// "`Accept`" and "`Content-Type`": the version that responds.
fn negotiate(operation: &HttpOperation<'_>, situation: &Situation<'_>) -> Result<Version, Refusal> {
    let (needs_accept, takes_body) = (operation.requires_header("Accept"), operation.takes_header("Content-Type"));
    if !needs_accept && !takes_body {
        return Ok(Version::PUBLIC);
    }
    let is_served = |version: &Version| operation.versions.contains(version);
    let is_retired = |version: &Version| operation.retired.contains(version);
    let accepted = match situation.accept {
        Asked::Version(version) if is_served(&version) => Some(version),
        Asked::Version(version) if is_retired(&version) => {
            return Err(Refusal::new(ErrorCode::VersionRetired, Version::PUBLIC));
        }
        // public before the newest beta
        Asked::Any => operation.versions.iter().copied().max(),
        Asked::Nothing if !needs_accept => None,
        Asked::Nothing | Asked::Version(_) | Asked::Other => {
            return Err(Refusal::new(ErrorCode::NotAcceptable, Version::PUBLIC));
        }
    };
    // from here on errors are in the version that is accepted
    let spoken = accepted.unwrap_or(Version::PUBLIC);
    if !takes_body {
        return Ok(spoken);
    }
    match situation.content_type {
        Asked::Version(version) if is_served(&version) => Ok(accepted.unwrap_or(version)),
        Asked::Version(version) if is_retired(&version) => Err(Refusal::new(ErrorCode::VersionRetired, spoken)),
        Asked::Nothing if situation.body == SentBody::Nothing && !operation.requires_body() => Ok(spoken),
        Asked::Nothing | Asked::Any | Asked::Version(_) | Asked::Other => {
            Err(Refusal::new(ErrorCode::UnsupportedMediaType, spoken))
        }
    }
}

/// "Credentials": bad ones are refused everywhere, absent ones where they are needed.
fn has_credentials(operation: &HttpOperation<'_>, caller: CallerKind<'_>) -> bool {
    match caller {
        CallerKind::Bad => false,
        CallerKind::Nobody => !operation.access.requires_credentials,
        CallerKind::User { .. } => true,
    }
}
