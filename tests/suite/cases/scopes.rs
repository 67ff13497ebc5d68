//! §2.1 and the decision "Views and owners": collections under an entity.

use super::owners::Caller;
use crate::Case;
use crate::client::{Api, BETA};
use crate::specimen::{NOBODY, created, id, keeper, path, reference, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§2.1 a scoped collection is like any other", like_any),
    ("Views and owners: a reference in the body that is not the path's is 422", contradicting),
    ("Order: a scoped collection of nothing is 404 before 403 and 422", parent_first),
    ("Views and owners: who may act for others may under others' paths", for_others),
    ("Versions: a scoped collection has the fields of the collection at the root", fields),
    ("Requests: an owner that is read-only is the token's, with any body", read_only_owner),
];

fn like_any(api: &Api) {
    let ida = keeper(api, "Ida");
    let target = format!("{}/specimens", path("keepers", &ida));
    for size in [2, 1] {
        let reply = api.post(&target, &specimen(&json!({ "size": size }))).is(201);
        let entity = reply.json();
        assert_eq!(entity["keeper"]["id"], ida["id"]);
        let location = reply.expect_header("location");
        assert!(location.ends_with(&path("specimens", &entity)) && !location.contains("keepers"), "{location}");
        assert_eq!(api.get(&path("specimens", &entity)).is(200).expect_header("etag"), reply.expect_header("etag"));
    }
    let sizes = |query: &str| {
        let body = api.get(&format!("{target}?{query}")).is(200).json();
        let entities = body["specimens"].as_array().expect("an array").iter();
        (entities.map(|entity| entity["size"].clone()).collect::<Vec<_>>(), body["count"].clone())
    };
    assert_eq!(sizes(""), (vec![json!(2), json!(1)], json!(2)));
    assert_eq!(sizes("sort=size&limit=1"), (vec![json!(1)], json!(2)));
    assert_eq!(sizes("offset=1"), (vec![json!(1)], json!(2)));
    assert_eq!(sizes(&format!("keeper.id={}", id(&ida))), (vec![json!(2), json!(1)], json!(2)));
    assert_eq!(sizes(&format!("keeper.id={NOBODY}")), (vec![], json!(0)));
    assert_eq!(sizes("keeper.id="), (vec![], json!(0)));
    let head = api.request("HEAD", &target).send().is(200);
    assert_eq!((head.body.as_str(), head.expect_header("content-type")), ("", crate::client::PUBLIC.to_owned()));
    api.post(&format!("{target}?dryRun=true"), &specimen(&json!({}))).is(204);
    assert_eq!(sizes("").1, 2);
    for method in ["PUT", "DELETE", "PATCH"] {
        let reply = api.request(method, &target).json(&json!({})).send().fails(405, "MethodNotAllowed");
        assert_eq!(reply.expect_header("allow"), "GET, HEAD, OPTIONS, POST");
    }
}

fn contradicting(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| keeper(api, name));
    let target = format!("{}/specimens", path("keepers", &ida));
    for other in [reference(&jan), json!({ "id": NOBODY }), Value::Null] {
        let body = specimen(&json!({ "keeper": other }));
        api.post(&target, &body).refused(&[("PathMismatch", "keeper.id")]);
        api.post(&format!("{target}?dryRun=true"), &body).refused(&[("PathMismatch", "keeper.id")]);
    }
    // one problem is one error
    api.post(&target, &specimen(&json!({ "keeper": 7 }))).refused(&[("WrongType", "keeper")]);
    api.post(&target, &specimen(&json!({ "keeper": {} }))).refused(&[("Required", "keeper.id")]);
    api.post(&target, &specimen(&json!({ "keeper": { "id": "7" } }))).refused(&[("InvalidUuid", "keeper.id")]);
    let body = specimen(&json!({ "keeper": reference(&jan), "size": "x" }));
    api.post(&target, &body).refused(&[("WrongType", "size"), ("PathMismatch", "keeper.id")]);
    assert_eq!(api.get("/specimens").is(200).json()["count"], 0);
    let amber = created(api, &json!({}));
    let photos = format!("{}/photos", path("specimens", &amber));
    api.post(&photos, &json!({ "specimen": null })).refused(&[("Required", "specimen")]);
}

fn parent_first(api: &Api) {
    let jan = Caller::new(api, "Jan", &[]);
    for target in [format!("/keepers/{NOBODY}/notebooks"), "/keepers/nobody/notebooks".to_owned()] {
        jan.get(&target).fails(404, "ResourceNotFound");
        jan.get(&format!("{target}?x=1")).fails(404, "ResourceNotFound");
        jan.send("POST", &target, &json!({ "title": 7 })).fails(404, "ResourceNotFound");
    }
    let target = format!("/keepers/{NOBODY}/notebooks");
    api.get(&target).fails(401, "Unauthenticated");
    jan.send("POST", &format!("{target}?x=1"), &json!({ "title": "Beetles" })).fails(404, "ResourceNotFound");
    let ida = keeper(api, "Ida");
    let hers = format!("{}/notebooks", path("keepers", &ida));
    jan.get(&format!("{hers}?x=1")).fails(403, "Forbidden");
    jan.send("POST", &format!("{hers}?x=1"), &json!({ "title": 7 })).fails(403, "Forbidden");
}

fn for_others(api: &Api) {
    let ida = Caller::new(api, "Ida", &[]);
    let [reader, writer] = ["read", "write"].map(|word| Caller::new(api, word, &[&format!("notebooks.{word}")]));
    let hers = format!("{}/notebooks", path("keepers", &ida.keeper));
    let beetles = writer.send("POST", &hers, &json!({ "title": "Beetles" })).is(201).json();
    assert_eq!(beetles["keeper"]["name"], "Ida");
    assert_eq!(reader.get(&hers).is(200).json(), json!({ "notebooks": [beetles], "count": 1 }));
    writer.get(&hers).fails(403, "Forbidden");
    reader.send("POST", &hers, &json!({ "title": "Moths" })).fails(403, "Forbidden");
    // anyone may create a specimen, for whomever
    let target = format!("{}/specimens", path("keepers", &ida.keeper));
    let specimen = reader.send("POST", &target, &specimen(&json!({}))).is(201).json();
    assert_eq!(specimen["keeper"]["name"], "Ida");
}

fn fields(api: &Api) {
    let ida = keeper(api, "Ida");
    let target = format!("{}/specimens", path("keepers", &ida));
    api.post(&target, &specimen(&json!({ "costPrice": null }))).refused(&[("UnknownProperty", "costPrice")]);
    api.get(&format!("{target}?costPrice.amount=1")).refused(&[("UnknownParameter", "costPrice.amount")]);
    api.get(&format!("{target}?habitat=sea")).refused(&[("UnknownParameter", "habitat")]);
    let beta = |method: &str, target: &str| api.request(method, target).header("accept", BETA);
    let body = specimen(&json!({ "habitat": "sea" }));
    let entity = beta("POST", &target).json(&body).header("content-type", BETA).send().is(201).json();
    let found = beta("GET", &format!("{target}?habitat=sea")).send().is(200).json();
    assert_eq!(found, json!({ "specimens": [entity], "count": 1 }));
}

fn read_only_owner(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Caller::new(api, name, &[]));
    let notebook = ida.notebook("Beetles");
    for keeper in [reference(&ida.keeper), reference(&jan.keeper), json!({ "id": NOBODY }), Value::Null, json!(7)] {
        let body = json!({ "notebook": reference(&notebook), "keeper": keeper });
        let bookmark = jan.send("POST", "/bookmarks", &body).is(201).json();
        assert_eq!(bookmark["keeper"], reference(&jan.keeper));
        jan.delete(&path("bookmarks", &bookmark)).is(204);
    }
}
