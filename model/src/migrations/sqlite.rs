//! SQLite: the whole script is one transaction with foreign keys switched off. The caller checks them before the
//! commit.
//!
//! SQLite can alter names, add nullable columns and drop columns. For other changes a new table is created and filled
//! from the old one.

use super::moves::{Moves, TableMove, ValueSource, quoted, temporary};
use super::renames::ordered;
use super::script::Step;
use crate::tables::{Dialect, NamedIndex, Table, references};

pub(super) fn steps(moves: &Moves) -> Vec<Step> {
    let mut steps = moves.checks.clone();
    let mut run = |sql: String| steps.push(Step::together(sql));
    for table in &moves.dropped {
        run(format!("DROP TABLE {}", quoted(&table.name)));
    }
    let renamed = moves.tables.iter().map(|table| (&table.old.name, &table.new.name)).filter(|(old, new)| old != new);
    for (old, new) in ordered(renamed.map(|(old, new)| (old.clone(), new.clone())).collect()) {
        // what points at it follows
        run(format!("ALTER TABLE {} RENAME TO {}", quoted(&old), quoted(&new)));
    }
    // an index may get the name that one of another table had
    let mut indexes = Vec::new();
    for table in &moves.tables {
        let (statements, new) = if is_altered(moves, table) { alter(table) } else { remake(table) };
        statements.into_iter().for_each(&mut run);
        indexes.extend(new);
    }
    for table in &moves.created {
        run(Dialect::Sqlite.create_table(table));
        indexes.extend(table.all_indexes());
    }
    indexes.iter().for_each(|index| run(index.create()));
    steps.extend(moves.contents.iter().cloned());
    steps
}

/// Whether a table can become the new one by being altered.
fn is_altered(moves: &Moves, table: &TableMove) -> bool {
    let keys = moves.foreign_keys(table);
    let is_new_column = |name: &str| table.new.column(name).is_some_and(|column| table.keeps(column).is_none());
    let is_gone = |name: &str| table.old.column(name).is_some_and(|column| table.removed().any(|gone| gone == column));
    // a column that is dropped may not be in a key; of a new one it is written with it
    let keys_fit =
        keys.removed.iter().all(|key| is_gone(&key.column)) && keys.new.iter().all(|key| is_new_column(&key.column));
    let fits = |column: usize| {
        let (now, of) = (&table.new.columns[column], &table.columns[column]);
        match of.source {
            ValueSource::Old(old) => of.fill.is_none() && now.nullable == table.old.columns[old].nullable,
            ValueSource::New(None) => now.nullable,
            _ => false,
        }
    };
    keys_fit && (0..table.columns.len()).all(fits)
}

/// The statements that change a table, and the indexes that it then needs.
fn alter(table: &TableMove) -> (Vec<String>, Vec<NamedIndex>) {
    let name = quoted(&table.new.name);
    let mut statements = Vec::new();
    let indexes = table.indexes();
    // SQLite renames no index
    let (kept, renamed): (Vec<_>, Vec<_>) = indexes.kept.into_iter().partition(|(old, new)| old.name == new.name);
    drop(kept);
    let gone = indexes.removed.iter().chain(renamed.iter().map(|(old, _)| old));
    statements.extend(gone.map(|index| format!("DROP INDEX {}", quoted(&index.name))));
    for column in table.removed() {
        statements.push(format!("ALTER TABLE {name} DROP COLUMN {}", quoted(&table.old.columns[column].name)));
    }
    for (old, new) in ordered(table.renamed()) {
        statements.push(format!("ALTER TABLE {name} RENAME COLUMN {} TO {}", quoted(&old), quoted(&new)));
    }
    for (now, _) in
        table.new.columns.iter().zip(&table.columns).filter(|(_, of)| matches!(of.source, ValueSource::New(_)))
    {
        let foreign = now.references.as_ref().map(references).unwrap_or_default();
        let (column, kind) = (quoted(&now.name), Dialect::Sqlite.column(now.kind));
        statements.push(format!("ALTER TABLE {name} ADD COLUMN {column} {kind}{foreign}"));
    }
    let new = indexes.new.into_iter().chain(renamed.into_iter().map(|(_, new)| new));
    (statements, new.collect())
}

/// The same, by a new table. The rows keep their order: that of creation.
fn remake(table: &TableMove) -> (Vec<String>, Vec<NamedIndex>) {
    let between = temporary(&table.new.name);
    let (name, made) = (quoted(&table.new.name), quoted(&between));
    let columns: Vec<_> = table.new.columns.iter().map(|column| quoted(&column.name)).collect();
    let values: Vec<_> = (0..columns.len()).map(|column| table.value(column)).collect();
    let statements = vec![
        Dialect::Sqlite.create_table(&Table { name: between, ..table.new.clone() }),
        format!(
            "INSERT INTO {made} ({})\nSELECT {}\nFROM {name} ORDER BY _rowid_",
            columns.join(", "),
            values.join(", ")
        ),
        format!("DROP TABLE {name}"),
        format!("ALTER TABLE {made} RENAME TO {name}"),
    ];
    (statements, table.new.all_indexes())
}
