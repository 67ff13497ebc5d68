//! The marketplace as a process, with one entity of each resource, all of one user.

use super::entities::{Entities, Entity};
use super::world::{Place, Tokens, World};
use restwell_model::{Checked, Resource};
use restwell_testkit::http::Request;
use restwell_testkit::market::{self, Owner};
use restwell_testkit::process::Service;
use restwell_tests::scopes::{marketplace_model, scopes};
use serde_json::json;

/// Fills a service.
pub(super) fn world(service: &Service) -> World {
    let model: &'static Checked = Box::leak(Box::new(marketplace_model()));
    let scopes = scopes(model);
    let stranger = market::user(service.address(), "stranger");
    let Owner { id: user, token: master, ids } = Owner::create(service, "owner", &scopes);
    let entity = |resource: &Resource| {
        let id = ids[resource.name.as_str()].clone();
        let request = Request::new("GET", &format!("{}/{id}", resource.path())).bearer(&master);
        (resource.name.clone(), Entity { id, body: service.send(&request).is(200).json() })
    };
    let entities = Entities { model, of: model.resources.iter().map(entity).collect(), user };
    let tokens = Tokens {
        stranger: service.token(&stranger, ""),
        owner: service.token(&entities.user, ""),
        scoped: service.token(&stranger, &scopes.join(" ")),
    };
    let mut world = World::of(&entities, tokens, scopes, |resource| {
        Some(service.send(&Request::post(&resource.search_path(), &json!({ "limit": 1 }))).is(201).id())
    });
    world.places.extend(Place::of_page());
    world
}
