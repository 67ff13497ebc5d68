//! `any` and `count` over more entities than a condition counts: compared with a constant they are counted to it and
//! one further, wherever they stand; other counts are refused in words.

use crate::access::model;
use crate::stores::OwnStore;
use libtest_mimic::Failed;
use restwell::testing::TestResponse;
use restwell::{Builder, Interpreted, Uuid};
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// More than a condition counts where nothing says how far.
const MARKS: usize = 1_500;

const SERVICE: &str = "service: exam\nusers: User\n";

const USER: &str = "
resource: User
operations: { get: {} }
fields:
  name: { type: string }
  most: { type: integer }
";

const ITEM: &str = r#"
resource: Item
visible: [{ when: 'count(Mark.item, weight < 0) == 0' }]
operations:
  create: { access: anyone }
  list: { access: [{ when: 'count(Mark.item, weight > 0) + 1 > 0' }] }
  get: { access: anyone }
  update: { access: [{ when: '3 < count(Mark.item, weight > 0)' }] }
  delete: { access: [{ when: 'caller.count(Mark.author) > caller.most' }] }
commands:
  close: { access: anyone }
lifecycle:
  field: state
  initial: OPEN
  final: [CLOSED]
  transitions:
    close:
      from: OPEN
      to: CLOSED
      when: 'count(Mark.item, weight > 0 && author == caller) in [0, 1] || any(Mark.item, weight == 1)'
rules:
  - { check: 'count(Mark.item, weight > 0) < 1600', code: Heavy }
  - { check: '!any(Mark.item, weight > 5)', code: Heaviest }
  - { check: 'old == null || 10 != count(Mark.item)', code: Ten }
  - { check: 'least == null || count(Mark.item, weight > 0) - 1 >= least', code: TooFew, path: least }
  - { check: 'first == null || first.count(Mark.item, weight > 0) >= least', code: First }
  - { check: 'isCompared != true || count(Mark.item) == count(Mark.item, weight > 0)', code: Unlike }
fields:
  state: { type: enum, values: [OPEN, CLOSED], readOnly: true }
  least: { type: integer }
  first: { type: ref, to: Item }
  isCompared: { type: boolean }
  name: { type: string, writable: [{ when: 'count(Mark.item, weight > 0) > 3' }] }
  reason: { type: string, required: { when: 'count(Mark.item, weight > 0) > 1550' } }
  hasMany: { type: boolean, is: 'count(Mark.item, weight > 0) > 1400' }
"#;

const MARK: &str = "
resource: Mark
operations: { create: { access: anyone } }
fields:
  item: { type: ref, to: Item, required: true }
  author: { type: ref, to: User }
  weight: { type: integer, required: true }
";

fn id(kind: u8, number: usize) -> String {
    format!("018f0000-0000-7000-80{kind:02x}-{number:012x}")
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let entry = |resource: &str, id: String, body: Value| json!({ "resource": resource, "id": id, "body": body });
    let mark = |at| {
        entry("marks", id(3, at), json!({ "item": { "id": id(2, 1) }, "author": { "id": id(1, 1) }, "weight": 1 }))
    };
    let data = [entry("users", id(1, 1), json!({ "name": "Ann", "most": 1_200 })), entry("items", id(2, 1), json!({}))];
    let data: Vec<_> = data.into_iter().chain((0..MARKS).map(mark)).collect();
    let store = OwnStore::new(server);
    let builder = Builder::interpreted(Interpreted::of(model(&[SERVICE, USER, ITEM, MARK])));
    let running = store.setup(builder).data(&Value::from(data).to_string()).start();
    let client = running.client().as_user(id(1, 1).parse::<Uuid>().map_err(|error| error.to_string())?);
    let item = format!("/items/{}", id(2, 1));
    let put = |fields: &Value| client.put(&item, fields);

    let shown = put(&json!({ "name": "one" })).is(200).json;
    assert_eq!((&shown["name"], &shown["hasMany"]), (&json!("one"), &json!(true)));
    // a value that is known is like a constant, as far as counting may go
    put(&json!({ "least": 500 })).is(200);
    let costly = |reply: TestResponse| {
        let error = reply.is(503).json.to_string();
        assert!(error.contains("TooCostly") && error.contains("compare the count with a constant"), "{error}");
    };
    costly(put(&json!({ "least": 1_200 })));
    costly(put(&json!({ "isCompared": true })));
    // of another entity, and of the caller before the operation
    let first = json!({ "id": id(2, 1) });
    put(&json!({ "least": 500, "first": first })).is(200);
    assert!(put(&json!({ "least": -1, "first": first })).is(200).json["first"]["id"] == first["id"]);
    costly(put(&json!({ "first": first, "least": 1_200, "name": "x" })));
    costly(client.delete(&item));
    assert_eq!(client.get("/items").is(200).json["count"], 1);

    let few = client.post("/items", json!({})).is(201).json["id"].clone();
    client.put(&format!("/items/{}", few.as_str().expect("an id")), json!({})).is(403);
    client.put(&format!("{item}/close-commands/{}", id(4, 1)), json!({})).is(201);
    let deadline = Instant::now() + Duration::from_secs(20);
    while client.get(&item).is(200).json["state"] != "CLOSED" {
        assert!(Instant::now() < deadline, "it is not closed");
        std::thread::sleep(Duration::from_millis(20));
    }
    client.post("/marks", json!({ "item": { "id": id(2, 1) }, "weight": 6 })).is(201);
    let refused = put(&json!({})).is(422).json;
    assert!(refused.to_string().contains("Heaviest"), "{refused}");
    Ok(())
}
