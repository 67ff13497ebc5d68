//! Commands over HTTP (§4.7): PUT accepts one, GET shows it.

use super::etag::{self, Tags};
use super::failure::{Failure, write_problem};
use super::notices::Notices;
use super::operations::Answer;
use super::parameters::{self, DryRun};
use super::payload::Payload;
use super::{Admitted, success};
use crate::commands::{LEASE, from_json};
use crate::messages::Reader;
use crate::plan::command::CommandPlan;
use crate::plan::form::sequence;
use crate::plan::{bind, stored};
use crate::store::{Entity, NewCommand, Record, Refusal, Task, TaskOf};
use http::{HeaderValue, Response, StatusCode, header};
use restwell_model::events::CommandStatus;
use restwell_model::input::{Body, MAX_PROBLEMS, Reading};
use restwell_model::scalar::{Timestamp, uuid_text};
use restwell_model::{ErrorCode, Problem, Value};
use uuid::Uuid;

/// The parameter of the path, where it is told of.
const COMMAND_ID: &str = "commandId";

impl Admitted<'_> {
    /// PUT of a command: the first one accepts it, every other finds it as it is now.
    pub(super) async fn put_command(self, command: usize, body: &[u8], notices: &mut Notices) -> Answer {
        let (of, plan) =
            (TaskOf { resource: self.at.resource, task: Task::Command(command) }, &self.plan.commands[command]);
        notices.uses(plan.deprecation);
        let Body { value, problems, deprecation } = plan.shape.read(body, Reading::Create, &[])?;
        notices.uses(deprecation);
        let entity = self.id.ok_or_else(|| Failure::new(ErrorCode::ResourceNotFound))?;
        let found = match self.command_id {
            Some(id) => self.engine.store.command(id).await?,
            None => None,
        };
        let input = input_json(plan, &plan.shape.complete(value.clone()));
        let is_it = |record: &Record| record.of == of && record.entity == entity && record.input == input;
        if problems.is_empty()
            && self.query.is_empty()
            && let Some(record) = found.as_ref().filter(|record| is_it(record))
        {
            self.may_see(record).await?;
            return self.accepted(plan, record);
        }
        let owner = self.find(entity).await?.owner;
        if !self.engine.executor.is_ready(of) {
            return Err(Failure::new(ErrorCode::NotReady));
        }
        let (dry_run, mut all) = DryRun::read(&self.query, |path| plan.shape.has(path));
        match (self.command_id, &found) {
            (None, _) => all.push(Problem::at(ErrorCode::InvalidUuid, COMMAND_ID)),
            (Some(_), Some(record)) if !is_it(record) => all.push(Problem::at(ErrorCode::CommandIdUsed, COMMAND_ID)),
            _ => {}
        }
        let place = if dry_run.is_asked { None } else { self.engine.executor.reserve() };
        let now = self.engine.clock.now().millis();
        let new = NewCommand {
            id: self.command_id.unwrap_or_else(Uuid::nil),
            of,
            entity,
            owner,
            caller: self.caller.clone(),
            input: input.clone(),
            now,
            lease: if place.is_some() { now + LEASE.as_millis() as i64 } else { 0 },
            trace: self.trace.clone(),
            references: references(plan, &value),
            is_dry_run: dry_run.is_asked || !all.is_empty() || !problems.is_empty(),
        };
        let accepted = match self.engine.store.accept(new).await {
            Ok((record, is_new)) => Some((record, is_new)),
            Err(Refusal::Invalid(missing)) => {
                all.extend(in_order(plan, &dry_run, [problems, missing].concat()));
                return Err(Failure::invalid(all));
            }
            Err(refusal) => return Err(refusal.into()),
        };
        all.extend(in_order(plan, &dry_run, problems));
        if !all.is_empty() {
            return Err(Failure::invalid(all));
        }
        match accepted {
            Some((record, _)) if !is_it(&record) => {
                Err(Failure::invalid(vec![Problem::at(ErrorCode::CommandIdUsed, COMMAND_ID)]))
            }
            Some((record, is_new)) if !dry_run.is_asked => {
                let answer = self.accepted(plan, &record);
                if let Some(place) = place.filter(|_| is_new) {
                    place.send(record);
                }
                answer
            }
            _ => Ok(success(StatusCode::NO_CONTENT, Vec::new(), &[])),
        }
    }

    /// GET of a command.
    pub(super) async fn get_command(self, command: usize) -> Answer {
        let of = TaskOf { resource: self.at.resource, task: Task::Command(command) };
        let record = match self.command_id {
            Some(id) => self.engine.store.command(id).await?,
            None => None,
        };
        let record = record.filter(|record| record.of == of && Some(record.entity) == self.id);
        let record = record.ok_or_else(|| Failure::new(ErrorCode::ResourceNotFound))?;
        self.may_see(&record).await?;
        let problems = parameters::refuse_all(&self.query);
        if !problems.is_empty() {
            return Err(Failure::invalid(problems));
        }
        let mut reader = self.reader();
        let entity = render(&self.plan.commands[command], &record, &mut reader);
        let tag = etag::tag(self.media_type(), &entity.body);
        if Tags::read(self.headers, header::IF_NONE_MATCH).is_some_and(|tags| tags.match_weakly(&tag)) {
            let tag = HeaderValue::from_str(&tag).map_err(|_| Failure::new(ErrorCode::InternalError))?;
            return Ok(success(StatusCode::NOT_MODIFIED, Vec::new(), &[(header::ETAG, tag)]));
        }
        Ok(in_language_of(&reader, self.rendered(StatusCode::OK, entity)?))
    }

    /// Who reads the errors of a command: in a language of their own, and so under an entity tag of its own.
    fn reader(&self) -> Reader<'_> {
        Reader::new(&self.engine.messages, self.headers, Some(&self.plan.name))
    }

    /// Whoever may send it now may see it; once the entity is gone, whose it was when it was sent.
    async fn may_see(&self, record: &Record) -> Result<(), Failure> {
        let owner = match self.engine.store.get(self.at, record.entity).await? {
            Some(entity) => entity.owner,
            None => record.owner,
        };
        if self.permission.permit()?.covers(owner) { Ok(()) } else { Err(Failure::new(ErrorCode::Forbidden)) }
    }

    fn accepted(&self, plan: &CommandPlan, record: &Record) -> Answer {
        let (base, path, segment) = (&self.engine.base_url, &self.plan.path, plan.segment());
        let location = format!("{base}{path}/{}/{segment}/{}", record.entity.hyphenated(), record.id.hyphenated());
        let location = HeaderValue::try_from(location).map_err(|_| Failure::new(ErrorCode::InternalError))?;
        let mut reader = self.reader();
        let entity = render(plan, record, &mut reader);
        let mut response = in_language_of(&reader, self.rendered(StatusCode::CREATED, entity)?);
        response.headers_mut().insert(header::LOCATION, location);
        Ok(response)
    }
}

/// Parameters went before; fields in the model's order, then unknown properties.
fn in_order(plan: &CommandPlan, dry_run: &DryRun, mut found: Vec<Problem>) -> Vec<Problem> {
    found.retain(|problem| dry_run.covers(problem.path.as_deref()));
    found.sort_by_cached_key(|problem| {
        let is_unknown = problem.code == ErrorCode::UnknownProperty;
        let rank = plan.shape.rank(problem.path.as_deref().unwrap_or_default());
        (is_unknown, if is_unknown { Vec::new() } else { rank })
    });
    found.truncate(MAX_PROBLEMS);
    found
}

fn input_json(plan: &CommandPlan, input: &Value) -> String {
    let mut json = b"{".to_vec();
    plan.input.write_members(input, &mut json);
    json.push(b'}');
    String::from_utf8_lossy(&json).into_owned()
}

/// The ids that the input refers to, each with the path of an error about it and the table that must have it.
fn references(plan: &CommandPlan, input: &Value) -> Vec<(String, String, Uuid)> {
    let of = |(path, table): &(Vec<String>, String)| {
        let ids = bind::linked_ids(plan.shape.members(), input, path);
        let table = table.clone();
        ids.into_iter().map(move |(at, id)| (format!("{at}.id"), table.clone(), id)).collect::<Vec<_>>()
    };
    plan.references.iter().flat_map(of).collect()
}

/// A command that has errors says in which language.
fn in_language_of(reader: &Reader<'_>, mut response: Response<Payload>) -> Response<Payload> {
    if reader.has_read() {
        response.headers_mut().insert(header::CONTENT_LANGUAGE, reader.content_language());
    }
    response
}

/// The whole command (rulings, "Commands").
fn render(plan: &CommandPlan, record: &Record, reader: &mut Reader<'_>) -> Entity {
    let mut out = b"{\"id\":\"".to_vec();
    uuid_text::write(&record.id, &mut out);
    out.push(b'"');
    for (name, millis) in [("createdAt", record.created_at), ("updatedAt", record.updated_at)] {
        out.extend_from_slice(format!(",\"{name}\":\"").as_bytes());
        if let Some(time) = Timestamp::from_millis(millis) {
            time.write(&mut out);
        }
        out.push(b'"');
    }
    out.extend_from_slice(format!(",\"status\":\"{}\",", record.status.value()).as_bytes());
    let read = |json: &str| serde_json::from_str(json).unwrap_or_default();
    plan.write_input(&stored::object(&plan.input, &read(&record.input)), &mut out);
    let output = match &record.output {
        Some(json) => stored::object(&plan.output, &read(json)),
        None => plan.blank_output(),
    };
    plan.output.write_members(&output, &mut out);
    if !plan.output.forms.is_empty() {
        out.push(b',');
    }
    out.extend_from_slice(b"\"errors\":");
    let errors = record.errors.as_deref().filter(|_| record.status == CommandStatus::Failed).map(from_json);
    sequence(&mut out, b'[', b']', &errors.unwrap_or_default(), |error, out| write_problem(error, reader, out));
    out.push(b'}');
    Entity { id: record.id, owner: record.owner, body: out }
}
