//! PostgreSQL: what takes long is done while the tables are in use, and then all names change in one short transaction.
//!
//! 1. New columns are added: a default that is no computation costs nothing.
//! 2. What has to be computed is, and indexes are built, concurrently.
//! 3. The switch: in one transaction, under locks that are held for a moment, rows that were written meanwhile are brought
//!    up to date, names change, what is gone goes.
//! 4. What the switch promised of the rows (foreign keys, no nulls) is looked at without keeping anybody from writing.

use super::moves::{ColumnMove, Moves, Sides, Source, TableMove, quoted, temporary};
use super::renames::ordered;
use super::script::Step;
use crate::tables::{Dialect, ForeignKey, NamedIndex, Table, identifier, primary_key};

pub(super) fn steps(moves: &Moves) -> Vec<Step> {
    let mut steps = moves.checks.clone();
    let tables: Vec<_> = moves.tables.iter().map(|table| Way::of(moves, table)).collect();
    steps.extend(tables.iter().flat_map(Way::additions).map(Step::together));
    steps.extend(tables.iter().flat_map(Way::updates).map(Step::alone));
    steps.extend(tables.iter().flat_map(Way::early_indexes));
    steps.extend(switch(moves, &tables).into_iter().map(Step::together));
    steps.extend(super::moves::resources(moves));
    steps.extend(tables.iter().flat_map(Way::validations).map(Step::alone));
    steps.extend(tables.iter().flat_map(Way::late_indexes));
    steps.extend(tables.iter().flat_map(Way::promises_kept).map(Step::together));
    steps
}

/// The transaction in which everything gets its new name.
fn switch(moves: &Moves, tables: &[Way<'_>]) -> Vec<String> {
    let mut statements: Vec<_> = tables.iter().flat_map(Way::updates).collect();
    let of_all = |part| of_all(tables, part);
    statements.extend(of_all(Way::dropped_keys));
    statements.extend(of_all(Way::dropped_indexes));
    // those that point at each other go together
    let dropped: Vec<_> = moves.dropped.iter().map(|table| quoted(&table.name)).collect();
    if !dropped.is_empty() {
        statements.push(format!("DROP TABLE {}", dropped.join(", ")));
    }
    statements.extend(of_all(Way::dropped_columns));
    let names = moves.tables.iter().map(|table| (table.old.name.clone(), table.new.name.clone()));
    for (old, new) in ordered(names.filter(|(old, new)| old != new).collect()) {
        statements.push(format!("ALTER TABLE {} RENAME TO {}", quoted(&old), quoted(&new)));
    }
    statements.extend(of_all(Way::renamed_columns));
    let indexes = tables.iter().flat_map(Way::renamed_indexes).collect();
    for (old, new) in ordered(indexes) {
        statements.push(format!("ALTER INDEX {} RENAME TO {}", quoted(&old), quoted(&new)));
    }
    statements.extend(of_all(Way::renamed_keys));
    statements.extend(of_all(Way::nulls_and_defaults));
    statements.extend(moves.created.iter().map(|table| Dialect::Postgres.create_table(table)));
    statements.extend(moves.created.iter().flat_map(Table::foreign_keys).map(|key| key.add()));
    statements.extend(moves.created.iter().flat_map(Table::all_indexes).map(|index| index.create()));
    statements.extend(of_all(Way::promises));
    statements
}

fn of_all<'a>(tables: &[Way<'a>], part: fn(&Way<'a>) -> Vec<String>) -> Vec<String> {
    tables.iter().flat_map(part).collect()
}

/// A table's way.
struct Way<'a> {
    table: &'a TableMove,
    keys: Sides<ForeignKey>,
    indexes: Sides<NamedIndex>,
}

impl<'a> Way<'a> {
    fn of(moves: &Moves, table: &'a TableMove) -> Self {
        Self { table, keys: moves.foreign_keys(table), indexes: table.indexes() }
    }

    fn alter_old(&self, what: &str) -> String {
        format!("ALTER TABLE {} {what}", quoted(&self.table.old.name))
    }

    fn alter(&self, what: &str) -> String {
        format!("ALTER TABLE {} {what}", quoted(&self.table.new.name))
    }

    /// The columns whose values are no old column's, by their number.
    fn made(&self) -> impl Iterator<Item = (usize, &ColumnMove)> {
        self.table.columns.iter().enumerate().filter(|(_, of)| !matches!(of.source, Source::Old(_)))
    }

    /// What a column is called before the switch.
    fn name_before(&self, column: usize) -> String {
        let name = &self.table.new.columns[column].name;
        match self.table.keeps(column) {
            Some(old) => self.table.old.columns[old].name.clone(),
            None if self.table.old.column(name).is_some() => temporary(name),
            None => name.clone(),
        }
    }

    fn additions(&self) -> Vec<String> {
        let add = |(column, of): (usize, &ColumnMove)| {
            let (name, now) = (quoted(&self.name_before(column)), &self.table.new.columns[column]);
            let given = match &of.source {
                Source::New(Some(value)) if now.nullable => format!(" DEFAULT {value}"),
                Source::New(Some(value)) => format!(" NOT NULL DEFAULT {value}"),
                _ => String::new(),
            };
            self.alter_old(&format!("ADD COLUMN {name} {}{given}", Dialect::Postgres.column(now.kind)))
        };
        self.made().map(add).collect()
    }

    /// Computed values and fillings, of rows that have them not.
    fn updates(&self) -> Vec<String> {
        let update = |column: usize| {
            let of = &self.table.columns[column];
            if !matches!(of.source, Source::Computed(_)) && of.fill.is_none() {
                return None;
            }
            let (table, name) = (quoted(&self.table.old.name), quoted(&self.name_before(column)));
            let value = self.table.value(column);
            Some(format!("UPDATE {table} SET {name} = {value} WHERE {name} IS DISTINCT FROM {value}"))
        };
        (0..self.table.columns.len()).filter_map(update).collect()
    }

    /// Whether an index can be built under its name while the old ones are there.
    fn is_early(&self, index: &NamedIndex) -> bool {
        !self.table.old.all_indexes().iter().any(|old| old.name == index.name)
    }

    /// What an earlier try left behind is not valid and in the way.
    fn concurrently(index: &NamedIndex) -> [Step; 2] {
        let drop = format!("DROP INDEX CONCURRENTLY IF EXISTS {}", quoted(&index.name));
        [Step::alone(drop), Step::alone(index.create_with("CONCURRENTLY "))]
    }

    fn early_indexes(&self) -> Vec<Step> {
        let before = |index: &NamedIndex| {
            let columns = index.columns.iter().filter_map(|name| self.table.new.column(name));
            let columns = columns.map(|column| self.name_before(column)).collect();
            NamedIndex { table: self.table.old.name.clone(), columns, ..index.clone() }
        };
        let early = self.indexes.new.iter().filter(|index| self.is_early(index));
        early.flat_map(|index| Self::concurrently(&before(index))).collect()
    }

    fn late_indexes(&self) -> Vec<Step> {
        self.indexes.new.iter().filter(|index| !self.is_early(index)).flat_map(Self::concurrently).collect()
    }

    fn dropped_keys(&self) -> Vec<String> {
        self.keys.gone.iter().map(|key| self.alter_old(&format!("DROP CONSTRAINT {}", quoted(&key.name)))).collect()
    }

    fn dropped_indexes(&self) -> Vec<String> {
        self.indexes.gone.iter().map(|index| format!("DROP INDEX {}", quoted(&index.name))).collect()
    }

    fn dropped_columns(&self) -> Vec<String> {
        let name = |column: usize| quoted(&self.table.old.columns[column].name);
        self.table.gone().map(|column| self.alter_old(&format!("DROP COLUMN {}", name(column)))).collect()
    }

    fn renamed_columns(&self) -> Vec<String> {
        let mut renames = self.table.renamed();
        let of_made =
            self.made().map(|(column, _)| (self.name_before(column), self.table.new.columns[column].name.clone()));
        renames.extend(of_made.filter(|(old, new)| old != new));
        let rename =
            |(old, new): (String, String)| self.alter(&format!("RENAME COLUMN {} TO {}", quoted(&old), quoted(&new)));
        ordered(renames).into_iter().map(rename).collect()
    }

    fn renamed_indexes(&self) -> Vec<(String, String)> {
        let kept = self.indexes.kept.iter().map(|(old, new)| (old.name.clone(), new.name.clone()));
        let key = (primary_key(&self.table.old.name), primary_key(&self.table.new.name));
        kept.chain([key]).filter(|(old, new)| old != new).collect()
    }

    fn renamed_keys(&self) -> Vec<String> {
        let names = self.keys.kept.iter().map(|(old, new)| (old.name.clone(), new.name.clone()));
        let rename = |(old, new): (String, String)| {
            self.alter(&format!("RENAME CONSTRAINT {} TO {}", quoted(&old), quoted(&new)))
        };
        ordered(names.filter(|(old, new)| old != new).collect()).into_iter().map(rename).collect()
    }

    fn nulls_and_defaults(&self) -> Vec<String> {
        let column = |column: usize| quoted(&self.table.new.columns[column].name);
        let default = |at: usize| {
            let now = Dialect::Postgres.literal(&self.table.new.columns[at].default);
            let what = match &now {
                now if *now == self.default_before(at) => return None,
                Some(value) => format!("SET DEFAULT {value}"),
                None => "DROP DEFAULT".to_owned(),
            };
            Some(self.alter(&format!("ALTER COLUMN {} {what}", column(at))))
        };
        let defaults = (0..self.table.columns.len()).filter_map(default);
        let is_opened = |at: &usize| {
            let old = self.table.keeps(*at).map(|old| &self.table.old.columns[old]);
            old.is_some_and(|old| !old.nullable && self.table.new.columns[*at].nullable)
        };
        let opened = (0..self.table.columns.len()).filter(is_opened);
        defaults.chain(opened.map(|at| self.alter(&format!("ALTER COLUMN {} DROP NOT NULL", column(at))))).collect()
    }

    /// What a column holds, until the switch, where nobody says.
    fn default_before(&self, column: usize) -> Option<String> {
        match &self.table.columns[column].source {
            Source::Old(old) => Dialect::Postgres.literal(&self.table.old.columns[*old].default),
            Source::Computed(_) => None,
            Source::New(value) => value.clone(),
        }
    }

    /// The columns that may not be null from now on, and were or could be until now.
    fn closed(&self) -> impl Iterator<Item = &str> {
        let is_closed = |at: &usize| match &self.table.columns[*at].source {
            Source::Old(old) => self.table.old.columns[*old].nullable,
            Source::Computed(_) => true,
            Source::New(value) => value.is_none(),
        };
        let columns = (0..self.table.columns.len()).filter(is_closed).map(|at| &self.table.new.columns[at]);
        columns.filter(|column| !column.nullable).map(|column| column.name.as_str())
    }

    fn promise(&self, column: &str) -> String {
        quoted(&identifier(format!("{}.{column}.given", self.table.new.name)))
    }

    fn promises(&self) -> Vec<String> {
        let keys = self.keys.new.iter().map(|key| format!("{} NOT VALID", key.add()));
        let given = self.closed().map(|column| {
            let check = format!("CHECK ({} IS NOT NULL) NOT VALID", quoted(column));
            self.alter(&format!("ADD CONSTRAINT {} {check}", self.promise(column)))
        });
        keys.chain(given).collect()
    }

    fn validations(&self) -> Vec<String> {
        let keys = self.keys.new.iter().map(|key| quoted(&key.name));
        let names = keys.chain(self.closed().map(|column| self.promise(column)));
        names.map(|name| self.alter(&format!("VALIDATE CONSTRAINT {name}"))).collect()
    }

    /// PostgreSQL sees from the valid check that no row has a null.
    fn promises_kept(&self) -> Vec<String> {
        let kept = |column| {
            let not_null = format!("ALTER COLUMN {} SET NOT NULL", quoted(column));
            [self.alter(&not_null), self.alter(&format!("DROP CONSTRAINT {}", self.promise(column)))]
        };
        self.closed().flat_map(kept).collect()
    }
}
