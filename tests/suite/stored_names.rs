//! Fields that are stored as JSON are renamed in two releases: in arrays, in commands, and in searches. What each
//! release has stored is there in all later ones.

use crate::renames::created;
use restwell::testing::{Running, Setup, TestClient, bring_along};
use restwell::{Builder, Interpreted};
use restwell_generator::{File, compile};
use restwell_model::Checked;
use serde_json::{Value, json};
use uuid::Uuid;

/// What clients call the fields.
struct Names {
    title: &'static str,
    key: &'static str,
    size: &'static str,
    cause: &'static str,
}

const OLD: Names = Names { title: "title", key: "code", size: "extent", cause: "reason" };
const NEW: Names = Names { title: "heading", key: "key", size: "size", cause: "cause" };

/// The first release, the one that has both names, and the one after the day. A field that was removed before the first
/// one had the name that another one gets.
fn model(release: Option<usize>) -> Checked {
    let Names { title, key, size, cause } = if release.is_none_or(|it| it == 0) { OLD } else { NEW };
    let former = |name: &str| match release {
        Some(1) => format!(", formerly: {{ name: {name}, sunset: \"2027-06-30\" }}"),
        _ => String::new(),
    };
    let anyone = "{ access: anyone }";
    let earlier = if release.is_none() { "          key: { type: string }\n" } else { "" };
    let offer = format!(
        "resource: Offer\nsearch: true\n\
         operations: {{ create: {anyone}, list: {anyone}, get: {anyone}, update: {anyone}, patch: {anyone} }}\n\
         commands:\n  end:\n    access: anyone\n    input:\n      {cause}: {{ type: string, required: true{} }}\n      \
         lines: {{ type: array, items: {{ type: Mark }} }}\n      \
         mark: {{ type: Mark }}\n\
         fields:\n  {title}: {{ type: string, filter: true{} }}\n  \
         lines:\n    type: array\n    items:\n      type: object\n      fields:\n          \
         {key}: {{ type: string, required: true{} }}\n{earlier}          note: {{ type: string }}\n          \
         marks: {{ type: array, items: {{ type: Mark }} }}\n  \
         place:\n    type: object\n    fields:\n      marks: {{ type: array, items: {{ type: Mark }} }}\n",
        former(OLD.cause),
        former(OLD.title),
        former(OLD.key),
    );
    let mark = format!(
        "object: Mark\nfields:\n  {size}: {{ type: integer{} }}\n  ratio: {{ type: number }}\n",
        former(OLD.size)
    );
    let files = [("service", "service: market\n".to_owned()), ("offer", offer), ("mark", mark)];
    let compiled = compile(&files.map(|(name, text)| File::new(&format!("{name}.yaml"), text)));
    compiled.service.unwrap_or_else(|| panic!("the schemas are wrong: {:?}", compiled.diagnostics)).0
}

/// Another release takes over the database.
fn release(running: &mut Option<Running>, release: Option<usize>, url: &str) -> TestClient {
    // dropped first: a database belongs to one program
    *running = None;
    let model = model(release);
    bring_along(model.clone().into_inner(), url).expect("the rows are kept");
    let started = Setup::of(Builder::interpreted(Interpreted { mock_commands: true, ..Interpreted::of(model) }))
        .database(url)
        .start();
    let client = started.client();
    *running = Some(started);
    client
}

/// What was stored under some names.
struct Stored {
    offer: String,
    command: String,
    body: Value,
    searches: Vec<String>,
}

/// Texts that would not survive a careless rewriting.
const NOTE: &str = "a \"quoted\"\n\\ code: \u{1f600} {}[]'";

impl Names {
    fn mark(&self, number: i64) -> Value {
        json!({ self.size: number, "ratio": 0.1 })
    }

    fn offer(&self, name: &str) -> Value {
        let lines = json!([
            { self.key: name, "note": NOTE, "marks": [self.mark(i64::MAX), self.mark(2)] },
            { self.key: NOTE, "note": null, "marks": [] },
        ]);
        json!({ self.title: name, "lines": lines, "place": { "marks": [self.mark(3)] } })
    }

    fn store(&self, client: &TestClient, name: &str) -> Stored {
        let offer = created(&client.post("/offers", self.offer(name)));
        let command = format!("/offers/{offer}/end-commands/{}", Uuid::now_v7());
        let body = json!({ self.cause: NOTE, "lines": [self.mark(5)], "mark": self.mark(6) });
        client.put(&command, body.clone()).is(201);
        client.get_until(&command, |command| command["status"] == "SUCCESSFUL");
        let criteria = [
            json!({ self.title: name }),
            json!({ "lines": [{ self.key: name }] }),
            json!({ "lines": [{ self.key: name, "marks": [{ self.size: { "gte": 2 } }] }] }),
        ];
        let searches = criteria.map(|search| created(&client.post("/offer-searches", search))).to_vec();
        Stored { offer, command, body, searches }
    }

    /// It is shown under these names.
    fn is_there(&self, client: &TestClient, stored: &Stored, name: &str) {
        let path = format!("/offers/{}", stored.offer);
        let offer = client.get(&path).is(200).json;
        has(&offer, &self.offer(name));
        let command = client.get(&stored.command).is(200).json;
        has(&command, &json!({ self.cause: NOTE, "lines": [self.mark(5)], "mark": self.mark(6) }));
        for search in &stored.searches {
            let found = client.get(&format!("/offers?search.id={search}")).is(200).json;
            assert_eq!((&found["count"], &found["offers"][0]), (&json!(1), &offer), "{found}");
        }
    }
}

/// A value has all that another one has.
#[track_caller]
fn has(value: &Value, part: &Value) {
    match (value, part) {
        (Value::Object(_), Value::Object(members)) => members.iter().for_each(|(name, part)| has(&value[name], part)),
        (Value::Array(items), Value::Array(parts)) => {
            assert_eq!(items.len(), parts.len(), "{value} {part}");
            items.iter().zip(parts).for_each(|(item, part)| has(item, part));
        }
        _ => assert_eq!(value, part),
    }
}

/// The releases one after the other, on this database.
pub(crate) fn rename(url: &str) {
    let mut running = None;
    let client = release(&mut running, None, url);
    let removed = json!({ "lines": [{ "code": "a", "key": "b" }] });
    let removed = created(&client.post("/offers", removed));
    let client = release(&mut running, Some(0), url);
    let old = OLD.store(&client, "old");
    OLD.is_there(&client, &old, "old");
    let client = release(&mut running, Some(1), url);
    let both = [("old", old), ("A", OLD.store(&client, "A")), ("B", NEW.store(&client, "B"))];
    for (name, stored) in &both {
        OLD.is_there(&client, stored, name);
        NEW.is_there(&client, stored, name);
        // it is the same command, and is not done again
        client.put(&stored.command, stored.body.clone()).is(201);
    }
    let line = |client: &TestClient| client.get(&format!("/offers/{removed}")).is(200).json["lines"][0].clone();
    has(&line(&client), &json!({ "key": "a", "code": "a" }));
    let client = release(&mut running, Some(2), url);
    for (name, stored) in &both {
        NEW.is_there(&client, stored, name);
        let offer = client.get(&format!("/offers/{}", stored.offer)).is(200).json;
        assert_eq!((offer.get("title"), offer["lines"][0].get("code")), (None, None), "{offer}");
        let command = client.get(&stored.command).is(200).json;
        assert_eq!((command.get("reason"), command["mark"].get("extent")), (None, None), "{command}");
        let body = json!({ NEW.cause: NOTE, "lines": [NEW.mark(5)], "mark": NEW.mark(6) });
        assert_eq!(client.put(&stored.command, body).is(201).json, command);
    }
    has(&line(&client), &json!({ "key": "a" }));
}
