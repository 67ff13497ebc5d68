//! Pairs the tables and columns of both models, and finds the source of each new column's values.

use super::checks;
use super::columns;
use super::contents;
use super::links;
use super::names::NameMoves;
use super::rules;
use super::script::Step;
use crate::changes::{Pair, pairs};
use crate::check::{Checked, ModelPath};
use crate::tables::{self, Dialect, ForeignKey, NamedIndex, Table};

/// The differences between the tables of both models.
pub(super) struct Moves {
    /// The tables that both models have.
    pub(super) tables: Vec<TableMove>,
    /// The tables that only the new model has.
    pub(super) created: Vec<Table>,
    /// The tables that only the old model has.
    pub(super) dropped: Vec<Table>,
    /// Updates of the internal tables: the fields in what they contain, and the names of resources and commands.
    pub(super) contents: Vec<Step>,
    /// The checks that run before the first change.
    pub(super) checks: Vec<Step>,
}

/// A table that both models have.
pub(super) struct TableMove {
    pub(super) old: Table,
    pub(super) new: Table,
    /// The source of each column of the new table.
    pub(super) columns: Vec<ColumnMove>,
}

/// A column of the new table, and the source of its values.
pub(super) struct ColumnMove {
    pub(super) source: ValueSource,
    /// The value that replaces what the field cannot have any more: SQL over the old columns.
    pub(super) fill: Option<Fill>,
    /// The field.
    pub(super) at: ModelPath,
}

/// A value in the place of others.
pub(super) struct Fill {
    pub(super) value: String,
    /// The text of an empty array or map, which it replaces, too, and not only null.
    pub(super) replaces_empty: Option<&'static str>,
}

impl Fill {
    /// In the place of null.
    pub(super) fn of_null(value: String) -> Self {
        Self { value, replaces_empty: None }
    }
}

/// The source of the values of a column.
pub(super) enum ValueSource {
    /// The values of an old column.
    Old(usize),
    /// SQL over the old columns.
    Computed(String),
    /// The column is new: the same value for each row, `None` is null.
    New(Option<String>),
}

impl Moves {
    pub(super) fn between(old: &Checked, new: &Checked, dialect: Dialect) -> Self {
        let mut moves = Self {
            tables: Vec::new(),
            created: Vec::new(),
            dropped: Vec::new(),
            contents: Vec::new(),
            checks: Vec::new(),
        };
        let (mut uniques, mut resources, mut names) = (Vec::new(), Vec::new(), NameMoves::default());
        for pair in pairs(&old.resources, &new.resources) {
            match pair {
                Pair::Both(before, now) => {
                    names.paired(before, now);
                    moves.contents.extend(contents::steps((old, before), (new, now), dialect));
                    let table = |service, resource| Table::in_database(service, resource, dialect);
                    let tables = (table(old, before), table(new, now));
                    links::pair(&mut moves, (old, before, &tables.0), (new, now, &tables.1));
                    let walked = columns::of((old, before), (new, now), tables, dialect);
                    moves.checks.extend(walked.checks);
                    uniques.push(checks::Uniques {
                        table: moves.tables.len(),
                        of_fields: walked.uniques,
                        resource: now,
                    });
                    resources.push((before, now, moves.tables.len()));
                    moves.tables.push(walked.table);
                }
                Pair::New(now) => {
                    let table = Table::in_database(new, now, dialect);
                    let links: Vec<_> = table.links.iter().map(|link| table.of_link(link)).collect();
                    moves.created.push(table);
                    moves.created.extend(links);
                }
                Pair::Old(before) => {
                    names.removed(before);
                    let table = Table::in_database(old, before, dialect);
                    moves.dropped.extend(table.links.iter().map(|link| table.of_link(link)));
                    moves.dropped.push(table);
                }
            }
        }
        moves.contents.extend(names.steps(new, dialect));
        let found: Vec<_> = uniques.iter().flat_map(|uniques| uniques.checks(&moves)).collect();
        moves.checks.extend(found);
        moves.checks.extend(checks::references(&moves));
        let rules = rules::checks(&moves, (old, new), &resources, dialect);
        moves.checks.extend(rules);
        moves
    }

    /// The new name of a table of the old model.
    pub(super) fn name_now(&self, old: &str) -> Option<&str> {
        self.tables.iter().find(|table| table.old.name == old).map(|table| table.new.name.as_str())
    }

    /// The old name of a table of the new model.
    pub(super) fn name_before(&self, new: &str) -> Option<&str> {
        self.tables.iter().find(|table| table.new.name == new).map(|table| table.old.name.as_str())
    }

    /// The foreign keys of a table: of both sides, only of the old table, only of the new one.
    pub(super) fn foreign_keys(&self, table: &TableMove) -> Matched<ForeignKey> {
        let is_same = |old: &ForeignKey, new: &ForeignKey| {
            let column = table.new.column(&new.column);
            let is_column = column.is_some_and(|column| table.keeps(column) == table.old.column(&old.column));
            is_column && self.name_now(&old.target) == Some(&new.target) && old.on_delete == new.on_delete
        };
        Matched::of(table.old.foreign_keys(), table.new.foreign_keys(), is_same)
    }
}

impl TableMove {
    /// The old column whose values a new column keeps.
    pub(super) fn keeps(&self, column: usize) -> Option<usize> {
        match self.columns[column].source {
            ValueSource::Old(old) => Some(old),
            _ => None,
        }
    }

    /// The old columns that no new column keeps.
    pub(super) fn removed(&self) -> impl Iterator<Item = usize> {
        (0..self.old.columns.len()).filter(|old| !(0..self.columns.len()).any(|new| self.keeps(new) == Some(*old)))
    }

    /// The renamed columns: the old name and the new name.
    pub(super) fn renamed(&self) -> Vec<(String, String)> {
        let names = |new: usize| Some((&self.old.columns[self.keeps(new)?].name, &self.new.columns[new].name));
        let names = (0..self.columns.len()).filter_map(names).filter(|(old, new)| old != new);
        names.map(|(old, new)| (old.clone(), new.clone())).collect()
    }

    /// The indexes: of both sides, only of the old table, only of the new one.
    pub(super) fn indexes(&self) -> Matched<NamedIndex> {
        let is_same = |old: &NamedIndex, new: &NamedIndex| {
            let before = |name: &String| Some(&self.old.columns[self.keeps(self.new.column(name)?)?].name);
            let is_alike = (old.unique, old.folds_case) == (new.unique, new.folds_case);
            is_alike && old.columns.iter().map(Some).eq(new.columns.iter().map(before))
        };
        Matched::of(self.old.all_indexes(), self.new.all_indexes(), is_same)
    }

    /// The value of a new column: SQL over the old ones.
    pub(super) fn value(&self, column: usize) -> String {
        let ColumnMove { source, fill, .. } = &self.columns[column];
        let value = match source {
            ValueSource::Old(old) => quoted(&self.old.columns[*old].name),
            ValueSource::Computed(sql) => sql.clone(),
            ValueSource::New(value) => value.clone().unwrap_or_else(|| "NULL".to_owned()),
        };
        match fill {
            Some(Fill { value: fill, replaces_empty: Some(empty) }) => {
                format!("coalesce(nullif({value}, '{empty}'), {fill})")
            }
            Some(Fill { value: fill, replaces_empty: None }) => format!("coalesce({value}, {fill})"),
            None => value,
        }
    }
}

/// The items of two lists: those in both, only in the old one, only in the new one.
pub(super) struct Matched<T> {
    pub(super) kept: Vec<(T, T)>,
    pub(super) removed: Vec<T>,
    pub(super) new: Vec<T>,
}

impl<T> Matched<T> {
    fn of(mut old: Vec<T>, new: Vec<T>, is_same: impl Fn(&T, &T) -> bool) -> Self {
        let mut sides = Self { kept: Vec::new(), removed: Vec::new(), new: Vec::new() };
        for new in new {
            match old.iter().position(|old| is_same(old, &new)) {
                Some(at) => sides.kept.push((old.remove(at), new)),
                None => sides.new.push(new),
            }
        }
        sides.removed = old;
        sides
    }
}

/// A quoted name in SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// A temporary name. No table or column of a model has it, because their names have no dot.
pub(super) fn temporary(name: &str) -> String {
    tables::identifier(format!("{name}.new"))
}
