//! Commands over HTTP (§4.7): PUT accepts one, GET shows it, or all of an entity.

use super::Admitted;
use super::body::{ReceivedBody, SMALL_WORK_BYTES};
use super::changes::{in_order, no_content};
use super::failure::{Failure, write_problem};
use super::operations::ServeResult;
use super::parameters::DryRun;
use super::payload::Payload;
use super::response_meta::ResponseMeta;
use super::success;
use crate::logic::commands::{LEASE, from_json, retention};
use crate::logic::transitions::TransitionOf;
use crate::messages::Reader;
use crate::plan::command::CommandPlan;
use crate::plan::form::{WrittenNames, sequence};
use crate::plan::{CommandIndex, Plans, ResourceIndex};
use crate::plan::{bind, exact_json, stored};
use crate::store::{CommandQuery, Entity, NewCommand, PageWriter, Read, Record, Refusal, Task, TaskOf};
use http::{Response, StatusCode, header};
use restwell_model::events::CommandStatus;
use restwell_model::input::{Body, Reading};
use restwell_model::routes::VARIABLE;
use restwell_model::scalar::{Timestamp, uuid_text};
use restwell_model::{ErrorCode, Problem, Value};
use std::sync::Arc;
use uuid::Uuid;

/// The name of the path parameter in errors.
const COMMAND_ID: &str = "commandId";
/// Room for a command that most fit in.
const COMMAND_BYTES: usize = 512;

impl Admitted<'_> {
    /// PUT of a command: the first one accepts it, every other one finds its present state.
    pub(super) async fn put_command(
        &self,
        command: CommandIndex,
        body: &ReceivedBody,
        meta: &mut ResponseMeta,
    ) -> ServeResult {
        let (of, plan) =
            (TaskOf { resource: self.at.resource, task: Task::Command(command) }, &self.plan.commands[command]);
        let read = (self.at.resource, command);
        let read = self.engine.read_body((self.client, body), &read, Reading::Create, &[]).await?;
        let Body { value, problems, deprecation, .. } = read;
        meta.uses(deprecation);
        let entity = self.id.ok_or_else(|| Failure::new(ErrorCode::ResourceNotFound))?;
        let found = match self.command_id {
            Some(id) => self.engine.store.command(id).await?,
            None => None,
        };
        let (value, input) = self.input(command, value, body).await?;
        let is_for_this = |record: &Record| record.of == of && record.entity == entity;
        if let Some(record) = found.as_ref().filter(|record| is_for_this(record)) {
            self.keeps(record).await?;
        }
        let found = match found {
            Some(record) => Some((self.is_it(&record, &input).await? && is_for_this(&record), record)),
            None => None,
        };
        if problems.is_empty()
            && self.query.is_empty()
            && let Some((true, record)) = &found
        {
            self.may_see(record).await?;
            return self.accepted(plan, record).await;
        }
        let owner = self.find(entity).await?.owner;
        if !self.engine.executor.is_ready(of) {
            return Err(Failure::new(ErrorCode::NotReady));
        }
        let (dry_run, mut all) = DryRun::read(&self.query, |path| plan.shape.has(path));
        match (self.command_id, &found) {
            (None, _) => all.push(Problem::at(ErrorCode::InvalidUuid, COMMAND_ID)),
            (Some(_), Some((false, _))) => all.push(Problem::at(ErrorCode::CommandIdUsed, COMMAND_ID)),
            _ => {}
        }
        if found.is_none() {
            all.extend(self.wrong_state(plan, entity).await?);
        }
        let place = if dry_run.is_asked { None } else { self.engine.executor.reserve() };
        let id = self.command_id.unwrap_or_else(Uuid::nil);
        let new = NewCommand {
            references: references(plan, &value),
            is_dry_run: dry_run.is_asked || !all.is_empty() || !problems.is_empty(),
            ..self.new_command(id, of, (entity, owner), input.clone(), place.is_some())
        };
        let (accepted, found) = match self.engine.store.accept(new).await {
            Ok(accepted) => (Some(accepted), problems),
            Err(Refusal::Invalid(missing)) => (None, [problems, missing].concat()),
            Err(refusal) => return Err(refusal.into()),
        };
        let all = in_order(&plan.shape, &dry_run, all, found);
        match accepted {
            // it was pruned meanwhile
            Some((record, _)) if record.is_pruned && is_for_this(&record) => {
                Err(Failure::new(ErrorCode::CommandExpired))
            }
            _ if !all.is_empty() => Err(Failure::invalid(all)),
            Some((record, _)) if !(is_for_this(&record) && self.is_it(&record, &input).await?) => {
                Err(Failure::invalid(vec![Problem::at(ErrorCode::CommandIdUsed, COMMAND_ID)]))
            }
            Some((record, is_new)) if !dry_run.is_asked => {
                let answer = self.accepted(plan, &record).await;
                if let Some(place) = place.filter(|_| is_new) {
                    place.send(record);
                }
                answer
            }
            _ => Ok(no_content()),
        }
    }

    /// The input of a command as it is stored, of the values of its body.
    async fn input(
        &self,
        command: CommandIndex,
        value: Value,
        body: &ReceivedBody,
    ) -> Result<(Value, String), Failure> {
        let (plans, resource) = (&self.engine.plans, self.at.resource);
        let input = move |plans: &Plans, value: Value| {
            let plan = &plans.resources[resource].commands[command];
            let input = plan.input.to_json(&plan.shape.complete(value.clone()));
            (value, input)
        };
        if body.is_small() {
            return Ok(input(plans, value));
        }
        let plans = Arc::clone(plans);
        self.engine.offload.run(self.client, move || input(&plans, value)).await
    }

    /// Whether a command has this input.
    async fn is_it(&self, record: &Record, input: &str) -> Result<bool, Failure> {
        if record.input == input || record.input.len() + input.len() <= SMALL_WORK_BYTES {
            return Ok(is_same(&record.input, input));
        }
        let (stored, input) = (record.input.clone(), input.to_owned());
        self.engine.offload.run(self.client, move || is_same(&stored, &input)).await
    }

    /// Why the transition of a command cannot be made, as far as that is known before the command is executed.
    async fn wrong_state(&self, command: &CommandPlan, entity: Uuid) -> Result<Option<Problem>, Failure> {
        let Some(transition) = &command.transition else { return Ok(None) };
        let store = &self.engine.store;
        let found = store.look(Read::One(self.at.resource, entity), Vec::new()).await?;
        let Some(row) = found.rows.first() else { return Ok(None) };
        let (caller, now) = (self.caller.as_ref(), self.engine.clock.now().millis());
        let of = TransitionOf { plans: &self.engine.plans, plan: self.plan, transition, row, caller, now };
        Ok(of.refusal(|read| store.look(read, Vec::new())).await?)
    }

    /// A command that this request makes, of an entity and its owner: RUNNING, and held from the start by who has a
    /// place for it.
    pub(super) fn new_command(
        &self,
        id: Uuid,
        of: TaskOf,
        (entity, owner): (Uuid, Option<Uuid>),
        input: String,
        is_held: bool,
    ) -> NewCommand {
        let now = self.engine.clock.now().millis();
        let record = Record {
            id,
            of,
            entity,
            owner,
            caller: self.caller.clone(),
            input,
            created_at: now,
            updated_at: now,
            status: CommandStatus::Running,
            is_pruned: false,
            output: None,
            errors: None,
            fence: i64::from(is_held),
            trace: self.trace.clone(),
        };
        let lease = if is_held { LEASE.as_millis() as i64 } else { 0 };
        let (former, viewer) = (self.operation.former, self.viewer.clone());
        NewCommand { record, lease, references: Vec::new(), former, viewer, is_dry_run: false }
    }

    /// GET of a command.
    pub(super) async fn get_command(&self, command: CommandIndex) -> ServeResult {
        let of = TaskOf { resource: self.at.resource, task: Task::Command(command) };
        let record = match self.command_id {
            Some(id) => self.engine.store.command(id).await?,
            None => None,
        };
        let record = record.filter(|record| record.of == of && Some(record.entity) == self.id);
        let record = record.ok_or_else(|| Failure::new(ErrorCode::ResourceNotFound))?;
        self.keeps(&record).await?;
        self.may_see(&record).await?;
        let mut reader = self.reader();
        let plan = &self.plan.commands[command];
        let entity = render(plan, &record, &mut reader);
        let body = self.with_shown(plan, vec![entity.body]).await?.pop().unwrap_or_default();
        let entity = Entity { body, ..entity };
        // it is the same in all versions, but for the media type
        let versions = self.other_versions().filter(|_| self.asks_for_tags());
        let others: Vec<_> = versions.map(|version| (version, entity.body.clone())).collect();
        Ok(in_language_of(&reader, self.found(entity, &others)?))
    }

    /// GET of the commands of one type that an entity was sent.
    pub(super) async fn list_commands(&self, command: CommandIndex, entity: Uuid) -> ServeResult {
        self.find(entity).await?;
        let (query, problems) = self.engine.plans.command_list.read(&self.query.parameters);
        let problems = self.query.refuse(problems);
        if !problems.is_empty() {
            return Err(Failure::invalid(problems));
        }
        let (_places, turn) = self.reading(false).await?;
        let of = TaskOf { resource: self.at.resource, task: Task::Command(command) };
        let list = CommandQuery { of, entity, kept_since: self.kept_since(), query };
        let page = self.engine.store.commands(list, turn).await?;
        let plan = &self.plan.commands[command];
        let mut reader = self.reader();
        let mut writer = PageWriter::new(&self.operation.collection, page.records.len() * COMMAND_BYTES);
        let bodies = page.records.iter().map(|record| render(plan, record, &mut reader).body).collect();
        for body in self.with_shown(plan, bodies).await? {
            writer.add(|out| {
                out.extend_from_slice(&body);
                Ok::<_, Failure>(())
            })?;
        }
        let headers = [(header::CONTENT_TYPE, self.media_type().clone())];
        Ok(in_language_of(&reader, success(StatusCode::OK, writer.finish(page.count), &headers)))
    }

    /// When commands that have ended by now are no longer kept.
    fn kept_since(&self) -> i64 {
        retention::kept_since(&self.engine.clock, self.engine.command_retention)
    }

    /// 410 for callers who may see a command that is no longer kept; 403 for others.
    async fn keeps(&self, record: &Record) -> Result<(), Failure> {
        if !record.is_expired(self.kept_since()) {
            return Ok(());
        }
        self.may_see(record).await?;
        Err(Failure::new(ErrorCode::CommandExpired))
    }

    /// The reader of a command's errors. Each language has its own text, and therefore its own entity tag.
    fn reader(&self) -> Reader<'_> {
        Reader::new(&self.engine.messages, self.headers, Some(&self.plan.name))
    }

    /// Callers who may send it now may see it; once the entity is gone, its owner at the time of sending.
    async fn may_see(&self, record: &Record) -> Result<(), Failure> {
        let entity = self.engine.store.get(self.at, record.entity, self.viewer.clone()).await?;
        if entity.is_none() && !self.sees_all() {
            // of one that is gone it is not known who saw it: only who sent the command
            let sender = record.caller.as_ref().map(|caller| caller.id);
            let is_senders = sender.is_some() && sender == self.caller.as_ref().map(|caller| caller.id);
            let entity = (self.at.resource, record.entity);
            if !is_senders || self.is_there(entity).await? {
                return Err(self.not_found(entity).await?);
            }
        }
        let owner = record.owner_now(entity.map(|entity| entity.owner));
        self.may_touch(record.entity, owner).await
    }

    /// Commands with what the references in their outputs show.
    async fn with_shown(&self, plan: &CommandPlan, bodies: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Failure> {
        match &plan.shown {
            Some(shown) => Ok(self.engine.store.show(Arc::clone(shown), bodies, self.viewer.clone()).await?),
            None => Ok(bodies),
        }
    }

    async fn accepted(&self, plan: &CommandPlan, record: &Record) -> ServeResult {
        let path = self.operation.home.replacen(VARIABLE, &record.entity.hyphenated().to_string(), 1);
        let mut reader = self.reader();
        let entity = render(plan, record, &mut reader);
        let body = self.with_shown(plan, vec![entity.body]).await?.pop().unwrap_or_default();
        Ok(in_language_of(&reader, self.created(&path, Entity { body, ..entity })?))
    }
}

/// Whether two inputs are the same. A migration writes the fields of renamed ones in the order in which they were.
fn is_same(stored: &str, input: &str) -> bool {
    let read = |json: &str| exact_json::parse(json).ok();
    stored == input || read(stored).is_some_and(|stored| Some(stored) == read(input))
}

/// The ids that the input refers to, each with the path of an error about it and the resource that must have it.
fn references(plan: &CommandPlan, input: &Value) -> Vec<(String, ResourceIndex, Uuid)> {
    let of = |(path, resource): &(Vec<String>, ResourceIndex)| {
        let ids = bind::linked_ids(plan.shape.members(), input, path);
        let resource = *resource;
        ids.into_iter().map(move |(at, id)| (format!("{at}.id"), resource, id)).collect::<Vec<_>>()
    };
    plan.references.iter().flat_map(of).collect()
}

/// A command that has errors says in which language; a response without the command says nothing of it.
fn in_language_of(reader: &Reader<'_>, mut response: Response<Payload>) -> Response<Payload> {
    if reader.has_read() && response.status() != StatusCode::NOT_MODIFIED {
        response.headers_mut().insert(header::CONTENT_LANGUAGE, reader.content_language());
    }
    response
}

/// A command as clients see it; nothing of an operation.
pub(crate) fn render_command(plans: &Plans, record: &Record, reader: &mut Reader<'_>) -> Option<Vec<u8>> {
    let Task::Command(command) = record.of.task else { return None };
    Some(render(&plans.resources[record.of.resource].commands[command], record, reader).body)
}

/// The whole command (decisions, "Commands").
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
    out.extend_from_slice(format!(",\"status\":\"{}\"", record.status.value()).as_bytes());
    let read = |json: &str| exact_json::parse(json).unwrap_or_default();
    after_comma(&mut out, |out| plan.write_input(&stored::object(&plan.input, &read(&record.input)), out));
    let output = match &record.output {
        Some(json) => stored::object(&plan.output, &read(json)),
        None => plan.blank_output(),
    };
    after_comma(&mut out, |out| plan.output.write_members(&output, WrittenNames::All, out));
    out.extend_from_slice(b",\"errors\":");
    let errors = record.errors.as_deref().filter(|_| record.status == CommandStatus::Failed).map(from_json);
    sequence(&mut out, b'[', b']', &errors.unwrap_or_default(), |error, out| write_problem(error, reader, out));
    out.push(b'}');
    Entity { id: record.id, owner: record.owner, body: out }
}

/// Writes members after a comma, if there are any.
fn after_comma(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let before = out.len();
    out.push(b',');
    write(out);
    if out.len() == before + 1 {
        out.truncate(before);
    }
}
