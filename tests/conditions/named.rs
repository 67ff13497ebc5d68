//! Named conditions through HTTP, on both stores: a name means what its text means, wherever it stands.

use crate::market::{Market, SERVICE, USER, made};
use crate::visible::events_of;
use libtest_mimic::Failed;
use restwell::testing::TestClient;
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};

const CONDITIONS: &str = r#"
roles:
  clerk: 'desk && "clerk" in scopes'
conditions:
  desk: 'claims.team == "desk" || "desk" in scopes'
"#;

const PLACE: &str = "
resource: Place
operations: { create: { access: anyone }, get: {} }
fields:
  name: { type: string, required: true }
  manager: { type: ref, to: User }
";

const TASK: &str = r#"
resource: Task
owner: author
conditions:
  open: 'status == "OPEN"'
  staff: 'place.manager == caller'
  ready: 'open && (staff || desk)'
visible: [owner, staff, desk, { when: 'open && any(Note.task, desk || reader == caller)' }]
operations:
  create: { access: anyone }
  list: {}
  get: {}
  patch: { access: [owner, ready] }
  delete: { access: [clerk, { when: 'staff && !open' }] }
views:
  ready: { where: ready, operations: { list: {}, get: {} } }
  team: { operations: { list: { access: [desk] } } }
commands:
  close: { access: [ready] }
rules:
  - check: 'open || reason != null'
    code: ClosedWithoutReason
    path: reason
search: true
fields:
  name: { type: string, required: true, filter: true }
  author: { type: ref, to: User, required: true }
  place: { type: ref, to: Place, required: true }
  status: { type: enum, values: [OPEN, CLOSED], default: OPEN, filter: true }
  reason: { type: string, required: { when: '!open && name == "named"' } }
  cost: { type: integer, visible: [owner, ready], writable: desk, filter: true }
"#;

const NOTE: &str = "
resource: Note
operations: { create: { access: anyone } }
fields:
  task: { type: ref, to: Task, required: true, onDelete: cascade }
  reader: { type: ref, to: User, required: true }
";

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let documents = [&format!("{SERVICE}{CONDITIONS}"), USER, PLACE, TASK, NOTE];
    let market = Market::with_mocked_commands(&documents, server);
    let place = made(&market.nobody(), "/places", &json!({ "name": "Shop", "manager": { "id": market.bob } }));
    let author = made(&market.nobody(), "/users", &json!({ "name": "Author" }));
    let desk = desk(&market, &[]);
    let task = |name: &str| {
        let body = json!({ "name": name, "author": { "id": author }, "place": { "id": place }, "cost": 5 });
        made(&desk, "/tasks", &body)
    };
    let tasks = [task("one"), task("two")];
    names_say_who_sees_entities(&market, &desk, &tasks);
    names_say_who_may_change_what(&market, &desk, &tasks[0]);
    names_stand_in_rules(&market.bob(), &desk, &tasks);
    a_role_reads_a_condition(&market, &tasks[1]);
    names_say_who_hears_of_events(&market, &tasks[1]);
    Ok(())
}

/// A caller whom a claim or a scope makes one of the desk.
fn desk(market: &Market, scopes: &[&str]) -> TestClient {
    let claims = [("team", json!(if scopes.is_empty() { "desk" } else { "none" }))];
    let token = market.api.token_of("018f0000-0000-7000-8000-000000000009", scopes, &claims);
    market.api.client().with_token(&token)
}

fn found(client: &TestClient, path: &str) -> u64 {
    client.get(path).is(200).json["count"].as_u64().expect("a count")
}

fn names_say_who_sees_entities(market: &Market, desk: &TestClient, [one, two]: &[String; 2]) {
    let (ann, bob, nobody) = (market.ann(), market.bob(), market.nobody());
    let by_scope = self::desk(market, &["desk"]);
    for (client, count) in [(&ann, 0), (&bob, 2), (&nobody, 0), (desk, 2), (&by_scope, 2)] {
        assert_eq!(found(client, "/tasks"), count);
        client.get(&format!("/tasks/{two}")).is(if count > 0 { 200 } else { 404 });
    }
    // the words of the caller alone are known inside `any`, too
    made(desk, "/notes", &json!({ "task": { "id": one }, "reader": { "id": market.ann } }));
    assert_eq!((found(&ann, "/tasks"), found(&nobody, "/tasks")), (1, 0));
    // `where` and access by a name; a list with such a condition holds what is admitted
    for (client, ready) in [(&ann, 0), (&bob, 2), (&nobody, 0), (desk, 2)] {
        assert_eq!(found(client, "/ready/tasks"), ready);
    }
    bob.get(&format!("/ready/tasks/{one}")).is(200);
    ann.get(&format!("/ready/tasks/{one}")).is(404);
    for (client, count) in [(&ann, 0), (&bob, 0), (&nobody, 0), (desk, 2)] {
        assert_eq!(found(client, "/team/tasks"), count);
    }
    // the field is seen by the same name
    let cost = |client: &TestClient| client.get(&format!("/tasks/{one}")).is(200).json["cost"].clone();
    assert_eq!((cost(&ann), cost(&bob), cost(desk)), (Value::Null, json!(5), json!(5)));
    assert_eq!((found(&ann, "/tasks?cost=5"), found(&bob, "/tasks?cost=5"), found(desk, "/tasks?cost=5")), (0, 2, 2));
}

fn names_say_who_may_change_what(market: &Market, desk: &TestClient, task: &str) {
    let path = format!("/tasks/{task}");
    let set = |path: &str, value: Value| json!([{ "op": "replace", "path": path, "value": value }]);
    market.ann().patch(&path, set("/name", json!("a"))).is(403);
    market.bob().patch(&path, set("/name", json!("renamed"))).is(200);
    let refused = market.bob().patch(&path, set("/cost", json!(6))).is(403);
    assert_eq!(refused.errors(), [("Forbidden", Some("cost"))]);
    desk.patch(&path, set("/cost", json!(6))).is(200);
    let command = || format!("{path}/close-commands/{}", restwell::Uuid::now_v7());
    market.ann().put(&command(), json!({})).is(403);
    market.bob().put(&command(), json!({})).is(201);
}

fn names_stand_in_rules(bob: &TestClient, desk: &TestClient, [one, two]: &[String; 2]) {
    let close = |reason: Value, name: &str| {
        json!([
            { "op": "replace", "path": "/status", "value": "CLOSED" },
            { "op": "replace", "path": "/reason", "value": reason },
            { "op": "replace", "path": "/name", "value": name },
        ])
    };
    let path = format!("/tasks/{one}");
    let broken = bob.patch(&path, close(Value::Null, "other")).is(422);
    assert_eq!(broken.errors(), [("ClosedWithoutReason", Some("reason"))]);
    let missing = bob.patch(&path, close(Value::Null, "named")).is(422);
    assert!(missing.errors().contains(&("Required", Some("reason"))), "{:?}", missing.errors());
    bob.delete(&path).is(403);
    bob.patch(&path, close(json!("done"), "named")).is(200);
    // it is closed: not ready any more, and deleted by a name that is negated
    bob.patch(&path, close(json!("again"), "named")).is(403);
    desk.delete(&path).is(403);
    assert_eq!(found(bob, "/ready/tasks"), 1);
    bob.delete(&path).is(204);
    bob.get(&path).is(404);
    bob.get(&format!("/tasks/{two}")).is(200);
}

fn a_role_reads_a_condition(market: &Market, task: &str) {
    let path = format!("/tasks/{task}");
    desk(market, &["clerk"]).delete(&path).is(404);
    desk(market, &["desk"]).delete(&path).is(403);
    desk(market, &["clerk", "desk"]).delete(&path).is(204);
}

/// Conditions with names open the events whose own state meets them; a deletion shows none.
fn names_say_who_hears_of_events(market: &Market, task: &str) {
    let heard = |caller: Option<(&str, &[&str])>, until: &str| -> Vec<String> {
        let events = events_of(&market.api, caller, until).into_iter();
        events.filter(|(_, subject, _)| subject == task).map(|(kind, ..)| kind).collect()
    };
    let created = ["market.task.created"];
    assert_eq!(heard(Some((&market.bob, &[])), "until 1"), created);
    assert_eq!(heard(Some((&market.ann, &["desk"])), "until 2"), created);
    assert!(heard(Some((&market.ann, &[])), "until 3").is_empty());
    assert!(heard(None, "until 4").is_empty());
}
