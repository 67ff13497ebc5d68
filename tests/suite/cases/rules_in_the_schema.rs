//! docs/schema/rules.md, and "Defaults" of docs/schema/computed.md: what the schema says of every write.

use crate::Case;
use crate::client::{Api, Reply};
use crate::exhibitions;
use crate::specimen::{NOBODY, keeper, path, price, reference};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Conditions: a rule holds for POST, PUT and PATCH: 422 with its code, path and message", by_requests),
    ("Conditions: a rule compares with the state before the change, which is null at a creation", with_old),
    ("Conditions: a rule reads what a reference points at", through_references),
    ("Conditions: a rule counts the entities that refer to this one", from_the_other_side),
    ("Conditions: broken rules are listed beside other problems, where what they read is valid", beside_others),
    ("Conditions: a dry run tries rules, limited to those whose fields are all included", dry_runs),
    ("Conditions: a field is required where its condition holds", required),
    ("Conditions: a default is computed at creation, of the time and the caller", defaults),
    ("Conditions: a PUT that omits a field with a computed default keeps its value", kept),
];

const EARLY: &str = "2027-03-01T00:00:00.000Z";
const LATE: &str = "2027-04-01T00:00:00.000Z";

pub(super) fn exhibition(api: &Api, fields: &Value) -> Value {
    api.create("/exhibitions", &with_title(fields))
}

fn with_title(fields: &Value) -> Value {
    let mut body = json!({ "title": "Amber" });
    for (name, value) in fields.as_object().expect("fields") {
        body[name] = value.clone();
    }
    body
}

/// Creates one with the credentials of a keeper.
#[track_caller]
fn by(api: &Api, keeper: &Value, body: &Value) -> Value {
    let request = api.request("POST", "/exhibitions").header("authorization", &api.bearer(keeper, &[]));
    request.json(body).send().is(201).json()
}

/// The codes and paths of a refused request.
#[track_caller]
fn codes(reply: Reply) -> Vec<String> {
    let errors = reply.is(422).errors();
    let shown = |error: &Value| match error["path"].as_str() {
        Some(path) => format!("{} {path}", error["code"].as_str().unwrap_or_default()),
        None => error["code"].as_str().unwrap_or_default().to_owned(),
    };
    errors.iter().map(shown).collect()
}

fn by_requests(api: &Api) {
    let api = &api.of(exhibitions::service);
    let wrong = with_title(&json!({ "startsAt": LATE, "endsAt": EARLY }));
    let errors = api.post("/exhibitions", &wrong).is(422).errors();
    assert_eq!(errors[0]["code"], "EndsBeforeStart", "{errors:?}");
    assert_eq!(errors[0]["path"], "endsAt");
    assert_eq!(errors[0]["message"], "must be after startsAt");
    assert_eq!(errors.len(), 1);

    let exhibition = exhibition(api, &json!({ "startsAt": EARLY, "endsAt": LATE }));
    let target = path("exhibitions", &exhibition);
    assert_eq!(codes(api.put(&target, &wrong)), ["EndsBeforeStart endsAt"]);
    let patch = json!([{ "op": "replace", "path": "/startsAt", "value": "2027-05-01T00:00:00.000Z" }]);
    assert_eq!(codes(api.patch(&target, &patch)), ["EndsBeforeStart endsAt"]);
    assert_eq!(api.get(&target).is(200).json(), exhibition, "nothing has changed");
}

fn with_old(api: &Api) {
    let api = &api.of(exhibitions::service);
    let exhibition = exhibition(api, &json!({ "fee": price("5.00", "PLN") }));
    let target = path("exhibitions", &exhibition);
    let dearer = with_title(&json!({ "fee": price("6.00", "PLN") }));
    api.put(&target, &dearer).is(200);
    let other = with_title(&json!({ "fee": price("6.00", "EUR") }));
    assert_eq!(codes(api.put(&target, &other)), ["CurrencyFixed fee.currency"]);
    let errors = api.put(&target, &other).is(422).errors();
    assert_eq!(errors[0]["message"], "breaks the rule CurrencyFixed", "a rule without a message");
}

fn through_references(api: &Api) {
    let api = &api.of(exhibitions::service);
    let silent = keeper(api, "Ada");
    let reachable = api.create("/keepers", &json!({ "name": "Ola", "email": "ola@example.com" }));
    let by = |keeper: &Value| with_title(&json!({ "curator": reference(keeper) }));
    assert_eq!(codes(api.post("/exhibitions", &by(&silent))), ["CuratorUnreachable curator"]);
    api.post("/exhibitions", &by(&reachable)).is(201);
    let nobody = with_title(&json!({ "curator": { "id": NOBODY } }));
    assert_eq!(codes(api.post("/exhibitions", &nobody)), ["NotFound curator.id"]);
}

fn from_the_other_side(api: &Api) {
    let api = &api.of(exhibitions::service);
    let first = exhibition(api, &json!({}));
    let second = exhibition(api, &json!({ "predecessor": reference(&first) }));
    let third = exhibition(api, &json!({}));
    let after_third = with_title(&json!({ "predecessor": reference(&third) }));
    assert_eq!(codes(api.put(&path("exhibitions", &first), &after_third)), ["InTheMiddle predecessor"]);
    api.put(&path("exhibitions", &second), &after_third).is(200);
    api.put(&path("exhibitions", &first), &with_title(&json!({ "predecessor": reference(&second) }))).is(200);
}

fn beside_others(api: &Api) {
    let api = &api.of(exhibitions::service);
    let mut body = json!({ "title": 5, "startsAt": LATE, "endsAt": EARLY, "fee": price("5.00", "PLN") });
    assert_eq!(codes(api.post("/exhibitions", &body)), ["WrongType title", "EndsBeforeStart endsAt"]);
    body["startsAt"] = json!("soon");
    assert_eq!(codes(api.post("/exhibitions", &body)), ["WrongType title", "InvalidTimestamp startsAt"]);
}

fn dry_runs(api: &Api) {
    let api = &api.of(exhibitions::service);
    let wrong = with_title(&json!({ "startsAt": LATE, "endsAt": EARLY }));
    assert_eq!(codes(api.post("/exhibitions?dryRun=true", &wrong)), ["EndsBeforeStart endsAt"]);
    api.post("/exhibitions?dryRun=true&include=endsAt", &wrong).is(204);
    let both = "/exhibitions?dryRun=true&include=endsAt&include=startsAt";
    assert_eq!(codes(api.post(both, &wrong)), ["EndsBeforeStart endsAt"]);
    api.post("/exhibitions?dryRun=true", &with_title(&json!({}))).is(204);
}

fn required(api: &Api) {
    let api = &api.of(exhibitions::service);
    let without = with_title(&json!({ "isTicketed": true }));
    assert_eq!(codes(api.post("/exhibitions", &without)), ["Required ticketText"]);
    let exhibition = exhibition(api, &json!({ "isTicketed": true, "ticketText": "One person" }));
    let target = path("exhibitions", &exhibition);
    assert_eq!(codes(api.put(&target, &without)), ["Required ticketText"]);
    let removed = json!([{ "op": "remove", "path": "/ticketText" }]);
    assert_eq!(codes(api.patch(&target, &removed)), ["Required ticketText"]);
    api.put(&target, &with_title(&json!({ "isTicketed": false }))).is(200);
    api.put(&target, &with_title(&json!({}))).is(200);
}

fn defaults(api: &Api) {
    let api = &api.of(exhibitions::service);
    let made = exhibition(api, &json!({}));
    assert_eq!(made["announcedAt"], made["createdAt"]);
    assert_eq!(made["host"], Value::Null, "nobody called");
    let given = exhibition(api, &json!({ "announcedAt": EARLY }));
    assert_eq!(given["announcedAt"], EARLY);
    let null = exhibition(api, &json!({ "announcedAt": null }));
    assert_eq!(null["announcedAt"], Value::Null, "null was given");
    let host = keeper(api, "Ada");
    let hosted = by(api, &host, &with_title(&json!({})));
    assert_eq!(hosted["host"], reference(&host));
    // what the caller sends of it is ignored
    let other = keeper(api, "Ola");
    let sent = with_title(&json!({ "host": reference(&other) }));
    assert_eq!(by(api, &host, &sent)["host"], reference(&host));
}

fn kept(api: &Api) {
    let api = &api.of(exhibitions::service);
    let made = exhibition(api, &json!({ "announcedAt": EARLY }));
    let target = path("exhibitions", &made);
    assert_eq!(api.put(&target, &with_title(&json!({}))).is(200).json()["announcedAt"], EARLY);
    let null = with_title(&json!({ "announcedAt": null }));
    assert_eq!(api.put(&target, &null).is(200).json()["announcedAt"], Value::Null);
}
