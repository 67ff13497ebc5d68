//! The table of commands.

use super::explain::exists;
use super::outbox;
use crate::plan::{Plans, ResourcePlan};
use crate::serve::edge::Trace;
use crate::store::commands::{number, status};
use crate::store::{Backlog, Conclusion, NewCommand, NewEvent, Record, Refusal, StoreError, Task, TaskOf};
use restwell_model::events::{CommandStatus, EventKind};
use restwell_model::{ErrorCode, Problem};
use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

const COLUMNS: &str = "\"id\", \"resource\", \"command\", \"entity_id\", \"owner_id\", \"caller\", \"input\", \
                       \"created_at\", \"updated_at\", \"status\", \"output\", \"errors\", \"fence\", \"trace_id\", \"trace_parent\"";

/// Accepts a command, or finds the one that has its id already. The truth tells which.
pub(super) fn accept(connection: &Connection, plans: &Plans, new: &NewCommand) -> Result<(Record, bool), Refusal> {
    let record = &new.record;
    if let Some(known) = find(connection, plans, record.id)? {
        return Ok((known, false));
    }
    let problems = missing(connection, new)?;
    if !problems.is_empty() {
        return Err(Refusal::Invalid(problems));
    }
    let (resource, command) = names(plans, record.of);
    let caller = record.caller.as_ref().map(serde_json::to_string).transpose();
    let caller = caller.map_err(|error| StoreError::Internal(error.to_string()))?;
    let sql = "INSERT INTO \"_restwell_commands\" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, 0, NULL, NULL, ?9, ?10, ?11, ?12)";
    connection.prepare_cached(sql)?.execute(params![
        key(record.id),
        resource,
        command,
        key(record.entity),
        record.owner.map(Uuid::into_bytes),
        caller,
        record.input,
        record.created_at,
        record.fence,
        new.lease,
        key(record.trace.id),
        record.trace.parent,
    ])?;
    announce(connection, plans, record, CommandStatus::Running, record.created_at)?;
    Ok((record.clone(), true))
}

/// What a command's input refers to in vain.
pub(super) fn missing(connection: &Connection, new: &NewCommand) -> Result<Vec<Problem>, Refusal> {
    let mut problems = Vec::new();
    for (path, table, id) in &new.references {
        if !exists(connection, table, *id)? {
            problems.push(Problem::at(ErrorCode::NotFound, path));
        }
    }
    Ok(problems)
}

/// The command of this id.
pub(super) fn find(connection: &Connection, plans: &Plans, id: Uuid) -> Result<Option<Record>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM \"_restwell_commands\" WHERE \"id\" = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row([key(id)], |row| record(row, plans)).optional()?.flatten())
}

/// How many are RUNNING, and since when the oldest is.
pub(super) fn backlog(connection: &Connection) -> Result<Backlog, StoreError> {
    let sql = "SELECT count(*), min(\"created_at\") FROM \"_restwell_commands\" WHERE \"status\" = 0";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row([], |row| Ok(Backlog { commands: row.get(0)?, oldest: row.get(1)? }))?)
}

/// Takes up to so many commands that are RUNNING and that nobody holds any more.
pub(super) fn claim(
    connection: &Connection,
    plans: &Plans,
    now: i64,
    lease: i64,
    limit: u32,
) -> Result<Vec<Record>, Refusal> {
    let sql = format!(
        "SELECT {COLUMNS} FROM \"_restwell_commands\" WHERE \"status\" = 0 AND \"lease\" <= ?1 \
         ORDER BY \"lease\", \"created_at\" LIMIT ?2"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(params![now, limit], |row| record(row, plans))?;
    // one of a resource or command that the model has no more waits for the model that has it
    let mut records: Vec<Record> = found.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let sql = "UPDATE \"_restwell_commands\" SET \"fence\" = \"fence\" + 1, \"lease\" = ?2 WHERE \"id\" = ?1";
    let mut update = connection.prepare_cached(sql)?;
    for record in &mut records {
        update.execute(params![key(record.id), lease])?;
        record.fence += 1;
    }
    Ok(records)
}

/// Holds commands for longer, or lets them go.
pub(super) fn hold(connection: &Connection, held: &[(Uuid, i64)], lease: i64) -> Result<(), Refusal> {
    let sql =
        "UPDATE \"_restwell_commands\" SET \"lease\" = ?3 WHERE \"id\" = ?1 AND \"fence\" = ?2 AND \"status\" = 0";
    let mut update = connection.prepare_cached(sql)?;
    for (id, fence) in held {
        update.execute(params![key(*id), fence, lease])?;
    }
    Ok(())
}

/// Ends a command, if it is still held by who ends it.
pub(super) fn conclude(connection: &Connection, plans: &Plans, conclusion: &Conclusion) -> Result<(), Refusal> {
    let record = &conclusion.record;
    let sql = "UPDATE \"_restwell_commands\" SET \"status\" = ?3, \"output\" = ?4, \"errors\" = ?5, \
               \"updated_at\" = max(\"updated_at\", ?6) WHERE \"id\" = ?1 AND \"fence\" = ?2 AND \"status\" = 0";
    let changed = connection.prepare_cached(sql)?.execute(params![
        key(record.id),
        record.fence,
        number(conclusion.status),
        conclusion.output,
        conclusion.errors,
        conclusion.now,
    ])?;
    if changed == 0 {
        return Err(Refusal::Superseded);
    }
    announce(connection, plans, record, conclusion.status, conclusion.now)?;
    Ok(())
}

/// Writes the event of a command's new status (§6).
fn announce(
    connection: &Connection,
    plans: &Plans,
    record: &Record,
    status: CommandStatus,
    time: i64,
) -> rusqlite::Result<()> {
    let data = format!("{{\"id\":\"{}\",\"status\":\"{}\"}}", record.id.hyphenated(), status.value());
    // an operation tells of itself by what it does
    let Task::Command(command) = record.of.task else { return Ok(()) };
    let name = &plans.resources[record.of.resource].commands[command].name;
    let event = NewEvent {
        resource: record.of.resource,
        kind: EventKind::Command { name, status },
        entity: record.entity,
        owner: record.owner,
        time,
        data: data.as_bytes(),
        trace: &record.trace,
    };
    outbox::record(connection, plans, &event)
}

/// Lets everything go that is RUNNING: the process that held it has ended, for there is one at a time.
pub(super) fn let_all_go(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "UPDATE \"_restwell_commands\" SET \"lease\" = 0 WHERE \"status\" = 0 AND \"lease\" > 0";
    connection.execute(sql, []).map(|_| ())
}

/// Before the word of an operation, so that it is no command's name.
const OPERATION: char = ':';

fn names(plans: &Plans, of: TaskOf) -> (&str, String) {
    let plan = &plans.resources[of.resource];
    let task = match of.task {
        Task::Command(command) => plan.commands[command].name.clone(),
        Task::Operation(kind) => format!("{OPERATION}{}", kind.word()),
    };
    (&plan.name, task)
}

fn task(plan: &ResourcePlan, name: &str) -> Option<Task> {
    match name.strip_prefix(OPERATION) {
        Some(word) => word.parse().ok().map(Task::Operation),
        None => plan.commands.iter().position(|command| command.name == name).map(Task::Command),
    }
}

fn key(id: Uuid) -> [u8; 16] {
    id.into_bytes()
}

fn record(row: &Row<'_>, plans: &Plans) -> rusqlite::Result<Option<Record>> {
    let (resource, command): (String, String) = (row.get(1)?, row.get(2)?);
    let Some(resource) = plans.resources.iter().position(|plan| plan.name == resource) else { return Ok(None) };
    let Some(task) = task(&plans.resources[resource], &command) else { return Ok(None) };
    let id = |column: usize| row.get(column).map(Uuid::from_bytes);
    let caller: Option<String> = row.get(5)?;
    Ok(Some(Record {
        id: id(0)?,
        of: TaskOf { resource, task },
        entity: id(3)?,
        owner: row.get::<_, Option<[u8; 16]>>(4)?.map(Uuid::from_bytes),
        caller: caller.and_then(|text| serde_json::from_str(&text).ok()),
        input: row.get(6)?,
        created_at: row.get(7)?,
        updated_at: row.get(8)?,
        status: status(row.get(9)?),
        output: row.get(10)?,
        errors: row.get(11)?,
        fence: row.get(12)?,
        trace: Trace { id: id(13)?, parent: row.get(14)? },
    }))
}
