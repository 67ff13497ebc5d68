//! What a database cannot store or return, whatever the values are.

use crate::check::FaultCode::{LongCombination, TooManyShown, WideRow};
use crate::check::place::Place;
use crate::check::{Checked, Fault, Kind};
use crate::field::{Field, Type};
use crate::resource::Resource;
use crate::tables::{MAX_INDEX_COLUMNS, MAX_RESULT_COLUMNS, MAX_ROW_BYTES, MAX_SHOWING, Table, shown_references};
use std::collections::HashMap;

/// The tables of a service. Wants columns that there are names for.
pub(super) fn of_tables(service: &Checked, tables: &[(&Resource, Table)], faults: &mut Vec<Fault>) {
    let by_name: HashMap<_, _> = tables.iter().map(|(resource, table)| (resource.name.as_str(), table)).collect();
    for (resource, table) in tables {
        row(resource, table, faults);
        combinations(resource, table, faults);
        let mut result = ResultSize { service, tables: &by_name, columns: table.columns.len() };
        result.add(&resource.fields);
        shown(resource, shown_references(service, resource), result.columns, faults);
    }
}

fn row(resource: &Resource, table: &Table, faults: &mut Vec<Fault>) {
    let bytes = table.row_bytes();
    if bytes > MAX_ROW_BYTES {
        let message = format!(
            "an entity of `{}` can need {bytes} bytes beside its long texts, and PostgreSQL stores {MAX_ROW_BYTES}",
            resource.name
        );
        let fault = Place::Definition(&resource.name).name_fault(WideRow, message);
        faults
            .push(fault.help("move parts of it into other resources, or into an array of objects, which is one value"));
    }
}

fn combinations(resource: &Resource, table: &Table, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let of_fields = table.uniques.len().saturating_sub(resource.unique.len());
    let uniques = table.uniques[of_fields..].iter().map(|unique| unique.columns.len());
    // the id follows
    let indexes = table.combined.iter().map(|combined| combined.columns().len() + 1);
    let keys = [("unique", uniques.collect::<Vec<_>>()), ("index", indexes.collect())];
    for (key, sizes) in keys {
        let at = definition.key(key);
        for (position, columns) in sizes.into_iter().enumerate().filter(|(_, columns)| *columns > MAX_INDEX_COLUMNS) {
            let message = format!("the index has {columns} columns, and PostgreSQL has at most {MAX_INDEX_COLUMNS}");
            let fault = at.index(position).fault(LongCombination, message);
            faults.push(fault.help("name fewer fields; a price counts twice in `unique`, and the id once in `index`"));
        }
    }
}

fn shown(resource: &Resource, references: usize, columns: usize, faults: &mut Vec<Fault>) {
    let message = if references > MAX_SHOWING {
        format!("{references} references show fields of other entities, and a database reads {MAX_SHOWING}")
    } else if columns > MAX_RESULT_COLUMNS {
        format!(
            "an entity has {columns} values with those that references show, and a database returns \
             {MAX_RESULT_COLUMNS}"
        )
    } else {
        return;
    };
    let fault = Place::Definition(&resource.name).name_fault(TooManyShown, message);
    faults.push(fault.help("remove `show` where clients do not need it"));
}

/// What a statement reads to show an entity.
struct ResultSize<'a> {
    service: &'a Checked,
    tables: &'a HashMap<&'a str, &'a Table>,
    columns: usize,
}

impl ResultSize<'_> {
    /// Adds what fields need beside their columns. An object never leads to itself.
    fn add(&mut self, fields: &[Field]) {
        for field in fields {
            // whether the caller sees it
            self.columns += usize::from(field.is_hidden());
            // an amount and a currency
            self.columns += if field.computed.is_some() { 2 } else { 0 };
            match self.service.kind(&field.ty) {
                Kind::Object(object) => self.add(&object.fields),
                Kind::Scalar(Type::Ref { to, show, .. }) if !show.is_empty() => self.add_shown(to, show),
                Kind::Scalar(_) | Kind::Enum(_) | Kind::Array(_) | Kind::Map(_) => {}
            }
        }
    }

    fn add_shown(&mut self, to: &str, show: &[String]) {
        // whether the caller sees the entity
        self.columns += 1;
        let (Some(resource), Some(table)) = (self.service.resource(to), self.tables.get(to)) else { return };
        for name in show {
            let is_hidden = resource.field(name).is_some_and(Field::is_hidden);
            self.columns += usize::from(is_hidden) + table.slot(name).map_or(1, |slot| slot.columns.len());
        }
    }
}
