//! Finds the source of each column's values for a resource that both models have, field by field.

use super::convert::{Conversion, conversion};
use super::json::JsonRenames;
use super::moves::{ColumnMove, Fill, TableMove, ValueSource, quoted};
use super::script::Step;
use crate::changes::{Pair, pairs};
use crate::check::{Checked, Kind, ModelPath};
use crate::field::Field;
use crate::resource::Resource;
use crate::tables::{COMMON, Content, Dialect, Slot, Table, is_never_null};

/// The columns of one table, with the checks that they need.
pub(super) struct ColumnMoves {
    pub(super) table: TableMove,
    /// The checks of the stored values.
    pub(super) checks: Vec<Step>,
    /// The first columns of unique fields, with the place of `unique`.
    pub(super) uniques: Vec<(usize, ModelPath)>,
}

pub(super) fn of(
    (old, before): (&Checked, &Resource),
    (new, now): (&Checked, &Resource),
    (old_table, new_table): (Table, Table),
    dialect: Dialect,
) -> ColumnMoves {
    let at = ModelPath::definition(&now.name);
    let mut walk = ColumnWalk {
        old,
        new,
        dialect,
        table: &old_table,
        now: &new_table,
        columns: (0..COMMON.len())
            .map(|column| ColumnMove { source: ValueSource::Old(column), fill: None, at: at.clone() })
            .collect(),
        checks: Vec::new(),
        uniques: Vec::new(),
    };
    let sides = FieldSlots { old: (&before.fields, &old_table.slots), new: (&now.fields, &new_table.slots) };
    walk.fields(sides, &at.key("fields"), &Enclosing::default());
    let ColumnWalk { columns, checks, uniques, .. } = walk;
    ColumnMoves { table: TableMove { old: old_table, new: new_table, columns }, checks, uniques }
}

/// The fields of both models, with their columns.
#[derive(Clone, Copy)]
struct FieldSlots<'a> {
    old: (&'a [Field], &'a [Slot]),
    new: (&'a [Field], &'a [Slot]),
}

/// The object that contains the fields.
#[derive(Default)]
struct Enclosing {
    /// The stored rows that have the object: SQL over the old columns; `None`: all rows.
    there: Option<String>,
    /// Rows without the object get it by this migration.
    opened: bool,
}

impl Enclosing {
    /// A value in the rows that have the object.
    fn of_there(&self, value: String) -> String {
        match &self.there {
            Some(there) => format!("CASE WHEN {there} THEN {value} END"),
            None => value,
        }
    }
}

struct ColumnWalk<'a> {
    old: &'a Checked,
    new: &'a Checked,
    dialect: Dialect,
    /// The old table.
    table: &'a Table,
    /// The new table.
    now: &'a Table,
    /// The columns of the new table, in their order.
    columns: Vec<ColumnMove>,
    checks: Vec<Step>,
    uniques: Vec<(usize, ModelPath)>,
}

impl<'a> ColumnWalk<'a> {
    fn fields(&mut self, sides: FieldSlots<'a>, at: &ModelPath, within: &Enclosing) {
        let pairs = pairs(sides.old.0, sides.new.0);
        // the new ones come first, in their order: that of the columns
        for (pair, slot) in pairs.into_iter().zip(sides.new.1) {
            let (old, field) = match pair {
                Pair::Both(old, new) => (Some(old), new),
                Pair::New(new) => (None, new),
                Pair::Old(_) => continue,
            };
            // what is computed has no columns
            if field.computed.is_some() {
                continue;
            }
            let at = at.key(&field.name);
            if field.unique.is_on() {
                self.uniques.push((slot.columns.start, at.key("unique")));
            }
            let old = old.filter(|old| old.computed.is_none());
            let old = old.and_then(|old| Some((old, sides.old.1.iter().find(|slot| slot.name == old.name)?)));
            match old {
                Some(old) => self.field(old, (field, slot), &at, within),
                None => self.fresh(field, slot, &at, within),
            }
        }
    }

    fn field(&mut self, old: (&'a Field, &'a Slot), new: (&'a Field, &'a Slot), at: &ModelPath, within: &Enclosing) {
        let ((field, slot), (before, was)) = (new, old);
        match (self.old.kind(&before.ty), self.new.kind(&field.ty)) {
            (Kind::Object(old), Kind::Object(new)) => {
                if let (Content::Object { optional: was_optional, slots: were }, Content::Object { optional, slots }) =
                    (&was.content, &slot.content)
                {
                    let inner = self.presence((*was_optional, was.columns.start), *optional, at, within);
                    let sides = FieldSlots { old: (&old.fields, were), new: (&new.fields, slots) };
                    self.fields(sides, &ModelPath::definition(&new.name).key("fields"), &inner);
                }
            }
            (Kind::Array(_), Kind::Array(_)) | (Kind::Map(_), Kind::Map(_)) => {
                let empty = if slot.content == Content::Map { "{}" } else { "[]" };
                let is_closed = field.is_never_empty() && is_never_null(field) && !is_never_null(before);
                let fill = (within.opened || is_closed).then(|| self.default(slot.columns.start)).flatten();
                let fill = fill
                    .map(|value| Fill { value: within.of_there(value), replaces_empty: is_closed.then_some(empty) });
                let column = was.columns.start;
                let renames = JsonRenames::of_types((self.old, &before.ty), (self.new, &field.ty));
                let source = match renames {
                    Some(it) => ValueSource::Computed(it.sql(&quoted(&self.table.columns[column].name), self.dialect)),
                    None => ValueSource::Old(column),
                };
                self.push(source, fill, at);
            }
            (old, new) => {
                let column = &self.table.columns[was.columns.start].name;
                match conversion(old, new, &quoted(column), self.dialect) {
                    Conversion::Dropped => self.fresh(field, slot, at, within),
                    Conversion::Same => {
                        let fills = self.fills((before, was), (field, slot), within);
                        for (column, fill) in was.columns.clone().zip(fills) {
                            self.push(ValueSource::Old(column), fill, at);
                        }
                    }
                    Conversion::Computed { sql, wrong } => {
                        if let Some((condition, wrong)) = wrong {
                            let table = quoted(&self.table.name);
                            let query = format!("SELECT \"{column}\" FROM {table} WHERE {condition} LIMIT 3");
                            self.checks.push(Step::check(format!("{at}: {wrong}"), query));
                        }
                        let fill = self.fills((before, was), (field, slot), within).into_iter().next().flatten();
                        self.push(ValueSource::Computed(sql), fill, at);
                    }
                }
            }
        }
    }

    /// The column that records whether an object is present, and the effect on the fields in the object.
    fn presence(&mut self, old: (bool, usize), optional: bool, at: &ModelPath, within: &Enclosing) -> Enclosing {
        let (was_optional, column) = old;
        let there = match was_optional {
            true => Some(quoted(&self.table.columns[column].name)),
            false => within.there.clone(),
        };
        if !optional {
            return Enclosing { there: within.there.clone(), opened: was_optional || within.opened };
        }
        let source = match was_optional {
            true => ValueSource::Old(column),
            false => where_there(Some(self.dialect.boolean(true).to_owned()), within),
        };
        self.push(source, None, at);
        Enclosing { there, opened: false }
    }

    /// The defaults that replace null in columns that cannot be null any more.
    fn fills(&self, old: (&Field, &Slot), new: (&Field, &Slot), within: &Enclosing) -> Vec<Option<Fill>> {
        let ((before, was), (field, slot)) = (old, new);
        let nullable = self.table.columns[was.columns.start].nullable;
        let needed = is_never_null(field) && nullable && (!is_never_null(before) || within.opened);
        if !needed {
            return was.columns.clone().map(|_| None).collect();
        }
        let fill = |column| self.default(column).map(|value| Fill::of_null(within.of_there(value)));
        slot.columns.clone().map(fill).collect()
    }

    /// A field that stored rows do not have.
    fn fresh(&mut self, field: &'a Field, slot: &'a Slot, at: &ModelPath, within: &Enclosing) {
        match (&slot.content, self.new.kind(&field.ty)) {
            // the rows have neither the object nor its fields
            (Content::Object { optional: true, .. }, _) if self.default(slot.columns.start).is_none() => {
                slot.columns.clone().for_each(|_| self.push(ValueSource::New(None), None, at));
            }
            (Content::Object { optional, slots }, Kind::Object(object)) => {
                if *optional {
                    self.made(slot.columns.start, at, within);
                }
                let at = ModelPath::definition(&object.name).key("fields");
                for (field, slot) in object.fields.iter().zip(slots) {
                    self.fresh(field, slot, &at.key(&field.name), within);
                }
            }
            _ => slot.columns.clone().for_each(|column| self.made(column, at, within)),
        }
    }

    /// A column filled with its default.
    fn made(&mut self, column: usize, at: &ModelPath, within: &Enclosing) {
        let source = where_there(self.default(column), within);
        self.push(source, None, at);
    }

    /// The default of a new column.
    fn default(&self, column: usize) -> Option<String> {
        self.dialect.literal(&self.now.columns[column].default)
    }

    fn push(&mut self, source: ValueSource, fill: Option<Fill>, at: &ModelPath) {
        self.columns.push(ColumnMove { source, fill, at: at.clone() });
    }
}

/// A value in the rows that have the object, null in the others.
fn where_there(value: Option<String>, within: &Enclosing) -> ValueSource {
    match value {
        Some(value) if within.there.is_some() => ValueSource::Computed(within.of_there(value)),
        value => ValueSource::New(value),
    }
}
