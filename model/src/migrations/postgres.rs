//! PostgreSQL: long steps run while the tables are in use; then all names change in one short transaction.
//!
//! 1. Add new columns. A constant default costs nothing.
//! 2. Drop unique indexes and foreign keys that the values of step 3 would break and that the new tables do not have.
//! 3. Compute values and build indexes, concurrently with other writers.
//! 4. Switch, in one transaction with short locks: update the rows that were written meanwhile, rename tables and
//!    columns, drop removed ones.
//! 5. Validate the constraints that the switch added (foreign keys, no nulls), without blocking writers.

use super::moves::{ColumnMove, Matched, Moves, TableMove, ValueSource, quoted, temporary};
use super::renames::ordered;
use super::script::Step;
use crate::tables::{Dialect, ForeignKey, NamedIndex, Table, identifier, primary_key};
use std::collections::HashSet;

pub(super) fn steps(moves: &Moves) -> Vec<Step> {
    let mut steps = moves.checks.clone();
    let taken = moves.tables.iter().map(|table| &table.old).chain(&moves.dropped).flat_map(Table::all_indexes);
    let taken: HashSet<_> = taken.map(|index| index.name).collect();
    let tables: Vec<_> = moves.tables.iter().map(|table| TableMigration::of(moves, table, &taken)).collect();
    steps.extend(tables.iter().flat_map(TableMigration::additions).map(Step::together));
    steps.extend(tables.iter().flat_map(TableMigration::early_drops).map(Step::alone));
    steps.extend(tables.iter().flat_map(TableMigration::updates).map(Step::alone));
    steps.extend(tables.iter().flat_map(TableMigration::early_indexes));
    steps.extend(switch(moves, &tables).into_iter().map(Step::together));
    steps.extend(moves.contents.iter().cloned());
    steps.extend(tables.iter().flat_map(TableMigration::validations).map(Step::alone));
    steps.extend(tables.iter().flat_map(TableMigration::late_indexes));
    steps.extend(tables.iter().flat_map(TableMigration::promises_kept).map(Step::together));
    steps
}

/// The transaction that renames everything.
fn switch(moves: &Moves, tables: &[TableMigration<'_>]) -> Vec<String> {
    let mut statements: Vec<_> = tables.iter().flat_map(TableMigration::updates).collect();
    let of_all = |part| of_all(tables, part);
    statements.extend(of_all(TableMigration::dropped_keys));
    statements.extend(of_all(TableMigration::dropped_indexes));
    // tables that refer to each other must be dropped together
    let dropped: Vec<_> = moves.dropped.iter().map(|table| quoted(&table.name)).collect();
    if !dropped.is_empty() {
        statements.push(format!("DROP TABLE {}", dropped.join(", ")));
    }
    statements.extend(of_all(TableMigration::dropped_columns));
    let names = moves.tables.iter().map(|table| (table.old.name.clone(), table.new.name.clone()));
    for (old, new) in ordered(names.filter(|(old, new)| old != new).collect()) {
        statements.push(format!("ALTER TABLE {} RENAME TO {}", quoted(&old), quoted(&new)));
    }
    statements.extend(of_all(TableMigration::renamed_columns));
    let indexes = tables.iter().flat_map(TableMigration::renamed_indexes).collect();
    for (old, new) in ordered(indexes) {
        statements.push(format!("ALTER INDEX {} RENAME TO {}", quoted(&old), quoted(&new)));
    }
    statements.extend(of_all(TableMigration::renamed_keys));
    statements.extend(of_all(TableMigration::nulls_and_defaults));
    statements.extend(moves.created.iter().map(|table| Dialect::Postgres.create_table(table)));
    statements.extend(moves.created.iter().flat_map(Table::foreign_keys).map(|key| key.add()));
    statements.extend(moves.created.iter().flat_map(Table::all_indexes).map(|index| index.create()));
    statements.extend(of_all(TableMigration::promises));
    statements
}

fn of_all<'a>(tables: &[TableMigration<'a>], part: fn(&TableMigration<'a>) -> Vec<String>) -> Vec<String> {
    tables.iter().flat_map(part).collect()
}

/// The statements for one table.
struct TableMigration<'a> {
    table: &'a TableMove,
    keys: Matched<ForeignKey>,
    indexes: Matched<NamedIndex>,
    /// The names of the old indexes of all tables.
    taken: &'a HashSet<String>,
}

impl<'a> TableMigration<'a> {
    fn of(moves: &Moves, table: &'a TableMove, taken: &'a HashSet<String>) -> Self {
        Self { table, keys: moves.foreign_keys(table), indexes: table.indexes(), taken }
    }

    fn alter_old(&self, what: &str) -> String {
        format!("ALTER TABLE {} {what}", quoted(&self.table.old.name))
    }

    fn alter(&self, what: &str) -> String {
        format!("ALTER TABLE {} {what}", quoted(&self.table.new.name))
    }

    /// The columns whose values do not come from an old column, with their index.
    fn made(&self) -> impl Iterator<Item = (usize, &ColumnMove)> {
        self.table.columns.iter().enumerate().filter(|(_, of)| !matches!(of.source, ValueSource::Old(_)))
    }

    /// The name of a column before the switch.
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
                ValueSource::New(Some(value)) if now.nullable => format!(" DEFAULT {value}"),
                ValueSource::New(Some(value)) => format!(" NOT NULL DEFAULT {value}"),
                _ => String::new(),
            };
            self.alter_old(&format!("ADD COLUMN {name} {}{given}", Dialect::Postgres.column(now.kind)))
        };
        self.made().map(add).collect()
    }

    /// Computes values and replaces nulls in rows that are not updated yet.
    fn updates(&self) -> Vec<String> {
        let update = |column: usize| {
            let of = &self.table.columns[column];
            if !matches!(of.source, ValueSource::Computed(_)) && of.fill.is_none() {
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
        !self.taken.contains(&index.name)
    }

    /// Drops an invalid index of an earlier attempt first.
    fn concurrently(index: &NamedIndex) -> [Step; 2] {
        let drop = format!("DROP INDEX CONCURRENTLY IF EXISTS {}", quoted(&index.name));
        [Step::alone(drop), Step::alone(index.create_with("CONCURRENTLY "))]
    }

    fn early_indexes(&self) -> Vec<Step> {
        let before = |index: &NamedIndex| {
            let columns = self.columns_before(index);
            NamedIndex { table: self.table.old.name.clone(), columns, ..index.clone() }
        };
        let early = self.indexes.new.iter().filter(|index| self.is_early(index));
        early.flat_map(|index| Self::concurrently(&before(index))).collect()
    }

    /// The columns of a new index, as they are called before the switch.
    fn columns_before(&self, index: &NamedIndex) -> Vec<String> {
        let columns = index.columns.iter().filter_map(|name| self.table.new.column(name));
        columns.map(|column| self.name_before(column)).collect()
    }

    /// Whether an index allows a value once only that [`Self::updates`] may write to several rows. One that another
    /// unique index on the same columns replaces stays: the checks have found the rows that would break it.
    fn is_in_the_way(&self, index: &NamedIndex) -> bool {
        let is_filled = |of: &ColumnMove| match of.source {
            ValueSource::Old(old) => of.fill.is_some() && index.columns.contains(&self.table.old.columns[old].name),
            ValueSource::Computed(_) | ValueSource::New(_) => false,
        };
        let replaces = |new: &NamedIndex| new.unique && self.columns_before(new) == index.columns;
        index.unique && self.table.columns.iter().any(is_filled) && !self.indexes.new.iter().any(replaces)
    }

    /// Whether a foreign key is on a column that [`Self::updates`] fills with what refers to nothing there.
    fn holds_back(&self, key: &ForeignKey) -> bool {
        let is_filled = |of: &ColumnMove| match of.source {
            ValueSource::Old(old) => of.fill.is_some() && key.column == self.table.old.columns[old].name,
            ValueSource::Computed(_) | ValueSource::New(_) => false,
        };
        self.table.columns.iter().any(is_filled)
    }

    fn early_drops(&self) -> Vec<String> {
        let in_the_way = self.indexes.removed.iter().filter(|index| self.is_in_the_way(index));
        let indexes = in_the_way.map(|index| format!("DROP INDEX CONCURRENTLY IF EXISTS {}", quoted(&index.name)));
        let keys = self.keys.removed.iter().filter(|key| self.holds_back(key));
        let keys = keys.map(|key| self.alter_old(&format!("DROP CONSTRAINT IF EXISTS {}", quoted(&key.name))));
        indexes.chain(keys).collect()
    }

    fn late_indexes(&self) -> Vec<Step> {
        self.indexes.new.iter().filter(|index| !self.is_early(index)).flat_map(Self::concurrently).collect()
    }

    fn dropped_keys(&self) -> Vec<String> {
        let removed = self.keys.removed.iter().filter(|key| !self.holds_back(key));
        removed.map(|key| self.alter_old(&format!("DROP CONSTRAINT {}", quoted(&key.name)))).collect()
    }

    fn dropped_indexes(&self) -> Vec<String> {
        let removed = self.indexes.removed.iter().filter(|index| !self.is_in_the_way(index));
        removed.map(|index| format!("DROP INDEX {}", quoted(&index.name))).collect()
    }

    fn dropped_columns(&self) -> Vec<String> {
        let name = |column: usize| quoted(&self.table.old.columns[column].name);
        self.table.removed().map(|column| self.alter_old(&format!("DROP COLUMN {}", name(column)))).collect()
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

    /// The default of a column until the switch.
    fn default_before(&self, column: usize) -> Option<String> {
        match &self.table.columns[column].source {
            ValueSource::Old(old) => Dialect::Postgres.literal(&self.table.old.columns[*old].default),
            ValueSource::Computed(_) => None,
            ValueSource::New(value) => value.clone(),
        }
    }

    /// The columns that may not be null from now on, and were or could be until now.
    fn closed(&self) -> impl Iterator<Item = &str> {
        let is_closed = |at: &usize| match &self.table.columns[*at].source {
            ValueSource::Old(old) => self.table.old.columns[*old].nullable,
            ValueSource::Computed(_) => true,
            ValueSource::New(value) => value.is_none(),
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
