//! The decision "Deprecation": requests that use a deprecated part get the headers.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{NOBODY, created, path, specimen};
use restwell::{Builder, Command, Resource};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("Deprecation: a body that sets a deprecated property gets the headers", has_headers),
    ("Deprecation: errors tell it as well", errors_have_headers),
    ("Deprecation: null and reading use nothing", not_used),
    ("Deprecation: every answer of a deprecated command and resource has the headers", of_operations),
];

/// Its coins go, and its stamps cannot be sold any more.
#[derive(Debug, Clone, Resource)]
struct Stamp {
    name: String,
}

#[derive(Debug, Clone, Command)]
#[command(on = Stamp, ready = false, deprecated, sunset = "2027-06-30")]
struct Sell {
    price: Option<i64>,
}

#[derive(Debug, Clone, Resource)]
#[resource(deprecated, sunset = "2027-06-30")]
struct Coin {
    name: String,
}

fn shop() -> Builder {
    Builder::new("shop").resource::<Stamp>().resource::<Coin>().command::<Sell>()
}

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

fn of_operations(api: &Api) {
    let api = api.of(shop);
    let stamp = api.post("/stamps", &json!({ "name": "Penny Black" })).is(201);
    assert!(!has_deprecation(&stamp));
    let command = format!("{}/sell-commands/{NOBODY}", path("stamps", &stamp.json()));
    let put = |target: &str| api.request("PUT", target).json(&json!({}));
    for refused in [
        put(&command).without("accept").send().is(406),
        put(&command).header("content-type", "text/plain").send().is(415),
        put(&command).header("authorization", "Bearer nonsense").send().is(401),
        put(&command).body(b"{").send().is(400),
        put(&format!("/stamps/{NOBODY}/sell-commands/{NOBODY}")).send().is(404),
        put(&command).send().is(501),
        api.get(&command).is(404),
        api.request("GET", &command).without("accept").send().is(406),
    ] {
        assert!(has_deprecation(&refused), "{refused}");
    }
    let coin = api.post("/coins", &json!({ "name": "Groat" })).is(201);
    assert!(has_deprecation(&coin));
    assert!(has_deprecation(&api.get(&path("coins", &coin.json())).is(200)));
    assert!(has_deprecation(&api.get("/coins?nothing=1").is(422)));
    assert!(has_deprecation(&api.request("GET", "/coins").without("accept").send().is(406)));
}
