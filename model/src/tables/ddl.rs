//! The SQL that makes the tables. Every name comes from the model, which allows letters, digits and `_` only.
//!
//! Both databases store the same values, so that they render, compare and sort equally: times are whole numbers
//! (milliseconds and days, as they are rendered from, without a time zone of the session's), decimals and amounts are
//! minor units, texts compare by code point (SQLite's `BINARY`, PostgreSQL's `"C"`), ids by byte. Arrays are text in
//! both, because `jsonb` does not return the bytes that were stored; criteria on elements can cast it.

use super::identifier::identifier;
use super::internal_tables::{self, InternalTable};
use super::{Column, ColumnKind, Combined, Foreign, ID, Link, Table, Unique};
use crate::case_folding::folded;
use crate::check::Checked;
use crate::field::OnDelete;
use std::fmt::Write;

/// A database's way of writing SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite 3.
    Sqlite,
    /// PostgreSQL 15 and what understands its SQL.
    Postgres,
}

impl Dialect {
    /// Both databases.
    pub const ALL: [Self; 2] = [Self::Sqlite, Self::Postgres];
}

/// The statements that make a service's tables and indexes, in an order that can run.
#[must_use]
pub fn create(service: &Checked, dialect: Dialect) -> Vec<String> {
    internal_tables::create(dialect).into_iter().chain(create_of_service(service, dialect)).collect()
}

/// Those of its own resources alone.
pub(crate) fn create_of_service(service: &Checked, dialect: Dialect) -> Vec<String> {
    let tables = whole(service, dialect);
    let mut statements: Vec<_> = tables.iter().map(|table| dialect.create_table(table)).collect();
    if dialect == Dialect::Postgres {
        // when all are there, for tables may point at each other
        statements.extend(tables.iter().flat_map(Table::foreign_keys).map(|key| key.add()));
    }
    statements.extend(tables.iter().flat_map(Table::all_indexes).map(|index| index.create()));
    statements
}

/// Every table of a service, then those of Restwell's own that both databases have, as no database in particular has
/// them ([`names::sql`](crate::names::sql)).
#[must_use]
pub fn all(service: &Checked) -> Vec<Table> {
    let tables = service.resources.iter().map(|resource| Table::of(service, resource));
    with_links(tables).into_iter().chain(internal_tables::tables()).collect()
}

/// The foreign keys of a service on PostgreSQL: what takes each away, and what puts it back. Rows that point at each
/// other can be written in any order meanwhile.
#[must_use]
pub fn foreign_keys(service: &Checked) -> Vec<(String, String)> {
    let drop = |key: &ForeignKey| format!("ALTER TABLE \"{}\" DROP CONSTRAINT \"{}\"", key.table, key.name);
    whole(service, Dialect::Postgres).iter().flat_map(Table::foreign_keys).map(|key| (drop(&key), key.add())).collect()
}

/// Every table of a service; the tables of links come after the tables they belong to.
fn whole(service: &Checked, dialect: Dialect) -> Vec<Table> {
    with_links(service.resources.iter().map(|resource| Table::in_database(service, resource, dialect)))
}

fn with_links(tables: impl Iterator<Item = Table>) -> Vec<Table> {
    let tables: Vec<_> = tables.collect();
    let links: Vec<_> = tables.iter().flat_map(|table| table.links.iter().map(|link| table.of_link(link))).collect();
    tables.into_iter().chain(links).collect()
}

/// An index in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedIndex {
    pub(crate) name: String,
    pub(crate) table: String,
    pub(crate) columns: Vec<String>,
    pub(crate) unique: bool,
    /// Whether it is on the first column's texts without the differences of case.
    pub(crate) folds_case: bool,
}

/// A foreign key in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForeignKey {
    pub(crate) name: String,
    pub(crate) table: String,
    pub(crate) column: String,
    pub(crate) target: String,
    pub(crate) on_delete: OnDelete,
}

impl NamedIndex {
    /// `CREATE INDEX …`.
    pub(crate) fn create(&self) -> String {
        self.create_with("")
    }

    /// With a word before the name: `CONCURRENTLY`.
    pub(crate) fn create_with(&self, word: &str) -> String {
        let unique = if self.unique { "UNIQUE " } else { "" };
        let key = |(position, column): (usize, &String)| {
            let name = format!("\"{column}\"");
            if self.folds_case && position == 0 { folded(&name) } else { name }
        };
        let list = self.columns.iter().enumerate().map(key).collect::<Vec<_>>().join(", ");
        format!("CREATE {unique}INDEX {word}\"{}\" ON \"{}\" ({list})", self.name, self.table)
    }
}

impl ForeignKey {
    /// `ALTER TABLE … ADD CONSTRAINT …`.
    pub(crate) fn add(&self) -> String {
        format!("ALTER TABLE \"{}\" ADD CONSTRAINT \"{}\" {}", self.table, self.name, self.definition())
    }

    /// `FOREIGN KEY … REFERENCES …`.
    fn definition(&self) -> String {
        let action = action(self.on_delete);
        format!("FOREIGN KEY (\"{}\") REFERENCES \"{}\" (\"id\"){action}", self.column, self.target)
    }
}

/// What begins its rows in the primary key: PostgreSQL names the constraint.
pub(crate) fn primary_key(table: &str) -> String {
    identifier(format!("{table}.pk"))
}

impl Table {
    /// A table of Restwell's own.
    pub(super) fn internal(own: &InternalTable) -> Self {
        let columns = own.columns.iter().map(|&(name, kind, nullable)| Column { nullable, ..Column::new(name, kind) });
        let added = own.added.iter().map(|&(name, kind)| Column { nullable: true, ..Column::new(name, kind) });
        Self::new(own.name, columns.chain(added).collect(), 1)
    }

    /// The table of a link: pairs, which are the key.
    pub(crate) fn of_link(&self, link: &Link) -> Self {
        let column = |name: &str, references: Foreign| Column {
            references: Some(references),
            ..Column::new(name, ColumnKind::Uuid)
        };
        let (resource, path) = (String::new(), String::new());
        let owner = Foreign { resource, table: self.name.clone(), path, on_delete: OnDelete::Cascade };
        // a deletion of the target updates the array first; until then the link blocks the deletion
        let target = Foreign { on_delete: OnDelete::Restrict, ..link.references.clone() };
        Self::new(&link.table, vec![column("entity_id", owner), column("target_id", target)], 2)
    }

    /// The foreign keys.
    pub(crate) fn foreign_keys(&self) -> Vec<ForeignKey> {
        let of = |column: &Column| {
            let foreign = column.references.as_ref()?;
            Some(ForeignKey {
                name: identifier(format!("{}.{}.fk", self.name, column.name)),
                table: self.name.clone(),
                column: column.name.clone(),
                target: foreign.table.clone(),
                on_delete: foreign.on_delete,
            })
        };
        self.columns.iter().filter_map(of).collect()
    }

    /// The indexes, but for that of the key.
    pub(crate) fn all_indexes(&self) -> Vec<NamedIndex> {
        if self.key > 1 {
            return vec![self.index_of(&[self.key - 1])];
        }
        // with the id, so that the rows of one value come in the order of pages without being sorted
        let by_id = self.indexes.iter().map(|column| self.index_of(&[*column, ID]));
        let folded = self.folded_indexes.iter().map(|column| self.folded_index_of(*column));
        let combined = self.combined.iter().map(|combined| self.combined_index(combined));
        let uniques = self.uniques.iter().map(|unique| self.unique_index(unique));
        uniques.chain(by_id).chain(folded).chain(combined).collect()
    }

    /// The index of some columns: `offers.category.id.idx`.
    pub(super) fn index_of(&self, columns: &[usize]) -> NamedIndex {
        self.named_index(columns, "idx")
    }

    /// The index of a column's texts without their case: `offers.name.id.folded.idx`.
    pub(super) fn folded_index_of(&self, column: usize) -> NamedIndex {
        NamedIndex { folds_case: true, ..self.named_index(&[column, ID], "folded.idx") }
    }

    /// The index of several columns: `offers.category.price.id.idx`.
    pub(super) fn combined_index(&self, of: &Combined) -> NamedIndex {
        self.index_of(&[of.columns(), vec![ID]].concat())
    }

    /// The index of what is unique: `users.email.key`, `users.email.folded.key`.
    pub(super) fn unique_index(&self, of: &Unique) -> NamedIndex {
        let ending = if of.ignores_case { "folded.key" } else { "key" };
        NamedIndex { unique: true, folds_case: of.ignores_case, ..self.named_index(&of.columns, ending) }
    }

    fn named_index(&self, columns: &[usize], ending: &str) -> NamedIndex {
        let columns: Vec<_> = columns.iter().map(|i| self.columns[*i].name.clone()).collect();
        let name = identifier(format!("{}.{}.{ending}", self.name, columns.join(".")));
        NamedIndex { name, table: self.name.clone(), columns, unique: false, folds_case: false }
    }
}

impl Dialect {
    /// `CREATE TABLE …`.
    pub(crate) fn create_table(self, table: &Table) -> String {
        let mut sql = format!("CREATE TABLE \"{}\" (\n", table.name);
        for column in &table.columns {
            let null = if column.nullable { "" } else { " NOT NULL" };
            let end = match self {
                Self::Sqlite => column.references.as_ref().map(references),
                Self::Postgres => self.literal(&column.default).map(|value| format!(" DEFAULT {value}")),
            };
            let (name, kind) = (&column.name, self.column(column.kind));
            writeln!(sql, "  \"{name}\" {kind}{null}{},", end.unwrap_or_default()).unwrap_or_default();
        }
        let key = table.columns[..table.key].iter().map(|c| format!("\"{}\"", c.name)).collect::<Vec<_>>().join(", ");
        match self {
            Self::Sqlite => sql + &format!("  PRIMARY KEY ({key})\n) STRICT"),
            Self::Postgres => sql + &format!("  CONSTRAINT \"{}\" PRIMARY KEY ({key})\n)", primary_key(&table.name)),
        }
    }

    /// The type of an array on PostgreSQL, with a value of a column for each of several rows.
    #[must_use]
    pub const fn postgres_array(kind: ColumnKind) -> &'static str {
        match kind {
            ColumnKind::Boolean => "boolean[]",
            ColumnKind::Integer => "bigint[]",
            ColumnKind::Real => "double precision[]",
            ColumnKind::Text | ColumnKind::Json => "text[]",
            ColumnKind::Uuid => "uuid[]",
        }
    }

    /// The type of a column.
    pub(crate) fn column(self, kind: ColumnKind) -> &'static str {
        match (self, kind) {
            (Self::Sqlite, ColumnKind::Boolean | ColumnKind::Integer) => "INTEGER",
            (Self::Sqlite, ColumnKind::Real) => "REAL",
            (Self::Sqlite, ColumnKind::Text | ColumnKind::Json) => "TEXT",
            (Self::Sqlite, ColumnKind::Uuid) => "BLOB",
            (Self::Postgres, ColumnKind::Boolean) => "boolean",
            (Self::Postgres, ColumnKind::Integer) => "bigint",
            (Self::Postgres, ColumnKind::Real) => "double precision",
            (Self::Postgres, ColumnKind::Text | ColumnKind::Json) => "text COLLATE \"C\"",
            (Self::Postgres, ColumnKind::Uuid) => "uuid",
        }
    }
}

/// A foreign key, written with its column.
pub(crate) fn references(foreign: &Foreign) -> String {
    format!(" REFERENCES \"{}\" (\"id\"){}", foreign.table, action(foreign.on_delete))
}

/// The default, NO ACTION, looks at the end of the statement, so that rows deleted together do not hold each other.
fn action(on_delete: OnDelete) -> &'static str {
    match on_delete {
        OnDelete::Restrict => "",
        OnDelete::Cascade => " ON DELETE CASCADE",
        OnDelete::Null => " ON DELETE SET NULL",
    }
}
