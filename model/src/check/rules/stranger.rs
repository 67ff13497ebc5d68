//! A caller without credentials, and which lists of callers such a one can be in.

use crate::check::Checked;
use crate::condition::{Condition, Facts, Scope, reduce};
use crate::resource::{Access, Resource};
use serde_json::Value as Json;
use uuid::Uuid;

/// A caller without credentials.
pub(super) struct Stranger;

impl Stranger {
    /// Whether a list of callers, of a resource, admits a stranger for some entity.
    pub(super) fn may_be_among(access: &[Access], service: &Checked, resource: &Resource) -> bool {
        let may_meet = |condition: &Condition| {
            let scope = Scope { service, entity: Some(resource), old: false };
            condition.typed(&scope).is_ok_and(|typed| !reduce(&typed, &Self).is_never())
        };
        access.iter().any(|access| match access {
            Access::Anyone => true,
            Access::User | Access::Owner | Access::Scope(_) => false,
            Access::Role(role) => service.roles.get(role).is_some_and(may_meet),
            Access::When(condition) | Access::Named(condition) => may_meet(condition),
        })
    }
}

impl Facts for Stranger {
    fn caller(&self) -> Option<Option<Uuid>> {
        Some(None)
    }

    fn scopes(&self) -> Option<&[String]> {
        Some(&[])
    }

    fn claim(&self, _path: &str) -> Option<Option<&Json>> {
        Some(None)
    }
}
