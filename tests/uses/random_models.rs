//! Entities of random models, as the service responds with them: read and written again by serde's forms they are the
//! same bytes, in every version and view.

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use restwell::interpreted::written_again;
use restwell::testing::Setup;
use restwell::{Builder, Caller, Interpreted, Uuid};
use restwell_model::language::SCALAR_TYPES;
use restwell_model::{
    Checked, Field, Kind, Object, Operation, OperationKind, Resource, Service, Type, Version, View, sample,
};
use restwell_testkit::any_model::{any_service, repaired};
use restwell_testkit::effort::{by_effort, repeated, seed_or};
use restwell_testkit::wire::Wire;
use restwell_tests::scopes::scopes;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// Models that are served, by effort.
const MODELS: (u32, u32, u32) = (15, 60, 500);
/// What the models follow from by default.
const SEED: u64 = 200;
/// Entities of each resource.
const EACH: usize = 3;

#[test]
fn what_a_service_responds_with_is_written_as_it_was_read() {
    let (models, seed) = (by_effort(MODELS), seed_or(SEED));
    let config = ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        max_shrink_iters: 200,
        ..ProptestConfig::with_cases(models)
    };
    let compared = Compared::default();
    let done = TestRunner::new(config).run(&any_service(), |service| {
        let model = Checked::new(repaired(service)).expect("repaired");
        let mismatches = mismatches(&model, &compared);
        prop_assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
        Ok(())
    });
    if let Err(error) = done {
        panic!("{}\n{error}", repeated(seed));
    }
    let every = mismatches(&Checked::new(every_rare_type()).expect("no mistakes"), &compared);
    assert!(every.is_empty(), "{}", every.join("\n"));
    let (responses, kinds) = (compared.responses.get(), compared.kinds.into_inner());
    eprintln!("{responses} responses of {models} models, with values of {kinds:?}");
    assert!(responses > u64::from(models), "{responses} responses");
    let scalars = SCALAR_TYPES.iter().map(|scalar| scalar.plain.word());
    let others = ["ref", "enum", "object", "array of objects", "array of enum", "array of ref", "unknown value"];
    let missing: Vec<_> = scalars.chain(others).filter(|kind| !kinds.contains(*kind)).collect();
    assert!(missing.is_empty() || models < MODELS.1, "no values of {missing:?} were compared");
}

/// A model with a field of each type that is rare at random: of the scalar types, and an array of objects.
fn every_rare_type() -> Service {
    let mut thing = Resource::new("Thing");
    let scalars = SCALAR_TYPES.iter().map(|row| (format!("{}Value", row.plain.word()), row.plain.clone()));
    let part = Type::Named { name: "Part".to_owned() };
    let parts = Type::Array { items: Box::new(part), min_items: Some(1), max_items: None, unique_items: false };
    let parts = ("parts".to_owned(), parts);
    thing.fields = scalars.chain([parts]).map(|(name, ty)| Field { required: true, ..Field::new(&name, ty) }).collect();
    let mut service = Service::new("every");
    service.objects.push(Object::new("Part", vec![Field::new("name", Type::string())]));
    service.resources.push(thing);
    service
}

/// What was compared.
#[derive(Default)]
struct Compared {
    responses: Cell<u64>,
    /// The kinds of values that were not blank: `price`, `array of price`, `object`.
    kinds: RefCell<BTreeSet<String>>,
}

impl Compared {
    /// Another response was the same bytes.
    fn note(&self, model: &Checked, resource: &Resource, body: &str) {
        self.responses.set(self.responses.get() + 1);
        let json: Value = serde_json::from_str(body).expect("it was read");
        self.note_fields(model, &resource.fields, &json);
    }

    fn note_fields(&self, model: &Checked, fields: &[Field], json: &Value) {
        for field in fields {
            let (value, kind) = (&json[&field.name], model.kind(field.ty.element()));
            let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            for item in items.iter().filter(|item| !item.is_null()) {
                let array = if value.is_array() { "array of " } else { "" };
                let word = match kind {
                    Kind::Enum(_) => "enum",
                    Kind::Object(object) => {
                        self.note_fields(model, &object.fields, item);
                        if value.is_array() { "objects" } else { "object" }
                    }
                    Kind::Scalar(ty) | Kind::Array(ty) | Kind::Map(ty) => ty.word(),
                };
                self.kinds.borrow_mut().insert(format!("{array}{word}"));
            }
        }
    }
}

/// The same response, with values of enums that the model does not have. Names keep their order.
fn with_unknown_values(model: &Checked, resource: &Resource, body: &str) -> String {
    // one that is served under two names would have to be replaced twice
    let is_enum = |field: &&Field| field.formerly.is_none() && matches!(model.kind(&field.ty), Kind::Enum(_));
    let mut body = body.to_owned();
    for field in resource.fields.iter().filter(is_enum) {
        let key = format!("\"{}\":\"", field.name);
        let Some(start) = body.find(&key).map(|at| at + key.len()) else { continue };
        if let Some(length) = body[start..].find('"') {
            body.replace_range(start..start + length, "UNHEARD_OF");
        }
    }
    body
}

/// Serves a model with entities, and compares each response that has one.
fn mismatches(model: &Checked, compared: &Compared) -> Vec<String> {
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
            match written_again(model, &resource.name, &reply.body) {
                Ok(again) if again == reply.body => compared.note(model, resource, &reply.body),
                // the type cannot be made of such a response, which is said
                Err(reason)
                    if reason.starts_with("missing field") && lacks_required(model, resource, view, version) => {}
                other => found.push(format!("{path} {version}\n{}\n{other:?}", reply.body)),
            }
            // a newer service may have values of enums that this model does not have
            let newer = with_unknown_values(model, resource, &reply.body);
            match written_again(model, &resource.name, &newer) {
                Ok(again) if again != newer => found.push(format!("{path} {version}\n{newer}\n{again}")),
                Ok(_) if newer != reply.body => compared.kinds.borrow_mut().extend(["unknown value".to_owned()]),
                Ok(_) | Err(_) => {}
            }
        }
    }
    found
}

/// Whether a response lacks a field that the type of an entity has to have: one of another version or view, or one that
/// is write-only and not a text.
fn lacks_required(model: &Checked, resource: &Resource, view: Option<&View>, version: Version) -> bool {
    let is_hidden = |field: &Field| field.write_only && !matches!(field.ty, Type::String { .. });
    let is_lacking =
        |field: &Field| resource.has_to_be_given(field) && (is_hidden(field) || !field.is_in(version, view));
    let mut nested = model.objects.iter().flat_map(|object| &object.fields);
    resource.fields.iter().any(is_lacking) || nested.any(|field| field.has_to_be_given() && is_hidden(field))
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
