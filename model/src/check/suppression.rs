//! Rules that `allow` switches off at a place: `allow: { plural-array: "data is the domain's word" }`.
//!
//! The rules do not look at `allow`. After all of them have run, the faults at and below a place with a matching
//! `allow` are removed, and an `allow` that removed no fault is reported.

use super::place::Place;
use super::{Fault, FaultCode, ModelPath};
use crate::field::{Allow, Field};
use crate::resource::{Command, Resource};
use crate::service::{Enum, Object, Service};
use std::collections::BTreeMap;

/// The exemptions of a description, by place.
#[derive(Default)]
pub(super) struct Exemptions(BTreeMap<ModelPath, Vec<Exemption>>);

struct Exemption {
    code: FaultCode,
    used: bool,
}

impl Exemptions {
    pub(super) fn of_service(service: &Service) -> Self {
        let mut all = Self::default();
        each_allow(service, &mut |allow, at| all.add(allow, at));
        all
    }

    pub(super) fn of_resource(resource: &Resource) -> Self {
        let mut all = Self::default();
        allow_of_resource(resource, &mut |allow, at| all.add(allow, at));
        all
    }

    pub(super) fn of_object(object: &Object) -> Self {
        let mut all = Self::default();
        allow_of_object(object, &mut |allow, at| all.add(allow, at));
        all
    }

    pub(super) fn of_enum(enumeration: &Enum) -> Self {
        let mut all = Self::default();
        all.add(&enumeration.allow, &Place::Definition(&enumeration.name));
        all
    }

    pub(super) fn of_command(command: &Command) -> Self {
        let mut all = Self::default();
        allow_of_command(command, &Place::Definition(&command.name), &mut |allow, at| all.add(allow, at));
        all
    }

    /// Removes the faults that their place, or a place above it, allows.
    pub(super) fn suppress(&mut self, faults: &mut Vec<Fault>) {
        if !self.0.is_empty() {
            faults.retain(|fault| !self.covers(fault));
        }
    }

    /// Reports the exemptions that [`Self::suppress`] did not use.
    pub(super) fn push_unused(&self, faults: &mut Vec<Fault>) {
        for (at, exemptions) in &self.0 {
            for exemption in exemptions.iter().filter(|exemption| !exemption.used) {
                let at = at.key("allow").key(exemption.code.code()).of_key();
                let message = format!("the rule `{}` is not broken here", exemption.code);
                faults.push(Fault::new(FaultCode::UnusedAllow, at, message).help("remove the exemption"));
            }
        }
    }

    fn covers(&mut self, fault: &Fault) -> bool {
        let mut place = ModelPath { of_key: false, ..fault.at.clone() };
        loop {
            let here = self.0.get_mut(&place).and_then(|all| all.iter_mut().find(|other| other.code == fault.code));
            if let Some(exemption) = here {
                exemption.used = true;
                return true;
            }
            if place.keys.pop().is_none() {
                return false;
            }
        }
    }

    /// Adds only valid exemptions: `rules::exemptions` reports rules that cannot be switched off and missing reasons.
    fn add(&mut self, allow: &Allow, at: &Place<'_>) {
        let valid = allow.iter().filter(|(_, reason)| !reason.trim().is_empty());
        let codes = valid.filter_map(|(code, _)| code.parse().ok()).filter(|code: &FaultCode| code.allowable());
        let exemptions: Vec<_> = codes.map(|code| Exemption { code, used: false }).collect();
        if !exemptions.is_empty() {
            self.0.insert(at.path(), exemptions);
        }
    }
}

/// What is called with each `allow` and its place.
type Visit<'v> = &'v mut dyn FnMut(&Allow, &Place<'_>);

/// Visits each `allow` of a service.
pub(crate) fn each_allow(service: &Service, visit: Visit<'_>) {
    service.enums.iter().for_each(|e| visit(&e.allow, &Place::Definition(&e.name)));
    service.objects.iter().for_each(|o| allow_of_object(o, visit));
    service.resources.iter().for_each(|r| allow_of_resource(r, visit));
}

fn allow_of_resource(resource: &Resource, visit: Visit<'_>) {
    let at = Place::Definition(&resource.name);
    visit(&resource.allow, &at);
    allow_of_fields(&resource.fields, &at.key("fields"), visit);
    let views = at.key("views");
    for view in &resource.views {
        visit(&view.allow, &views.key(&view.name));
    }
    let commands = at.key("commands");
    for command in &resource.commands {
        allow_of_command(command, &commands.key(&command.name), visit);
    }
}

fn allow_of_object(object: &Object, visit: Visit<'_>) {
    let at = Place::Definition(&object.name);
    visit(&object.allow, &at);
    allow_of_fields(&object.fields, &at.key("fields"), visit);
}

fn allow_of_command(command: &Command, at: &Place<'_>, visit: Visit<'_>) {
    visit(&command.allow, at);
    allow_of_fields(&command.input, &at.key("input"), visit);
    allow_of_fields(&command.output, &at.key("output"), visit);
}

fn allow_of_fields(fields: &[Field], at: &Place<'_>, visit: Visit<'_>) {
    for field in fields {
        visit(&field.allow, &at.key(&field.name));
    }
}
