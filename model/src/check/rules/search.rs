//! Searches (§2.5): a search uses only searchable fields and has at least one.

use crate::check::Fault;
use crate::check::FaultCode::{EmptySearch, Unsearchable};
use crate::check::index::{DefinitionIndex, unknown_field};
use crate::check::place::Place;
use crate::check::rules::repeated_names;
use crate::field::{Field, Type};
use crate::resource::{Resource, Search};
use std::collections::HashSet;

/// The fields that a search names are there.
pub(super) fn fields(resource: &Resource, faults: &mut Vec<Fault>) {
    let Search::Fields(names) = &resource.search else { return };
    let definition = Place::Definition(&resource.name);
    let at = definition.key("search");
    repeated_names(names.iter().map(String::as_str), &at, faults);
    for (position, name) in names.iter().enumerate() {
        if resource.field(name).is_none() {
            faults.push(unknown_field(resource, name, &at.index(position)));
        }
    }
}

/// What a search covers can be searched for, and there is something.
pub(super) fn service(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    for resource in &index.service.resources {
        let definition = Place::Definition(&resource.name);
        let at = definition.key("search");
        let is_empty = match &resource.search {
            Search::None => false,
            Search::All => !resource.fields.iter().any(|field| is_searchable(index, field)),
            Search::Fields(names) => {
                for (position, name) in names.iter().enumerate() {
                    let field = resource.field(name).filter(|field| !is_searchable(index, field));
                    faults.extend(field.map(|field| unsearchable(field, &at.index(position))));
                }
                names.is_empty()
            }
        };
        if is_empty {
            let fault = at.fault(EmptySearch, format!("`{}` has no fields that a search could use", resource.name));
            faults.push(fault.help("add `filter: true` to a field, or remove `search`"));
        }
    }
}

fn is_array(field: &Field) -> bool {
    !field.write_only && matches!(&field.ty, Type::Array { items, .. } if !items.is_free())
}

fn unsearchable(field: &Field, at: &Place<'_>) -> Fault {
    let name = &field.name;
    let (why, help) = if field.write_only {
        ("is `writeOnly`", format!("remove `{name}` from `search`"))
    } else if field.ty.element().is_free() || field.ty.is_free() {
        ("has values of any form", format!("remove `{name}` from `search`"))
    } else {
        ("is not filterable", format!("add `filter: true` to `{name}`"))
    };
    at.fault(Unsearchable, format!("`{name}` {why}")).help(help)
}

/// Whether a search can have a field: a filterable one, an array, or an object that has some.
fn is_searchable(index: &DefinitionIndex<'_>, field: &Field) -> bool {
    if field.write_only {
        return false;
    }
    let mut seen = HashSet::new();
    let mut open = vec![field];
    while let Some(field) = open.pop() {
        match index.object(&field.ty) {
            Some(object) if seen.insert(object.name.as_str()) => open.extend(&object.fields),
            Some(_) => {}
            None if field.filter.is_on() || is_array(field) => return true,
            None => {}
        }
    }
    false
}
