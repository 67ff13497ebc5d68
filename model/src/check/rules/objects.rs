//! Objects and enums: not empty, not recursive, not too large, and used somewhere.

use crate::check::Fault;
use crate::check::FaultCode::{EmptyEnum, EmptyObject, ObjectRecursion, TooManyFields, UnusedDefinition};
use crate::check::cycles;
use crate::check::index::{DefinitionIndex, definitions_of};
use crate::check::place::Place;
use crate::check::rules::{every_field, repeated_names};
use crate::field::{Field, Type};
use crate::service::{Enum, Object};
use std::collections::{HashMap, HashSet};

/// The most fields of a resource, those of its objects counted in: a table of PostgreSQL has 1,600 columns at most, one
/// of SQLite 2,000, and a price takes two.
const MAX_FIELDS: usize = 750;

/// An enum's values: there are some, each once.
pub(super) fn values(enumeration: &Enum, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&enumeration.name);
    let at = definition.key("values");
    if enumeration.values.is_empty() {
        let fault = at.fault(EmptyEnum, format!("`{}` has no values", enumeration.name));
        faults.push(fault.help("list the values, as in `values: [WHITE, BLACK]`"));
    }
    repeated_names(enumeration.values.iter().map(String::as_str), &at, faults);
}

/// An object's fields: there are some.
pub(super) fn fields(object: &Object, faults: &mut Vec<Fault>) {
    if object.fields.is_empty() {
        let definition = Place::Definition(&object.name);
        let fault = definition.key("fields").fault(EmptyObject, format!("`{}` has no fields", object.name));
        faults.push(fault.help("list its fields, or remove the object"));
    }
}

/// Objects that contain themselves.
pub(super) fn recursion(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let objects = &index.service.objects;
    let numbers: HashMap<&str, usize> = objects.iter().enumerate().map(|(n, o)| (o.name.as_str(), n)).collect();
    let inner = |field: &Field| match field.ty.element() {
        Type::Named { name } => numbers.get(name.as_str()).copied(),
        _ => None,
    };
    let next: Vec<Vec<usize>> = objects.iter().map(|o| o.fields.iter().filter_map(inner).collect()).collect();
    for cycle in cycles::cycles(&next) {
        let names: Vec<String> = cycle.iter().map(|&node| format!("`{}`", objects[node].name)).collect();
        let object = &objects[cycle[0]];
        let following = cycle[1 % cycle.len()];
        let Some(field) = object.fields.iter().find(|field| inner(field) == Some(following)) else { continue };
        let message = match names.as_slice() {
            [alone] => format!("{alone} contains itself"),
            _ => format!("{} contain each other", names.join(", ")),
        };
        let definition = Place::Definition(&object.name);
        let at = definition.key("fields");
        let fault = at.key(&field.name).key("type").fault(ObjectRecursion, message);
        faults.push(fault.help("make it a resource, and refer to it with `type: ref`"));
    }
}

/// Resources and commands that grow too big by their objects. Wants objects that have an end.
pub(super) fn size<'a>(index: &DefinitionIndex<'a>, faults: &mut Vec<Fault>) {
    let mut sizes = HashMap::new();
    let mut check = |name: &str, fields: &[&'a [Field]], at: &Place<'_>| {
        let size = fields.iter().map(|fields| size_of(fields, index, &mut sizes)).fold(0, usize::saturating_add);
        if size > MAX_FIELDS {
            let message = format!("`{name}` has {size} fields, the fields of its objects included");
            let fault = at.name_fault(TooManyFields, message);
            faults.push(fault.help(format!("move parts of it into other resources; the limit is {MAX_FIELDS} fields")));
        }
    };
    for resource in &index.service.resources {
        let definition = Place::Definition(&resource.name);
        check(&resource.name, &[&resource.fields], &definition);
        let commands = definition.key("commands");
        for command in &resource.commands {
            check(&command.name, &[&command.input, &command.output], &commands.key(&command.name));
        }
    }
}

/// The number of fields, with the fields of objects at each use. Every object is visited once.
fn size_of<'a>(fields: &'a [Field], index: &DefinitionIndex<'a>, sizes: &mut HashMap<&'a str, usize>) -> usize {
    let mut size = fields.len();
    for object in fields.iter().filter_map(|field| index.object(field.ty.element())) {
        let inner = match sizes.get(object.name.as_str()) {
            Some(&known) => known,
            None => size_of(&object.fields, index, sizes),
        };
        sizes.insert(&object.name, inner);
        size = size.saturating_add(inner);
    }
    size
}

/// Objects and enums that no field has as its type.
pub(super) fn unused(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let mut used = HashSet::new();
    every_field(index.service, |field, _| {
        if let Type::Named { name } = field.ty.element() {
            used.insert(name.as_str());
        }
    });
    let resources: HashSet<&str> = index.service.resources.iter().map(|r| r.name.as_str()).collect();
    for (name, definition) in definitions_of(index.service) {
        if !used.contains(name) && !resources.contains(name) {
            let message = format!("`{name}`, {}, is not used", definition.word());
            let fault = Place::Definition(name).name_fault(UnusedDefinition, message);
            faults.push(fault.help(format!("give a field `type: {name}`, or remove the definition")));
        }
    }
}
