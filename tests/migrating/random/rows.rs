//! Rows of any table, as users of a version may have written them, and what can be said of all of them.

use crate::migrating::stores::Store;
use restwell_model::tables::{CREATED_AT, Column, ColumnKind, Content, Dialect, ID, Slot, Table, UPDATED_AT};
use restwell_model::{Checked, Field, Kind, Resource};

/// The rows that every table gets at a time.
const ROWS: u32 = 2;

/// Writes rows into every table. `dice` decides what is null.
pub(super) fn write(store: &dyn Store, service: &Checked, first: u32, dice: u32) {
    for resource in &service.resources {
        let table = Table::of(service, resource);
        for number in first..first + ROWS {
            let values = vec!["NULL".to_owned(); table.columns.len()];
            let mut writer = Writer { store, service, table: &table, number, dice, values };
            if writer.fields(&resource.fields, &table.slots) {
                writer.insert();
            }
        }
    }
}

struct Writer<'a> {
    store: &'a dyn Store,
    service: &'a Checked,
    table: &'a Table,
    number: u32,
    dice: u32,
    /// Of every column, as the program names them all.
    values: Vec<String>,
}

impl Writer<'_> {
    /// Whether there is a value for each that needs one.
    fn fields(&mut self, fields: &[Field], slots: &[Slot]) -> bool {
        fields.iter().zip(slots).all(|(field, slot)| self.field(field, slot))
    }

    fn field(&mut self, field: &Field, slot: &Slot) -> bool {
        self.dice = self.dice.rotate_left(3) ^ self.number;
        let is_given = field.required || field.unique.is_on() || !self.dice.is_multiple_of(3);
        match (&slot.content, self.service.kind(&field.ty)) {
            (Content::Object { optional, slots }, Kind::Object(object)) if is_given || !optional => {
                if *optional {
                    self.put(slot.columns.start, "true".to_owned());
                }
                self.fields(&object.fields, slots)
            }
            (Content::Object { .. }, _) => true,
            (Content::Array, _) => {
                self.put(slot.columns.start, "'[]'".to_owned());
                true
            }
            (Content::Map, _) => {
                self.put(slot.columns.start, "'{}'".to_owned());
                true
            }
            _ if !is_given => true,
            (Content::Reference, _) => {
                let column = &self.table.columns[slot.columns.start];
                let Some(foreign) = &column.references else { return false };
                let there = format!("SELECT id FROM \"{}\" ORDER BY id DESC LIMIT 1", foreign.table);
                let is_there = !self.store.rows(&there).is_empty();
                if is_there {
                    self.put(slot.columns.start, format!("({there})"));
                }
                is_there || !field.required
            }
            _ => {
                // rows of several versions share what need not be unique
                let number = if field.unique.is_on() { self.number } else { self.number % 10 };
                slot.columns.clone().for_each(|column| self.put(column, self.value(column, number)));
                true
            }
        }
    }

    fn value(&self, column: usize, number: u32) -> String {
        match self.table.columns[column].kind {
            ColumnKind::Boolean => "true".to_owned(),
            ColumnKind::Integer => number.to_string(),
            ColumnKind::Real => format!("{number}.5"),
            ColumnKind::Text => format!("'value {number}'"),
            ColumnKind::Json => format!("'[{number}]'"),
            ColumnKind::Uuid => id(self.store, number),
        }
    }

    fn put(&mut self, column: usize, value: String) {
        self.values[column] = value;
    }

    fn insert(&mut self) {
        self.put(ID, id(self.store, self.number));
        self.put(CREATED_AT, self.number.to_string());
        self.put(UPDATED_AT, self.number.to_string());
        let names: Vec<_> = self.table.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        let (name, names, values) = (&self.table.name, names.join(", "), self.values.join(", "));
        self.store.run(&format!("INSERT INTO \"{name}\" ({names}) VALUES ({values}) ON CONFLICT DO NOTHING"));
    }
}

/// An id as SQL writes it.
fn id(store: &dyn Store, number: u32) -> String {
    match store.dialect() {
        Dialect::Sqlite => format!("X'000000000000700080000000{number:08}'"),
        Dialect::Postgres => format!("'00000000-0000-7000-8000-0000{number:08}'"),
    }
}

/// Every row of a table, the same text from each database.
pub(super) fn all(store: &dyn Store, table: &Table) -> Vec<String> {
    let columns: Vec<_> = table.columns.iter().map(shown).collect();
    store.rows(&format!("SELECT {} FROM \"{}\" ORDER BY id", columns.join(", "), table.name))
}

/// A column of every row of a table, with the ids.
pub(super) fn column(store: &dyn Store, table: &Table, column: usize) -> Vec<String> {
    let column = shown(&table.columns[column]);
    store.rows(&format!("SELECT id, {column} FROM \"{}\" WHERE {column} IS NOT NULL ORDER BY id", table.name))
}

fn shown(column: &Column) -> String {
    let name = format!("\"{}\"", column.name);
    match column.kind {
        ColumnKind::Boolean => format!("CASE WHEN {name} THEN 'yes' WHEN NOT {name} THEN 'no' END"),
        _ => name,
    }
}

/// Rows that have a part of an object that is not there, or lack a part of one that is.
pub(super) fn torn(store: &dyn Store, service: &Checked, resource: &Resource) -> Vec<String> {
    let table = Table::of(service, resource);
    let mut conditions = Vec::new();
    objects(service, (&resource.fields, &table.slots), &table, None, &mut conditions);
    let torn = conditions.iter().filter(|condition| {
        !store.rows(&format!("SELECT 1 FROM \"{}\" WHERE {condition} LIMIT 1", table.name)).is_empty()
    });
    torn.cloned().collect()
}

fn objects(
    service: &Checked,
    (fields, slots): (&[Field], &[Slot]),
    table: &Table,
    there: Option<&str>,
    conditions: &mut Vec<String>,
) {
    let name = |column: usize| format!("\"{}\"", table.columns[column].name);
    for (field, slot) in fields.iter().zip(slots) {
        if let Some(there) = there {
            for column in slot.columns.clone().map(name) {
                conditions.push(format!("{there} IS NULL AND {column} IS NOT NULL"));
            }
            let is_part = !matches!(slot.content, Content::Object { .. });
            if is_part && (field.required || slot.content == Content::Array) {
                conditions.push(format!("{there} AND {} IS NULL", name(slot.columns.start)));
            }
        }
        if let (Content::Object { optional, slots }, Kind::Object(object)) = (&slot.content, service.kind(&field.ty)) {
            let own = optional.then(|| name(slot.columns.start));
            objects(service, (&object.fields, slots), table, own.as_deref().or(there), conditions);
        }
    }
}
