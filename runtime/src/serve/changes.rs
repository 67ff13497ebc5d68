//! Creating, replacing, deleting: parse, act, and report all problems in one response (§4.2, §4.3, §7.1).

use super::body::ReceivedBody;
use super::caller;
use super::caller::{owned_by, owner_preset};
use super::failure::Failure;
use super::operations::ServeResult;
use super::parameters::{DryRun, is_below};
use super::payload::Payload;
use super::response_meta::ResponseMeta;
use super::secrets::Hashes;
use super::{Admitted, Engine, success};
use crate::etag::{Preconditions, Tags};
use crate::logic::commands::operation;
use crate::logic::defaults::{self, Creation};
use crate::logic::rejection::Cause;
use crate::plan::permission::Permission;
use crate::plan::permission::Permit;
use crate::plan::{Representation, ResourceIndex, ResourcePlan};
use crate::store::{Change, ChangeKind, Entity, Refusal, Task, TaskOf};
use http::{HeaderName, HeaderValue, Response, StatusCode, header};
use restwell_model::input::{Body, MAX_PROBLEMS, Reading, Shape};
use restwell_model::{ErrorCode, OperationKind, Problem, Value};
use uuid::Uuid;

/// Says that the entity does not have the id that was posted.
const IGNORED_PROPERTIES: HeaderName = HeaderName::from_static("ignored-properties");

/// What is asked for, beside the values.
pub(super) struct ChangeRequest<'a> {
    pub(super) id: Uuid,
    /// Milliseconds since 1970: the one time of all that the change computes and tests.
    pub(super) now: i64,
    pub(super) permit: Permit,
    /// What the entity's tag must be in addition to `If-Match`.
    pub(super) unchanged: Option<Tags>,
    /// Fields with access of their own that a creation sets.
    pub(super) given: Vec<usize>,
    /// The secrets that were hashed for the request so far.
    pub(super) hashes: &'a mut Hashes,
}

/// The outcome of a change.
pub(super) enum Outcome {
    /// It is done.
    Done(Entity),
    /// A dry run found nothing wrong.
    Tried,
    /// It will be done.
    Accepted(Uuid),
}

impl Engine {
    /// The values of a new entity, of a body that this shape has read: what it omits has its default.
    pub(super) async fn complete_new(
        &self,
        (plan, shape): (&ResourcePlan, &Shape),
        creation: Creation<'_>,
        value: Value,
        problems: &mut Vec<Problem>,
    ) -> Result<Value, Failure> {
        let omitted = plan.omitted_defaults(&value);
        let mut value = shape.complete(value);
        let read = |read| async move { self.store.look(read, Vec::new()).await };
        problems.extend(defaults::fill(&self.plans, (plan, &omitted), creation, &mut value, read).await?);
        Ok(value)
    }
}

impl Admitted<'_> {
    /// POST on a collection.
    pub(super) async fn create(&self, body: &ReceivedBody, meta: &mut ResponseMeta) -> ServeResult {
        let shape = self.shape();
        let owner = owner_preset(self.plan, self.caller.as_ref());
        let path = self.operation.scope.as_ref().zip(self.id).map(|(scope, id)| (scope.field.as_str(), id));
        // the path's reference goes before the token's
        let given: Vec<_> = path.into_iter().chain(owner).collect();
        let read = self.engine.read_body((self.client, body), &self.body_at, Reading::Create, &given).await?;
        let Body { value, mut problems, deprecation, has_id, .. } = read;
        meta.uses(deprecation);
        caller::require_owner(self.plan, shape, &value, self.caller.as_ref())?;
        self.find_parent().await?;
        // a condition is one on the new entity
        let permit = match caller::permit(&self.permission)? {
            permit @ Permit::Where(_) => permit,
            Permit::All | Permit::Own(_) => Permit::All,
        };
        if let Some((field, caller)) = owned_by(self.plan, self.caller.as_ref()).filter(|_| !self.for_others)
            && names_another(shape, &value, field, caller)
        {
            return Err(Failure::new(ErrorCode::Forbidden));
        }
        // null is a different one, too; a value that could not be read is reported already
        let is_reported = |field: &str| {
            problems.iter().filter_map(|problem| problem.path.as_deref()).any(|at| at == field || is_below(at, field))
        };
        let contradicts =
            |field: &str, id| shape.value_of(&value, field).is_some_and(|named| *named != Value::Uuid(id));
        if let Some((field, _)) = path.filter(|(field, id)| contradicts(field, *id) && !is_reported(field)) {
            problems.push(Problem::at(ErrorCode::PathMismatch, format!("{field}.id")));
        }
        let id = self.engine.ids.entity();
        let given = self.plan.given_fields(self.body_at, &value);
        let now = self.now();
        let creation = Creation { id, now, caller: self.caller.as_ref() };
        let value = self.engine.complete_new((self.plan, shape), creation, value, &mut problems).await?;
        let kind = ChangeKind::Create(value);
        let request = ChangeRequest { id, now, permit, unchanged: None, given, hashes: &mut Hashes::default() };
        let mut response = match self.change(request, kind, problems).await? {
            Outcome::Done(entity) => self.created(&self.operation.home, entity)?,
            Outcome::Tried => return Ok(no_content()),
            Outcome::Accepted(id) => self.will_be_done(id)?,
        };
        if has_id {
            response.headers_mut().insert(IGNORED_PROPERTIES, HeaderValue::from_static("id"));
        }
        Ok(response)
    }

    /// The time of a change that begins now.
    pub(super) fn now(&self) -> i64 {
        self.engine.clock.now().millis()
    }

    /// The response to a change that is done later: where its result will be.
    fn will_be_done(&self, id: Uuid) -> ServeResult {
        let location = self.location(&self.operation.home, id)?;
        Ok(success(StatusCode::ACCEPTED, Vec::new(), &[(header::LOCATION, location)]))
    }

    /// The answer to a POST that made something which is found below `path`.
    pub(super) fn created(&self, path: &str, entity: Entity) -> ServeResult {
        let location = self.location(path, entity.id)?;
        let mut response = self.rendered(StatusCode::CREATED, entity)?;
        response.headers_mut().insert(header::LOCATION, location);
        Ok(response)
    }

    fn location(&self, path: &str, id: Uuid) -> Result<HeaderValue, Failure> {
        let location = format!("{}{path}/{}", self.engine.base_url, id.hyphenated());
        HeaderValue::try_from(location).map_err(|_| Failure::new(ErrorCode::InternalError))
    }

    /// PUT on an entity.
    pub(super) async fn update(&self, id: Uuid, body: &ReceivedBody, meta: &mut ResponseMeta) -> ServeResult {
        let read = self.engine.read_body((self.client, body), &self.body_at, Reading::Update, &[]).await?;
        let Body { value, problems, deprecation, needs_stored, .. } = read;
        if needs_stored {
            return self.update_beside(id, body, meta).await;
        }
        meta.uses(deprecation);
        if self.permission == Permission::Denied {
            self.find(id).await?;
        }
        let permit = caller::permit(&self.permission)?;
        let (now, given) = (self.now(), Vec::new());
        let request = ChangeRequest { id, now, permit, unchanged: None, given, hashes: &mut Hashes::default() };
        let outcome = self.change(request, ChangeKind::Update(value), problems).await?;
        self.updated(outcome)
    }

    /// The answer to a PUT or PATCH.
    pub(super) fn updated(&self, outcome: Outcome) -> ServeResult {
        match outcome {
            Outcome::Done(entity) => self.rendered(StatusCode::OK, entity),
            Outcome::Tried => Ok(no_content()),
            Outcome::Accepted(id) => self.will_be_done(id),
        }
    }

    /// DELETE on an entity.
    pub(super) async fn delete(&self, id: Uuid) -> ServeResult {
        if self.permission == Permission::Denied {
            self.find(id).await?;
        }
        let permit = caller::permit(&self.permission)?;
        let (now, given) = (self.now(), Vec::new());
        let request = ChangeRequest { id, now, permit, unchanged: None, given, hashes: &mut Hashes::default() };
        match self.change(request, ChangeKind::Delete, Vec::new()).await? {
            Outcome::Accepted(id) => self.will_be_done(id),
            Outcome::Done(_) | Outcome::Tried => Ok(no_content()),
        }
    }

    /// Does a change, or lists all that is wrong with it: parameters, the body's own problems, and what only the store
    /// sees. An operation that is `async` is tried, and kept to be done later.
    pub(super) async fn change(
        &self,
        request: ChangeRequest<'_>,
        mut kind: ChangeKind,
        mut problems: Vec<Problem>,
    ) -> Result<Outcome, Failure> {
        let ChangeRequest { id, now, permit, unchanged, given, hashes } = request;
        let (dry_run, parameters) = DryRun::read(&self.query, |path| self.shape().has(path));
        let is_async = self.operation.is_async;
        problems.extend(self.too_many_secrets(&kind));
        let is_valid = parameters.is_empty() && problems.is_empty();
        let secrets = if is_valid && !dry_run.is_asked { self.take_secrets(&mut kind) } else { Vec::new() };
        let change = Change {
            at: self.at,
            id,
            now,
            permit,
            viewer: self.viewer.clone(),
            preconditions: self.preconditions(unchanged),
            is_dry_run: dry_run.is_asked || is_async,
            trace: self.trace.clone(),
            author: self.plan.author(self.caller.as_ref()),
            faulty: faulty(&problems),
            given,
            is_transition: false,
            kind,
        };
        // the team's rules say nothing of an entity that the caller may not touch, or does not see
        let has_rules = self.engine.change_runner.has_rules(&change);
        let is_limited = matches!(change.permit, Permit::Where(_)) || !self.sees_all();
        if has_rules && is_limited && !matches!(change.kind, ChangeKind::Create(_)) {
            self.find(id).await?;
        }
        // nor of one that it refers to
        if has_rules && is_valid && self.viewer.checks_references() {
            problems = self.inspect(change.clone()).await?;
            problems.retain(|problem| problem.code == ErrorCode::NotFound);
        }
        let is_valid = is_valid && problems.is_empty();
        let later = is_async.then(|| Change { is_dry_run: false, ..change.clone() });
        let found = if is_valid {
            let kept = has_rules.then(|| change.clone());
            match self.attempt(change, &secrets, hashes).await {
                Ok(_) if dry_run.is_asked => return Ok(Outcome::Tried),
                Ok(entity) => {
                    return match later {
                        Some(mut change) => {
                            self.put_secrets(&mut change.kind, &secrets, hashes).await?;
                            self.keep(&change, entity.owner).await
                        }
                        None => Ok(Outcome::Done(entity)),
                    };
                }
                Err(Cause::Store(Refusal::Invalid(problems))) => problems,
                Err(Cause::Store(Refusal::StillReferenced(by))) => vec![self.still_referenced(&by)],
                // beside the problems of the team's rules, those that only the store can find
                Err(Cause::Problems(problems)) if !has_other_status(&problems) => match kept {
                    Some(change) => [problems, self.inspect(change).await?].concat(),
                    None => problems,
                },
                Err(Cause::Store(refusal @ (Refusal::Forbidden | Refusal::FieldsForbidden(_)))) => {
                    return Err(self.refused_access(refusal));
                }
                Err(cause) => return Err(cause.into()),
            }
        } else {
            [problems, self.inspect(change).await?].concat()
        };
        let all = in_order(self.shape(), &dry_run, parameters, found);
        if all.is_empty() { Ok(Outcome::Tried) } else { Err(Failure::invalid(all)) }
    }

    /// Others refer to what is to be deleted. Of which resources they are, as far as the caller may list all of these.
    fn still_referenced(&self, by: &[ResourceIndex]) -> Problem {
        let plans = &self.engine.plans;
        let may_list = |name: &&str| {
            // whether it is one that the caller does not see is not said
            let resource = plans.service.resource(name).filter(|it| !it.is_restricted());
            let list = resource.and_then(|it| it.operations.iter().find(|it| it.kind == OperationKind::List));
            let permission = list.and_then(|list| Permission::of(&list.access, self.caller.as_ref()));
            permission == Some(Permission::Granted)
        };
        let names: Vec<_> = by.iter().map(|index| plans.resources[*index].name.as_str()).filter(may_list).collect();
        let problem = Problem::new(ErrorCode::StillReferenced);
        if names.is_empty() { problem } else { problem.with("resources", names) }
    }

    /// What the tags of the entity must be, by the request's headers and in addition to them.
    fn preconditions(&self, unchanged: Option<Tags>) -> Preconditions {
        let mut preconditions = match self.operation.has_preconditions {
            true => Preconditions::read(self.headers),
            false => Preconditions::default(),
        };
        preconditions.if_match.extend(unchanged);
        preconditions
    }

    /// What a change that is known to be faulty breaks besides.
    async fn inspect(&self, change: Change) -> Result<Vec<Problem>, Failure> {
        let (_places, turn) = self.reading(false).await?;
        match self.engine.store.inspect(change, turn).await {
            Err(refusal @ (Refusal::Forbidden | Refusal::FieldsForbidden(_))) => Err(self.refused_access(refusal)),
            inspected => Ok(inspected?),
        }
    }

    /// Refuses a request that cannot be read, without an attempt.
    pub(super) fn refused(&self, problems: Vec<Problem>) -> Failure {
        let (_, mut all) = DryRun::read(&self.query, |path| self.shape().has(path));
        all.extend(problems);
        all.truncate(MAX_PROBLEMS);
        Failure::invalid(all)
    }

    /// Keeps a change to be done later, durably.
    async fn keep(&self, change: &Change, owner: Option<Uuid>) -> Result<Outcome, Failure> {
        let input = operation::to_json(&self.engine.plans, change);
        let input = input.map_err(|_| Failure::new(ErrorCode::InternalError))?;
        let of = TaskOf { resource: self.at.resource, task: Task::Operation(operation::kind(&change.kind)) };
        let place = self.engine.executor.reserve();
        let id = self.engine.ids.entity();
        let new = self.new_command(id, of, (change.id, owner), input, place.is_some());
        let (record, _) = self.engine.store.accept(new).await?;
        if let Some(place) = place {
            place.send(record);
        }
        Ok(Outcome::Accepted(change.id))
    }

    /// The representation that the body is in.
    pub(super) fn read(&self) -> &Representation {
        self.plan.view(self.body_at.view).in_version(self.body_at.version)
    }

    /// How the body is read.
    pub(super) fn shape(&self) -> &Shape {
        &self.read().shape
    }
}

pub(super) fn no_content() -> Response<Payload> {
    success(StatusCode::NO_CONTENT, Vec::new(), &[])
}

/// The fields that problems are about.
fn faulty(problems: &[Problem]) -> Vec<String> {
    let paths = problems.iter().filter_map(|problem| problem.path.as_deref());
    paths.filter_map(|path| Some(path.split('.').next()?.to_owned())).collect()
}

/// Whether a team's rules reject a request for something else than its values.
fn has_other_status(problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.code.status() != ErrorCode::Rejected.status())
}

fn names_another(shape: &Shape, value: &Value, field: &str, id: Uuid) -> bool {
    matches!(shape.value_of(value, field), Some(Value::Uuid(named)) if *named != id)
}

/// Parameters first, then fields in the model's order, then unknown properties. A problem of the store at a path with a
/// problem of the body follows from that, and is left out.
pub(super) fn in_order(
    shape: &Shape,
    dry_run: &DryRun,
    mut parameters: Vec<Problem>,
    found: Vec<Problem>,
) -> Vec<Problem> {
    let mut kept: Vec<Problem> = Vec::with_capacity(found.len());
    for problem in found.into_iter().filter(|problem| dry_run.covers(problem)) {
        let by_store = matches!(problem.code, ErrorCode::Immutable | ErrorCode::NotFound | ErrorCode::NotUnique);
        let is_reported = |reported: &Problem| match (&reported.path, &problem.path) {
            (Some(reported), Some(path)) => reported == path || is_below(reported, path) || is_below(path, reported),
            _ => false,
        };
        if !(by_store && kept.iter().any(is_reported)) {
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
