//! Every way to write an entity, and every kind of rule: what breaks a rule is refused with its code and leaves nothing,
//! and what keeps all of them is written.

mod service;

use crate::stores::OwnStore;
use libtest_mimic::Failed;
use restwell::Timestamp;
use restwell::testing::{Running, TestClient, TestClock, TestResponse};
use restwell_testkit::postgres::Server;
use serde_json::{Map, Value, json};
use std::time::Duration;
use uuid::Uuid;

/// In milliseconds.
const HOUR: i64 = 60 * 60 * 1000;
/// The path whose refusals only the log has.
const BY_CLOCK: &str = "transition by the clock";

/// A rule, and how it is broken.
struct RuleCase {
    code: &'static str,
    path: &'static str,
    /// What the entity has before.
    before: fn(&World) -> Value,
    /// What is written.
    values: fn(&World) -> Value,
    /// Whether a new entity can break it.
    at_creation: bool,
    /// Whether another entity refers to the one that is written.
    has_child: bool,
}

const RULES: [RuleCase; 6] = [
    RuleCase {
        code: "Oversized",
        path: "size",
        before: |_| json!({ "note": "large" }),
        values: |_| json!({ "size": 1001 }),
        at_creation: true,
        has_child: false,
    },
    RuleCase {
        code: "KindFixed",
        path: "kind",
        before: |_| json!({ "kind": "A" }),
        values: |_| json!({ "kind": "B" }),
        at_creation: false,
        has_child: false,
    },
    RuleCase {
        code: "ParentClosed",
        path: "parent",
        before: |_| json!({}),
        values: |world| json!({ "parent": { "id": world.closed } }),
        at_creation: true,
        has_child: false,
    },
    RuleCase {
        code: "HasChildren",
        path: "kind",
        before: |_| json!({}),
        values: |_| json!({ "kind": "LEAF" }),
        at_creation: false,
        has_child: true,
    },
    RuleCase {
        code: "Early",
        path: "stampedAt",
        before: |_| json!({}),
        values: |_| json!({ "stampedAt": "2100-01-01T00:00:00.000Z" }),
        at_creation: true,
        has_child: false,
    },
    RuleCase {
        code: "Required",
        path: "note",
        before: |_| json!({}),
        values: |_| json!({ "size": 101 }),
        at_creation: true,
        has_child: false,
    },
];

/// The fields that every path writes; what a case does not name is null.
const WRITTEN: [(&str, &str); 4] =
    [("size", "nextSize"), ("kind", "nextKind"), ("parent", "nextParent"), ("stampedAt", "nextStampedAt")];

/// What is refused: codes and paths.
type Refused = Vec<(String, Option<String>)>;

/// A way to write values into an entity, or into a new one.
struct WritePath {
    name: &'static str,
    write: fn(&World, &Value, &Value) -> Refused,
    creates: bool,
    /// Whether it writes if nothing is wrong.
    writes: bool,
}

const PATHS: [WritePath; 14] = [
    WritePath {
        name: "POST",
        write: |world, entry, values| world.post("/entries", entry, values),
        creates: true,
        writes: true,
    },
    WritePath {
        name: "POST, asynchronous",
        write: |world, entry, values| world.post("/later-entries", entry, values),
        creates: true,
        writes: true,
    },
    WritePath {
        name: "POST, dry run",
        write: |world, entry, values| world.post("/entries?dryRun=true", entry, values),
        creates: true,
        writes: false,
    },
    WritePath {
        name: "PUT",
        write: |world, entry, values| world.put("/entries", "", entry, values),
        creates: false,
        writes: true,
    },
    WritePath {
        name: "PUT, asynchronous",
        write: |world, entry, values| world.put("/later-entries", "", entry, values),
        creates: false,
        writes: true,
    },
    WritePath {
        name: "PUT, dry run",
        write: |world, entry, values| world.put("/entries", "?dryRun=true", entry, values),
        creates: false,
        writes: false,
    },
    WritePath {
        name: "PATCH",
        write: |world, entry, values| world.patch("", entry, values),
        creates: false,
        writes: true,
    },
    WritePath {
        name: "PATCH, dry run",
        write: |world, entry, values| world.patch("?dryRun=true", entry, values),
        creates: false,
        writes: false,
    },
    WritePath {
        name: "handler that updates",
        write: |world, entry, values| world.command("rewrite", entry, values),
        creates: false,
        writes: true,
    },
    WritePath {
        name: "handler that creates",
        write: |world, entry, values| world.command("duplicate", entry, values),
        creates: true,
        writes: true,
    },
    WritePath {
        name: "transition",
        write: |world, entry, _| world.command("apply", entry, &json!({})),
        creates: false,
        writes: true,
    },
    WritePath { name: BY_CLOCK, write: |world, entry, _| world.expire(entry), creates: false, writes: true },
    WritePath {
        name: "rule in Rust of another resource",
        write: |world, entry, _| problems(&world.client.post("/triggers", json!({ "entry": { "id": entry["id"] } }))),
        creates: false,
        writes: true,
    },
    WritePath {
        name: "transaction of a route",
        write: |world, entry, _| problems(&world.client.post(&format!("{}/applications", at(entry)), json!({}))),
        creates: false,
        writes: true,
    },
];

/// Runs every path with every rule on one store.
pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let store = OwnStore::new(server);
    let world = World::start(&store);
    for path in &PATHS {
        for rule in RULES.iter().filter(|rule| rule.at_creation || !path.creates) {
            world.refuses(path, rule);
        }
        world.accepts(path);
    }
    Ok(())
}

struct World {
    client: TestClient,
    clock: TestClock,
    /// The id of an entry that cannot be a parent.
    closed: Value,
    _running: Running,
}

fn at(entry: &Value) -> String {
    format!("/entries/{}", entry["id"].as_str().expect("an id"))
}

fn problems(response: &TestResponse) -> Vec<(String, Option<String>)> {
    assert!(matches!(response.status, 200..=204 | 422), "{}: {}", response.status, response.json);
    response.errors().into_iter().map(|(code, path)| (code.to_owned(), path.map(str::to_owned))).collect()
}

/// An object with the members of another one.
fn with(object: &Value, members: &Value) -> Value {
    let mut merged = object.as_object().cloned().unwrap_or_default();
    merged.extend(members.as_object().cloned().unwrap_or_default());
    Value::Object(merged)
}

impl World {
    fn start(store: &OwnStore) -> Self {
        let clock = TestClock::at("2027-03-01T12:00:00.000Z".parse().expect("a time"));
        let running = store.setup(service::service()).clock(&clock).start();
        let client = running.client();
        let closed = client.post("/entries", json!({ "name": "closed", "kind": "CLOSED" })).is(201).json["id"].clone();
        Self { client, clock, closed, _running: running }
    }

    /// An entry into which values are to be written: they stand in its `next` fields, too.
    fn entry(&self, before: &Value, values: &Value) -> Value {
        let next = WRITTEN.iter().map(|(name, next)| ((*next).to_owned(), values[name].clone()));
        let body = with(&with(&json!({ "name": "entry" }), before), &Value::Object(next.collect()));
        self.client.post("/entries", body).is(201).json
    }

    fn count(&self) -> Value {
        self.client.get("/entries?limit=0").is(200).json["count"].clone()
    }

    fn refuses(&self, path: &WritePath, rule: &RuleCase) {
        let title = format!("{}: {}", path.name, rule.code);
        let values = (rule.values)(self);
        let entry = self.entry(&(rule.before)(self), &values);
        if rule.has_child {
            self.client.post("/entries", json!({ "name": "child", "parent": { "id": entry["id"] } })).is(201);
        }
        let (entry, count) = (self.client.get(&at(&entry)).is(200).json, self.count());
        let found = (path.write)(self, &entry, &values);
        // the log alone says what the clock was refused with
        if path.name != BY_CLOCK {
            assert_eq!(found, [(rule.code.to_owned(), Some(rule.path.to_owned()))], "{title}");
        }
        let mut now = self.client.get(&at(&entry)).is(200).json;
        if path.name == BY_CLOCK {
            now["updatedAt"] = entry["updatedAt"].clone();
        }
        assert_eq!(now, entry, "{title}: it is as before");
        let made = i64::from(path.name == BY_CLOCK);
        assert_eq!(self.count().as_i64(), count.as_i64().map(|count| count + made), "{title}: nothing is new");
    }

    /// The same path with values that keep all rules writes them.
    fn accepts(&self, path: &WritePath) {
        let values = json!({ "size": 7, "stampedAt": "2027-01-01T00:00:00.000Z" });
        let entry = self.entry(&json!({}), &values);
        let count = self.count().as_i64();
        let found = (path.write)(self, &entry, &values);
        assert!(found.is_empty(), "{}: {found:?}", path.name);
        if path.creates {
            let expected = count.map(|count| count + i64::from(path.writes));
            self.client.get_until("/entries?limit=0", |list| list["count"].as_i64() == expected);
        } else {
            let size = if path.writes { json!(7) } else { Value::Null };
            self.client.get_until(&at(&entry), |entry| entry["size"] == size);
        }
    }

    fn post(&self, target: &str, entry: &Value, values: &Value) -> Vec<(String, Option<String>)> {
        let body = with(&json!({ "name": "new", "note": entry["note"] }), values);
        problems(&self.client.post(target, body))
    }

    fn put(&self, collection: &str, query: &str, entry: &Value, values: &Value) -> Vec<(String, Option<String>)> {
        let target = at(entry).replace("/entries", collection) + query;
        problems(&self.client.put(&target, with(entry, values)))
    }

    fn patch(&self, query: &str, entry: &Value, values: &Value) -> Vec<(String, Option<String>)> {
        let members: Map<_, _> = values.as_object().cloned().unwrap_or_default();
        let operations = members.into_iter().map(|(name, value)| {
            let pointer = format!("/{name}");
            json!({ "op": "replace", "path": pointer, "value": value })
        });
        let target = at(entry) + query;
        problems(&self.client.patch(&target, operations.collect::<Value>()))
    }

    /// Sends a command, and waits for its end.
    fn command(&self, name: &str, entry: &Value, input: &Value) -> Vec<(String, Option<String>)> {
        let target = format!("{}/{name}-commands/{}", at(entry), Uuid::now_v7());
        let sent = self.client.put(&target, input);
        if sent.status == 422 {
            return problems(&sent);
        }
        sent.is(201);
        let ended = self.client.get_until(&target, |command| command["status"] != "RUNNING");
        let errors = ended["errors"].as_array().expect("a list").iter();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        errors.map(|error| (text(&error["code"]).unwrap_or_default(), text(&error["path"]))).collect()
    }

    /// Lets the time of an entry come. What is due later, and keeps the rules, is done after it.
    fn expire(&self, entry: &Value) -> Vec<(String, Option<String>)> {
        let now = self.clock.now().millis();
        let due = |hours: i64| Timestamp::from_millis(now + hours * HOUR).expect("a time").to_string();
        let last = self.client.post("/entries", json!({ "name": "last", "dueAt": due(2) })).is(201).json;
        self.client.put(&at(entry), with(entry, &json!({ "dueAt": due(1) }))).is(200);
        self.clock.advance(Duration::from_secs(3 * 60 * 60));
        self.client.get_until(&at(&last), |last| last["state"] == "DONE");
        let now = self.client.get(&at(entry)).is(200).json;
        if now["state"] == "OPEN" {
            // as it was before its time was set
            self.client.put(&at(entry), with(&now, &json!({ "dueAt": null }))).is(200);
        }
        Vec::new()
    }
}
