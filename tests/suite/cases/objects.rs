//! Nested objects and references: §2.4.9.

use crate::Case;
use crate::client::Api;
use crate::specimen::{NOBODY, accepts, created, id, keeper, path, reference, refuses, refuses_all, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§2.4.2 arrays in an optional object come and go with it", optional_with_arrays),
    ("§2.4.1 a nested object is whole, its blanks null", nested),
    ("§7.1 a fault in an object has a dotted path", nested_faults),
    ("§2.4 a required object", required_object),
    ("§2.4.9 a reference is an object with id and what it shows", references),
    ("§2.4.9 what a reference shows follows the other entity", shown_fields),
    ("Requests: in a reference, properties beside id are ignored", reference_extras),
    ("Requests: a reference to nothing is NotFound at its id", unknown_references),
    ("§7.1 a reference that is none", references_refused),
];

fn nested(api: &Api) {
    let whole = json!({ "place": "Rome", "depth": null, "site": null });
    accepts(api, "origin", &[(json!({ "place": "Rome" }), whole), (Value::Null, Value::Null)]);
    let deep = json!({ "place": "Rome", "depth": 3, "site": { "name": "Forum" } });
    let shown = json!({ "place": "Rome", "depth": 3, "site": { "name": "Forum", "finder": null } });
    accepts(api, "origin", &[(deep, shown)]);
}

fn optional_with_arrays(api: &Api) {
    let created = created(api, &json!({ "firstExamination": null }));
    assert_eq!(created["firstExamination"], Value::Null);
    let entity = path("specimens", &created);
    for examination in [json!({ "size": 5 }), json!({ "size": 5, "labels": ["a"] }), Value::Null] {
        let body = specimen(&json!({ "firstExamination": examination }));
        let found = api.put(&entity, &body).is(200).json();
        let labels = examination.get("labels").cloned().unwrap_or_else(|| json!([]));
        let expected = if examination.is_null() { None } else { Some(&labels) };
        assert_eq!(found["firstExamination"].get("labels"), expected);
    }
}

fn nested_faults(api: &Api) {
    refuses(
        api,
        "origin",
        &[
            (json!({}), "Required", "place"),
            (json!({ "place": "" }), "Required", "place"),
            (json!({ "place": "Rome", "depth": -1 }), "TooSmall", "depth"),
            (json!({ "place": "Rome", "site": {} }), "Required", "site.name"),
            (json!({ "place": "Rome", "site": 5 }), "WrongType", "site"),
            (json!({ "place": "Rome", "site": { "name": "a".repeat(41) } }), "TooLong", "site.name"),
            (json!({ "place": "Rome", "hue": 1 }), "UnknownProperty", "hue"),
            (json!({ "place": "Rome", "site": { "name": "Forum", "hue": 1 } }), "UnknownProperty", "site.hue"),
        ],
    );
    refuses_all(api, "origin", "WrongType", &[json!("Rome"), json!(5), json!([]), json!(true)]);
}

fn required_object(api: &Api) {
    let shown = json!({ "shelf": "A1", "box": 1 });
    accepts(
        api,
        "storage",
        &[(json!({ "shelf": "A1" }), shown), (json!({ "shelf": "B2", "box": 4 }), json!({ "shelf": "B2", "box": 4 }))],
    );
    accepts(api, "storage", &[(json!({ "shelf": "A1", "box": null }), json!({ "shelf": "A1", "box": null }))]);
    refuses(
        api,
        "storage",
        &[(Value::Null, "Required", ""), (json!({}), "Required", "shelf"), (json!("A1"), "WrongType", "")],
    );
}

fn references(api: &Api) {
    let ida = keeper(api, "Ida");
    let shown = json!({ "id": id(&ida), "name": "Ida" });
    accepts(api, "keeper", &[(reference(&ida), shown.clone()), (Value::Null, Value::Null)]);
    let origin = json!({ "place": "Rome", "site": { "name": "Forum", "finder": reference(&ida) } });
    assert_eq!(created(api, &json!({ "origin": origin }))["origin"]["site"]["finder"], shown);
    let listed = api.get("/specimens?limit=1").is(200).json();
    assert_eq!(listed["specimens"][0]["keeper"], Value::Null);
}

fn shown_fields(api: &Api) {
    let ida = keeper(api, "Ida");
    let specimen = created(api, &json!({ "keeper": reference(&ida) }));
    api.put(&path("keepers", &ida), &json!({ "name": "Ida Maria" })).is(200);
    let read = api.get(&path("specimens", &specimen)).is(200).json();
    assert_eq!(read["keeper"]["name"], "Ida Maria");
}

fn reference_extras(api: &Api) {
    let ida = keeper(api, "Ida");
    let given = json!({ "id": id(&ida), "name": "Somebody else", "hue": 5 });
    accepts(api, "keeper", &[(given, json!({ "id": id(&ida), "name": "Ida" }))]);
}

fn unknown_references(api: &Api) {
    refuses(api, "keeper", &[(json!({ "id": NOBODY }), "NotFound", "id")]);
    let nested = json!({ "place": "Rome", "site": { "name": "Forum", "finder": { "id": NOBODY } } });
    refuses(api, "origin", &[(nested, "NotFound", "site.finder.id")]);
    let tag = api.create("/tags", &json!({ "name": "old" }));
    refuses(api, "keeper", &[(reference(&tag), "NotFound", "id")]);
}

fn references_refused(api: &Api) {
    let upper = NOBODY.to_uppercase();
    refuses(
        api,
        "keeper",
        &[
            (json!({}), "Required", "id"),
            (json!({ "id": null }), "Required", "id"),
            (json!({ "id": upper }), "InvalidUuid", "id"),
            (json!({ "id": "Ida" }), "InvalidUuid", "id"),
            (json!({ "id": 5 }), "WrongType", "id"),
            (json!(NOBODY), "WrongType", ""),
        ],
    );
    api.post("/specimens", &specimen(&json!({ "keeperId": NOBODY }))).refused(&[("UnknownProperty", "keeperId")]);
}
