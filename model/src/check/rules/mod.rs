//! All rules, in the order in which they run: those of one definition, then those of the whole service.

mod access_conditions;
mod announcements;
mod client_names;
mod combinations;
mod commands;
mod computed;
mod condition_names;
mod conditions;
pub(crate) mod constraints;
mod exemptions;
mod field_access;
mod flat_references;
mod former_names;
mod identity;
mod indexes;
mod keys;
mod lifecycle;
mod name_conflicts;
mod names;
mod negated_callers;
mod object_uses;
mod objects;
mod open_writes;
mod operations;
mod ownership;
mod paths;
mod references;
mod required;
mod reserved;
mod schema_rules;
mod search;
mod states;
mod store_limits;
mod stranger;
mod unindexed_conditions;
mod unique;
mod unsettable;
mod values;
mod versions;
mod views;

use super::FaultCode::{
    self, DuplicateName, MapValues, NameClash, NestedArray, ObjectRecursion, PathClash, RepeatedName,
    ReservedParameter, TooManyFields, UnderClash,
};
use super::index::DefinitionIndex;
use super::place::Place;
use super::{Checked, Fault};
use crate::field::Field;
use crate::resource::{Command, Resource};
use crate::service::{Enum, Object, Service};
use crate::tables::Table;
use std::collections::HashMap;
use std::hash::Hash;

/// What needs an enum only.
pub(super) fn enumeration(enumeration: &Enum, faults: &mut Vec<Fault>) {
    let at = Place::Definition(&enumeration.name);
    names::definition(&enumeration.name, faults);
    reserved::definition(&enumeration.name, faults);
    names::values(enumeration, faults);
    objects::values(enumeration, faults);
    announcements::of_enum(enumeration, faults);
    exemptions::allow(&enumeration.allow, &at, faults);
}

/// What needs an object only.
pub(super) fn object(object: &Object, faults: &mut Vec<Fault>) {
    let at = Place::Definition(&object.name);
    names::definition(&object.name, faults);
    reserved::definition(&object.name, faults);
    objects::fields(object, faults);
    fields(&object.fields, &at, faults);
    announcements::of_object(object, faults);
    former_names::of_object(object, faults);
    exemptions::allow(&object.allow, &at, faults);
}

/// What needs a resource only.
pub(super) fn resource(resource: &Resource, faults: &mut Vec<Fault>) {
    let at = Place::Definition(&resource.name);
    names::definition(&resource.name, faults);
    names::plural(resource, faults);
    reserved::definition(&resource.name, faults);
    versions::resource(resource, faults);
    ownership::owner(resource, faults);
    ownership::under(resource, faults);
    unique::unique(resource, faults);
    indexes::combined(resource, faults);
    operations::operations(&resource.operations, &at.key("operations"), faults);
    condition_names::of_resource(resource, faults);
    operations::visible(resource, &at, faults);
    operations::of_no_path(resource, &at.key("operations"), faults);
    open_writes::open_writes(resource, faults);
    views::views(resource, faults);
    search::fields(resource, faults);
    commands::commands(resource, faults);
    fields(&resource.fields, &at, faults);
    reserved::common_fields(resource, faults);
    reserved::parameters(resource, faults);
    versions::fields(resource, faults);
    required::read_only(resource, faults);
    required::conditions(resource, faults);
    computed::fields(resource, faults);
    field_access::of_resource(resource, faults);
    schema_rules::codes(resource, faults);
    states::lifecycle(resource, faults);
    lifecycle::sunset(resource.deprecated, resource.sunset.is_some(), &at, faults);
    announcements::of_resource(resource, faults);
    former_names::of_resource(resource, faults);
    exemptions::allow(&resource.allow, &at, faults);
}

/// What the conditions of resources tell without the rest of the service.
pub(super) fn conditions(candidate: &Checked, faults: &mut Vec<Fault>) {
    conditions::alone(candidate, faults);
}

/// What needs a command only.
pub(super) fn command(command: &Command, faults: &mut Vec<Fault>) {
    commands::command(command, &Place::Definition(&command.name), faults);
}

/// What needs the object only that a command's output is written as.
pub(super) fn output(object: &Object, faults: &mut Vec<Fault>) {
    let at = Place::Definition(&object.name);
    reserved::definition(&object.name, faults);
    objects::fields(object, faults);
    commands::output(&object.fields, &at.key("fields"), faults);
    exemptions::allow(&object.allow, &at, faults);
}

/// What needs the whole service. The candidate is not checked yet.
pub(super) fn service(candidate: &Checked, index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    names::service(index.service, faults);
    name_conflicts::definitions(index.service, faults);
    former_names::of_service(index.service, faults);
    exemptions::of_service(index.service, faults);
    names::numbers(index, faults);
    flat_references::service(index, faults);
    reserved::search_id(index, faults);
    references::types(index, faults);
    objects::unused(index, faults);
    constraints::unique_items(index, faults);
    constraints::map_values(index, faults);
    keys::objects(index, faults);
    required::cycles(index, faults);
    required::misplaced(index, faults);
    computed::types(index, faults);
    field_access::misplaced(index, faults);
    schema_rules::paths(index, faults);
    states::states(index, faults);
    ownership::service(index, faults);
    versions::objects(index, faults);
    views::through(index, faults);
    search::service(index, faults);
    unique::service(index, faults);
    unique::case(index, faults);
    condition_names::of_service(index.service, faults);
    access_conditions::service(candidate, faults);
    lifecycle::renamed_resources(index, faults);
    announcements::inside_definitions(index, faults);
    paths::clashes(index, faults);
    objects::recursion(index, faults);
    if !has(faults, &[DuplicateName, NestedArray, MapValues, ObjectRecursion]) {
        objects::size(index, faults);
        if !has(faults, &[TooManyFields]) {
            let tables: Vec<_> = candidate.resources.iter().map(|it| (it, Table::of(candidate, it))).collect();
            name_conflicts::columns(&tables, faults);
            // a clash that another rule has reported is not reported again
            if !has(faults, &[NameClash, PathClash, RepeatedName, ReservedParameter, UnderClash]) {
                client_names::operations(candidate, faults);
                client_names::parameters(candidate, faults);
                client_names::members(candidate, faults);
            }
            indexes::many(&tables, faults);
            indexes::long(&tables, faults);
            store_limits::of_tables(candidate, &tables, faults);
            unindexed_conditions::service(candidate, &tables, faults);
            negated_callers::service(candidate, faults);
            unsettable::service(candidate, faults);
            values::defaults_and_examples(candidate, faults);
            access_conditions::asynchronous(candidate, faults);
            conditions::service(candidate, faults);
        }
    }
}

/// Rules that follow objects to their end must not run while an object contains itself or is too large.
fn has(faults: &[Fault], codes: &[FaultCode]) -> bool {
    faults.iter().any(|fault| codes.contains(&fault.code))
}

/// What holds for the fields of a resource or an object.
fn fields(fields: &[Field], definition: &Place<'_>, faults: &mut Vec<Fault>) {
    let at = definition.key("fields");
    for item in fields {
        field(item, &at.key(&item.name), faults);
    }
    name_conflicts::fields(&[(at, fields)], faults);
    flat_references::ids(fields, &at, faults);
    lifecycle::renamed_fields(fields, &at, faults);
}

/// What holds for any field: of a resource, an object, a command's input or output.
fn field(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    names::field(field, at, faults);
    constraints::of_type(&field.ty, at, faults);
    keys::contradictions(field, at, faults);
    keys::in_no_version(field, at, faults);
    keys::queries(field, at, faults);
    keys::matches(field, at, faults);
    keys::secrets(field, at, faults);
    keys::on_delete(field, at, faults);
    values::senseless_default(field, at, faults);
    lifecycle::sunset(field.deprecated, field.sunset.is_some(), at, faults);
    former_names::of_field(field, at, faults);
    exemptions::allow(&field.allow, at, faults);
}

/// Every field of a service with its place.
fn every_field<'a>(service: &'a Service, mut visit: impl FnMut(&'a Field, &Place<'_>)) {
    let mut visit_all = |fields: &'a [Field], at: Place<'_>| {
        for field in fields {
            visit(field, &at.key(&field.name));
        }
    };
    for object in &service.objects {
        visit_all(&object.fields, Place::Definition(&object.name).key("fields"));
    }
    for resource in &service.resources {
        let at = Place::Definition(&resource.name);
        visit_all(&resource.fields, at.key("fields"));
        for command in &resource.commands {
            let commands = at.key("commands");
            let at = commands.key(&command.name);
            visit_all(&command.input, at.key("input"));
            visit_all(&command.output, at.key("output"));
        }
    }
}

/// The items that a list repeats: the first index and the repeated one.
fn repeats<T: Eq + Hash + Copy>(items: impl IntoIterator<Item = T>) -> Vec<(usize, usize, T)> {
    let mut known = HashMap::new();
    let positions = items.into_iter().enumerate();
    let firsts = positions.map(|(position, item)| (*known.entry(item).or_insert(position), position, item));
    firsts.filter(|(first, position, _)| first != position).collect()
}

/// Refuses the repeats in a list of names.
fn repeated_names<'n>(names: impl IntoIterator<Item = &'n str>, at: &Place<'_>, faults: &mut Vec<Fault>) {
    for (first, position, name) in repeats(names) {
        let fault = at.index(position).fault(RepeatedName, format!("`{name}` appears twice in this list"));
        faults.push(fault.also(at.index(first).path(), "it first appears here").help("remove one of them"));
    }
}
