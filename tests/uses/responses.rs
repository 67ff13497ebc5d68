//! The marketplace's responses, read as its types and written again: the same bytes.

use marketplace::generated as types;
use restwell::testing::{Running, Setup};
use restwell::{Caller, Resource, Stored, Uuid};
use restwell_model::sample::{self, SampleEntity};
use restwell_testkit::wire::{PUBLIC, Wire};
use restwell_tests::scopes::{marketplace_model, scopes};
use serde_json::json;
use std::collections::BTreeMap;

/// Entities of each resource.
const EACH: usize = 12;

/// The marketplace with sample data, and the paths of its entities.
fn filled() -> (Running, Vec<(String, String)>) {
    let model = marketplace_model();
    let mut entities = sample::entities(&model, EACH, Uuid::now_v7);
    keep_rules(&mut entities);
    let data: Vec<_> =
        entities.iter().map(|it| json!({ "resource": it.resource, "id": it.id, "body": it.body })).collect();
    let scopes = scopes(&model);
    let caller = move |_: &str| Some(Caller::new(Uuid::nil()).with_scopes(scopes.clone()));
    let setup = Setup::of(marketplace::service()).data(&json!(data).to_string()).authenticator(caller);
    let paths = entities.into_iter().map(|it| (format!("/{}/{}", it.resource, it.id), it.resource)).collect();
    (setup.start(), paths)
}

/// There is as much as is bought, and what is sent is what was bought.
fn keep_rules(entities: &mut [SampleEntity]) {
    let bought: BTreeMap<_, _> = entities
        .iter()
        .filter(|entity| entity.resource == "transactions")
        .map(|entity| (json!(entity.id).to_string(), entity.body["offer"].clone()))
        .collect();
    for entity in entities {
        match entity.resource.as_str() {
            "offers" => entity.body["stock"] = json!(1000),
            "transactions" => entity.body["quantity"] = json!(1),
            "shipments" => {
                if let Some(offer) = bought.get(&entity.body["transaction"]["id"].to_string()) {
                    entity.body["offer"] = offer.clone();
                }
            }
            _ => {}
        }
    }
}

#[test]
fn every_entity_of_the_marketplace_is_written_as_it_was_read() {
    let (running, paths) = filled();
    let mut wire = Wire::to(running.address());
    let mut compared = 0;
    for (path, resource) in paths {
        let reply = wire.send("GET", path.as_bytes(), PUBLIC, Some("all"), None);
        // those that only their owner sees are not seen by the holder of all scopes
        if reply.status != 200 {
            assert!(["watches"].contains(&resource.as_str()), "{path}: {}", reply.body);
            continue;
        }
        let again = match resource.as_str() {
            "application-configurations" => again::<types::ApplicationConfiguration>,
            "contests" => again::<types::Contest>,
            "general-deliveries" => again::<types::GeneralDelivery>,
            "offers" => again::<types::Offer>,
            "payments" => again::<types::Payment>,
            "products" => again::<types::Product>,
            "shipments" => again::<types::Shipment>,
            "transactions" => again::<types::Transaction>,
            "users" => again::<types::User>,
            other => panic!("{other} have a type"),
        };
        assert_eq!(again(&reply.body), reply.body);
        compared += 1;
    }
    assert!(compared > 5 * EACH, "{compared}");
}

fn again<R: Resource>(json: &str) -> String {
    let entity: Stored<R> = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    serde_json::to_string(&entity).expect("JSON")
}
