//! Entities of random models, as the service responds with them: read and written again by serde's forms they are the
//! same bytes, in every version and view.

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use restwell::interpreted::written_again;
use restwell::testing::Setup;
use restwell::{Builder, Caller, Interpreted, Uuid};
use restwell_model::{Checked, Field, Operation, OperationKind, Resource, Type, Version, View, sample};
use restwell_testkit::any_model::{any_service, repaired};
use restwell_testkit::wire::Wire;
use restwell_tests::scopes::scopes;
use serde_json::{Value, json};
use std::cell::Cell;

/// Models that are served where nothing else is said.
const MODELS: u64 = 60;
/// What the models follow from where nothing else is said.
const SEED: u64 = 200;
/// Entities of each resource.
const EACH: usize = 3;

#[test]
fn what_a_service_responds_with_is_written_as_it_was_read() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(default);
    let (models, seed) = (number("RESTWELL_MODELS", MODELS), number("RESTWELL_MODELS_SEED", SEED));
    let config = ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        max_shrink_iters: 200,
        ..ProptestConfig::with_cases(models as u32)
    };
    let compared = Cell::new(0);
    let done = TestRunner::new(config).run(&any_service(), |service| {
        let model = Checked::new(repaired(service)).expect("repaired");
        let mismatches = mismatches(&model, &compared);
        prop_assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
        Ok(())
    });
    if let Err(error) = done {
        panic!("RESTWELL_MODELS_SEED={seed} RESTWELL_MODELS={models}\n{error}");
    }
    eprintln!("{} responses of {models} models", compared.get());
    assert!(compared.get() > models, "{} responses", compared.get());
}

/// Serves a model with entities, and compares each response that has one.
fn mismatches(model: &Checked, compared: &Cell<u64>) -> Vec<String> {
    let entities = sample::entities(model, EACH, Uuid::now_v7);
    let data: Vec<_> =
        entities.iter().map(|it| json!({ "resource": it.resource, "id": it.id, "body": it.body })).collect();
    let scopes = scopes(model);
    let caller = move |_: &str| Some(Caller::new(Uuid::nil()).with_scopes(scopes.clone()));
    let setup = Setup::of(Builder::interpreted(Interpreted::of(model.clone())));
    let running = setup.data(&Value::from(data).to_string()).authenticator(caller).start();
    let mut wire = Wire::to(running.address());
    let mut found = Vec::new();
    for entity in &entities {
        let resource = model.resources.iter().find(|it| it.plural == entity.resource).expect("of the model");
        for (path, view, version) in representations(resource, entity.id) {
            let media_type = version.media_type(&model.vendor);
            let reply = wire.send("GET", path.as_bytes(), &media_type, Some("all"), None);
            // what only its owner sees
            if reply.status != 200 {
                continue;
            }
            // until the service sets it, it is null, which no type of a required field can hold
            if may_be_unset(model, resource) {
                continue;
            }
            match written_again(model, &resource.name, &reply.body) {
                Ok(again) if again == reply.body => compared.set(compared.get() + 1),
                // the type cannot be made of such a response, which is said
                Err(reason)
                    if reason.starts_with("missing field") && lacks_required(model, resource, view, version) => {}
                other => found.push(format!("{path} {version}\n{}\n{other:?}", reply.body)),
            }
        }
    }
    found
}

/// Whether a field is required, and yet null until the service's own code sets it.
fn may_be_unset(model: &Checked, resource: &Resource) -> bool {
    let is_unset = |field: &Field| field.required && field.read_only && field.default.is_none();
    resource.fields.iter().chain(model.objects.iter().flat_map(|object| &object.fields)).any(is_unset)
}

/// Whether a response lacks a field that the type of an entity has to have: one of another version or view, or one that
/// is write-only and not a text.
fn lacks_required(model: &Checked, resource: &Resource, view: Option<&View>, version: Version) -> bool {
    let is_needed = |field: &Field| field.required && field.default.is_none();
    let is_hidden = |field: &Field| field.write_only && !matches!(field.ty, Type::String { .. });
    let is_lacking = |field: &Field| is_needed(field) && (is_hidden(field) || !field.is_in(version, view));
    let nested = model.objects.iter().flat_map(|object| &object.fields);
    resource.fields.iter().any(is_lacking) || nested.into_iter().any(|field| is_needed(field) && is_hidden(field))
}

/// The paths of an entity, of the resource itself and of its views, each in all versions.
fn representations(resource: &Resource, id: Uuid) -> Vec<(String, Option<&View>, Version)> {
    let shows_one = |operations: &[Operation]| operations.iter().any(|it| it.kind == OperationKind::Get);
    let own = (resource.path(), None, &resource.operations);
    let views = resource.views.iter().map(|view| (view.path.clone(), Some(view), &view.operations));
    let paths = std::iter::once(own).chain(views).filter(|(_, _, operations)| shows_one(operations));
    let mut all = Vec::new();
    for (path, view, _) in paths {
        all.extend(resource.versions.iter().map(|version| (format!("{path}/{id}"), view, *version)));
    }
    all
}
