//! Connections: made, kept with what they have prepared, and how their errors are read.

use super::location::PostgresLocation;
use super::merging::MergedReads;
use super::row_batch;
use crate::plan::cell::{Cell, CellRef};
use crate::store::StoreError;
use crate::store::sql::SqlFailure;
use foldhash::fast::RandomState;
use futures_util::{StreamExt, TryStreamExt};
use std::collections::HashMap;
use std::ops::Deref;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, NoTls, RowStream, Statement};
use uuid::Uuid;

/// Prepared statements that a connection keeps. Beyond it, all are dropped.
const MAX_STATEMENTS: usize = 512;
/// Length of the longest statement that is kept prepared; longer ones are prepared for one use. So the memory of a
/// connection is bounded, whatever clients search for.
const MAX_STATEMENT_BYTES: usize = 16 * 1024;
/// How long the server may take to authenticate after the connection is made.
const GREETING: Duration = Duration::from_secs(10);
/// How long an abandoned query may run before it is cancelled, and how long the cancellation may take.
const LEFT_ALONE: Duration = Duration::from_millis(100);

type StatementCache = HashMap<String, Statement, RandomState>;

/// A connection, and its prepared statements. Several tasks may use it at a time: statements are sent without waiting
/// for the answers to those before, and are answered in order.
pub(super) struct Connection {
    pub(super) client: Client,
    /// By their texts, which are long.
    statements: Mutex<StatementCache>,
    /// How often its prepared statements turned out to be outdated.
    renewals: AtomicUsize,
    /// The reads of single entities that wait for each other.
    pub(super) merged: MergedReads,
    /// The server has announced that it ends the session, or takes no writes.
    is_lost: AtomicBool,
    location: PostgresLocation,
    /// Moves its bytes.
    runtime: Handle,
}

impl Connection {
    /// Connects. The bytes are moved by the runtime in which this is called. Notifications and notices of the server go
    /// to `told`.
    pub(super) async fn open(
        location: &PostgresLocation,
        told: impl FnMut(AsyncMessage) + Send + 'static,
    ) -> Result<Self, StoreError> {
        let silent = |_| StoreError::Unavailable("the server says nothing".to_owned());
        Ok(Self {
            client: timeout(GREETING, connect(location, told)).await.map_err(silent)??,
            statements: Mutex::default(),
            renewals: AtomicUsize::new(0),
            merged: MergedReads::default(),
            is_lost: AtomicBool::new(false),
            location: location.clone(),
            runtime: Handle::current(),
        })
    }

    /// Whether it cannot be used any more.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed() || self.is_lost.load(Ordering::Relaxed)
    }

    /// Has it replaced by another before it is used again.
    pub(super) fn retire(&self) {
        self.is_lost.store(true, Ordering::Relaxed);
    }

    /// A statement, prepared when it is first used. It is written with `?`, as in SQLite.
    pub(super) async fn statement(&self, sql: &str) -> Result<Statement, tokio_postgres::Error> {
        if let Some(statement) = self.prepared(sql) {
            return Ok(statement);
        }
        // boxed, because every future that may have to prepare would be larger by it
        let statement = Box::pin(self.client.prepare(&numbered(sql))).await?;
        if sql.len() > MAX_STATEMENT_BYTES {
            return Ok(statement);
        }
        let mut statements = self.statements();
        if statements.len() >= MAX_STATEMENTS {
            statements.clear();
        }
        statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// A statement that has been prepared.
    pub(super) fn prepared(&self, sql: &str) -> Option<Statement> {
        self.statements().get(sql).cloned()
    }

    /// Learns from an error that the connection is lost, or that prepared statements are outdated because the tables
    /// have changed. Returns what can be done about the error.
    pub(super) fn learn(&self, error: &tokio_postgres::Error) -> Remedy {
        let remedy = remedy(error);
        // after a failover, another server takes the writes
        if remedy == Remedy::Elsewhere || error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION) {
            self.retire();
        }
        if matches!(error.code(), Some(&SqlState::FEATURE_NOT_SUPPORTED | &SqlState::INVALID_SQL_STATEMENT_NAME)) {
            self.statements().clear();
            self.renewals.fetch_add(1, Ordering::Relaxed);
        }
        remedy
    }

    /// How often its prepared statements turned out to be outdated.
    pub(super) fn renewals(&self) -> usize {
        self.renewals.load(Ordering::Relaxed)
    }

    /// Keeps the connection out of the pool until an abandoned query has finished. A query that takes long is
    /// cancelled.
    pub(super) fn settle(holder: Arc<impl Deref<Target = Self> + Send + Sync + 'static>) {
        let runtime = holder.runtime.clone();
        runtime.spawn(async move {
            // answered after all statements that were sent before
            let mut end = pin!(holder.client.batch_execute(""));
            if timeout(LEFT_ALONE, end.as_mut()).await.is_err() {
                let broken_off = timeout(LEFT_ALONE, holder.break_off()).await;
                let is_idle = async { timeout(LEFT_ALONE, end).await.is_ok() && holder.leave_transaction().await };
                if broken_off.is_err() || !is_idle.await {
                    holder.retire();
                }
            }
        });
    }

    /// Makes sure that no transaction is open: the cancellation may have hit the ROLLBACK after the abandoned query.
    async fn leave_transaction(&self) -> bool {
        // in a failed transaction the server refuses everything but its end; a ROLLBACK outside of a transaction would
        // log a warning
        let probe = timeout(LEFT_ALONE, self.client.batch_execute("SELECT 1")).await;
        match probe {
            Ok(Ok(())) => true,
            Ok(Err(_)) => matches!(timeout(LEFT_ALONE, self.client.batch_execute("ROLLBACK")).await, Ok(Ok(()))),
            Err(_) => false,
        }
    }

    /// Cancels the statement that the server executes.
    async fn break_off(&self) {
        let token = self.client.cancel_token();
        // whether this worked shows in whether the statement ends
        let _ = match self.location.tls() {
            Ok(Some(tls)) => token.cancel_query(tls).await,
            _ => token.cancel_query(NoTls).await,
        };
    }

    fn statements(&self) -> std::sync::MutexGuard<'_, StatementCache> {
        self.statements.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rows that a statement gives.
    pub(super) async fn rows(
        &self,
        statement: &Statement,
        values: &[CellRef<'_>],
    ) -> Result<Vec<Vec<Cell>>, tokio_postgres::Error> {
        all(self.client.query_raw(statement, values.iter()).await?).await
    }

    /// The rows that a statement gives for a list of ids.
    pub(super) async fn rows_by_ids(
        &self,
        statement: &Statement,
        ids: &[Uuid],
    ) -> Result<Vec<Vec<Cell>>, tokio_postgres::Error> {
        all(self.client.query_raw(statement, [ids]).await?).await
    }

    /// Writes rows, by a statement with an array for each column; how many.
    pub(super) async fn write_rows(
        &self,
        statement: &Statement,
        rows: &[&[Cell]],
    ) -> Result<u64, tokio_postgres::Error> {
        self.client.execute_raw(statement, row_batch::columns(rows)).await
    }

    /// The same, by a statement with one more value.
    pub(super) async fn write_rows_and(
        &self,
        statement: &Statement,
        rows: &[&[Cell]],
        value: CellRef<'_>,
    ) -> Result<u64, tokio_postgres::Error> {
        let columns = row_batch::columns(rows);
        let mut values: Vec<&(dyn ToSql + Sync)> = columns.iter().map(|column| column as _).collect();
        values.push(&value);
        self.client.execute(statement, &values).await
    }

    /// Writes rows in the same way; what the statement gives of those that it wrote.
    pub(super) async fn try_rows(
        &self,
        statement: &Statement,
        rows: &[&[Cell]],
    ) -> Result<Vec<Vec<Cell>>, tokio_postgres::Error> {
        all(self.client.query_raw(statement, row_batch::columns(rows)).await?).await
    }

    /// An error of a single statement.
    pub(super) fn failed(&self, error: &tokio_postgres::Error) -> SqlFailure {
        self.learn(error);
        failure_of(error)
    }

    /// Gives each row of a statement to `take` as it comes, until that fails. The server sends no more than fits the
    /// socket while nobody reads, so memory holds a few rows at a time.
    pub(super) async fn each_row<E>(
        &self,
        statement: &Statement,
        values: &[CellRef<'_>],
        take: &mut (impl FnMut(&[CellRef<'_>]) -> Result<(), E> + Send),
    ) -> Result<Result<(), E>, tokio_postgres::Error> {
        let rows = self.client.query_raw(statement, values.iter()).await?;
        let mut rows = pin!(rows);
        while let Some(row) = rows.try_next().await? {
            let cells = (0..row.len()).map(|column| row.try_get(column)).collect::<Result<Vec<_>, _>>()?;
            if let Err(error) = take(&cells) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Does a statement; how many rows it touched.
    pub(super) async fn execute(
        &self,
        statement: &Statement,
        values: &[CellRef<'_>],
    ) -> Result<u64, tokio_postgres::Error> {
        self.client.execute_raw(statement, values.iter()).await
    }
}

/// All rows.
async fn all(rows: RowStream) -> Result<Vec<Vec<Cell>>, tokio_postgres::Error> {
    let mut rows = pin!(rows);
    let mut found = Vec::new();
    while let Some(row) = rows.try_next().await? {
        found.push((0..row.len()).map(|column| row.try_get(column)).collect::<Result<_, _>>()?);
    }
    Ok(found)
}

async fn connect(
    location: &PostgresLocation,
    told: impl FnMut(AsyncMessage) + Send + 'static,
) -> Result<Client, StoreError> {
    let config = location.config();
    match location.tls().map_err(StoreError::Unavailable)? {
        None => {
            let (client, connection) = config.connect(NoTls).await.map_err(|error| error_of(&error))?;
            tokio::spawn(drive(connection, told));
            Ok(client)
        }
        Some(tls) => {
            let (client, connection) = config.connect(tls).await.map_err(|error| error_of(&error))?;
            tokio::spawn(drive(connection, told));
            Ok(client)
        }
    }
}

/// Moves the bytes until the connection ends.
async fn drive<S, T>(mut connection: tokio_postgres::Connection<S, T>, mut told: impl FnMut(AsyncMessage) + Send)
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send,
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send,
{
    let mut messages = pin!(futures_util::stream::poll_fn(move |context| connection.poll_message(context)));
    while let Some(message) = messages.next().await {
        match message {
            Ok(message) => told(message),
            // those who wait for an answer get this error as well
            Err(error) => {
                tracing::debug!(%error, "a connection to PostgreSQL ended");
                return;
            }
        }
    }
}

/// SQL with `$1` for `?1`, and for each `?` in turn. No text in it holds a `?`: values are bound, and names have none.
fn numbered(sql: &str) -> String {
    let mut parts = sql.split('?');
    let mut numbered = parts.next().unwrap_or_default().to_owned();
    for (index, part) in parts.enumerate() {
        numbered.push('$');
        if !part.starts_with(|first: char| first.is_ascii_digit()) {
            numbered.push_str(&(index + 1).to_string());
        }
        numbered.push_str(part);
    }
    numbered
}

/// What is to be done about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Repeat the transaction: it conflicted with another, or the tables have changed since its statements were
    /// prepared.
    Again,
    /// Repeat it on another connection: this one is lost.
    Elsewhere,
    /// Nothing.
    None,
}

/// What is to be done about an error.
fn remedy(error: &tokio_postgres::Error) -> Remedy {
    // whatever the reason, the session is over: it may have idled for too long
    let is_over = |error: &DbError| matches!(error.parsed_severity(), Some(Severity::Fatal | Severity::Panic));
    match error.code() {
        Some(_) if error.as_db_error().is_some_and(is_over) => Remedy::Elsewhere,
        Some(
            &SqlState::T_R_SERIALIZATION_FAILURE
            | &SqlState::T_R_DEADLOCK_DETECTED
            // reported only if the value has no holder any more when it is looked up
            | &SqlState::UNIQUE_VIOLATION
            // what was prepared before the tables changed
            | &SqlState::FEATURE_NOT_SUPPORTED
            | &SqlState::INVALID_SQL_STATEMENT_NAME,
        ) => Remedy::Again,
        Some(&SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN) => Remedy::Elsewhere,
        Some(_) => Remedy::None,
        None if error.is_closed() || is_cut(error) => Remedy::Elsewhere,
        None => Remedy::None,
    }
}

/// Whether the connection broke during a statement.
fn is_cut(error: &tokio_postgres::Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        if cause.is::<std::io::Error>() {
            return true;
        }
        source = cause.source();
    }
    false
}

/// An error as the store reports it.
pub(super) fn error_of(error: &tokio_postgres::Error) -> StoreError {
    let text = match error.as_db_error() {
        // its details may hold values
        Some(error) => format!("{} ({})", error.message(), error.code().code()),
        None => match std::error::Error::source(error) {
            Some(cause) => format!("{error}: {cause}"),
            None => error.to_string(),
        },
    };
    let is_away = match error.code() {
        // connection exceptions, insufficient resources, operator intervention, system errors; locks that took too long
        Some(code) => {
            ["08", "53", "57", "58"].iter().any(|class| code.code().starts_with(class))
                || [
                    SqlState::LOCK_NOT_AVAILABLE,
                    SqlState::READ_ONLY_SQL_TRANSACTION,
                    SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                    SqlState::T_R_SERIALIZATION_FAILURE,
                    SqlState::T_R_DEADLOCK_DETECTED,
                ]
                .contains(code)
        }
        None => remedy(error) == Remedy::Elsewhere || is_about_connecting(error),
    };
    if is_away { StoreError::Unavailable(text) } else { StoreError::Internal(text) }
}

/// Whether there is no connection yet: the server is unreachable, or refuses it.
fn is_about_connecting(error: &tokio_postgres::Error) -> bool {
    error.to_string().starts_with("error connecting") || error.to_string().starts_with("timeout")
}

/// An error of a statement.
pub(super) fn failure_of(error: &tokio_postgres::Error) -> SqlFailure {
    match error.code() {
        Some(&SqlState::IN_FAILED_SQL_TRANSACTION) => SqlFailure::Aborted,
        // the class of integrity constraint violations, and what is too long for an index
        Some(code) if code.code().starts_with("23") || *code == SqlState::PROGRAM_LIMIT_EXCEEDED => {
            SqlFailure::Constraint(code.code().to_owned())
        }
        _ => SqlFailure::Store(error_of(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_numbered() {
        assert_eq!(numbered("a = ? AND b IN (?,?) LIMIT ?"), "a = $1 AND b IN ($2,$3) LIMIT $4");
        assert_eq!(numbered("VALUES (?1, ?2, ?2, ?12)"), "VALUES ($1, $2, $2, $12)");
        assert_eq!(numbered("SELECT 1"), "SELECT 1");
    }
}
