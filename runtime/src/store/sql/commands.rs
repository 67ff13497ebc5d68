//! The table of commands.
//!
//! Leases run by the database's clock: those of the processes may differ.

use super::command_rows::CommandStatements;
use super::visible::may_refer;
use super::{Columns, Session, SqlFailure, now, outbox, row, until};
use crate::auth::caller::Caller;
use crate::observe::trace::Trace;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::statements::RowQuery;
use crate::plan::stored_names::StoredNames;
use crate::plan::{IndexedBy, Plans, ResourceIndex, ResourcePlan};
use crate::store::commands::{PRUNED, number, status};
use crate::store::{Backlog, Conclusion, NewCommand, NewEvent, Record, Refusal, StoreError, Task, TaskOf};
use futures_util::future::join_all;
use restwell_model::events::{CommandStatus, EventKind};
use restwell_model::tables::{Dialect, OPERATION_MARK};
use restwell_model::{ErrorCode, OperationKind, Problem};
use std::borrow::Cow;
use std::sync::LazyLock;
use uuid::Uuid;

pub(super) const COLUMNS: &str = "\"id\", \"resource\", \"command\", \"entity_id\", \"owner_id\", \"caller\", \"input\", \
                       \"created_at\", \"updated_at\", \"status\", \"output\", \"errors\", \"fence\", \"trace_id\", \"trace_parent\"";

/// The word of hooks, which stands where an operation has its own.
const HOOK: &str = "on";

/// Finds commands by their ids.
pub(in crate::store) static FIND: LazyLock<RowQuery> = LazyLock::new(|| RowQuery::of("_restwell_commands", COLUMNS));

/// Accepts a command, or finds the one that has its id already. `true`: it is new.
pub(in crate::store) async fn accept<S: Session>(
    session: &S,
    plans: &Plans,
    new: &NewCommand,
) -> Result<(Record, bool), Refusal> {
    let record = &new.record;
    let (resources, commands) = stored_names(plans, record.of);
    let (resource, command) = (resources.of(new.former.resource), commands.of(new.former.command));
    let caller = record.caller.as_ref().map(serde_json::to_string).transpose();
    let caller = caller.map_err(|error| StoreError::Internal(error.to_string()))?;
    let values = [
        CellRef::Uuid(record.id),
        CellRef::Text(resource.as_bytes()),
        CellRef::Text(command.as_bytes()),
        CellRef::Uuid(record.entity),
        record.owner.map_or(CellRef::Null, CellRef::Uuid),
        text(caller.as_ref()),
        CellRef::Text(record.input.as_bytes()),
        CellRef::Int(record.created_at),
        CellRef::Int(record.fence),
        CellRef::Int(new.lease),
        CellRef::Uuid(record.trace.id),
        text(record.trace.parent.as_ref()),
    ];
    let problems = missing(session, plans, new).await?;
    if problems.is_empty() && session.try_row(&CommandStatements::of(S::DIALECT).accept, &values).await? {
        announce(session, plans, record, CommandStatus::Running, record.created_at).await?;
        return Ok((record.clone(), true));
    }
    match find(session, plans, record.id).await? {
        Some(known) => Ok((known, false)),
        None if !problems.is_empty() => Err(Refusal::Invalid(problems)),
        None => Err(StoreError::Unavailable("a command with this id is being forgotten".to_owned()).into()),
    }
}

/// The missing entities that a command's input refers to: there are none of them for its caller.
async fn missing(session: &impl Session, plans: &Plans, new: &NewCommand) -> Result<Vec<Problem>, SqlFailure> {
    let mut problems = Vec::new();
    for (path, resource, id) in &new.references {
        if !may_refer(session, plans, &new.viewer, (*resource, *id)).await? {
            problems.push(Problem::at(ErrorCode::NotFound, path));
        }
    }
    Ok(problems)
}

/// The command of this id.
pub(in crate::store) async fn find(
    session: &impl Session,
    plans: &Plans,
    id: Uuid,
) -> Result<Option<Record>, SqlFailure> {
    Ok(row(session, &FIND.one, &[CellRef::Uuid(id)]).await?.and_then(|row| record(row, plans)))
}

/// How many are RUNNING, and since when the oldest is.
pub(in crate::store) async fn backlog(session: &impl Session) -> Result<Backlog, SqlFailure> {
    let sql = "SELECT count(*), min(\"created_at\") FROM \"_restwell_commands\" WHERE \"status\" = 0";
    let found = row(session, sql, &[]).await?.unwrap_or_default();
    let int = |column: usize| found.get(column).and_then(|cell| cell.borrow().int());
    Ok(Backlog { commands: int(0).unwrap_or_default(), oldest: int(1) })
}

/// Claims up to `limit` commands that are RUNNING and whose lease has expired. `hooked`: the resources whose hooks this
/// program has.
pub(in crate::store) async fn claim<S: Session>(
    session: &S,
    plans: &Plans,
    hooked: &[ResourceIndex],
    lease: i64,
    limit: u32,
) -> Result<Vec<Record>, Refusal> {
    let others = match S::DIALECT {
        Dialect::Sqlite => "",
        // what another is just claiming is claimed
        Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
    };
    // a command of a resource or kind that the model lacks waits for a model that has it, and blocks no other
    let known = tasks(plans, hooked);
    let sql = format!(
        "SELECT {COLUMNS} FROM \"_restwell_commands\" WHERE \"status\" = 0 AND \"lease\" <= {} \
         AND (\"resource\", \"command\") IN (VALUES {}) ORDER BY \"lease\", \"created_at\" LIMIT ?{others}",
        now(S::DIALECT),
        vec!["(?, ?)"; known.len()].join(", ")
    );
    let names = known.iter().flat_map(|(resource, task)| [*resource, task.as_str()]);
    let mut values: Vec<_> = names.map(|name| CellRef::Text(name.as_bytes())).collect();
    values.push(CellRef::Int(limit.into()));
    let found = session.rows(&sql, &values).await?;
    let mut records: Vec<_> = found.into_iter().filter_map(|row| record(row, plans)).collect();
    let sql = format!(
        "UPDATE \"_restwell_commands\" SET \"fence\" = \"fence\" + 1, \"lease\" = {} WHERE \"id\" = ?1",
        until(S::DIALECT, "?2")
    );
    let claim = async |record: &Record| session.execute(&sql, &[CellRef::Uuid(record.id), CellRef::Int(lease)]).await;
    join_all(records.iter().map(claim)).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    for record in &mut records {
        record.fence += 1;
    }
    Ok(records)
}

/// Extends the leases of commands, or releases them.
pub(in crate::store) async fn hold<S: Session>(session: &S, held: &[(Uuid, i64)], lease: i64) -> Result<(), Refusal> {
    let others = match S::DIALECT {
        Dialect::Sqlite => "",
        // what is just ending needs no lease, and a wait for it could become a deadlock
        Dialect::Postgres => {
            " AND \"id\" IN (SELECT \"id\" FROM \"_restwell_commands\" WHERE \"id\" = ?1 FOR NO KEY UPDATE SKIP LOCKED)"
        }
    };
    let sql = format!(
        "UPDATE \"_restwell_commands\" SET \"lease\" = {} WHERE \"id\" = ?1 AND \"fence\" = ?2 AND \"status\" = 0{others}",
        until(S::DIALECT, "?3")
    );
    let hold = async |(id, fence): &(Uuid, i64)| {
        session.execute(&sql, &[CellRef::Uuid(*id), CellRef::Int(*fence), CellRef::Int(lease)]).await
    };
    join_all(held.iter().map(hold)).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(())
}

/// Releases a command that is to be taken up again after this number of milliseconds, and keeps why it did not end.
pub(in crate::store) async fn postpone<S: Session>(
    session: &S,
    (id, fence): (Uuid, i64),
    pause: i64,
    errors: &str,
) -> Result<(), Refusal> {
    let sql = format!(
        "UPDATE \"_restwell_commands\" SET \"lease\" = {}, \"errors\" = ?4 \
         WHERE \"id\" = ?1 AND \"fence\" = ?2 AND \"status\" = 0",
        until(S::DIALECT, "?3")
    );
    let values = [CellRef::Uuid(id), CellRef::Int(fence), CellRef::Int(pause), CellRef::Text(errors.as_bytes())];
    match session.execute(&sql, &values).await? {
        0 => Err(Refusal::Superseded),
        _ => Ok(()),
    }
}

/// Ends a command, if it is still held by who ends it.
pub(super) async fn end<S: Session>(session: &S, conclusion: &Conclusion) -> Result<(), Refusal> {
    let record = &conclusion.record;
    let values = [
        CellRef::Uuid(record.id),
        CellRef::Int(record.fence),
        CellRef::Int(number(conclusion.status)),
        text(conclusion.output.as_ref()),
        text(conclusion.errors.as_ref()),
        CellRef::Int(conclusion.now),
    ];
    match session.try_row(&CommandStatements::of(S::DIALECT).end, &values).await? {
        true => Ok(()),
        false => Err(Refusal::Superseded),
    }
}

/// Who owns a command after what it did.
async fn owner_now(session: &impl Session, plan: &ResourcePlan, record: &Record) -> Result<Option<Uuid>, SqlFailure> {
    let Some(owner) = &plan.owner else { return Ok(None) };
    let column = &plan.table.columns[owner.column].name;
    let sql = format!("SELECT \"{column}\" FROM \"{}\" WHERE \"id\" = ?1", plan.table.name);
    let found = row(session, &sql, &[CellRef::Uuid(record.entity)]).await?;
    Ok(record.owner_now(found.map(|row| Columns(row.into_iter()).uuid())))
}

/// Writes the event of a command's new status (§6).
pub(super) async fn announce(
    session: &impl Session,
    plans: &Plans,
    record: &Record,
    status: CommandStatus,
    time: i64,
) -> Result<(), SqlFailure> {
    // the events of an asynchronous operation are those of its changes
    let Task::Command(command) = record.of.task else { return Ok(()) };
    let plan = &plans.resources[record.of.resource];
    let owner = match status {
        CommandStatus::Running => record.owner,
        CommandStatus::Successful | CommandStatus::Failed => owner_now(session, plan, record).await?,
    };
    let name = &plan.commands[command].name;
    let data = format!("{{\"id\":\"{}\",\"status\":\"{}\"}}", record.id.hyphenated(), status.value());
    let event = NewEvent {
        resource: record.of.resource,
        kind: EventKind::Command { name, status },
        entity: record.entity,
        owner,
        time,
        data: data.as_bytes(),
        trace: &record.trace,
    };
    outbox::record(session, plans, &event).await
}

/// Releases all commands that are RUNNING: at the start of a process that has its database alone.
pub(in crate::store) async fn let_all_go(session: &impl Session) -> Result<(), SqlFailure> {
    let sql = "UPDATE \"_restwell_commands\" SET \"lease\" = 0 WHERE \"status\" = 0 AND \"lease\" > 0";
    session.execute(sql, &[]).await.map(|_| ())
}

/// What the resource and the command, or the operation, may be called.
pub(super) fn stored_names(plans: &Plans, of: TaskOf) -> (&StoredNames, Cow<'_, StoredNames>) {
    let plan = &plans.resources[of.resource];
    let task = match of.task {
        Task::Command(command) => Cow::Borrowed(&plan.commands[command].stored_names),
        Task::Operation(kind) => Cow::Owned(StoredNames::one(&format!("{OPERATION_MARK}{}", kind.word()))),
        Task::Hook => Cow::Owned(StoredNames::one(&format!("{OPERATION_MARK}{HOOK}"))),
    };
    (&plan.stored_names, task)
}

/// The names of all that a service may have to execute.
fn tasks<'a>(plans: &'a Plans, hooked: &[ResourceIndex]) -> Vec<(&'a str, String)> {
    let of_resource = |(resource, plan): (ResourceIndex, &ResourcePlan)| {
        let commands = plan.commands.indexed().map(|(command, _)| Task::Command(command));
        let operations = OperationKind::ALL.into_iter().map(Task::Operation);
        let hook = hooked.contains(&resource).then_some(Task::Hook);
        commands.chain(operations).chain(hook).map(move |task| TaskOf { resource, task }).collect::<Vec<_>>()
    };
    let names = |task: TaskOf| {
        let (resources, tasks) = stored_names(plans, task);
        let tasks: Vec<_> = tasks.iter().map(str::to_owned).collect();
        resources.iter().flat_map(move |resource| tasks.clone().into_iter().map(move |task| (resource, task)))
    };
    plans.resources.indexed().flat_map(of_resource).flat_map(names).collect()
}

fn task(plan: &ResourcePlan, name: &str) -> Option<Task> {
    match name.strip_prefix(OPERATION_MARK) {
        Some(HOOK) => Some(Task::Hook),
        Some(word) => word.parse().ok().map(Task::Operation),
        None => {
            let found = plan.commands.indexed().find(|(_, command)| command.stored_names.contains(name));
            found.map(|(command, _)| Task::Command(command))
        }
    }
}

fn text(value: Option<&String>) -> CellRef<'_> {
    value.map_or(CellRef::Null, |text| CellRef::Text(text.as_bytes()))
}

/// A stored command; none of a resource or a command that the model has not.
pub(in crate::store) fn record(row: Vec<Cell>, plans: &Plans) -> Option<Record> {
    let mut columns = Columns(row.into_iter());
    let id = columns.uuid()?;
    let (resource, command) = (columns.text()?, columns.text()?);
    let (resource, plan) = plans.stored_resource(&resource)?;
    let task = task(plan, &command)?;
    let (entity, owner) = (columns.uuid()?, columns.uuid());
    let caller: Option<Caller> = columns.text().and_then(|text| serde_json::from_str(&text).ok());
    let actor = caller.as_ref().map(|caller| caller.id);
    let (input, created_at, updated_at, number) = (columns.text()?, columns.int()?, columns.int()?, columns.int()?);
    Some(Record {
        id,
        of: TaskOf { resource, task },
        entity,
        owner,
        caller,
        input,
        created_at,
        updated_at,
        status: status(number),
        is_pruned: number == PRUNED,
        output: columns.text(),
        errors: columns.text(),
        fence: columns.int()?,
        trace: Trace { id: columns.uuid()?, parent: columns.text(), actor },
    })
}
