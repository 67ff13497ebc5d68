//! Nobody, and what nobody said, equals nothing (docs/schema/expressions.md), through HTTP on both stores; and conditions that
//! are as long as they may be: every request of a service that has them is answered.

use crate::market::{Market, SERVICE, USER, made};
use libtest_mimic::Failed;
use restwell::testing::TestClient;
use restwell_testkit::postgres::Server;
use restwell_tests::long_conditions::{NAMES, row_document};
use serde_json::{Value, json};

const ROLES: &str = r#"
roles:
  same: 'claims.team == claims.allowed && claims.team != null'
"#;

const TASK: &str = r#"
resource: Task
visible: [{ when: 'assignee == caller' }, { when: 'claims.team == team' }]
operations:
  create: { access: anyone }
  list: {}
  get: {}
  update: { access: [{ when: 'assignee == caller' }] }
fields:
  name: { type: string, required: true, sort: true }
  assignee: { type: ref, to: User, filter: true }
  team: { type: integer, filter: true }
"#;

const BOARD: &str = r#"
resource: Board
operations:
  create: { access: anyone }
  list: {}
  get: {}
  update: { access: [{ when: 'assignee == caller' }] }
  delete: { access: same }
fields:
  name: { type: string, required: true }
  assignee: { type: ref, to: User }
"#;

const NOTICE: &str = r#"
resource: Notice
operations:
  create: { access: anyone }
  list: { access: [{ when: 'isPublic || same' }] }
  get: { access: [{ when: 'isPublic || same' }] }
rules:
  - { check: 'isPublic || !same', code: PrivateNotice, path: isPublic }
fields:
  name: { type: string, required: true }
  isPublic: { type: boolean, filter: true }
"#;

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let market = Market::new(&[&format!("{SERVICE}{ROLES}"), USER, TASK, BOARD, NOTICE], server);
    let task = |name: &str, more: Value| {
        let mut body = json!({ "name": name });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        // the response has no id: the creator does not see the entity
        market.nobody().post("/tasks", &body).is(201);
    };
    task("free", json!({}));
    task("of Ann", json!({ "assignee": { "id": market.ann } }));
    task("of team 3", json!({ "team": 3 }));
    let names = |client: &TestClient| -> Vec<String> {
        let listed = client.get("/tasks?sort=name").is(200).json;
        assert_eq!(listed["count"], listed["tasks"].as_array().map_or(0, Vec::len));
        let listed = listed["tasks"].as_array().expect("tasks").clone();
        listed.iter().map(|task| task["name"].as_str().expect("a name").to_owned()).collect()
    };
    let with = |claims: &[(&str, Value)]| {
        market.api.client().with_token(&market.api.token_of("018f0000-0000-7000-8000-000000000009", &[], claims))
    };
    assert_eq!(names(&market.nobody()), [""; 0]);
    assert_eq!(names(&market.ann()), ["of Ann"]);
    assert_eq!(names(&with(&[])), [""; 0]);
    for (team, seen) in [
        (json!(3), &["of team 3"][..]),
        (json!(3.0), &["of team 3"]),
        (json!(3.5), &[]),
        (json!("3"), &[]),
        (json!(true), &[]),
        (json!([3]), &[]),
        (json!({ "id": 3 }), &[]),
        (Value::Null, &[]),
    ] {
        assert_eq!(names(&with(&[("team", team.clone())])), seen, "{team}");
    }
    // a role that a condition reads by its name
    let same = with(&[("team", json!(3)), ("allowed", json!(3))]);
    let private = made(&market.nobody(), "/notices", &json!({ "name": "private" }));
    made(&market.nobody(), "/notices", &json!({ "name": "public", "isPublic": true }));
    assert_eq!(same.get("/notices").is(200).json["count"], 2);
    for stranger in [market.nobody(), market.ann(), with(&[("team", json!(3)), ("allowed", json!(4))])] {
        assert_eq!(stranger.get("/notices").is(200).json["count"], 1);
    }
    same.get(&format!("/notices/{private}")).is(200);
    market.ann().get(&format!("/notices/{private}")).is(403);
    let broken = same.post("/notices", json!({ "name": "private" })).is(422).json;
    assert_eq!(broken["errors"][0]["code"], "PrivateNotice");
    // access of a change
    let board = made(&market.nobody(), "/boards", &json!({ "name": "free" }));
    let path = format!("/boards/{board}");
    market.nobody().put(&path, json!({ "name": "mine" })).is(401);
    market.ann().put(&path, json!({ "name": "mine" })).is(403);
    // a role of claims
    for (team, allowed) in [
        (json!(3), json!(4)),
        (json!(["a"]), json!(["b"])),
        (json!(true), json!(false)),
        (Value::Null, Value::Null),
        (json!(3), json!("3")),
        (json!({ "a": 1 }), json!({ "a": 2 })),
    ] {
        with(&[("team", team), ("allowed", allowed)]).delete(&path).is(403);
    }
    with(&[]).delete(&path).is(403);
    with(&[("team", json!(3)), ("allowed", json!(3.0))]).delete(&path).is(204);
    Ok(())
}

pub(crate) fn long_conditions(server: Option<&Server>) -> Result<(), Failed> {
    let market = Market::new(&[SERVICE, USER, &row_document()], server);
    let row = json!({
        "name": "AB", "i": 1, "weight": "0.10", "ratio": 1e300, "startAt": "2027-01-31T12:00:00.000Z",
        "price": { "amount": "1.00", "currency": "PLN" },
    });
    let id = made(&market.nobody(), "/rows", &row);
    let stored = market.nobody().get(&format!("/rows/{id}")).is(200).json;
    assert_eq!((&stored["level"], &stored["shown"], &stored["isNever"]), (&json!("LOW"), &json!("LOW"), &json!(false)));
    let holds = NAMES.map(|name| stored[format!("is{name}")].clone());
    // the product of doubles overflows: it is null, and has no order
    assert_eq!(holds, [true, true, true, true, true, true, true, false, true, true, true].map(Value::from));
    assert_eq!(market.nobody().get("/rows").is(200).json["rows"], json!([stored]));
    for (index, holds) in holds.iter().enumerate() {
        let listed = market.nobody().get(&format!("/{}/rows", NAMES[index].to_lowercase())).is(200).json;
        assert_eq!(listed["count"], u8::from(*holds == json!(true)), "{index}: {listed}");
    }
    market.nobody().put(&format!("/rows/{id}"), &row).is(200);
    Ok(())
}
