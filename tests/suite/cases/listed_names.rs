//! The decision "Former names", in what is stored as JSON: fields of objects in arrays, and those of commands.

use super::former_names::is_announced;
use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{id, path};
use crate::stream::Stream;
use restwell::{Builder, Call, Command, Object, Rejection, Resource};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Former names: fields of objects in arrays", items),
    ("Former names: items that come and go beside a changed one", moved_items),
    ("Former names: arrays in items of arrays", inner_items),
    ("Former names: PATCH of items under either name", patches),
    ("Former names: criteria of items", criteria),
    ("Former names: fields of commands", commands),
    ("Former names: objects and arrays in commands", objects_of_commands),
];

/// Its unit is its measure now.
#[derive(Debug, Clone, Object)]
struct Part {
    #[field(formerly("unit" = "2027-06-30"))]
    measure: String,
    amount: Option<i64>,
}

/// Its code is its key now.
#[derive(Debug, Clone, Object)]
struct Line {
    #[field(max_length = 20, formerly("code" = "2027-06-30"))]
    key: String,
    note: Option<String>,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, Resource)]
#[resource(search, operations(create, list, get, update, patch))]
struct Recipe {
    name: Option<String>,
    lines: Vec<Line>,
}

/// Its count is its total now.
#[derive(Debug, Clone, Command)]
#[command(on = Recipe, output = CookOutput)]
struct Cook {
    #[field(minimum = 1, formerly("count" = "2027-06-30"))]
    total: i64,
    parts: Vec<Part>,
    first: Option<Part>,
}

/// Its text is its report now.
#[derive(Debug, Clone, Object)]
#[object(output)]
struct CookOutput {
    #[field(formerly("text" = "2027-06-30"))]
    report: Option<String>,
}

async fn cook(call: Call<Cook>) -> Result<CookOutput, Rejection> {
    let Cook { total, parts, first } = &call.input;
    let measures = parts.iter().chain(first).map(|part| part.measure.as_str()).collect::<Vec<_>>();
    Ok(CookOutput { report: Some(format!("{total} of {}", measures.join(", "))) })
}

fn recipes(api: &Api) -> Api {
    api.of(|| Builder::new("kitchen").resource::<Recipe>().handle(cook))
}

/// A line as it is shown.
fn line(key: &str) -> Value {
    json!({ "key": key, "code": key, "note": null, "parts": [] })
}

/// A part as it is shown.
fn part(measure: &str) -> Value {
    json!({ "measure": measure, "unit": measure, "amount": null })
}

fn keys(reply: &Reply) -> Vec<Value> {
    let entity = reply.json();
    let lines = entity["lines"].as_array().expect("an array");
    assert!(lines.iter().all(|line| line["key"] == line["code"]), "{reply}");
    lines.iter().map(|line| line["key"].clone()).collect()
}

fn items(api: &Api) {
    let api = recipes(api);
    let mut events = Stream::open(&api.events("/events?resource=recipes"));
    let created = api.post("/recipes", &json!({ "lines": [{ "code": "a" }, { "key": "b" }] })).is(201);
    assert!(is_announced(&created));
    let mut whole = created.json();
    assert_eq!(whole["lines"], json!([line("a"), line("b")]));
    assert_eq!(events.event().json["data"], whole);
    let target = path("recipes", &whole);
    assert_eq!(api.get(&target).is(200).json(), whole);
    assert_eq!(api.get("/recipes").is(200).json()["recipes"][0], whole);
    // a client changes one name in what it has read, and sends all of it back
    for (index, name, value, announced) in [(0, "key", "c", false), (1, "code", "d", true), (0, "code", "e", true)] {
        whole["lines"][index][name] = json!(value);
        let reply = api.put(&target, &whole).is(200);
        whole = reply.json();
        assert_eq!(whole["lines"][index], line(value), "{name}");
        assert_eq!(is_announced(&reply), announced, "{name}");
    }
    assert!(!is_announced(&api.put(&target, &whole).is(200)));
    let both = |key: &str, code: &str| json!({ "lines": [{ "key": key, "code": code }] });
    let differ = [("NamesDiffer", "lines.0.key"), ("NamesDiffer", "lines.0.code")];
    api.put(&target, &both("x", "y")).refused(&differ);
    api.post("/recipes", &both("x", "y")).refused(&differ);
    assert_eq!(keys(&api.put(&target, &both("x", "x")).is(200)), ["x"]);
    api.put(&target, &json!({ "lines": [{ "note": "n" }] })).refused(&[("Required", "lines.0.key")]);
    api.put(&target, &json!({ "lines": [{ "code": 7 }] })).refused(&[("WrongType", "lines.0.code")]);
    api.put(&target, &json!({ "lines": [{ "code": "x".repeat(21) }] })).refused(&[("TooLong", "lines.0.code")]);
    let dry = format!("{target}?dryRun=true&include=lines");
    api.put(&dry, &json!({ "lines": [{ "code": 7 }] })).refused(&[("WrongType", "lines.0.code")]);
}

fn moved_items(api: &Api) {
    let api = recipes(api);
    let lines: Vec<_> = ["a", "b", "c"].iter().map(|key| json!({ "key": key })).collect();
    let target = path("recipes", &api.create("/recipes", &json!({ "lines": lines })));
    let put = |lines: &[(&str, &str)]| {
        let line = |(key, code): &(&str, &str)| json!({ "key": key, "code": code });
        api.put(&format!("{target}?dryRun=true"), &json!({ "lines": lines.iter().map(line).collect::<Vec<_>>() }))
    };
    // one comes first, or last; the first or the last one goes
    for lines in [
        &[("n", "n"), ("a", "a"), ("b", "x"), ("c", "c")][..],
        &[("a", "x"), ("b", "b"), ("c", "c"), ("n", "n")],
        &[("b", "b"), ("c", "x")],
        &[("x", "a"), ("b", "b")],
    ] {
        put(lines).is(204);
    }
    // either may be the changed one
    put(&[("b", "a"), ("c", "c")]).refused(&[("NamesDiffer", "lines.0.key"), ("NamesDiffer", "lines.0.code")]);
}

fn inner_items(api: &Api) {
    let api = recipes(api);
    let lines = json!([{ "key": "a", "parts": [{ "unit": "kg", "amount": 1 }, { "measure": "l" }] }]);
    let created = api.post("/recipes", &json!({ "lines": lines })).is(201);
    assert!(is_announced(&created));
    let mut whole = created.json();
    let mut kilo = part("kg");
    kilo["amount"] = json!(1);
    assert_eq!(whole["lines"][0]["parts"], json!([kilo, part("l")]));
    let target = path("recipes", &whole);
    for (index, name, value) in [(0, "unit", "g"), (1, "measure", "ml")] {
        whole["lines"][0]["parts"][index][name] = json!(value);
        whole = api.put(&target, &whole).is(200).json();
        let part = &whole["lines"][0]["parts"][index];
        assert_eq!((&part["unit"], &part["measure"]), (&json!(value), &json!(value)));
    }
    let differing = json!({ "lines": [{ "key": "a", "parts": [{ "unit": "x", "measure": "y" }] }] });
    let places = [("NamesDiffer", "lines.0.parts.0.measure"), ("NamesDiffer", "lines.0.parts.0.unit")];
    api.put(&target, &differing).refused(&places);
}

fn patches(api: &Api) {
    let api = recipes(api);
    let created = api.create("/recipes", &json!({ "lines": [{ "key": "a", "note": "n" }, { "key": "b" }] }));
    let target = path("recipes", &created);
    let patch =
        |op: &str, path: &str, value: Value| api.patch(&target, &json!([{ "op": op, "path": path, "value": value }]));
    for (name, value, announced) in [("/lines/0/key", "c", false), ("/lines/0/code", "d", true)] {
        let reply = patch("replace", name, json!(value)).is(200);
        assert_eq!((keys(&reply), is_announced(&reply)), (vec![json!(value), json!("b")], announced), "{name}");
        assert_eq!(reply.json()["lines"][0]["note"], "n", "{name}");
        patch("test", name, json!(value)).is(200);
    }
    for (index, announced) in [("key", false), ("code", true)] {
        for path in ["/lines/-", "/lines/1"] {
            let reply = patch("add", path, json!({ index: "n" })).is(200);
            assert_eq!(is_announced(&reply), announced, "{path}: {index}");
            patch("remove", &path.replace('-', "2"), Value::Null).is(200);
            patch("test", "/lines/1", json!({ index: "b", "note": null, "parts": [] })).is(200);
        }
    }
    let reply = patch("replace", "/lines", json!([{ "code": "z", "parts": [{ "unit": "kg" }] }])).is(200);
    assert_eq!((keys(&reply), is_announced(&reply)), (vec![json!("z")], true));
    let reply = patch("replace", "/lines/0/parts/0/unit", json!("g")).is(200);
    assert_eq!(reply.json()["lines"][0]["parts"], json!([part("g")]));
    for name in ["key", "code"] {
        let removed = patch("remove", &format!("/lines/0/{name}"), Value::Null);
        removed.refused(&[("Required", "lines.0.key")]);
    }
    let both = json!([
        { "op": "replace", "path": "/lines/0/code", "value": "A" },
        { "op": "replace", "path": "/lines/0/key", "value": "B" },
    ]);
    api.patch(&target, &both).refused(&[("NamesDiffer", "lines.0.key"), ("NamesDiffer", "lines.0.code")]);
    // one goes, and another one is changed
    patch("add", "/lines/0", json!({ "key": "y" })).is(200);
    let changes = json!([
        { "op": "remove", "path": "/lines/0" },
        { "op": "replace", "path": "/lines/0/code", "value": "x" },
    ]);
    assert_eq!(keys(&api.patch(&target, &changes).is(200)), ["x"]);
}

fn criteria(api: &Api) {
    let api = recipes(api);
    let made = |key: &str| json!({ "name": key, "lines": [{ "key": key, "parts": [{ "measure": key }] }] });
    for key in ["a", "b"] {
        api.create("/recipes", &made(key));
    }
    let lines = |line: Value| json!({ "lines": [line] });
    for (search, announced) in [
        (lines(json!({ "key": "a" })), false),
        (lines(json!({ "code": "a" })), true),
        (lines(json!({ "code": "a", "parts": [{ "measure": "a" }] })), true),
        (lines(json!({ "parts": [{ "unit": ["a", "c"] }] })), true),
    ] {
        let created = api.post("/recipe-searches", &search).is(201);
        assert_eq!(is_announced(&created), announced, "{search}");
        let found = api.get(&format!("/recipes?search.id={}", id(&created.json()))).is(200).json();
        assert_eq!((&found["count"], &found["recipes"][0]["name"]), (&json!(1), &json!("a")), "{search}");
    }
    let differing = lines(json!({ "key": "a", "code": "b" }));
    let places = [("NamesDiffer", "lines.0.key"), ("NamesDiffer", "lines.0.code")];
    api.post("/recipe-searches", &differing).refused(&places);
}

/// A command that has ended.
fn ended(api: &Api, target: &str) -> Value {
    api.wait(target, |reply| reply.json()["status"] != "RUNNING").json()
}

fn commands(api: &Api) {
    let api = recipes(api);
    let recipe = path("recipes", &api.create("/recipes", &json!({})));
    let target = |number: usize| format!("{recipe}/cook-commands/01890a5d-ac96-774b-bcce-b302099a81{number:02}");
    for (number, (body, announced)) in
        [(json!({ "total": 2 }), false), (json!({ "count": 2 }), true), (json!({ "total": 2, "count": 2 }), false)]
            .into_iter()
            .enumerate()
    {
        let accepted = api.put(&target(number), &body).is(201);
        assert_eq!(is_announced(&accepted), announced, "{body}");
        let shown = ended(&api, &target(number));
        assert_eq!((&shown["total"], &shown["count"]), (&json!(2), &json!(2)), "{shown}");
        assert_eq!((&shown["report"], &shown["text"]), (&json!("2 of "), &json!("2 of ")), "{shown}");
        // under either name, it is the same command
        for again in [json!({ "total": 2 }), json!({ "count": 2 })] {
            assert_eq!(api.put(&target(number), &again).is(201).json(), shown);
        }
        api.put(&target(number), &json!({ "count": 3 })).refused(&[("CommandIdUsed", "commandId")]);
    }
    let listed = api.get(&format!("{recipe}/cook-commands")).is(200).json();
    assert_eq!(listed["cookCommands"][0], ended(&api, &target(0)));
    let differ = [("NamesDiffer", "total"), ("NamesDiffer", "count")];
    api.put(&target(9), &json!({ "total": 1, "count": 2 })).refused(&differ);
    api.put(&target(9), &json!({})).refused(&[("Required", "total")]);
    api.put(&target(9), &json!({ "count": 0 })).refused(&[("TooSmall", "count")]);
    api.put(&format!("{}?dryRun=true&include=count", target(9)), &json!({ "count": 0 }))
        .refused(&[("TooSmall", "count")]);
}

fn objects_of_commands(api: &Api) {
    let api = recipes(api);
    let recipe = path("recipes", &api.create("/recipes", &json!({})));
    let target = format!("{recipe}/cook-commands/01890a5d-ac96-774b-bcce-b302099a8100");
    let body = json!({ "total": 1, "parts": [{ "unit": "kg" }, { "measure": "l" }], "first": { "unit": "g" } });
    assert!(is_announced(&api.put(&target, &body).is(201)));
    let shown = ended(&api, &target);
    assert_eq!((&shown["parts"], &shown["first"]), (&json!([part("kg"), part("l")]), &part("g")));
    assert_eq!(shown["report"], "1 of kg, l, g");
    let other = format!("{recipe}/cook-commands/01890a5d-ac96-774b-bcce-b302099a8101");
    let differing = json!({ "total": 1, "parts": [{ "unit": "kg", "measure": "l" }] });
    let places = [("NamesDiffer", "parts.0.measure"), ("NamesDiffer", "parts.0.unit")];
    api.put(&other, &differing).refused(&places);
}
