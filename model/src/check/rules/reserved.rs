//! Reserved names: in Rust, in every entity, in every command, in every query.

use crate::check::Fault;
use crate::check::FaultCode::{CommandField, CommonField, ReservedParameter, ReservedType};
use crate::check::index::DefinitionIndex;
use crate::check::place::Place;
use crate::field::Field;
use crate::names::{self, COMMON_FIELDS};
use crate::resource::Resource;

/// What every command has beside those (§2.6).
const COMMAND_FIELDS: [&str; 2] = ["status", "errors"];

/// Query parameters with a fixed meaning, which cannot be filters (§4.3–4.6).
pub(super) const PARAMETERS: [&str; 6] = ["sort", "offset", "limit", "search", "dryRun", "include"];

/// The name of a resource, object or enum.
pub(super) fn definition(name: &str, faults: &mut Vec<Fault>) {
    if names::rust::is_no_type(name) {
        let message = format!("`{name}` cannot be the name of a type in Rust");
        let fault = Place::Definition(name).name_fault(ReservedType, message);
        faults.push(fault.help("choose a more precise name, for example of two words"));
    }
}

/// The common fields of an entity, written down.
pub(super) fn common_fields(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let fields = definition.key("fields");
    for name in COMMON_FIELDS.into_iter().filter(|name| resource.field(name).is_some()) {
        let message = format!("every resource already has `{name}`");
        faults.push(fields.key(name).name_fault(CommonField, message).help("remove it"));
    }
}

/// A command's own fields among its inputs or outputs.
pub(super) fn command_fields(fields: &[Field], at: &Place<'_>, faults: &mut Vec<Fault>) {
    for Field { name, .. } in fields.iter().filter(|field| is_of_command(&field.name)) {
        let fault = at.key(name).name_fault(CommandField, format!("every command already has `{name}`"));
        faults.push(fault.help(format!("choose a more precise name, as in `offer{}`", names::pascal(name))));
    }
}

/// Whether every command has a field of this name.
pub(super) fn is_of_command(name: &str) -> bool {
    COMMON_FIELDS.contains(&name) || COMMAND_FIELDS.contains(&name)
}

/// Filters that are called like another parameter.
pub(super) fn parameters(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let fields = definition.key("fields");
    let is_taken = |field: &&Field| field.filter.is_on() && PARAMETERS.contains(&field.name.as_str());
    for Field { name, .. } in resource.fields.iter().filter(is_taken) {
        let fault = fields.key(name).name_fault(ReservedParameter, format!("`{name}` is a reserved query parameter"));
        faults.push(fault.help("choose another name, or remove `filter`"));
    }
}

/// `search.id` as a filter, where an object is called `search`, or was.
pub(super) fn search_id(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let is_called = |field: &Field, name: &str| field.names().any(|known| known == name);
    for resource in &index.service.resources {
        for field in resource.fields.iter().filter(|field| is_called(field, "search")) {
            let Some(object) = index.object(&field.ty) else { continue };
            if object.fields.iter().any(|field| is_called(field, "id") && field.filter.is_on()) {
                let definition = Place::Definition(&resource.name);
                let at = definition.key("fields");
                let message = "`search.id` is a reserved query parameter";
                faults.push(at.key(&field.name).name_fault(ReservedParameter, message).help("choose another name"));
            }
        }
    }
}
