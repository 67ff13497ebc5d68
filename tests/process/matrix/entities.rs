//! One entity of each resource: whose it is, what it refers to, and what of it can be deleted.

use restwell_model::field::OnDelete;
use restwell_model::resource::Through;
use restwell_model::{Checked, Field, Kind, Resource, Type};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// An entity, as it is shown.
pub(super) struct Entity {
    pub(super) id: String,
    pub(super) body: Value,
}

/// The entities of a service, by the names of their resources.
pub(super) struct Entities {
    pub(super) model: &'static Checked,
    pub(super) of: BTreeMap<String, Entity>,
    /// The user whose entities they are, as far as they have an owner.
    pub(super) user: String,
}

/// What becomes of an entity that is deleted (decisions, "Deleting").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deletion {
    Done,
    /// Another one refers to it, or to one that goes with it, and holds it.
    Held,
    /// What holds it goes with it: the decisions do not say which of both counts.
    Undecided,
}

/// A reference of an entity.
struct Reference<'a> {
    to: &'a str,
    on_delete: OnDelete,
    id: &'a str,
}

impl Entities {
    /// Whether the user owns the entity of a resource.
    pub(super) fn is_owned(&self, resource: &Resource) -> bool {
        let Some(entity) = self.of.get(&resource.name) else { return false };
        match &resource.owner {
            Some(field) if field != Resource::OWNS_ITSELF => entity.body[field]["id"] == *self.user,
            _ => self.model.users.as_ref() == Some(&resource.name) && entity.id == self.user,
        }
    }

    /// Whether an entity of the user's own refers to the entity of a resource, as a view `through` asks for.
    pub(super) fn is_seen(&self, resource: &Resource, Through { resource: other, field }: &Through) -> bool {
        let (Some(entity), Some(other)) = (self.of.get(&resource.name), self.model.resource(other)) else {
            return false;
        };
        self.is_owned(other) && self.of[&other.name].body[field]["id"] == *entity.id
    }

    /// What becomes of the entity of a resource that is deleted.
    pub(super) fn deletion(&self, resource: &Resource) -> Deletion {
        let mut gone = BTreeSet::from([resource.name.as_str()]);
        loop {
            let with_it = self.referring(&gone, OnDelete::Cascade);
            if with_it.is_subset(&gone) {
                break;
            }
            gone.extend(with_it);
        }
        let holders = self.referring(&gone, OnDelete::Restrict);
        match holders {
            none if none.is_empty() => Deletion::Done,
            some if some.iter().any(|name| !gone.contains(name)) => Deletion::Held,
            _ => Deletion::Undecided,
        }
    }

    /// The resources whose entity refers to one of these in this way.
    fn referring(&self, gone: &BTreeSet<&str>, way: OnDelete) -> BTreeSet<&str> {
        let refers = |(name, entity): (&'_ String, &Entity)| {
            let mut found = Vec::new();
            let fields = self.model.resource(name).map_or(&[][..], |resource| &resource.fields);
            references(self.model, fields, &entity.body, &mut found);
            found.iter().any(|it| {
                it.on_delete == way && gone.contains(it.to) && self.of.get(it.to).is_some_and(|to| to.id == it.id)
            })
        };
        self.of.iter().filter(|(name, entity)| refers((name, entity))).map(|(name, _)| name.as_str()).collect()
    }
}

/// The references that the fields of an object have, those in objects and arrays included.
fn references<'a>(model: &'a Checked, fields: &'a [Field], body: &'a Value, found: &mut Vec<Reference<'a>>) {
    for field in fields {
        let value = &body[&field.name];
        let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        for value in values {
            match model.kind(field.ty.element()) {
                Kind::Scalar(Type::Ref { to, on_delete, .. }) => {
                    found.extend(value["id"].as_str().map(|id| Reference { to, on_delete: *on_delete, id }));
                }
                Kind::Object(object) => references(model, &object.fields, value, found),
                Kind::Scalar(_) | Kind::Enum(_) | Kind::Array(_) | Kind::Map(_) => {}
            }
        }
    }
}
