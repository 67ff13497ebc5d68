//! The types of a version: which there are, how they are called, and in which module each is.

use super::spelling::Homes;
use super::values::is_bare;
use crate::client::{ClientPlan, CollectionPlan, Direction, ResourcePlan, TypePlan, VersionPlan};
use restwell_model::api::{Property, SchemaKey, ValueType};
use restwell_model::names::{self, rust};
use std::collections::BTreeMap;

/// The module of the types that several resources share.
pub(super) const SHARED: &str = "types";

/// A struct to write.
#[derive(Debug, Clone)]
pub(super) struct StructPlan<'p, 'a> {
    /// Its name.
    pub(super) name: String,
    /// What it is, for its documentation.
    pub(super) docs: Option<String>,
    /// Where it is used.
    pub(super) direction: Direction,
    /// What names of its properties' types begin with.
    pub(super) place: String,
    /// Its properties.
    pub(super) properties: Vec<&'p Property<'a>>,
}

/// The types of a version.
pub(super) struct VersionTypes<'p, 'a> {
    pub(super) plan: &'p VersionPlan<'a>,
    pub(super) homes: Homes,
    /// The structs of each module.
    pub(super) structs: BTreeMap<String, Vec<StructPlan<'p, 'a>>>,
    /// The types of bodies.
    bodies: BTreeMap<SchemaKey, String>,
    /// The types of objects without a name, by their place.
    places: BTreeMap<String, String>,
    /// The types of entities, by the names of their resources.
    entities: BTreeMap<&'a str, String>,
    /// The types of collections, by the names of these.
    collections: BTreeMap<String, CollectionNames>,
}

/// The types of a collection beside its bodies.
#[derive(Debug, Clone)]
pub(super) struct CollectionNames {
    /// `SaleOffers`: what its methods are of.
    pub(super) methods: String,
    /// `SaleOfferQuery`: what its list takes.
    pub(super) query: String,
    /// `SaleOfferSort`: what its list can be sorted by.
    pub(super) sort: String,
}

/// The module of a resource.
pub(super) fn module(resource: &ResourcePlan<'_>) -> String {
    let module = rust::module(resource.module());
    // beside the modules of every client
    if [SHARED, "base", "events"].contains(&module.as_str()) || module.starts_with("beta_v") {
        module + "_"
    } else {
        module
    }
}

impl<'p, 'a> VersionTypes<'p, 'a> {
    pub(super) fn of(client: &'p ClientPlan<'a>, plan: &'p VersionPlan<'a>) -> Self {
        let mut types = Self {
            plan,
            homes: Homes::default(),
            structs: BTreeMap::new(),
            bodies: BTreeMap::new(),
            places: BTreeMap::new(),
            entities: BTreeMap::new(),
            collections: BTreeMap::new(),
        };
        for values in &plan.types.enums {
            types.homes.claim(&values.name, SHARED);
        }
        for object in &plan.types.objects {
            types.homes.claim(&object.name, SHARED);
        }
        let bodies: Vec<_> = plan.resources.iter().map(|resource| (resource, &resource.bodies)).collect();
        for (resource, bodies) in &bodies {
            for body in *bodies {
                types.claim_body(resource, body);
            }
        }
        for resource in &plan.resources {
            types.claim_collections(resource);
        }
        for object in &plan.types.objects {
            let docs = client.service().object(object.model_name).and_then(|it| it.description.clone());
            let properties = object.properties.iter().collect();
            types.add(SHARED, object.name.clone(), docs, object.direction, properties);
        }
        for (resource, bodies) in &bodies {
            for body in *bodies {
                types.add_body(client, resource, body);
            }
        }
        types
    }

    /// The type of a body.
    pub(super) fn body(&self, key: SchemaKey) -> Option<&str> {
        self.bodies.get(&key).map(String::as_str)
    }

    /// The type of the entities of a resource.
    pub(super) fn entity(&self, resource: &str) -> Option<&str> {
        self.entities.get(resource).map(String::as_str)
    }

    /// The type of an object without a name.
    pub(super) fn place(&self, place: &str) -> Option<&str> {
        self.places.get(place).map(String::as_str)
    }

    /// The types of a collection.
    pub(super) fn collection(&self, collection: &CollectionPlan<'_>) -> &CollectionNames {
        &self.collections[&collection.name]
    }

    fn claim_collections(&mut self, resource: &ResourcePlan<'_>) {
        let module = module(resource);
        for collection in &resource.collections {
            let (name, prefix) = (names::pascal(&collection.name), &collection.type_prefix);
            // where the plural is the singular
            let methods = if name == *prefix { name + "Collection" } else { name };
            let mut claim = |name: &str| self.homes.claim(name, &module);
            let claimed = CollectionNames {
                methods: claim(&methods),
                query: claim(&format!("{prefix}{}", names::QUERY)),
                sort: claim(&format!("{prefix}{}", names::SORT)),
            };
            self.collections.insert(collection.name.clone(), claimed);
        }
    }

    fn claim_body(&mut self, resource: &ResourcePlan<'a>, body: &TypePlan) {
        let name = self.homes.claim(&body.name, &module(resource));
        if let SchemaKey::Entity(of) = body.key
            && of.view.is_none()
        {
            self.entities.insert(&resource.resource.name, name.clone());
        }
        self.bodies.insert(body.key, name);
    }

    fn add_body(&mut self, client: &'p ClientPlan<'a>, resource: &ResourcePlan<'a>, body: &TypePlan) {
        let (Some(ValueType::Object { properties, .. }), Some(name)) =
            (client.api.schema(body.key), self.bodies.get(&body.key).cloned())
        else {
            return;
        };
        let properties = properties.iter().filter(|property| is_own(body.key, property)).collect();
        let docs = describe(resource, body);
        self.add(&module(resource), name, docs, body.direction, properties);
    }

    fn add(
        &mut self,
        module: &str,
        name: String,
        docs: Option<String>,
        direction: Direction,
        properties: Vec<&'p Property<'a>>,
    ) {
        for property in &properties {
            self.add_places(module, &property.value, direction, &place_of(&name, property));
        }
        let place = name.clone();
        let added = StructPlan { name, docs, direction, place, properties };
        self.structs.entry(module.to_owned()).or_default().push(added);
    }

    /// Types for objects that have no name in the model: references with what they show, and criteria.
    fn add_places(&mut self, module: &str, value: &'p ValueType<'a>, direction: Direction, place: &str) {
        match value {
            ValueType::Array { items, .. } => self.add_places(module, items, direction, place),
            ValueType::Reference { properties, .. } if !is_bare(properties) => {
                self.add_place(module, properties, direction, place);
            }
            ValueType::Object { name: None, properties } => self.add_place(module, properties, direction, place),
            _ => {}
        }
    }

    fn add_place(&mut self, module: &str, properties: &'p [Property<'a>], direction: Direction, place: &str) {
        // a type that is called so is in camel case, whatever ends the name of its owner
        let name = self.homes.claim(&place.replace('_', ""), module);
        self.places.insert(place.to_owned(), name.clone());
        self.add(module, name, None, direction, properties.iter().collect());
    }
}

/// The place of a property's value: `OfferSeller`.
pub(super) fn place_of(owner: &str, property: &Property<'_>) -> String {
    format!("{owner}{}", names::pascal(&property.name))
}

/// Whether a struct has the property. What every entity has is in `Stored`, and what is ignored is not sent.
fn is_own(key: SchemaKey, property: &Property<'_>) -> bool {
    let is_common = property.field.is_none() && names::COMMON_FIELDS.contains(&&*property.name);
    let is_stored = matches!(key, SchemaKey::Entity(_) | SchemaKey::Search { .. } | SchemaKey::Command { .. });
    !(property.is_ignored || (is_stored && is_common))
}

fn describe(resource: &ResourcePlan<'_>, body: &TypePlan) -> Option<String> {
    let (what, of) = (&resource.resource.name, &resource.resource.commands);
    Some(match body.key {
        SchemaKey::Entity(_) => resource.resource.description.clone().unwrap_or_else(|| format!("`{what}`.")),
        SchemaKey::Creation { .. } => format!("A new `{what}`."),
        SchemaKey::Replacement(_) => format!("What a `{what}` is replaced by."),
        SchemaKey::Criteria { .. } => format!("The criteria of a search for `{what}`."),
        SchemaKey::Search { .. } => format!("A stored search for `{what}`."),
        SchemaKey::CommandInput { command, .. } => of.get(command)?.description.clone()?,
        SchemaKey::Command { command, .. } => format!("The command `{}` as the service has it.", of.get(command)?.name),
        _ => return None,
    })
}
