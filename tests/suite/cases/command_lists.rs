//! The commands of an entity, listed (§2.4, §4.4, §4.6; decisions, "Commands"), and those that are no longer kept.

use crate::Case;
use crate::client::{Api, PUBLIC};
use crate::specimen::{NOBODY, created, keeper, path, reference};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use uuid::Uuid;

pub(super) const CASES: &[Case] = &[
    ("Commands: a list holds the commands of one type that an entity was sent", listed),
    ("Commands: a list is filtered by status, sorted and paged", filtered),
    ("Commands: a list is 404 for an unknown entity, 405 for other methods", unknown),
    ("Commands: who may send a command may list them", permitted),
    ("Commands: errors in a list are in the language of the reader", localized),
    ("Commands: a finished command is 410 after the retention, and is not executed again", expired),
];

/// Longer than finished commands are kept.
const A_LONG_TIME: Duration = Duration::from_secs(91 * 24 * 60 * 60);

fn list(specimen: &Value) -> String {
    format!("{}/treat-commands", path("specimens", specimen))
}

/// Sends a command and waits for its end.
#[track_caller]
fn ended(api: &Api, specimen: &Value, how: &str) -> Value {
    let target = format!("{}/{}", list(specimen), Uuid::now_v7());
    api.put(&target, &json!({ "how": how, "password": "hidden" })).is(201);
    let begun = Instant::now();
    loop {
        let found = api.get(&target).is(200).json();
        if found["status"] != "RUNNING" {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{found}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The ids that a list shows.
#[track_caller]
fn ids(api: &Api, target: &str) -> Vec<Value> {
    let body = api.get(target).is(200).json();
    body["treatCommands"].as_array().expect("commands").iter().map(|command| command["id"].clone()).collect()
}

fn listed(api: &Api) {
    let specimen = created(api, &json!({ "size": 0 }));
    let reply = api.get(&list(&specimen)).is(200);
    assert_eq!(reply.expect_header("content-type"), PUBLIC);
    assert_eq!(reply.json(), json!({ "treatCommands": [], "count": 0 }));
    let [first, second] = ["COUNT", "REFUSE"].map(|how| ended(api, &specimen, how));
    let other = created(api, &json!({ "name": "Beetle" }));
    let others = ended(api, &other, "COUNT");
    let body = api.get(&list(&specimen)).is(200).json();
    assert_eq!(body, json!({ "treatCommands": [first, second], "count": 2 }), "as GET shows each");
    assert_eq!(api.get(&list(&other)).json(), json!({ "treatCommands": [others], "count": 1 }));
    assert_eq!(api.request("HEAD", &list(&specimen)).send().is(200).body, "");
}

fn filtered(api: &Api) {
    let specimen = created(api, &json!({ "size": 0 }));
    let sent: Vec<_> = ["COUNT", "REFUSE", "COUNT", "REFUSE"].iter().map(|how| ended(api, &specimen, how)).collect();
    let id = |index: usize| sent[index]["id"].clone();
    let ids = |query: &str| ids(api, &format!("{}?{query}", list(&specimen)));
    assert_eq!(ids("status=FAILED"), [id(1), id(3)]);
    assert_eq!(ids("status=SUCCESSFUL&status=FAILED").len(), 4);
    assert_eq!(ids("status=RUNNING"), [] as [Value; 0]);
    assert_eq!(ids("sort=-id&limit=2"), [id(3), id(2)]);
    assert_eq!(ids("sort=status,-id"), [id(3), id(1), id(2), id(0)], "by code point");
    assert_eq!(ids("sort=-createdAt,id&offset=1&limit=1"), [id(2)]);
    assert_eq!(ids(&format!("id.gt={}", id(1).as_str().expect("a text"))), [id(2), id(3)]);
    let page = api.get(&format!("{}?status=FAILED&limit=1", list(&specimen))).json();
    assert_eq!(page["count"], 2, "of all that match");
    let faulty = format!("{}?status=DONE&sort=how&limit=1001&how=COUNT&search.id={NOBODY}", list(&specimen));
    api.get(&faulty).refused(&[
        ("UnknownValue", "status"),
        ("InvalidParameter", "sort"),
        ("InvalidParameter", "limit"),
        ("UnknownParameter", "how"),
        ("UnknownParameter", "search.id"),
    ]);
}

fn unknown(api: &Api) {
    api.get(&format!("/specimens/{NOBODY}/treat-commands")).fails(404, "ResourceNotFound");
    api.get("/specimens/nothing/treat-commands").fails(404, "ResourceNotFound");
    let specimen = created(api, &json!({}));
    api.get(&format!("{}/cure-commands", path("specimens", &specimen))).fails(404, "ResourceNotFound");
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        let reply = api.request(method, &list(&specimen)).send().fails(405, "MethodNotAllowed");
        assert_eq!(reply.expect_header("allow"), "GET, HEAD, OPTIONS");
    }
    assert_eq!(api.request("OPTIONS", &list(&specimen)).send().is(204).expect_header("allow"), "GET, HEAD, OPTIONS");
    api.request("GET", &list(&specimen)).header("accept", "text/html").send().fails(406, "NotAcceptable");
}

fn permitted(api: &Api) {
    let (ann, ben) = (keeper(api, "Ann"), keeper(api, "Ben"));
    let specimen = created(api, &json!({ "keeper": reference(&ann) }));
    let target = format!("{}/release-commands", path("specimens", &specimen));
    let by = |keeper: &Value| api.request("GET", &target).header("authorization", &api.bearer(keeper, &[])).send();
    api.get(&target).fails(401, "Unauthenticated");
    by(&ben).fails(403, "Forbidden");
    assert_eq!(by(&ann).is(200).json(), json!({ "releaseCommands": [], "count": 0 }));
}

fn localized(api: &Api) {
    let specimen = created(api, &json!({ "size": 0 }));
    ended(api, &specimen, "PANIC");
    let read = |language: &str| {
        let reply = api.request("GET", &list(&specimen)).header("accept-language", language).send().is(200);
        let message = reply.json()["treatCommands"][0]["errors"][0]["userMessage"].clone();
        (reply.expect_header("content-language"), message)
    };
    let (english, polish) = (read("en-GB"), read("pl-PL"));
    assert_ne!(english, polish);
    assert!(polish.0.starts_with("pl"), "{polish:?}");
}

fn expired(api: &Api) {
    let specimen = created(api, &json!({ "size": 0 }));
    let command = ended(api, &specimen, "COUNT");
    let target = format!("{}/{}", list(&specimen), command["id"].as_str().expect("a text"));
    let input = json!({ "how": "COUNT", "password": "hidden" });
    api.put(&target, &input).is(201);
    api.advance(A_LONG_TIME);
    api.get(&target).fails(410, "CommandExpired");
    api.put(&target, &input).fails(410, "CommandExpired");
    api.put(&target, &json!({ "how": "REFUSE" })).fails(410, "CommandExpired");
    api.put(&format!("{target}?dryRun=true"), &input).fails(410, "CommandExpired");
    assert_eq!(api.get(&path("specimens", &specimen)).json()["size"], 1, "it is done once");
    assert_eq!(api.get(&list(&specimen)).json(), json!({ "treatCommands": [], "count": 0 }));
    // of another entity nothing was ever there
    let other = created(api, &json!({ "name": "Beetle" }));
    let elsewhere = format!("{}/{}", list(&other), command["id"].as_str().expect("a text"));
    api.get(&elsewhere).fails(404, "ResourceNotFound");
    api.put(&elsewhere, &input).refused(&[("CommandIdUsed", "commandId")]);
}
