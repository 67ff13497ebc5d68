//! A transaction on a connection of its own.

use super::connection::{Connection, Remedy, error_of, failure_of};
use super::health::takes_no_writes;
use super::locks::{Locks, RowLockStatement};
use super::pipeline::{Sent, in_order};
use super::pool::Pooled;
use super::read;
use super::transaction_kind::TransactionKind;
use super::written_events::{self, Announced};
use crate::fair_queue::Turn;
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::query::Query;
use crate::plan::statements::{RowStatement, RowStatements};
use crate::plan::viewer::{Sight, Viewer};
use crate::store::sql::{Session, SqlFailure};
use crate::store::{CONDITION, Entity, READ_TIMEOUT, Refusal, RepresentationId, StoreError};
use futures_util::FutureExt;
use futures_util::future::join;
use restwell_model::tables::Dialect;
use std::collections::BTreeMap;
use std::iter;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Mutex as AsyncMutex;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Error, Statement};
use uuid::Uuid;

/// A connection for one transaction, and the place of a read, which is released after the connection.
pub(super) struct ReservedConnection {
    connection: Pooled,
    /// After the connection, so that it is dropped after it.
    _place: Option<Arc<Turn>>,
}

impl ReservedConnection {
    pub(super) fn new(connection: Pooled, place: Option<Arc<Turn>>) -> Self {
        Self { connection, _place: place }
    }
}

impl Deref for ReservedConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// A transaction. It begins with its first statement, and is rolled back unless it is committed.
pub(super) struct PostgresTransaction {
    connection: Arc<ReservedConnection>,
    kind: TransactionKind,
    /// What is locked at its beginning.
    locks: Arc<Locks>,
    /// Whether it has several steps. Then a statement that a constraint refuses is undone alone, so that the others can
    /// be checked; otherwise the whole transaction is rolled back.
    has_steps: bool,
    /// Steps are done one after the other, so that the savepoint is that of the step which failed.
    step: AsyncMutex<()>,
    state: Mutex<TransactionState>,
}

#[derive(Default)]
struct TransactionState {
    has_begun: bool,
    /// A statement was sent whose answer nobody waits for any more.
    was_left: bool,
    /// The rows that are written before the next statement, by their turns and statements.
    pending: BTreeMap<(usize, Arc<str>), PendingRows>,
    /// Whether the server refused some of these.
    refused_pending: bool,
    /// The events, which are written with the commit.
    events: Vec<Vec<Cell>>,
    /// What can be done about its error.
    remedy: Option<Remedy>,
    /// The error, where the server takes no other writes either.
    outage: Option<StoreError>,
}

/// Rows that one statement is about to write.
struct PendingRows {
    statement: Statement,
    rows: Vec<Vec<Cell>>,
}

impl PostgresTransaction {
    pub(super) fn new(
        connection: ReservedConnection,
        kind: TransactionKind,
        locks: Arc<Locks>,
        has_steps: bool,
    ) -> Self {
        let (connection, step, state) = (Arc::new(connection), AsyncMutex::default(), Mutex::default());
        Self { connection, kind, locks, has_steps, step, state }
    }

    /// Takes the locks on rows that come first. If there are any, this begins the transaction.
    ///
    /// # Errors
    ///
    /// A row that guards others is gone: `Conflict`.
    pub(super) async fn lock(&self) -> Result<(), Refusal> {
        let mut rows = Vec::new();
        for RowLockStatement { sql, id, must_exist } in self.locks.rows() {
            rows.push((self.statement(&sql).await?, [CellRef::Uuid(id)], must_exist));
        }
        if rows.is_empty() {
            return Ok(());
        }
        let locks = rows.iter().map(|(statement, id, _)| self.connection.execute(statement, id).boxed()).collect();
        let counts = self.led(in_order(locks).boxed()).await?;
        let mut locked = rows.iter().zip(&counts);
        match locked.any(|((_, _, must_exist), count)| *must_exist && *count == 0) {
            true => Err(Refusal::Conflict),
            false => Ok(()),
        }
    }

    /// What can be done about its error.
    pub(super) fn remedy(&self) -> Remedy {
        self.with(|state| state.remedy).unwrap_or(Remedy::None)
    }

    /// Its error, where the server takes no other writes either.
    pub(super) fn outage(&self) -> Option<StoreError> {
        self.with(|state| state.outage.clone())
    }

    /// Commits it. If the connection breaks meanwhile, it is unknown whether it is durable, and it is not repeated.
    /// `no_drafts_until`: see [`written_events::write`].
    pub(super) async fn commit(&self, no_drafts_until: i64) -> Result<Announced, SqlFailure> {
        let written = self.with(|state| std::mem::take(&mut state.events));
        let statements = match written.is_empty() {
            true => None,
            false => Some(
                self.answered(written_events::writing(&self.connection)).await.map_err(|error| self.failed(&error))?,
            ),
        };
        let SentBefore { mut sent, has_rows } = self.lead();
        if let Some(statements) = &statements {
            sent.extend(written_events::write(&self.connection, statements, &written, no_drafts_until));
        }
        let (led, committed) = self.answered(join(in_order(sent), self.say("COMMIT"))).await;
        self.with(|state| state.has_begun = false);
        let (error, has_tried) = match (led, committed) {
            (Ok(counts), Ok(_)) => return Ok(announced(statements.is_some(), &counts)),
            (Err(error), _) => (error, false),
            (Ok(_), Err(error)) => (error, true),
        };
        let remedy = self.learn(&error);
        // where the server says that a statement failed, even by ending the session, nothing is committed; of a commit
        // whose connection broke nobody knows
        let is_undone = error.as_db_error().is_some() && !(has_tried && self.connection.is_closed());
        self.with(|state| {
            state.remedy = is_undone.then_some(remedy);
            state.refused_pending |= is_undone && has_rows;
        });
        Err(failure_of(&error))
    }

    /// Rolls it back.
    pub(super) fn roll_back(&self) {
        if self.with(|state| std::mem::take(&mut state.has_begun)) {
            // sent before the next statements on the connection, where an error would show
            let _ = self.connection.client.batch_execute("ROLLBACK").now_or_never();
        }
    }

    /// Writes a row before the next statement or with the commit, without a round trip of its own, and together with
    /// others of the same turn. `many`: writes several, and says nothing of them.
    pub(super) async fn write_later(
        &self,
        turn: usize,
        many: &Arc<str>,
        cells: &[CellRef<'_>],
    ) -> Result<(), SqlFailure> {
        let statement = self.statement(many).await?;
        let row = cells.iter().copied().map(CellRef::to_owned).collect();
        let none = || PendingRows { statement, rows: Vec::new() };
        self.with(|state| state.pending.entry((turn, Arc::clone(many))).or_insert_with(none).rows.push(row));
        Ok(())
    }

    /// Whether the server refused rows that were to be written later. It does not say which of them.
    pub(super) fn has_refused_pending(&self) -> bool {
        self.with(|state| state.refused_pending)
    }

    /// What is sent before the next statement.
    fn lead(&self) -> SentBefore<'_> {
        let pending = self.with(|state| std::mem::take(&mut state.pending));
        let has_rows = !pending.is_empty();
        let mut sent = Vec::with_capacity(pending.len() + 3);
        sent.extend(self.begin());
        sent.extend(pending.into_values().map(|PendingRows { statement, rows }| {
            let written = async move {
                let rows: Vec<_> = rows.iter().map(Vec::as_slice).collect();
                self.connection.write_rows(&statement, &rows).await
            };
            written.boxed()
        }));
        SentBefore { sent, has_rows }
    }

    /// Sends what comes before a statement, and the statement, and waits for the answers.
    async fn led<T>(&self, statement: Sent<'_, T>) -> Result<T, SqlFailure> {
        let SentBefore { sent, has_rows } = self.lead();
        let (led, done) = self.answered(join(in_order(sent), statement)).await;
        match led {
            Err(error) if has_rows => {
                self.failed(&error);
                self.with(|state| state.refused_pending = true);
                Err(SqlFailure::Aborted)
            }
            led => led.and(done).map_err(|error| self.failed(&error)),
        }
    }

    /// The statement that begins it, where it has not begun.
    fn begin(&self) -> Option<Sent<'_, u64>> {
        let has_begun = self.with(|state| std::mem::replace(&mut state.has_begun, true));
        (!has_begun).then(|| {
            let sql: String = iter::once(&*self.kind.begin()).chain(self.locks.tables()).collect();
            async move { self.connection.client.batch_execute(&sql).await.map(|()| 0) }.boxed()
        })
    }

    fn say(&self, sql: &'static str) -> Sent<'_, u64> {
        self.connection.client.batch_execute(sql).map(|done| done.map(|()| 0)).boxed()
    }

    /// A statement, prepared within the transaction where that is still to be done: it waits for locks on its tables as
    /// long as other statements of the transaction.
    async fn statement(&self, sql: &str) -> Result<Statement, SqlFailure> {
        match self.connection.prepared(sql) {
            Some(statement) => Ok(statement),
            None => self.led(self.connection.statement(sql).boxed()).await,
        }
    }

    /// Waits for an answer, and notes if this is abandoned before its end.
    async fn answered<T>(&self, answer: impl Future<Output = T>) -> T {
        let mut left = AbandonGuard(Some(self));
        let answer = answer.await;
        left.0 = None;
        answer
    }

    fn learn(&self, error: &Error) -> Remedy {
        if takes_no_writes(error) {
            self.with(|state| _ = state.outage.get_or_insert_with(|| error_of(error)));
        }
        self.connection.learn(error)
    }

    /// Notes an error.
    fn failed(&self, error: &Error) -> SqlFailure {
        let remedy = self.learn(error);
        if remedy != Remedy::None {
            self.with(|state| _ = state.remedy.get_or_insert(remedy));
        }
        match self.kind.read_timeout() {
            Some(_) if error.code() == Some(&SqlState::QUERY_CANCELED) => too_costly().into(),
            _ => failure_of(error),
        }
    }

    fn with<T>(&self, look: impl FnOnce(&mut TransactionState) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// In a transaction that plans for values: how the statements after this are planned.
    pub(super) async fn set_planning(&self, sql: &'static str) -> Result<(), SqlFailure> {
        if !matches!(self.kind, TransactionKind::PlannedSnapshot(_)) {
            return Ok(());
        }
        self.led(self.say(sql)).await.map(drop)
    }

    pub(super) async fn rows_of(&self, sql: &str, values: &[CellRef<'_>]) -> Result<Vec<Vec<Cell>>, SqlFailure> {
        let statement = self.statement(sql).await?;
        self.led(self.connection.rows(&statement, values).boxed()).await
    }

    /// Gives each row of a statement to `take` as it comes. If that fails, the statement is cancelled.
    pub(super) async fn each_row(
        &self,
        sql: &str,
        values: &[CellRef<'_>],
        take: &mut (impl FnMut(&[CellRef<'_>]) -> Result<(), StoreError> + Send),
    ) -> Result<(), SqlFailure> {
        let statement = self.statement(sql).await?;
        let taken = self.led(self.connection.each_row(&statement, values, take).boxed()).await?;
        taken.map_err(|error| {
            self.with(|state| state.was_left = true);
            SqlFailure::Store(error)
        })
    }

    /// Writes rows by one statement, with an array for each column. What the statement gives of those that it wrote.
    pub(super) async fn try_rows(&self, sql: &str, rows: &[&[Cell]]) -> Result<Vec<Vec<Cell>>, SqlFailure> {
        let statement = self.statement(sql).await?;
        self.led(self.connection.try_rows(&statement, rows).boxed()).await
    }

    /// The rows that a statement gives for a list of ids.
    pub(super) async fn rows_by_ids(&self, sql: &str, ids: &[Uuid]) -> Result<Vec<Vec<Cell>>, SqlFailure> {
        let statement = self.statement(sql).await?;
        self.led(self.connection.rows_by_ids(&statement, ids).boxed()).await
    }

    pub(super) async fn done(&self, sql: &str, values: &[CellRef<'_>]) -> Result<u64, SqlFailure> {
        let statement = self.statement(sql).await?;
        let _step = if self.has_steps { Some(self.step.lock().await) } else { None };
        let mut sent = Vec::with_capacity(3);
        sent.extend(self.has_steps.then(|| self.say("SAVEPOINT step")));
        let at = sent.len();
        sent.push(self.connection.execute(&statement, values).boxed());
        sent.extend(self.has_steps.then(|| self.say("RELEASE SAVEPOINT step")));
        let failure = match self.led(in_order(sent).boxed()).await {
            Ok(counts) => return Ok(counts.get(at).copied().unwrap_or_default()),
            Err(failure) => failure,
        };
        if matches!(failure, SqlFailure::Constraint(_)) {
            if self.has_steps {
                let undone = self.answered(self.say("ROLLBACK TO SAVEPOINT step")).await;
                undone.map_err(|error| self.failed(&error))?;
            } else if self.kind != TransactionKind::Grouped {
                self.roll_back();
                self.with(|state| state.events.clear());
            }
        }
        Err(failure)
    }
}

impl Drop for PostgresTransaction {
    fn drop(&mut self) {
        self.roll_back();
        if self.with(|state| state.was_left) {
            Connection::settle(Arc::clone(&self.connection));
        }
    }
}

/// What has become of the events that are written with a commit, if there are any, by the counts of the statements.
fn announced(has_events: bool, counts: &[u64]) -> Announced {
    match counts {
        _ if !has_events => Announced::Nothing,
        [.., 0] => Announced::Events,
        _ => Announced::Drafts,
    }
}

/// The error of a read that took too long. Code that knows the query adds what would make it cheaper.
pub(super) fn too_costly() -> StoreError {
    StoreError::TooCostly(Query::default().narrow().to_owned())
}

/// What is sent before a statement.
struct SentBefore<'a> {
    sent: Vec<Sent<'a, u64>>,
    /// Whether it writes rows of others.
    has_rows: bool,
}

/// Notes when a future is dropped that waits for an answer.
struct AbandonGuard<'a>(Option<&'a PostgresTransaction>);

impl Drop for AbandonGuard<'_> {
    fn drop(&mut self) {
        if let Some(transaction) = self.0 {
            transaction.with(|state| state.was_left = true);
        }
    }
}

impl Session for PostgresTransaction {
    const DIALECT: Dialect = Dialect::Postgres;

    fn locks(&self) -> bool {
        self.kind.read_timeout().is_none()
    }

    fn rows(
        &self,
        sql: &str,
        values: &[CellRef<'_>],
    ) -> impl Future<Output = Result<Vec<Vec<Cell>>, SqlFailure>> + Send {
        self.rows_of(sql, values)
    }

    async fn rows_in_time(&self, sql: &str, values: &[CellRef<'_>]) -> Result<Vec<Vec<Cell>>, SqlFailure> {
        if self.kind.read_timeout().is_some() {
            return self.rows_of(sql, values).await;
        }
        let done = tokio::time::timeout(READ_TIMEOUT, self.rows_of(sql, values)).await;
        done.unwrap_or_else(|_| Err(StoreError::TooCostly(CONDITION.to_owned()).into()))
    }

    fn execute(&self, sql: &str, values: &[CellRef<'_>]) -> impl Future<Output = Result<u64, SqlFailure>> + Send {
        self.done(sql, values)
    }

    async fn write_row(&self, statement: &RowStatement, cells: &[CellRef<'_>]) -> Result<(), SqlFailure> {
        self.done(&statement.one, cells).await.map(|_| ())
    }

    async fn try_row(&self, statement: &RowStatement, cells: &[CellRef<'_>]) -> Result<bool, SqlFailure> {
        self.done(&statement.one, cells).await.map(|count| count > 0)
    }

    async fn write_event(&self, cells: &[CellRef<'_>]) -> Result<(), SqlFailure> {
        let cells = cells.iter().copied().map(CellRef::to_owned).collect();
        self.with(|state| state.events.push(cells));
        Ok(())
    }

    async fn row_to_change(&self, statements: &RowStatements, id: Uuid) -> Result<Option<Vec<Cell>>, SqlFailure> {
        read::row_to_change(self, statements, id).await
    }

    async fn entity(
        &self,
        plans: &Plans,
        at: RepresentationId,
        id: Uuid,
        viewer: &Viewer,
    ) -> Result<Option<Entity>, SqlFailure> {
        read::entity(self, plans, at, id, (Sight::All, viewer)).await
    }
}
