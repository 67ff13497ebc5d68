//! The SQL that makes the tables. Every name comes from the model, which allows letters, digits and `_` only.

use super::{ColumnKind, Foreign, ID, Link, Table, own};
use crate::check::Checked;
use crate::field::OnDelete;
use std::fmt::Write;

/// A database's way of writing SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite 3.
    Sqlite,
}

/// The statements that make a service's tables and indexes, in an order that can run.
#[must_use]
pub fn create(service: &Checked, dialect: Dialect) -> Vec<String> {
    let tables: Vec<_> = service.resources.iter().map(|resource| Table::of(service, resource)).collect();
    let mut statements = own::create(dialect);
    statements.extend(tables.iter().map(|table| create_table(table, dialect)));
    for table in &tables {
        statements.extend(table.links.iter().map(|link| create_link(table, link, dialect)));
        statements.extend(table.links.iter().map(|link| index(&link.table, &["target_id"], false)));
        for unique in &table.uniques {
            let columns: Vec<_> = unique.columns.iter().map(|i| table.columns[*i].name.as_str()).collect();
            statements.push(index(&table.name, &columns, true));
        }
        // with the id, so that the rows of one value come in the order of pages without being sorted
        let by_id =
            |column: &usize| index(&table.name, &[&table.columns[*column].name, &table.columns[ID].name], false);
        statements.extend(table.indexes.iter().map(by_id));
    }
    statements
}

fn create_table(table: &Table, dialect: Dialect) -> String {
    let mut sql = format!("CREATE TABLE \"{}\" (\n", table.name);
    for column in &table.columns {
        let null = if column.nullable { "" } else { " NOT NULL" };
        let foreign = column.references.as_ref().map(foreign_key).unwrap_or_default();
        let kind = dialect.column(column.kind);
        writeln!(sql, "  \"{}\" {kind}{null}{foreign},", column.name).unwrap_or_default();
    }
    sql + "  PRIMARY KEY (\"id\")\n) STRICT"
}

fn create_link(table: &Table, link: &Link, dialect: Dialect) -> String {
    let uuid = dialect.column(ColumnKind::Uuid);
    let (name, owner, target) = (&link.table, &table.name, &link.references.table);
    // who deletes the target brings the array in order first; until then the link holds it
    format!(
        "CREATE TABLE \"{name}\" (\n  \"entity_id\" {uuid} NOT NULL REFERENCES \"{owner}\" (\"id\") ON DELETE CASCADE,\n  \
         \"target_id\" {uuid} NOT NULL REFERENCES \"{target}\" (\"id\"),\n  \
         PRIMARY KEY (\"entity_id\", \"target_id\")\n) STRICT"
    )
}

fn foreign_key(foreign: &Foreign) -> String {
    // the default, NO ACTION, looks at the end of the statement, so that rows deleted together do not hold each other
    let action = match foreign.on_delete {
        OnDelete::Restrict => "",
        OnDelete::Cascade => " ON DELETE CASCADE",
        OnDelete::Null => " ON DELETE SET NULL",
    };
    format!(" REFERENCES \"{}\" (\"id\"){action}", foreign.table)
}

fn index(table: &str, columns: &[&str], unique: bool) -> String {
    let word = if unique { "UNIQUE INDEX" } else { "INDEX" };
    let list = columns.iter().map(|c| format!("\"{c}\"")).collect::<Vec<_>>().join(", ");
    format!("CREATE {word} \"{}\" ON \"{table}\" ({list})", index_name(table, columns, unique))
}

/// `offers.category.id.idx`, `users.email.key`.
pub(super) fn index_name(table: &str, columns: &[&str], unique: bool) -> String {
    format!("{table}.{}.{}", columns.join("."), if unique { "key" } else { "idx" })
}

impl Dialect {
    fn column(self, kind: ColumnKind) -> &'static str {
        match (self, kind) {
            (Self::Sqlite, ColumnKind::Boolean | ColumnKind::Integer) => "INTEGER",
            (Self::Sqlite, ColumnKind::Real) => "REAL",
            (Self::Sqlite, ColumnKind::Text | ColumnKind::Json) => "TEXT",
            (Self::Sqlite, ColumnKind::Uuid) => "BLOB",
        }
    }
}
