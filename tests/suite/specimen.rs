//! Bodies of requests: the smallest that is valid, and that with a little more.

use crate::client::Api;
use serde_json::{Value, json};

/// The smallest valid specimen, with these fields set over it.
pub(crate) fn specimen(fields: &Value) -> Value {
    let mut body = json!({ "name": "Amber", "storage": { "shelf": "A1" }, "readings": [7] });
    for (name, value) in fields.as_object().expect("fields") {
        body[name] = value.clone();
    }
    body
}

/// Creates a specimen with these fields.
#[track_caller]
pub(crate) fn created(api: &Api, fields: &Value) -> Value {
    api.create("/specimens", &specimen(fields))
}

/// The path of an entity of a collection.
pub(crate) fn path(collection: &str, entity: &Value) -> String {
    format!("/{collection}/{}", id(entity))
}

/// An entity's id.
pub(crate) fn id(entity: &Value) -> &str {
    entity["id"].as_str().expect("an entity has an id")
}

/// A reference to an entity.
pub(crate) fn reference(entity: &Value) -> Value {
    json!({ "id": id(entity) })
}

/// A price.
pub(crate) fn price(amount: &str, currency: &str) -> Value {
    json!({ "amount": amount, "currency": currency })
}

/// The id of nothing.
pub(crate) const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// Creates a keeper.
#[track_caller]
pub(crate) fn keeper(api: &Api, name: &str) -> Value {
    api.create("/keepers", &json!({ "name": name }))
}

/// The names of what a collection's response holds.
#[track_caller]
pub(crate) fn names(api: &Api, target: &str) -> Vec<String> {
    let body = api.get(target).is(200).json();
    let entities = body["specimens"].as_array().expect("specimens");
    entities.iter().map(|entity| entity["name"].as_str().expect("a name").to_owned()).collect()
}

/// Each value is taken for the field, by POST and by PUT, and rendered so: at once, and when it is read again.
#[track_caller]
pub(crate) fn accepts(api: &Api, field: &str, values: &[(Value, Value)]) {
    let kept = created(api, &json!({}));
    for (given, rendered) in values {
        let body = specimen(&json!({ field: given }));
        let entity = api.create("/specimens", &body);
        assert_eq!(&entity[field], rendered, "POST {field} {given}");
        let read = api.get(&path("specimens", &entity)).is(200).json();
        assert_eq!(&read[field], rendered, "GET {field} {given}");
        let updated = api.put(&path("specimens", &kept), &body).is(200).json();
        assert_eq!(&updated[field], rendered, "PUT {field} {given}");
    }
}

/// Each value is taken, and rendered as it was given.
#[track_caller]
pub(crate) fn keeps(api: &Api, field: &str, values: &[Value]) {
    let pairs: Vec<_> = values.iter().map(|value| (value.clone(), value.clone())).collect();
    accepts(api, field, &pairs);
}

/// Each value is refused, by POST and by PUT, with one error of this code at this path below the field (`""`: at the
/// field itself).
#[track_caller]
pub(crate) fn refuses(api: &Api, field: &str, values: &[(Value, &str, &str)]) {
    let kept = created(api, &json!({}));
    for (given, code, below) in values {
        let at = if below.is_empty() { field.to_owned() } else { format!("{field}.{below}") };
        let body = specimen(&json!({ field: given }));
        api.post("/specimens", &body).refused(&[(code, &at)]);
        api.put(&path("specimens", &kept), &body).refused(&[(code, &at)]);
    }
}

/// Each value is refused with this code at the field itself.
#[track_caller]
pub(crate) fn refuses_all(api: &Api, field: &str, code: &str, values: &[Value]) {
    let cases: Vec<_> = values.iter().map(|value| (value.clone(), code, "")).collect();
    refuses(api, field, &cases);
}
