//! docs/schema/lifecycles.md: the states of an entity, and the only ways between them.

use super::rules_in_the_schema::exhibition;
use crate::Case;
use crate::client::Api;
use crate::exhibitions;
use crate::specimen::path;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

pub(super) const CASES: &[Case] = &[
    ("Lifecycles: a new entity is in the initial state, whatever the request says", initial),
    ("Lifecycles: a command without code makes its transition, and sets what it says", without_code),
    ("Lifecycles: a command without code is done by a service that is interpreted", interpreted),
    ("Lifecycles: a command that the state does not allow is 422 WrongState", wrong_state),
    ("Lifecycles: what a transition leaves keeps the rules, or the command fails", keeps_rules),
    ("Lifecycles: a handler runs after its transition, and sees the new state", with_handler),
    ("Lifecycles: a transition by the clock happens by itself at its time", by_clock),
    ("Lifecycles: of commands that race only one makes the transition", racing),
];

const EARLY: &str = "2027-03-01T00:00:00.000Z";
const LATE: &str = "2027-04-01T00:00:00.000Z";
const LATER: &str = "2027-05-01T00:00:00.000Z";
const FIRST: &str = "01890a5d-ac96-774b-bcce-b302099a8201";
const SECOND: &str = "01890a5d-ac96-774b-bcce-b302099a8202";
const THIRD: &str = "01890a5d-ac96-774b-bcce-b302099a8203";

fn target(exhibition: &Value, command: &str, id: &str) -> String {
    format!("{}/{command}-commands/{id}", path("exhibitions", exhibition))
}

/// The command once it is not RUNNING any more.
#[track_caller]
fn ended(api: &Api, target: &str) -> Value {
    let begun = Instant::now();
    loop {
        let found = api.get(target).is(200).json();
        if found["status"] != "RUNNING" {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{found}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[track_caller]
fn done(api: &Api, exhibition: &Value, command: &str, id: &str) -> Value {
    let target = target(exhibition, command, id);
    api.put(&target, &json!({})).is(201);
    let command = ended(api, &target);
    assert_eq!(command["status"], "SUCCESSFUL", "{command}");
    api.get(&path("exhibitions", exhibition)).is(200).json()
}

fn initial(api: &Api) {
    let api = &api.of(exhibitions::service);
    let made = exhibition(api, &json!({ "status": "CLOSED" }));
    assert_eq!(made["status"], "PLANNED");
    let target = path("exhibitions", &made);
    let body = json!({ "title": "Amber", "status": "OPEN" });
    assert_eq!(api.put(&target, &body).is(200).json()["status"], "PLANNED", "requests cannot set it");
}

fn without_code(api: &Api) {
    let api = &api.of(exhibitions::service);
    let made = exhibition(api, &json!({ "startsAt": EARLY }));
    let open = done(api, &made, "open", FIRST);
    assert_eq!(open["status"], "OPEN");
    assert_eq!(open["isTicketed"], false);
    assert_eq!(open["openedAt"], open["updatedAt"]);
    assert_eq!(open["startsAt"], EARLY);
    assert_eq!(done(api, &made, "close", SECOND)["status"], "CLOSED");
    // the same command again is what it was
    let again = api.put(&target(&made, "open", FIRST), &json!({})).is(201).json();
    assert_eq!(again["status"], "SUCCESSFUL");
}

fn interpreted(api: &Api) {
    let api = &api.of(exhibitions::interpreted);
    let made = exhibition(api, &json!({ "startsAt": EARLY, "endsAt": LATE }));
    assert_eq!(done(api, &made, "open", FIRST)["status"], "OPEN");
    // one that takes input needs a handler
    api.put(&target(&made, "extend", SECOND), &json!({ "endsAt": LATER })).fails(501, "NotReady");
}

fn wrong_state(api: &Api) {
    let api = &api.of(exhibitions::service);
    let made = exhibition(api, &json!({}));
    let refused = api.put(&target(&made, "open", FIRST), &json!({})).is(422).errors();
    assert_eq!(refused[0]["code"], "WrongState", "startsAt is null: {refused:?}");
    assert_eq!(refused[0]["path"], "status");
    assert_eq!(refused[0]["details"], json!({ "state": "PLANNED", "unmet": "open" }));
    api.get(&target(&made, "open", FIRST)).is(404);
    assert_eq!(done(api, &made, "close", FIRST)["status"], "CLOSED");
    let refused = api.put(&target(&made, "close", SECOND), &json!({})).is(422).errors();
    assert_eq!(refused[0]["code"], "WrongState", "{refused:?}");
    let refused = api.put(&(target(&made, "close", SECOND) + "?dryRun=true"), &json!({})).is(422).errors();
    assert_eq!(refused[0]["details"], json!({ "state": "CLOSED" }));
}

fn keeps_rules(api: &Api) {
    let api = &api.of(exhibitions::service);
    let made = exhibition(api, &json!({ "startsAt": LATE, "endsAt": LATER }));
    done(api, &made, "open", FIRST);
    let extend = target(&made, "extend", SECOND);
    api.put(&extend, &json!({ "endsAt": EARLY })).is(201);
    let command = ended(api, &extend);
    assert_eq!(command["status"], "FAILED", "{command}");
    assert_eq!(command["errors"][0]["code"], "EndsBeforeStart");
    assert_eq!(api.get(&path("exhibitions", &made)).is(200).json()["endsAt"], LATER);
}

fn with_handler(api: &Api) {
    let api = &api.of(exhibitions::service);
    let made = exhibition(api, &json!({ "startsAt": EARLY, "endsAt": LATE }));
    let extend = target(&made, "extend", FIRST);
    let refused = api.put(&extend, &json!({ "endsAt": LATER }));
    assert_eq!(refused.is(422).errors()[0]["code"], "WrongState");
    done(api, &made, "open", SECOND);
    let extend = target(&made, "extend", THIRD);
    api.put(&extend, &json!({ "endsAt": LATER })).is(201);
    assert_eq!(ended(api, &extend)["status"], "SUCCESSFUL");
    let now = api.get(&path("exhibitions", &made)).is(200).json();
    assert_eq!((&now["endsAt"], &now["status"]), (&json!(LATER), &json!("OPEN")));
}

fn by_clock(api: &Api) {
    let api = &api.of(exhibitions::service);
    // the clock of the tests stands still until it is moved
    let soon = exhibition(api, &json!({ "startsAt": "2020-01-01T00:00:00.000Z", "endsAt": LATER }));
    let now = soon["createdAt"].as_str().expect("a time").to_owned();
    assert!(now.as_str() < LATER, "{now}");
    done(api, &soon, "open", FIRST);
    let planned = exhibition(api, &json!({ "startsAt": "2020-01-01T00:00:00.000Z", "endsAt": LATER }));
    api.advance(Duration::from_secs(2 * 365 * 24 * 60 * 60));
    let closed = api.wait(&path("exhibitions", &soon), |reply| reply.json()["status"] == "CLOSED").json();
    assert_eq!(closed["endsAt"], LATER);
    assert_eq!(api.get(&path("exhibitions", &planned)).is(200).json()["status"], "PLANNED", "from OPEN only");
}

fn racing(api: &Api) {
    let api = &api.of(exhibitions::service);
    let made = exhibition(api, &json!({ "startsAt": EARLY }));
    let ids: Vec<_> = (0..8).map(|n| format!("01890a5d-ac96-774b-bcce-b302099a83{n:02}")).collect();
    let statuses: Vec<_> = std::thread::scope(|scope| {
        let sent: Vec<_> =
            ids.iter().map(|id| scope.spawn(|| api.put(&target(&made, "close", id), &json!({})).status)).collect();
        sent.into_iter().map(|thread| thread.join().expect("a response")).collect()
    });
    let mut successful = 0;
    for (id, status) in ids.iter().zip(statuses) {
        match status {
            201 => successful += usize::from(ended(api, &target(&made, "close", id))["status"] == "SUCCESSFUL"),
            other => assert_eq!(other, 422),
        }
    }
    assert_eq!(successful, 1);
}
