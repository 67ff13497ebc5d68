//! What PUT does, and who sets what: the decision "Requests".

use crate::Case;
use crate::client::Api;
use crate::specimen::{NOBODY, created, keeper, path, price, reference, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Requests: defaults at creation", defaults),
    ("Requests: PUT makes what is omitted its default or null", omitted),
    ("Requests: an explicit null is null, default or not", explicit_null),
    ("Requests: an immutable field omitted keeps its value", immutable_omitted),
    ("Requests: another value of an immutable field is Immutable", immutable_changed),
    ("Requests: a readOnly field is ignored", read_only),
    ("Requests: a writeOnly field is never rendered", write_only),
    ("Requests: what GET gave can be sent back by PUT", round_trip),
    ("Requests: a refused PUT changes nothing", refused_changes_nothing),
];

fn defaults(api: &Api) {
    let entity = created(api, &json!({}));
    assert_eq!(entity["grade"], 3);
    assert_eq!(entity["unit"], "CM");
    assert_eq!(entity["fee"], price("5.00", "PLN"));
    assert_eq!(entity["collection"], "MAIN");
    assert_eq!(entity["status"], "KEPT");
    assert_eq!(entity["storage"]["box"], 1);
    let entity = created(api, &json!({ "grade": 5, "unit": "INCH", "collection": "ANNEX" }));
    assert_eq!(
        (&entity["grade"], &entity["unit"], &entity["collection"]),
        (&json!(5), &json!("INCH"), &json!("ANNEX"))
    );
}

fn omitted(api: &Api) {
    let ida = keeper(api, "Ida");
    let entity = created(
        api,
        &json!({
            "note": "x", "size": 5, "value": price("1", "PLN"), "keeper": reference(&ida), "origin": { "place": "Rome" },
            "labels": ["a"], "parts": [{ "name": "leg" }], "grade": 5, "unit": "INCH", "fee": price("1", "EUR"),
        }),
    );
    let updated = api.put(&path("specimens", &entity), &specimen(&json!({}))).is(200).json();
    for field in ["note", "size", "value", "keeper", "origin"] {
        assert_eq!(updated[field], Value::Null, "{field}");
    }
    for field in ["labels", "parts"] {
        assert_eq!(updated[field], json!([]), "{field}");
    }
    assert_eq!((&updated["grade"], &updated["unit"]), (&json!(3), &json!("CM")));
    assert_eq!(updated["fee"], price("5.00", "PLN"));
    api.put(&path("specimens", &entity), &json!({})).refused(&[
        ("Required", "name"),
        ("Required", "storage"),
        ("Required", "readings"),
    ]);
}

fn explicit_null(api: &Api) {
    let nulls = json!({ "grade": null, "unit": null, "fee": null });
    let entity = created(api, &nulls);
    let updated = api.put(&path("specimens", &entity), &specimen(&nulls)).is(200).json();
    for field in ["grade", "unit", "fee"] {
        assert_eq!(entity[field], Value::Null, "POST {field}");
        assert_eq!(updated[field], Value::Null, "PUT {field}");
    }
    api.post("/specimens", &specimen(&json!({ "collection": null }))).refused(&[("Required", "collection")]);
}

fn immutable_omitted(api: &Api) {
    let entity = created(api, &json!({ "registryNumber": "R1", "collection": "ANNEX" }));
    let updated = api.put(&path("specimens", &entity), &specimen(&json!({}))).is(200).json();
    assert_eq!((&updated["registryNumber"], &updated["collection"]), (&json!("R1"), &json!("ANNEX")));
}

fn immutable_changed(api: &Api) {
    let entity = created(api, &json!({ "registryNumber": "R1", "collection": "ANNEX" }));
    let put = |fields: Value| api.put(&path("specimens", &entity), &specimen(&fields));
    put(json!({ "registryNumber": "R1", "collection": "ANNEX" })).is(200);
    put(json!({ "registryNumber": "R2" })).refused(&[("Immutable", "registryNumber")]);
    put(json!({ "registryNumber": null })).refused(&[("Immutable", "registryNumber")]);
    put(json!({ "registryNumber": "R2", "collection": "MAIN" }))
        .refused(&[("Immutable", "registryNumber"), ("Immutable", "collection")]);
    let blank = created(api, &json!({}));
    let body = specimen(&json!({ "registryNumber": "R2" }));
    api.put(&path("specimens", &blank), &body).refused(&[("Immutable", "registryNumber")]);
}

fn read_only(api: &Api) {
    let given = json!({ "status": "ARCHIVED", "archivedAt": "2026-11-20T08:30:15.123Z", "createdAt": "never" });
    let entity = created(api, &given);
    let updated = api.put(&path("specimens", &entity), &specimen(&given)).is(200).json();
    for entity in [entity, updated] {
        assert_eq!((&entity["status"], &entity["archivedAt"]), (&json!("KEPT"), &Value::Null));
    }
    created(api, &json!({ "status": 5, "archivedAt": "x", "id": 7 }));
}

fn write_only(api: &Api) {
    let given = json!({ "passphrase": "open sesame", "hint": "nuts" });
    let reply = api.post("/specimens", &specimen(&given)).is(201);
    let entity = reply.json();
    let target = path("specimens", &entity);
    for reply in [reply, api.get(&target), api.get("/specimens"), api.put(&target, &specimen(&given))] {
        for word in ["passphrase", "hint", "sesame", "nuts", "argon2"] {
            assert!(!reply.body.contains(word), "{word}: {reply}");
        }
    }
    api.post("/specimens", &specimen(&json!({ "passphrase": "abc", "hint": "a".repeat(11) })))
        .refused(&[("TooShort", "passphrase"), ("TooLong", "hint")]);
    api.get("/specimens?hint=nuts").refused(&[("UnknownParameter", "hint")]);
}

fn round_trip(api: &Api) {
    let ida = keeper(api, "Ida");
    let entity = created(
        api,
        &json!({
            "note": "x", "size": 5, "weight": "1.5", "foundAt": "2026-11-20T08:30:15.123Z", "lifespan": "P2W", "language": "PL-pl",
            "value": price("1", "PLN"), "keeper": reference(&ida), "origin": { "place": "Rome", "site": { "name": "Forum" } },
            "labels": ["a"], "parts": [{ "name": "leg", "layers": [{ "colour": "BLACK" }] }], "registryNumber": "R1",
        }),
    );
    let read = api.get(&path("specimens", &entity)).is(200).json();
    let mut updated = api.put(&path("specimens", &entity), &read).is(200).json();
    updated["updatedAt"] = read["updatedAt"].clone();
    assert_eq!(updated, read);
}

fn refused_changes_nothing(api: &Api) {
    let entity = created(api, &json!({ "size": 5 }));
    api.put(&path("specimens", &entity), &specimen(&json!({ "size": 6, "keeper": { "id": NOBODY } }))).is(422);
    api.post("/specimens", &specimen(&json!({ "keeper": { "id": NOBODY } }))).is(422);
    assert_eq!(api.get("/specimens").is(200).json(), json!({ "specimens": [entity], "count": 1 }));
}
