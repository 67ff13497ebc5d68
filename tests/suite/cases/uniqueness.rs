//! What no two entities may share: the decision "Deleting", and `unique` of the language.

use crate::Case;
use crate::client::Api;
use crate::specimen::{created, keeper, path, reference, specimen};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("Deleting: a broken uniqueness is NotUnique at its path", single),
    ("§2 null is never equal to null", nulls),
    ("Errors: a combination is named by its first field", combined),
    ("Errors: a combination's first field is as deep as the fault", combined_references),
];

fn single(api: &Api) {
    let first = created(api, &json!({ "code": "ABC-12" }));
    let second = created(api, &json!({ "code": "ABC-13" }));
    let taken = specimen(&json!({ "code": "ABC-12" }));
    api.post("/specimens", &taken).refused(&[("NotUnique", "code")]);
    api.put(&path("specimens", &second), &taken).refused(&[("NotUnique", "code")]);
    api.put(&path("specimens", &first), &taken).is(200);
    api.delete(&path("specimens", &first)).is(204);
    api.put(&path("specimens", &second), &taken).is(200);
}

fn nulls(api: &Api) {
    created(api, &json!({}));
    created(api, &json!({ "code": "" }));
    created(api, &json!({ "drawer": "D1" }));
    created(api, &json!({ "drawer": "D1" }));
}

fn combined(api: &Api) {
    created(api, &json!({ "drawer": "D1", "position": 1 }));
    created(api, &json!({ "drawer": "D1", "position": 2 }));
    let other = created(api, &json!({ "drawer": "D2", "position": 1 }));
    let taken = specimen(&json!({ "drawer": "D1", "position": 1 }));
    api.post("/specimens", &taken).refused(&[("NotUnique", "drawer")]);
    api.put(&path("specimens", &other), &taken).refused(&[("NotUnique", "drawer")]);
}

fn combined_references(api: &Api) {
    let ida = keeper(api, "Ida");
    let token = api.bearer(&ida, &[]);
    let post = |target: &str, body| api.request("POST", target).json(&body).header("authorization", &token).send();
    let notebook = post("/notebooks", json!({ "title": "Beetles" })).is(201).json();
    let bookmark = json!({ "keeper": reference(&ida), "notebook": reference(&notebook) });
    post("/bookmarks", bookmark.clone()).is(201);
    post("/bookmarks", bookmark).refused(&[("NotUnique", "keeper.id")]);
}
