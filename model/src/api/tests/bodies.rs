//! Bodies as the service reads them, against what the interface says of them: which properties there are, which must be
//! there, and which errors are possible.

use super::{both, properties};
use crate::api::{Api, HttpOperation, Property, SchemaKey, ValueType};
use crate::check::Checked;
use crate::error::{ErrorCode, Problem};
use crate::field::Field;
use crate::input::{Criteria, Reading, Shape};
use crate::names::COMMON_FIELDS;
use crate::sample::{EXAMPLE_AMOUNT, EXAMPLE_ID, example};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;

/// Reads bodies as a schema says, and finds their problems.
type Reader = Box<dyn Fn(&Json) -> Vec<Problem>>;

fn reader(service: &Checked, key: SchemaKey) -> Reader {
    match key {
        SchemaKey::Creation { representation: it, .. } | SchemaKey::Replacement(it) => {
            let resource = &service.resources[it.resource];
            let view = it.view.map(|view| &resource.views[view]);
            let has = |field: &Field| field.is_in(it.version, view);
            let is_new = matches!(key, SchemaKey::Creation { .. });
            let reading = if is_new { Reading::Create } else { Reading::Update };
            along(Shape::compile(service, &resource.fields, &COMMON_FIELDS, &has), reading)
        }
        SchemaKey::CommandInput { resource, command } => {
            let input = &service.resources[resource].commands[command].input;
            along(Shape::compile(service, input, &[], &|_| true), Reading::Create)
        }
        SchemaKey::Criteria { resource, version } => {
            let criteria = Criteria::of_searches(service, &service.resources[resource], version).unwrap();
            Box::new(move |body| criteria.read(body.to_string().as_bytes()).unwrap().problems)
        }
        other => panic!("not a body that is read here: {other:?}"),
    }
}

fn along(shape: Shape, reading: Reading) -> Reader {
    Box::new(move |body| shape.read(body.to_string().as_bytes(), reading, &[]).unwrap().problems)
}

/// Every operation with a body, in each of its versions; a patch is read by its result.
fn each_body(check: impl Fn(&HttpOperation<'_>, &ValueType<'_>, &Reader)) {
    for service in both() {
        let api = Api::of(&service);
        for (_, operation) in api.operations() {
            let keys = operation.request.iter().filter_map(|content| content.schema);
            for key in keys.filter(|key| *key != SchemaKey::Patch) {
                check(operation, api.schema(key).unwrap(), &reader(&service, key));
            }
        }
    }
}

fn codes(problems: &[Problem]) -> BTreeSet<ErrorCode> {
    problems.iter().map(|problem| problem.code).collect()
}

/// A value of a type: good enough to be there.
fn sample(value: &ValueType<'_>) -> Json {
    match value {
        // a text with a pattern has no example
        ValueType::Scalar(ty) | ValueType::Price(ty) => example(ty).unwrap_or_else(|| json!("abcd")),
        ValueType::Enum(values) => json!(values.values[0]),
        ValueType::Words(words) => json!(words[0]),
        ValueType::Amount => json!(EXAMPLE_AMOUNT),
        ValueType::Reference { .. } => json!({ "id": EXAMPLE_ID }),
        ValueType::Object { properties, .. } => object(properties, |_| true),
        ValueType::Array { items, .. } => json!([sample(items)]),
        ValueType::Map { values, .. } => json!({ "colour": sample(values) }),
        ValueType::Criterion { value, bounds, .. } => match bounds.first() {
            Some(bound) => json!({ bound.word(): sample(value), "isNull": false }),
            None => json!([sample(value)]),
        },
        ValueType::Schema(_) | ValueType::Any => Json::Null,
    }
}

/// An object with some of its properties.
fn object(properties: &[Property<'_>], has: impl Fn(&Property<'_>) -> bool) -> Json {
    let members = properties.iter().filter(|property| has(property));
    Json::Object(members.map(|property| (property.name.to_string(), sample(&property.value))).collect())
}

/// Codes of problems that are about properties, not about their values.
const STRUCTURE: [ErrorCode; 3] = [ErrorCode::Required, ErrorCode::UnknownProperty, ErrorCode::WrongType];

#[test]
fn a_body_with_every_property_has_no_other() {
    each_body(|operation, schema, read| {
        let body = sample(schema);
        let found = read(&body);
        assert!(!found.iter().any(|it| STRUCTURE.contains(&it.code)), "{}: {body}: {found:?}", operation.id);
    });
}

/// What the path or the token sets is for the stages before and after the reading.
#[test]
fn a_body_needs_its_required_properties_and_no_more() {
    each_body(|operation, schema, read| {
        let properties = properties(schema);
        let missing = |has: &dyn Fn(&Property<'_>) -> bool| {
            let found = read(&object(properties, |it| has(it) || it.filled_by.is_some()));
            found.into_iter().filter(|it| it.code == ErrorCode::Required).collect::<Vec<_>>()
        };
        assert_eq!(missing(&|property| property.is_required), [], "{}", operation.id);
        for required in properties.iter().filter(|it| it.is_required && it.filled_by.is_none()) {
            let found = missing(&|property| property.is_required && property.name != required.name);
            let paths: Vec<_> = found.iter().filter_map(|it| it.path.as_deref()).collect();
            assert_eq!(paths, [&*required.name], "{}", operation.id);
        }
    });
}

#[test]
fn null_is_taken_where_a_property_is_nullable() {
    each_body(|operation, schema, read| {
        for property in properties(schema).iter().filter(|it| !it.is_ignored) {
            let found = read(&json!({ &*property.name: null }));
            let is_refused = found.iter().any(|it| it.path.as_deref() == Some(&*property.name));
            assert_eq!(is_refused, !property.is_nullable, "{}: {}", operation.id, property.name);
        }
    });
}

#[test]
fn ignored_properties_may_be_anything() {
    each_body(|operation, schema, read| {
        for property in properties(schema).iter().filter(|it| it.is_ignored) {
            let found = read(&json!({ &*property.name: { "any": [1] } }));
            let about = found.iter().find(|it| it.path.as_deref().is_some_and(|at| at.starts_with(&*property.name)));
            assert_eq!(about, None, "{}", operation.id);
        }
    });
}

/// What bodies may be wrong with: values that are right somewhere, and wrong elsewhere.
fn oddities() -> Vec<Json> {
    let texts = [
        "",
        " ",
        "x",
        "abcdefghijklmnopqrstuvwxyz",
        "\0",
        "01890A5D-AC96-774B-BCCE-B302099A8057",
        "PL",
        "pl",
        "XX",
        "PLN",
        "EUR",
        "JPY",
        "ABC",
        "2026-11-22",
        "2026-13-40",
        "2026-11-22T08:00:00.000Z",
        "2026-11-22T08:00:00+01:00",
        "1800-01-01T00:00:00.000Z",
        "2200-01-01T00:00:00.000Z",
        "1800-01-01",
        "2200-01-01",
        "25:00:00",
        "P1D",
        "1.5",
        "-1.00",
        "100000.00",
        "1.123456",
        "a@b.example",
        "https://x.example",
        "RED",
        "NOTHING",
    ];
    let numbers = [json!(-5), json!(0), json!(1.5), json!(99_999_999), json!(1e30), json!(-1e30)];
    let others =
        [json!(null), json!(true), json!([]), json!({}), json!([null]), json!([1, 1, 1, 1, 1]), json!(["", ""])];
    texts.iter().map(|text| json!(text)).chain(numbers).chain(others).collect()
}

/// A value with one place in it replaced, for each place and each oddity.
fn spoilt(value: &Json, odd: &Json, spoil: &mut dyn FnMut(Json)) {
    spoil(odd.clone());
    match value {
        Json::Object(members) => {
            let mut unknown = members.clone();
            unknown.insert("unheardOf".to_owned(), odd.clone());
            spoil(Json::Object(unknown));
            for (name, inner) in members {
                let with = |inner| -> Json {
                    let mut members: Map<String, Json> = members.clone();
                    members.insert(name.clone(), inner);
                    Json::Object(members)
                };
                spoilt(inner, odd, &mut |inner| spoil(with(inner)));
            }
        }
        Json::Array(items) => {
            if let Some(first) = items.first() {
                spoil(json!([first, first, first, first, first]));
                spoilt(first, odd, &mut |first| spoil(json!([first])));
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

/// §7.1: every error in a body has a code that the operation's responses name.
#[test]
fn what_is_wrong_with_a_body_is_among_the_codes() {
    each_body(|operation, schema, read| {
        if !operation.is_ready {
            // no valid request is needed for 501
            assert!(operation.responses.iter().all(|it| it.status != 422), "{}", operation.id);
            return;
        }
        let possible: BTreeSet<_> = operation.responses.iter().flat_map(|it| it.codes.iter().copied()).collect();
        let body = sample(schema);
        for odd in oddities() {
            // one property at a time, or the number of bodies is that of places squared
            let members = body.as_object().unwrap();
            for (name, inner) in members {
                spoilt(inner, &odd, &mut |inner| {
                    let body = json!({ name: inner });
                    let found = codes(&read(&body));
                    let unexpected: Vec<_> = found.difference(&possible).map(|code| code.name()).collect();
                    assert!(unexpected.is_empty(), "{}: {body}: {unexpected:?}", operation.id);
                });
            }
            let found = codes(&read(&odd));
            assert!(found.is_subset(&possible), "{}: {odd}: {found:?}", operation.id);
        }
    });
}
