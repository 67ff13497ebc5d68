//! §4.2: the operations on collections and entities.

use crate::Case;
use crate::client::Api;
use crate::specimen::{NOBODY, created, id, keeper, path, reference, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§4.2 POST creates: 201 with Location", post),
    ("§4.2 GET answers the collection and the entity", get),
    ("§4.2 PUT updates: 200 with the entity", put),
    ("§4.2 DELETE: 204 with an empty body, and it is gone", delete),
    ("§4.2 PUT and DELETE on a collection, POST on an entity: 405", wrong_target),
    ("§4.2 a method that a resource has not: 405 with Allow", method_not_allowed),
    ("Ids: a path id that is not a UUID, or upper case, is 404", path_ids),
    ("Ids: a path without an operation is 404", unknown_paths),
    ("§2.2 an id in a POST is ignored, and the response says so", posted_id),
    ("§2.1 a scoped collection lists what refers to it", scoped_list),
    ("Views and owners: POST on a scoped collection takes the reference from the path", scoped_post),
];

fn post(api: &Api) {
    let reply = api.post("/specimens", &specimen(&json!({ "size": 5 }))).is(201);
    let entity = reply.json();
    let location = reply.expect_header("location");
    assert!(location.ends_with(&path("specimens", &entity)), "Location: {location}");
    assert_eq!(entity["size"], 5);
    assert_eq!(api.get(&path("specimens", &entity)).is(200).json(), entity);
}

fn posted_id(api: &Api) {
    let keeper = keeper(api, "Ann");
    let scoped = format!("{}/specimens", path("keepers", &keeper));
    for target in ["/specimens", &scoped] {
        for posted in [json!(NOBODY), json!(7)] {
            let reply = api.post(target, &specimen(&json!({ "id": posted }))).is(201);
            assert_ne!(reply.json()["id"], posted, "{reply}");
            assert_eq!(reply.expect_header("ignored-properties"), "id");
        }
        for fields in [json!({}), json!({ "id": null }), json!({ "createdAt": "x", "labels": ["id"] })] {
            let reply = api.post(target, &specimen(&fields)).is(201);
            assert_eq!(reply.header("ignored-properties"), None, "{reply}");
        }
    }
    // what will be made later has no other id than the service's, either
    let reply = api.post("/later-tags", &json!({ "id": NOBODY, "name": "late" })).is(202);
    assert_eq!(reply.expect_header("ignored-properties"), "id");
    let reply = api.post("/later-tags", &json!({ "name": "later" })).is(202);
    assert_eq!(reply.header("ignored-properties"), None);
    // an entity that is sent back is what it was
    let entity = created(api, &json!({}));
    let reply = api.put(&path("specimens", &entity), &entity).is(200);
    assert_eq!(reply.header("ignored-properties"), None);
    assert_eq!(api.post("/specimens?dryRun=true", &entity).status, 204);
}

fn get(api: &Api) {
    let first = created(api, &json!({ "name": "Amber" }));
    let second = created(api, &json!({ "name": "Beetle" }));
    assert_eq!(api.get(&path("specimens", &second)).is(200).json(), second);
    assert_eq!(api.get("/specimens").is(200).json()["specimens"], json!([first, second]));
    api.get(&format!("/specimens/{NOBODY}")).fails(404, "ResourceNotFound");
    let tag = api.create("/tags", &json!({ "name": "old" }));
    api.get(&path("specimens", &tag)).fails(404, "ResourceNotFound");
}

fn put(api: &Api) {
    let entity = created(api, &json!({ "size": 5 }));
    let updated =
        api.put(&path("specimens", &entity), &specimen(&json!({ "name": "Beetle", "size": 6 }))).is(200).json();
    assert_eq!((&updated["name"], &updated["size"]), (&json!("Beetle"), &json!(6)));
    assert_eq!(api.get(&path("specimens", &entity)).is(200).json(), updated);
    // an id in the body moves nothing
    let body = specimen(&json!({ "id": NOBODY }));
    assert_eq!(api.put(&path("specimens", &entity), &body).is(200).json()["id"], entity["id"]);
    api.put(&format!("/specimens/{NOBODY}"), &specimen(&json!({}))).fails(404, "ResourceNotFound");
}

fn delete(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    let reply = api.delete(&entity).is(204);
    assert_eq!(reply.body, "");
    api.get(&entity).fails(404, "ResourceNotFound");
    api.put(&entity, &specimen(&json!({}))).fails(404, "ResourceNotFound");
    api.delete(&entity).fails(404, "ResourceNotFound");
    assert_eq!(api.get("/specimens").is(200).json()["count"], 0);
}

fn wrong_target(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    let body = specimen(&json!({}));
    for reply in [api.put("/specimens", &body), api.delete("/specimens")] {
        assert_eq!(allowed(&reply.fails(405, "MethodNotAllowed")), ["GET", "POST"]);
    }
    assert_eq!(allowed(&api.post(&entity, &body).fails(405, "MethodNotAllowed")), ["DELETE", "GET", "PATCH", "PUT"]);
}

fn method_not_allowed(api: &Api) {
    let entry = path("stock-entries", &api.create("/stock-entries", &json!({ "quantity": 1 })));
    for reply in [
        api.put(&entry, &json!({ "quantity": 2 })),
        api.delete(&entry),
        api.request("PATCH", &entry).json(&json!([])).send(),
    ] {
        assert_eq!(allowed(&reply.fails(405, "MethodNotAllowed")), ["GET"]);
    }
    let bookmark = format!("/bookmarks/{NOBODY}");
    for reply in [api.get(&bookmark), api.put(&bookmark, &json!({}))] {
        assert_eq!(allowed(&reply.fails(405, "MethodNotAllowed")), ["DELETE"]);
    }
    api.post("/listed-tags", &json!({})).fails(405, "MethodNotAllowed");
    api.delete(&format!("/sale/specimens/{NOBODY}")).fails(405, "MethodNotAllowed");
}

fn path_ids(api: &Api) {
    let entity = created(api, &json!({}));
    let upper = id(&entity).to_uppercase();
    let bare = id(&entity).replace('-', "");
    for wrong in ["7", "nothing", &upper, &bare, "%00"] {
        let target = format!("/specimens/{wrong}");
        api.get(&target).fails(404, "ResourceNotFound");
        api.put(&target, &specimen(&json!({}))).fails(404, "ResourceNotFound");
        api.delete(&target).fails(404, "ResourceNotFound");
    }
}

fn unknown_paths(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    let paths = [
        "/docs/nothing".to_owned(),
        "/nothing".to_owned(),
        "/Specimens".to_owned(),
        "/specimen".to_owned(),
        format!("{entity}/nothing"),
        format!("{entity}/loans"),
        "/nothing/specimens".to_owned(),
        format!("/listed-tags/{NOBODY}"),
    ];
    for target in paths {
        api.get(&target).fails(404, "ResourceNotFound");
        api.post(&target, &json!({})).fails(404, "ResourceNotFound");
    }
}

fn scoped_list(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| keeper(api, name));
    let hers = created(api, &json!({ "keeper": reference(&ida) }));
    created(api, &json!({ "keeper": reference(&jan) }));
    created(api, &json!({}));
    let list = api.get(&format!("{}/specimens", path("keepers", &ida))).is(200).json();
    assert_eq!(list, json!({ "specimens": [hers], "count": 1 }));
    api.get(&format!("/keepers/{NOBODY}/specimens")).is(404);
    api.get("/keepers/nothing/specimens").is(404);
}

fn scoped_post(api: &Api) {
    let [amber, beetle] = ["Amber", "Beetle"].map(|name| created(api, &json!({ "name": name })));
    let target = format!("{}/photos", path("specimens", &amber));
    let reply = api.post(&target, &json!({ "caption": "front" })).is(201);
    let photo = reply.json();
    assert_eq!(photo["specimen"], reference(&amber));
    let location = reply.expect_header("location");
    assert!(location.ends_with(&path("photos", &photo)) && !location.contains("specimens"), "Location: {location}");
    api.create(&target, &json!({ "specimen": reference(&amber) }));
    api.post(&target, &json!({ "specimen": reference(&beetle) })).is(422);
    api.post(&format!("/specimens/{NOBODY}/photos"), &json!({})).is(404);
    assert_eq!(api.get(&target).is(200).json()["count"], Value::from(2));
}

/// The methods in `Allow`, sorted; HEAD, which every GET brings, left out.
#[track_caller]
fn allowed(reply: &crate::client::Reply) -> Vec<String> {
    let allow = reply.expect_header("allow");
    let mut methods: Vec<_> = allow.split(',').map(|method| method.trim().to_owned()).collect();
    methods.retain(|method| method != "HEAD" && method != "OPTIONS");
    methods.sort();
    methods
}
