//! PATCH of §4.2, by RFC 6902, and the decisions on it.

use crate::Case;
use crate::client::{Api, BETA};
use crate::specimen::{NOBODY, created, id, keeper, path, price, reference};
use serde_json::{Value, json};
use std::thread;

pub(super) const CASES: &[Case] = &[
    ("§4.2 PATCH answers 200 with the entity, each operation done", every_operation),
    ("§4.2 PATCH changes what it names and nothing else", nothing_else),
    ("§4.2 PATCH keeps every digit of the numbers that it does not name", digits),
    ("§4.2 PATCH is all or nothing", all_or_nothing),
    ("§4.1 PATCH needs Accept and Content-Type", headers),
    ("§7.1 PATCH is validated whole, as a PUT's body is", validated),
    ("Errors: of a PATCH operation the path is its target", paths),
    ("Errors: an invalid patch is 422, invalid JSON 400", no_patch),
    ("Errors: a test that does not hold is 422 TestFailed", tests),
    ("Requests: PATCH sets what is write-only, and keeps it", write_only),
    ("Requests: PATCH ignores what is read-only, and keeps what is immutable", read_only),
    ("Caching: If-Match holds for PATCH", if_match),
    ("§4.3 PATCH dry run is 204 or 422 and writes nothing", dry_run),
    ("§5 PATCH by the owner only, where that is said", owners),
    ("§9 PATCH in a version sees that version's fields", versions),
    ("Asynchronous operations: PATCH", later),
    ("Deprecation: a PATCH that touches what is deprecated says so", deprecation),
    ("PATCH: changes at the same time are not lost", together),
    ("PATCH: operations and copies are bounded", bounded),
    ("PATCH: what goes below a property that there is not is refused as soon as it is met", below_unknown),
    ("Errors: a PATCH whose text nests too deep is 400, one whose result does 422", depth),
    ("§8 the work of a PATCH is bounded", work),
];

fn specimen(api: &Api, fields: &Value) -> (Value, String) {
    let entity = created(api, fields);
    let target = path("specimens", &entity);
    (entity, target)
}

fn every_operation(api: &Api) {
    let (before, target) = specimen(api, &json!({ "labels": ["a", "b"], "note": "dry", "drawer": "D1" }));
    let operations = json!([
        { "op": "test", "path": "/note", "value": "dry" },
        { "op": "replace", "path": "/name", "value": "Beetle" },
        { "op": "add", "path": "/labels/1", "value": "c" },
        { "op": "add", "path": "/labels/-", "value": "d" },
        { "op": "remove", "path": "/labels/0" },
        { "op": "move", "from": "/note", "path": "/drawer" },
        { "op": "copy", "from": "/storage/shelf", "path": "/code" },
        { "op": "replace", "path": "/code", "value": "ABC-12" },
        { "op": "replace", "path": "/storage/shelf", "value": "B2" },
        { "op": "add", "path": "/value", "value": price("1.50", "PLN") },
    ]);
    let reply = api.patch(&target, &operations).is(200);
    let after = reply.json();
    assert_eq!(after["name"], "Beetle");
    assert_eq!(after["labels"], json!(["c", "b", "d"]));
    assert_eq!((&after["note"], &after["drawer"]), (&Value::Null, &json!("dry")));
    assert_eq!((&after["code"], &after["storage"]["shelf"]), (&json!("ABC-12"), &json!("B2")));
    assert_eq!(after["value"], price("1.50", "PLN"));
    assert_eq!((&after["id"], &after["createdAt"]), (&before["id"], &before["createdAt"]));
    let read = api.get(&target).is(200);
    assert_eq!(read.json(), after);
    assert_eq!(read.expect_header("etag"), reply.expect_header("etag"));
}

fn nothing_else(api: &Api) {
    let fields = json!({
        "size": 5, "measure": 0.1, "weight": "1.250", "foundAt": "2026-01-02T03:04:05.678Z", "lifespan": "P1DT2H",
        "parts": [{ "name": "Wing", "weight": "0.125", "materials": ["x"], "layers": [{ "colour": "WHITE" }] }],
        "insurance": price("12.00", "EUR"), "labels": ["a"], "bids": [price("1.00", "PLN")], "serial": 9_007_199_254_740_993_i64,
    });
    let (before, target) = specimen(api, &fields);
    let mut after = api.patch(&target, &json!([{ "op": "replace", "path": "/size", "value": 6 }])).is(200).json();
    assert_eq!(after["size"], 6);
    (after["size"], after["updatedAt"]) = (before["size"].clone(), before["updatedAt"].clone());
    assert_eq!(after, before);
    let same = api.patch(&target, &json!([])).is(200).json();
    assert_eq!(same["size"], 6);
}

/// Of numbers with 17 digits, a reader that rounds more than once gets one in ten wrong.
fn digits(api: &Api) {
    let numbers = [22.798621688074586, 0.9851613902303695, -0.09551278107041117];
    let (_, target) = specimen(api, &json!({ "measure": numbers[0], "samples": numbers }));
    let patched = api.patch(&target, &json!([{ "op": "replace", "path": "/size", "value": 6 }])).is(200);
    let [first, second, third] = numbers;
    for expected in [format!("\"measure\":{first},"), format!("\"samples\":[{first},{second},{third}]")] {
        assert!(patched.body.contains(&expected), "{expected}: {patched}");
    }
}

fn all_or_nothing(api: &Api) {
    let (before, target) = specimen(api, &json!({}));
    let operations = json!([
        { "op": "replace", "path": "/name", "value": "Beetle" },
        { "op": "remove", "path": "/labels/7" },
    ]);
    api.patch(&target, &operations).refused(&[("InvalidPatch", "labels.7")]);
    assert_eq!(api.get(&target).json(), before);
}

fn headers(api: &Api) {
    let (_, target) = specimen(api, &json!({}));
    let patch = || api.request("PATCH", &target).json(&json!([]));
    patch().without("accept").send().fails(406, "NotAcceptable");
    patch().header("content-type", "application/json-patch+json").send().fails(415, "UnsupportedMediaType");
    patch().without("content-type").send().fails(415, "UnsupportedMediaType");
    api.patch(&format!("/specimens/{NOBODY}"), &json!([])).fails(404, "ResourceNotFound");
    api.patch("/specimens", &json!([])).is(405);
    api.patch("/stock-entries/01890a5d-ac96-774b-bcce-b302099a8057", &json!([])).is(405);
}

fn validated(api: &Api) {
    let (before, target) = specimen(api, &json!({ "code": "ABC-01" }));
    created(api, &json!({ "code": "ABC-02" }));
    let operations = json!([
        { "op": "replace", "path": "/name", "value": "x" },
        { "op": "add", "path": "/tag", "value": { "id": NOBODY } },
        { "op": "replace", "path": "/code", "value": "ABC-02" },
        { "op": "remove", "path": "/storage" },
        { "op": "add", "path": "/nmae", "value": 1 },
    ]);
    api.patch(&target, &operations).refused(&[
        ("TooShort", "name"),
        ("NotUnique", "code"),
        ("NotFound", "tag.id"),
        ("Required", "storage"),
        ("UnknownProperty", "nmae"),
    ]);
    assert_eq!(api.get(&target).json(), before);
    // what was required and is gone is missing; what was not is as it is without it
    let removed = api.patch(&target, &json!([{ "op": "remove", "path": "/grade" }])).is(200).json();
    assert_eq!(removed["grade"], 3);
}

fn paths(api: &Api) {
    let (_, target) = specimen(api, &json!({ "labels": ["a"] }));
    for (operation, at) in [
        (json!({ "op": "replace", "path": "/labels/4", "value": "x" }), "labels.4"),
        (json!({ "op": "remove", "path": "/origin/place" }), "origin.place"),
        (json!({ "op": "move", "from": "/nothing", "path": "/name" }), "name"),
        (json!({ "op": "add", "path": "/labels/x", "value": "x" }), "labels.x"),
        (json!({ "op": "replace", "path": "/storage/a~1b", "value": 1 }), "storage.a/b"),
        (json!({ "op": "move", "from": "/storage", "path": "/storage/shelf" }), "storage.shelf"),
        (json!({ "op": "shout", "path": "/name" }), "name"),
        (json!({ "op": "add", "path": "/name" }), "name"),
    ] {
        let errors = api.patch(&target, &json!([operation])).refused(&[("InvalidPatch", at)]);
        assert_eq!(errors[0]["details"]["operation"], 0);
    }
    let late = json!([{ "op": "add", "path": "/size", "value": 1 }, { "op": "remove", "path": "/labels/9" }]);
    assert_eq!(api.patch(&target, &late).refused(&[("InvalidPatch", "labels.9")])[0]["details"]["operation"], 1);
}

fn no_patch(api: &Api) {
    let (_, target) = specimen(api, &json!({}));
    let send = |body: &str| api.request("PATCH", &target).body(body.as_bytes()).send();
    send("[{\"op\":\"add\"").fails(400, "MalformedJson");
    send("").fails(400, "MalformedJson");
    send("[{\"op\":\"add\",\"op\":\"add\",\"path\":\"/name\",\"value\":1}]").fails(400, "MalformedJson");
    send("{\"name\":\"Beetle\"}").fails(422, "WrongType");
    send("7").fails(422, "WrongType");
    send("[7]").fails(422, "InvalidPatch");
    send("[{\"op\":\"add\",\"path\":\"name\",\"value\":1}]").fails(422, "InvalidPatch");
    // the whole document is no object any more
    send("[{\"op\":\"replace\",\"path\":\"\",\"value\":7}]").is(422);
    // parameters first
    api.patch(&format!("{target}?x=1"), &json!({})).refused(&[("UnknownParameter", "x"), ("WrongType", "")]);
}

fn tests(api: &Api) {
    let (before, target) = specimen(api, &json!({ "size": 5 }));
    let operations = |size: Value| {
        json!([
            { "op": "test", "path": "/size", "value": size },
            { "op": "replace", "path": "/name", "value": "Beetle" },
        ])
    };
    api.patch(&target, &operations(json!(6))).refused(&[("TestFailed", "size")]);
    assert_eq!(api.get(&target).json(), before);
    assert_eq!(api.patch(&target, &operations(json!(5))).is(200).json()["name"], "Beetle");
    // numbers are equal by their value
    api.patch(&target, &json!([{ "op": "test", "path": "/readings", "value": [7] }])).is(200);
}

fn write_only(api: &Api) {
    let (_, target) = specimen(api, &json!({ "hint": "first" }));
    let set = |op: &str| json!([{ "op": op, "path": "/hint", "value": "other" }]);
    for op in ["add", "replace"] {
        let reply = api.patch(&target, &set(op)).is(200);
        assert!(reply.json().get("hint").is_none(), "{reply}");
    }
    api.patch(&target, &json!([{ "op": "replace", "path": "/hint", "value": "x".repeat(11) }]))
        .refused(&[("TooLong", "hint")]);
    api.patch(&target, &json!([{ "op": "test", "path": "/hint", "value": "other" }])).is(422);
}

fn read_only(api: &Api) {
    let (before, target) = specimen(api, &json!({ "registryNumber": "R-1" }));
    let operations = json!([
        { "op": "replace", "path": "/status", "value": "ARCHIVED" },
        { "op": "replace", "path": "/createdAt", "value": "2020-01-01T00:00:00.000Z" },
        { "op": "replace", "path": "/id", "value": NOBODY },
    ]);
    let after = api.patch(&target, &operations).is(200).json();
    for name in ["status", "createdAt", "id", "registryNumber"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    let other = json!([{ "op": "replace", "path": "/registryNumber", "value": "R-2" }]);
    api.patch(&target, &other).refused(&[("Immutable", "registryNumber")]);
}

fn if_match(api: &Api) {
    let (_, target) = specimen(api, &json!({}));
    let tag = api.get(&target).expect_header("etag");
    let patch = |tag: &str, size: u8| {
        let operations = json!([{ "op": "replace", "path": "/size", "value": size }]);
        api.request("PATCH", &target).json(&operations).header("if-match", tag).send()
    };
    let newer = patch(&tag, 1).is(200).expect_header("etag");
    patch(&tag, 2).fails(412, "PreconditionFailed");
    patch(&newer, 3).is(200);
    patch("*", 4).is(200);
    // what is invalid comes before what has changed
    api.request("PATCH", &target)
        .json(&json!([{ "op": "remove", "path": "/name" }]))
        .header("if-match", &tag)
        .send()
        .refused(&[("Required", "name")]);
    assert_eq!(api.get(&target).json()["size"], 4);
}

fn dry_run(api: &Api) {
    let (before, target) = specimen(api, &json!({}));
    let ask = |query: &str, value: &str| {
        api.patch(&format!("{target}?{query}"), &json!([{ "op": "replace", "path": "/name", "value": value }]))
    };
    assert_eq!(ask("dryRun=true", "Beetle").is(204).body, "");
    ask("dryRun=true", "x").refused(&[("TooShort", "name")]);
    ask("dryRun=true&include=size", "x").is(204);
    assert_eq!(api.get(&target).json(), before);
    ask("dryRun=false", "Beetle").is(200);
}

fn owners(api: &Api) {
    let [ann, bob] = ["Ann", "Bob"].map(|name| keeper(api, name));
    let entity = created(api, &json!({ "keeper": reference(&ann) }));
    let target = format!("/sale/specimens/{}", id(&entity));
    let operations = json!([{ "op": "replace", "path": "/costPrice", "value": price("3.00", "PLN") }]);
    let patch = |keeper: Option<&Value>, operations: &Value| {
        let request = api.request("PATCH", &target).json(operations);
        match keeper {
            Some(keeper) => request.header("authorization", &api.bearer(keeper, &[])).send(),
            None => request.send(),
        }
    };
    patch(None, &operations).fails(401, "Unauthenticated");
    patch(Some(&bob), &operations).fails(403, "Forbidden");
    assert_eq!(patch(Some(&ann), &operations).is(200).json()["costPrice"], price("3.00", "PLN"));
    // giving it away takes more than owning it
    patch(Some(&ann), &json!([{ "op": "replace", "path": "/keeper/id", "value": id(&bob) }])).fails(403, "Forbidden");
    // the public resource has no such field
    api.patch(&path("specimens", &entity), &operations).refused(&[("UnknownProperty", "costPrice")]);
    assert_eq!(patch(Some(&ann), &json!([])).is(200).json()["costPrice"], price("3.00", "PLN"));
}

fn versions(api: &Api) {
    let (_, target) = specimen(api, &json!({}));
    let operations = json!([{ "op": "replace", "path": "/habitat", "value": "pond" }]);
    api.patch(&target, &operations).refused(&[("UnknownProperty", "habitat")]);
    let patch = || api.request("PATCH", &target).json(&operations).header("content-type", BETA);
    let reply = patch().header("accept", BETA).send().is(200);
    assert_eq!(reply.json()["habitat"], "pond");
    assert_eq!(reply.expect_header("content-type"), BETA);
    // asked in one version, answered in the other
    let reply = patch().send().is(200);
    assert!(reply.json().get("habitat").is_none());
    api.patch(&target, &json!([{ "op": "replace", "path": "/size", "value": 1 }])).is(200);
    assert_eq!(api.request("GET", &target).header("accept", BETA).send().json()["habitat"], "pond");
}

fn later(api: &Api) {
    let tag = api.create("/tags", &json!({ "name": "old" }));
    let reply =
        api.patch(&path("later-tags", &tag), &json!([{ "op": "replace", "path": "/name", "value": "new" }])).is(202);
    assert_eq!(reply.body, "");
    assert_eq!(reply.expect_header("location"), path("tags", &tag));
    let mut tries = 0;
    while api.get(&path("tags", &tag)).json()["name"] != "new" {
        tries += 1;
        assert!(tries < 2000, "it is not done");
        thread::sleep(std::time::Duration::from_millis(5));
    }
    let blank = json!([{ "op": "remove", "path": "/name" }]);
    api.patch(&path("later-tags", &tag), &blank).refused(&[("Required", "name")]);
}

fn deprecation(api: &Api) {
    let (_, target) = specimen(api, &json!({ "legacyCode": "L1" }));
    let patch = |name: &str, value: Value| {
        api.patch(&target, &json!([{ "op": "replace", "path": format!("/{name}"), "value": value }])).is(200)
    };
    assert!(patch("size", json!(1)).header("deprecation").is_none());
    let reply = patch("legacyCode", json!("L2"));
    assert!(reply.header("deprecation").is_some() && reply.header("sunset").is_some(), "{reply}");
    assert!(patch("legacyCode", Value::Null).header("deprecation").is_none());
}

fn together(api: &Api) {
    let (_, target) = specimen(api, &json!({ "labels": [] }));
    let fields = ["size", "serial", "grade", "position", "ticket"];
    thread::scope(|scope| {
        for field in fields {
            let target = &target;
            scope.spawn(move || {
                // so often that a patch which gave up soon would be found
                for value in 1..=40 {
                    api.patch(target, &json!([{ "op": "replace", "path": format!("/{field}"), "value": value }]))
                        .is(200);
                }
            });
        }
    });
    let after = api.get(&target).is(200).json();
    for field in fields {
        assert_eq!(after[field], 40, "{field}: {after}");
    }
}

fn bounded(api: &Api) {
    let (_, target) = specimen(api, &json!({}));
    let many: Vec<_> = (0..1001).map(|_| json!({ "op": "replace", "path": "/size", "value": 1 })).collect();
    api.patch(&target, &json!(many[..1000])).is(200);
    api.patch(&target, &json!(many)).fails(422, "TooManyItems");
    // each copy doubles what is there
    let mut doubling = vec![json!({ "op": "add", "path": "/labels", "value": ["x".repeat(1000)] })];
    doubling.extend((0..60).map(|_| json!({ "op": "copy", "from": "/labels", "path": "/labels/-" })));
    api.patch(&target, &json!(doubling)).refused(&[("InvalidPatch", "labels.-")]);
}

fn below_unknown(api: &Api) {
    let (_, target) = specimen(api, &json!({}));
    let add = json!({ "op": "add", "path": "/nmae", "value": [1, 2] });
    let below = json!({ "op": "remove", "path": "/nmae/0" });
    api.patch(&target, &json!([add, below, { "op": "remove", "path": "/name" }]))
        .refused(&[("UnknownProperty", "nmae")]);
    let beneath = json!({ "op": "add", "path": "/storage/room/number", "value": 1 });
    api.patch(&target, &json!([beneath])).refused(&[("UnknownProperty", "storage.room")]);
    let from = json!({ "op": "copy", "from": "/nmae", "path": "/size" });
    api.patch(&target, &json!([add, from])).refused(&[("UnknownProperty", "nmae")]);
    // one that comes and goes does no harm
    api.patch(&target, &json!([add, { "op": "remove", "path": "/nmae" }])).is(200);
}

fn depth(api: &Api) {
    let (before, target) = specimen(api, &json!({}));
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let add =
        |path: &str, levels: usize| format!("{{\"op\":\"add\",\"path\":\"{path}\",\"value\":{}}}", nested(levels));
    let send = |body: String| api.request("PATCH", &target).body(body.as_bytes()).send();
    // the array of operations and the operation are two levels more
    send(format!("[{}]", add("/labels", 63))).fails(400, "MalformedJson");
    send(format!("[{}]", add("/labels", 62))).is(422);
    let below = format!("/labels{}", "/0".repeat(40));
    let deep = format!("[{},{}]", add("/labels", 41), add(&below, 30));
    let errors = send(deep).refused(&[("InvalidPatch", &below[1..].replace('/', "."))]);
    assert_eq!(errors[0]["details"]["operation"], 1);
    assert_eq!(api.get(&target).json(), before);
}

fn work(api: &Api) {
    let (before, target) = specimen(api, &json!({}));
    let numbers = vec![0; 400_000];
    for property in ["readings", "nowhere"] {
        let mut operations = vec![json!({ "op": "add", "path": format!("/{property}"), "value": numbers })];
        operations.resize(1000, json!({ "op": "remove", "path": format!("/{property}/0") }));
        let errors = api.patch(&target, &json!(operations)).is(422).errors();
        let code = if property == "readings" { "InvalidPatch" } else { "UnknownProperty" };
        assert_eq!(errors[0]["code"], code, "{property}");
    }
    assert_eq!(api.get(&target).json(), before);
}
