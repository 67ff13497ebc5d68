//! What a service begins with: a few entities of each resource, and two users who call.

use restwell_model::sample::{BodyMaker, in_order};
use restwell_model::{Checked, Resource};
use serde_json::{Value, json};
use uuid::Uuid;

/// Entities of each resource.
const EACH: usize = 5;
/// The ids of callers where the service has no users.
const NO_USERS: [u128; 2] = [0x0189_0a5d_ffff_7000_8000_0000_0000_0001, 0x0189_0a5d_ffff_7000_8000_0000_0000_0002];
/// The first id of an entity.
const FIRST_ID: u128 = 0x0189_0a5d_0000_7000_8000_0000_0000_0001;

/// An entity that is there.
pub(crate) struct Entity {
    /// The path's word of its resource.
    pub(crate) resource: String,
    pub(crate) id: Uuid,
    pub(crate) body: Value,
}

pub(crate) struct Data {
    pub(crate) entities: Vec<Entity>,
    /// Those who call.
    pub(crate) users: [Uuid; 2],
}

impl Data {
    /// Entities that have all their values, which follow from the seed.
    pub(crate) fn of(model: &Checked, seed: u64) -> Self {
        let (mut maker, mut entities) = (BodyMaker::new(model, seed), Vec::new());
        for resource in in_order(model) {
            let Some(version) = resource.versions_by_preference().first().copied() else { continue };
            for number in 0..EACH {
                let Some(body) = maker.entity(resource, (version, None), number, true) else { continue };
                let id = Uuid::from_u128(FIRST_ID + entities.len() as u128);
                maker.add(&resource.name, id);
                entities.push(Entity { resource: resource.plural.clone(), id, body });
            }
        }
        let word = model.users.as_ref().and_then(|name| model.resource(name)).map(|users| users.plural.clone());
        let found: Vec<_> = entities.iter().filter(|it| Some(&it.resource) == word.as_ref()).map(|it| it.id).collect();
        let user = |at: usize| found.get(at).copied().unwrap_or(Uuid::from_u128(NO_USERS[at]));
        let users = [user(0), user(1)];
        // of each resource that has owners, both have some
        for resource in &model.resources {
            let Some(field) = resource.owner_field() else { continue };
            let own = entities.iter_mut().filter(|it| it.resource == resource.plural);
            own.enumerate().for_each(|(at, entity)| entity.body[field] = json!({ "id": users[at % 2] }));
        }
        Self { entities, users }
    }

    /// The entities of a resource.
    pub(crate) fn of_resource<'a>(&'a self, resource: &'a Resource) -> impl Iterator<Item = &'a Entity> {
        self.entities.iter().filter(|it| it.resource == resource.plural)
    }

    /// As a service under test takes it.
    pub(crate) fn text(&self) -> String {
        let entry = |it: &Entity| json!({ "resource": it.resource, "id": it.id, "body": it.body });
        Value::Array(self.entities.iter().map(entry).collect()).to_string()
    }
}
