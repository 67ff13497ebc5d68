//! The stage `caller` of a request: credentials → [`Caller`], access list → [`Permission`] (§5).

use super::failure::Failure;
use crate::auth::authenticator::{Authentication, Authenticator, Credentials, Denied};
use crate::auth::caller::Caller;
use crate::observe::log_throttle::logged;
use crate::plan::ResourcePlan;
use crate::plan::permission::{Permission, Permit};
use crate::store::StoreError;
use http::{HeaderMap, HeaderValue, header};
use restwell_model::input::Shape;
use restwell_model::{Access, ErrorCode, Problem, Value};
use uuid::Uuid;

/// Reads the credentials of a request. A request without any has no caller; invalid ones are always refused (401).
/// `explains`: the response says why, too.
pub(super) async fn authenticate(
    headers: &HeaderMap,
    authenticator: &dyn Authenticator,
    explains: bool,
) -> Result<Option<Caller>, Failure> {
    let found = match authenticator.authenticate(Credentials::of(headers)) {
        Authentication::Known(found) => found,
        Authentication::Waits(finding) => finding.await,
    };
    found.map_err(|denied| match denied {
        Denied::Invalid => refused(Problem::new(ErrorCode::Unauthenticated)),
        Denied::InvalidBecause(reason) => {
            let problem = Problem::new(ErrorCode::Unauthenticated);
            let problem = if explains { problem.with("reason", logged(&reason)) } else { problem };
            refused(problem).log(&reason)
        }
        Denied::Unavailable(reason) => StoreError::Unavailable(reason).into(),
    })
}

/// Credentials that are not taken.
fn refused(problem: Problem) -> Failure {
    let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
    Failure::from(problem).header(header::WWW_AUTHENTICATE, challenge)
}

/// The failure of a request without the credentials that it needs.
pub(crate) fn unauthenticated() -> Failure {
    challenge(Failure::new(ErrorCode::Unauthenticated))
}

/// The same for fields that a caller without credentials may not set.
pub(super) fn unauthenticated_at(paths: Vec<String>) -> Failure {
    let at = |path| Problem::at(ErrorCode::Unauthenticated, path);
    challenge(Failure::invalid(paths.into_iter().map(at).collect()))
}

fn challenge(failure: Failure) -> Failure {
    failure.header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}

/// The caller; 401 without one.
pub(super) fn require(caller: Option<&Caller>) -> Result<&Caller, Failure> {
    caller.ok_or_else(unauthenticated)
}

/// What the access list grants a caller; 401 if it requires credentials and there are none.
pub(super) fn permission(access: &[Access], caller: Option<&Caller>) -> Result<Permission, Failure> {
    Permission::of(access, caller).ok_or_else(unauthenticated)
}

/// What the store lets through; 403 if nothing.
pub(super) fn permit(permission: &Permission) -> Result<Permit, Failure> {
    permission.permit().ok_or_else(|| Failure::new(ErrorCode::Forbidden))
}

/// Refuses a creation without credentials where nobody but the token can name the owner: 401.
pub(super) fn require_owner(
    plan: &ResourcePlan,
    shape: &Shape,
    value: &Value,
    caller: Option<&Caller>,
) -> Result<(), Failure> {
    let owner = plan.owner_from_token.as_deref().filter(|_| caller.is_none());
    match owner.and_then(|owner| shape.value_of(value, owner)) {
        Some(Value::Absent) => Err(unauthenticated()),
        _ => Ok(()),
    }
}

/// The owner's field and the caller's id.
pub(super) fn owned_by<'a>(plan: &'a ResourcePlan, caller: Option<&Caller>) -> Option<(&'a str, Uuid)> {
    Some((plan.owner.as_ref()?.field.as_deref()?, caller?.id))
}

/// The same, if a creation takes the owner from the token.
pub(super) fn owner_preset<'a>(plan: &'a ResourcePlan, caller: Option<&Caller>) -> Option<(&'a str, Uuid)> {
    owned_by(plan, caller).filter(|_| plan.owner.as_ref().is_some_and(|owner| owner.is_from_token))
}
