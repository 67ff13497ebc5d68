//! `formerly`: a name beside the present one, which nothing else may have.

use crate::check::Fault;
use crate::check::FaultCode::{FormerNameClash, FormerNameMisplaced};
use crate::check::place::Place;
use crate::check::rules::reserved::PARAMETERS;
use crate::field::Field;
use crate::names::{self, COMMON_FIELDS};
use crate::resource::Resource;

/// What is wrong with the former name of any field.
pub(super) fn of_field(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Some(former) = &field.formerly else { return };
    let formerly = at.key("formerly");
    let name_at = formerly.key("name");
    let mut clash = |message: String, help: &str| faults.push(name_at.fault(FormerNameClash, message).help(help));
    if former.name == field.name {
        clash(format!("`formerly` repeats the present name `{}`", field.name), "remove `formerly`");
    } else if !names::is_camel(&former.name) {
        clash(format!("`{}` is not camelCase", former.name), "write the name that the field had");
    } else if let Some(other) = field.renamed_from.as_ref().filter(|other| **other != former.name) {
        clash(format!("`renamedFrom` says that the field was called `{other}`"), "remove `renamedFrom`");
    }
}

/// The former names of a resource's fields: nothing else has them.
pub(super) fn of_resource(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let fields = definition.key("fields");
    for (index, field) in resource.fields.iter().enumerate() {
        let Some(former) = field.formerly.as_ref().filter(|former| former.name != field.name) else { continue };
        let name = former.name.as_str();
        let (own, formerly);
        own = fields.key(&field.name);
        formerly = own.key("formerly");
        let at = formerly.key("name");
        let others = resource.fields[..index].iter();
        let same = others.clone().find(|it| it.formerly.as_ref().is_some_and(|other| other.name == name));
        let is_parameter = field.filter.is_on() && PARAMETERS.contains(&name);
        if resource.field(name).is_some() {
            let fault = at.fault(FormerNameClash, format!("`{name}` still exists"));
            let fault = fault.also(fields.key(name).path().of_key(), "here");
            faults.push(fault.help(format!("remove `formerly`, or remove `{name}`")));
        } else if COMMON_FIELDS.contains(&name) {
            let fault = at.fault(FormerNameClash, format!("every resource already has `{name}`"));
            faults.push(fault.help("remove `formerly`"));
        } else if is_parameter {
            let fault = at.fault(FormerNameClash, format!("`{name}` is a reserved query parameter"));
            faults.push(fault.help("remove `formerly`"));
        } else if let Some(same) = same {
            let fault = at.fault(FormerNameClash, format!("`{}` was called `{name}` too", same.name));
            let other = fields.key(&same.name).path().key("formerly").key("name");
            faults.push(fault.also(other, "the other one is here").help("keep `formerly` on one of them"));
        }
    }
    for command in &resource.commands {
        let commands = definition.key("commands");
        let at = commands.key(&command.name);
        misplaced(&command.input, &at.key("input"), faults);
        misplaced(&command.output, &at.key("output"), faults);
    }
}

/// Only a field of a resource itself is served under two names.
pub(super) fn misplaced(fields: &[Field], at: &Place<'_>, faults: &mut Vec<Fault>) {
    for field in fields.iter().filter(|field| field.formerly.is_some()) {
        let message = "only a field of a resource can be served under two names";
        let fault = at.key(&field.name).key("formerly").fault(FormerNameMisplaced, message);
        faults.push(fault.help("add a field with the new name beside this one"));
    }
}
