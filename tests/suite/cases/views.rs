//! §2.1 and the decisions "Views and owners" and "Versions": what a view shows, and what it keeps to itself.

use super::owners::Caller;
use crate::Case;
use crate::client::{Api, BETA};
use crate::specimen::{NOBODY, created, id, path, price, reference, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§2.1 an entity in a view through another resource", entity_through),
    ("§2.1 a view through another resource follows what points there", follows),
    ("§2.1 a view through another resource only reads", reads_only),
    ("Versions: a field that a view or version lacks cannot be included", not_included),
    ("Versions: the nearest name is never one that a view or version lacks", not_suggested),
    ("Versions: a wrong value for a field that a view lacks is only an unknown property", not_read),
    ("Versions: the error of a taken combination is at a field that the view has", at_a_visible_field),
];

fn bookmark(reader: &Caller<'_>, notebook: &Value) -> Value {
    reader.send("POST", "/bookmarks", &json!({ "notebook": reference(notebook) })).is(201).json()
}

fn entity_through(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Caller::new(api, name, &[]));
    let [beetles, moths] = ["Beetles", "Moths"].map(|title| ida.notebook(title));
    bookmark(&jan, &beetles);
    let target = path("bookmarked-notebooks", &beetles);
    let reply = jan.get(&target).is(200);
    assert_eq!(reply.json(), beetles);
    let tag = reply.expect_header("etag");
    let request = api.request("GET", &target).header("authorization", &jan.token).header("if-none-match", &tag);
    request.send().is(304);
    assert_eq!(api.request("HEAD", &target).header("authorization", &jan.token).send().is(200).body, "");
    // not even her own, where nothing of hers points at it
    ida.get(&target).fails(404, "ResourceNotFound");
    jan.get(&path("bookmarked-notebooks", &moths)).fails(404, "ResourceNotFound");
    jan.get(&format!("/bookmarked-notebooks/{NOBODY}")).fails(404, "ResourceNotFound");
    jan.get(&format!("{}?x=1", path("bookmarked-notebooks", &moths))).fails(404, "ResourceNotFound");
    jan.get(&format!("{target}?x=1")).refused(&[("UnknownParameter", "x")]);
    api.get(&target).fails(401, "Unauthenticated");
    jan.get(&path("notebooks", &beetles)).fails(403, "Forbidden");
}

fn follows(api: &Api) {
    let [ida, jan] = ["Ida", "Jan"].map(|name| Caller::new(api, name, &[]));
    let [beetles, moths] = ["Beetles", "Moths"].map(|title| ida.notebook(title));
    let [first, _] = [&beetles, &moths].map(|notebook| bookmark(&jan, notebook));
    jan.delete(&path("bookmarks", &first)).is(204);
    jan.get(&path("bookmarked-notebooks", &beetles)).fails(404, "ResourceNotFound");
    jan.get(&path("bookmarked-notebooks", &moths)).is(200);
    assert_eq!(jan.get("/bookmarked-notebooks").is(200).json(), json!({ "notebooks": [moths], "count": 1 }));
    ida.delete(&path("notebooks", &moths)).is(204);
    jan.get(&path("bookmarked-notebooks", &moths)).fails(404, "ResourceNotFound");
    assert_eq!(jan.get("/bookmarked-notebooks").is(200).json(), json!({ "notebooks": [], "count": 0 }));
}

fn reads_only(api: &Api) {
    let ida = Caller::new(api, "Ida", &[]);
    let beetles = ida.notebook("Beetles");
    bookmark(&ida, &beetles);
    let (list, entity) = ("/bookmarked-notebooks".to_owned(), path("bookmarked-notebooks", &beetles));
    for (method, target) in [("POST", &list), ("PUT", &list), ("PUT", &entity), ("PATCH", &entity), ("POST", &entity)] {
        let reply = ida.send(method, target, &json!({})).fails(405, "MethodNotAllowed");
        assert_eq!(reply.expect_header("allow"), "GET, HEAD, OPTIONS", "{method} {target}");
    }
    ida.delete(&entity).fails(405, "MethodNotAllowed");
}

fn not_included(api: &Api) {
    let ida = Caller::new(api, "Ida", &[]);
    let body = specimen(&json!({}));
    for field in ["costPrice", "costPrice.amount", "habitat", "0", "name.0"] {
        api.post(&format!("/specimens?dryRun=true&include={field}"), &body).refused(&[("InvalidParameter", "include")]);
    }
    ida.send("POST", "/sale/specimens?dryRun=true&include=costPrice", &body).is(204);
    let beta = api.request("POST", "/specimens?dryRun=true&include=habitat").header("accept", BETA).json(&body);
    beta.header("content-type", BETA).send().is(204);
}

fn not_suggested(api: &Api) {
    let hidden = ["costPrice", "habitat", "costCentre"];
    let is_reported = |errors: &[Value]| {
        let nearest = errors[0]["details"]["nearest"].as_str().unwrap_or_default();
        hidden.iter().any(|hidden| nearest.starts_with(hidden))
    };
    for name in ["costPric", "habitats", "costCentr", "costPrice", "habitat"] {
        let errors = api.post("/specimens", &specimen(&json!({ name: "1" }))).refused(&[("UnknownProperty", name)]);
        assert!(!is_reported(&errors), "{errors:?}");
    }
    for name in ["costPrice.amoun", "habita", "costPrice.amount.gte", "habitat"] {
        let errors = api.get(&format!("/specimens?{name}=1")).refused(&[("UnknownParameter", name)]);
        assert!(!is_reported(&errors), "{errors:?}");
    }
}

fn not_read(api: &Api) {
    for value in ["", "x", "1.999", "1"] {
        api.get(&format!("/specimens?costPrice.amount={value}")).refused(&[("UnknownParameter", "costPrice.amount")]);
        api.get(&format!("/specimens?costPrice.amount.gt={value}&costPrice.amount.gt={value}"))
            .refused(&[("UnknownParameter", "costPrice.amount.gt"), ("UnknownParameter", "costPrice.amount.gt")]);
        api.post("/specimens", &specimen(&json!({ "costPrice": value }))).refused(&[("UnknownProperty", "costPrice")]);
    }
    for sort in ["costPrice", "-costPrice", "habitat", "costCentre"] {
        let errors = api.get(&format!("/specimens?sort={sort}")).refused(&[("InvalidParameter", "sort")]);
        let other = api.get("/specimens?sort=nothing").refused(&[("InvalidParameter", "sort")]);
        let plain = |text: &Value| text.to_string().replace("nothing", sort.trim_start_matches('-'));
        assert_eq!(errors[0]["message"].to_string(), plain(&other[0]["message"]));
    }
}

fn at_a_visible_field(api: &Api) {
    let ida = Caller::new(api, "Ida", &[]);
    let at_sale = |ticket: u32| {
        let body = specimen(&json!({ "costCentre": "X", "ticket": ticket, "costPrice": price("1", "PLN") }));
        ida.send("POST", "/sale/specimens", &body)
    };
    at_sale(1).is(201);
    let second = at_sale(2).is(201).json();
    at_sale(1).refused(&[("NotUnique", "costCentre")]);
    // the first of the combination is not there to be named
    let body = specimen(&json!({ "ticket": 1, "keeper": reference(&ida.keeper) }));
    let errors = api.put(&path("specimens", &second), &body).refused(&[("NotUnique", "ticket")]);
    assert!(!errors[0].to_string().contains("costCentre"), "{errors:?}");
    let body = specimen(&json!({ "ticket": 3, "keeper": reference(&ida.keeper) }));
    api.put(&path("specimens", &second), &body).is(200);
    // what is created without it is like no other
    created(api, &json!({ "ticket": 1 }));
    let sale = ida.get(&format!("/sale/specimens/{}", id(&second))).is(200).json();
    assert_eq!((&sale["costCentre"], &sale["ticket"]), (&json!("X"), &json!(3)));
}
