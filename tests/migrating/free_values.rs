//! Maps and JSON of any form that come to a filled table: rows get what they lack, by SQL and as the service shows it.

use crate::migrating::stores::{Store, uuid};
use crate::migrating::versions::checked;
use restwell::testing::{Setup, bring_along};
use restwell::{Builder, Interpreted};
use serde_json::{Value, json};

const OLD: &str = "service: shop
---
resource: Offer
operations: { list: , get: , create: , patch: , update: }
fields:
  name: { type: string, required: true }
";

const NEW: &str = "  traits: { type: map, values: { type: string } }
  scores: { type: map, values: { type: decimal, scale: 3 }, default: { first: \"1.5\" }, required: true }
  weights: { type: array, items: { type: decimal, scale: 3 }, default: [\"1.5\"], required: true }
  settings: { type: json }
  theme: { type: json, default: { dark: true, size: 1.50 } }
";

fn bring(store: &dyn Store, text: &str) {
    bring_along(checked(text).into_inner(), &store.url()).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
}

fn serve(store: &dyn Store, text: &str) -> restwell::testing::Running {
    Setup::of(Builder::interpreted(Interpreted::of(checked(text)))).database(&store.url()).start()
}

pub(crate) fn come_to_a_filled_table(store: &mut dyn Store) {
    let new = format!("{OLD}{NEW}");
    store.renew();
    bring(store, &new);
    let expected = store.catalogue();
    store.renew();
    bring(store, OLD);
    for (number, name) in [(1, "one"), (2, "two")] {
        let id = store.id(number);
        store.run(&format!("INSERT INTO offers (id, created_at, updated_at, name) VALUES ({id}, 1, 1, '{name}')"));
    }
    bring(store, &new);
    assert_eq!(store.catalogue(), expected);
    let path = format!("/offers/{}", uuid(1));
    {
        let running = serve(store, &new);
        let read = |path: &str| running.client().get(path).is(200).json;
        let shown = read(&path);
        for (field, value) in [
            ("traits", json!({})),
            ("scores", json!({ "first": "1.500" })),
            ("weights", json!(["1.500"])),
            ("settings", Value::Null),
            ("theme", json!({ "dark": true, "size": 1.5 })),
        ] {
            assert_eq!(shown[field], value, "{field}");
        }
        // a new entity is not another than those that were there
        let created = running.client().post("/offers", json!({ "name": "three" })).is(201).json;
        for field in ["traits", "scores", "weights", "settings", "theme"] {
            assert_eq!(created[field], shown[field], "{field}");
        }
        let changes = json!([
            { "op": "add", "path": "/traits/colour", "value": "red" },
            { "op": "add", "path": "/settings", "value": { "deep": [1.5, null] } },
        ]);
        let changed = running.client().patch(&path, changes).is(200).json;
        assert_eq!((&changed["traits"], &changed["scores"]), (&json!({ "colour": "red" }), &shown["scores"]));
        assert_eq!(changed["settings"], json!({ "deep": [1.5, null] }));
        assert_eq!(read(&path), changed);
    }
    // announced as deprecated: the values stay, and requests that use one are warned
    let old_settings = "settings: { type: json, deprecated: true, sunset: \"2031-01-01\" }";
    let deprecated = new.replace("settings: { type: json }", old_settings);
    bring(store, &deprecated);
    let running = serve(store, &deprecated);
    let shown = running.client().get(&path).is(200);
    assert_eq!(
        (shown.json["settings"]["deep"][1].clone(), shown.json["traits"]["colour"].clone()),
        (Value::Null, json!("red"))
    );
    let of = |changes: Value| running.client().patch(&path, changes).is(200).headers.contains_key("deprecation");
    assert!(!of(json!([{ "op": "replace", "path": "/name", "value": "four" }])));
    assert!(of(json!([{ "op": "add", "path": "/settings/more", "value": [] }])));
    assert!(of(json!([{ "op": "replace", "path": "/settings", "value": 1 }])));
}
