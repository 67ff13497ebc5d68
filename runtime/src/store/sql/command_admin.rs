//! What an operator does with commands: in a transaction of a process of its own, beside those that execute them.

use super::commands::{COLUMNS, announce, find, record};
use super::{Columns, Session, SqlFailure, greater, row};
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef};
use crate::store::commands::{ERASED, PRUNED, RETRY_FENCE, number, status};
use crate::store::{CommandFilter, CommandOrder, StoredCommand};
use restwell_model::events::CommandStatus;
use uuid::Uuid;

/// Why an operator's order was not done.
pub(in crate::store) enum OrderFailure {
    /// A sentence for people.
    Refused(String),
    /// The database failed.
    Failed(SqlFailure),
}

impl From<SqlFailure> for OrderFailure {
    fn from(failure: SqlFailure) -> Self {
        Self::Failed(failure)
    }
}

/// Does what an operator orders, at a time in milliseconds since 1970. Answers the commands that it was about.
pub(in crate::store) async fn order(
    session: &impl Session,
    plans: &Plans,
    order: &CommandOrder,
    now: i64,
) -> Result<Vec<StoredCommand>, OrderFailure> {
    match order {
        CommandOrder::List(filter) => return Ok(list(session, plans, filter).await?),
        CommandOrder::Show(_) => {}
        CommandOrder::Retry(id) => retry(session, plans, *id, now).await?,
        CommandOrder::Cancel { id, errors } => cancel(session, plans, *id, errors, now).await?,
    }
    let (CommandOrder::Show(id) | CommandOrder::Retry(id) | CommandOrder::Cancel { id, .. }) = order else {
        return Ok(Vec::new());
    };
    let sql = format!("SELECT \"lease\", {COLUMNS} FROM \"_restwell_commands\" WHERE \"id\" = ?1");
    let found = row(session, &sql, &[CellRef::Uuid(*id)]).await?.and_then(|row| stored(row, plans));
    found.map(|found| vec![found]).ok_or_else(|| OrderFailure::Refused(format!("there is no command {id}")))
}

/// The commands that match, those first that changed last. An index has them in this order for each status.
async fn list(session: &impl Session, plans: &Plans, filter: &CommandFilter) -> Result<Vec<StoredCommand>, SqlFailure> {
    let mut found = Vec::new();
    for status in CommandStatus::ALL.into_iter().filter(|status| filter.status.is_none_or(|it| it == *status)) {
        let mut sql = format!("SELECT \"lease\", {COLUMNS} FROM \"_restwell_commands\" WHERE \"status\" = ?");
        let mut values = vec![CellRef::Int(number(status))];
        if status != CommandStatus::Running {
            // what the index is limited to
            sql.push_str(" AND \"status\" > 0");
        }
        for (column, value) in [("resource", &filter.resource), ("command", &filter.command)] {
            if let Some(value) = value {
                sql.push_str(&format!(" AND \"{column}\" = ?"));
                values.push(CellRef::Text(value.as_bytes()));
            }
        }
        sql.push_str(" ORDER BY \"updated_at\" DESC LIMIT ?");
        values.push(CellRef::Int(filter.limit.into()));
        found.extend(session.rows(&sql, &values).await?.into_iter().filter_map(|row| stored(row, plans)));
    }
    found.sort_by_key(|command| (std::cmp::Reverse(command.updated_at), command.id));
    found.truncate(filter.limit as usize);
    Ok(found)
}

/// Lets a command be executed again: one that is FAILED, or whose execution is stuck. Nothing of an execution that
/// failed is there, and the next fence refuses what one that still runs wants to commit. An input that `erase` has
/// cleared cannot be executed.
async fn retry(session: &impl Session, plans: &Plans, id: Uuid, now: i64) -> Result<(), OrderFailure> {
    let sql = format!(
        "UPDATE \"_restwell_commands\" SET \"status\" = 0, \"output\" = NULL, \"errors\" = NULL, \"lease\" = 0, \
         \"fence\" = (\"fence\" / {RETRY_FENCE} + 1) * {RETRY_FENCE}, \
         \"updated_at\" = {}(\"updated_at\", ?3) WHERE \"id\" = ?1 AND \"status\" = ?2 AND \"input\" NOT LIKE {}",
        greater_of(session),
        is_erased()
    );
    let attempt = async |status| {
        let values = [CellRef::Uuid(id), CellRef::Int(number(status)), CellRef::Int(now)];
        session.execute(&sql, &values).await
    };
    if attempt(CommandStatus::Failed).await? > 0 {
        if let Some(record) = find(session, plans, id).await? {
            announce(session, plans, &record, CommandStatus::Running, now).await?;
        }
        return Ok(());
    }
    match attempt(CommandStatus::Running).await? {
        0 if lost_input(session, id).await? => Err(OrderFailure::Refused(format!(
            "`erase` has cleared the input of the command {id}, so it cannot be executed again"
        ))),
        0 => Err(refused(session, id, "only one that is FAILED or RUNNING can be executed again").await?),
        _ => Ok(()),
    }
}

/// Ends a command that is RUNNING, unless it has ended meanwhile.
async fn cancel(session: &impl Session, plans: &Plans, id: Uuid, errors: &str, now: i64) -> Result<(), OrderFailure> {
    let sql = format!(
        "UPDATE \"_restwell_commands\" SET \"status\" = ?2, \"output\" = NULL, \"errors\" = ?3, \
         \"updated_at\" = {}(\"updated_at\", ?4) WHERE \"id\" = ?1 AND \"status\" = 0",
        greater_of(session)
    );
    let values = [
        CellRef::Uuid(id),
        CellRef::Int(number(CommandStatus::Failed)),
        CellRef::Text(errors.as_bytes()),
        CellRef::Int(now),
    ];
    if session.execute(&sql, &values).await? == 0 {
        return Err(refused(session, id, "only one that is RUNNING can be cancelled").await?);
    }
    if let Some(record) = find(session, plans, id).await? {
        announce(session, plans, &record, CommandStatus::Failed, now).await?;
    }
    Ok(())
}

/// The pattern of inputs that have lost something.
fn is_erased() -> String {
    format!("'%\"{ERASED}\":true%'")
}

/// Whether a command that could be executed again has lost something of its input.
async fn lost_input(session: &impl Session, id: Uuid) -> Result<bool, SqlFailure> {
    let sql = format!(
        "SELECT 1 FROM \"_restwell_commands\" WHERE \"id\" = ?1 AND \"status\" IN ({}, {}) AND \"input\" LIKE {}",
        number(CommandStatus::Failed),
        number(CommandStatus::Running),
        is_erased()
    );
    Ok(row(session, &sql, &[CellRef::Uuid(id)]).await?.is_some())
}

fn greater_of<S: Session>(_: &S) -> &'static str {
    greater(S::DIALECT)
}

/// Why nothing was done with a command.
async fn refused(session: &impl Session, id: Uuid, rule: &str) -> Result<OrderFailure, SqlFailure> {
    let sql = "SELECT \"status\" FROM \"_restwell_commands\" WHERE \"id\" = ?1";
    let found = row(session, sql, &[CellRef::Uuid(id)]).await?.and_then(|row| Columns(row.into_iter()).int());
    Ok(OrderFailure::Refused(match found {
        None => format!("there is no command {id}"),
        Some(PRUNED) => format!("of the command {id} only the id is kept: {rule}"),
        Some(found) => format!("the command {id} is {}: {rule}", status(found).value()),
    }))
}

/// A row with its lease first.
fn stored(row: Vec<Cell>, plans: &Plans) -> Option<StoredCommand> {
    let mut cells = row.into_iter();
    let lease = cells.next()?.borrow().int()?;
    let row: Vec<_> = cells.collect();
    let mut columns = Columns(row.clone().into_iter());
    let (id, resource, command, entity) = (columns.uuid()?, columns.text()?, columns.text()?, columns.uuid()?);
    let (_owner, caller, _input) = (columns.uuid(), columns.text(), columns.text());
    let (created_at, updated_at, number) = (columns.int()?, columns.int()?, columns.int()?);
    let (_output, errors, fence) = (columns.text(), columns.text(), columns.int()?);
    Some(StoredCommand {
        id,
        resource,
        command,
        entity,
        caller: caller.and_then(|text| serde_json::from_str(&text).ok()),
        created_at,
        updated_at,
        status: (number != PRUNED).then(|| status(number)),
        errors,
        executions: fence % RETRY_FENCE,
        lease,
        trace: columns.uuid()?,
        record: record(row, plans),
    })
}
