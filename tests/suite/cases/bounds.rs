//! Every constraint at, just inside and just outside its bound: on a field of the specimen itself, in an object, and in
//! an object inside an array. One table says it for the three places, because a bound means the same in each.

use crate::Case;
use crate::client::Api;
use crate::specimen::{path, price, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§7.1 bounds hold on a field", at_the_top),
    ("§7.1 bounds hold in an object", in_an_object),
    ("§7.1 bounds hold in an object inside an array", in_an_array),
];

/// What a constrained field takes and refuses.
struct Bound {
    field: &'static str,
    /// Rendered as given, at the bound and just inside it.
    kept: Vec<Value>,
    /// Just outside: the value, the code, and where below the field (`""`: at the field itself).
    refused: Vec<(Value, &'static str, &'static str)>,
}

fn bounds() -> Vec<Bound> {
    let mut bounds = texts();
    bounds.extend(numbers());
    bounds.extend(times());
    bounds.extend(arrays());
    bounds
}

fn texts() -> Vec<Bound> {
    let letters = |count| json!("ż".repeat(count));
    vec![
        Bound {
            field: "name",
            kept: vec![letters(2), letters(3), letters(19), letters(20)],
            refused: vec![(letters(1), "TooShort", ""), (letters(21), "TooLong", "")],
        },
        Bound {
            field: "code",
            kept: vec![json!("AAA-00"), json!("ZZZ-99")],
            refused: ["AA-00", "AAAA-00", "AAA-0", "AAA-000", "@AA-00", "[AA-00"]
                .map(|code| (json!(code), "PatternMismatch", ""))
                .into(),
        },
        Bound {
            field: "email",
            kept: vec![json!("a@b.pl")],
            refused: vec![(json!("a@"), "NotEmail", ""), (json!("@b.pl"), "NotEmail", "")],
        },
        Bound {
            field: "link",
            kept: vec![json!("urn:a"), json!("https://b.pl/")],
            refused: vec![(json!("b.pl/"), "NotUri", ""), (json!(":a"), "NotUri", "")],
        },
    ]
}

fn numbers() -> Vec<Bound> {
    vec![
        Bound {
            field: "size",
            kept: [0, 1, 999, 1000].map(Value::from).into(),
            refused: vec![(json!(-1), "TooSmall", ""), (json!(1001), "TooLarge", "")],
        },
        Bound {
            field: "ratio",
            kept: [-1.0, -0.999_999, 0.999_999, 1.0].map(Value::from).into(),
            refused: vec![(json!(-1.000_001), "TooSmall", ""), (json!(1.000_001), "TooLarge", "")],
        },
        Bound {
            field: "weight",
            kept: ["0.000", "0.001", "999.999", "1000.000"].map(Value::from).into(),
            refused: vec![
                (json!("-0.001"), "TooSmall", ""),
                (json!("1000.001"), "TooLarge", ""),
                (json!("0.0001"), "TooManyDigits", ""),
            ],
        },
        Bound {
            field: "insurance",
            kept: vec![price("1.00", "PLN"), price("1.01", "EUR"), price("999.99", "PLN"), price("1000.00", "EUR")],
            refused: vec![
                (price("0.99", "PLN"), "TooSmall", "amount"),
                (price("1000.01", "PLN"), "TooLarge", "amount"),
                (price("10.00", "USD"), "CurrencyNotAllowed", "currency"),
            ],
        },
    ]
}

fn times() -> Vec<Bound> {
    let [first, second] = ["2000-01-01T00:00:00.000Z", "2000-01-01T00:00:00.001Z"];
    let [last_but_one, last] = ["2099-12-31T23:59:59.998Z", "2099-12-31T23:59:59.999Z"];
    vec![
        Bound {
            field: "examinedAt",
            kept: [first, second, last_but_one, last].map(Value::from).into(),
            refused: vec![
                (json!("1999-12-31T23:59:59.999Z"), "TooSmall", ""),
                (json!("2100-01-01T00:00:00.000Z"), "TooLarge", ""),
            ],
        },
        Bound {
            field: "bestBefore",
            kept: ["2000-01-01", "2000-01-02", "2099-12-30", "2099-12-31"].map(Value::from).into(),
            refused: vec![(json!("1999-12-31"), "TooSmall", ""), (json!("2100-01-01"), "TooLarge", "")],
        },
    ]
}

fn arrays() -> Vec<Bound> {
    vec![
        Bound {
            field: "labels",
            kept: vec![json!([]), json!(["a", "b"]), json!(["a", "b", "c"]), json!(["a", "x".repeat(10)])],
            refused: vec![
                (json!(["a", "b", "c", "d"]), "TooManyItems", ""),
                (json!(["a", "b", "a"]), "DuplicateItem", "2"),
                (json!(["a", "x".repeat(11)]), "TooLong", "1"),
            ],
        },
        Bound {
            field: "samples",
            kept: vec![json!([]), json!([0.5, 0.5]), json!([0.5, 0.5, 0.5])],
            refused: vec![(json!([0.5]), "TooFewItems", "")],
        },
    ]
}

fn at_the_top(api: &Api) {
    check(api, "", |field, value| json!({ field: value }));
}

fn in_an_object(api: &Api) {
    check(api, "firstExamination", |field, value| json!({ "firstExamination": { field: value } }));
}

fn in_an_array(api: &Api) {
    check(api, "examinations.1", |field, value| json!({ "examinations": [{ "kind": "FIELD" }, { field: value }] }));
}

/// Holds every bound at one place: by POST, by PUT, and read again.
fn check(api: &Api, place: &str, fields: impl Fn(&str, &Value) -> Value) {
    let entity = path("specimens", &api.create("/specimens", &specimen(&json!({}))));
    for Bound { field, kept, refused } in bounds() {
        let at = |below: &str| {
            let parts = [place, field, below].into_iter().filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(".")
        };
        let pointer = format!("/{}", at("").replace('.', "/"));
        for value in kept {
            let body = specimen(&fields(field, &value));
            api.put(&entity, &body).is(200);
            let found = api.get(&entity).is(200).json();
            assert_eq!(found.pointer(&pointer), Some(&value), "{pointer}");
            // the unique `code` is free again for the entity that a POST makes
            api.put(&entity, &specimen(&json!({}))).is(200);
            api.create("/specimens", &body);
        }
        for (value, code, below) in refused {
            let body = specimen(&fields(field, &value));
            let expected = [(code, &*at(below))];
            api.post("/specimens", &body).refused(&expected);
            api.put(&entity, &body).refused(&expected);
        }
    }
}
