//! §4.8 and the decision "Asynchronous operations".

use crate::Case;
use crate::client::Api;
use crate::specimen::{NOBODY, id, path};
use crate::stream::Stream;
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§4.8 what is accepted is 202, without a body, with the Location of what will be", accepted),
    ("§4.8 what was accepted is done: created, replaced, deleted", done),
    ("Asynchronous operations: validated as usual, and not done where that fails", refused),
    ("Asynchronous operations: If-Match holds when it is done", if_match),
    ("Asynchronous operations: a dry run is 204 and does nothing", dry_run),
    ("Asynchronous operations: their changes have the usual events", has_events),
];

fn later(tag: &Value) -> String {
    path("later-tags", tag)
}

fn accepted(api: &Api) {
    let reply = api.post("/later-tags", &json!({ "name": "old" })).is(202);
    assert_eq!(reply.body, "");
    let location = reply.expect_header("location");
    let created = api.wait(&location, |reply| reply.status == 200).json();
    assert_eq!(created["name"], "old");
    assert_eq!(location, path("tags", &created));
}

fn done(api: &Api) {
    let tag = api.create("/tags", &json!({ "name": "old" }));
    let reply = api.put(&later(&tag), &json!({ "name": "new" })).is(202);
    assert_eq!(reply.expect_header("location"), path("tags", &tag));
    let updated = api.wait(&path("tags", &tag), |reply| reply.json()["name"] == "new").json();
    assert_eq!(updated["createdAt"], tag["createdAt"]);
    assert_eq!(api.delete(&later(&tag)).is(202).body, "");
    api.wait(&path("tags", &tag), |reply| reply.status == 404);
}

fn refused(api: &Api) {
    let tag = api.create("/tags", &json!({ "name": "old" }));
    api.post("/later-tags", &json!({ "name": "old" })).refused(&[("NotUnique", "name")]);
    api.post("/later-tags", &json!({})).refused(&[("Required", "name")]);
    api.put(&later(&tag), &json!({ "name": "x".repeat(21) })).refused(&[("TooLong", "name")]);
    api.put(&format!("/later-tags/{NOBODY}"), &json!({ "name": "new" })).fails(404, "ResourceNotFound");
    api.delete(&format!("/later-tags/{NOBODY}")).fails(404, "ResourceNotFound");
    let specimen =
        json!({ "name": "Amber", "storage": { "shelf": "A1" }, "readings": [7], "relatedTags": [{ "id": id(&tag) }] });
    api.create("/specimens", &specimen);
    api.delete(&later(&tag)).fails(422, "StillReferenced");
    assert_eq!(api.get("/tags").json()["count"], 1);
}

fn if_match(api: &Api) {
    let tag = api.create("/tags", &json!({ "name": "old" }));
    let put = |value: &str| {
        let request = api.request("PUT", &later(&tag)).json(&json!({ "name": "new" }));
        request.header("if-match", value).send()
    };
    put("\"another\"").fails(412, "PreconditionFailed");
    let request = api.request("PUT", &later(&tag)).json(&json!({ "name": "new" }));
    request.header("if-none-match", "*").send().fails(412, "PreconditionFailed");
    put("*").is(202);
    api.wait(&path("tags", &tag), |reply| reply.json()["name"] == "new");
}

fn dry_run(api: &Api) {
    assert_eq!(api.post("/later-tags?dryRun=true", &json!({ "name": "old" })).is(204).body, "");
    api.post("/later-tags", &json!({ "name": "done" })).is(202);
    api.wait("/tags", |reply| reply.json()["count"] == 1);
    assert_eq!(api.get("/tags").json()["tags"][0]["name"], "done");
}

fn has_events(api: &Api) {
    let mut stream = Stream::open(&api.events("/events"));
    api.post("/later-tags", &json!({ "name": "old" })).is(202);
    let event = stream.event();
    assert_eq!(event.kind, "specimen.tag.created");
    assert_eq!(event.json["data"]["name"], "old");
}
