//! Reserved names: in Rust, in every entity, in every command, in every query.

use crate::check::Fault;
use crate::check::FaultCode::{CommandField, CommonField, ReservedParameter, ReservedPath, ReservedType};
use crate::check::index::DefinitionIndex;
use crate::check::place::Place;
use crate::field::{Field, Type};
use crate::names::{self, COMMON_FIELDS};
use crate::resource::{Command, Resource, Search};

/// What every command has beside those (§2.6).
const COMMAND_FIELDS: [&str; 2] = ["status", "errors"];

/// Query parameters with a fixed meaning, which cannot be filters (§4.3–4.6).
const PARAMETERS: [&str; 6] = ["sort", "offset", "limit", "search", "dryRun", "include"];

/// Parameters and members of searches that lists are going to have. What can be filtered or searched has other names.
const COMING_PARAMETERS: [&str; 8] =
    ["expand", "after", "words", "anyOf", "groupBy", "measures", "groupTimezone", "at"];

/// What lists are going to be sorted by, beside fields.
const RELEVANCE: &str = "relevance";

/// Commands that resources are going to have.
const COMING_COMMANDS: [&str; 1] = ["creation"];

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

/// Fields that are called like a parameter of lists. [`taken_parameter`] says of former names.
pub(super) fn parameters(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let fields = definition.key("fields");
    for field in &resource.fields {
        if let Some((reason, help)) = taken_parameter(resource, field, &field.name) {
            let fault = fields.key(&field.name).name_fault(ReservedParameter, reason);
            faults.push(fault.help(format!("choose another name, or remove {help}")));
        }
    }
}

/// Why a field of a resource cannot be called so in its lists, and the key that makes it a parameter there.
pub(super) fn taken_parameter(resource: &Resource, field: &Field, name: &str) -> Option<(String, &'static str)> {
    let is_filter = field.filter.is_on();
    if is_filter && PARAMETERS.contains(&name) {
        return Some((format!("`{name}` is a reserved query parameter"), "`filter`"));
    }
    let is_searched = is_searched_array(resource, field);
    if COMING_PARAMETERS.contains(&name) && (is_filter || is_searched) {
        let help = if is_filter { "`filter`" } else { "it from `search`" };
        return Some((format!("`{name}` is reserved for a query parameter of lists or a member of searches"), help));
    }
    let is_relevance = field.sort && name == RELEVANCE;
    is_relevance.then(|| (format!("`{name}` is reserved for the order of found words in `sort`"), "`sort`"))
}

/// Whether a search has criteria for an array: those are not filters.
fn is_searched_array(resource: &Resource, field: &Field) -> bool {
    let is_array = matches!(&field.ty, Type::Array { items, .. } if !items.is_free()) && !field.write_only;
    is_array
        && match &resource.search {
            Search::None => false,
            Search::All => true,
            Search::Fields(names) => names.contains(&field.name),
        }
}

/// Commands of a resource whose paths are taken, under each of their names.
pub(super) fn commands(commands: &[Command], at: &Place<'_>, faults: &mut Vec<Fault>) {
    let message = |name: &str| format!("`{name}` is reserved for the command that creates many entities");
    for command in commands {
        let at = at.key(&command.name);
        if COMING_COMMANDS.contains(&command.name.as_str()) {
            faults.push(at.name_fault(ReservedPath, message(&command.name)).help("rename the command"));
        }
        let former = command.formerly.as_ref().map(|former| former.name.as_str());
        if let Some(name) = former.filter(|name| COMING_COMMANDS.contains(name)) {
            let formerly = at.key("formerly");
            faults.push(formerly.key("name").fault(ReservedPath, message(name)).help("remove `formerly`"));
        }
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
