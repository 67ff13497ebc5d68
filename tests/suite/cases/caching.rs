//! 304 of §4.8, and the decision "Caching".

use crate::Case;
use crate::client::{Api, BETA};
use crate::specimen::{NOBODY, created, path, reference, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Caching: an entity has a strong ETag, wherever it is answered", strong),
    ("Caching: an ETag is of one representation", per_representation),
    ("Caching: an ETag changes when the entity does", changes),
    ("§4.8 If-None-Match answers 304", not_modified),
    ("Caching: If-Match answers 412 when it is stale", precondition),
    ("Caching: If-Match on POST and on the PUT of a command is ignored", not_of_creations),
];

fn strong(api: &Api) {
    let reply = api.post("/specimens", &specimen(&json!({}))).is(201);
    let tag = reply.expect_header("etag");
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 2, "ETag: {tag}");
    let target = path("specimens", &reply.json());
    assert_eq!(api.get(&target).is(200).expect_header("etag"), tag);
    let updated = api.put(&target, &specimen(&json!({ "size": 5 }))).is(200).expect_header("etag");
    assert_eq!(api.get(&target).is(200).expect_header("etag"), updated);
}

fn per_representation(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    let beta = api.request("GET", &target).header("accept", BETA).send().is(200).expect_header("etag");
    assert_ne!(api.get(&target).is(200).expect_header("etag"), beta);
}

fn changes(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    let before = api.get(&target).expect_header("etag");
    api.put(&target, &specimen(&json!({ "size": 5 }))).is(200);
    assert_ne!(api.get(&target).expect_header("etag"), before);
}

fn not_modified(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    let tag = api.get(&target).expect_header("etag");
    let ask = |tags: &str| api.request("GET", &target).header("if-none-match", tags).send();
    for tags in [tag.clone(), format!("\"other\", {tag}"), format!("W/{tag}"), "*".to_owned()] {
        let reply = ask(&tags).is(304);
        assert_eq!(reply.body, "");
        assert_eq!(reply.expect_header("etag"), tag);
    }
    ask("\"other\"").is(200);
    api.put(&target, &specimen(&json!({ "size": 5 }))).is(200);
    ask(&tag).is(200);
}

fn precondition(api: &Api) {
    let entity = created(api, &json!({}));
    let target = path("specimens", &entity);
    let tag = api.get(&target).expect_header("etag");
    let put = |tags: &str, size: u8| {
        api.request("PUT", &target).json(&specimen(&json!({ "size": size }))).header("if-match", tags).send()
    };
    let newer = put(&tag, 5).is(200).expect_header("etag");
    put(&tag, 6).fails(412, "PreconditionFailed");
    put(&format!("W/{newer}"), 6).fails(412, "PreconditionFailed");
    assert_eq!(api.get(&target).json()["size"], 5, "a stale If-Match changes nothing");
    put(&format!("{tag}, {newer}"), 7).is(200);
    put("*", 8).is(200);
    let delete = |tags: &str| api.request("DELETE", &target).header("if-match", tags).send();
    delete(&tag).fails(412, "PreconditionFailed");
    api.create("/photos", &json!({ "specimen": reference(&entity) }));
    delete(&api.get(&target).expect_header("etag")).is(204);
}

fn not_of_creations(api: &Api) {
    for tags in ["\"other\"", "*"] {
        let post = |target: &str, body: &Value| api.request("POST", target).json(body).header("if-match", tags).send();
        let entity = post("/specimens", &specimen(&json!({}))).is(201).json();
        post("/specimens?dryRun=true", &specimen(&json!({}))).is(204);
        post(&format!("{}/photos", path("specimens", &entity)), &json!({})).is(201);
        post("/specimen-searches", &json!({})).is(201);
        post("/later-tags", &json!({ "name": tags.len().to_string() })).is(202);
        let command = format!("{}/archive-commands/{NOBODY}", path("specimens", &entity));
        let put = api.request("PUT", &command).json(&json!({ "reason": "x" })).header("if-match", tags);
        put.send().fails(501, "NotReady");
    }
    assert_eq!(api.get("/specimens").is(200).json()["count"], 2);
}
