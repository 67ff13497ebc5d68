//! Names of fields and definitions that are given twice, and different names that become the same column.

use crate::check::Fault;
use crate::check::FaultCode::{DuplicateField, DuplicateName, NameClash};
use crate::check::index::definitions_of;
use crate::check::place::Place;
use crate::field::Field;
use crate::names;
use crate::resource::Resource;
use crate::service::Service;
use crate::tables::{COMMON, Content, Slot, Table};
use std::collections::{HashMap, HashSet};

/// Fields of one structure. (Different camelCase names are also different in snake_case.)
pub(super) fn fields(sections: &[(Place<'_>, &[Field])], faults: &mut Vec<Fault>) {
    let mut seen: HashMap<&str, &Place<'_>> = HashMap::new();
    for (at, fields) in sections {
        for Field { name, .. } in *fields {
            if let Some(other) = seen.insert(name, at) {
                let fault = at.key(name).name_fault(DuplicateField, format!("two fields are named `{name}`"));
                faults.push(
                    fault.also(other.key(name).path().of_key(), "the other name is here").help("rename one of them"),
                );
            }
        }
    }
}

/// Definitions of one name.
pub(super) fn definitions(service: &Service, faults: &mut Vec<Fault>) {
    let mut known = HashSet::new();
    for (name, definition) in definitions_of(service) {
        if !known.insert(name) {
            let message = format!("`{name}` names {} and another definition", definition.word());
            faults.push(Place::Definition(name).name_fault(DuplicateName, message).help("rename one of them"));
        }
    }
}

/// Fields whose columns are called the same, as the tables would be made.
pub(super) fn columns(tables: &[(&Resource, Table)], faults: &mut Vec<Fault>) {
    for (resource, table) in tables {
        let mut seen = HashMap::new();
        for (column, definition) in table.columns.iter().enumerate() {
            if let Some(other) = seen.insert(definition.name.as_str(), column) {
                faults.extend(column_clash(resource, table, other, column));
            }
        }
    }
}

fn column_clash(resource: &Resource, table: &Table, one: usize, other: usize) -> Option<Fault> {
    let path_of = |column: usize| match path(&table.slots, column) {
        names if names.is_empty() => COMMON.get(column).map(|(name, _)| names::camel(name)),
        names => Some(names.join(".")),
    };
    let (first, dotted) = (path_of(one)?, path_of(other)?);
    if first == dotted {
        return None; // a duplicate, and told as such
    }
    let message = format!("`{dotted}` and `{first}` both need the column `{}`", table.columns[other].name);
    let definition = Place::Definition(&resource.name);
    let fields = definition.key("fields");
    let field = |column| path(&table.slots, column).first().map(|name| fields.key(name));
    let fault = field(other)?.name_fault(NameClash, message).help("rename one of them");
    // a common column has no place in the description
    Some(match field(one) {
        Some(at) => fault.also(at.path().of_key(), "the other name is here"),
        None => fault,
    })
}

/// The names that lead to a column.
fn path(slots: &[Slot], column: usize) -> Vec<&str> {
    let Some(slot) = slots.iter().find(|slot| slot.columns.contains(&column)) else { return Vec::new() };
    let mut names = vec![slot.name.as_str()];
    if let Content::Object { slots, .. } = &slot.content {
        names.extend(path(slots, column));
    }
    names
}
