//! The decision "Deprecation": the headers come to whoever uses what is going away.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{created, path, specimen};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("Deprecation: a body that sets a deprecated property is told", told),
    ("Deprecation: errors tell it as well", told_by_errors),
    ("Deprecation: null and reading use nothing", not_used),
];

fn is_told(reply: &Reply) -> bool {
    let sunset = reply.header("sunset");
    assert!(sunset.as_deref().is_none_or(|sunset| sunset == "Wed, 30 Jun 2027 00:00:00 GMT"), "Sunset: {sunset:?}");
    assert_eq!(reply.header("deprecation").is_some(), sunset.is_some());
    sunset.is_some()
}

fn told(api: &Api) {
    let body = specimen(&json!({ "legacyCode": "A-1" }));
    let reply = api.post("/specimens", &body).is(201);
    assert!(is_told(&reply));
    assert!(is_told(&api.put(&path("specimens", &reply.json()), &body).is(200)));
}

fn told_by_errors(api: &Api) {
    assert!(is_told(&api.post("/specimens", &json!({ "legacyCode": "A-1" })).is(422)));
}

fn not_used(api: &Api) {
    let entity = created(api, &json!({}));
    assert!(!is_told(&api.post("/specimens", &specimen(&json!({ "legacyCode": null }))).is(201)));
    assert!(!is_told(&api.get(&path("specimens", &entity)).is(200)));
    assert!(!is_told(&api.get("/specimens").is(200)));
}
