//! §4.6 and the decisions "Sort" and "Paging".

use crate::Case;
use crate::client::Api;
use crate::specimen::{created, id, names, path, price, specimen};
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

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
    ("Paging: count follows what is created, changed and deleted", counts_follow),
    ("Paging: count is exact while others write", counts_of_the_moment),
];

/// Clients that write, each so often.
const WRITERS: u64 = 4;
const WRITES: u64 = 12;

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

fn counts_follow(api: &Api) {
    let count = |query: &str| api.get(&format!("/specimens?limit=1{query}")).is(200).json()["count"].clone();
    for _ in 0..2 {
        assert_eq!((count(""), count("&size=1")), (json!(0), json!(0)));
    }
    let entities = ["First", "Second", "Third"].map(|name| created(api, &json!({ "name": name, "size": 1 })));
    for _ in 0..2 {
        assert_eq!((count(""), count("&size=1"), count("&size=2")), (json!(3), json!(3), json!(0)));
    }
    api.put(&path("specimens", &entities[0]), &specimen(&json!({ "name": "First", "size": 2 }))).is(200);
    for _ in 0..2 {
        assert_eq!((count(""), count("&size=1"), count("&size=2")), (json!(3), json!(2), json!(1)));
    }
    api.delete(&path("specimens", &entities[1])).is(204);
    for _ in 0..2 {
        assert_eq!((count(""), count("&size=1"), count("&size=2")), (json!(2), json!(1), json!(1)));
    }
    // beyond the last page, and without one
    for query in ["&offset=5", "&limit=0"] {
        assert_eq!(api.get(&format!("/specimens?size=1{query}")).is(200).json()["count"], 1, "{query}");
    }
}

/// Whoever has the answer to a write sees it counted, and nobody sees counted what has not begun.
fn counts_of_the_moment(api: &Api) {
    let (begun, done) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                for _ in 0..WRITES {
                    begun.fetch_add(1, Ordering::SeqCst);
                    created(api, &json!({ "name": "One", "size": 1 }));
                    done.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        for query in ["", "&size=1"] {
            let (begun, done) = (&begun, &done);
            scope.spawn(move || {
                loop {
                    let least = done.load(Ordering::SeqCst);
                    let page = api.get(&format!("/specimens?limit=1{query}")).is(200).json();
                    let (count, most) = (page["count"].as_u64().unwrap_or_default(), begun.load(Ordering::SeqCst));
                    assert!((least..=most).contains(&count), "{query}: {count} is not in {least}..={most}");
                    if least == WRITERS * WRITES {
                        return;
                    }
                }
            });
        }
    });
}
