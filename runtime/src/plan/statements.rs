//! The SQL that reads and writes rows with all their columns.
//!
//! PostgreSQL takes some statements for many rows at a time: each parameter is an array with a value for each row then.

use restwell_model::tables::{ColumnKind, Dialect, Table};
use std::sync::Arc;
use twox_hash::XxHash3_128;

/// The SQL of writes and of their reads, all columns in the table's order.
#[derive(Debug)]
pub(crate) struct RowStatements {
    /// A row's cells by id.
    pub(crate) row: String,
    /// The same, to change it.
    pub(crate) lock: LockStatement,
    /// All cells.
    pub(crate) insert: RowStatement,
    /// All cells, the id first; it names the row.
    pub(crate) update: RowStatement,
    /// By id.
    pub(crate) delete: String,
    /// What locks the table, on PostgreSQL.
    pub(crate) table_lock: Arc<TableLockStatements>,
}

/// The statements that lock a table until the end of a transaction, each after a `;`.
///
/// These are advisory locks, because a lock of the table itself would wait for a vacuum, and cancel it.
#[derive(Debug)]
pub(crate) struct TableLockStatements {
    /// The table.
    pub(crate) table: String,
    /// Its rows are written: others may write them, too.
    pub(crate) shared: String,
    /// No other transaction may write them.
    pub(crate) exclusive: String,
}

/// A statement that writes a row.
#[derive(Debug)]
pub(crate) struct RowStatement {
    /// With a parameter for each cell.
    pub(crate) one: String,
    /// For PostgreSQL, with an array for each cell.
    pub(crate) many: Arc<str>,
}

/// A query that locks the rows that it finds by id against changes by others.
#[derive(Debug)]
pub(crate) struct LockStatement {
    /// With an id.
    pub(crate) one: String,
    /// With an array of ids. All lock rows in one order.
    pub(crate) many: Arc<str>,
}

impl RowStatements {
    /// Of a resource's table.
    pub(super) fn compile(table: &Table) -> Self {
        let name = &table.name;
        let columns: Vec<_> = table.columns.iter().map(|column| (&*column.name, column.kind)).collect();
        let select = format!("SELECT {} FROM \"{name}\" WHERE \"id\"", list(&columns));
        Self {
            row: format!("{select} = ?1"),
            lock: LockStatement {
                one: format!("{select} = ?1 FOR NO KEY UPDATE"),
                many: format!("{select} = ANY(?1) ORDER BY \"id\" FOR NO KEY UPDATE").into(),
            },
            insert: RowStatement::insert(name, &columns),
            update: RowStatement::update(name, &columns),
            delete: format!("DELETE FROM \"{name}\" WHERE \"id\" = ?1"),
            table_lock: Arc::new(TableLockStatements::of(name)),
        }
    }
}

impl TableLockStatements {
    fn of(table: &str) -> Self {
        // two tables with the same number would wait for each other, and nothing worse
        let number = XxHash3_128::oneshot(format!("restwell {table}").as_bytes()) as i64;
        Self {
            table: table.to_owned(),
            shared: format!("; SELECT pg_advisory_xact_lock_shared({number})"),
            exclusive: format!("; SELECT pg_advisory_xact_lock({number})"),
        }
    }
}

impl RowStatement {
    /// Adds a row.
    pub(crate) fn insert(table: &str, columns: &[(&str, ColumnKind)]) -> Self {
        let insert = format!("INSERT INTO \"{table}\" ({})", list(columns));
        let marks: Vec<_> = (1..=columns.len()).map(|at| format!("?{at}")).collect();
        Self {
            one: format!("{insert} VALUES ({})", marks.join(",")),
            many: format!("{insert} SELECT * FROM {}", unnested(columns)).into(),
        }
    }

    /// Changes the row that has the first column's value.
    fn update(table: &str, columns: &[(&str, ColumnKind)]) -> Self {
        let one = columns.iter().enumerate().skip(1).map(|(at, (name, _))| format!("\"{name}\"=?{}", at + 1));
        let many = columns.iter().skip(1).map(|(name, _)| format!("\"{name}\"=r.\"{name}\""));
        let (one, many) = (one.collect::<Vec<_>>().join(","), many.collect::<Vec<_>>().join(","));
        let (rows, names) = (unnested(columns), list(columns));
        Self {
            one: format!("UPDATE \"{table}\" SET {one} WHERE \"id\" = ?1"),
            many: format!("UPDATE \"{table}\" t SET {many} FROM {rows} r({names}) WHERE t.\"id\" = r.\"id\"").into(),
        }
    }
}

fn list(columns: &[(&str, ColumnKind)]) -> String {
    columns.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(",")
}

/// Rows made of an array for each column.
fn unnested(columns: &[(&str, ColumnKind)]) -> String {
    let arrays = columns.iter().enumerate();
    let arrays = arrays.map(|(at, (_, kind))| format!("CAST(?{} AS {})", at + 1, Dialect::postgres_array(*kind)));
    format!("unnest({})", arrays.collect::<Vec<_>>().join(","))
}
