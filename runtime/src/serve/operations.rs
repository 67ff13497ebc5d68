//! What the operations do once a request is admitted: parse, target, act, render (§4.2).

use super::caller::{Permission, owner_preset};
use super::failure::Failure;
use super::{Admitted, parameters, success};
use crate::store::{Change, ChangeKind, Permit};
use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::Full;
use restwell_model::input::{MAX_PROBLEMS, Preset, Reading};
use restwell_model::scalar::Timestamp;
use restwell_model::{ErrorCode, OperationKind, Problem, Value};
use uuid::Uuid;

/// An operation on entities.
pub(super) struct Operation {
    pub(super) kind: OperationKind,
    pub(super) may_create_for_others: bool,
}

type Answer = Result<Response<Full<Bytes>>, Failure>;

impl Operation {
    /// Does it.
    pub(super) async fn run(self, request: Admitted<'_>, body: &[u8]) -> Answer {
        match (self.kind, request.id) {
            (OperationKind::List, _) => request.list().await,
            (OperationKind::Create, _) => request.create(body, self.may_create_for_others).await,
            (OperationKind::Get, Some(id)) => request.get(id).await,
            (OperationKind::Update, Some(id)) => request.update(id, body).await,
            (OperationKind::Delete, Some(id)) => request.delete(id).await,
            (_, None) => Err(Failure::new(ErrorCode::ResourceNotFound)),
            (OperationKind::Patch, _) => Err(Failure::new(ErrorCode::NotReady)),
        }
    }
}

impl Admitted<'_> {
    async fn list(self) -> Answer {
        let permit = self.permission.permit()?;
        let representation = &self.plan.representations(self.at.view)[self.at.version];
        let (mut query, problems) = representation.parameters.read(&self.query);
        if !problems.is_empty() {
            return Err(Failure::invalid(problems));
        }
        if let (Permit::Own(caller), Some(owner)) = (permit, &self.plan.owner) {
            query.restrict(owner.column, caller);
        }
        let body = self.engine.store.list(self.at, query).await?;
        Ok(self.rendered(StatusCode::OK, body))
    }

    async fn get(self, id: Uuid) -> Answer {
        let found = self.engine.store.get(self.at, id).await?;
        let entity = found.ok_or_else(|| Failure::new(ErrorCode::ResourceNotFound))?;
        if !self.permission.permit()?.covers(entity.owner) {
            return Err(Failure::new(ErrorCode::Forbidden));
        }
        self.refuse(parameters::check(&self.query, false))?;
        Ok(self.rendered(StatusCode::OK, entity.body))
    }

    async fn create(self, body: &[u8], may_create_for_others: bool) -> Answer {
        let shape = &self.plan.representations(self.body_at.view)[self.body_at.version].shape;
        let owner = owner_preset(self.plan, self.caller.as_ref());
        let preset = owner.map(|(field, id)| Preset { field, value: Value::Uuid(id) });
        let (value, problems) = shape.read(body, Reading::Create, preset.as_ref())?;
        self.permission.permit()?;
        if let Some((field, caller)) = owner.filter(|_| !may_create_for_others)
            && matches!(shape.value_of(&value, field), Some(Value::Uuid(named)) if *named != caller)
        {
            return Err(Failure::new(ErrorCode::Forbidden));
        }
        let value = shape.complete(value);
        let change = self.change(Uuid::now_v7(), Permit::All, ChangeKind::Create(value));
        let entity = self.act(change, problems, true).await?;
        let location = format!("{}{}/{}", self.engine.base_url, self.plan.path, entity.id.hyphenated());
        let mut response = self.rendered(StatusCode::CREATED, entity.body);
        let location = HeaderValue::try_from(location).map_err(|_| Failure::new(ErrorCode::InternalError))?;
        response.headers_mut().insert(header::LOCATION, location);
        Ok(response)
    }

    async fn update(self, id: Uuid, body: &[u8]) -> Answer {
        let shape = &self.plan.representations(self.body_at.view)[self.body_at.version].shape;
        let (value, problems) = shape.read(body, Reading::Update, None)?;
        if self.permission == Permission::Denied {
            return Err(self.denied(id).await?);
        }
        let change = self.change(id, self.permission.permit()?, ChangeKind::Update(value));
        let entity = self.act(change, problems, true).await?;
        Ok(self.rendered(StatusCode::OK, entity.body))
    }

    async fn delete(self, id: Uuid) -> Answer {
        if self.permission == Permission::Denied {
            return Err(self.denied(id).await?);
        }
        if !parameters::check(&self.query, true).is_empty() || parameters::asks_for_dry_run(&self.query) {
            // what is wrong with the parameters comes after whether the target is there, and whose it is
            let found = self.engine.store.get(self.at, id).await?;
            let entity = found.ok_or_else(|| Failure::new(ErrorCode::ResourceNotFound))?;
            if !self.permission.permit()?.covers(entity.owner) {
                return Err(Failure::new(ErrorCode::Forbidden));
            }
        }
        let change = self.change(id, self.permission.permit()?, ChangeKind::Delete);
        self.act(change, Vec::new(), true).await?;
        Ok(success(StatusCode::NO_CONTENT, Vec::new(), &[]))
    }

    /// Does a change, or lists all that is wrong with it: parameters, the body's own faults, and what only the store
    /// sees, in the model's order.
    async fn act(
        &self,
        change: Change,
        problems: Vec<Problem>,
        takes_dry_run: bool,
    ) -> Result<crate::store::Entity, Failure> {
        let mut all = parameters::check(&self.query, takes_dry_run);
        all.extend(parameters::dry_run_problem(&self.query));
        let is_faulty = !all.is_empty() || !problems.is_empty();
        if !is_faulty && parameters::asks_for_dry_run(&self.query) {
            return Err(Failure::new(ErrorCode::NotReady));
        }
        if !is_faulty {
            let outcome = self.engine.store.write(change).await;
            return outcome.map_err(|refusal| match refusal {
                crate::store::Refusal::Invalid(problems) => Failure::invalid(self.in_order(Vec::new(), problems)),
                refusal => refusal.into(),
            });
        }
        let seen_by_store = self.engine.store.inspect(change).await?;
        Err(Failure::invalid(self.in_order(all, [problems, seen_by_store].concat())))
    }

    /// Parameters first, then fields in the model's order, then unknown properties; one problem a place from the
    /// store, and none where the body has one already.
    fn in_order(&self, mut parameters: Vec<Problem>, problems: Vec<Problem>) -> Vec<Problem> {
        let shape = &self.plan.representations(self.body_at.view)[self.body_at.version].shape;
        let mut kept: Vec<Problem> = Vec::with_capacity(problems.len());
        for problem in problems {
            let by_store = matches!(problem.code, ErrorCode::Immutable | ErrorCode::NotFound | ErrorCode::NotUnique);
            let is_told = |told: &Problem| match (&told.path, &problem.path) {
                (Some(told), Some(path)) => told == path || is_below(told, path) || is_below(path, told),
                _ => false,
            };
            if !(by_store && kept.iter().any(is_told)) {
                kept.push(problem);
            }
        }
        kept.sort_by_cached_key(|problem| {
            let is_unknown = problem.code == ErrorCode::UnknownProperty;
            (is_unknown, if is_unknown { Vec::new() } else { shape.rank(problem.path.as_deref().unwrap_or_default()) })
        });
        parameters.extend(kept);
        parameters.truncate(MAX_PROBLEMS);
        parameters
    }

    /// Who may do nothing here still learns whether there is something.
    async fn denied(&self, id: Uuid) -> Result<Failure, Failure> {
        let found = self.engine.store.get(self.at, id).await?;
        Ok(Failure::new(if found.is_some() { ErrorCode::Forbidden } else { ErrorCode::ResourceNotFound }))
    }

    fn refuse(&self, problems: Vec<Problem>) -> Result<(), Failure> {
        if problems.is_empty() { Ok(()) } else { Err(Failure::invalid(problems)) }
    }

    fn change(&self, id: Uuid, permit: Permit, kind: ChangeKind) -> Change {
        Change { at: self.at, id, now: Timestamp::now().millis(), permit, kind }
    }

    fn rendered(&self, status: StatusCode, body: Vec<u8>) -> Response<Full<Bytes>> {
        let representation = &self.plan.representations(self.at.view)[self.at.version];
        success(status, body, &[(header::CONTENT_TYPE, representation.media_type.clone())])
    }
}

/// `seller.id` is below `seller`.
fn is_below(path: &str, parent: &str) -> bool {
    path.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.'))
}
