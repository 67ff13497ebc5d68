//! Creating, replacing, deleting: parse, act, and all that is wrong in one answer (§4.2, §4.3, §7.1).

use super::caller::{Permission, may_create_for_others, owner_preset};
use super::etag::Tags;
use super::failure::Failure;
use super::notices::Notices;
use super::operations::Answer;
use super::parameters::{DryRun, is_below};
use super::payload::Payload;
use super::{Admitted, success};
use crate::rejection::Cause;
use crate::store::{Change, ChangeKind, Entity, Permit, Refusal};
use http::{HeaderValue, Response, StatusCode, header};
use restwell_model::input::{Body, MAX_PROBLEMS, Preset, Reading, Shape};
use restwell_model::{Access, ErrorCode, Problem, Value};
use uuid::Uuid;

impl Admitted<'_> {
    /// POST on a collection.
    pub(super) async fn create(self, access: &[Access], body: &[u8], notices: &mut Notices) -> Answer {
        let shape = self.shape();
        let owner = owner_preset(self.plan, self.caller.as_ref());
        let path = self.scope.zip(self.id).map(|(scope, id)| (scope.field.as_str(), id));
        // the path's reference goes before the token's
        let given: Vec<_> = path.into_iter().chain(owner).collect();
        let presets: Vec<_> = given.iter().map(|(field, id)| Preset { field, value: Value::Uuid(*id) }).collect();
        let Body { value, mut problems, deprecation } = shape.read(body, Reading::Create, &presets)?;
        notices.uses(deprecation);
        self.find_parent().await?;
        self.permission.permit()?;
        if let Some((field, caller)) = owner.filter(|_| !may_create_for_others(access, self.caller.as_ref()))
            && names_another(shape, &value, field, caller)
        {
            return Err(Failure::new(ErrorCode::Forbidden));
        }
        // null is another one, too; where nothing could be read, that has been told
        let is_told = |field: &str| {
            problems.iter().filter_map(|problem| problem.path.as_deref()).any(|at| at == field || is_below(at, field))
        };
        let contradicts =
            |field: &str, id| shape.value_of(&value, field).is_some_and(|named| *named != Value::Uuid(id));
        if let Some((field, _)) = path.filter(|(field, id)| contradicts(field, *id) && !is_told(field)) {
            problems.push(Problem::at(ErrorCode::PathMismatch, format!("{field}.id")));
        }
        let kind = ChangeKind::Create(shape.complete(value));
        let Some(entity) = self.change(Uuid::now_v7(), Permit::All, kind, problems).await? else {
            return Ok(no_content());
        };
        let path = self.plan.entity_path(self.at.view);
        self.created(path, entity)
    }

    /// The answer to a POST that made something which is found below `path`.
    pub(super) fn created(&self, path: &str, entity: Entity) -> Answer {
        let location = format!("{}{path}/{}", self.engine.base_url, entity.id.hyphenated());
        let location = HeaderValue::try_from(location).map_err(|_| Failure::new(ErrorCode::InternalError))?;
        let mut response = self.rendered(StatusCode::CREATED, entity)?;
        response.headers_mut().insert(header::LOCATION, location);
        Ok(response)
    }

    /// PUT on an entity.
    pub(super) async fn update(self, id: Uuid, body: &[u8], notices: &mut Notices) -> Answer {
        let Body { value, problems, deprecation } = self.shape().read(body, Reading::Update, &[])?;
        notices.uses(deprecation);
        if self.permission == Permission::Denied {
            self.find(id).await?;
        }
        match self.change(id, self.permission.permit()?, ChangeKind::Update(value), problems).await? {
            Some(entity) => self.rendered(StatusCode::OK, entity),
            None => Ok(no_content()),
        }
    }

    /// DELETE on an entity.
    pub(super) async fn delete(self, id: Uuid) -> Answer {
        if self.permission == Permission::Denied {
            self.find(id).await?;
        }
        self.change(id, self.permission.permit()?, ChangeKind::Delete, Vec::new()).await?;
        Ok(no_content())
    }

    /// Does a change, or lists all that is wrong with it: parameters, the body's own problems, and what only the store
    /// sees. A dry run that finds nothing wrong gives `None`.
    async fn change(
        &self,
        id: Uuid,
        permit: Permit,
        kind: ChangeKind,
        problems: Vec<Problem>,
    ) -> Result<Option<Entity>, Failure> {
        let (dry_run, parameters) = DryRun::read(&self.query, |path| self.shape().has(path));
        let is_done = parameters.is_empty() && problems.is_empty() && !dry_run.is_asked;
        let kind = if is_done { self.hash_secrets(kind).await? } else { kind };
        let change = Change {
            at: self.at,
            id,
            now: self.engine.clock.now().millis(),
            permit,
            if_match: Tags::read(self.headers, header::IF_MATCH),
            is_dry_run: dry_run.is_asked,
            trace: self.trace.clone(),
            kind,
        };
        let found = if parameters.is_empty() && problems.is_empty() {
            let kept = self.engine.actor.has_rules(&change).then(|| change.clone());
            match self.engine.actor.change(change, self.caller.as_ref()).await {
                Ok(entity) => return Ok((!dry_run.is_asked).then_some(entity)),
                Err(Cause::Store(Refusal::Invalid(problems))) => problems,
                // beside what the team's rules say stands what only the store sees
                Err(Cause::Problems(problems)) => match kept {
                    Some(change) => [problems, self.engine.store.inspect(change).await?].concat(),
                    None => problems,
                },
                Err(cause) => return Err(cause.into()),
            }
        } else {
            [problems, self.engine.store.inspect(change).await?].concat()
        };
        let all = in_order(self.shape(), &dry_run, parameters, found);
        if all.is_empty() { Ok(None) } else { Err(Failure::invalid(all)) }
    }

    /// Secrets are hashed once nothing else is known to be wrong, away from the threads that serve.
    async fn hash_secrets(&self, kind: ChangeKind) -> Result<ChangeKind, Failure> {
        if self.plan.secrets.is_empty() {
            return Ok(kind);
        }
        let secrets = self.plan.secrets.clone();
        let hashed = tokio::task::spawn_blocking(move || match kind {
            ChangeKind::Create(mut value) => secrets.hash(&mut value).map(|()| ChangeKind::Create(value)),
            ChangeKind::Update(mut value) => secrets.hash(&mut value).map(|()| ChangeKind::Update(value)),
            kind @ (ChangeKind::Put(_) | ChangeKind::Delete) => Ok(kind),
        });
        match hashed.await {
            Ok(Ok(kind)) => Ok(kind),
            _ => Err(Failure::new(ErrorCode::InternalError)),
        }
    }

    fn shape(&self) -> &Shape {
        &self.plan.representations(self.body_at.view)[self.body_at.version].shape
    }
}

pub(super) fn no_content() -> Response<Payload> {
    success(StatusCode::NO_CONTENT, Vec::new(), &[])
}

fn names_another(shape: &Shape, value: &Value, field: &str, id: Uuid) -> bool {
    matches!(shape.value_of(value, field), Some(Value::Uuid(named)) if *named != id)
}

/// Parameters first, then fields in the model's order, then unknown properties. What the store says of a place that the
/// body has a problem at already is only the echo of that.
fn in_order(shape: &Shape, dry_run: &DryRun, mut parameters: Vec<Problem>, found: Vec<Problem>) -> Vec<Problem> {
    let mut kept: Vec<Problem> = Vec::with_capacity(found.len());
    for problem in found.into_iter().filter(|problem| dry_run.covers(problem.path.as_deref())) {
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
