//! Fields that every creation has to give, and that some of those who may create cannot set.

use super::stranger::Stranger;
use crate::check::FaultCode::UnsettableField;
use crate::check::place::Place;
use crate::check::{Checked, Fault};
use crate::field::Field;
use crate::resource::{Access, OperationKind};

/// Those of all resources that anyone may create.
pub(super) fn service(service: &Checked, faults: &mut Vec<Fault>) {
    for resource in &service.resources {
        let mut operations = resource.operations.iter();
        let anyone_creates = operations
            .any(|operation| operation.kind == OperationKind::Create && operation.access.contains(&Access::Anyone));
        if !anyone_creates {
            continue;
        }
        for field in resource.fields.iter().filter(|field| is_needed(field)) {
            let (key, callers) = setters(field);
            if callers.is_empty() || Stranger::may_be_among(callers, service, resource) {
                continue;
            }
            let definition = Place::Definition(&resource.name);
            let (fields, name) = (definition.key("fields"), &field.name);
            let message = format!(
                "`{name}` is required, and anyone may create `{}`, but a caller without credentials cannot set it",
                resource.name
            );
            let fault = fields.key(name).key(key).fault(UnsettableField, message);
            faults
                .push(fault.help("write `writable: anyone`: the author of a creation then sets it without seeing it"));
        }
    }
}

/// Whether every creation has to give the field.
fn is_needed(field: &Field) -> bool {
    field.required && field.default.is_none() && !field.read_only && field.computed.is_none()
}

/// Who sets a field of a new entity, and the key that says so.
fn setters(field: &Field) -> (&'static str, &[Access]) {
    if field.writable.is_empty() { ("visible", &field.visible) } else { ("writable", &field.writable) }
}
