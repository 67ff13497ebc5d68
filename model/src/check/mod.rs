//! The rules of a service description, and [`Checked`], the type of a service that satisfies all of them.
//!
//! A rule is a small function over the model that pushes a [`Fault`] with a place for each thing that is wrong; all of
//! them run, so that one check reports all faults. The local rules need only one definition, and the derives use them
//! too; the others need the whole service. `rules` lists both; [`FaultCode`] describes each fault.

mod catalogue;
mod cycles;
mod fault;
mod index;
mod order;
mod place;
mod rules;
mod suppression;
#[cfg(test)]
mod tests;

pub use catalogue::{FaultCode, FaultPage, Severity, pages};
pub use fault::{Fault, Key, ModelPath};

use crate::announcement;
use crate::field::Type;
use crate::resource::{Command, Resource, note_named_access};
use crate::service::{Enum, Object, Service};
use index::DefinitionIndex;
pub(crate) use index::suggestion;
pub(crate) use place::Place;
pub(crate) use rules::constraints;
use std::ops::Deref;
use suppression::Exemptions;
pub(crate) use suppression::each_allow;

/// A service that breaks no rule, its definitions sorted by name. What is built from it checks nothing again.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    service: Service,
    warnings: Vec<Fault>,
}

impl Checked {
    /// Holds a service to every rule.
    ///
    /// # Errors
    /// All that is wrong, warnings included, in the order of definitions and places, when anything but a warning is.
    pub fn new(mut service: Service) -> Result<Self, Vec<Fault>> {
        note(&mut service);
        let candidate = Self { service, warnings: Vec::new() };
        let faults = faults_of(&candidate);
        if faults.iter().any(|fault| fault.severity == Severity::Error) {
            return Err(faults);
        }
        Ok(Self { warnings: faults, ..candidate })
    }

    /// A service that shows its model without its exemptions (`allow`), as `GET /model.json` does: what an exemption
    /// can allow is taken as allowed.
    ///
    /// # Errors
    /// As [`Self::new`], of the rules that cannot be switched off.
    pub fn published(service: Service) -> Result<Self, Vec<Fault>> {
        let published = Self::recorded(service);
        let mut faults = faults_of(&published);
        faults.retain(|fault| fault.severity == Severity::Error && !fault.code.allowable());
        if faults.is_empty() { Ok(published) } else { Err(faults) }
    }

    /// A service that was checked when it was recorded. Rules that were added later do not apply to it.
    #[must_use]
    pub fn recorded(mut service: Service) -> Self {
        note(&mut service);
        Self { service, warnings: Vec::new() }
    }

    /// The warnings: faults that do not refuse the service.
    #[must_use]
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }

    /// The service alone.
    #[must_use]
    pub fn into_inner(self) -> Service {
        self.service
    }

    /// A type with its name looked up.
    #[must_use]
    pub fn kind<'a>(&'a self, ty: &'a Type) -> Kind<'a> {
        match ty {
            Type::Array { items, .. } => Kind::Array(items),
            Type::Map { values, .. } => Kind::Map(values),
            Type::Named { name } => match (self.enumeration(name), self.object(name)) {
                (Some(found), _) => Kind::Enum(found),
                (None, Some(found)) => Kind::Object(found),
                // a type of another service: of this one, `unknown-type` has refused it
                (None, None) => Kind::Scalar(ty),
            },
            scalar => Kind::Scalar(scalar),
        }
    }

    /// The enum of this name.
    #[must_use]
    pub fn enumeration(&self, name: &str) -> Option<&Enum> {
        find(&self.service.enums, name, |e| &e.name)
    }

    /// The object of this name.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<&Object> {
        find(&self.service.objects, name, |o| &o.name)
    }

    /// The resource of this name.
    #[must_use]
    pub fn resource(&self, name: &str) -> Option<&Resource> {
        find(&self.service.resources, name, |r| &r.name)
    }
}

/// Brings a service into its canonical order, and notes at its parts what other parts say of them.
fn note(service: &mut Service) {
    service.sort();
    announcement::note(service);
    note_named_access(service);
}

/// Definitions of a checked service are sorted: no need to look at each of them.
fn find<'a, T>(sorted: &'a [T], name: &str, name_of: fn(&T) -> &String) -> Option<&'a T> {
    sorted.binary_search_by(|definition| name_of(definition).as_str().cmp(name)).ok().map(|at| &sorted[at])
}

impl Deref for Checked {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

/// A type with its name looked up.
#[derive(Debug, Clone, Copy)]
pub enum Kind<'a> {
    /// One value: anything but the rest.
    Scalar(&'a Type),
    /// One of these values.
    Enum(&'a Enum),
    /// A nested structure.
    Object(&'a Object),
    /// A list of these.
    Array(&'a Type),
    /// These under free names.
    Map(&'a Type),
}

/// The faults of one resource, without the rest of the service.
#[must_use]
pub fn resource(resource: &Resource) -> Vec<Fault> {
    let mut faults = Vec::new();
    rules::resource(resource, &mut faults);
    Exemptions::of_resource(resource).suppress(&mut faults);
    faults
}

/// The faults in the conditions of one resource, as far as the rest of the service does not matter: what is no
/// expression, and names that no field has. The types of other definitions are not known.
#[must_use]
pub fn conditions(resource: &Resource) -> Vec<Fault> {
    let mut faults = Vec::new();
    let has_condition =
        |field: &crate::Field| field.required_when.is_some() || field.default_is.is_some() || field.computed.is_some();
    if !resource.conditions.is_empty()
        || !resource.rules.is_empty()
        || resource.lifecycle.is_some()
        || resource.fields.iter().any(has_condition)
    {
        let service = Service { resources: vec![resource.clone()], ..Service::new("") };
        rules::conditions(&Checked { service, warnings: Vec::new() }, &mut faults);
    }
    faults
}

/// The faults of one object, without the rest of the service.
#[must_use]
pub fn object(object: &Object) -> Vec<Fault> {
    let mut faults = Vec::new();
    rules::object(object, &mut faults);
    Exemptions::of_object(object).suppress(&mut faults);
    faults
}

/// The faults of one enum, without the rest of the service.
#[must_use]
pub fn enumeration(enumeration: &Enum) -> Vec<Fault> {
    let mut faults = Vec::new();
    rules::enumeration(enumeration, &mut faults);
    Exemptions::of_enum(enumeration).suppress(&mut faults);
    faults
}

/// The faults of one command, without the rest of the service. Their paths begin at the command, as if it were a
/// definition.
#[must_use]
pub fn command(command: &Command) -> Vec<Fault> {
    let mut faults = Vec::new();
    rules::command(command, &mut faults);
    Exemptions::of_command(command).suppress(&mut faults);
    faults
}

/// The faults of the output of a command, as an object of its own: a command has it under its own rules.
#[must_use]
pub fn output(output: &Object) -> Vec<Fault> {
    let mut faults = Vec::new();
    rules::output(output, &mut faults);
    Exemptions::of_object(output).suppress(&mut faults);
    faults
}

fn faults_of(candidate: &Checked) -> Vec<Fault> {
    let service = &candidate.service;
    let mut faults = Vec::new();
    for enumeration in &service.enums {
        rules::enumeration(enumeration, &mut faults);
    }
    for object in &service.objects {
        rules::object(object, &mut faults);
    }
    for resource in &service.resources {
        rules::resource(resource, &mut faults);
    }
    let index = DefinitionIndex::new(service);
    rules::service(candidate, &index, &mut faults);

    let mut exemptions = Exemptions::of_service(service);
    exemptions.suppress(&mut faults);
    exemptions.push_unused(&mut faults);
    if faults.iter().any(|fault| fault.severity == Severity::Error) {
        // who has access is asked once the rest is right
        faults.retain(|fault| fault.code != FaultCode::OpenWrites);
    }
    order::sort(&mut faults, &index);
    faults
}
