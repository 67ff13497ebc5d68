//! Unique combinations of fields, and what `unique: ignoreCase` applies to.

use crate::check::Fault;
use crate::check::FaultCode::{CaselessType, NoUnique};
use crate::check::index::{DefinitionIndex, unknown_field};
use crate::check::place::Place;
use crate::check::rules::combinations::combinations;
use crate::check::rules::every_field;
use crate::field::{Field, Type};
use crate::resource::Resource;

/// The combinations of a resource: two fields or more, each there and of one value.
pub(super) fn unique(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let at = definition.key("unique");
    let sorted = resource.unique.iter().map(|combination| {
        let mut names: Vec<&str> = combination.iter().map(String::as_str).collect();
        names.sort_unstable();
        names
    });
    combinations(&resource.unique, &sorted.collect::<Vec<_>>(), &at, "unique", faults);
    for (position, names) in resource.unique.iter().enumerate() {
        let at = at.index(position);
        for (position, name) in names.iter().enumerate() {
            let at = at.index(position);
            match resource.field(name) {
                None => faults.push(unknown_field(resource, name, &at)),
                Some(field) => faults.extend(not_comparable(field).map(|why| no_unique(field, why, &at))),
            }
        }
    }
}

/// Objects in combinations.
pub(super) fn service(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    for resource in &index.service.resources {
        let definition = Place::Definition(&resource.name);
        let at = definition.key("unique");
        for (position, names) in resource.unique.iter().enumerate() {
            let at = at.index(position);
            for (position, name) in names.iter().enumerate() {
                let field = resource.field(name).filter(|field| index.object(&field.ty).is_some());
                faults.extend(field.map(|field| no_unique(field, "is an object", &at.index(position))));
            }
        }
    }
}

/// `ignoreCase` on a type without case. Objects and arrays cannot be unique at all: another fault reports them.
pub(super) fn case(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    every_field(index.service, |field, at| {
        let is_many = field.ty.is_never_null() || field.ty.is_free();
        let is_single = !is_many && index.object(&field.ty).is_none();
        if field.unique.ignores_case() && is_single && !matches!(field.ty, Type::String { .. }) {
            let message =
                format!("the type of `{}` is `{}`, and only strings have a case", field.name, field.ty.word());
            faults.push(at.key("unique").fault(CaselessType, message).help("write `unique: true`"));
        }
    });
}

fn not_comparable(field: &Field) -> Option<&'static str> {
    if matches!(field.ty, Type::Array { .. }) {
        Some("is an array")
    } else if field.ty.is_free() {
        Some("has values of any form")
    } else {
        field.secret.is_some().then_some("is a secret, and only its salted hash is stored")
    }
}

fn no_unique(field: &Field, why: &str, at: &Place<'_>) -> Fault {
    let fault = at.fault(NoUnique, format!("`{}` {why}, so it cannot be part of a unique combination", field.name));
    fault.help("name fields with a single value")
}
