//! The SQL that reads and writes rows with all their columns.
//!
//! PostgreSQL takes some statements for many rows at a time: each parameter is an array with a value for each row then.

use super::cell::{Cell, CellRef};
use restwell_model::tables::{ColumnKind, Dialect, Table};
use std::sync::Arc;
use twox_hash::XxHash3_128;

/// The SQL of writes and of their reads, all columns in the table's order.
#[derive(Debug)]
pub(crate) struct RowStatements {
    /// A row's cells by id.
    pub(crate) row: RowQuery,
    /// The same, to change it: locked against changes by others. All lock rows in one order.
    pub(crate) lock: RowQuery,
    /// All cells.
    pub(crate) insert: RowStatement,
    /// All cells, the id first; it names the row.
    pub(crate) update: UpdateStatement,
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

/// A statement that changes a row.
#[derive(Debug)]
pub(crate) struct UpdateStatement {
    /// With all cells.
    pub(crate) all: RowStatement,
    table: String,
    /// After the id.
    columns: Vec<UpdatedColumn>,
}

/// A column that an update may set.
#[derive(Debug)]
struct UpdatedColumn {
    /// `"stock"=?`
    assignment: String,
    is_indexed: bool,
}

/// A query of rows by id, whose first column is the id.
#[derive(Debug)]
pub(crate) struct RowQuery {
    /// With an id.
    pub(crate) one: String,
    /// For PostgreSQL, with an array of ids.
    pub(crate) many: Arc<str>,
}

impl RowQuery {
    /// Of these columns.
    pub(crate) fn of(table: &str, columns: &str) -> Self {
        let one = |id: &str| format!("SELECT {columns} FROM \"{table}\" WHERE \"id\" = {id}");
        Self {
            one: one("?1"),
            // each by the key: the server keeps a plan for long, and one that was made for a small table would read all
            // of a large one
            many: format!("SELECT t.* FROM unnest({IDS}) AS r(id) CROSS JOIN LATERAL ({} LIMIT 1) t", one("r.id"))
                .into(),
        }
    }
}

impl RowStatements {
    /// Of a resource's table.
    pub(super) fn compile(table: &Table) -> Self {
        let name = &table.name;
        let columns: Vec<_> = table.columns.iter().map(|column| (&*column.name, column.kind)).collect();
        let select = format!("SELECT {} FROM \"{name}\" WHERE \"id\"", list(&columns));
        Self {
            row: RowQuery::of(name, &list(&columns)),
            lock: RowQuery {
                one: format!("{select} = ?1 FOR NO KEY UPDATE"),
                many: format!("{select} = ANY(?1) ORDER BY \"id\" FOR NO KEY UPDATE").into(),
            },
            insert: RowStatement::insert(name, &columns),
            update: UpdateStatement::of(table, &columns),
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

    /// A statement that computes what it writes. `one` is given what stands for each cell; `many` this, and the rows
    /// that the cells are of.
    pub(crate) fn computing<const N: usize>(
        columns: &[(&str, ColumnKind); N],
        one: impl FnOnce([String; N]) -> String,
        many: impl FnOnce([String; N], &str) -> String,
    ) -> Self {
        let rows = format!("{} r({})", unnested(columns), list(columns));
        Self {
            one: one(std::array::from_fn(|at| format!("?{}", at + 1))),
            many: many(columns.map(|(name, _)| format!("r.\"{name}\"")), &rows).into(),
        }
    }
}

impl UpdateStatement {
    /// Changes the row that has the first column's value.
    fn of(table: &Table, columns: &[(&str, ColumnKind)]) -> Self {
        let name = &table.name;
        let one = columns.iter().enumerate().skip(1).map(|(at, (name, _))| format!("\"{name}\"=?{}", at + 1));
        let many = columns.iter().skip(1).map(|(name, _)| format!("\"{name}\"=r.\"{name}\""));
        let (one, many) = (one.collect::<Vec<_>>().join(","), many.collect::<Vec<_>>().join(","));
        let (rows, names) = (unnested(columns), list(columns));
        let updated = columns.iter().enumerate().skip(1).map(|(at, (name, _))| UpdatedColumn {
            assignment: format!("\"{name}\"=?"),
            is_indexed: table.indexes.contains(&at),
        });
        Self {
            all: RowStatement {
                one: format!("UPDATE \"{name}\" SET {one} WHERE \"id\" = ?1"),
                many: format!("UPDATE \"{name}\" t SET {many} FROM {rows} r({names}) WHERE t.\"id\" = r.\"id\"").into(),
            },
            table: name.clone(),
            columns: updated.collect(),
        }
    }

    /// The statement and its values without the indexed columns that keep their values: SQLite writes the indexes of
    /// all columns that a statement names, also those whose value stays. Other columns are always in it, so that there
    /// are few different statements. `None`: there is nothing to write.
    pub(crate) fn changing<'a>(&self, cells: &[CellRef<'a>], stored: &[Cell]) -> Option<(String, Vec<CellRef<'a>>)> {
        let (mut sql, mut values) = (format!("UPDATE \"{}\" SET ", self.table), Vec::with_capacity(cells.len()));
        for ((column, cell), before) in self.columns.iter().zip(cells.iter().skip(1)).zip(stored.iter().skip(1)) {
            if column.is_indexed && is_same(*cell, before.borrow()) {
                continue;
            }
            if !values.is_empty() {
                sql.push(',');
            }
            sql.push_str(&column.assignment);
            values.push(*cell);
        }
        if values.is_empty() {
            return None;
        }
        sql.push_str(" WHERE \"id\"=?");
        values.extend(cells.first());
        Some((sql, values))
    }
}

/// The array of ids that a statement for many rows is given on PostgreSQL. Its length is hidden from the planner in a
/// `SELECT`: a plan for all lengths then costs as much as one for this length, so the server keeps it. Otherwise it
/// plans each execution for few ids, which takes it longer than to read their rows.
pub(super) const IDS: &str = "CAST((SELECT CAST(?1 AS uuid[])) AS uuid[])";

/// Whether two values are the same also where they compare as equal: zero has two signs.
fn is_same(left: CellRef<'_>, right: CellRef<'_>) -> bool {
    match (left, right) {
        (CellRef::Real(left), CellRef::Real(right)) => left.to_bits() == right.to_bits(),
        (left, right) => left == right,
    }
}

fn list(columns: &[(&str, ColumnKind)]) -> String {
    columns.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(",")
}

/// Rows made of an array for each column.
pub(crate) fn unnested(columns: &[(&str, ColumnKind)]) -> String {
    let arrays = columns.iter().enumerate();
    let arrays = arrays.map(|(at, (_, kind))| format!("CAST(?{} AS {})", at + 1, Dialect::postgres_array(*kind)));
    format!("unnest({})", arrays.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::tables::Column;

    /// What updates a row of an id, a name and a rating, of which some are indexed.
    fn changing(indexed: &[usize], (name, rating): (&str, f64), before: (&str, f64)) -> Option<String> {
        let columns = [("id", ColumnKind::Uuid), ("name", ColumnKind::Text), ("rating", ColumnKind::Real)];
        let mut table = Table::new("things", columns.map(|(name, kind)| Column::new(name, kind)).to_vec(), 1);
        table.indexes.extend(indexed);
        let cells = [CellRef::Null, CellRef::Text(name.as_bytes()), CellRef::Real(rating)];
        let stored = [Cell::Null, Cell::Text(before.0.to_owned()), Cell::Real(before.1)];
        let (sql, values) = UpdateStatement::of(&table, &columns).changing(&cells, &stored)?;
        assert_eq!(sql.matches('?').count(), values.len());
        Some(sql)
    }

    #[test]
    fn an_indexed_column_that_keeps_its_value_is_left_out() {
        let (all, name) =
            (r#"UPDATE "things" SET "name"=?,"rating"=? WHERE "id"=?"#, r#"UPDATE "things" SET "name"=? WHERE "id"=?"#);
        assert_eq!(changing(&[2], ("b", 2.0), ("a", 1.0)).as_deref(), Some(all));
        assert_eq!(changing(&[2], ("b", 1.0), ("a", 1.0)).as_deref(), Some(name));
        assert_eq!(
            changing(&[2], ("a", 1.0), ("a", 1.0)).as_deref(),
            Some(name),
            "what has no index is always written"
        );
        assert_eq!(changing(&[1, 2], ("a", 1.0), ("a", 1.0)), None);
        assert_eq!(changing(&[2], ("a", -0.0), ("a", 0.0)).as_deref(), Some(all), "equal, and yet another value");
    }
}
