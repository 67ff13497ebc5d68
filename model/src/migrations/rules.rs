//! The checks of conditions that rows have to keep from now on: rules that are new, `required: { when: … }`.
//!
//! They run before the first change, and are conditions on the new model. So the tables of the new model that they read
//! are written as queries over the old ones, with the values that the migration will give.

use super::moves::{ColumnMove, Moves, TableMove, ValueSource, quoted};
use super::script::Step;
use crate::changes::{keeps_meanings, required_to_verify, rules_to_verify};
use crate::check::{Checked, ModelPath};
use crate::condition::Typed;
use crate::condition::sql::{Sql, SqlTarget, predicate};
use crate::resource::Resource;
use crate::tables::{Column, Dialect, ID, Table};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// A resource that both models have, with the index of its table in the moves.
pub(super) type PairedResource<'a> = (&'a Resource, &'a Resource, usize);

/// The alias of the row that a condition is about.
const ROW: &str = "t";

/// A check for each condition that stored rows may break.
pub(super) fn checks(
    moves: &Moves,
    (old, new): (&Checked, &Checked),
    resources: &[PairedResource<'_>],
    dialect: Dialect,
) -> Vec<Step> {
    let meant = keeps_meanings(old, new).then_some(old);
    let found = broken((meant, new), resources.iter().map(|&(before, now, _)| (before, now)));
    if found.is_empty() {
        return Vec::new();
    }
    let tables = NewTables::of(moves, new, resources, dialect);
    found.into_iter().filter_map(|check| check.step(&tables)).collect()
}

/// A check for each condition of a model that its stored rows have to keep, whatever wrote them. They run on tables of
/// this model.
#[must_use]
pub fn row_checks(service: &Checked, dialect: Dialect) -> Vec<Step> {
    // beside a resource without any, all conditions are new
    let nothing = Resource::new("");
    let found = broken((None, service), service.resources.iter().map(|resource| (&nothing, resource)));
    let tables =
        service.resources.iter().map(|it| (it.name.clone(), Table::in_database(service, it, dialect))).collect();
    let tables = NewTables { dialect, tables, queries: HashMap::new() };
    found.into_iter().filter_map(|check| check.step(&tables)).collect()
}

/// What stored rows may break of what is new in each second resource. The old model is there where the same text checks
/// the same in both.
fn broken<'a>(
    (old, new): (Option<&Checked>, &Checked),
    resources: impl Iterator<Item = (&'a Resource, &'a Resource)>,
) -> Vec<RowCheck<'a>> {
    let mut found = Vec::new();
    for (before, now) in resources {
        let at = ModelPath::definition(&now.name);
        for (index, typed) in rules_to_verify((old, before), (new, now)) {
            let wrong = format!("{}: stored rows break `{}`", at.key("rules").index(index), now.rules[index].code);
            found.push(RowCheck { resource: now, field: None, typed, wrong });
        }
        for (index, typed) in required_to_verify((old, before), (new, now)) {
            let at = at.key("fields").key(&now.fields[index].name).key("required").key("when");
            let wrong = format!("{at}: stored rows have no value where one is required");
            found.push(RowCheck { resource: now, field: Some(index), typed, wrong });
        }
    }
    found
}

/// A condition that no stored row may break.
struct RowCheck<'a> {
    resource: &'a Resource,
    /// The field that must have a value where the condition holds; none: the condition has to hold.
    field: Option<usize>,
    typed: Typed,
    wrong: String,
}

impl RowCheck<'_> {
    fn step(self, tables: &NewTables) -> Option<Step> {
        let Self { resource, field, typed, wrong } = self;
        let dialect = tables.dialect;
        let target = SqlTarget { dialect, tables: &tables.tables, resource: &resource.name, alias: ROW };
        let holds = literal(&predicate(&typed, target)?, dialect)?;
        let table = tables.tables.get(&resource.name)?;
        let is_broken = match field {
            Some(field) => {
                let column = &table.columns[table.slots.get(field)?.columns.start].name;
                format!("{ROW}.{} IS NULL AND {holds}", quoted(column))
            }
            None => format!("({holds}) IS NOT {}", dialect.boolean(true)),
        };
        let (name, id) = (quoted(&table.name), quoted(&table.columns[ID].name));
        let mut used = typed.reads().resources;
        used.insert(resource.name.clone());
        let with = tables.definitions(&used);
        let query = format!("{with}SELECT {ROW}.{id} FROM {name} {ROW} WHERE {is_broken} ORDER BY 1 LIMIT 3");
        Some(Step::check(wrong, query))
    }
}

/// The tables of the new model before the migration.
struct NewTables {
    dialect: Dialect,
    /// By the names of the resources. One that is not there yet has the name of its query.
    tables: HashMap<String, Table>,
    /// The queries, by the names of the resources.
    queries: HashMap<String, String>,
}

impl NewTables {
    fn of(moves: &Moves, new: &Checked, resources: &[PairedResource<'_>], dialect: Dialect) -> Self {
        let mut all = Self { dialect, tables: HashMap::new(), queries: HashMap::new() };
        for (number, resource) in new.resources.iter().enumerate() {
            let moved = resources.iter().find(|(_, now, _)| now.name == resource.name);
            let moved = moved.and_then(|(.., index)| moves.tables.get(*index));
            let mut table = Table::in_database(new, resource, dialect);
            let query = match moved {
                Some(moved) => all.of_old(moved),
                None => Some(all.empty(&table)),
            };
            if let Some(query) = query {
                // no table of a model has a dot in its name
                table.name = format!("new.{number}");
                all.queries.insert(resource.name.clone(), query);
            }
            all.tables.insert(resource.name.clone(), table);
        }
        all
    }

    /// `WITH …`: the queries of these resources.
    fn definitions(&self, resources: &BTreeSet<String>) -> String {
        let mut with = String::new();
        for resource in resources {
            if let (Some(table), Some(query)) = (self.tables.get(resource), self.queries.get(resource)) {
                let word = if with.is_empty() { "WITH " } else { ", " };
                let _ = write!(with, "{word}{} AS NOT MATERIALIZED ({query})", quoted(&table.name));
            }
        }
        if !with.is_empty() {
            with.push(' ');
        }
        with
    }

    /// The rows of an old table in the columns of the new one; none where they are the same.
    fn of_old(&self, table: &TableMove) -> Option<String> {
        let columns = table.new.columns.iter().zip(&table.columns).enumerate();
        let is_same = |(at, (column, _)): (usize, (&Column, &ColumnMove))| table.value(at) == quoted(&column.name);
        if table.old.name == table.new.name && columns.clone().all(is_same) {
            return None;
        }
        let columns = columns.map(|(at, (column, of))| {
            let (value, name) = (table.value(at), quoted(&column.name));
            match of {
                ColumnMove { source: ValueSource::Old(_), fill: None, .. } if value == name => value,
                ColumnMove { source: ValueSource::Old(_), fill: None, .. } => format!("{value} AS {name}"),
                _ => format!("{} AS {name}", self.dialect.cast(&value, column.kind)),
            }
        });
        Some(format!("SELECT {} FROM {}", columns.collect::<Vec<_>>().join(", "), quoted(&table.old.name)))
    }

    /// The rows of a table that does not exist yet.
    fn empty(&self, table: &Table) -> String {
        let column =
            |column: &Column| format!("{} AS {}", self.dialect.cast("NULL", column.kind), quoted(&column.name));
        format!("SELECT {} WHERE 1 = 0", table.columns.iter().map(column).collect::<Vec<_>>().join(", "))
    }
}

/// A piece of SQL with its values written into it.
fn literal(sql: &Sql, dialect: Dialect) -> Option<String> {
    let mut values = sql.values.iter();
    let mut text = String::new();
    for (index, part) in sql.text.split('?').enumerate() {
        if index > 0 {
            text.push_str(&dialect.literal(values.next()?)?);
        }
        text.push_str(part);
    }
    Some(text)
}
