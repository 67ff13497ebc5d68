//! §7: what an error looks like, and which ones there are.

use crate::Case;
use crate::client::{Api, BETA, PUBLIC, RETIRED};
use crate::specimen::{NOBODY, created, path, reference, specimen};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("§7.1 every error has its five keys, with any status", five_keys),
    ("§7.1 all faults at once, in the model's order", all_at_once),
    ("Errors: query parameters first, unknown properties last", groups),
    ("Errors: unknown references and broken uniqueness are listed with the rest", with_the_store),
    ("Errors: at most 100", at_most_100),
    ("Errors: in the version that Accept asks for, those of Content-Type too", in_its_version),
    ("Requests: the error of an unknown property has the nearest name", nearest_name),
    ("Requests: a parameter that an operation has not is 422 on every method", parameters_everywhere),
    ("§7.1 a body that is not an object is a wrong type", no_object),
];

fn five_keys(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    api.request("GET", "/specimens").without("user-agent").send().fails(400, "MissingUserAgent");
    api.request("POST", "/specimens").body(b"{").send().fails(400, "MalformedJson");
    api.request("GET", "/specimens").header("authorization", "Bearer nonsense").send().fails(401, "Unauthenticated");
    api.get("/nothing").fails(404, "ResourceNotFound");
    api.request("PATCH", "/specimens").json(&json!([])).send().fails(405, "MethodNotAllowed");
    api.request("GET", &entity).without("accept").send().fails(406, "NotAcceptable");
    api.request("POST", "/specimens")
        .json(&json!({}))
        .without("content-type")
        .send()
        .fails(415, "UnsupportedMediaType");
    api.post("/specimens", &specimen(&json!({ "size": "x" }))).refused(&[("WrongType", "size")]);
    api.put(&format!("{entity}/archive-commands/{NOBODY}"), &json!({ "reason": "x" })).fails(501, "NotReady");
}

fn all_at_once(api: &Api) {
    api.post("/specimens", &json!({})).refused(&[
        ("Required", "name"),
        ("Required", "storage"),
        ("Required", "readings"),
    ]);
    let body = json!({
        "parts": [{ "weight": "x", "name": "" }], "readings": [], "labels": ["a", "a"], "storage": { "box": 0, "shelf": "TOO LONG" },
        "value": { "currency": "x", "amount": "x" }, "kind": "x", "size": -1, "name": "x", "email": "x", "grade": "x",
    });
    let expected = [
        ("TooShort", "name"),
        ("NotEmail", "email"),
        ("TooSmall", "size"),
        ("InvalidAmount", "value.amount"),
        ("InvalidCurrency", "value.currency"),
        ("UnknownValue", "kind"),
        ("TooLong", "storage.shelf"),
        ("TooSmall", "storage.box"),
        ("TooFewItems", "readings"),
        ("DuplicateItem", "labels.1"),
        ("Required", "parts.0.name"),
        ("InvalidDecimal", "parts.0.weight"),
        ("WrongType", "grade"),
    ];
    api.post("/specimens", &body).refused(&expected);
    api.put(&path("specimens", &created(api, &json!({}))), &body).refused(&expected);
}

fn groups(api: &Api) {
    let body = specimen(&json!({ "aaa": 1, "name": "", "zzz": 2 }));
    api.post("/specimens?nothing=1", &body).refused(&[
        ("UnknownParameter", "nothing"),
        ("Required", "name"),
        ("UnknownProperty", "aaa"),
        ("UnknownProperty", "zzz"),
    ]);
    api.get("/specimens?size=x&nothing=1&limit=-1").is(422);
}

fn with_the_store(api: &Api) {
    created(api, &json!({ "code": "ABC-12" }));
    let body = specimen(&json!({
        "name": "", "code": "ABC-12", "keeper": { "id": NOBODY }, "labels": ["a", "a"], "relatedTags": [{ "id": NOBODY }], "hue": 1,
    }));
    api.post("/specimens", &body).refused(&[
        ("Required", "name"),
        ("NotUnique", "code"),
        ("NotFound", "keeper.id"),
        ("DuplicateItem", "labels.1"),
        ("NotFound", "relatedTags.0.id"),
        ("UnknownProperty", "hue"),
    ]);
}

fn at_most_100(api: &Api) {
    let mut body = specimen(&json!({}));
    for index in 0..150 {
        body[format!("unknown{index}")] = json!(index);
    }
    assert_eq!(api.post("/specimens", &body).is(422).errors().len(), 100);
    let body = specimen(&json!({ "samples": vec!["x"; 150] }));
    assert_eq!(api.post("/specimens", &body).is(422).errors().len(), 100);
}

fn in_its_version(api: &Api) {
    let entity = path("specimens", &created(api, &json!({})));
    let put = |content_type: &str| {
        let request = api.request("PUT", &entity).json(&json!({})).header("accept", BETA);
        request.header("content-type", content_type).send()
    };
    for (content_type, status, code) in [("text/plain", 415, "UnsupportedMediaType"), (RETIRED, 410, "VersionRetired")]
    {
        let reply = put(content_type).fails(status, code);
        assert_eq!(reply.expect_header("content-type"), BETA, "{reply}");
    }
    assert_eq!(put(PUBLIC).is(422).expect_header("content-type"), BETA);
    // nothing was negotiated
    let reply = api.request("GET", &entity).header("accept", RETIRED).send().fails(410, "VersionRetired");
    assert_eq!(reply.expect_header("content-type"), PUBLIC);
}

fn nearest_name(api: &Api) {
    let errors =
        api.post("/specimens", &specimen(&json!({ "lifespam": "P1D" }))).refused(&[("UnknownProperty", "lifespam")]);
    assert!(errors[0]["details"].to_string().contains("\"lifespan\""), "{errors:?}");
    let origin = json!({ "place": "Rome", "dept": 1 });
    let errors =
        api.post("/specimens", &specimen(&json!({ "origin": origin }))).refused(&[("UnknownProperty", "origin.dept")]);
    assert!(errors[0]["details"].to_string().contains("\"depth\""), "{errors:?}");
}

fn parameters_everywhere(api: &Api) {
    let entity = created(api, &json!({}));
    let target = format!("{}?nothing=1", path("specimens", &entity));
    api.get(&target).refused(&[("UnknownParameter", "nothing")]);
    api.put(&target, &specimen(&json!({}))).refused(&[("UnknownParameter", "nothing")]);
    api.delete(&target).refused(&[("UnknownParameter", "nothing")]);
    api.post("/specimens?limit=1", &specimen(&json!({}))).refused(&[("UnknownParameter", "limit")]);
    api.get(&format!("{}?name=Amber", path("specimens", &entity))).refused(&[("UnknownParameter", "name")]);
    api.get(&path("specimens", &entity)).is(200);
}

fn no_object(api: &Api) {
    let kept = created(api, &json!({}));
    for body in [json!([]), json!("text"), json!(5), json!(null), json!([reference(&kept)])] {
        api.post("/specimens", &body).is(422).errors();
        api.put(&path("specimens", &kept), &body).is(422).errors();
    }
}
