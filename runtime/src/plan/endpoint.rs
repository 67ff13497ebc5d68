//! A path and what each method does there: what the interface of the service says, ready to serve.

use super::conditions::ConditionPlan;
use super::index::{ResourceIndex, ViewIndex};
use super::{ResourcePlan, Scope};
use http::header::{ACCEPT, CONTENT_TYPE, IF_MATCH};
use restwell_model::api::{HttpOperation, OperationRole, PathItem, PathSubject};
use restwell_model::routes::{Action, FormerWords, Target};
use restwell_model::{Access, Checked, Deprecation};
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
    /// Whether `If-Match` matters: there is an entity that may have changed.
    pub(crate) takes_if_match: bool,
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
    /// 415 without `Content-Type`.
    pub(crate) content_type: bool,
}

impl Needs {
    /// DELETE ignores both.
    pub(crate) const NOTHING: Self = Self { accept: false, content_type: false };
}

impl EndpointPlan {
    /// Compiles a path; `None` for paths of the service itself.
    pub(super) fn compile(path: &PathItem<'_>, service: &Checked, resources: &[ResourcePlan]) -> Option<Self> {
        let PathSubject::Resource { resource, target } = path.subject else { return None };
        let plan = resources.get(resource)?;
        let operations = path.operations.iter();
        Some(Self {
            pattern: path.pattern.clone(),
            resource: resource.into(),
            allow: path.allow.clone(),
            operations: operations
                .filter_map(|operation| OperationPlan::compile(operation, (path, target), (service, plan)))
                .collect(),
        })
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

    fn compile(
        operation: &HttpOperation<'_>,
        (path, target): (&PathItem<'_>, Target),
        (service, plan): (&Checked, &ResourcePlan),
    ) -> Option<Self> {
        let OperationRole::Action(action) = operation.role else { return None };
        let (view, scope) = match target {
            Target::Collection { view } | Target::Entity { view } => (ViewIndex::of_model(view), None),
            Target::Scoped { field } => (ViewIndex::RESOURCE, plan.scope(field).cloned()),
            Target::Searches | Target::Search | Target::Commands { .. } | Target::Command { .. } => {
                (ViewIndex::RESOURCE, None)
            }
        };
        Some(Self {
            method: operation.method,
            action,
            view,
            scope,
            needs: Needs {
                accept: operation.requires_header(ACCEPT.as_str()),
                content_type: operation.requires_header(CONTENT_TYPE.as_str()),
            },
            conditions: service
                .resource(&plan.name)
                .map(|resource| ConditionPlan::of_access(service, resource, &operation.access.any_of))
                .unwrap_or_default(),
            access: operation.access.any_of.clone(),
            requires_credentials: operation.access.requires_credentials,
            is_async: operation.is_async,
            takes_if_match: operation.takes_header(IF_MATCH.as_str()),
            home: path.home.clone(),
            collection: path.collection.as_str().into(),
            former: path.former,
            deprecation: operation.deprecation,
        })
    }
}
