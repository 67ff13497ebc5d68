//! 304 of §4.8, and the decision "Caching".

use crate::Case;
use crate::client::{Api, BETA, Reply, Request};
use crate::specimen::{NOBODY, created, keeper, path, reference, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Caching: an entity has a strong ETag, wherever it is answered", strong),
    ("Caching: an ETag is of one representation", per_representation),
    ("Caching: an ETag changes when the entity does", changes),
    ("§4.8 If-None-Match answers 304", not_modified),
    ("Caching: If-Match answers 412 when it is stale", precondition),
    ("Caching: If-Match holds for reads, before If-None-Match", of_reads),
    ("Caching: If-None-Match answers 412 to changes of what is known", unknown_to_changes),
    ("Caching: a * in a list means the tags beside it", star_in_a_list),
    ("Caching: preconditions hold in views", of_views),
    ("Caching: preconditions on POST and on the PUT of a command are ignored", not_of_creations),
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

/// The answer to a request with preconditions.
fn ask(api: &Api, (method, target): (&str, &str), body: Option<&Value>, headers: &[(&str, &str)]) -> Reply {
    let request = api.request(method, target);
    let request = body.into_iter().fold(request, Request::json);
    headers.iter().fold(request, |request, (name, value)| request.header(name, value)).send()
}

fn of_reads(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    let tag = api.get(&target).expect_header("etag");
    let beta = api.request("GET", &target).header("accept", BETA).send().expect_header("etag");
    for method in ["GET", "HEAD"] {
        let ask = |headers: &[(&str, &str)]| ask(api, (method, &target), None, headers);
        // in whichever version the client saw it
        for tags in [&tag, &beta, &format!("\"other\", {tag}"), &format!("{}-gzip\"", tag.trim_end_matches('"')), "*"] {
            ask(&[("if-match", tags)]).is(200);
            ask(&[("if-match", tags), ("if-none-match", &tag)]).is(304);
        }
        for tags in ["\"other\"", &format!("W/{tag}"), "*, \"other\""] {
            assert_eq!(ask(&[("if-match", tags)]).status, 412, "{method} {tags}");
            // what the client asks for first is decided first (RFC 9110 §13.2.2)
            assert_eq!(ask(&[("if-match", tags), ("if-none-match", &tag)]).status, 412, "{method} {tags}");
        }
    }
    let other = [("if-match", "\"other\"")];
    ask(api, ("GET", &target), None, &other).fails(412, "PreconditionFailed");
    // what is invalid, or not there, comes before
    ask(api, ("GET", &format!("{target}?a=b")), None, &other).is(422);
    ask(api, ("GET", &format!("/specimens/{NOBODY}")), None, &other).is(404);
}

/// PUT, PATCH and DELETE of a specimen.
fn changes_of(target: &str) -> [(&'static str, String, Option<Value>); 3] {
    let operations = json!([{ "op": "replace", "path": "/size", "value": 9 }]);
    [
        ("PUT", target.to_owned(), Some(specimen(&json!({ "size": 9 })))),
        ("PATCH", target.to_owned(), Some(operations)),
        ("DELETE", target.to_owned(), None),
    ]
}

fn unknown_to_changes(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    let reply = api.get(&target).is(200);
    let (tag, before) = (reply.expect_header("etag"), reply.json());
    let beta = api.request("GET", &target).header("accept", BETA).send().expect_header("etag");
    for (method, target, body) in changes_of(&target) {
        let ask = |query: &str, headers: &[(&str, &str)]| {
            ask(api, (method, &format!("{target}{query}")), body.as_ref(), headers)
        };
        for tags in ["*", &tag, &beta, &format!("W/{tag}"), &format!("\"other\", {tag}")] {
            for query in ["", "?dryRun=true"] {
                ask(query, &[("if-none-match", tags)]).fails(412, "PreconditionFailed");
                ask(query, &[("if-match", &tag), ("if-none-match", tags)]).fails(412, "PreconditionFailed");
            }
        }
        ask("?dryRun=true", &[("if-match", &tag), ("if-none-match", "\"other\"")]).is(204);
        ask("?dryRun=true", &[("if-none-match", "\"other\", *")]).is(204);
        assert_eq!(api.get(&target).is(200).json(), before, "{method}");
    }
    for (method, target, body) in changes_of(&target) {
        let status = if method == "DELETE" { 204 } else { 200 };
        ask(api, (method, &target), body.as_ref(), &[("if-none-match", "\"other\"")]).is(status);
    }
    // what is not there has no tags
    for (method, _, body) in changes_of(&target) {
        ask(api, (method, &target), body.as_ref(), &[("if-none-match", "*")]).is(404);
    }
}

fn of_views(api: &Api) {
    let ann = keeper(api, "Ann");
    let token = api.bearer(&ann, &[]);
    let by = [("authorization", token.as_str())];
    let entity = ask(api, ("POST", "/sale/specimens"), Some(&specimen(&json!({}))), &by).is(201).json();
    let target = path("sale/specimens", &entity);
    let tag = ask(api, ("GET", &target), None, &by).is(200).expect_header("etag");
    // the view has fields of its own
    let of_itself = api.get(&path("specimens", &entity)).is(200).expect_header("etag");
    assert_ne!(tag, of_itself);
    let operations = json!([{ "op": "replace", "path": "/size", "value": 9 }]);
    let put = specimen(&json!({ "size": 9, "keeper": reference(&ann) }));
    for (method, body, status) in [("GET", None, 200), ("PUT", Some(&put), 204), ("PATCH", Some(&operations), 204)] {
        let target = if method == "GET" { target.clone() } else { format!("{target}?dryRun=true") };
        let ask = |name: &str, tags: &str| ask(api, (method, &target), body, &[by[0], (name, tags)]);
        ask("if-match", &tag).is(status);
        ask("if-match", &of_itself).fails(412, "PreconditionFailed");
        ask("if-none-match", &of_itself).is(status);
        assert_eq!(ask("if-none-match", &tag).status, if method == "GET" { 304 } else { 412 });
    }
}

fn star_in_a_list(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    let tag = api.get(&target).expect_header("etag");
    for (method, target, body) in changes_of(&format!("{target}?dryRun=true")) {
        let ask = |tags: &str| ask(api, (method, &target), body.as_ref(), &[("if-match", tags)]);
        ask("*, \"other\"").fails(412, "PreconditionFailed");
        ask(&format!("*, {tag}")).is(204);
        ask("*").is(204);
    }
    let get = |tags: &str| ask(api, ("GET", &target), None, &[("if-none-match", tags)]);
    get("*, \"other\"").is(200);
    get(&format!("*, {tag}")).is(304);
}

fn not_of_creations(api: &Api) {
    for (header, tags) in [("if-match", "\"other\""), ("if-match", "*"), ("if-none-match", "*")] {
        let post = |target: &str, body: &Value| api.request("POST", target).json(body).header(header, tags).send();
        let entity = post("/specimens", &specimen(&json!({}))).is(201).json();
        post("/specimens?dryRun=true", &specimen(&json!({}))).is(204);
        post(&format!("{}/photos", path("specimens", &entity)), &json!({})).is(201);
        post("/specimen-searches", &json!({})).is(201);
        post("/later-tags", &json!({ "name": format!("{header}{}", tags.len()) })).is(202);
        let command = format!("{}/archive-commands/{NOBODY}", path("specimens", &entity));
        let put = api.request("PUT", &command).json(&json!({ "reason": "x" })).header(header, tags);
        put.send().fails(501, "NotReady");
    }
    assert_eq!(api.get("/specimens").is(200).json()["count"], 3);
}
