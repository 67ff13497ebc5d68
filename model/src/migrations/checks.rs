//! The checks before a migration: queries that find the stored rows which make the migration impossible.

use super::moves::{Moves, TableMove, ValueSource, quoted};
use super::script::Step;
use crate::case_folding::folded;
use crate::check::ModelPath;
use crate::resource::Resource;
use crate::tables::Unique;

/// The unique columns of one table, with the places of `unique`.
pub(super) struct Uniques<'a> {
    /// The index of the table in the moves.
    pub(super) table: usize,
    /// The first columns of unique fields.
    pub(super) of_fields: Vec<(usize, ModelPath)>,
    pub(super) resource: &'a Resource,
}

impl Uniques<'_> {
    /// A check for each that was not unique before.
    pub(super) fn checks(&self, moves: &Moves) -> Vec<Step> {
        let table = &moves.tables[self.table];
        let uniques = table.new.uniques.iter().enumerate().filter(|(_, unique)| may_be_shared(table, unique));
        uniques.map(|(number, unique)| self.check(table, number, unique)).collect()
    }

    fn check(&self, table: &TableMove, number: usize, unique: &Unique) -> Step {
        if unique.ignores_case {
            return self.check_case(table, number, unique);
        }
        let names: Vec<_> = (0..unique.columns.len()).map(|number| format!("v{number}")).collect();
        let values = unique.columns.iter().zip(&names);
        let values: Vec<_> = values.map(|(column, name)| format!("{} AS {name}", table.value(*column))).collect();
        let given: Vec<_> = names.iter().map(|name| format!("{name} IS NOT NULL")).collect();
        let sql = format!(
            "SELECT {names} FROM (SELECT {} FROM {}) AS stored WHERE {} GROUP BY {names} HAVING count(*) > 1 LIMIT 3",
            values.join(", "),
            quoted(&table.old.name),
            given.join(" AND "),
            names = names.join(", "),
        );
        Step::check(format!("{}: several stored rows have the same value", self.place(table, number, unique)), sql)
    }

    /// Shows two of the values that differ in case, not what is compared.
    fn check_case(&self, table: &TableMove, number: usize, unique: &Unique) -> Step {
        let value = unique.columns.first().map(|column| table.value(*column)).unwrap_or_default();
        let sql = format!(
            "SELECT min(v0), max(v0) FROM (SELECT {value} AS v0 FROM {}) AS stored WHERE v0 IS NOT NULL \
             GROUP BY {} HAVING count(*) > 1 LIMIT 3",
            quoted(&table.old.name),
            folded("v0"),
        );
        let place = self.place(table, number, unique);
        Step::check(format!("{place}: several stored rows have the same value but for its case"), sql)
    }

    /// The place of `unique`. The unique columns of fields come before the combinations.
    fn place(&self, table: &TableMove, number: usize, unique: &Unique) -> ModelPath {
        let resource = ModelPath::definition(&self.resource.name);
        let of_fields = table.new.uniques.len() - self.resource.unique.len();
        if let Some(combination) = number.checked_sub(of_fields) {
            return resource.key("unique").index(combination);
        }
        let of_field = self.of_fields.iter().find(|(column, _)| unique.columns.first() == Some(column));
        of_field.map_or_else(|| resource.key("fields"), |(_, at)| at.clone())
    }
}

/// Whether stored rows may have equal values: no unique index of the old table excludes it.
fn may_be_shared(table: &TableMove, unique: &Unique) -> bool {
    let is_null = |column: &usize| matches!(table.columns[*column].source, ValueSource::New(None));
    if unique.columns.iter().any(is_null) {
        return false;
    }
    let kept = |column: &usize| table.keeps(*column).filter(|_| table.columns[*column].fill.is_none());
    let kept: Vec<_> = unique.columns.iter().filter_map(kept).collect();
    // what is unique in any case is so in its own
    let excludes = |before: &&Unique| before.ignores_case || !unique.ignores_case;
    !table.old.uniques.iter().filter(excludes).any(|before| before.columns.iter().all(|column| kept.contains(column)))
}

/// A check for each reference that referred to another table, or was not a reference.
pub(super) fn references(moves: &Moves) -> Vec<Step> {
    let columns = moves.tables.iter().flat_map(|table| (0..table.columns.len()).map(move |column| (table, column)));
    columns.filter_map(|(table, column)| reference(moves, table, column)).collect()
}

fn reference(moves: &Moves, table: &TableMove, column: usize) -> Option<Step> {
    let now = table.new.columns[column].references.as_ref()?;
    let old = &table.old.columns[table.keeps(column)?];
    let target = moves.name_before(&now.table);
    if target.is_some() && old.references.as_ref().map(|before| before.table.as_str()) == target {
        return None;
    }
    let (from, name) = (quoted(&table.old.name), quoted(&old.name));
    let missing = target.map_or_else(String::new, |target| {
        format!(" AND NOT EXISTS (SELECT 1 FROM {} AS target WHERE target.\"id\" = {from}.{name})", quoted(target))
    });
    let sql = format!("SELECT {name} FROM {from} WHERE {name} IS NOT NULL{missing} LIMIT 3");
    Some(Step::check(format!("{}: stored ids refer to rows that do not exist", table.columns[column].at), sql))
}
