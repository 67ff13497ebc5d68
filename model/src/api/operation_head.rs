//! The part of an operation that serving it needs. Its parameters, bodies and responses are for documents, and take
//! much longer to work out.

use super::headers::{self, RequestHeader};
use super::operation::{AccessRule, Call};
use crate::check::Checked;
use crate::field::Deprecation;
use crate::routes::{Action, Endpoint};

/// An operation on a resource, without its parameters, bodies and responses.
#[derive(Debug, Clone)]
pub struct OperationHead {
    /// The HTTP method. Where it is GET, HEAD is served too.
    pub method: &'static str,
    /// What it does.
    pub action: Action,
    /// Who may call it.
    pub access: AccessRule,
    /// The request headers that matter here.
    pub headers: Vec<RequestHeader>,
    /// Whether it is done after its 202 response (§4.8).
    pub is_async: bool,
    /// The announcement that it goes away, with its resource or command.
    pub deprecation: Option<Deprecation>,
}

impl OperationHead {
    /// The operations of an endpoint, in the order of the table of routes.
    #[must_use]
    pub fn of(service: &Checked, endpoint: &Endpoint) -> Vec<Self> {
        // others that hold an entity matter for responses alone
        endpoint.actions.iter().map(|action| Call::of(service, endpoint, *action, false).head()).collect()
    }

    /// Whether this header of a request matters.
    #[must_use]
    pub fn takes_header(&self, name: &str) -> bool {
        headers::takes(&self.headers, name)
    }

    /// Whether a request without this header is refused.
    #[must_use]
    pub fn requires_header(&self, name: &str) -> bool {
        headers::requires(&self.headers, name)
    }
}

impl Call<'_> {
    pub(super) fn head(&self) -> OperationHead {
        let access = self.access();
        OperationHead {
            method: self.action.method(),
            action: self.action,
            headers: headers::of_action(self.action, access.requires_credentials, self.requires_body()),
            access,
            is_async: self.is_async(),
            deprecation: self.deprecation(),
        }
    }
}
