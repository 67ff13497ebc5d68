//! What changes, commands, searches and events are in SQL: written once, done by both databases.
//!
//! It is written against a [`Session`], which is a transaction of either. SQLite answers at once, on the thread that
//! asks; PostgreSQL when its answer has come. So everything here is `async`, and costs SQLite a poll.

mod command_admin;
mod command_list;
mod command_retention;
mod command_rows;
mod commands;
mod delete;
mod erase;
mod explain;
pub(super) mod outbox;
mod rules;
mod searches;
mod transact;
mod views;
mod visible;
mod write;

pub(super) use command_admin::{OrderFailure, order as order_commands};
pub(super) use command_list::page as command_page;
pub(super) use command_retention::prune as prune_commands;
pub(super) use commands::{
    FIND as FIND_COMMAND, accept, backlog, claim, find as find_command, hold, let_all_go, postpone,
    record as command_record,
};
pub(super) use erase::{BEGINNING, Erasing};
pub(super) use searches::{find as find_search, insert as insert_search, share_key};
pub(super) use transact::{commit, count, count_apart, count_each, look, look_after, order_values, page_values};
pub(super) use views::shows;
pub(super) use write::{apply, inspect, is_decided_late};

use super::{Entity, Refusal, RepresentationId, StoreError};
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::statements::{RowStatement, RowStatements, UpdateStatement};
use crate::plan::viewer::Viewer;
use restwell_model::tables::Dialect;
use std::borrow::Cow;
use uuid::Uuid;

/// A transaction of a database, or one statement after the other.
///
/// Statements are written as SQLite takes them, with `?` or `?1` for what is bound.
pub(super) trait Session {
    /// How it wants words that the databases spell in different ways.
    const DIALECT: Dialect;

    /// Whether rows that are about to change are to be locked when they are read: others may change them meanwhile.
    fn locks(&self) -> bool;

    /// The rows that a statement gives, all columns.
    fn rows(
        &self,
        sql: &str,
        values: &[CellRef<'_>],
    ) -> impl Future<Output = Result<Vec<Vec<Cell>>, SqlFailure>> + Send;

    /// The same of a statement that a condition of the model has a part in, so that nobody knows what it costs: within
    /// a change it is broken off, as `TooCostly`, where it takes as long as a read may. A read has its deadline anyway.
    fn rows_in_time(
        &self,
        sql: &str,
        values: &[CellRef<'_>],
    ) -> impl Future<Output = Result<Vec<Vec<Cell>>, SqlFailure>> + Send {
        self.rows(sql, values)
    }

    /// Does a statement; how many rows it touched. Where a constraint refuses it, it was not done, and the session goes
    /// on.
    fn execute(&self, sql: &str, values: &[CellRef<'_>]) -> impl Future<Output = Result<u64, SqlFailure>> + Send;

    /// Writes a row, maybe together with those of others.
    fn write_row(
        &self,
        statement: &RowStatement,
        cells: &[CellRef<'_>],
    ) -> impl Future<Output = Result<(), SqlFailure>> + Send;

    /// Writes a row unless its statement refuses it, maybe together with those of others; whether it was written.
    fn try_row(
        &self,
        statement: &RowStatement,
        cells: &[CellRef<'_>],
    ) -> impl Future<Output = Result<bool, SqlFailure>> + Send;

    /// Writes a row that is there already, maybe together with those of others. `stored` are its cells until now.
    fn update_row(
        &self,
        statement: &UpdateStatement,
        cells: &[CellRef<'_>],
        _stored: &[Cell],
    ) -> impl Future<Output = Result<(), SqlFailure>> + Send {
        self.write_row(&statement.all, cells)
    }

    /// Writes an event, maybe later, with the commit: nothing in this transaction depends on it. `cells` are those of
    /// [`outbox::EVENT_COLUMNS`].
    fn write_event(&self, cells: &[CellRef<'_>]) -> impl Future<Output = Result<(), SqlFailure>> + Send;

    /// The row with an id, which is about to change: locked where others may change it.
    fn row_to_change(
        &self,
        statements: &RowStatements,
        id: Uuid,
    ) -> impl Future<Output = Result<Option<Vec<Cell>>, SqlFailure>> + Send;

    /// One entity, rendered: of what it refers to, only what the viewer sees.
    fn entity(
        &self,
        plans: &Plans,
        at: RepresentationId,
        id: Uuid,
        viewer: &Viewer,
    ) -> impl Future<Output = Result<Option<Entity>, SqlFailure>> + Send;
}

/// Why a statement was not done.
#[derive(Debug)]
pub(super) enum SqlFailure {
    /// A constraint of the database refuses it.
    Constraint(String),
    /// Another statement of the transaction failed before: the database does nothing more in it.
    Aborted,
    /// The database failed.
    Store(StoreError),
}

impl From<SqlFailure> for StoreError {
    fn from(failure: SqlFailure) -> Self {
        match failure {
            SqlFailure::Constraint(reason) => Self::Internal(reason),
            SqlFailure::Aborted => Self::Internal("the transaction had failed before".to_owned()),
            SqlFailure::Store(error) => error,
        }
    }
}

impl From<SqlFailure> for Refusal {
    fn from(failure: SqlFailure) -> Self {
        Self::Failed(failure.into())
    }
}

impl From<StoreError> for SqlFailure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The first row that a statement gives.
async fn row(session: &impl Session, sql: &str, values: &[CellRef<'_>]) -> Result<Option<Vec<Cell>>, SqlFailure> {
    Ok(session.rows(sql, values).await?.into_iter().next())
}

/// The first row that a statement gives, locked where others may change it, for it is about to go.
async fn locked_row(
    session: &impl Session,
    sql: &str,
    values: &[CellRef<'_>],
) -> Result<Option<Vec<Cell>>, SqlFailure> {
    row(session, &locking(session, sql), values).await
}

/// A query whose rows are about to go: locked where others may change them, or refer to them.
fn locking<'a>(session: &impl Session, sql: &'a str) -> Cow<'a, str> {
    match session.locks() {
        false => Cow::Borrowed(sql),
        true => Cow::Owned(format!("{sql} FOR UPDATE")),
    }
}

/// Whether a statement gives a row.
async fn exists(session: &impl Session, sql: &str, values: &[CellRef<'_>]) -> Result<bool, SqlFailure> {
    Ok(!session.rows(sql, values).await?.is_empty())
}

/// The milliseconds since 1970 by the database's clock, in SQL.
fn now(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
        Dialect::Postgres => "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
    }
}

/// When a lease of this number of milliseconds expires, in SQL; no lease: 0.
fn until(dialect: Dialect, milliseconds: &str) -> String {
    format!("CASE WHEN {milliseconds} > 0 THEN {} + {milliseconds} ELSE 0 END", now(dialect))
}

/// The function that gives the greater of two values.
fn greater(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "max",
        Dialect::Postgres => "greatest",
    }
}

/// The cells of a row, one after the other.
struct Columns(std::vec::IntoIter<Cell>);

impl Columns {
    /// The next one, an id; nothing where it is null.
    fn uuid(&mut self) -> Option<Uuid> {
        self.0.next()?.uuid()
    }

    /// The next one, a whole number.
    fn int(&mut self) -> Option<i64> {
        self.0.next()?.borrow().int()
    }

    /// The next one, a text.
    fn text(&mut self) -> Option<String> {
        match self.0.next()? {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }
}
