//! The decision "Order of checks": of two things that are wrong the earlier one is answered.

use crate::Case;
use crate::client::{Api, PUBLIC};
use crate::specimen::{NOBODY, created, keeper, path, reference, specimen};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("Order of checks: URI length before User-Agent", uri_length),
    ("Order of checks: User-Agent before the path", user_agent),
    ("Order of checks: path, method, Accept, Content-Type", before_credentials),
    ("Order of checks: Content-Type, credentials, body", credentials),
    ("Order of checks: body, target, authorization, validation", target),
    ("Order of checks: not ready before validation", not_ready),
    ("Order of checks: validation, If-Match, StillReferenced", preconditions),
    ("Order of checks: bad credentials are 401 everywhere", bad_credentials),
];

fn uri_length(api: &Api) {
    let target = format!("/specimens?name={}", "a".repeat(20_000));
    api.request("GET", &target).without("user-agent").send().fails(414, "UriTooLong");
    api.request("GET", &target).send().fails(414, "UriTooLong");
}

fn user_agent(api: &Api) {
    api.request("GET", "/nothing").without("user-agent").send().fails(400, "MissingUserAgent");
    api.request("PATCH", "/specimens").without("user-agent").send().fails(400, "MissingUserAgent");
}

fn before_credentials(api: &Api) {
    api.request("GET", "/nothing").header("accept", "text/html").send().fails(404, "ResourceNotFound");
    api.request("PATCH", "/specimens").header("accept", "text/html").send().fails(405, "MethodNotAllowed");
    let entity = path("specimens", &created(api, &json!({})));
    let request =
        api.request("PUT", &entity).body(b"{").header("accept", "text/html").header("content-type", "text/plain");
    request.send().fails(406, "NotAcceptable");
    let request = api.request("GET", "/notebooks").header("accept", "text/html");
    request.send().fails(406, "NotAcceptable");
}

fn credentials(api: &Api) {
    let request = || api.request("POST", "/notebooks").body(b"{");
    request().header("content-type", "text/plain").send().fails(415, "UnsupportedMediaType");
    request().send().fails(401, "Unauthenticated");
    let ida = keeper(api, "Ida");
    let token = api.bearer(&ida, &[]);
    request().header("authorization", &token).send().fails(400, "MalformedJson");
}

fn target(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| keeper(api, name));
    let [hers, his] = [&ida, &jan].map(|keeper| api.bearer(keeper, &[]));
    let body = json!({ "title": "Beetles" });
    let notebook = api.request("POST", "/notebooks").json(&body).header("authorization", &hers).send().is(201).json();
    let put = |target: &str, body: &[u8]| api.request("PUT", target).body(body).header("authorization", &his).send();
    let nowhere = format!("/notebooks/{NOBODY}");
    put(&nowhere, b"{").fails(400, "MalformedJson");
    put(&nowhere, b"{}").fails(404, "ResourceNotFound");
    put(&path("notebooks", &notebook), b"{}").fails(403, "Forbidden");
    let put = api.request("PUT", &path("notebooks", &notebook)).json(&json!({})).header("authorization", &hers);
    put.send().is(422);
}

fn not_ready(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    api.put(&format!("{entity}/archive-commands/{NOBODY}"), &json!({})).fails(501, "NotReady");
    api.put(&format!("/specimens/{NOBODY}/archive-commands/{NOBODY}"), &json!({})).fails(404, "ResourceNotFound");
}

fn preconditions(api: &Api) {
    let entity = created(api, &json!({}));
    api.create("/loans", &json!({ "specimen": reference(&entity) }));
    let request = |method: &str| api.request(method, &path("specimens", &entity)).header("if-match", "\"other\"");
    request("PUT").json(&specimen(&json!({ "size": "x" }))).send().refused(&[("WrongType", "size")]);
    request("PUT").json(&specimen(&json!({}))).send().fails(412, "PreconditionFailed");
    request("DELETE").send().fails(412, "PreconditionFailed");
    let reply = api.delete(&path("specimens", &entity)).is(422);
    assert_eq!(reply.errors()[0]["code"], "StillReferenced", "{reply}");
}

fn bad_credentials(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    for credentials in ["Bearer nonsense", "Bearer a.b.c", "Bearer", "Basic aWRhOmlkYQ=="] {
        for target in ["/specimens", &entity] {
            let reply = api.request("GET", target).header("authorization", credentials).send();
            let reply = reply.fails(401, "Unauthenticated");
            assert!(reply.expect_header("www-authenticate").starts_with("Bearer"), "{reply}");
            assert_eq!(reply.expect_header("content-type"), PUBLIC);
        }
    }
}
