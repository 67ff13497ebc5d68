//! What a caller may do (§5): decided from an access list before the body is read, and enforced by the store.

use super::predicate::Predicate;
use crate::auth::caller::Caller;
use restwell_model::Access;
use std::sync::Arc;
use uuid::Uuid;

/// What a caller may do with an operation. Whether an entity is the caller's own is decided by the store.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Permission {
    /// Everything.
    Granted,
    /// Everything, with the caller's own entities.
    Own(Uuid),
    /// Everything, with the entities that meet this.
    Where(Arc<Predicate>),
    /// Nothing: 403, once it is known that the target exists.
    Denied,
}

impl Permission {
    /// What the words and scopes of an access list grant a caller, roles and conditions aside; `None` if it requires
    /// credentials and there are none (401).
    pub(crate) fn of(access: &[Access], caller: Option<&Caller>) -> Option<Self> {
        if access.contains(&Access::Anyone) {
            return Some(Self::Granted);
        }
        let caller = caller?;
        let has_scope = |access: &Access| matches!(access, Access::Scope(s) if caller.scopes.contains(s));
        Some(if access.contains(&Access::User) || access.iter().any(has_scope) {
            Self::Granted
        } else if access.contains(&Access::Owner) {
            Self::Own(caller.id)
        } else {
            Self::Denied
        })
    }

    /// What the store lets through; `None` if nothing (403).
    pub(crate) fn permit(&self) -> Option<Permit> {
        match self {
            Self::Granted => Some(Permit::All),
            Self::Own(caller) => Some(Permit::Own(*caller)),
            Self::Where(predicate) => Some(Permit::Where(Arc::clone(predicate))),
            Self::Denied => None,
        }
    }
}

/// The entities that an operation may touch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Permit {
    /// Anyone's.
    All,
    /// Only this owner's.
    Own(Uuid),
    /// Only those that meet this, which the database decides.
    Where(Arc<Predicate>),
}

impl Permit {
    /// Whether every entity of this owner may be touched.
    pub(crate) fn covers(&self, owner: Option<Uuid>) -> bool {
        match self {
            Self::All => true,
            Self::Own(caller) => owner == Some(*caller),
            Self::Where(_) => false,
        }
    }

    /// Whether an entity that may be touched may have this owner then: only owners must not give theirs away.
    pub(crate) fn keeps(&self, owner: Option<Uuid>) -> bool {
        matches!(self, Self::Where(_)) || self.covers(owner)
    }
}

/// Whether a caller may name another user as the owner of what they create (decisions, "Views and owners").
pub(crate) fn may_create_for_others(access: &[Access], caller: Option<&Caller>) -> bool {
    let has_scope = |access: &Access| match (access, caller) {
        (Access::Scope(scope), Some(caller)) => caller.scopes.contains(scope),
        _ => false,
    };
    access.contains(&Access::Anyone) || access.iter().any(has_scope)
}
