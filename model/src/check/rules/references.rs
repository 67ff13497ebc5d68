//! Types and references name an existing definition of the right kind.

use crate::check::Fault;
use crate::check::FaultCode::{HiddenShow, UnknownResource, UnknownType, WrongDefinition};
use crate::check::index::{Definition, DefinitionIndex, definitions_of, suggestion, unknown_field};
use crate::check::place::Place;
use crate::check::rules::{every_field, repeated_names};
use crate::field::{Field, Type};
use crate::language;
use crate::names::COMMON_FIELDS;
use crate::resource::Resource;

/// What the types of all fields name.
pub(super) fn types(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    every_field(index.service, |field, at| match &field.ty {
        Type::Array { items, .. } => of_type(index, items, &at.key("items"), faults),
        ty => of_type(index, ty, at, faults),
    });
}

fn of_type(index: &DefinitionIndex<'_>, ty: &Type, at: &Place<'_>, faults: &mut Vec<Fault>) {
    match ty {
        Type::Named { name } => named(index, name, &at.key("type"), faults),
        Type::Ref { to, show, .. } => reference(index, to, show, at, faults),
        _ => {}
    }
}

fn named(index: &DefinitionIndex<'_>, name: &str, at: &Place<'_>, faults: &mut Vec<Fault>) {
    match index.get(name) {
        Some(Definition::Enum(_) | Definition::Object(_)) => {}
        Some(Definition::Resource(_)) => {
            let fault = at
                .fault(WrongDefinition, format!("`{name}` is a resource; a field cannot contain it, only refer to it"));
            faults.push(fault.help(format!("write `type: ref, to: {name}`")));
        }
        None => {
            let mut fault = at.fault(UnknownType, format!("no type, object or enum is named `{name}`"));
            let defined = definitions_of(index.service).filter(|(_, d)| !matches!(d, Definition::Resource(_)));
            let known = defined.map(|(name, _)| name).chain(language::TYPES.iter().map(|table| table.what));
            fault.help =
                suggestion(name, known).or_else(|| Some(format!("define it: `object: {name}` or `enum: {name}`")));
            faults.push(fault);
        }
    }
}

fn reference(index: &DefinitionIndex<'_>, to: &str, show: &[String], at: &Place<'_>, faults: &mut Vec<Fault>) {
    match index.get(to) {
        Some(Definition::Resource(resource)) => shown(resource, show, &at.key("show"), faults),
        Some(other) => {
            let fault =
                at.key("to").fault(WrongDefinition, format!("`{to}` is {}, but it must be a resource", other.word()));
            faults.push(fault.help(format!("write `type: {to}`")));
        }
        None => {
            let mut fault = at.key("to").fault(UnknownResource, format!("the resource `{to}` does not exist"));
            fault.help = suggestion(to, index.service.resources.iter().map(|r| r.name.as_str()));
            faults.push(fault);
        }
    }
}

fn shown(resource: &Resource, show: &[String], at: &Place<'_>, faults: &mut Vec<Fault>) {
    repeated_names(show.iter().map(String::as_str), at, faults);
    for (position, name) in show.iter().enumerate() {
        let at = at.index(position);
        let hidden = match resource.field(name) {
            _ if name == "id" => Some("is always shown, so `show` need not name it"),
            None if COMMON_FIELDS.contains(&name.as_str()) => None,
            None => {
                faults.push(unknown_field(resource, name, &at));
                None
            }
            Some(field) => why_hidden(field),
        };
        if let Some(why) = hidden {
            let fault = at.fault(HiddenShow, format!("`{name}` of `{}` {why}", resource.name));
            faults.push(fault.help(format!("remove `{name}` from `show`")));
        }
    }
}

fn why_hidden(field: &Field) -> Option<&'static str> {
    if field.write_only {
        Some("is `writeOnly`, so it cannot be shown")
    } else if field.views.is_some() {
        Some("exists only in some views, so not every caller may see it")
    } else if matches!(field.ty.element(), Type::Ref { .. }) {
        Some("is itself a reference, so it cannot be shown")
    } else {
        None
    }
}
