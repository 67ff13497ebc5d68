//! The decision "Deprecation": requests that use a deprecated part get the headers.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{NOBODY, created, id, keeper, path, specimen};
use restwell::{Builder, Command, Resource};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("Deprecation: a body that sets a deprecated property gets the headers", has_headers),
    ("Deprecation: errors tell it as well", errors_have_headers),
    ("Deprecation: null and reading use nothing", not_used),
    ("Deprecation: a value, a filter and a sort key that are announced by their paths", of_parts),
    ("Deprecation: an operation, a view and a scoped collection that are announced", of_paths),
    ("Deprecation: count, search, version and input that are announced", of_the_rest),
    ("Deprecation: every answer of a deprecated command and resource has the headers", of_operations),
];

/// The version of a resource of its own.
const BETA_1: &str = "application/vnd.service.beta.v1+json";

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

/// Much of it goes away.
#[derive(Debug, Clone, Resource)]
#[resource(
    versions("public.v1", "beta.v1"),
    search,
    operations(create, list, get, update),
    commands(Redeem),
    deprecations(
        "count" = "2027-06-30",
        "search" = "2027-06-30",
        "versions.beta.v1" = "2027-06-30",
        "commands.redeem.input.place" = "2027-06-30",
        "fields.series.readOnly" = "2027-06-30"
    )
)]
struct Bond {
    #[field(filter)]
    name: String,
    series: Option<i64>,
}

#[derive(Debug, Clone, Command)]
#[command(on = Bond, ready = false)]
struct Redeem {
    amount: Option<i64>,
    place: Option<String>,
}

fn of_parts(api: &Api) {
    let inches = specimen(&json!({ "unit": "INCH" }));
    let entity = api.post("/specimens", &inches).is(201);
    assert!(has_deprecation(&entity));
    let target = path("specimens", &entity.json());
    assert!(has_deprecation(&api.put(&target, &inches).is(200)));
    assert!(!has_deprecation(&api.get(&target).is(200)));
    let patch = |unit: &str| api.patch(&target, &json!([{ "op": "replace", "path": "/unit", "value": unit }])).is(200);
    assert!(!has_deprecation(&patch("CM")));
    assert!(has_deprecation(&patch("INCH")));
    assert!(!has_deprecation(&api.post("/specimens", &specimen(&json!({ "unit": "CM" }))).is(201)));

    for used in ["language=en", "language=", "sort=countryCode", "sort=name,-countryCode", "language=nonsense!"] {
        assert!(has_deprecation(&api.get(&format!("/specimens?{used}"))), "{used}");
    }
    for other in ["", "countryCode=PL", "sort=name"] {
        assert!(!has_deprecation(&api.get(&format!("/specimens?{other}")).is(200)), "{other}");
    }
    let search = api.post("/specimen-searches", &json!({ "language": "en" })).is(201);
    assert!(has_deprecation(&search));
    assert!(has_deprecation(&api.get(&format!("/specimens?search.id={}", id(&search.json()))).is(200)));
    let other = api.post("/specimen-searches", &json!({ "countryCode": "PL", "language": null })).is(201);
    assert!(!has_deprecation(&other));
}

fn of_paths(api: &Api) {
    let ida = keeper(api, "Ida");
    let token = api.bearer(&ida, &[]);
    let call = |method: &str, target: &str| api.request(method, target).header("authorization", &token);
    let body = json!({ "title": "Beetles" });
    let notebook = call("POST", "/notebooks").json(&body).send().is(201);
    assert!(!has_deprecation(&notebook));
    let target = path("notebooks", &notebook.json());
    assert!(!has_deprecation(&call("GET", &target).send().is(200)));
    let scoped = format!("/keepers/{}/notebooks", id(&ida));
    assert!(has_deprecation(&call("GET", &scoped).send().is(200)));
    assert!(has_deprecation(&call("POST", &scoped).json(&body).send().is(201)));
    assert!(has_deprecation(&call("GET", "/bookmarked-notebooks").send().is(200)));
    assert!(has_deprecation(&api.request("DELETE", &target).send().is(401)));
    assert!(has_deprecation(&call("DELETE", &target).send().is(204)));
}

fn of_the_rest(api: &Api) {
    let api = api.of(|| Builder::new("shop").resource::<Bond>().command::<Redeem>());
    let bond = api.post("/bonds", &json!({ "name": "A" })).is(201);
    assert!(!has_deprecation(&bond));
    let target = path("bonds", &bond.json());
    assert!(!has_deprecation(&api.get(&target).is(200)));
    assert!(has_deprecation(&api.get("/bonds").is(200)), "each list has a count");
    let search = api.post("/bond-searches", &json!({ "name": "A" })).is(201);
    assert!(has_deprecation(&search));
    assert!(has_deprecation(&api.get(&format!("/bond-searches/{}", id(&search.json()))).is(200)));
    assert!(has_deprecation(&api.post("/bonds", &json!({ "name": "A", "series": 1 })).is(201)));
    assert!(has_deprecation(&api.request("GET", &target).header("accept", BETA_1).send().is(200)));
    let in_beta = |json: &serde_json::Value| api.request("POST", "/bonds").json(json);
    assert!(has_deprecation(&in_beta(&json!({ "name": "B" })).header("content-type", BETA_1).send().is(201)));
    let redeem = |input: &serde_json::Value| {
        api.request("PUT", &format!("{target}/redeem-commands/{NOBODY}")).json(input).send().is(501)
    };
    assert!(!has_deprecation(&redeem(&json!({ "amount": 1 }))));
    assert!(has_deprecation(&redeem(&json!({ "place": "Paris" }))));
}
