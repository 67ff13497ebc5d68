//! The names of conditions: each stands for one thing wherever conditions read it.

use crate::check::Fault;
use crate::check::FaultCode::BadConditionName;
use crate::check::place::Place;
use crate::condition::is_word;
use crate::names::{self, COMMON_FIELDS};
use crate::resource::{Access, Resource};
use crate::service::Service;
use std::collections::BTreeMap;

/// Those of a resource, as far as the rest of the service does not matter.
pub(super) fn of_resource(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let at = definition.key("conditions");
    for name in resource.conditions.keys() {
        if let Some(reason) = impossible(name) {
            faults.push(fault(&at.key(name), reason));
        } else if has_field(resource, name) {
            faults.push(fault(&at.key(name), of_field(resource, name)));
        }
    }
}

/// Those of the service, and what they share with those of resources.
pub(super) fn of_service(service: &Service, faults: &mut Vec<Fault>) {
    let at = Place::Service;
    let at = at.key("conditions");
    for name in service.conditions.keys() {
        let place = at.key(name);
        let with_field = || service.resources.iter().find(|resource| has_field(resource, name));
        if let Some(reason) = impossible(name) {
            faults.push(fault(&place, reason));
        } else if service.roles.contains_key(name) {
            faults.push(fault(&place, of_role(name)));
        } else if let Some(resource) = with_field() {
            faults.push(fault(&place, of_field(resource, name)));
        }
    }
    for resource in &service.resources {
        let definition = Place::Definition(&resource.name);
        let at = definition.key("conditions");
        for name in resource.conditions.keys() {
            let is_taken = |taken: &BTreeMap<_, _>| taken.contains_key(name);
            if is_taken(&service.roles) {
                faults.push(fault(&at.key(name), of_role(name)));
            } else if is_taken(&service.conditions) {
                faults.push(fault(&at.key(name), format!("the service has a condition `{name}`")));
            }
        }
    }
}

fn fault(place: &Place<'_>, reason: String) -> Fault {
    let help = "choose another name for the condition";
    place.name_fault(BadConditionName, reason).help(help)
}

/// Why no condition can have a name.
fn impossible(name: &str) -> Option<String> {
    if Access::WORDS.contains(&name) || is_word(name) {
        Some(format!("`{name}` is a word of the language"))
    } else if !names::is_camel(name) {
        Some(format!("`{name}` is not in camelCase"))
    } else {
        None
    }
}

fn has_field(resource: &Resource, name: &str) -> bool {
    COMMON_FIELDS.contains(&name) || resource.field(name).is_some()
}

fn of_field(resource: &Resource, name: &str) -> String {
    format!("`{}` has a field `{name}`", resource.name)
}

fn of_role(name: &str) -> String {
    format!("the service has a role `{name}`")
}
