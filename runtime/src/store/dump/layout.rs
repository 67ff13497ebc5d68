//! What is moved: the tables, their columns, and where their rows are.

use super::row_check::RowCheck;
use crate::plan::cell::{Cell, CellRef};
use crate::store::outbox::Follower;
use crate::store::sql::outbox::CURSORS;
use crate::store::sql::{Session, SqlFailure};
use restwell_model::names::sql;
use restwell_model::tables::{ColumnKind, Dialect, Table, added_columns, all};
use restwell_model::{Checked, Resource};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use twox_hash::XxHash3_128;
use uuid::Uuid;

/// Rows that are read at a time.
const PAGE: i64 = 100;
/// The table of what Restwell itself remembers; of that only how far events were published or hooked is moved, and
/// what their cursors are masked with.
const META: &str = "_restwell";
/// Columns that are reset because leases do not survive the move.
const LEASE: (&str, &str) = ("_restwell_commands", "lease");
/// Of PostgreSQL's events, those without a position: they come after the others, in the order in which they would get
/// theirs.
const DRAFTS: &str = "(SELECT (SELECT coalesce(max(\"sequence\"), 0) FROM \"_restwell_events\") \
                      + row_number() OVER (ORDER BY \"place\") AS \"sequence\", \"id\", \"resource\", \"kind\", \"entity_id\", \
                      \"owner_id\", \"time\", \"data\", \"trace_id\", \"trace_parent\", \
                      \"actor_id\" FROM \"_restwell_drafts\") AS \"drafts\"";
const EVENTS: &str = "_restwell_events";

/// The tables of a service.
pub(in crate::store) struct Layout {
    /// The service's name.
    pub(super) service: String,
    pub(super) tables: Vec<TableLayout>,
}

/// A table, with the names that files have.
pub(super) struct TableLayout {
    pub(super) name: String,
    /// Names and kinds.
    pub(super) columns: Vec<(String, ColumnKind)>,
    /// How many of them, from the first, are the key.
    key: usize,
    /// Of a resource: what its rows must be.
    check: Option<Arc<RowCheck>>,
}

impl Layout {
    /// That of a service.
    pub(in crate::store) fn of(service: &Checked) -> Self {
        let check = |resource: &Resource| {
            let table = Table::of(service, resource);
            (table.name.clone(), Arc::new(RowCheck::of(service, resource, &table)))
        };
        let checks: HashMap<_, _> = service.resources.iter().map(check).collect();
        let mut tables: Vec<_> = all(service)
            .into_iter()
            .map(|table| TableLayout {
                columns: table.columns.into_iter().map(|column| (column.name, column.kind)).collect(),
                check: checks.get(&table.name).cloned(),
                name: table.name,
                key: table.key,
            })
            .collect();
        let columns = ["key", "value"].map(|name| (name.to_owned(), ColumnKind::Text)).to_vec();
        tables.push(TableLayout { name: META.to_owned(), columns, key: 1, check: None });
        Self { service: service.name.clone(), tables }
    }

    /// The same without those columns that an earlier version did not have, and that a file does not have either.
    pub(super) fn as_in(&self, file_has: impl Fn(&str, &str) -> bool) -> Self {
        let added = added_columns(Dialect::Sqlite);
        let is_added = |table: &str, column: &str| added.iter().any(|it| it.table == table && it.column == column);
        let is_made = |table: &str, column: &str| !is_added(table, column) || file_has(table, column);
        let tables = self.tables.iter().map(|table| TableLayout {
            name: table.name.clone(),
            columns: table.columns.iter().filter(|(name, _)| is_made(&table.name, name)).cloned().collect(),
            key: table.key,
            check: table.check.clone(),
        });
        Self { service: self.service.clone(), tables: tables.collect() }
    }

    /// The names of the tables in a database.
    pub(in crate::store) fn names(&self, dialect: Dialect) -> impl Iterator<Item = String> {
        self.tables.iter().map(move |table| sql::table(&table.name, dialect))
    }

    /// Equal where the tables are equal, and only there.
    pub(super) fn print(&self) -> String {
        let mut text = String::new();
        for table in &self.tables {
            text.push_str(&format!("{} {}\n", table.name, table.key));
            table.columns.iter().for_each(|(name, kind)| text.push_str(&format!("  {name} {kind:?}\n")));
        }
        format!("{:032x}", XxHash3_128::oneshot(text.as_bytes()))
    }

    pub(super) fn table(&self, name: &str) -> Option<&TableLayout> {
        self.tables.iter().find(|table| table.name == name)
    }
}

impl TableLayout {
    /// Where its rows are, one after the other.
    pub(super) fn sources(&self, dialect: Dialect) -> Vec<String> {
        let table = format!("\"{}\"", sql::table(&self.name, dialect));
        match dialect {
            Dialect::Postgres if self.name == EVENTS => vec![table, DRAFTS.to_owned()],
            _ => vec![table],
        }
    }

    /// The rows after a key, in the order of keys; none where there are no more.
    pub(super) async fn page<S: Session>(
        &self,
        session: &S,
        source: &str,
        after: Option<&[Cell]>,
    ) -> Result<Vec<Vec<Cell>>, SqlFailure> {
        let columns = quoted(&self.columns, S::DIALECT);
        let key = quoted(&self.columns[..self.key], S::DIALECT);
        let mut conditions = Vec::new();
        if self.name == META {
            let [published, hooked] = Follower::ALL.map(Follower::key);
            conditions.push(format!("\"key\" IN ('{published}', '{hooked}', '{CURSORS}')"));
        }
        if after.is_some() {
            let marks = vec!["?"; self.key].join(", ");
            conditions.push(format!("({key}) > ({marks})"));
        }
        let conditions = match conditions.is_empty() {
            true => String::new(),
            false => format!(" WHERE {}", conditions.join(" AND ")),
        };
        let sql = format!("SELECT {columns} FROM {source}{conditions} ORDER BY {key} LIMIT ?");
        let mut values: Vec<_> = after.unwrap_or_default().iter().map(Cell::borrow).collect();
        values.push(CellRef::Int(PAGE));
        let mut rows = session.rows(&sql, &values).await?;
        let lease = self.columns.iter().position(|(name, _)| (self.name.as_str(), name.as_str()) == LEASE);
        if let Some(lease) = lease {
            rows.iter_mut().for_each(|row| row[lease] = Cell::Int(0));
        }
        Ok(rows)
    }

    /// What is wrong with a row, as far as its values tell.
    pub(super) fn check(&self, row: &[Cell]) -> Result<(), String> {
        self.check.as_ref().map_or(Ok(()), |check| check.check(row))
    }

    /// The links that are beside a row, with the names of their tables.
    pub(super) fn links(&self, row: &[Cell]) -> BTreeSet<(&str, Uuid, Uuid)> {
        self.check.as_ref().map_or_else(BTreeSet::new, |check| check.links(row))
    }

    /// The key of a row.
    pub(super) fn key<'a>(&self, row: &'a [Cell]) -> &'a [Cell] {
        &row[..self.key]
    }

    /// Whether it has rows that would be moved.
    pub(super) async fn is_empty(&self, session: &impl Session) -> Result<bool, SqlFailure> {
        for source in self.sources_of(session) {
            if !self.page(session, &source, None).await?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where its rows are in a session's database.
    pub(super) fn sources_of<S: Session>(&self, _: &S) -> Vec<String> {
        self.sources(S::DIALECT)
    }

    /// The statement that writes a row into a session's database.
    pub(super) fn insert<S: Session>(&self, _: &S) -> String {
        let (table, columns) = (sql::table(&self.name, S::DIALECT), quoted(&self.columns, S::DIALECT));
        let marks = vec!["?"; self.columns.len()].join(", ");
        format!("INSERT INTO \"{table}\" ({columns}) VALUES ({marks})")
    }
}

/// Columns as a list in a statement.
fn quoted(columns: &[(String, ColumnKind)], dialect: Dialect) -> String {
    let names = columns.iter().map(|(name, _)| format!("\"{}\"", sql::column(name, dialect)));
    names.collect::<Vec<_>>().join(", ")
}
