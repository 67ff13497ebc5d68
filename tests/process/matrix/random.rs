//! Random models, served one after the other as `restwell serve` does, and asked what the matrix asks.

use super::axes::Case;
use super::entities::{Entities, Entity};
use super::predict;
use super::world::{Tokens, World};
use super::{Client, SHOWN, mismatch, mix};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use restwell::testing::{Running, Setup};
use restwell::{Builder, Interpreted};
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, openapi};
use restwell_model::{Checked, Field, Operation, OperationKind, Resource, Search, Service, Type, Version, sample};
use restwell_testkit::any_model::{any_service, repaired};
use restwell_testkit::effort::{by_effort, repeated, seed_or};
use restwell_testkit::http::Request;
use restwell_testkit::openapi::Judge;
use restwell_testkit::postgres::{self, Database, Schema};
use restwell_tests::scopes::scopes;
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Models that are served where nothing else is said.
const MODELS: (u32, u32, u32) = (8, 40, 400);
/// What the models follow from where nothing else is said.
const SEED: u64 = 200;
/// Models that a failure is reduced by, at most.
const MAX_SHRINKS: u32 = 200;
/// One case of so many is asked that gets as far as the operation.
const OF_PLAIN: u64 = 24;
/// One case of so many is asked where the method is one of the path.
const OF_SERVED: u64 = 768;
/// One case of so many is asked where it is not.
const OF_OTHERS: u64 = 4096;

/// What came of one model.
struct Outcome {
    asked: usize,
    mismatches: Vec<String>,
}

/// `RESTWELL_STORE=postgres` chooses the store.
#[test]
fn random_models_answer_what_they_say() {
    let (models, seed) = (by_effort(MODELS), seed_or(SEED));
    let config = ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        max_shrink_iters: MAX_SHRINKS,
        ..ProptestConfig::with_cases(models)
    };
    let database = postgres::chosen();
    let (served, asked) = (Cell::new(0), Cell::new(0));
    let done = TestRunner::new(config).run(&any_service(), |service| {
        let schema = database.as_ref().map(Database::schema);
        let outcome = ask(repaired(service), schema.as_ref().map(Schema::url));
        served.set(served.get() + 1);
        asked.set(asked.get() + outcome.asked);
        prop_assert!(outcome.mismatches.is_empty(), "{}", outcome.mismatches.join("\n"));
        Ok(())
    });
    if let Err(error) = done {
        panic!("{}\n{error}", repeated(seed));
    }
    let (served, asked) = (served.get(), asked.get());
    eprintln!("{asked} requests to {served} models");
    assert!(asked > 100 * served, "{asked} requests to {served} models");
}

/// Who may list may search: nobody, where there is no list.
#[test]
fn a_search_of_what_cannot_be_listed_is_forbidden_to_all() {
    let name = Field { filter: true.into(), ..Field::new("name", Type::string()) };
    let get = Operation::open(OperationKind::Get);
    let offer = Resource { fields: vec![name], operations: vec![get], search: Search::All, ..Resource::new("Offer") };
    let outcome = ask(Service { resources: vec![offer], ..Service::new("shop") }, None);
    assert!(outcome.mismatches.is_empty(), "{}", outcome.mismatches.join("\n"));
}

/// Serves a model and asks it.
fn ask(service: Service, database: Option<&str>) -> Outcome {
    let model: &'static Checked = Box::leak(Box::new(Checked::new(service).expect("repaired")));
    let mut of = BTreeMap::new();
    let mut data = Vec::new();
    for entity in sample::entities(model, 1, Uuid::now_v7) {
        let resource = model.resources.iter().find(|it| it.plural == entity.resource).expect("one of the model's");
        data.push(json!({ "resource": entity.resource, "id": entity.id, "body": entity.body }));
        of.insert(resource.name.clone(), Entity { id: entity.id.to_string(), body: entity.body });
    }
    let interpreted = Interpreted { mock_commands: true, ..Interpreted::of(model.clone()) };
    let setup = Setup::of(Builder::interpreted(interpreted)).data(&Value::from(data).to_string());
    let running = match database {
        Some(url) => setup.database(url),
        None => setup,
    };
    let running = running.start();
    let world = world(&running, model, of);
    let salt = world.places.len() as u64;
    let cases: Vec<_> = (0..Case::count(&world)).filter_map(|index| chosen(&world, index, salt)).collect();
    let mut client = Client::new(running.address());
    let document = openapi(&Api::of(model), ContractOptions::default());
    let judge = Judge::of(&json!(document)).expect("the document can be read");
    let mismatches = cases.iter().filter_map(|case| mismatch(&world, &judge, &mut client, case)).take(SHOWN).collect();
    Outcome { asked: cases.len(), mismatches }
}

fn world(running: &Running, model: &'static Checked, of: BTreeMap<String, Entity>) -> World {
    let scopes = scopes(model);
    let all: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let user = model.users.as_ref().and_then(|users| of.get(users)).map(|user| user.id.clone());
    let user = user.unwrap_or_else(|| Uuid::now_v7().to_string());
    let (owner, stranger) = (Uuid::try_parse(&user).expect("an id"), Uuid::now_v7());
    let tokens = Tokens {
        stranger: running.token(stranger, &[]),
        owner: running.token(owner, &[]),
        scoped: running.token(stranger, &all),
    };
    let master = running.token(owner, &all);
    let search = |resource: &Resource| {
        if resource.search_access().is_empty() {
            return None;
        }
        let preferred = resource.versions_by_preference().first().copied().unwrap_or(Version::Public);
        let media_type = preferred.media_type(&model.vendor);
        let request = Request::post(&resource.search_path(), &json!({ "limit": 1 })).bearer(&master);
        let request = request.header("accept", media_type.as_str()).header("content-type", media_type.as_str());
        Some(request.send(running.address()).is(201).id())
    };
    World::of(&Entities { model, of, user }, tokens, scopes.clone(), search)
}

/// The case of an index, where it is one of those that are asked.
fn chosen(world: &World, index: u64, salt: u64) -> Option<Case> {
    let mixed = mix(index ^ salt << 40);
    let case = Case::of(world, index, mixed >> 32);
    let one_of = match world.places[case.place].serves(case.method) {
        true if case.is_plain() => OF_PLAIN,
        true => OF_SERVED,
        false => OF_OTHERS,
    };
    (mixed.is_multiple_of(one_of) && predict::is_decided(world, &case)).then_some(case)
}
