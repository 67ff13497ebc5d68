//! The stage `caller` of a request: credentials → [`Caller`], access list → [`Permission`] (§5).

use super::failure::Failure;
use crate::auth::authenticator::{Authentication, Authenticator, Credentials, Denied};
use crate::auth::caller::Caller;
use crate::auth::permission::{Permission, Permit};
use crate::plan::ResourcePlan;
use crate::store::StoreError;
use http::{HeaderMap, HeaderValue, header};
use restwell_model::{Access, ErrorCode};
use uuid::Uuid;

/// Reads the credentials of a request. A request without any has no caller; invalid ones are always refused (401).
pub(super) async fn authenticate(
    headers: &HeaderMap,
    authenticator: &dyn Authenticator,
) -> Result<Option<Caller>, Failure> {
    let found = match authenticator.authenticate(Credentials::of(headers)) {
        Authentication::Known(found) => found,
        Authentication::Waits(finding) => finding.await,
    };
    found.map_err(|denied| match denied {
        Denied::Invalid => unauthenticated("Bearer error=\"invalid_token\""),
        Denied::Unavailable(reason) => StoreError::Unavailable(reason).into(),
    })
}

fn unauthenticated(challenge: &'static str) -> Failure {
    Failure::new(ErrorCode::Unauthenticated).header(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge))
}

/// The caller; 401 without one.
pub(super) fn require(caller: Option<&Caller>) -> Result<&Caller, Failure> {
    caller.ok_or_else(|| unauthenticated("Bearer"))
}

/// What the access list grants a caller; 401 if it requires credentials and there are none.
pub(super) fn permission(access: &[Access], caller: Option<&Caller>) -> Result<Permission, Failure> {
    Permission::of(access, caller).ok_or_else(|| unauthenticated("Bearer"))
}

/// What the store lets through; 403 if nothing.
pub(super) fn permit(permission: &Permission) -> Result<Permit, Failure> {
    permission.permit().ok_or_else(|| Failure::new(ErrorCode::Forbidden))
}

/// The owner's field and the caller's id, if a creation takes the owner from the token.
pub(super) fn owner_preset<'a>(plan: &'a ResourcePlan, caller: Option<&Caller>) -> Option<(&'a str, Uuid)> {
    Some((plan.owner.as_ref()?.field.as_deref()?, caller?.id))
}
