//! The tables: made in a new database, brought along in an old one.

use super::connection::SqliteLocation;
use crate::migrations::{
    DatabaseState, MigrationTarget, Pending, Recorded, RecordedMigration, SEPARATOR, SchemaState, altered, behind,
    broken_rows, compare, counted, foreign, now, sql,
};
use restwell_model::Checked;
use restwell_model::migrations::{Mode, row_checks};
use restwell_model::tables::{AddedColumn, Column, Dialect, STATE_INDEX, Table, added_columns, added_indexes};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

/// Makes the tables of a new database, runs what is pending in an old one where that is wanted, or refuses it.
pub(super) fn prepare(
    connection: &Connection,
    goal: &MigrationTarget<'_>,
    location: &SqliteLocation,
) -> Result<(), String> {
    let failed = |error: rusqlite::Error| failed(location, &error);
    // other processes that start or migrate wait, and check again
    loop {
        connection.execute_batch("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE").map_err(failed)?;
        let done = step(connection, goal, location);
        let end = if done.is_ok() { "COMMIT" } else { "ROLLBACK" };
        connection.execute_batch(end).map_err(failed)?;
        connection.execute_batch("PRAGMA foreign_keys = ON").map_err(failed)?;
        match done? {
            Progress::Ready => return Ok(()),
            Progress::HasRun { is_last: true } => {
                look(connection, goal.model, &location.to_string())?;
                return extend(connection, goal.model).map_err(failed);
            }
            Progress::HasRun { is_last: false } => {}
        }
    }
}

/// What a transaction did.
enum Progress {
    /// The database is what the program wants.
    Ready,
    /// A migration has run. After the last one, what the program wants is recorded.
    HasRun { is_last: bool },
}

/// One transaction.
fn step(connection: &Connection, goal: &MigrationTarget<'_>, location: &SqliteLocation) -> Result<Progress, String> {
    let failed = |error: rusqlite::Error| failed(location, &error);
    let name = location.to_string();
    let Some(recorded) = recorded(connection, location)? else {
        return make(connection, goal).map(|()| Progress::Ready).map_err(failed);
    };
    match compare(goal, &recorded, Dialect::Sqlite, &name)? {
        SchemaState::Fits(true) => {
            look(connection, goal.model, &name)?;
            extend(connection, goal.model).map(|()| Progress::Ready).map_err(failed)
        }
        SchemaState::Fits(false) => {
            look(connection, goal.model, &name)?;
            extend(connection, goal.model).map_err(failed)?;
            record(connection, goal, recorded.runs.is_empty()).map(|()| Progress::Ready).map_err(failed)
        }
        SchemaState::Behind(pending) if goal.migrate => match pending.split_first() {
            Some((first, rest)) => {
                let is_last = rest.is_empty();
                run(connection, goal, first, is_last, &name).map(|()| Progress::HasRun { is_last })
            }
            None => Ok(Progress::Ready),
        },
        SchemaState::Behind(pending) => Err(behind(&pending, &name)),
    }
}

/// What there is, and what would be done with it.
pub(super) fn find(
    connection: &Connection,
    goal: &MigrationTarget<'_>,
    location: &SqliteLocation,
) -> Result<DatabaseState, String> {
    let Some(recorded) = recorded(connection, location)? else { return Ok(DatabaseState::Empty) };
    let name = location.to_string();
    match compare(goal, &recorded, Dialect::Sqlite, &name)? {
        SchemaState::Fits(_) => look(connection, goal.model, &name).map(|()| DatabaseState::UpToDate),
        SchemaState::Behind(pending) => Ok(DatabaseState::Behind(pending)),
    }
}

/// Whether it has the tables of a service, of this model or another one.
pub(super) fn is_made(connection: &Connection, location: &SqliteLocation) -> Result<bool, String> {
    Ok(recorded(connection, location)?.is_some())
}

fn failed(location: &SqliteLocation, error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy) => {
            format!("another process is at work in the database {location}: try again later")
        }
        _ => format!("cannot prepare the database {location}: {error}"),
    }
}

/// What the database has recorded; `None` where it is empty.
fn recorded(connection: &Connection, location: &SqliteLocation) -> Result<Option<Recorded>, String> {
    let failed = |error: rusqlite::Error| failed(location, &error);
    let value = |key: &str| connection.query_row(sql::VALUE, [key], |row| row.get(0)).optional();
    let schema: Option<String> = match has_table(connection, "_restwell").map_err(failed)? {
        true => value("schema").map_err(failed)?,
        false => None,
    };
    match schema {
        Some(schema) => {
            let (model, runs) = (value("model").map_err(failed)?, runs(connection).map_err(failed)?);
            Ok(Some(Recorded { schema, model, runs }))
        }
        None if is_empty(connection).map_err(failed)? => Ok(None),
        None => Err(foreign(&location.to_string())),
    }
}

fn runs(connection: &Connection) -> rusqlite::Result<Vec<RecordedMigration>> {
    if !has_table(connection, "_restwell_migrations")? {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare(sql::RUNS)?;
    let runs = statement.query_map([], |row| {
        Ok(RecordedMigration {
            number: row.get(0)?,
            name: row.get(1)?,
            checksum: row.get(2)?,
            steps: row.get(3)?,
            is_finished: row.get(4)?,
        })
    })?;
    runs.collect()
}

fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1)";
    connection.query_row(sql, [name], |row| row.get(0))
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_master)", [], |row| row.get(0))
}

/// Adds what the tables of an earlier version lack.
fn extend(connection: &Connection, service: &Checked) -> rusqlite::Result<()> {
    for AddedColumn { table, column, sql } in added_columns(Dialect::Sqlite) {
        let known = "SELECT EXISTS (SELECT 1 FROM pragma_table_info(?1) WHERE \"name\" = ?2)";
        if !connection.query_row(known, [table, column], |row| row.get::<_, bool>(0))? {
            connection.execute_batch(&sql)?;
        }
    }
    let indexes = added_indexes(service, Dialect::Sqlite);
    drop_state_indexes(connection, |name| indexes.iter().any(|index| index.name == name))?;
    indexes.iter().try_for_each(|index| connection.execute_batch(&index.create("IF NOT EXISTS")))
}

/// Drops the indexes on states, but for some.
fn drop_state_indexes(connection: &Connection, is_kept: impl Fn(&str) -> bool) -> rusqlite::Result<()> {
    let sql = "SELECT \"name\" FROM sqlite_master WHERE \"type\" = 'index' AND substr(\"name\", 1, ?2) = ?1";
    let mut statement = connection.prepare(sql)?;
    let names = statement.query_map(params![STATE_INDEX, counted(STATE_INDEX.len())], |row| row.get::<_, String>(0))?;
    let gone = names.filter(|name| !name.as_ref().is_ok_and(|name| is_kept(name)));
    gone.collect::<rusqlite::Result<Vec<_>>>()?
        .iter()
        .try_for_each(|name| connection.execute_batch(&format!("DROP INDEX \"{name}\"")))
}

fn make(connection: &Connection, goal: &MigrationTarget<'_>) -> rusqlite::Result<()> {
    for statement in goal.statements(Dialect::Sqlite) {
        connection.execute_batch(&statement)?;
    }
    extend(connection, goal.model)?;
    record(connection, goal, true)
}

/// Records that the database is what the program wants. `made`: it is so without having been brought there.
fn record(connection: &Connection, goal: &MigrationTarget<'_>, made: bool) -> rusqlite::Result<()> {
    sql::tables(Dialect::Sqlite).iter().try_for_each(|statement| connection.execute_batch(statement))?;
    connection.execute(sql::SET, ["schema", &goal.statements(Dialect::Sqlite).join(SEPARATOR)])?;
    connection.execute(sql::SET, ["model", &goal.model_text()])?;
    if made {
        for (index, migration) in goal.migrations.iter().enumerate() {
            connection.execute(sql::RUN, params![counted(index + 1), migration.name, None::<String>, 0, now()])?;
        }
    }
    Ok(())
}

/// Runs a migration and records it.
fn run(
    connection: &Connection,
    goal: &MigrationTarget<'_>,
    pending: &Pending,
    is_last: bool,
    database: &str,
) -> Result<(), String> {
    let told = |what: String| {
        format!("{} cannot run in the database {database}, and nothing was changed: {what}", pending.name)
    };
    tracing::info!("running {} in the database {database}", pending.name);
    // a column that an index is on cannot be dropped; they are made again after the last migration
    drop_state_indexes(connection, |_| false).map_err(|error| told(error.to_string()))?;
    for step in &pending.script.steps {
        match &step.mode {
            Mode::Check(_) => {
                let found =
                    in_the_way(connection, &step.sql).map_err(|error| told(format!("{error}: {}", step.sql)))?;
                if let Some(broken) = broken_rows(step, &found) {
                    return Err(told(broken));
                }
            }
            Mode::Together | Mode::Alone => {
                let done = connection.execute_batch(&step.sql);
                done.map_err(|error| told(format!("{error}: {}", step.sql)))?;
            }
        }
    }
    let broken = in_the_way(connection, "PRAGMA foreign_key_check").map_err(|error| told(error.to_string()))?;
    if !broken.is_empty() {
        return Err(told(format!("references would lead nowhere, as {}", broken.join(", "))));
    }
    let recorded = sql::tables(Dialect::Sqlite).iter().try_for_each(|statement| connection.execute_batch(statement));
    let steps = counted(pending.script.steps.len());
    let recorded = recorded.and_then(|()| {
        connection.execute(sql::RUN, params![pending.number, pending.name, pending.checksum, steps, now()])?;
        if is_last { record(connection, goal, false) } else { Ok(()) }
    });
    recorded.map_err(|error| told(error.to_string()))
}

/// Verifies the conditions of a model that stored rows have to keep.
///
/// # Errors
///
/// Those that rows break, with the first of these rows.
pub(super) fn verify_rows(connection: &Connection, service: &Checked) -> Result<(), String> {
    let mut broken = Vec::new();
    for step in row_checks(service, Dialect::Sqlite) {
        let found = in_the_way(connection, &step.sql).map_err(|error| format!("{error}: {}", step.sql))?;
        broken.extend(broken_rows(&step, &found));
    }
    if broken.is_empty() { Ok(()) } else { Err(broken.join("; ")) }
}

/// The first rows of a query, in words.
fn in_the_way(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(sql)?;
    let width = statement.column_count();
    let rows = statement.query_map([], |row| {
        let cells = (0..width).map(|at| row.get_ref(at).map(in_words)).collect::<Result<Vec<_>, _>>()?;
        Ok(cells.join(" "))
    })?;
    rows.take(SHOWN).collect()
}

/// Rows that are in the way of a migration and are shown.
const SHOWN: usize = 3;

fn in_words(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "null".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => uuid::Uuid::from_slice(bytes).map(|id| id.to_string()).unwrap_or_default(),
    }
}

/// Looks for every column: the tables may have been changed by hand since the model was recorded.
fn look(connection: &Connection, service: &Checked, database: &str) -> Result<(), String> {
    for table in service.resources.iter().map(|resource| Table::in_database(service, resource, Dialect::Sqlite)) {
        // with the table's name, for SQLite takes an unknown name alone in double quotes for a text
        let name = |column: &Column| format!("\"{}\".\"{}\"", table.name, column.name);
        let columns = table.columns.iter().map(name).collect::<Vec<_>>().join(", ");
        let found = connection.prepare(&format!("SELECT {columns} FROM \"{}\"", table.name));
        found.map_err(|_| altered(&table.name, database))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
