//! `visible` and `writable` of fields: where they stand, and what they can say.

use super::{every_field, operations};
use crate::check::FaultCode::{FieldVisible, FieldWritable, MisplacedFieldAccess};
use crate::check::index::DefinitionIndex;
use crate::check::place::Place;
use crate::check::{Fault, FaultCode};
use crate::field::Field;
use crate::resource::{OperationKind, Resource};

/// Those of the fields of a resource.
pub(super) fn of_resource(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let fields = definition.key("fields");
    for field in &resource.fields {
        let at = fields.key(&field.name);
        for (key, callers) in [("visible", &field.visible), ("writable", &field.writable)] {
            if !callers.is_empty() {
                operations::access(callers, &at.key(key), faults);
            }
        }
        if let Some((why, help)) = cannot_be_hidden(resource, field).filter(|_| !field.visible.is_empty()) {
            faults.push(fault(FieldVisible, &at.key("visible"), why, help));
        }
        if let Some((why, help)) = is_never_written(resource, field).filter(|_| !field.writable.is_empty()) {
            faults.push(fault(FieldWritable, &at.key("writable"), why, help));
        }
    }
}

fn fault(code: FaultCode, at: &Place<'_>, why: &str, help: &str) -> Fault {
    at.fault(code, why).help(help)
}

/// Why a field cannot be hidden from some callers, and the cure.
fn cannot_be_hidden(resource: &Resource, field: &Field) -> Option<(&'static str, &'static str)> {
    let is_state = resource.lifecycle.as_ref().is_some_and(|lifecycle| lifecycle.field == field.name);
    if field.write_only {
        Some(("no caller sees a `writeOnly` field", "remove `visible`"))
    } else if resource.owner_field() == Some(field.name.as_str()) {
        let why = "the owner decides what callers may do, so they learn who it is";
        Some((why, "remove `visible`, or hide the entities with `visible` of the resource"))
    } else if is_state {
        let why = "the state of a lifecycle decides which commands are refused, so callers learn it";
        Some((why, "remove `visible`, or hide the entities with `visible` of the resource"))
    } else {
        None
    }
}

/// Why no request changes a field, and the cure.
fn is_never_written(resource: &Resource, field: &Field) -> Option<(&'static str, &'static str)> {
    use OperationKind::{Create, Patch, Update};
    let own = resource.operations.iter();
    let mut all = own.chain(resource.views.iter().flat_map(|view| &view.operations)).map(|operation| operation.kind);
    if field.computed.is_some() {
        Some(("nothing writes a computed field", "remove `writable`"))
    } else if field.read_only {
        Some(("requests never set a `readOnly` field", "remove `writable`"))
    } else if field.immutable && !all.clone().any(|kind| kind == Create) {
        Some(("an `immutable` field is set at creation, and no request creates these entities", "remove `writable`"))
    } else if !all.any(|kind| matches!(kind, Create | Update | Patch)) {
        Some(("no request changes these entities", "remove `writable`"))
    } else {
        None
    }
}

/// The same on fields of objects, and of inputs and outputs of commands: these have no entity that decides.
pub(super) fn misplaced(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let is_of_resource = |at: &Place<'_>| match at {
        Place::Key(Place::Key(Place::Definition(name), "fields"), _) => index.resource(name).is_some(),
        _ => false,
    };
    every_field(index.service, |field, at| {
        let keys = [("visible", !field.visible.is_empty()), ("writable", !field.writable.is_empty())];
        for (key, _) in keys.into_iter().filter(|(_, is_set)| *is_set && !is_of_resource(at)) {
            let message = format!("`{key}` is for fields of resources: here no entity says who its owner is");
            let help = format!("write `{key}` on the field of the resource that has `{}` in it", field.name);
            faults.push(at.key(key).fault(MisplacedFieldAccess, message).help(help));
        }
    });
}
