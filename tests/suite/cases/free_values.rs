//! Maps and JSON of any form: what clients describe themselves is kept, shown and changed as a value.

use crate::Case;
use crate::client::{Api, BETA};
use crate::specimen::{accepts, created, id, keeps, path, price, refuses, refuses_all, specimen};
use crate::stream::Stream;
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§2.4 maps are rendered as they are sent, their values in the form of their type", maps),
    ("§2.4 JSON of any form is rendered as it is sent", any_json),
    ("§2.4 numbers in JSON of any form keep their digits", digits),
    ("§2.4.1 a map is {} and JSON null where they are omitted, if they have no default", omitted),
    ("§7.1 a fault in a map or in JSON has a path", faults),
    ("§4.2 PATCH goes into maps and JSON", patched),
    ("§4.3 include names a map, and what is in an object", dry_runs),
    ("Commands: a handler that saves an entity keeps the digits of its JSON", saved),
    ("§2.6 commands take and give maps and JSON", commands),
    ("Commands: a fault in a map or in JSON among the inputs has a path", faulty_inputs),
    ("Asynchronous operations: maps and JSON are kept until it is done", later),
    ("Events: data has maps and JSON", events),
    ("Replacing: immutable JSON is compared as a value", immutable),
    ("§9 every version has maps and JSON", versions),
];

fn maps(api: &Api) {
    keeps(api, "traits", &[json!({}), json!({ "shiny": "yes" }), json!({ "b": "2", "a": "1", "c": "3" })]);
    keeps(api, "moods", &[json!({ "Mon": "DARK_RED", "a.b/c~d é": "WHITE" })]);
    accepts(
        api,
        "scores",
        &[(json!({ "first": "1.5", "2nd": "0" }), json!({ "2nd": "0.000", "first": "1.500" })), (json!({}), json!({}))],
    );
    accepts(api, "fees", &[(json!({ "entry": price("5", "PLN") }), json!({ "entry": price("5.00", "PLN") }))]);
    keeps(api, "measurements", &[json!([]), json!([{ "a": 1.5 }, { "b": -2.0, "c": 1e300 }])]);
    let examination = json!({ "settings": [1], "traits": { "a": "b" } });
    let body = created(api, &json!({ "firstExamination": examination, "examinations": [examination, {}] }));
    for shown in [&body["firstExamination"], &body["examinations"][0]] {
        assert_eq!((&shown["settings"], &shown["traits"]), (&examination["settings"], &examination["traits"]));
    }
    let empty = &body["examinations"][1];
    assert_eq!((&empty["settings"], &empty["traits"]), (&Value::Null, &json!({})));
}

fn any_json(api: &Api) {
    let values = [
        json!(false),
        json!(0),
        json!(""),
        json!(" "),
        json!([]),
        json!({}),
        json!({ "b": [1, { "a": null }], "a": "é" }),
    ];
    for field in ["settings", "theme", "fingerprint"] {
        // what is immutable can be given once
        let given = values.iter().map(|value| (value, created(api, &json!({ field: value }))));
        given.for_each(|(value, entity)| assert_eq!(&entity[field], value, "{field}"));
    }
    keeps(api, "settings", &values);
    let parts = json!([{ "name": "lid", "details": { "screws": [2, 2.5] } }, { "name": "box" }]);
    let entity = created(api, &json!({ "parts": parts, "formula": { "secret": 1 } }));
    assert_eq!(entity["parts"][0]["details"], parts[0]["details"]);
    assert_eq!(entity["parts"][1]["details"], Value::Null);
    assert_eq!(entity.get("formula"), None, "write-only");
}

const NUMBERS: &str = "[1.50,-0,1E5,12345678901234567890123.4500]";

/// The path of a specimen with these numbers.
fn with_numbers(api: &Api) -> String {
    let body = specimen(&json!({ "settings": "N", "parts": [{ "name": "lid", "details": "N" }] }));
    let body = body.to_string().replace("\"N\"", NUMBERS);
    let reply = api.request("POST", "/specimens").body(body.as_bytes()).send().is(201);
    shows_numbers(&reply.body);
    path("specimens", &reply.json())
}

#[track_caller]
fn shows_numbers(body: &str) {
    for name in ["settings", "details"] {
        assert!(body.contains(&format!("\"{name}\":{NUMBERS}")), "{name} in {body}");
    }
}

fn digits(api: &Api) {
    let target = with_numbers(api);
    shows_numbers(&api.get(&target).is(200).body);
    shows_numbers(&api.patch(&target, &json!([{ "op": "replace", "path": "/name", "value": "Jet" }])).is(200).body);
}

fn saved(api: &Api) {
    let target = with_numbers(api);
    let command = format!("{target}/treat-commands/01890a5d-ac96-774b-bcce-b302099a8101");
    api.put(&command, &json!({ "how": "COUNT" })).is(201);
    api.wait(&command, |reply| reply.json()["status"] == "SUCCESSFUL");
    let entity = api.get(&target).is(200);
    assert_eq!(entity.json()["status"], "ARCHIVED");
    shows_numbers(&entity.body);
}

fn omitted(api: &Api) {
    let entity = created(api, &json!({}));
    for name in ["traits", "moods", "fees"] {
        assert_eq!(entity[name], json!({}), "{name}");
    }
    for name in ["settings", "fingerprint"] {
        assert_eq!(entity[name], Value::Null, "{name}");
    }
    assert_eq!((&entity["scores"], &entity["theme"]), (&json!({ "first": "1.000" }), &json!({ "dark": true })));
    let nulls = json!({ "traits": null, "moods": null, "settings": null, "theme": null });
    let entity = created(api, &nulls);
    assert_eq!((&entity["traits"], &entity["settings"], &entity["theme"]), (&json!({}), &Value::Null, &Value::Null));
    api.post("/specimens", &specimen(&json!({ "scores": null }))).refused(&[("Required", "scores")]);
}

fn faults(api: &Api) {
    refuses_all(api, "traits", "WrongType", &[json!([]), json!("a"), json!(1)]);
    refuses(
        api,
        "traits",
        &[
            (json!({ "A": "x" }), "NameMismatch", "A"),
            (json!({ "": "x" }), "InvalidName", ""),
            (json!({ "a": "12345678901" }), "TooLong", "a"),
            (json!({ "a": null }), "Required", "a"),
            (json!({ "a": " " }), "Required", "a"),
            (json!({ "a": "1", "b": "2", "c": "3", "d": "4" }), "TooManyItems", ""),
        ],
    );
    refuses(api, "scores", &[(json!({ "a": "-1" }), "TooSmall", "a"), (json!({ "a": "x" }), "InvalidDecimal", "a")]);
    refuses(api, "moods", &[(json!({ "a": "GREEN" }), "UnknownValue", "a")]);
    refuses(api, "fees", &[(json!({ "a": { "amount": "1" } }), "Required", "a.currency")]);
    refuses(api, "measurements", &[(json!([{}]), "TooFewItems", "0"), (json!([{ "a": "1" }]), "WrongType", "0.a")]);
    refuses(
        api,
        "settings",
        &[(json!("x".repeat(99)), "TooManyBytes", ""), (json!({ "a": ["\u{0}"] }), "InvalidText", "a.0")],
    );
    let deep = (0..33).fold(json!(1), |inner, _| json!([inner]));
    let reply = api.post("/specimens", &specimen(&json!({ "theme": deep }))).is(422);
    assert_eq!(reply.errors()[0]["code"], "TooDeep");
    let examination = json!({ "traits": { "a": "b", "B": "c" }, "settings": "x".repeat(99) });
    api.post("/specimens", &specimen(&json!({ "examinations": [examination] })))
        .refused(&[("TooManyBytes", "examinations.0.settings"), ("NameMismatch", "examinations.0.traits.B")]);
}

fn patched(api: &Api) {
    let entity = created(api, &json!({ "traits": { "a": "x" }, "settings": { "deep": [1, 2] }, "formula": 1 }));
    let target = path("specimens", &entity);
    let operations = json!([
        { "op": "test", "path": "/settings/deep/1", "value": 2 },
        { "op": "add", "path": "/traits/b", "value": "y" },
        { "op": "remove", "path": "/traits/a" },
        { "op": "replace", "path": "/settings/deep/0", "value": { "now": null } },
        { "op": "add", "path": "/moods/any~1thing", "value": "WHITE" },
        { "op": "copy", "from": "/settings/deep", "path": "/theme" },
    ]);
    let changed = api.patch(&target, &operations).is(200).json();
    assert_eq!(changed["traits"], json!({ "b": "y" }));
    assert_eq!(changed["settings"], json!({ "deep": [{ "now": null }, 2] }));
    assert_eq!(
        (&changed["moods"], &changed["theme"]),
        (&json!({ "any/thing": "WHITE" }), &changed["settings"]["deep"])
    );
    let operations = json!([{ "op": "add", "path": "/traits/B", "value": "y" }]);
    api.patch(&target, &operations).refused(&[("NameMismatch", "traits.B")]);
    let operations = json!([{ "op": "remove", "path": "/settings" }, { "op": "remove", "path": "/traits" }]);
    let changed = api.patch(&target, &operations).is(200).json();
    assert_eq!((&changed["settings"], &changed["traits"]), (&Value::Null, &json!({})));
}

fn dry_runs(api: &Api) {
    let wrong = json!({ "name": "", "traits": { "A": "x" }, "settings": "x".repeat(99) });
    let asked = |include: &str| api.post(&format!("/specimens?dryRun=true&{include}"), &wrong);
    asked("include=traits").refused(&[("NameMismatch", "traits.A")]);
    asked("include=settings").refused(&[("TooManyBytes", "settings")]);
    asked("include=theme&include=scores").is(204);
    let nested = json!({ "firstExamination": { "traits": { "A": "x" }, "size": -1 } });
    let include = "/specimens?dryRun=true&include=firstExamination.traits";
    api.post(include, &nested).refused(&[("NameMismatch", "firstExamination.traits.A")]);
    assert_eq!(api.get("/specimens?limit=0").is(200).json()["count"], 0);
}

fn commands(api: &Api) {
    let entity = created(api, &json!({}));
    let target = path("specimens", &entity);
    let command = format!("{target}/treat-commands/01890a5d-ac96-774b-bcce-b302099a8102");
    let (traits, settings) = (json!({ "shiny": "very", "a": "b" }), json!({ "b": [1.5, null], "a": {} }));
    let input = json!({ "how": "DESCRIBE", "traits": traits, "settings": settings });
    let accepted = api.put(&command, &input).is(201).json();
    assert_eq!((&accepted["traits"], &accepted["settings"]), (&traits, &settings));
    assert_eq!((&accepted["scores"], &accepted["receipt"]), (&json!({}), &Value::Null), "not known yet");
    let done = api.wait(&command, |reply| reply.json()["status"] != "RUNNING").json();
    assert_eq!((&done["status"], &done["errors"]), (&json!("SUCCESSFUL"), &json!([])));
    assert_eq!((&done["scores"], &done["receipt"]), (&json!({ "a": 1, "shiny": 4 }), &settings));
    let entity = api.get(&target).is(200).json();
    assert_eq!((&entity["traits"], &entity["settings"]), (&traits, &settings));
    // another order of names is the same command
    api.request("PUT", &command)
        .body(br#"{"settings":{"a":{},"b":[1.5,null]},"traits":{"a":"b","shiny":"very"},"how":"DESCRIBE"}"#)
        .send()
        .is(201);
    let other = json!({ "how": "DESCRIBE", "traits": traits, "settings": { "b": [1.5, 0], "a": {} } });
    api.put(&command, &other).refused(&[("CommandIdUsed", "commandId")]);
    let command = format!("{target}/treat-commands/01890a5d-ac96-774b-bcce-b302099a8103");
    let omitted = api.put(&command, &json!({ "how": "COUNT" })).is(201).json();
    assert_eq!((&omitted["traits"], &omitted["settings"]), (&json!({}), &Value::Null));
}

fn faulty_inputs(api: &Api) {
    let entity = created(api, &json!({}));
    let command = format!("{}/treat-commands/01890a5d-ac96-774b-bcce-b302099a8104", path("specimens", &entity));
    let input = json!({ "how": "COUNT", "traits": { "a": 1 }, "settings": "x".repeat(99) });
    for target in [format!("{command}?dryRun=true"), command] {
        api.put(&target, &input).refused(&[("WrongType", "traits.a"), ("TooManyBytes", "settings")]);
    }
}

fn later(api: &Api) {
    let attributes = json!({ "size": 1.5, "parts": [{ "a": null }], "é": "" });
    let reply = api.post("/later-tags", &json!({ "name": "old", "attributes": attributes })).is(202);
    let location = reply.expect_header("location");
    assert_eq!(api.wait(&location, |reply| reply.status == 200).json()["attributes"], attributes);
    let patch = json!([{ "op": "replace", "path": "/attributes/size", "value": "big" }]);
    api.patch(&location.replace("/tags/", "/later-tags/"), &patch).is(202);
    let changed = api.wait(&location, |reply| reply.json()["attributes"]["size"] == "big").json();
    assert_eq!(changed["attributes"], json!({ "size": "big", "parts": [{ "a": null }], "é": "" }));
    let null = json!({ "name": "new", "attributes": { "a": null } });
    api.post("/later-tags", &null).refused(&[("Required", "attributes.a")]);
}

fn events(api: &Api) {
    let mut stream = Stream::open(&api.events("/events"));
    let tag = api.create("/tags", &json!({ "name": "old", "attributes": { "b": [1, {}], "a": 1.5 } }));
    let event = stream.event();
    assert_eq!((event.kind.as_str(), &event.json["data"]), ("specimen.tag.created", &tag));
    api.put(&path("tags", &tag), &json!({ "name": "old" })).is(200);
    let event = stream.event();
    assert_eq!((&event.json["subject"], &event.json["data"]["attributes"]), (&json!(id(&tag)), &json!({})));
    let entity = created(api, &json!({ "traits": { "a": "b" }, "settings": [null], "formula": 1 }));
    assert_eq!(stream.event().json["data"], entity);
}

fn immutable(api: &Api) {
    let entity = created(api, &json!({ "fingerprint": { "a": 1, "b": [true] } }));
    let target = path("specimens", &entity);
    let body = specimen(&json!({ "fingerprint": "F" })).to_string();
    let put = |value: &str| {
        let body = body.replace("\"F\"", value);
        api.request("PUT", &target).body(body.as_bytes()).send()
    };
    put(r#"{ "b": [true], "a": 1 }"#).is(200);
    put(r#"{"a":1,"b":[false]}"#).refused(&[("Immutable", "fingerprint")]);
    assert_eq!(api.put(&target, &specimen(&json!({}))).is(200).json()["fingerprint"], entity["fingerprint"]);
}

fn versions(api: &Api) {
    let fields = json!({ "traits": { "a": "b" }, "settings": { "x": 1 } });
    let request = api.request("POST", "/specimens").header("accept", BETA).header("content-type", BETA);
    let entity = request.json(&specimen(&fields)).send().is(201).json();
    let entity = api.get(&path("specimens", &entity)).is(200).json();
    assert_eq!((&entity["traits"], &entity["settings"]), (&fields["traits"], &fields["settings"]));
}
