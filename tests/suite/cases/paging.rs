//! §4.6 and the decisions "Sort" and "Paging".

use crate::Case;
use crate::client::Api;
use crate::specimen::{created, id, names, price};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("Sort: without sort by id, which is creation order", creation_order),
    ("§4.6 sort by several fields, - means descending", several_fields),
    ("§4.6 sort, for every sortable type", every_type),
    ("Sort: nulls last in both directions", nulls_last),
    ("Sort: id ascending breaks ties", ties),
    ("Sort: strings and enums by code point", code_points),
    ("Sort: a price by its amount", by_price),
    ("Sort: an unknown or repeated field is 422", refused),
    ("§4.6 offset and limit", pages),
    ("Paging: limit is 100 by default", default_limit),
    ("Paging: limit and offset out of range are 422, never clamped", out_of_range),
    ("Filters: offset, limit, sort given twice are 422", repeated),
];

fn creation_order(api: &Api) {
    for name in ["Third", "First", "Second"] {
        created(api, &json!({ "name": name }));
    }
    assert_eq!(names(api, "/specimens"), ["Third", "First", "Second"]);
    assert_eq!(names(api, "/specimens?sort=id"), ["Third", "First", "Second"]);
    assert_eq!(names(api, "/specimens?sort=-id"), ["Second", "First", "Third"]);
}

fn several_fields(api: &Api) {
    for (name, size, shelf) in [("Amber", 1, "B"), ("Beetle", 2, "B"), ("Coral", 1, "A"), ("Dodo", 2, "A")] {
        created(api, &json!({ "name": name, "size": size, "storage": { "shelf": shelf } }));
    }
    assert_eq!(names(api, "/specimens?sort=-size,name"), ["Beetle", "Dodo", "Amber", "Coral"]);
    assert_eq!(names(api, "/specimens?sort=size,-name"), ["Coral", "Amber", "Dodo", "Beetle"]);
    assert_eq!(names(api, "/specimens?sort=storage.shelf,-createdAt,name").len(), 4);
    assert_eq!(names(api, "/specimens?sort=storage.shelf,name"), ["Coral", "Dodo", "Amber", "Beetle"]);
}

fn every_type(api: &Api) {
    let high = json!({ "name": "High", "note": "b", "size": 10, "ratio": 0.9, "weight": "10", "fragile": true,
        "foundAt": "2026-10-01T00:00:00.000Z", "foundOn": "2026-10-01", "feedingTime": "10:00:00.000", "countryCode": "PL",
        "value": price("10", "PLN"), "kind": "PLANT", "storage": { "shelf": "B" } });
    let low = json!({ "name": "Alow", "note": "a", "size": 9, "ratio": -0.9, "weight": "9", "fragile": false,
        "foundAt": "2026-09-01T00:00:00.000Z", "foundOn": "2026-09-01", "feedingTime": "09:00:00.000", "countryCode": "DE",
        "value": price("9", "PLN"), "kind": "ANIMAL", "storage": { "shelf": "A" } });
    created(api, &high);
    created(api, &low);
    let sortable = [
        "name",
        "note",
        "size",
        "ratio",
        "weight",
        "fragile",
        "foundAt",
        "foundOn",
        "feedingTime",
        "countryCode",
        "value",
        "kind",
        "storage.shelf",
    ];
    for field in sortable {
        assert_eq!(names(api, &format!("/specimens?sort={field}")), ["Alow", "High"], "{field}");
        assert_eq!(names(api, &format!("/specimens?sort=-{field}")), ["High", "Alow"], "-{field}");
    }
}

fn nulls_last(api: &Api) {
    created(api, &json!({ "name": "Null" }));
    created(api, &json!({ "name": "One", "size": 1, "note": "a", "value": price("1", "PLN") }));
    created(api, &json!({ "name": "Two", "size": 2, "note": "b", "value": price("2", "PLN") }));
    for field in ["size", "note", "value"] {
        assert_eq!(names(api, &format!("/specimens?sort={field}")), ["One", "Two", "Null"], "{field}");
        assert_eq!(names(api, &format!("/specimens?sort=-{field}")), ["Two", "One", "Null"], "-{field}");
    }
}

fn ties(api: &Api) {
    for name in ["First", "Second", "Third", "Fourth"] {
        created(api, &json!({ "name": name, "size": 1 }));
    }
    for sort in ["size", "-size", "fragile", "-fragile"] {
        assert_eq!(names(api, &format!("/specimens?sort={sort}")), ["First", "Second", "Third", "Fourth"], "{sort}");
    }
    let pages: Vec<_> =
        (0..4).flat_map(|offset| names(api, &format!("/specimens?sort=-size&limit=1&offset={offset}"))).collect();
    assert_eq!(pages, ["First", "Second", "Third", "Fourth"]);
}

fn code_points(api: &Api) {
    for name in ["żaba", "apple", "Zebra", "émeu", "🪲🪲", "\u{ffee}\u{ffee}"] {
        created(api, &json!({ "name": name }));
    }
    assert_eq!(names(api, "/specimens?sort=name"), ["Zebra", "apple", "émeu", "żaba", "\u{ffee}\u{ffee}", "🪲🪲"]);
}

fn by_price(api: &Api) {
    for (name, amount, currency) in [("Hundred", "100", "EUR"), ("Nine", "9.99", "PLN"), ("Ten", "10", "USD")] {
        created(api, &json!({ "name": name, "value": price(amount, currency) }));
    }
    assert_eq!(names(api, "/specimens?sort=value"), ["Nine", "Ten", "Hundred"]);
    assert_eq!(names(api, "/specimens?sort=-value"), ["Hundred", "Ten", "Nine"]);
}

fn refused(api: &Api) {
    for sort in [
        "nothing",
        "email",
        "-measure",
        "name,nothing",
        "size,size",
        "size,-size",
        "name,",
        ",name",
        "--name",
        "origin",
        "parts",
        "lifespan",
        "-",
    ] {
        let errors = api.get(&format!("/specimens?sort={sort}")).is(422).errors();
        assert!(errors.iter().all(|error| error["path"] == "sort"), "sort={sort}: {errors:?}");
    }
}

fn pages(api: &Api) {
    for name in ["Amber", "Beetle", "Coral", "Dodo", "Emu"] {
        created(api, &json!({ "name": name }));
    }
    assert_eq!(names(api, "/specimens?limit=2"), ["Amber", "Beetle"]);
    assert_eq!(names(api, "/specimens?limit=2&offset=2"), ["Coral", "Dodo"]);
    assert_eq!(names(api, "/specimens?limit=2&offset=4"), ["Emu"]);
    assert_eq!(names(api, "/specimens?offset=3&sort=-name"), ["Beetle", "Amber"]);
    assert_eq!(api.get("/specimens?limit=0").is(200).body, r#"{"specimens":[],"count":5}"#);
    assert_eq!(api.get("/specimens?offset=5").is(200).body, r#"{"specimens":[],"count":5}"#);
    assert_eq!(names(api, "/specimens?limit=1000&offset=2147483648"), [] as [&str; 0]);
}

fn default_limit(api: &Api) {
    let mut last = String::new();
    for quantity in 0..101 {
        id(&api.create("/stock-entries", &json!({ "quantity": quantity }))).clone_into(&mut last);
    }
    let page = |target: &str| api.get(target).is(200).json()["stockEntries"].as_array().expect("entries").clone();
    assert_eq!(page("/stock-entries").len(), 100);
    assert_eq!(page("/stock-entries?limit=1000").len(), 101);
    assert_eq!(page("/stock-entries?offset=100")[0]["id"], last);
}

fn out_of_range(api: &Api) {
    for limit in ["-1", "1001", "x", "1.5", "99999999999999999999", "0x10"] {
        api.get(&format!("/specimens?limit={limit}")).refused(&[("*", "limit")]);
    }
    for offset in ["-1", "2147483649", "x", "1.5", "99999999999999999999"] {
        api.get(&format!("/specimens?offset={offset}")).refused(&[("*", "offset")]);
    }
}

fn repeated(api: &Api) {
    for (parameter, value) in [("offset", "1"), ("limit", "1"), ("sort", "name")] {
        api.get(&format!("/specimens?{parameter}={value}&{parameter}={value}"))
            .refused(&[("RepeatedParameter", parameter)]);
    }
}
