//! What a patch makes of a document, and where it ends.

use super::*;
use crate::plan::exact_json::SEARCHED;
use restwell_model::input::MAX_DEPTH;
use restwell_model::{Checked, Field, Resource, Service, Type};
use serde_json::{Value as Json, json};

fn list(items: Type) -> Type {
    Type::Array { items: Box::new(items), min_items: None, max_items: None, unique_items: false }
}

/// A shape with a text, a price and two lists.
fn shape() -> Shape {
    let mut resource = Resource::new("Thing");
    let price = Type::Price { minimum: None, maximum: None, currencies: Vec::new() };
    resource.fields = vec![
        Field::new("name", Type::string()),
        Field::new("price", price),
        Field::new("labels", list(Type::string())),
        Field::new("others", list(Type::string())),
    ];
    let mut service = Service::new("shop");
    service.resources.push(resource);
    let service = Checked::new(service).unwrap();
    Shape::compile(&service, &service.resources[0].fields, &["id"], &|_| true)
}

fn patch(entity: &Json, operations: &Json) -> Result<Patched, Problem> {
    let operations = operations::read(operations.to_string().as_bytes()).unwrap();
    patched(&shape(), entity.to_string().as_bytes(), &operations).map_err(|mut problems| problems.remove(0))
}

fn refused(entity: &Json, operations: &Json) -> (ErrorCode, String, u64) {
    let problem = patch(entity, operations).err().expect("it is refused");
    let operation = problem.details.get("operation").and_then(Json::as_u64).unwrap_or_default();
    (problem.code, problem.path.unwrap_or_default(), operation)
}

fn nested(levels: usize) -> Json {
    (0..levels).fold(json!(0), |inner, _| json!([inner]))
}

#[test]
fn what_is_below_an_unknown_property_is_refused_at_once() {
    let entity = json!({ "name": "A", "price": null, "labels": [], "others": [] });
    for (operation, path) in [
        (json!({ "op": "remove", "path": "/nmae/0" }), "nmae"),
        (json!({ "op": "add", "path": "/price/tax/rate", "value": 1 }), "price.tax"),
        (json!({ "op": "copy", "from": "/nmae/0/1", "path": "/name" }), "nmae"),
    ] {
        let problem = patch(&entity, &json!([operation])).err().unwrap();
        assert_eq!((problem.code, problem.path.as_deref()), (ErrorCode::UnknownProperty, Some(path)), "{operation}");
    }
    // one that was put there is not read either
    let add = json!({ "op": "add", "path": "/nmae", "value": [1, 2] });
    for read in ["test", "move", "copy"] {
        let operation = json!({ "op": read, "path": if read == "test" { "/nmae" } else { "/name" }, "from": "/nmae", "value": null });
        assert_eq!(refused(&entity, &json!([add, operation])).0, ErrorCode::UnknownProperty, "{read}");
    }
    // on its own it is reported with all other problems
    let Patched { problems, .. } = patch(&entity, &json!([add, { "op": "remove", "path": "/name" }])).unwrap();
    assert_eq!(problems.last().unwrap().code, ErrorCode::UnknownProperty);
    assert!(patch(&entity, &json!([add, { "op": "remove", "path": "/nmae" }])).unwrap().problems.is_empty());
}

#[test]
fn what_clients_may_not_set_is_no_unknown_property() {
    let entity = json!({ "id": "7", "name": "A", "labels": ["a"] });
    for path in ["/id", "/labels/-", "/labels/0", "/name"] {
        let operation = json!({ "op": "add", "path": path, "value": "x" });
        assert!(patch(&entity, &json!([operation])).unwrap().problems.is_empty(), "{path}");
    }
}

#[test]
fn a_result_that_nests_too_deep_is_refused() {
    let entity = json!({ "labels": [] });
    let put = |levels: usize| json!({ "op": "add", "path": "/labels", "value": nested(levels) });
    assert!(patch(&entity, &json!([put(MAX_DEPTH - 1)])).is_ok());
    let below = format!("/labels{}", "/0".repeat(40));
    let deeper = json!({ "op": "add", "path": below, "value": nested(40) });
    assert_eq!(refused(&entity, &json!([put(40), deeper])), (ErrorCode::InvalidPatch, below[1..].replace('/', "."), 1));
    // wrapped from outside again and again, which needs no long path
    let mut wrapping = Vec::new();
    for _ in 0..300 {
        wrapping.push(json!({ "op": "add", "path": "/others", "value": [[]] }));
        wrapping.push(json!({ "op": "move", "from": "/labels", "path": "/others/0/0" }));
        wrapping.push(json!({ "op": "move", "from": "/others", "path": "/labels" }));
    }
    assert_eq!(refused(&entity, &json!(wrapping)).0, ErrorCode::InvalidPatch);
    let long = "/0".repeat(100_000);
    assert_eq!(refused(&entity, &json!([{ "op": "remove", "path": long }])).0, ErrorCode::InvalidPatch);
}

#[test]
fn work_is_bounded() {
    let many = json!(vec!["x"; 100_000]);
    let entity = json!({ "labels": many, "others": [] });
    let at_the_front = json!({ "op": "add", "path": "/labels/0", "value": "y" });
    let (code, path, operation) = refused(&entity, &json!(vec![at_the_front; 1000]));
    assert_eq!((code, path.as_str()), (ErrorCode::InvalidPatch, "labels.0"));
    assert!((30..50).contains(&operation), "{operation}");
    let at_the_end = json!({ "op": "add", "path": "/labels/-", "value": "y" });
    assert!(patch(&entity, &json!(vec![at_the_end; 1000])).unwrap().work < 300_000);
    let to_and_fro = [("/labels", "/others"), ("/others", "/labels")];
    let moves = to_and_fro.map(|(from, path)| json!({ "op": "move", "from": from, "path": path }));
    let moves: Vec<_> = moves.iter().cycle().take(1000).collect();
    assert_eq!(refused(&entity, &json!(moves)).0, ErrorCode::InvalidPatch);
    let copies = json!({ "op": "copy", "from": "/labels", "path": "/others" });
    assert_eq!(refused(&entity, &json!(vec![copies; 1000])).0, ErrorCode::InvalidPatch);
}

#[test]
fn an_entity_does_not_grow_beyond_bounds() {
    let long = "x".repeat(1024 * 1024);
    let grow = json!([{ "op": "add", "path": "/others/-", "value": long }]);
    let entity = json!({ "name": "A", "labels": [long, long], "others": [] });
    assert_eq!(refused(&entity, &grow).0, ErrorCode::InvalidPatch);
    // what is larger already can be changed, and made smaller
    assert!(patch(&entity, &json!([{ "op": "replace", "path": "/name", "value": "B" }])).is_ok());
    assert!(patch(&entity, &json!([{ "op": "remove", "path": "/labels/0" }])).is_ok());
}

#[test]
fn null_is_a_value() {
    let entity = json!({ "name": "A", "labels": [] });
    let patched = patch(&entity, &json!([{ "op": "replace", "path": "/name", "value": null }])).unwrap();
    assert_eq!(shape().value_of(&patched.value, "name"), Some(&Value::Null));
}

/// The bytes of an entity that a patch looks through for numbers whose digits a tree would lose.
fn searched(ty: Type, entity: &Json, operations: &Json) -> usize {
    let mut resource = Resource::new("Thing");
    resource.fields = vec![Field::new("name", Type::string()), Field::new("more", ty)];
    let service = Checked::new(Service { resources: vec![resource], ..Service::new("shop") }).unwrap();
    let shape = Shape::compile(&service, &service.resources[0].fields, &["id"], &|_| true);
    let operations = operations::read(operations.to_string().as_bytes()).unwrap();
    let count = || SEARCHED.with(std::cell::Cell::get);
    let before = count();
    assert!(patched(&shape, entity.to_string().as_bytes(), &operations).is_ok());
    count() - before
}

#[test]
fn only_json_of_any_form_is_looked_through_for_numbers() {
    let operations = json!([
        { "op": "test", "path": "/name", "value": "A" },
        { "op": "replace", "path": "/name", "value": "B" },
        { "op": "remove", "path": "/more" },
    ]);
    let entity = json!({ "name": "A", "more": { "a": 1.5 } });
    let values = Type::Number { minimum: None, maximum: None };
    let map = Type::Map { values: Box::new(values), min_items: None, max_items: None, pattern: None };
    assert_eq!(searched(map, &entity, &operations), 0);
    let of_json = searched(Type::Json { max_bytes: None }, &entity, &operations);
    assert_eq!(of_json, entity.to_string().len());
}
