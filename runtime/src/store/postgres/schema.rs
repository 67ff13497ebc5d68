//! The tables: made in an empty database, brought along in another.

use super::connection::Connection;
use super::location::PostgresLocation;
use super::migrate;
use super::migrate::in_words;
use super::single_statements::SingleStatements;
use crate::migrations::{
    DatabaseState, MigrationTarget, OwnedTarget, Recorded, RecordedMigration, SEPARATOR, SchemaState, altered, behind,
    compare, counted, foreign, now, sql,
};
use crate::plan::cell::{Cell, CellRef};
use crate::store::StoreError;
use crate::store::sql::{Session, SqlFailure};
use futures_util::future::try_join_all;
use restwell_model::Checked;
use restwell_model::case_folding::{FOLD_CASE, folds_case, is_called_by_queries, postgres_function};
use restwell_model::tables::{
    AddedColumn, AddedIndex, Column, Dialect, STATE_INDEX, Table, added_columns, added_indexes,
};
use std::collections::HashMap;
use std::fmt::Display;
use std::time::Duration;

/// Instances that start together make and change the tables one after the other. Those that wait ask again and again: a
/// statement that waited would be one that an index which is built concurrently waits for.
const LOCK: &str = "SELECT pg_try_advisory_lock(hashtextextended('restwell ' || current_schema(), 0))";
/// The same, until the transaction ends: sessions may be others' behind a pooler.
const BRIEF_LOCK: &str = "SELECT pg_try_advisory_xact_lock(hashtextextended('restwell ' || current_schema(), 0))";
/// How long they wait before they ask again.
const PAUSE: Duration = Duration::from_millis(200);
/// The indexes that are there, and whether each is whole.
const INDEXES: &str = "SELECT CAST(c.relname AS text), i.indisvalid FROM pg_catalog.pg_index i \
                       JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid \
                       JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema()";
/// The columns of the tables that every service has.
const COLUMNS: &str = "SELECT CAST(c.relname AS text), CAST(a.attname AS text) FROM pg_catalog.pg_attribute a \
                       JOIN pg_catalog.pg_class c ON c.oid = a.attrelid \
                       JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
                       WHERE n.nspname = current_schema() AND starts_with(CAST(c.relname AS text), '_restwell') \
                       AND a.attnum > 0 AND NOT a.attisdropped";
/// What is done here may take long.
const PATIENT: &str = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";

/// A database, and what it is called in sentences.
pub(super) struct SchemaSession {
    pub(super) connection: Connection,
    pub(super) name: String,
}

/// Makes the tables of an empty database, runs what is pending in another where that is wanted, or refuses it.
pub(super) async fn prepare(location: PostgresLocation, wish: OwnedTarget) -> Result<(), String> {
    let (place, goal) = (SchemaSession::open(&location).await?, wish.goal());
    let mut recorded = place.recorded_at_once().await?;
    if recorded.is_none() {
        place.make(&goal).await?;
        recorded = place.recorded_at_once().await?;
    }
    if let Some(recorded) = recorded
        && let SchemaState::Fits(true) = compare(&goal, &recorded, Dialect::Postgres, &place.name)?
    {
        place.look(goal.model).await?;
        return place.extend(goal.model).await;
    }
    place.lock().await?;
    // another instance, which had the lock before, may have done it
    while !place.step(&goal).await? {}
    place.extend(goal.model).await
}

/// What there is, and what would be done with it.
pub(super) async fn find(location: &PostgresLocation, wish: &OwnedTarget) -> Result<DatabaseState, String> {
    let (place, goal) = (SchemaSession::open(location).await?, wish.goal());
    let Some(recorded) = place.recorded_at_once().await? else { return Ok(DatabaseState::Empty) };
    match compare(&goal, &recorded, Dialect::Postgres, &place.name)? {
        SchemaState::Fits(_) => place.look(goal.model).await.map(|()| DatabaseState::UpToDate),
        SchemaState::Behind(pending) => Ok(DatabaseState::Behind(pending)),
    }
}

impl SchemaSession {
    async fn open(location: &PostgresLocation) -> Result<Self, String> {
        let opened = Connection::open(location, |_| {}).await;
        let connection = opened.map_err(|error| format!("cannot open the database {location}: {error}"))?;
        Ok(Self { connection, name: location.to_string() })
    }

    fn failed(&self, reason: impl Display) -> String {
        format!("cannot prepare the database {}: {reason}", self.name)
    }

    async fn run(&self, sql: &str) -> Result<(), String> {
        self.connection.client.batch_execute(sql).await.map_err(|error| self.failed(in_words(&error)))
    }

    async fn rows(&self, sql: &str, values: &[CellRef<'_>]) -> Result<Vec<Vec<Cell>>, String> {
        let rows = SingleStatements::on(&self.connection).rows(sql, values).await;
        rows.map_err(|failure: SqlFailure| self.failed(StoreError::from(failure)))
    }

    pub(super) async fn execute(&self, sql: &str, values: &[CellRef<'_>]) -> Result<(), String> {
        let done = SingleStatements::on(&self.connection).execute(sql, values).await;
        done.map(drop).map_err(|failure| self.failed(StoreError::from(failure)))
    }

    /// Makes the tables of a database that is still empty once this has the lock.
    async fn make(&self, goal: &MigrationTarget<'_>) -> Result<(), String> {
        let mut is_told = false;
        self.run("BEGIN").await?;
        while !self.has(BRIEF_LOCK).await? {
            self.run("ROLLBACK").await?;
            self.wait(&mut is_told).await;
            self.run("BEGIN").await?;
        }
        if self.recorded().await?.is_none() {
            let statements = goal.statements(Dialect::Postgres);
            self.define_functions(statements.iter().map(String::as_str)).await?;
            for statement in statements {
                self.run(&statement).await?;
            }
            for AddedColumn { sql, .. } in added_columns(Dialect::Postgres) {
                self.run(&sql).await?;
            }
            for index in added_indexes(goal.model, Dialect::Postgres) {
                self.run(&index.create("")).await?;
            }
            self.record(goal, true).await?;
        }
        self.run("COMMIT").await
    }

    /// Makes the functions that statements call, where they are not there. They are not recorded with the tables: their
    /// texts follow the version of Unicode, and one that indexes are on stays as it is.
    pub(super) async fn define_functions(&self, mut statements: impl Iterator<Item = &str>) -> Result<(), String> {
        match statements.any(folds_case) && !self.folds_case().await? {
            true => self.run(postgres_function()).await,
            false => Ok(()),
        }
    }

    /// Whether the function is there that folds the case of texts.
    async fn folds_case(&self) -> Result<bool, String> {
        let known = "SELECT 1 FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace \
                     WHERE n.nspname = current_schema() AND p.proname = CAST(CAST(?1 AS text) AS name)";
        Ok(!self.rows(known, &[CellRef::Text(FOLD_CASE.as_bytes())]).await?.is_empty())
    }

    /// Adds what the tables of an earlier version lack. Where nothing is missing, nothing is locked.
    async fn extend(&self, service: &Checked) -> Result<(), String> {
        let known = self.rows(COLUMNS, &[]).await?;
        for AddedColumn { table, column, sql } in added_columns(Dialect::Postgres) {
            if !known.contains(&[table, column].map(|name| Cell::Text(name.to_owned())).to_vec()) {
                // another instance may be about to add it, too
                self.run(&sql.replace("ADD COLUMN", "ADD COLUMN IF NOT EXISTS")).await?;
            }
        }
        // conditions and filters call it, too, and those can change without a migration
        if is_called_by_queries(service) && !self.folds_case().await? {
            self.lock().await?;
            if !self.folds_case().await? {
                self.run(postgres_function()).await?;
            }
        }
        let indexes = added_indexes(service, Dialect::Postgres);
        if !self.index_changes(&indexes).await?.is_empty() {
            self.lock().await?;
            // another instance, which had the lock before, may have made them
            for statement in self.index_changes(&indexes).await? {
                self.run(&statement).await?;
            }
        }
        Ok(())
    }

    /// What makes the indexes that are missing while others go on writing. What a process that was killed has left half
    /// made is dropped before, as are those on states that are not wanted any more.
    async fn index_changes(&self, wanted: &[AddedIndex]) -> Result<Vec<String>, String> {
        let mut found = HashMap::new();
        for row in self.rows(INDEXES, &[]).await? {
            if let [Cell::Text(name), whole] = row.as_slice() {
                found.insert(name.clone(), *whole == Cell::Int(1));
            }
        }
        let is_wanted = |name: &str| wanted.iter().any(|index| index.name == name);
        let is_old = |(name, whole): &(&String, &bool)| match is_wanted(name) {
            true => !**whole,
            false => name.starts_with(STATE_INDEX),
        };
        let old = found.iter().filter(is_old).map(|(name, _)| format!("DROP INDEX CONCURRENTLY IF EXISTS \"{name}\""));
        let missing = wanted.iter().filter(|index| found.get(&index.name) != Some(&true));
        Ok(old.chain(missing.map(|index| index.create("CONCURRENTLY IF NOT EXISTS"))).collect())
    }

    /// Takes the lock for changes of the schema.
    async fn lock(&self) -> Result<(), String> {
        self.run(PATIENT).await?;
        let mut is_told = false;
        while !self.has(LOCK).await? {
            self.wait(&mut is_told).await;
        }
        Ok(())
    }

    /// Whether a lock was free.
    async fn has(&self, lock: &str) -> Result<bool, String> {
        Ok(self.rows(lock, &[]).await?.first().and_then(|row| row.first()) == Some(&Cell::Int(1)))
    }

    async fn wait(&self, is_told: &mut bool) {
        if !std::mem::replace(is_told, true) {
            tracing::info!("another instance is at work on the tables of the database {}: waiting for it", self.name);
        }
        tokio::time::sleep(PAUSE).await;
    }

    /// One thing that is to be done; whether it was the last.
    async fn step(&self, goal: &MigrationTarget<'_>) -> Result<bool, String> {
        let Some(recorded) = self.recorded().await? else { return Err(foreign(&self.name)) };
        match compare(goal, &recorded, Dialect::Postgres, &self.name)? {
            SchemaState::Fits(true) => self.look(goal.model).await.map(|()| true),
            SchemaState::Fits(false) => {
                self.look(goal.model).await?;
                self.run("BEGIN").await?;
                self.record(goal, recorded.runs.is_empty()).await?;
                self.run("COMMIT").await.map(|()| true)
            }
            SchemaState::Behind(pending) if goal.migrate => match pending.split_first() {
                Some((first, rest)) => migrate::run(self, goal, first, rest.is_empty()).await.map(|()| false),
                None => Ok(true),
            },
            SchemaState::Behind(pending) => Err(behind(&pending, &self.name)),
        }
    }

    /// Records that the database is what the program wants. `made`: it is so without having been brought there.
    pub(super) async fn record(&self, goal: &MigrationTarget<'_>, made: bool) -> Result<(), String> {
        for statement in sql::tables(Dialect::Postgres) {
            self.run(&statement).await?;
        }
        let schema = goal.statements(Dialect::Postgres).join(SEPARATOR);
        for (key, value) in [("schema", schema), ("model", goal.model_text())] {
            self.execute(sql::SET, &[CellRef::Text(key.as_bytes()), CellRef::Text(value.as_bytes())]).await?;
        }
        for (index, migration) in goal.migrations.iter().enumerate().filter(|_| made) {
            let (number, name) = (CellRef::Int(counted(index + 1)), CellRef::Text(migration.name.as_bytes()));
            self.execute(sql::RUN, &[number, name, CellRef::Null, CellRef::Int(0), CellRef::Int(now())]).await?;
        }
        Ok(())
    }

    /// [`recorded`](Self::recorded), all of one moment: another instance may be migrating.
    async fn recorded_at_once(&self) -> Result<Option<Recorded>, String> {
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        let recorded = self.recorded().await;
        self.run("COMMIT").await?;
        recorded
    }

    /// What the database has recorded; `None` where it is empty.
    async fn recorded(&self) -> Result<Option<Recorded>, String> {
        let tables = "SELECT c.relname::text FROM pg_catalog.pg_class c \
                      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
                      WHERE n.nspname = current_schema() AND c.relkind = 'r'";
        let tables: Vec<_> =
            self.rows(tables, &[]).await?.into_iter().filter_map(|row| text(row.into_iter().next())).collect();
        let has = |name: &str| tables.iter().any(|table| table == name);
        if tables.is_empty() {
            return Ok(None);
        }
        let Some(schema) = (if has("_restwell") { self.value("schema").await? } else { None }) else {
            return Err(foreign(&self.name));
        };
        let runs = match has("_restwell_migrations") {
            true => self.rows(sql::RUNS, &[]).await?.into_iter().filter_map(run_of).collect(),
            false => Vec::new(),
        };
        Ok(Some(Recorded { schema, model: self.value("model").await?, runs }))
    }

    async fn value(&self, key: &str) -> Result<Option<String>, String> {
        let rows = self.rows(sql::VALUE, &[CellRef::Text(key.as_bytes())]).await?;
        Ok(rows.into_iter().next().and_then(|row| text(row.into_iter().next())))
    }

    /// Looks for every column: the tables may have been changed by hand since the model was recorded.
    async fn look(&self, service: &Checked) -> Result<(), String> {
        // sent without waiting for answers
        let looks = service
            .resources
            .iter()
            .map(|resource| self.look_at(Table::in_database(service, resource, Dialect::Postgres)));
        try_join_all(looks).await.map(drop)
    }

    async fn look_at(&self, table: Table) -> Result<(), String> {
        let name = |column: &Column| format!("\"{}\"", column.name);
        let columns = table.columns.iter().map(name).collect::<Vec<_>>().join(", ");
        let found = self.connection.client.prepare(&format!("SELECT {columns} FROM \"{}\"", table.name)).await;
        match found {
            Err(error) if error.code().is_some() => Err(altered(&table.name, &self.name)),
            found => found.map(drop).map_err(|error| self.failed(error)),
        }
    }
}

fn text(cell: Option<Cell>) -> Option<String> {
    match cell {
        Some(Cell::Text(text)) => Some(text),
        _ => None,
    }
}

fn run_of(row: Vec<Cell>) -> Option<RecordedMigration> {
    let (number, steps, finished) = (int(row.first())?, int(row.get(3))?, int(row.get(4))?);
    let mut texts = row.into_iter().skip(1).take(2);
    let (name, checksum) = (text(texts.next())?, text(texts.next()));
    Some(RecordedMigration { number, name, checksum, steps, is_finished: finished == 1 })
}

fn int(cell: Option<&Cell>) -> Option<i64> {
    match cell {
        Some(Cell::Int(number)) => Some(*number),
        _ => None,
    }
}

/// Whether a server takes writes, as far as it says so itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerMode {
    /// It takes them.
    Writing,
    /// It is set to read only.
    ReadOnly,
    /// It only follows another one.
    Standby,
}

/// Whether the server of a session takes writes, as far as it says so.
pub(super) async fn mode(session: &impl Session) -> Result<ServerMode, SqlFailure> {
    let asked = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'";
    let rows = session.rows(asked, &[]).await?;
    Ok(match rows.first().map(Vec::as_slice) {
        Some([Cell::Int(1), _]) => ServerMode::Standby,
        Some([_, Cell::Int(1)]) => ServerMode::ReadOnly,
        _ => ServerMode::Writing,
    })
}
