//! A migration on PostgreSQL: transactions with short locks, tried again where somebody else has them, and statements
//! that no transaction can hold.
//!
//! After each part it is recorded how far it has come, so that a migration which is broken off goes on there.
//! Statements that run alone do no harm where they run twice.

use super::schema::SchemaSession;
use crate::migrations::{MigrationTarget, Pending, broken_rows, counted, now, sql};
use crate::plan::cell::CellRef;
use restwell_model::migrations::{Mode, Step};
use restwell_model::tables::Dialect;
use std::time::Duration;
use tokio_postgres::SimpleQueryMessage;
use tokio_postgres::error::SqlState;

/// How long a transaction waits for a lock: requests that need it later wait behind the transaction.
const SHORT_LOCKS: &str = "BEGIN; SET LOCAL lock_timeout = '2s'";
/// How often it is tried.
const ATTEMPTS: u32 = 30;
/// How long it lets others do their work between two tries.
const PAUSE: Duration = Duration::from_secs(1);
/// Rows that are in the way and are shown.
const SHOWN: usize = 3;

/// Runs a migration from where it was broken off, and records it.
pub(super) async fn run(
    place: &SchemaSession,
    goal: &MigrationTarget<'_>,
    pending: &Pending,
    is_last: bool,
) -> Result<(), String> {
    tracing::info!("running {} in the database {}", pending.name, place.name);
    for statement in sql::tables(Dialect::Postgres) {
        place.connection.client.batch_execute(&statement).await.map_err(|error| in_words(&error))?;
    }
    place.define_functions(pending.script.steps.iter().map(|step| step.sql.as_str())).await?;
    let mut way = MigrationRun { place, pending, done: pending.done };
    while let Some(mode) = way.steps().first().map(|step| step.mode.clone()) {
        let is_alike = |step: &&Step| std::mem::discriminant(&step.mode) == std::mem::discriminant(&mode);
        let part = way.steps().iter().take_while(is_alike).count();
        match mode {
            Mode::Check(_) => way.check(part).await?,
            Mode::Together => way.together(part).await?,
            Mode::Alone => way.alone(part).await?,
        }
        way.done += part;
    }
    way.finish(goal, is_last).await
}

struct MigrationRun<'a> {
    place: &'a SchemaSession,
    pending: &'a Pending,
    /// Steps.
    done: usize,
}

impl<'a> MigrationRun<'a> {
    fn steps(&self) -> &'a [Step] {
        self.pending.script.steps.get(self.done..).unwrap_or_default()
    }

    fn failed(&self, what: &str) -> String {
        let is_begun = self.pending.script.steps[..self.done].iter().any(|step| !matches!(step.mode, Mode::Check(_)));
        let after = match is_begun {
            false => "nothing was changed",
            true => "what was done before stays, and the next try goes on from there",
        };
        format!("{} cannot run in the database {}: {what}; {after}", self.pending.name, self.place.name)
    }

    async fn check(&self, part: usize) -> Result<(), String> {
        for step in &self.steps()[..part] {
            let found = rows_in_words(&self.place.connection.client, &step.sql).await;
            let found = found.map_err(|error| self.failed(&error))?;
            if let Some(broken) = broken_rows(step, &found) {
                return Err(self.failed(&broken));
            }
        }
        Ok(())
    }

    /// In one transaction, with the record of it.
    async fn together(&self, part: usize) -> Result<(), String> {
        for attempt in 1.. {
            match self.attempt(part).await {
                Ok(()) => return Ok(()),
                Err(Stopped::Locked(reason)) if attempt < ATTEMPTS => {
                    tracing::info!("{} waits for others to finish: {reason}", self.pending.name);
                    tokio::time::sleep(PAUSE).await;
                }
                Err(Stopped::Locked(reason) | Stopped::Failed(reason)) => return Err(self.failed(&reason)),
            }
        }
        Ok(())
    }

    async fn attempt(&self, part: usize) -> Result<(), Stopped> {
        let client = &self.place.connection.client;
        client.batch_execute(SHORT_LOCKS).await.map_err(|error| Stopped::by(&error, "BEGIN"))?;
        let mut done = Ok(());
        for step in &self.steps()[..part] {
            done = client.batch_execute(&step.sql).await.map_err(|error| Stopped::by(&error, &step.sql));
            if done.is_err() {
                break;
            }
        }
        if done.is_ok() {
            done = self.record(self.done + part, None).await.map_err(Stopped::Failed);
        }
        if done.is_ok() {
            done = client.batch_execute("COMMIT").await.map_err(|error| Stopped::by(&error, "COMMIT"));
        }
        if done.is_err() {
            // a connection that is gone rolls back by itself
            let _ = client.batch_execute("ROLLBACK").await;
        }
        done
    }

    /// One by one. What is broken off between them begins with the first of them again.
    async fn alone(&self, part: usize) -> Result<(), String> {
        let client = &self.place.connection.client;
        // an index that is built concurrently waits for open transactions, and does not block others
        client.batch_execute("SET lock_timeout = 0").await.map_err(|error| self.failed(&in_words(&error)))?;
        for step in &self.steps()[..part] {
            let done = client.batch_execute(&step.sql).await;
            done.map_err(|error| self.failed(&format!("{}: {}", in_words(&error), step.sql)))?;
        }
        self.record(self.done + part, None).await
    }

    async fn record(&self, steps: usize, finished_at: Option<i64>) -> Result<(), String> {
        let Pending { number, name, checksum, .. } = self.pending;
        let (name, checksum) = (CellRef::Text(name.as_bytes()), CellRef::Text(checksum.as_bytes()));
        let finished_at = finished_at.map_or(CellRef::Null, CellRef::Int);
        let values = [CellRef::Int(*number), name, checksum, CellRef::Int(counted(steps)), finished_at];
        self.place.execute(sql::RUN, &values).await
    }

    async fn finish(&self, goal: &MigrationTarget<'_>, is_last: bool) -> Result<(), String> {
        let client = &self.place.connection.client;
        client.batch_execute("BEGIN").await.map_err(|error| self.failed(&in_words(&error)))?;
        self.record(self.done, Some(now())).await?;
        if is_last {
            self.place.record(goal, false).await?;
        }
        client.batch_execute("COMMIT").await.map_err(|error| self.failed(&in_words(&error)))
    }
}

/// Why a transaction did not come to its end.
enum Stopped {
    /// Another transaction has a lock that it needs.
    Locked(String),
    Failed(String),
}

impl Stopped {
    fn by(error: &tokio_postgres::Error, sql: &str) -> Self {
        let reason = format!("{}: {sql}", in_words(error));
        let locked =
            [SqlState::LOCK_NOT_AVAILABLE, SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE];
        match error.code() {
            Some(code) if locked.contains(code) => Self::Locked(reason),
            _ => Self::Failed(reason),
        }
    }
}

/// The first rows of a query, in words.
pub(super) async fn rows_in_words(client: &tokio_postgres::Client, sql: &str) -> Result<Vec<String>, String> {
    let found = client.simple_query(sql).await.map_err(|error| format!("{}: {sql}", in_words(&error)))?;
    Ok(found.iter().filter_map(row).take(SHOWN).collect())
}

/// A row's values.
fn row(message: &SimpleQueryMessage) -> Option<String> {
    let SimpleQueryMessage::Row(row) = message else { return None };
    Some((0..row.len()).map(|at| row.get(at).unwrap_or("null")).collect::<Vec<_>>().join(" "))
}

/// What the database says, with what it knows beyond the message.
pub(super) fn in_words(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => match error.detail() {
            Some(detail) => format!("{} ({detail})", error.message()),
            None => error.message().to_owned(),
        },
        None => error.to_string(),
    }
}
