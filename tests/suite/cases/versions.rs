//! §9: several representations of one entity.

use crate::Case;
use crate::client::{Api, BETA, PUBLIC, RETIRED};
use crate::specimen::{created, path, specimen};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("§9.2 a version is a choice of fields", choice_of_fields),
    ("§9.4 no public version but v1 is served", public_v1),
    ("Versions: a field that a version lacks keeps its value on its PUT", kept_on_put),
    ("Versions: a field that a version lacks is unknown in it", unknown_in_version),
    ("§7.2 a retired version is 410", retired),
    ("Accept: a retired version beside a served one", retired_beside_served),
];

fn beta(api: &Api, method: &str, target: &str) -> crate::client::Request {
    api.request(method, target).header("accept", BETA)
}

fn choice_of_fields(api: &Api) {
    let body = specimen(&json!({ "habitat": "forest" }));
    let entity = beta(api, "POST", "/specimens").json(&body).header("content-type", BETA).send().is(201).json();
    assert_eq!(entity["habitat"], "forest");
    let target = path("specimens", &entity);
    assert_eq!(beta(api, "GET", &target).send().is(200).json(), entity);
    let mut public = entity.clone();
    public.as_object_mut().expect("an object").remove("habitat");
    assert_eq!(api.get(&target).is(200).json(), public);
    assert_eq!(api.get("/specimens").is(200).json()["specimens"], json!([public]));
    assert_eq!(beta(api, "GET", "/specimens").send().is(200).json()["specimens"], json!([entity]));
}

fn public_v1(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    for version in ["public.v2", "public.v0", "public.v10", "public", "v1", "beta.v3"] {
        let media_type = format!("application/vnd.service.{version}+json");
        for target in ["/specimens", entity.as_str(), "/tags"] {
            api.request("GET", target).header("accept", &media_type).send().fails(406, "NotAcceptable");
        }
        let post = api.request("POST", "/specimens").json(&specimen(&json!({}))).header("content-type", &media_type);
        post.send().fails(415, "UnsupportedMediaType");
    }
}

fn kept_on_put(api: &Api) {
    let body = specimen(&json!({ "habitat": "forest" }));
    let entity = beta(api, "POST", "/specimens").json(&body).header("content-type", BETA).send().is(201).json();
    let target = path("specimens", &entity);
    api.put(&target, &specimen(&json!({ "name": "Beetle" }))).is(200);
    let read = beta(api, "GET", &target).send().is(200).json();
    assert_eq!((&read["name"], &read["habitat"]), (&json!("Beetle"), &json!("forest")));
    let put = beta(api, "PUT", &target).json(&specimen(&json!({}))).header("content-type", BETA).send().is(200).json();
    assert_eq!(put["habitat"], json!(null), "the version that has it replaces it");
}

fn unknown_in_version(api: &Api) {
    api.post("/specimens", &specimen(&json!({ "habitat": "forest" }))).refused(&[("UnknownProperty", "habitat")]);
    api.get("/specimens?habitat=forest").refused(&[("UnknownParameter", "habitat")]);
    beta(api, "GET", "/specimens?habitat=forest").send().is(200);
}

fn retired(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    for target in ["/specimens", entity.as_str()] {
        api.request("GET", target).header("accept", RETIRED).send().fails(410, "VersionRetired");
    }
    let body = specimen(&json!({}));
    api.request("POST", "/specimens").json(&body).header("content-type", RETIRED).send().fails(410, "VersionRetired");
    api.request("PUT", &entity).json(&body).header("content-type", RETIRED).send().fails(410, "VersionRetired");
    // tags never had one
    api.request("GET", "/tags").header("accept", RETIRED).send().fails(406, "NotAcceptable");
}

fn retired_beside_served(api: &Api) {
    let reply = api.request("GET", "/specimens").header("accept", &format!("{RETIRED}, {PUBLIC};q=0.1")).send().is(200);
    assert_eq!(reply.expect_header("content-type"), PUBLIC);
}
