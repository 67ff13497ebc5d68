//! Credentials → who calls, and what they may touch (§5).

use super::authenticator::{Authentication, Authenticator, Credentials, Denied};
use super::failure::Failure;
use crate::plan::ResourcePlan;
use crate::store::{Permit, StoreError};
use http::{HeaderMap, HeaderValue, header};
use restwell_model::{Access, ErrorCode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An authenticated caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The id of the service's user.
    pub id: Uuid,
    /// What the token allows besides.
    pub scopes: Vec<String>,
}

/// Reads the credentials of a request. None are fine where anyone may call; bad ones never are.
pub(crate) async fn authenticate(
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

/// 401 where nobody is there.
pub(crate) fn require(caller: Option<&Caller>) -> Result<&Caller, Failure> {
    caller.ok_or_else(|| unauthenticated("Bearer"))
}

/// What a caller may do with an operation, decided before the body is read; whose entities, decided by the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Permission {
    /// Everything.
    Granted,
    /// With their own entities.
    Own(Uuid),
    /// Nothing: 403, once it is known that the target exists.
    Denied,
}

impl Permission {
    /// What the access list grants a caller: 401 where it takes credentials and there are none.
    pub(crate) fn of(access: &[Access], caller: Option<&Caller>) -> Result<Self, Failure> {
        if access.contains(&Access::Anyone) {
            return Ok(Self::Granted);
        }
        let caller = require(caller)?;
        let has_scope = |access: &Access| matches!(access, Access::Scope(s) if caller.scopes.contains(s));
        Ok(if access.contains(&Access::User) || access.iter().any(has_scope) {
            Self::Granted
        } else if access.contains(&Access::Owner) {
            Self::Own(caller.id)
        } else {
            Self::Denied
        })
    }

    /// What the store is to let through; 403 where it is nothing.
    pub(crate) fn permit(&self) -> Result<Permit, Failure> {
        match self {
            Self::Granted => Ok(Permit::All),
            Self::Own(caller) => Ok(Permit::Own(*caller)),
            Self::Denied => Err(Failure::new(ErrorCode::Forbidden)),
        }
    }
}

/// Who may name somebody else as the owner of what they create (decisions, "Views and owners").
pub(crate) fn may_create_for_others(access: &[Access], caller: Option<&Caller>) -> bool {
    let has_scope = |access: &Access| match (access, caller) {
        (Access::Scope(scope), Some(caller)) => caller.scopes.contains(scope),
        _ => false,
    };
    access.contains(&Access::Anyone) || access.iter().any(has_scope)
}

/// The owner's field and the caller's id, where a creation takes them from the token.
pub(crate) fn owner_preset<'a>(plan: &'a ResourcePlan, caller: Option<&Caller>) -> Option<(&'a str, Uuid)> {
    Some((plan.owner.as_ref()?.field.as_deref()?, caller?.id))
}
