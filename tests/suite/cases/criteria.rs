//! §2.5, §4.5, and the decision "Searches": the criteria of a search.

use super::searches::{found, list, search};
use crate::Case;
use crate::client::Api;
use crate::specimen::{NOBODY, created, id, keeper, names, path, price, reference};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§2.5 the sample: groups, their parameters, the parameters' values", sample),
    ("Searches: a value, any of several, a range, null or not", conditions),
    ("Searches: not, startsWith and contains where a field has them", matches),
    ("Searches: a value given twice is one value, in every order", repeated),
    ("Searches: criteria of every type", every_type),
    ("Searches: in arrays, criteria of every type", every_type_in_arrays),
    ("Searches: each listed object is met by some element", elements),
    ("Searches: an array of single values has one of the criterion's", values),
    ("Searches: an array of references has one of those listed", references),
    ("Searches: objects that ask for different things, in different ways", unlike),
    ("Searches: invalid criteria", no_criteria),
    ("Searches: what was posted is rendered as the entity's values are", rendered),
    ("Searches: what GET gave can be posted back", posted_back),
    ("Searches: all problems at once, in the model's order", problems),
    ("Searches: fields that are not filterable, and write-only ones, are not criteria", not_searchable),
    ("Searches: no more values and objects than their bounds", bounds),
    ("Searches: no more bytes than are kept of one", size),
];

/// The specimen's parts have layers as the product's groups have parameters, and materials as those have values.
fn sample(api: &Api) {
    let part = |name: &str, materials: &[&str], colours: &[&str]| {
        let layers: Vec<_> = colours.iter().map(|colour| json!({ "colour": colour })).collect();
        json!({ "name": name, "materials": materials, "layers": layers })
    };
    created(api, &json!({ "name": "Amber", "parts": [part("Shell", &["horn", "lime"], &["WHITE", "BLACK"])] }));
    created(api, &json!({ "name": "Beetle", "parts": [part("Shell", &["horn"], &["WHITE"]), part("Leg", &[], &[])] }));
    let asked = json!({ "limit": 1, "offset": 0, "parts": [{
        "name": "Shell", "materials": ["lime", "silk"], "layers": [{ "colour": "BLACK" }, { "colour": "WHITE" }]
    }] });
    assert_eq!(found(api, &asked), ["Amber"]);
    let kept = search(api, &asked);
    assert_eq!(kept["parts"][0]["materials"], json!(["lime", "silk"]));
    assert_eq!(kept["parts"][0]["layers"], json!([{ "colour": "BLACK" }, { "colour": "WHITE" }]));
}

fn conditions(api: &Api) {
    created(api, &json!({ "name": "Amber", "size": 1, "note": "old", "value": price("10.00", "PLN") }));
    created(api, &json!({ "name": "Beetle", "size": 2, "value": price("9.99", "EUR") }));
    created(api, &json!({ "name": "Clam", "storage": { "shelf": "B2", "box": 7 }, "origin": { "place": "Łódź" } }));
    let cases: &[(Value, &[&str])] = &[
        (json!({}), &["Amber", "Beetle", "Clam"]),
        (json!({ "name": "Amber" }), &["Amber"]),
        (json!({ "name": ["Amber", "Clam", "Dune"] }), &["Amber", "Clam"]),
        (json!({ "size": { "gt": 1 } }), &["Beetle"]),
        (json!({ "size": { "gte": 1, "lt": 2 } }), &["Amber"]),
        (json!({ "size": { "isNull": true } }), &["Clam"]),
        (json!({ "size": { "isNull": false } }), &["Amber", "Beetle"]),
        (json!({ "size": { "isNull": true, "gt": 0 } }), &[]),
        (json!({ "note": { "isNull": false }, "size": 1 }), &["Amber"]),
        (json!({ "name": ["Amber", "Beetle"], "size": { "gte": 2 } }), &["Beetle"]),
        (json!({ "value": { "amount": { "gte": "10" }, "currency": "PLN" } }), &["Amber"]),
        (json!({ "value": { "amount": "9.99" } }), &["Beetle"]),
        (json!({ "value": { "currency": ["PLN", "USD"] } }), &["Amber"]),
        (json!({ "value": { "currency": { "isNull": true } } }), &["Clam"]),
        (json!({ "storage": { "shelf": ["B2", "C3"] } }), &["Clam"]),
        (json!({ "storage": { "box": { "lt": 7 } } }), &["Amber", "Beetle"]),
        (json!({ "origin": { "place": "Łódź" } }), &["Clam"]),
        (json!({ "status": "KEPT", "size": [1, 2] }), &["Amber", "Beetle"]),
        (json!({ "name": "'; DROP TABLE specimens; --" }), &[]),
    ];
    for (body, expected) in cases {
        assert_eq!(found(api, body), *expected, "{body}");
    }
}

fn matches(api: &Api) {
    let tag = api.create("/tags", &json!({ "name": "old" }));
    created(api, &json!({ "name": "Amber", "note": "so old", "kind": "PLANT", "tag": reference(&tag) }));
    created(api, &json!({ "name": "Beetle", "note": "So new" }));
    created(api, &json!({ "name": "Clam", "kind": "ANIMAL" }));
    let cases: &[(Value, &[&str])] = &[
        (json!({ "name": { "not": "Amber" } }), &["Beetle", "Clam"]),
        (json!({ "name": { "not": ["Amber", "Clam"] } }), &["Beetle"]),
        (json!({ "name": { "startsWith": "B" } }), &["Beetle"]),
        (json!({ "name": { "startsWith": "b" } }), &[]),
        (json!({ "name": { "startsWith": "B", "not": "Beetle" } }), &[]),
        (json!({ "name": { "startsWith": null, "not": [] } }), &["Amber", "Beetle", "Clam"]),
        (json!({ "note": { "not": "so old" } }), &["Beetle", "Clam"]),
        (json!({ "note": { "not": "so old", "isNull": false } }), &["Beetle"]),
        (json!({ "note": { "contains": "o " } }), &["Amber", "Beetle"]),
        (json!({ "note": { "contains": "old", "startsWith": "so" } }), &["Amber"]),
        (json!({ "name": { "startsWithIgnoreCase": "bE" } }), &["Beetle"]),
        (json!({ "name": { "startsWithIgnoreCase": " ", "not": "Clam" } }), &["Amber", "Beetle"]),
        (json!({ "note": { "startsWithIgnoreCase": "SO" } }), &["Amber", "Beetle"]),
        (json!({ "note": { "containsIgnoreCase": "O N" } }), &["Beetle"]),
        (json!({ "note": { "containsIgnoreCase": "O ", "contains": "old" } }), &["Amber"]),
        (json!({ "kind": { "not": ["PLANT"] } }), &["Beetle", "Clam"]),
        (json!({ "tag": { "id": { "not": id(&tag) } } }), &["Beetle", "Clam"]),
    ];
    for (body, expected) in cases {
        assert_eq!(found(api, body), *expected, "{body}");
    }
    let kept =
        search(api, &json!({ "name": { "not": "Amber", "startsWith": "B" }, "kind": { "not": ["PLANT", "ANIMAL"] } }));
    assert_eq!(kept["name"], json!({ "not": "Amber", "startsWith": "B" }));
    assert_eq!(kept["kind"], json!({ "not": ["PLANT", "ANIMAL"] }));
    let kept = search(api, &json!({ "note": { "containsIgnoreCase": "Ó", "startsWithIgnoreCase": "S" } }));
    assert_eq!(kept["note"], json!({ "startsWithIgnoreCase": "S", "containsIgnoreCase": "Ó" }));
    let wrong =
        json!({ "name": { "contains": "a" }, "kind": { "not": ["PINK", null] }, "note": { "startsWith": ["a"] } });
    api.post("/specimen-searches", &wrong).refused(&[
        ("WrongType", "note.startsWith"),
        ("UnknownValue", "kind.not.0"),
        ("Required", "kind.not.1"),
        ("UnknownProperty", "name.contains"),
    ]);
    api.post("/specimen-searches", &json!({ "parts": [{ "name": { "not": "Leg" } }] }))
        .refused(&[("UnknownProperty", "parts.0.name.not")]);
}

fn repeated(api: &Api) {
    for (name, size) in [("Amber", 1), ("Beetle", 2), ("Clam", 3)] {
        created(api, &json!({ "name": name, "size": size, "ratio": 0, "value": price(&format!("{size}.50"), "PLN") }));
    }
    let bodies = [
        json!({ "name": ["Clam", "Amber", "Clam"] }),
        json!({ "size": [3, 1, 3, 1] }),
        json!({ "value": { "amount": ["1.5", "3.50", "1.50"] } }),
        json!({ "ratio": [0, -0.0, 1], "size": [1, 3] }),
    ];
    for body in bodies {
        let target = list(api, &body);
        for sort in ["id", "name", "size", "value", "ratio"] {
            let body = api.get(&format!("{target}&sort={sort}")).is(200).json();
            assert_eq!(body["count"], 2, "{target} {sort}");
            assert_eq!(names(api, &format!("{target}&sort={sort}")), ["Amber", "Clam"], "{target} {sort}");
        }
        for sort in ["-name", "-size", "-value"] {
            assert_eq!(names(api, &format!("{target}&sort={sort}")), ["Clam", "Amber"], "{target} {sort}");
        }
    }
}

fn every_type(api: &Api) {
    let ida = keeper(api, "Ida");
    let given = json!({
        "name": "Amber", "size": 10, "ratio": 0.25, "weight": "2.500", "fragile": true, "batch": NOBODY,
        "foundAt": "2026-11-20T08:30:15.120Z", "foundOn": "2026-11-20", "feedingTime": "08:30:00.000",
        "lifespan": "P14D", "countryCode": "PL", "language": "pl-PL", "currency": "PLN", "kind": "PLANT",
        "colour": "WHITE", "keeper": reference(&ida), "code": "ABC-12"
    });
    created(api, &given);
    created(api, &json!({ "name": "Beetle" }));
    for (name, value) in given.as_object().expect("fields") {
        assert_eq!(found(api, &json!({ name: value })), ["Amber"], "{name}");
        if name != "keeper" {
            assert_eq!(found(api, &json!({ name: [value] })), ["Amber"], "{name}");
        }
    }
    let ranges = [
        ("size", json!(9), json!(11)),
        ("ratio", json!(-1), json!(0.3)),
        ("weight", json!("2.4"), json!("10")),
        ("foundAt", json!("2026-11-20T08:30:15.119Z"), json!("2026-11-20T08:30:15.121Z")),
        ("foundOn", json!("2026-11-19"), json!("2026-11-21")),
        ("feedingTime", json!("08:00:00.000"), json!("09:00:00.000")),
    ];
    for (name, below, above) in ranges {
        assert_eq!(found(api, &json!({ name: { "gt": below, "lte": above } })), ["Amber"], "{name}");
        assert_eq!(found(api, &json!({ name: { "lt": below } })), [""; 0], "{name}");
        assert_eq!(found(api, &json!({ name: { "gte": given[name], "lte": given[name] } })), ["Amber"], "{name}");
        assert_eq!(found(api, &json!({ name: { "gt": given[name] } })), [""; 0], "{name}");
    }
    api.post("/specimen-searches", &json!({ "kind": { "gt": "PLANT" } })).refused(&[("UnknownProperty", "kind.gt")]);
}

fn every_type_in_arrays(api: &Api) {
    let given = json!({
        "name": "Crack", "code": "ABC-12", "email": "ida@example.com", "size": 10, "ratio": 0.25, "weight": "2.500",
        "examinedAt": "2026-11-20T08:30:15.120Z", "bestBefore": "2026-11-20", "insurance": price("9.50", "PLN"),
        "labels": ["a", "b"], "samples": [1.5, 20], "kind": "FIELD"
    });
    created(api, &json!({ "name": "Amber", "examinations": [{ "name": "Other" }, given] }));
    created(api, &json!({ "name": "Beetle", "examinations": [{ "name": "Other" }] }));
    created(api, &json!({ "name": "Clam" }));
    let met = |criteria: Value| found(api, &json!({ "examinations": [criteria] }));
    for (name, value) in given.as_object().expect("fields") {
        assert_eq!(met(json!({ name: value })), ["Amber"], "{name}");
    }
    // compared as what they are, not as the texts that are stored
    let ranges = [
        ("size", json!(9), json!(100)),
        ("ratio", json!(-0.5), json!(1)),
        ("weight", json!("2.499"), json!("10.000")),
        ("examinedAt", json!("2026-11-20T08:30:15.119Z"), json!("2026-11-20T08:30:15.121Z")),
        ("bestBefore", json!("2026-09-30"), json!("2026-12-01")),
    ];
    for (name, below, above) in ranges {
        assert_eq!(met(json!({ name: { "gt": below, "lt": above } })), ["Amber"], "{name}");
        assert_eq!(met(json!({ name: { "lt": below } })), [""; 0], "{name}");
        assert_eq!(met(json!({ name: { "gt": above } })), [""; 0], "{name}");
        assert_eq!(met(json!({ name: { "gte": given[name], "lte": given[name] } })), ["Amber"], "{name}");
        assert_eq!(met(json!({ name: { "isNull": false } })), ["Amber"], "{name}");
    }
    assert_eq!(met(json!({ "insurance": { "amount": { "gt": "9.49", "lt": "100.00" } } })), ["Amber"]);
    assert_eq!(met(json!({ "insurance": { "amount": { "gt": "10.00" } } })), [""; 0]);
    assert_eq!(met(json!({ "samples": [20, 30] })), ["Amber"]);
    assert_eq!(met(json!({ "samples": [2] })), [""; 0]);
    assert_eq!(met(json!({ "labels": "b" })), ["Amber"]);
    assert_eq!(met(json!({ "size": { "isNull": true } })), ["Amber", "Beetle"]);
    assert_eq!(met(json!({ "name": ["Other", "None"] })), ["Amber", "Beetle"]);
}

fn elements(api: &Api) {
    let part = |name: &str, weight: &str| json!({ "name": name, "weight": weight });
    created(api, &json!({ "name": "Amber", "parts": [part("Leg", "1"), part("Wing", "2")] }));
    created(api, &json!({ "name": "Beetle", "parts": [part("Leg", "2")] }));
    created(api, &json!({ "name": "Clam" }));
    let cases: &[(Value, &[&str])] = &[
        (json!([{ "name": "Leg" }]), &["Amber", "Beetle"]),
        (json!([{ "name": "Leg", "weight": "2" }]), &["Beetle"]),
        (json!([{ "name": "Leg" }, { "weight": "2.000" }]), &["Amber", "Beetle"]),
        (json!([{ "name": "Leg" }, { "name": "Wing" }]), &["Amber"]),
        (json!([{ "name": "Leg" }, { "name": "Fin" }]), &[]),
        (json!([{ "name": ["Fin", "Wing"] }]), &["Amber"]),
        (json!([{}]), &["Amber", "Beetle"]),
        (json!([]), &["Amber", "Beetle", "Clam"]),
    ];
    for (parts, expected) in cases {
        assert_eq!(found(api, &json!({ "parts": parts })), *expected, "{parts}");
    }
}

fn values(api: &Api) {
    let amber = json!({ "name": "Amber", "labels": ["old", "rare"], "colours": ["WHITE"], "readings": [1, 2] });
    created(api, &amber);
    let bids = [price("5.00", "PLN"), price("7.50", "EUR")];
    let beetle = json!({ "name": "Beetle", "labels": ["rare", "a\"b"], "samples": [0.5, 20], "bids": bids });
    created(api, &beetle);
    created(api, &json!({ "name": "Clam", "colours": ["BLACK", "DARK_RED"], "readings": [3], "labels": ["Old"] }));
    let cases: &[(Value, &[&str])] = &[
        (json!({ "labels": "rare" }), &["Amber", "Beetle"]),
        (json!({ "labels": "old" }), &["Amber"]),
        (json!({ "labels": ["old", "a\"b", "none"] }), &["Amber", "Beetle"]),
        (json!({ "labels": ["rar"] }), &[]),
        (json!({ "labels": [] }), &["Amber", "Beetle", "Clam"]),
        (json!({ "labels": null, "colours": " " }), &["Amber", "Beetle", "Clam"]),
        (json!({ "colours": ["WHITE", "DARK_RED"] }), &["Amber", "Clam"]),
        (json!({ "readings": 2 }), &["Amber"]),
        (json!({ "readings": [7, 3] }), &["Beetle", "Clam"]),
        (json!({ "samples": 20.0 }), &["Beetle"]),
        (json!({ "labels": "rare", "readings": [1, 3] }), &["Amber"]),
        (json!({ "labels": "rare", "name": ["Beetle", "Clam"] }), &["Beetle"]),
        (json!({ "bids": [{ "amount": { "gte": "7.5" }, "currency": "EUR" }] }), &["Beetle"]),
        (json!({ "bids": [{ "amount": { "lt": "7.5" }, "currency": "EUR" }] }), &[]),
    ];
    for (body, expected) in cases {
        assert_eq!(found(api, body), *expected, "{body}");
    }
    let kept = search(api, &json!({ "labels": "old", "colours": ["WHITE"], "samples": [1] }));
    assert_eq!((&kept["labels"], &kept["colours"]), (&json!("old"), &json!(["WHITE"])));
    assert_eq!((&kept["samples"], &kept["readings"]), (&json!([1.0]), &json!([])));
    let wrong = json!({ "readings": ["x"], "labels": { "isNull": true }, "colours": ["PINK", null] });
    api.post("/specimen-searches", &wrong).refused(&[
        ("WrongType", "readings.0"),
        ("WrongType", "labels"),
        ("UnknownValue", "colours.0"),
        ("Required", "colours.1"),
    ]);
}

fn references(api: &Api) {
    let tags = ["old", "rare", "lost"].map(|name| api.create("/tags", &json!({ "name": name })));
    let [old, rare, lost] = tags.each_ref().map(reference);
    created(api, &json!({ "name": "Amber", "relatedTags": [old, rare] }));
    created(api, &json!({ "name": "Beetle", "relatedTags": [rare] }));
    created(api, &json!({ "name": "Clam" }));
    let cases: &[(Value, &[&str])] = &[
        (json!([old]), &["Amber"]),
        (json!([rare]), &["Amber", "Beetle"]),
        (json!([old, lost]), &["Amber"]),
        (json!([old, rare]), &["Amber", "Beetle"]),
        (json!([{ "id": [id(&tags[0]), id(&tags[2])] }]), &["Amber"]),
        (json!([{ "id": [id(&tags[0])] }, rare]), &["Amber", "Beetle"]),
        (json!([lost]), &[]),
        (json!([{ "id": NOBODY }]), &[]),
        (json!([{}]), &["Amber", "Beetle"]),
        (json!([]), &["Amber", "Beetle", "Clam"]),
    ];
    for (tags, expected) in cases {
        assert_eq!(found(api, &json!({ "relatedTags": tags })), *expected, "{tags}");
    }
    let kept = search(api, &json!({ "relatedTags": [old] }));
    assert_eq!(kept["relatedTags"], json!([old]));
    let wrong = json!({ "relatedTags": [{ "id": "7" }, { "name": "old" }] });
    let problems = [("InvalidUuid", "relatedTags.0.id"), ("UnknownProperty", "relatedTags.1.name")];
    api.post("/specimen-searches", &wrong).refused(&problems);
}

fn unlike(api: &Api) {
    let part = |name: &str, weight: &str, materials: &[&str], colours: &[&str]| {
        let layers: Vec<_> = colours.iter().map(|colour| json!({ "colour": colour })).collect();
        json!({ "name": name, "weight": weight, "materials": materials, "layers": layers })
    };
    let amber = [part("Leg", "1", &["horn"], &["WHITE"]), part("Wing", "2", &["silk"], &["BLACK", "DARK_RED"])];
    let beetle = [part("Leg", "1", &[], &["BLACK"]), part("Wing", "2", &["horn", "silk"], &["WHITE"])];
    created(api, &json!({ "name": "Amber", "parts": amber }));
    created(api, &json!({ "name": "Beetle", "parts": beetle }));
    let (leg, wing) = (json!(["Leg", "Fin"]), json!(["Wing", "Fin"]));
    let dark = json!([{ "colour": ["BLACK", "DARK_RED"] }]);
    let both = json!([{ "colour": "BLACK" }, { "colour": "DARK_RED" }]);
    let cases: &[(Value, &[&str])] = &[
        (json!([{ "name": leg, "weight": ["1", "9"] }, { "name": wing, "weight": ["2", "7"] }]), &["Amber", "Beetle"]),
        (json!([{ "name": leg, "weight": ["1", "9"] }, { "name": wing, "layers": dark }]), &["Amber"]),
        (json!([{ "name": leg, "weight": ["2", "9"] }]), &[]),
        (json!([{ "weight": { "gt": "1" } }, { "name": "Leg", "layers": [{ "colour": "BLACK" }] }]), &["Beetle"]),
        (json!([{ "name": "Wing", "layers": both }, {}]), &["Amber"]),
        (json!([{ "name": "Leg", "layers": both }]), &[]),
        (
            json!([{ "materials": ["horn"] }, { "layers": [{}] }, { "weight": { "isNull": false } }]),
            &["Amber", "Beetle"],
        ),
        (json!([{ "name": "Leg", "materials": "horn" }, { "weight": { "gte": "1", "lt": "2" } }]), &["Amber"]),
        (json!([{ "name": "Leg", "materials": "horn" }, { "name": "Wing", "materials": "horn" }]), &[]),
        (json!([{ "name": "Leg" }, { "weight": { "isNull": true } }]), &[]),
    ];
    for (parts, expected) in cases {
        assert_eq!(found(api, &json!({ "parts": parts })), *expected, "{parts}");
    }
}

fn no_criteria(api: &Api) {
    created(api, &json!({ "name": "Amber" }));
    let nothing = [
        json!({ "name": null, "note": "  ", "colour": [], "size": {}, "value": null, "parts": [], "limit": null }),
        json!({ "kind": "", "keeper": {}, "value": { "amount": null, "currency": "" }, "size": { "gt": null } }),
        json!({ "id": "7", "createdAt": 1, "updatedAt": ["x"] }),
    ];
    let blank = search(api, &json!({}));
    for body in nothing {
        let mut kept = search(api, &body);
        assert_ne!(kept["id"], "7");
        for name in ["id", "createdAt", "updatedAt"] {
            kept[name] = blank[name].clone();
        }
        assert_eq!(kept, blank, "{body}");
        assert_eq!(found(api, &body), ["Amber"], "{body}");
    }
    assert_eq!((&blank["name"], &blank["parts"]), (&Value::Null, &json!([])));
    for name in ["value", "origin", "keeper"] {
        assert_eq!(blank.get(name), Some(&Value::Null), "{name}: {blank}");
    }
    let kept = search(api, &json!({ "origin": { "place": "Łódź" }, "parts": [{}] }));
    assert_eq!(kept["origin"], json!({ "place": "Łódź", "site": null }), "a nested one too");
}

fn rendered(api: &Api) {
    let kept = search(
        api,
        &json!({
            "language": ["PL-pl"], "weight": { "lte": "3", "gt": "1" }, "size": 1.0, "ratio": [1],
            "value": { "amount": "5" }, "parts": [{ "weight": "2" }], "note": { "isNull": false }
        }),
    );
    assert_eq!(kept["language"], json!(["pl-PL"]));
    assert_eq!(kept["weight"], json!({ "gt": "1.000", "lte": "3.000" }));
    assert_eq!((&kept["size"], &kept["ratio"]), (&json!(1), &json!([1.0])));
    assert_eq!(kept["value"], json!({ "amount": "5.00", "currency": null }));
    assert_eq!(kept["note"], json!({ "isNull": false }));
    assert_eq!(kept["parts"], json!([{ "name": null, "weight": "2.000", "materials": [], "layers": [] }]));
}

fn posted_back(api: &Api) {
    let first = search(api, &json!({ "size": { "gt": 1 }, "parts": [{}, { "materials": "wood" }], "offset": 3 }));
    let mut second = search(api, &first);
    assert_ne!(first["id"], second["id"]);
    for name in ["id", "createdAt", "updatedAt"] {
        second[name] = first[name].clone();
    }
    assert_eq!(first, second);
}

fn problems(api: &Api) {
    let body = json!({
        "colou": "RED", "parts": [{ "name": 7 }, null, { "layers": [{ "colour": "PINK", "size": 1 }] }], "limit": 1001,
        "keeper": { "id": "7", "name": "Ida" }, "size": { "gt": "x", "isNull": 1 }, "name": ["Amber", 5, ""],
        "offset": -1, "storage": "A1", "value": { "amount": { "lt": "1.999" } }, "weight": "1.2345", "fragile": [[true]]
    });
    let errors = api.post("/specimen-searches", &body).refused(&[
        ("TooLarge", "limit"),
        ("TooSmall", "offset"),
        ("WrongType", "name.1"),
        ("Required", "name.2"),
        ("WrongType", "size.gt"),
        ("WrongType", "size.isNull"),
        ("TooManyDigits", "weight"),
        ("WrongType", "fragile.0"),
        ("InvalidAmount", "value.amount.lt"),
        ("InvalidUuid", "keeper.id"),
        ("WrongType", "storage"),
        ("WrongType", "parts.0.name"),
        ("Required", "parts.1"),
        ("UnknownValue", "parts.2.layers.0.colour"),
        ("UnknownProperty", "colou"),
        ("UnknownProperty", "keeper.name"),
        ("UnknownProperty", "parts.2.layers.0.size"),
    ]);
    let nearest = errors.iter().find(|error| error["path"] == "colou").map(|error| &error["details"]["nearest"]);
    assert_eq!(nearest, Some(&json!("colour")));
    for malformed in ["", "{", "[1", "{\"name\":1,\"name\":2}", "{\"size\":{\"gt\":1,\"gt\":2}}", "\u{1}"] {
        api.request("POST", "/specimen-searches").body(malformed.as_bytes()).send().fails(400, "MalformedJson");
    }
    let reply = api.post("/specimen-searches", &json!([]));
    assert_eq!(reply.is(422).errors()[0]["code"], "WrongType");
}

fn not_searchable(api: &Api) {
    for name in ["email", "serial", "passphrase", "hint", "grade"] {
        api.post("/specimen-searches", &json!({ name: "x" })).refused(&[("UnknownProperty", name)]);
    }
    api.post("/specimen-searches", &json!({ "origin": { "depth": 1 } }))
        .refused(&[("UnknownProperty", "origin.depth")]);
    // of an object without filters only the arrays are
    api.post("/specimen-searches", &json!({ "firstExamination": { "labels": "a", "name": "Crack" } }))
        .refused(&[("UnknownProperty", "firstExamination.name")]);
}

fn size(api: &Api) {
    let notes = |bytes: usize| json!({ "note": vec!["x".repeat(bytes / 100); 100] });
    let kept = search(api, &notes(60_000));
    assert_eq!(api.get(&path("specimen-searches", &kept)).is(200).json()["note"], notes(60_000)["note"]);
    let reply = api.post("/specimen-searches", &notes(130_000)).fails(413, "BodyTooLarge");
    assert_eq!(reply.errors()[0]["details"]["maxBytes"], 65_536);
}

fn bounds(api: &Api) {
    let sizes = |count: usize| json!({ "size": (0..count).collect::<Vec<_>>() });
    api.get(&list(api, &sizes(500))).is(200);
    api.post("/specimen-searches", &sizes(501)).refused(&[("TooManyItems", "size.500")]);
    let parts = |count: usize| json!({ "parts": vec![json!({ "name": "Leg", "layers": [] }); count] });
    api.get(&list(api, &parts(100))).is(200);
    api.post("/specimen-searches", &parts(101)).refused(&[("TooManyItems", "parts.100")]);
    let nested = json!({ "parts": [{ "layers": vec![json!({ "colour": "WHITE" }); 99] }] });
    api.get(&list(api, &nested)).is(200);
    let layers = json!([{ "colour": "WHITE" }]);
    let part =
        |index: usize| json!({ "name": format!("Leg {index}"), "materials": ["horn", "lime"], "layers": layers });
    let deep = json!({ "parts": (0..50).map(part).collect::<Vec<_>>() });
    assert_eq!(found(api, &deep), [""; 0]);
}
