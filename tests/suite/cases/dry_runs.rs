//! §4.3, and the decision "Dry run".

use crate::Case;
use crate::client::Api;
use crate::specimen::{NOBODY, created, keeper, path, reference, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§4.3 a dry run of a valid body answers 204 and creates nothing", valid),
    ("§4.3 a dry run of an invalid body answers as the creation would", invalid),
    ("§4.3 include looks at the listed fields only", include),
    ("Dry run: include without dryRun, or naming no field, is 422", wrong_include),
    ("Dry run: a body that is not an object is 422, whatever include names", no_object),
    ("Dry run: dryRun=false creates", not_dry),
    ("Dry run: PUT and DELETE change nothing", changes),
    ("Dry run: the errors of the store are reported as well", seen_by_store),
];

fn count(api: &Api) -> Value {
    api.get("/specimens?limit=0").is(200).json()["count"].clone()
}

fn valid(api: &Api) {
    let reply = api.post("/specimens?dryRun=true", &specimen(&json!({}))).is(204);
    assert_eq!(reply.body, "");
    assert_eq!(count(api), 0);
}

fn invalid(api: &Api) {
    let body = specimen(&json!({ "name": null, "nothing": 1 }));
    let dry = api.post("/specimens?dryRun=true", &body).is(422).json();
    assert_eq!(dry, api.post("/specimens", &body).is(422).json());
    assert_eq!(count(api), 0);
}

fn include(api: &Api) {
    let body = json!({ "name": "", "storage": { "shelf": "A1" }, "readings": "none" });
    api.post("/specimens?dryRun=true&include=storage", &body).is(204);
    api.post("/specimens?dryRun=true&include=storage&include=name", &body).refused(&[("Required", "name")]);
    let nested = json!({ "storage": { "shelf": null } });
    api.post("/specimens?dryRun=true&include=storage.shelf", &nested).refused(&[("Required", "storage.shelf")]);
    assert_eq!(count(api), 0);
}

fn wrong_include(api: &Api) {
    let body = specimen(&json!({}));
    api.post("/specimens?include=name", &body).refused(&[("InvalidParameter", "include")]);
    api.post("/specimens?dryRun=true&include=nothing", &body).refused(&[("InvalidParameter", "include")]);
    // what it does not name is not looked at, whatever else it names
    let invalid = json!({ "name": "", "storage": { "shelf": null } });
    api.post("/specimens?dryRun=true&include=nothing", &invalid).refused(&[("InvalidParameter", "include")]);
    let both = "/specimens?dryRun=true&include=nothing&include=name";
    api.post(both, &invalid).refused(&[("InvalidParameter", "include"), ("Required", "name")]);
    api.post("/specimens?dryRun=yes", &body).refused(&[("InvalidParameter", "dryRun")]);
    api.post("/specimens?dryRun=true&dryRun=true", &body).refused(&[("RepeatedParameter", "dryRun")]);
    assert_eq!(count(api), 0);
}

fn no_object(api: &Api) {
    for body in [json!([]), json!("name"), json!(7), Value::Null] {
        let errors = api.post("/specimens?dryRun=true&include=name", &body).refused(&[("WrongType", "")]);
        assert_eq!(errors[0]["path"], Value::Null);
        api.post("/specimen-searches?dryRun=true&include=name", &body).refused(&[("WrongType", "")]);
        let both = [("InvalidParameter", "include"), ("WrongType", "")];
        api.post("/specimens?dryRun=true&include=nothing", &body).refused(&both);
    }
    let target = path("specimens", &created(api, &json!({})));
    api.put(&format!("{target}?dryRun=true&include=name"), &json!([])).refused(&[("WrongType", "")]);
}

fn not_dry(api: &Api) {
    api.post("/specimens?dryRun=false", &specimen(&json!({}))).is(201);
    assert_eq!(count(api), 1);
}

fn changes(api: &Api) {
    let entity = created(api, &json!({ "name": "Amber" }));
    let target = path("specimens", &entity);
    api.put(&format!("{target}?dryRun=true"), &specimen(&json!({ "name": "Beetle" }))).is(204);
    api.delete(&format!("{target}?dryRun=true")).is(204);
    assert_eq!(api.get(&target).is(200).json(), entity);
    api.delete(&format!("/specimens/{NOBODY}?dryRun=true")).is(404);
}

fn seen_by_store(api: &Api) {
    let ida = keeper(api, "Ida");
    let body = |id: &Value| specimen(&json!({ "keeper": id }));
    api.post("/specimens?dryRun=true", &body(&reference(&ida))).is(204);
    let nobody = json!({ "id": NOBODY });
    api.post("/specimens?dryRun=true", &body(&nobody)).refused(&[("NotFound", "keeper.id")]);
    api.post("/specimens?dryRun=true&include=name", &body(&nobody)).is(204);
}
