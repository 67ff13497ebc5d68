//! The answer to OPTIONS: the methods of a path, and of a caller with credentials those that the caller may use there.

use super::access_log::RequestRecord;
use super::conditions::Granted;
use super::failure::Failure;
use super::payload::Payload;
use super::{Admitted, Engine, nearest_path, parameters, success};
use crate::auth::caller::Caller;
use crate::observe::trace::Trace;
use crate::plan::{OperationPlan, RouteMatch, VersionIndex};
use crate::store::RepresentationId;
use http::{HeaderValue, Response, StatusCode, header, request};
use restwell_model::routes::Action;
use restwell_model::{ErrorCode, OperationKind};
use uuid::Uuid;

/// The method that every path has.
const OPTIONS: &str = "OPTIONS";

impl Engine {
    /// What can be done at a path, by the caller if there are credentials.
    pub(super) async fn options(
        &self,
        head: &request::Parts,
        known: Option<Result<Option<Caller>, Failure>>,
        trace: &Trace,
        record: &mut RequestRecord<'_>,
    ) -> Result<Response<Payload>, Failure> {
        let path = head.uri.path();
        if let Some(custom) = self.custom_route(path, record) {
            return Ok(methods_answer(&custom.path.allow));
        }
        let found = self.plans.router.find(path).ok_or_else(|| nearest_path::not_found(&self.plans.service, path))?;
        record.route = Some(found.index);
        let caller = match known {
            Some(caller) => caller?,
            None => self.authenticate(&head.headers).await?,
        };
        record.caller = caller.as_ref().map(|caller| caller.id);
        match caller {
            Some(caller) => self.options_of(&found, &caller, head, trace, record).await,
            None => Ok(methods_answer(&found.endpoint.allow)),
        }
    }

    /// The methods that a caller may use at a path.
    async fn options_of(
        &self,
        found: &RouteMatch<'_>,
        caller: &Caller,
        head: &request::Parts,
        trace: &Trace,
        record: &RequestRecord<'_>,
    ) -> Result<Response<Payload>, Failure> {
        let mut allowed = vec![OPTIONS];
        for operation in found.endpoint.operations() {
            let plan = &self.plans.resources[found.endpoint.resource];
            let Granted { permission, for_others } = self.grant(operation, plan, Some(caller)).await?;
            let (resource, view, version) = (found.endpoint.resource, operation.view, VersionIndex::PREFERRED);
            let at = RepresentationId { resource, view, version };
            let admitted = Admitted {
                engine: self,
                plan,
                operation,
                at,
                body_at: at,
                id: found.ids[0],
                command_id: found.ids[1],
                caller: Some(caller.clone()),
                client: record.client(),
                permission,
                viewer: self.viewer(plan, Some(caller)).await?,
                for_others,
                query: parameters::parse(None),
                headers: &head.headers,
                trace,
            };
            if admitted.is_allowed().await? {
                allowed.push(operation.method());
            }
        }
        let method_of = |listed: &str| if listed == "HEAD" { "GET" } else { listed }.to_owned();
        let listed = found.endpoint.allow.split(", ");
        let listed: Vec<_> = listed.filter(|listed| allowed.contains(&method_of(listed).as_str())).collect();
        Ok(methods_answer(&listed.join(", ")))
    }
}

impl Admitted<'_> {
    /// Whether the caller may do what the operation does, as far as the path says; 404 where it names an entity that
    /// is not there, or that the caller does not see.
    async fn is_allowed(&self) -> Result<bool, Failure> {
        let id = match (names_entity(self.operation), self.id) {
            (true, Some(id)) => id,
            (true, None) => return Err(Failure::new(ErrorCode::ResourceNotFound)),
            (false, _) => return Ok(self.permits(self.find_parent().await?)),
        };
        match self.find(id).await {
            Ok(_) => Ok(true),
            Err(failure) if !failure.is(ErrorCode::Forbidden) => Err(failure),
            // what the caller does not see may be disclosed by 403
            Err(failure) => match self.engine.store.get(self.at, id, self.viewer.clone()).await? {
                Some(_) => Ok(false),
                None => Err(failure),
            },
        }
    }

    /// Whether the caller may do it in a collection, below a parent if it is scoped.
    fn permits(&self, parent: Option<Uuid>) -> bool {
        let Some(permit) = self.permission.permit() else { return false };
        let (Some(scope), Some(owner), Some(parent)) = (&self.operation.scope, &self.plan.owner, parent) else {
            return true;
        };
        let is_own = self.caller.as_ref().is_some_and(|caller| caller.id == parent);
        let may_create = self.operation.action != Action::Operation(OperationKind::Create) || self.for_others;
        owner.column != scope.column || is_own || (permit.keeps(Some(parent)) && may_create)
    }
}

/// Whether the first id of the path is that of an entity of the resource.
fn names_entity(operation: &OperationPlan) -> bool {
    use OperationKind::{Create, Delete, Get, List, Patch, Update};
    match operation.action {
        Action::Operation(Get | Update | Patch | Delete)
        | Action::PutCommand(_)
        | Action::GetCommand(_)
        | Action::ListCommands(_) => true,
        Action::Operation(List | Create) | Action::CreateSearch | Action::GetSearch => false,
    }
}

/// The answer with these methods.
pub(super) fn methods_answer(allow: &str) -> Response<Payload> {
    success(StatusCode::NO_CONTENT, Vec::new(), &[(header::ALLOW, methods(allow))])
}

/// The value of `Allow`.
pub(super) fn methods(allow: &str) -> HeaderValue {
    HeaderValue::try_from(allow).unwrap_or(HeaderValue::from_static(""))
}
