//! Arrays: §2.4.2 and the decision "Requests".

use crate::Case;
use crate::client::Api;
use crate::specimen::{NOBODY, accepts, id, keeps, price, reference, refuses, refuses_all, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§2.4.2 an optional array omitted or null is []", optional),
    ("Requests: a required array omitted or null is Required", required),
    ("Requests: minItems holds where required or not empty", sizes),
    ("Requests: a null or blank item is Required", blank_items),
    ("§7.1 a repeated item is DuplicateItem at its index", unique_items),
    ("§7.1 faults of items have their index in the path", item_faults),
    ("§2.4.9 arrays of references", references),
    ("§2.4 arrays of objects that hold arrays", nested_arrays),
];

fn optional(api: &Api) {
    keeps(api, "samples", &[json!([]), json!([0.5, -2.25]), json!([0.5, 0.5, 0.5])]);
    accepts(api, "samples", &[(Value::Null, json!([]))]);
    refuses_all(api, "samples", "WrongType", &[json!(5), json!("5"), json!({}), json!(true)]);
}

fn required(api: &Api) {
    keeps(api, "readings", &[json!([7]), json!([3, 2, 1])]);
    refuses_all(api, "readings", "Required", &[Value::Null]);
    let mut body = specimen(&json!({}));
    body.as_object_mut().expect("an object").remove("readings");
    api.post("/specimens", &body).refused(&[("Required", "readings")]);
}

fn sizes(api: &Api) {
    refuses_all(api, "readings", "TooFewItems", &[json!([])]);
    refuses_all(api, "readings", "TooManyItems", &[json!([1, 2, 3, 4])]);
    refuses_all(api, "samples", "TooFewItems", &[json!([1.5])]);
    let errors = api
        .post("/specimens", &specimen(&json!({ "readings": [1, 2, 3, 4] })))
        .refused(&[("TooManyItems", "readings")]);
    assert_eq!(errors[0]["details"], json!({ "maxItems": 3 }));
}

fn blank_items(api: &Api) {
    refuses(api, "readings", &[(json!([1, null]), "Required", "1")]);
    refuses(
        api,
        "labels",
        &[(json!(["a", ""]), "Required", "1"), (json!(["  "]), "Required", "0"), (json!([null]), "Required", "0")],
    );
    refuses(api, "bids", &[(json!([null]), "Required", "0")]);
    refuses(api, "parts", &[(json!([null]), "Required", "0")]);
}

fn unique_items(api: &Api) {
    keeps(api, "labels", &[json!(["a", "A", "ä"])]);
    refuses(api, "labels", &[(json!(["a", "b", "a"]), "DuplicateItem", "2")]);
}

fn item_faults(api: &Api) {
    refuses(
        api,
        "readings",
        &[(json!([1, -1]), "TooSmall", "1"), (json!(["x", 1]), "WrongType", "0"), (json!([[1]]), "WrongType", "0")],
    );
    refuses(api, "labels", &[(json!(["a", "b".repeat(11)]), "TooLong", "1")]);
    refuses(api, "colours", &[(json!(["WHITE", "RED"]), "UnknownValue", "1")]);
    refuses(api, "bids", &[(json!([{ "amount": "1.00" }]), "Required", "0.currency")]);
    accepts(
        api,
        "bids",
        &[(json!([price("1", "PLN"), price("1.5", "EUR")]), json!([price("1.00", "PLN"), price("1.50", "EUR")]))],
    );
    api.post("/specimens", &specimen(&json!({ "readings": [-1, "x", null] }))).refused(&[
        ("TooSmall", "readings.0"),
        ("WrongType", "readings.1"),
        ("Required", "readings.2"),
    ]);
}

fn references(api: &Api) {
    let [old, new] = ["old", "new"].map(|name| api.create("/tags", &json!({ "name": name })));
    let shown = json!([{ "id": id(&new), "name": "new" }, { "id": id(&old), "name": "old" }]);
    accepts(api, "relatedTags", &[(json!([reference(&new), reference(&old)]), shown)]);
    refuses(
        api,
        "relatedTags",
        &[
            (json!([reference(&old), { "id": NOBODY }]), "NotFound", "1.id"),
            (json!([{}]), "Required", "0.id"),
            (json!([id(&old)]), "WrongType", "0"),
        ],
    );
}

fn nested_arrays(api: &Api) {
    let given = json!([{ "name": "wing" }, { "name": "leg", "weight": "0.5", "materials": ["chitin"], "layers": [{ "colour": "BLACK" }] }]);
    let shown = json!([
        { "name": "wing", "weight": null, "materials": [], "layers": [], "details": null },
        { "name": "leg", "weight": "0.500", "materials": ["chitin"], "layers": [{ "colour": "BLACK" }], "details": null },
    ]);
    accepts(api, "parts", &[(given, shown)]);
    let part = |fields: Value| {
        let mut part = json!({ "name": "leg" });
        for (name, value) in fields.as_object().expect("fields") {
            part[name] = value.clone();
        }
        json!([{ "name": "wing" }, part])
    };
    refuses(
        api,
        "parts",
        &[
            (json!([{}]), "Required", "0.name"),
            (part(json!({ "weight": "1.2345" })), "TooManyDigits", "1.weight"),
            (part(json!({ "materials": ["a", "b".repeat(11)] })), "TooLong", "1.materials.1"),
            (
                part(json!({ "layers": [{ "colour": "BLACK" }, { "colour": "RED" }] })),
                "UnknownValue",
                "1.layers.1.colour",
            ),
            (part(json!({ "layers": [{}] })), "Required", "1.layers.0.colour"),
            (part(json!({ "hue": 1 })), "UnknownProperty", "1.hue"),
        ],
    );
    let five = vec![json!({ "name": "leg" }); 5];
    refuses_all(api, "parts", "TooManyItems", &[json!(five)]);
}
