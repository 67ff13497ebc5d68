//! The types of values that have a name: enums, and objects in each of their shapes.
//!
//! An object of the model has several shapes: a response has every property, a request need not have them, and views
//! and versions choose. Each shape is one type. The plain name belongs to the shape that all bodies of a direction
//! share; where they differ, the name begins with the body's.

use super::names::of_definitions;
use super::{CollectionPlan, ResourcePlan};
use restwell_model::Checked;
use restwell_model::api::{Api, Property, SchemaKey, ValueType};
use restwell_model::names::client::free;
use restwell_model::service::Enum;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a type is read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// In a response.
    Response,
    /// In the body of a POST, or of a command.
    Create,
    /// In the body of a PUT.
    Update,
    /// In the criteria of a search.
    Criteria,
}

/// The type of an object in one shape.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectType<'a> {
    /// The type's name, unique among those of its version.
    pub name: String,
    /// The object's name in the model.
    pub model_name: &'a str,
    /// Where it is used. A type of a PUT that equals that of a POST is the latter.
    pub direction: Direction,
    /// In the order in which they are rendered.
    pub properties: Vec<Property<'a>>,
}

/// The named types that the bodies of a version share.
#[derive(Debug, Clone, Default)]
pub struct SharedTypes<'a> {
    /// Sorted by name.
    pub enums: Vec<&'a Enum>,
    /// Sorted by name.
    pub objects: Vec<ObjectType<'a>>,
}

/// A body with the name of its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypePlan {
    /// `Offer`, `OfferDraft`, `SaleOfferUpdate`, `OfferRenewInput`.
    pub name: String,
    /// What it holds.
    pub key: SchemaKey,
    /// Where it is used.
    pub direction: Direction,
}

impl Direction {
    /// What names of types end in.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Response => "",
            Self::Create => "Draft",
            Self::Update => "Update",
            Self::Criteria => "Criteria",
        }
    }

    /// That of a body.
    #[must_use]
    pub const fn of(key: SchemaKey) -> Self {
        match key {
            SchemaKey::Creation { .. } | SchemaKey::CommandInput { .. } => Self::Create,
            SchemaKey::Replacement(_) => Self::Update,
            SchemaKey::Criteria { .. } => Self::Criteria,
            SchemaKey::Errors
            | SchemaKey::Problem
            | SchemaKey::Patch
            | SchemaKey::Readiness
            | SchemaKey::DeletedEntity
            | SchemaKey::CommandChange
            | SchemaKey::Entity(_)
            | SchemaKey::Collection(_)
            | SchemaKey::FormerCollection(_)
            | SchemaKey::Search { .. }
            | SchemaKey::Command { .. }
            | SchemaKey::CommandCollection { .. }
            | SchemaKey::FormerCommandCollection { .. } => Self::Response,
        }
    }
}

/// Gives each body of a version a type of its own: not one of the model's, of which a resource's own entities have the
/// name, nor that of another body.
pub(super) fn name_bodies(service: &Checked, resources: &mut [ResourcePlan<'_>]) {
    let mut taken = of_definitions(service);
    for resource in resources {
        let name = &resource.resource.name;
        let mut seen = BTreeSet::new();
        let all = resource.collections.iter().flat_map(|collection| collection.bodies(name));
        let mut bodies: Vec<_> = all.filter(|body| seen.insert(body.key)).collect();
        for body in bodies.iter_mut().filter(|body| body.name != *name) {
            body.name = free(&body.name, &mut taken);
        }
        resource.bodies = bodies;
    }
}

impl CollectionPlan<'_> {
    fn bodies(&self, resource: &str) -> Vec<TypePlan> {
        let body = |name: String, key: SchemaKey| TypePlan { name, key, direction: Direction::of(key) };
        let mut bodies: Vec<_> = self
            .entity()
            .into_iter()
            .chain(self.operations.iter().filter_map(|operation| operation.request))
            .filter(|key| *key != SchemaKey::Patch)
            .map(|key| body(format!("{}{}", self.type_prefix, Direction::of(key).suffix()), key))
            .collect();
        if let Some(search) = self.search {
            bodies.push(body(format!("{resource}Criteria"), search.criteria));
            bodies.push(body(format!("{resource}Search"), search.stored));
        }
        for command in &self.commands {
            let name = restwell_model::names::pascal(&command.command.name);
            bodies.push(body(format!("{resource}{name}Input"), command.input));
            bodies.push(body(format!("{resource}{name}Command"), command.rendered));
        }
        bodies
    }
}

impl<'a> SharedTypes<'a> {
    pub(super) fn of(api: &'a Api<'a>, resources: &[ResourcePlan<'a>]) -> Self {
        let bodies: Vec<_> = resources.iter().flat_map(|resource| &resource.bodies).collect();
        let names = bodies.iter().map(|body| body.name.clone());
        let taken = names.chain(of_definitions(api.service)).collect();
        let mut found = Found { taken, ..Found::default() };
        for body in bodies {
            if let Some(value) = api.schema(body.key) {
                found.walk(value, body.direction, &body.name);
            }
        }
        found.finish()
    }

    /// The type of an object in this shape.
    #[must_use]
    pub fn object(&self, model_name: &str, direction: Direction, properties: &[Property<'_>]) -> Option<&str> {
        let is_fit = |it: &&ObjectType<'_>| {
            let fits = it.direction == direction || (it.direction, direction) == (Direction::Create, Direction::Update);
            it.model_name == model_name && fits && it.properties == properties
        };
        self.objects.iter().find(is_fit).map(|it| it.name.as_str())
    }
}

/// The properties of an object, with the body that they were first found in.
type Shape<'a> = (String, Vec<Property<'a>>);

/// The types that were found in bodies so far.
#[derive(Debug, Default)]
struct Found<'a> {
    enums: BTreeMap<&'a str, &'a Enum>,
    /// By the name in the model: each shape.
    shapes: BTreeMap<(&'a str, Direction), Vec<Shape<'a>>>,
    taken: BTreeSet<String>,
}

impl<'a> Found<'a> {
    fn walk(&mut self, value: &ValueType<'a>, direction: Direction, body: &str) {
        match value {
            ValueType::Enum(values) => drop(self.enums.insert(&values.name, values)),
            ValueType::Object { name, properties } => {
                properties.iter().for_each(|property| self.walk(&property.value, direction, body));
                if let Some(name) = name {
                    let shapes = self.shapes.entry((name, direction)).or_default();
                    if !shapes.iter().any(|(_, known)| known == properties) {
                        shapes.push((body.to_owned(), properties.clone()));
                    }
                }
            }
            ValueType::Reference { properties, .. } => {
                properties.iter().for_each(|property| self.walk(&property.value, direction, body));
            }
            ValueType::Array { items, .. } => self.walk(items, direction, body),
            ValueType::Map { values, .. } => self.walk(values, direction, body),
            ValueType::Criterion { value, .. } => self.walk(value, direction, body),
            ValueType::Scalar(_)
            | ValueType::Words(_)
            | ValueType::Amount
            | ValueType::Price(_)
            | ValueType::Schema(_)
            | ValueType::Any => {}
        }
    }

    fn finish(mut self) -> SharedTypes<'a> {
        let mut objects: Vec<ObjectType<'a>> = Vec::new();
        for ((model_name, direction), shapes) in std::mem::take(&mut self.shapes) {
            let is_shared = shapes.len() == 1;
            for (body, properties) in shapes {
                let is_known = |it: &ObjectType<'_>| {
                    it.model_name == model_name && it.direction == Direction::Create && it.properties == properties
                };
                if direction == Direction::Update && objects.iter().any(is_known) {
                    continue;
                }
                let plain = format!("{model_name}{}", direction.suffix());
                let name = match is_shared {
                    true if plain == model_name => plain,
                    true => self.free(plain),
                    false => self.free(format!("{body}{model_name}")),
                };
                objects.push(ObjectType { name, model_name, direction, properties });
            }
        }
        objects.sort_by(|a, b| a.name.cmp(&b.name));
        SharedTypes { enums: self.enums.into_values().collect(), objects }
    }

    /// The name, or the name with a number if there is such a type already.
    fn free(&mut self, name: String) -> String {
        let candidates = (2_u32..).map(|number| format!("{name}{number}"));
        let free = std::iter::once(name.clone()).chain(candidates).find(|name| !self.taken.contains(name));
        let free = free.unwrap_or(name);
        self.taken.insert(free.clone());
        free
    }
}
