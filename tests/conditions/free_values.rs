//! `map` and `json`: what a team does not describe itself is kept, shown and changed as a value, on both stores.

use crate::access::serve;
use libtest_mimic::Failed;
use restwell::testing::{Running, Setup};
use restwell::{Builder, Context, Decimal, Object, Rejection, Resource, Rules, Uuid};
use restwell_testkit::postgres::Server;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

const SERVICE: &str = "service: shop\n";

const ITEM: &str = r#"
resource: Item
operations:
  create: { access: anyone }
  list: { access: [{ when: 'hidden != true' }] }
  get: {}
  update: { access: anyone }
  patch: { access: anyone }
rules:
  - { check: 'name != "bare" || settings == null', code: NotBare, path: settings, message: must be null }
  - { check: 'parts.all(p, p.details != null || p.amount != 7)', code: NoDetails, path: parts, message: need details }
commands:
  tag:
    access: anyone
    ready: false
    input:
      labels: { type: map, values: { type: string }, required: true }
      extra: { type: json }
    output:
      counts: { type: map, values: { type: integer } }
fields:
  name: { type: string, required: true, filter: true }
  hidden: { type: boolean }
  labels: { type: map, values: { type: string, maxLength: 5 }, maxItems: 3, pattern: "^[a-z]+$" }
  counts: { type: map, required: true, values: { type: decimal, scale: 3, minimum: 0 }, default: { good: "1.000" } }
  moods: { type: map, values: { type: enum, values: [GLAD, SAD] } }
  prices: { type: map, values: { type: price } }
  anything: { type: map, values: { type: json } }
  settings: { type: json, maxBytes: 100 }
  theme: { type: json, default: { dark: true } }
  origin: { type: json, immutable: true }
  key: { type: json, writeOnly: true }
  batch: { type: map, values: { type: integer }, visible: "scope:batches" }
  secret: { type: json, visible: "scope:batches" }
  parts:
    type: array
    items:
      type: object
      fields:
        amount: { type: integer }
        details: { type: json }
        notes: { type: map, values: { type: string } }
  lists: { type: array, items: { type: json } }
  rows: { type: array, items: { type: map, values: { type: integer }, minItems: 1 } }
"#;

struct Shop(Running);

impl Shop {
    /// The text of an entity, as it comes.
    fn entity(&self, path: &str) -> String {
        text(&self.0, path)
    }

    fn made(&self, body: &Value) -> Value {
        self.0.client().post("/items", body).is(201).read()
    }

    /// A body with numbers that no double has.
    fn posted(&self, body: &str) -> String {
        let body = RawValue::from_string(body.to_owned()).expect("JSON");
        let made: Value = self.0.client().post("/items", body).is(201).read();
        format!("/items/{}", made["id"].as_str().expect("an id"))
    }

    fn errors(&self, body: &Value) -> Vec<(String, Option<String>)> {
        let response = self.0.client().post("/items", body).is(422);
        let own = |(code, path): (&str, Option<&str>)| (code.to_owned(), path.map(str::to_owned));
        response.errors().into_iter().map(own).collect()
    }
}

/// The last line of the response to a GET, as it comes.
fn text(api: &Running, path: &str) -> String {
    let mut connection = TcpStream::connect(api.address()).expect("a connection");
    connection.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let headers = "Accept: application/vnd.service.public.v1+json\r\nConnection: close\r\n";
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: test\r\n{headers}\r\n");
    connection.write_all(head.as_bytes()).expect("a request");
    BufReader::new(connection).lines().map(|line| line.expect("a line")).last().expect("a body")
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let shop = Shop(serve(&[SERVICE, ITEM], server));
    values_are_shown_as_they_were_sent(&shop);
    numbers_keep_their_digits(&shop);
    what_is_omitted_is_empty_or_null(&shop);
    wrong_values_have_a_path(&shop);
    a_patch_changes_parts(&shop);
    what_is_immutable_is_compared_as_a_value(&shop);
    callers_who_do_not_see_them_see_nothing_of_them(&shop);
    conditions_know_null(&shop);
    entity_tags_and_dry_runs(&shop);
    code_reads_and_writes_them(server);
    code_keeps_digits(server);
    Ok(())
}

fn values_are_shown_as_they_were_sent(shop: &Shop) {
    let body = json!({
        "name": "all", "labels": { "b": "x", "a": "y" }, "counts": { "bad": "2.5" }, "moods": { "me": "SAD" },
        "prices": { "now": { "amount": "1.5", "currency": "EUR" } },
        "anything": { "n": 1, "list": [null, true], "text": "" },
        "settings": { "z": [1, { "b": null, "a": "é\n" }], "a": "" }, "theme": [], "origin": 7, "key": "k",
        "parts": [{ "amount": 1, "details": { "q": [1.5] }, "notes": { "n": "m" } }, {}],
        "lists": [1, "a", {}, [[]]], "rows": [{ "a": 1 }, { "b": 2, "c": 3 }],
    });
    let made = shop.made(&body);
    let path = format!("/items/{}", made["id"].as_str().expect("an id"));
    for name in ["labels", "moods", "anything", "settings", "theme", "origin", "lists", "rows"] {
        assert_eq!(made[name], body[name], "{name}");
    }
    assert_eq!(made["counts"], json!({ "bad": "2.500" }));
    assert_eq!(made["prices"], json!({ "now": { "amount": "1.50", "currency": "EUR" } }));
    assert_eq!(made["parts"][0], body["parts"][0]);
    assert_eq!(made["parts"][1], json!({ "amount": null, "details": null, "notes": {} }));
    assert_eq!(made.get("key"), None);
    assert_eq!(shop.0.client().get(&path).is(200).json, made);
    assert_eq!(shop.0.client().get("/items?name=all").is(200).json["items"], json!([made]));
    let again: Value = shop.0.client().put(&path, &made).is(200).read();
    let unchanged = |name: &str| assert_eq!(again[name], made[name], "{name}");
    ["labels", "counts", "prices", "settings", "origin", "parts", "lists", "rows"].into_iter().for_each(unchanged);
}

fn numbers_keep_their_digits(shop: &Shop) {
    let digits = "[1.50,-0,1E5,12345678901234567890123.4500]";
    let path = shop.posted(&format!(
        r#"{{"name":"digits","settings":{digits},"anything":{{"n":0.10}},"lists":[{digits}],"parts":[{{"details":1.0e2}}]}}"#
    ));
    let kept = [
        format!(r#""settings":{digits}"#),
        r#""anything":{"n":0.10}"#.to_owned(),
        format!(r#""lists":[{digits}]"#),
        r#""details":1.0e2"#.to_owned(),
    ];
    let all_are_there = || {
        let text = shop.entity(&path);
        kept.iter().for_each(|part| assert!(text.contains(part), "{part} in {text}"));
    };
    all_are_there();
    let operations = json!([{ "op": "replace", "path": "/name", "value": "kept" }]);
    shop.0.client().patch(&path, operations).is(200);
    all_are_there();
    let test = |value: &str| format!(r#"[{{"op":"test","path":"/settings/0","value":{value}}}]"#);
    let patch = |text: String| shop.0.client().patch(&path, RawValue::from_string(text).expect("JSON"));
    patch(test("1.5")).is(200);
    patch(test("1.5000000000000000000001")).is(422);
    patch(r#"[{"op":"add","path":"/anything/m","value":2.50}]"#.to_owned()).is(200);
    assert!(shop.entity(&path).contains(r#""anything":{"m":2.50,"n":0.10}"#));
}

fn what_is_omitted_is_empty_or_null(shop: &Shop) {
    let made = shop.made(&json!({ "name": "little", "labels": null, "settings": null }));
    for name in ["labels", "moods", "prices", "anything"] {
        assert_eq!(made[name], json!({}), "{name}");
    }
    assert_eq!((&made["settings"], &made["origin"]), (&Value::Null, &Value::Null));
    assert_eq!((&made["counts"], &made["theme"]), (&json!({ "good": "1.000" }), &json!({ "dark": true })));
    assert_eq!(shop.made(&json!({ "name": "blank", "settings": "", "theme": " " }))["settings"], json!(""));
}

fn wrong_values_have_a_path(shop: &Shop) {
    let one = |name: &str, value: Value| {
        let errors = shop.errors(&json!({ "name": "wrong", name: value }));
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors.into_iter().next().unwrap_or_default()
    };
    let error = |code: &str, path: &str| (code.to_owned(), Some(path.to_owned()));
    assert_eq!(one("labels", json!([])), error("WrongType", "labels"));
    assert_eq!(one("labels", json!({ "A": "x" })), error("NameMismatch", "labels.A"));
    assert_eq!(one("labels", json!({ "": "x" })), error("InvalidName", "labels"));
    assert_eq!(one("anything", json!({ "x".repeat(65): 1 })).0, "InvalidName");
    assert_eq!(one("labels", json!({ "a": "123456" })), error("TooLong", "labels.a"));
    assert_eq!(one("labels", json!({ "a": 1 })), error("WrongType", "labels.a"));
    assert_eq!(one("labels", json!({ "a": null })), error("Required", "labels.a"));
    assert_eq!(one("labels", json!({ "a": "1", "b": "2", "c": "3", "d": "4" })), error("TooManyItems", "labels"));
    assert_eq!(one("counts", json!({ "a": "-1" })), error("TooSmall", "counts.a"));
    assert_eq!(one("moods", json!({ "a": "ANGRY" })), error("UnknownValue", "moods.a"));
    assert_eq!(one("prices", json!({ "a": { "amount": "1" } })), error("Required", "prices.a.currency"));
    assert_eq!(one("lists", json!([null])), error("Required", "lists.0"));
    assert_eq!(one("settings", json!("x".repeat(99))), error("TooManyBytes", "settings"));
    assert_eq!(one("settings", json!({ "a": ["\u{0}"] })), error("InvalidText", "settings.a.0"));
    let deep = (0..33).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(one("theme", deep).0, "TooDeep");
    shop.made(&json!({ "name": "deep", "theme": (0..32).fold(json!(1), |inner, _| json!([inner])) }));
}

fn a_patch_changes_parts(shop: &Shop) {
    let made = shop.made(&json!({
        "name": "patched", "labels": { "a": "x" }, "settings": { "deep": { "er": [1, 2] } }, "key": 1,
    }));
    let path = format!("/items/{}", made["id"].as_str().expect("an id"));
    let patched = |operations: Value| -> Value { shop.0.client().patch(&path, operations).is(200).read() };
    let changed = patched(json!([
        { "op": "add", "path": "/labels/b", "value": "y" },
        { "op": "remove", "path": "/labels/a" },
        { "op": "replace", "path": "/settings/deep/er/0", "value": { "now": null } },
        { "op": "test", "path": "/settings/deep/er/1", "value": 2 },
        { "op": "add", "path": "/anything/any~1thing", "value": [] },
    ]));
    assert_eq!(changed["labels"], json!({ "b": "y" }));
    assert_eq!(changed["settings"], json!({ "deep": { "er": [{ "now": null }, 2] } }));
    assert_eq!(changed["anything"], json!({ "any/thing": [] }));
    let changed = patched(json!([
        { "op": "remove", "path": "/settings" }, { "op": "remove", "path": "/labels" },
        { "op": "replace", "path": "/key", "value": { "new": 1 } },
    ]));
    assert_eq!((&changed["settings"], &changed["labels"]), (&Value::Null, &json!({})));
    let wrong = json!([{ "op": "add", "path": "/labels/B", "value": "y" }]);
    let refused = shop.0.client().patch(&path, wrong).is(422);
    assert_eq!(refused.errors(), [("NameMismatch", Some("labels.B"))]);
}

fn what_is_immutable_is_compared_as_a_value(shop: &Shop) {
    let mut made = shop.made(&json!({ "name": "fixed", "origin": { "a": 1, "b": [true] } }));
    let path = format!("/items/{}", made["id"].as_str().expect("an id"));
    let same = r#"{"name":"fixed","origin":{ "b": [true], "a": 1 }}"#;
    shop.0.client().put(&path, RawValue::from_string(same.to_owned()).expect("JSON")).is(200);
    shop.0.client().put(&path, json!({ "name": "fixed" })).is(200);
    made["origin"] = json!({ "a": 1, "b": [false] });
    assert_eq!(shop.0.client().put(&path, &made).is(422).errors(), [("Immutable", Some("origin"))]);
}

fn callers_who_do_not_see_them_see_nothing_of_them(shop: &Shop) {
    let made = shop.made(&json!({ "name": "unseen" }));
    let path = format!("/items/{}", made["id"].as_str().expect("an id"));
    assert_eq!((&made["batch"], &made["secret"]), (&json!({}), &Value::Null));
    shop.0.client().put(&path, &made).is(200);
}

fn conditions_know_null(shop: &Shop) {
    let refused = shop.errors(&json!({ "name": "bare", "settings": 1 }));
    assert_eq!(refused, [("NotBare".to_owned(), Some("settings".to_owned()))]);
    shop.made(&json!({ "name": "bare" }));
    let refused = shop.errors(&json!({ "name": "parts", "parts": [{ "amount": 7 }] }));
    assert_eq!(refused, [("NoDetails".to_owned(), Some("parts".to_owned()))]);
    shop.made(&json!({ "name": "parts", "parts": [{ "amount": 7, "details": false }] }));
}

fn entity_tags_and_dry_runs(shop: &Shop) {
    let made = shop.made(&json!({ "name": "tagged", "settings": { "a": 1, "b": 2 } }));
    let path = format!("/items/{}", made["id"].as_str().expect("an id"));
    let tag = || shop.0.client().get(&path).is(200).headers["etag"].clone();
    let before = tag();
    let other = json!({ "name": "tagged", "settings": { "a": 1 } });
    shop.0.client().put(&format!("{path}?dryRun=true"), &other).is(204);
    shop.0.client().post("/items?dryRun=true", json!({ "name": "x", "labels": { "A": "x" } })).is(422);
    assert_eq!(before, tag());
    shop.0.client().put(&path, &other).is(200);
    assert_ne!(before, tag());
}

/// Something that partners add to.
#[derive(Debug, Clone, PartialEq, Resource)]
pub(crate) struct Entry {
    /// What it is called.
    #[field(max_items = 2, pattern = "^[a-z]+$", max_length = 5, values(pattern = "^[A-Z]"))]
    pub names: BTreeMap<String, String>,
    /// How much.
    #[field(scale = 3)]
    pub amounts: BTreeMap<String, Decimal>,
    /// Anything.
    #[field(max_bytes = 50)]
    pub settings: Option<serde_json::Value>,
    /// Always there.
    pub required: Value,
    /// In parts.
    pub parts: Vec<Piece>,
}

/// A part of an entry.
#[derive(Debug, Clone, PartialEq, Object)]
pub(crate) struct Piece {
    /// Anything.
    pub details: Option<Value>,
    /// Numbers.
    pub numbers: std::collections::BTreeMap<String, i64>,
}

fn code_reads_and_writes_them(server: Option<&Server>) {
    let setup = Setup::of(Builder::new("store").resource::<Entry>());
    let api = match server {
        Some(server) => setup.own_database(server.url()).start(),
        None => setup.start(),
    };
    let map = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
    let entry = Entry {
        names: map("a", "Bc"),
        amounts: BTreeMap::from([("x".to_owned(), Decimal::new(15, 1))]),
        settings: None,
        required: json!({ "b": [1, null], "a": 1.5 }),
        parts: vec![Piece { details: Some(json!("x")), numbers: BTreeMap::from([("n".to_owned(), 7)]) }],
    };
    let written = entry.clone();
    let found = api.seed(|transaction| {
        let written = written.clone();
        async move {
            let id = transaction.create(written).await?.id;
            let mut found = transaction.find::<Entry>(id).await?;
            found.settings = Some(json!({ "s": true }));
            transaction.update(found).await?;
            transaction.find::<Entry>(id).await
        }
    });
    let expected = Entry { settings: Some(json!({ "s": true })), ..entry };
    assert_eq!(*found, expected);
    let seen: Value = api.client().get(&format!("/entries/{}", found.id)).is(200).read();
    assert_eq!((&seen["amounts"], &seen["required"]), (&json!({ "x": "1.500" }), &expected.required));
    let read: Entry = serde_json::from_value(seen.clone()).expect("an entry");
    assert_eq!(read, expected);
    let body = json!({ "names": { "a": "bc" }, "required": null });
    let refused = api.client().post("/entries", body).is(422);
    assert_eq!(refused.errors(), [("PatternMismatch", Some("names.a")), ("Required", Some("required"))]);
}

/// A rule that changes something of each entry, and reads the rest.
struct Loud;

impl Rules<Entry> for Loud {
    async fn before_create(&self, entry: &mut Entry, _: &Context<'_>) -> Result<(), Rejection> {
        entry.names.insert("by".to_owned(), "Rule".to_owned());
        Ok(())
    }
}

fn code_keeps_digits(server: Option<&Server>) {
    let setup = Setup::of(Builder::new("store").resource::<Entry>().rules::<Entry>(Loud));
    let api = match server {
        Some(server) => setup.own_database(server.url()).start(),
        None => setup.start(),
    };
    let digits = "[1.50,{\"n\":12345678901234567890.123},-0,1E5]";
    let body = format!(r#"{{"required":{digits},"settings":7.0,"parts":[{{"details":{digits}}},{{"details":1.10}}]}}"#);
    let made: Value = api.client().post("/entries", RawValue::from_string(body).expect("JSON")).is(201).read();
    let path = format!("/entries/{}", made["id"].as_str().expect("an id"));
    let shows = |parts: &[&str]| {
        let text = text(&api, &path);
        parts.iter().for_each(|part| assert!(text.contains(part), "{part} in {text}"));
    };
    let (required, details) = (format!(r#""required":{digits}"#), format!(r#"{{"details":{digits},"#));
    shows(&[&required, &details, r#""settings":7.0"#, r#""details":1.10"#, r#""names":{"by":"Rule"}"#]);
    let id: Uuid = made["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    api.seed(|transaction| async move {
        let mut entry = transaction.find::<Entry>(id).await?;
        entry.required[0] = json!(2);
        entry.settings = Some(json!({ "new": 0.25 }));
        entry.parts.truncate(1);
        transaction.update(entry).await
    });
    let required = required.replace("1.50", "2");
    shows(&[&required, &details, r#""settings":{"new":0.25}"#]);
    api.client().put(&path, RawValue::from_string(format!("{{{required}}}")).expect("JSON")).is(200);
    shows(&[&required]);
}
