//! A path and what each method does there: what the interface of the service says, ready to serve.

use super::conditions::ConditionPlan;
use super::index::{ResourceIndex, ViewIndex};
use super::{ResourcePlan, Scope};
use http::header::{ACCEPT, CONTENT_TYPE, IF_MATCH};
use restwell_model::api::OperationHead;
use restwell_model::routes::{Action, Endpoint, FormerWords, Target, allowed};
use restwell_model::{Access, Checked, Deprecation, OperationKind};
use std::sync::Arc;

/// A path of a resource.
#[derive(Debug)]
pub(crate) struct EndpointPlan {
    /// The path, ids as variables: `/users/{}/offers`.
    pub(crate) pattern: String,
    /// The resource.
    pub(crate) resource: ResourceIndex,
    /// The value of `Allow`.
    pub(crate) allow: String,
    operations: Vec<OperationPlan>,
}

/// A method at a path.
#[derive(Debug)]
pub(crate) struct OperationPlan {
    /// The HTTP method. GET serves HEAD too.
    method: &'static str,
    /// What it does.
    pub(crate) action: Action,
    /// The view that the path is one of.
    pub(crate) view: ViewIndex,
    /// Of a scoped collection: the reference that the path sets.
    pub(crate) scope: Option<Scope>,
    /// Which headers it needs.
    pub(crate) needs: Needs,
    /// The access list.
    pub(crate) access: Vec<Access>,
    /// Its roles and conditions.
    pub(crate) conditions: Vec<ConditionPlan>,
    /// Whether a request without credentials is refused.
    pub(crate) requires_credentials: bool,
    /// Whether it is done after its response.
    pub(crate) is_async: bool,
    /// Whether `If-Match` and `If-None-Match` matter: there is an entity that may have changed.
    pub(crate) has_preconditions: bool,
    /// The path below which what it creates is found, ids as variables.
    pub(crate) home: String,
    /// The name of the array in its list.
    pub(crate) collection: Arc<str>,
    /// Which words of the path are former names.
    pub(crate) former: FormerWords,
    /// The announcement that it goes away, with its resource or command.
    pub(crate) deprecation: Option<Deprecation>,
}

/// What an operation needs of the headers about media types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Needs {
    /// 406 without `Accept`.
    pub(crate) accept: bool,
    /// The body that `Content-Type` is about.
    pub(crate) body: BodyNeed,
}

/// Whether an operation takes a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyNeed {
    /// What is sent is not read.
    None,
    /// None counts as one without members. One that is sent is 415 without `Content-Type`.
    Optional,
    /// 415 without `Content-Type`.
    Required,
}

impl Needs {
    /// DELETE ignores both.
    pub(crate) const NOTHING: Self = Self { accept: false, body: BodyNeed::None };
}

impl EndpointPlan {
    /// Compiles an endpoint.
    pub(super) fn compile(endpoint: &Endpoint, service: &Checked, resources: &[ResourcePlan]) -> Self {
        let plan = &resources[endpoint.resource];
        let operations = OperationHead::of(service, endpoint).into_iter();
        Self {
            pattern: endpoint.pattern.clone(),
            resource: endpoint.resource.into(),
            allow: allowed(&endpoint.actions),
            operations: operations.map(|head| OperationPlan::compile(head, endpoint, service, plan)).collect(),
        }
    }

    /// What a method does; HEAD is GET.
    pub(crate) fn operation(&self, method: &str) -> Option<&OperationPlan> {
        let method = if method == "HEAD" { "GET" } else { method };
        self.operations.iter().find(|operation| operation.method == method)
    }

    /// What all methods do.
    pub(crate) fn operations(&self) -> &[OperationPlan] {
        &self.operations
    }
}

impl OperationPlan {
    /// The HTTP method; GET serves HEAD too.
    pub(crate) fn method(&self) -> &'static str {
        self.method
    }

    /// Whether it reads many entities, of which access may admit none: a list, or a search for one.
    pub(crate) fn is_list(&self) -> bool {
        self.action.is_list()
    }

    /// Whether its access list has a condition on the entity.
    pub(crate) fn has_entity_condition(&self) -> bool {
        self.conditions.iter().any(|condition| !condition.is_role())
    }

    fn compile(head: OperationHead, endpoint: &Endpoint, service: &Checked, plan: &ResourcePlan) -> Self {
        let resource = &service.resources[endpoint.resource];
        let (view, scope) = match endpoint.target {
            Target::Collection { view } | Target::Entity { view } => (ViewIndex::of_model(view), None),
            Target::Scoped { field } => (ViewIndex::RESOURCE, plan.scope(field).cloned()),
            Target::Searches | Target::Search | Target::Commands { .. } | Target::Command { .. } => {
                (ViewIndex::RESOURCE, None)
            }
        };
        let access = &head.access.any_of;
        Self {
            method: head.method,
            action: head.action,
            view,
            scope,
            needs: Needs {
                accept: head.requires_header(ACCEPT.as_str()),
                body: match head.takes_header(CONTENT_TYPE.as_str()) {
                    true if head.requires_header(CONTENT_TYPE.as_str()) => BodyNeed::Required,
                    true => BodyNeed::Optional,
                    false => BodyNeed::None,
                },
            },
            has_preconditions: head.takes_header(IF_MATCH.as_str()),
            conditions: match head.action {
                Action::Operation(OperationKind::Create) => ConditionPlan::of_creation(service, resource, access),
                _ => ConditionPlan::of_access(service, resource, access),
            },
            requires_credentials: head.access.requires_credentials,
            access: head.access.any_of,
            is_async: head.is_async,
            home: endpoint.home(resource),
            collection: endpoint.collection(resource).into(),
            former: endpoint.former,
            deprecation: head.deprecation,
        }
    }
}
