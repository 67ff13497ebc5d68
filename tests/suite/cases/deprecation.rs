//! The decision "Deprecation": requests that use a deprecated part get the headers.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{created, path, specimen};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("Deprecation: a body that sets a deprecated property gets the headers", has_headers),
    ("Deprecation: errors tell it as well", errors_have_headers),
    ("Deprecation: null and reading use nothing", not_used),
];

fn has_deprecation(reply: &Reply) -> bool {
    let sunset = reply.header("sunset");
    assert!(sunset.as_deref().is_none_or(|sunset| sunset == "Wed, 30 Jun 2027 00:00:00 GMT"), "Sunset: {sunset:?}");
    assert_eq!(reply.header("deprecation").is_some(), sunset.is_some());
    sunset.is_some()
}

fn has_headers(api: &Api) {
    let body = specimen(&json!({ "legacyCode": "A-1" }));
    let reply = api.post("/specimens", &body).is(201);
    assert!(has_deprecation(&reply));
    assert!(has_deprecation(&api.put(&path("specimens", &reply.json()), &body).is(200)));
}

fn errors_have_headers(api: &Api) {
    assert!(has_deprecation(&api.post("/specimens", &json!({ "legacyCode": "A-1" })).is(422)));
}

fn not_used(api: &Api) {
    let entity = created(api, &json!({}));
    assert!(!has_deprecation(&api.post("/specimens", &specimen(&json!({ "legacyCode": null }))).is(201)));
    assert!(!has_deprecation(&api.get(&path("specimens", &entity)).is(200)));
    assert!(!has_deprecation(&api.get("/specimens").is(200)));
}
