//! The definitions of a service by name, built once per check.

use super::place::Place;
use super::{Fault, FaultCode};
use crate::field::{Field, Type};
use crate::names::{self, head::NumberVerdict};
use crate::resource::Resource;
use crate::service::{Enum, Object, Service};
use std::collections::HashMap;

/// The definition that a name refers to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Definition<'a> {
    Enum(&'a Enum),
    Object(&'a Object),
    Resource(&'a Resource),
}

impl Definition<'_> {
    /// The kind of definition, with an article.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Enum(_) => "an enum",
            Self::Object(_) => "an object",
            Self::Resource(_) => "a resource",
        }
    }
}

/// A service with its definitions by name. Of several with one name it has the first; `duplicate-name` reports the
/// others.
pub(super) struct DefinitionIndex<'a> {
    pub(super) service: &'a Service,
    definitions: HashMap<&'a str, Definition<'a>>,
    /// Resources with a name that is reported, by the name that they should have.
    misnamed: HashMap<String, &'a Resource>,
}

impl<'a> DefinitionIndex<'a> {
    pub(super) fn new(service: &'a Service) -> Self {
        let mut definitions = HashMap::new();
        for (name, definition) in definitions_of(service) {
            definitions.entry(name).or_insert(definition);
        }
        let mut index = Self { service, definitions, misnamed: HashMap::new() };
        index.add_misnamed();
        index
    }

    /// Makes a resource whose name is reported available under its correct name as well: a reference to `Room` is
    /// correct, and the mistake is in the document that says `Rooms`.
    fn add_misnamed(&mut self) {
        for resource in &self.service.resources {
            let name = &resource.name;
            let is_allowed = |code: FaultCode| resource.allow.contains_key(code.code());
            let right = match names::is_pascal(name) {
                false if !is_allowed(FaultCode::PascalCase) => names::pascal(name),
                true if names::head::of_definition(name) == NumberVerdict::Wrong
                    && !is_allowed(FaultCode::SingularName) =>
                {
                    names::singular(name)
                }
                _ => continue,
            };
            let is_known = self.definitions.contains_key(right.as_str());
            if !is_known {
                self.misnamed.insert(right, resource);
            }
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<Definition<'a>> {
        let misnamed = || self.misnamed.get(name).map(|resource| Definition::Resource(resource));
        self.definitions.get(name).copied().or_else(misnamed)
    }

    pub(super) fn resource(&self, name: &str) -> Option<&'a Resource> {
        match self.get(name)? {
            Definition::Resource(resource) => Some(resource),
            _ => None,
        }
    }

    /// The object that a type names.
    pub(super) fn object(&self, ty: &Type) -> Option<&'a Object> {
        match ty {
            Type::Named { name } => match self.get(name)? {
                Definition::Object(object) => Some(object),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a resource is the one in the service's `users`.
    pub(super) fn is_users(&self, resource: &Resource) -> bool {
        let users = self.service.users.as_deref().and_then(|users| self.resource(users));
        users.is_some_and(|users| users.name == resource.name)
    }
}

/// Every definition of a service under its name.
pub(super) fn definitions_of(service: &Service) -> impl Iterator<Item = (&str, Definition<'_>)> {
    let enums = service.enums.iter().map(|e| (e.name.as_str(), Definition::Enum(e)));
    let objects = service.objects.iter().map(|o| (o.name.as_str(), Definition::Object(o)));
    let resources = service.resources.iter().map(|r| (r.name.as_str(), Definition::Resource(r)));
    enums.chain(objects).chain(resources)
}

/// Help for an unknown name: the most similar name, or all known names if there are only a few.
pub(crate) fn suggestion<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    const FEW: usize = 12;
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(nearest) = names::nearest(word, known.iter().copied()) {
        return Some(format!("write `{nearest}`"));
    }
    let list = || known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    (1..=FEW).contains(&known.len()).then(|| format!("the known names are {}", list()))
}

/// The names of fields.
pub(super) fn field_names(fields: &[Field]) -> impl Iterator<Item = &str> {
    fields.iter().map(|field| field.name.as_str())
}

/// The fault for a name that is not a field of the resource.
pub(super) fn unknown_field(resource: &Resource, name: &str, at: &Place<'_>) -> Fault {
    let mut fault = at.fault(FaultCode::UnknownField, format!("`{}` has no field `{name}`", resource.name));
    fault.help = suggestion(name, field_names(&resource.fields));
    fault
}
