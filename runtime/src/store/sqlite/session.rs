//! A connection as a session: everything is answered at once.

use super::connection::prepare;
use super::{interrupt, read};
use crate::plan::Plans;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::statements::{RowStatement, RowStatements, UpdateStatement};
use crate::plan::viewer::{Sight, Viewer};
use crate::store::sql::{Session, SqlFailure, outbox};
use crate::store::{CONDITION, Entity, READ_LIMITS, RepresentationId, StoreError};
use futures_util::FutureExt;
use restwell_model::tables::Dialect;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};
use std::future::ready;
use uuid::Uuid;

/// A connection, in whatever transaction it is.
pub(in crate::store) struct WriterSession<'a>(pub(in crate::store) &'a Connection);

/// Does what is written for any session, and so never waits here.
pub(super) fn at_once<T, E: From<StoreError>>(work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let waited = || Err(StoreError::Internal("something waited that never should".to_owned()).into());
    work.now_or_never().unwrap_or_else(waited)
}

impl Session for WriterSession<'_> {
    const DIALECT: Dialect = Dialect::Sqlite;

    fn locks(&self) -> bool {
        // the writer has the whole database
        false
    }

    fn rows(
        &self,
        sql: &str,
        values: &[CellRef<'_>],
    ) -> impl Future<Output = Result<Vec<Vec<Cell>>, SqlFailure>> + Send {
        ready(rows(self.0, sql, values).map_err(SqlFailure::from))
    }

    fn rows_in_time(
        &self,
        sql: &str,
        values: &[CellRef<'_>],
    ) -> impl Future<Output = Result<Vec<Vec<Cell>>, SqlFailure>> + Send {
        let work = || rows(self.0, sql, values).map_err(|error| StoreError::from(SqlFailure::from(error)));
        ready(interrupt::in_time(READ_LIMITS, CONDITION, work).map_err(SqlFailure::from))
    }

    fn execute(&self, sql: &str, values: &[CellRef<'_>]) -> impl Future<Output = Result<u64, SqlFailure>> + Send {
        ready(execute(self.0, sql, values).map_err(SqlFailure::from))
    }

    fn write_row(
        &self,
        statement: &RowStatement,
        cells: &[CellRef<'_>],
    ) -> impl Future<Output = Result<(), SqlFailure>> + Send {
        ready(execute(self.0, &statement.one, cells).map(|_| ()).map_err(SqlFailure::from))
    }

    fn try_row(
        &self,
        statement: &RowStatement,
        cells: &[CellRef<'_>],
    ) -> impl Future<Output = Result<bool, SqlFailure>> + Send {
        ready(execute(self.0, &statement.one, cells).map(|count| count > 0).map_err(SqlFailure::from))
    }

    fn update_row(
        &self,
        statement: &UpdateStatement,
        cells: &[CellRef<'_>],
        stored: &[Cell],
    ) -> impl Future<Output = Result<(), SqlFailure>> + Send {
        let written = match statement.changing(cells, stored) {
            Some((sql, values)) => execute(self.0, &sql, &values).map(|_| ()),
            None => Ok(()),
        };
        ready(written.map_err(SqlFailure::from))
    }

    fn write_event(&self, cells: &[CellRef<'_>]) -> impl Future<Output = Result<(), SqlFailure>> + Send {
        ready(execute(self.0, &outbox::INSERT_EVENT, cells).map(drop).map_err(SqlFailure::from))
    }

    fn row_to_change(
        &self,
        statements: &RowStatements,
        id: Uuid,
    ) -> impl Future<Output = Result<Option<Vec<Cell>>, SqlFailure>> + Send {
        ready(read::row_by_id(self.0, &statements.row.one, id).map_err(SqlFailure::from))
    }

    fn entity(
        &self,
        plans: &Plans,
        at: RepresentationId,
        id: Uuid,
        viewer: &Viewer,
    ) -> impl Future<Output = Result<Option<Entity>, SqlFailure>> + Send {
        let found = read::entity(self.0, plans, at, id, (Sight::All, viewer));
        ready(found.map(|found| found.map(|row| row.entity)).map_err(SqlFailure::from))
    }
}

fn rows(connection: &Connection, sql: &str, values: &[CellRef<'_>]) -> rusqlite::Result<Vec<Vec<Cell>>> {
    let mut statement = prepare(connection, sql)?;
    let columns = statement.column_count();
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read::cells(row, columns)?);
    }
    Ok(found)
}

fn execute(connection: &Connection, sql: &str, values: &[CellRef<'_>]) -> rusqlite::Result<u64> {
    let changed = prepare(connection, sql)?.execute(params_from_iter(values))?;
    Ok(changed as u64)
}

impl From<rusqlite::Error> for SqlFailure {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::ConstraintViolation) => Self::Constraint(error.to_string()),
            _ => Self::Store(error.into()),
        }
    }
}

impl ToSql for CellRef<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Int(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Self::Real(number) => ToSqlOutput::Owned(Value::Real(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text)),
            Self::Uuid(id) => ToSqlOutput::Borrowed(ValueRef::Blob(id.as_bytes())),
        })
    }
}
