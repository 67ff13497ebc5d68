//! §2.6, §3, §4.7, and the decision "Commands".

use super::rules_in_the_schema::exhibition;
use crate::Case;
use crate::client::{Api, PUBLIC, Reply};
use crate::exhibitions;
use crate::specimen::{NOBODY, created, id, keeper, path, reference};
use crate::stream::Stream;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

pub(super) const CASES: &[Case] = &[
    ("§4.7 PUT answers 201 with the command, RUNNING, and its Location", accepted),
    ("§3 a command that is done is SUCCESSFUL, with its output", successful),
    ("§3 the same command sent again is done once", done_once),
    ("§3 32 clients send one command at once: 201 each, done once", at_once),
    ("§3 a command that fails is FAILED, with errors, and does nothing", failed),
    ("§2.6 the input is echoed with its defaults, null and write-only as in entities", echoed),
    ("Commands: another body, type or target with a known id is 422 CommandIdUsed", id_used),
    ("Commands: an id that is not a UUID is 422 at commandId, and 404 on GET", no_uuid),
    ("Commands: a panic is FAILED InternalError", panicking),
    ("Commands: past its timeout a command is FAILED Timeout", hanging),
    ("Commands: an unexpected error is FAILED InternalError, without its reason", trouble),
    ("Commands: what the store refuses fails the command", clashing),
    ("Commands: what breaks the resource's constraints fails the command", wrong),
    ("Commands: a handler reads what it wrote", reads_back),
    ("Commands: a command may delete its entity, and is seen all the same", vanishing),
    ("Commands: a handler that is not written answers 501", not_written),
    ("Commands: target 404, 403, 501, then 422", order),
    ("Commands: all that is wrong is listed together", all_problems),
    ("Commands: a dry run is 204 and does nothing", dry_run),
    ("Commands: one without required input needs no body", without_body),
    ("§6 the changes of status are events", events),
    ("Caching: a command has an entity tag", tagged),
];

const FIRST: &str = "01890a5d-ac96-774b-bcce-b302099a8101";
const SECOND: &str = "01890a5d-ac96-774b-bcce-b302099a8102";

fn target(specimen: &Value, command: &str) -> String {
    format!("{}/treat-commands/{command}", path("specimens", specimen))
}

fn treat(api: &Api, specimen: &Value, command: &str, input: &Value) -> Reply {
    api.put(&target(specimen, command), input)
}

/// The command once it is not RUNNING any more.
#[track_caller]
fn ended(api: &Api, specimen: &Value, command: &str) -> Value {
    let begun = Instant::now();
    loop {
        let found = api.get(&target(specimen, command)).is(200).json();
        if found["status"] != "RUNNING" {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{found}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How the command ends.
#[track_caller]
fn outcome(api: &Api, specimen: &Value, how: &str) -> Value {
    treat(api, specimen, FIRST, &json!({ "how": how })).is(201);
    ended(api, specimen, FIRST)
}

#[track_caller]
fn error(command: &Value) -> &Value {
    assert_eq!(command["status"], "FAILED", "{command}");
    let errors = command["errors"].as_array().expect("an array");
    assert_eq!(errors.len(), 1, "{command}");
    for key in ["message", "code", "details", "path", "userMessage"] {
        assert!(errors[0].get(key).is_some(), "{command}");
    }
    &errors[0]
}

fn accepted(api: &Api) {
    let specimen = created(api, &json!({}));
    let reply = treat(api, &specimen, FIRST, &json!({ "how": "COUNT" })).is(201);
    assert_eq!(reply.expect_header("location"), target(&specimen, FIRST));
    assert_eq!(reply.expect_header("content-type"), PUBLIC);
    let command = reply.json();
    assert_eq!(command["id"], FIRST);
    assert_eq!(command["status"], "RUNNING");
    assert_eq!(command["how"], "COUNT");
    assert_eq!(command["totalCount"], Value::Null, "null until it is known");
    assert_eq!(command["colours"], json!([]));
    assert_eq!(command["errors"], json!([]));
    assert_eq!(command["createdAt"], command["updatedAt"]);
}

fn successful(api: &Api) {
    let specimen = created(api, &json!({ "size": 5 }));
    let command = outcome(api, &specimen, "COUNT");
    assert_eq!(command["status"], "SUCCESSFUL", "{command}");
    assert_eq!(command["totalCount"], 6);
    assert_eq!(command["colours"], json!(["WHITE"]));
    assert_eq!(command["errors"], json!([]));
    let after = api.get(&path("specimens", &specimen)).is(200).json();
    assert_eq!(after["size"], 6);
    assert_eq!(after["status"], "ARCHIVED", "a handler sets what is read-only for clients");
    assert_eq!(after["createdAt"], specimen["createdAt"]);
}

fn done_once(api: &Api) {
    let specimen = created(api, &json!({ "size": 0 }));
    for _ in 0..3 {
        treat(api, &specimen, FIRST, &json!({ "how": "COUNT" })).is(201);
    }
    let done = ended(api, &specimen, FIRST);
    let again = treat(api, &specimen, FIRST, &json!({ "how": "COUNT" })).is(201);
    assert_eq!(again.json(), done, "as it is now");
    assert_eq!(again.expect_header("location"), target(&specimen, FIRST));
    assert_eq!(api.get(&path("specimens", &specimen)).json()["size"], 1);
}

fn at_once(api: &Api) {
    let specimen = created(api, &json!({ "size": 0 }));
    std::thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| treat(api, &specimen, FIRST, &json!({ "how": "COUNT" })).is(201));
        }
    });
    assert_eq!(ended(api, &specimen, FIRST)["totalCount"], 1);
    assert_eq!(api.get(&path("specimens", &specimen)).json()["size"], 1);
}

fn without_body(api: &Api) {
    let begun = &api.of(exhibitions::service);
    let made = exhibition(begun, &json!({ "startsAt": "2027-03-01T00:00:00.000Z" }));
    let target = |command: &str, id: &str| format!("{}/{command}-commands/{id}", path("exhibitions", &made));
    let open = target("open", FIRST);
    begun.request("PUT", &(open.clone() + "?dryRun=true")).send().is(204);
    let command = begun.request("PUT", &open).send().is(201).json();
    assert_eq!(command["id"], FIRST);
    begun.wait(&open, |reply| reply.json()["status"] == "SUCCESSFUL");
    // no body, an empty one and one without members are the same
    let same = |reply: Reply| assert_eq!(reply.is(201).json()["createdAt"], command["createdAt"]);
    same(begun.request("PUT", &open).header("content-length", "0").send());
    same(begun.request("PUT", &open).body(b"").send());
    same(begun.put(&open, &json!({})));
    // what is sent is read as before
    let close = target("close", SECOND);
    let put = || begun.request("PUT", &close);
    put().body(b"{}").without("content-type").send().fails(415, "UnsupportedMediaType");
    put().body(b"").header("content-type", "text/plain").send().fails(415, "UnsupportedMediaType");
    put().body(b" ").send().fails(400, "MalformedJson");
    put().json(&json!({ "unheardOf": 1 })).send().is(422);
    // where input is required, nothing changes
    let extend = || begun.request("PUT", &target("extend", SECOND));
    extend().send().fails(415, "UnsupportedMediaType");
    extend().body(b"").send().fails(400, "MalformedJson");
}

fn failed(api: &Api) {
    let specimen = created(api, &json!({ "size": 5 }));
    let command = outcome(api, &specimen, "REFUSE");
    let error = error(&command);
    assert_eq!(error["code"], "TooMuch");
    assert_eq!(error["path"], "amount");
    assert_eq!(error["details"], json!({ "most": 0 }));
    assert_eq!(error["message"], "is more than the 0 that are left");
    assert_eq!(command["totalCount"], Value::Null);
    assert_eq!(api.get(&path("specimens", &specimen)).json(), specimen, "nothing of it stays");
}

fn echoed(api: &Api) {
    let specimen = created(api, &json!({}));
    let tag = api.create("/tags", &json!({ "name": "old" }));
    let input = json!({ "how": "COUNT", "tag": { "id": id(&tag), "name": "ignored" }, "password": "hidden" });
    let command = treat(api, &specimen, FIRST, &input).is(201).json();
    assert_eq!(command["tag"], reference(&tag));
    assert_eq!(command["amount"], 1, "the default");
    assert_eq!(command.get("password"), None);
    let command = treat(api, &specimen, SECOND, &json!({ "how": "COUNT", "amount": 2 })).is(201).json();
    assert_eq!(command["tag"], Value::Null);
    assert_eq!(command["amount"], 2);
}

fn id_used(api: &Api) {
    let specimen = created(api, &json!({}));
    treat(api, &specimen, FIRST, &json!({ "how": "COUNT" })).is(201);
    let refused = [("CommandIdUsed", "commandId")];
    treat(api, &specimen, FIRST, &json!({ "how": "REFUSE" })).refused(&refused);
    treat(api, &specimen, FIRST, &json!({ "how": "COUNT", "password": "another" })).refused(&refused);
    let other = created(api, &json!({ "name": "Beetle" }));
    treat(api, &other, FIRST, &json!({ "how": "COUNT" })).refused(&refused);
    api.get(&target(&other, FIRST)).fails(404, "ResourceNotFound");
    // the same to the last detail, written otherwise
    treat(api, &specimen, FIRST, &json!({ "amount": 1, "tag": null, "how": "COUNT" })).is(201);
}

fn no_uuid(api: &Api) {
    let specimen = created(api, &json!({}));
    for command in ["first", "1", "01890A5D-AC96-774B-BCCE-B302099A8101"] {
        treat(api, &specimen, command, &json!({ "how": "COUNT" })).refused(&[("InvalidUuid", "commandId")]);
        api.get(&target(&specimen, command)).fails(404, "ResourceNotFound");
    }
    api.get(&target(&specimen, FIRST)).fails(404, "ResourceNotFound");
}

fn panicking(api: &Api) {
    let specimen = created(api, &json!({}));
    assert_eq!(error(&outcome(api, &specimen, "PANIC"))["code"], "InternalError");
    assert_eq!(treat(api, &specimen, SECOND, &json!({ "how": "COUNT" })).status, 201);
    assert_eq!(ended(api, &specimen, SECOND)["status"], "SUCCESSFUL", "others go on");
}

fn hanging(api: &Api) {
    let specimen = created(api, &json!({}));
    assert_eq!(error(&outcome(api, &specimen, "HANG"))["code"], "Timeout");
}

fn trouble(api: &Api) {
    let specimen = created(api, &json!({}));
    let command = outcome(api, &specimen, "TROUBLE");
    assert_eq!(error(&command)["code"], "InternalError");
    assert!(!command.to_string().contains("secret"), "{command}");
}

fn clashing(api: &Api) {
    let specimen = created(api, &json!({ "code": "ABC-01" }));
    let command = outcome(api, &specimen, "CLASH");
    assert_eq!(error(&command)["code"], "NotUnique");
    assert_eq!(error(&command)["path"], "code");
    assert_eq!(api.get("/specimens").json()["count"], 1);
}

fn wrong(api: &Api) {
    let specimen = created(api, &json!({}));
    let command = outcome(api, &specimen, "WRONG");
    assert_eq!(error(&command)["code"], "TooLong");
    assert_eq!(error(&command)["path"], "name");
}

fn reads_back(api: &Api) {
    let specimen = created(api, &json!({}));
    treat(api, &specimen, FIRST, &json!({ "how": "READ_BACK", "amount": 3 })).is(201);
    assert_eq!(ended(api, &specimen, FIRST)["totalCount"], 3);
    assert_eq!(api.get("/tags").json()["count"], 3);
}

fn vanishing(api: &Api) {
    let specimen = created(api, &json!({}));
    let command = outcome(api, &specimen, "VANISH");
    assert_eq!(command["status"], "SUCCESSFUL", "{command}");
    api.get(&path("specimens", &specimen)).fails(404, "ResourceNotFound");
    assert_eq!(treat(api, &specimen, FIRST, &json!({ "how": "VANISH" })).is(201).json(), command);
    treat(api, &specimen, SECOND, &json!({ "how": "VANISH" })).fails(404, "ResourceNotFound");
}

fn not_written(api: &Api) {
    let keeper = keeper(api, "Ann");
    let specimen = created(api, &json!({ "keeper": reference(&keeper) }));
    let released = format!("{}/release-commands/{FIRST}", path("specimens", &specimen));
    let bearer = api.bearer(&keeper, &[]);
    let put = || api.request("PUT", &released).json(&json!({}));
    put().send().fails(401, "Unauthenticated");
    put().header("authorization", &bearer).send().fails(501, "NotReady");
    let archived = format!("{}/archive-commands/{FIRST}", path("specimens", &specimen));
    api.put(&archived, &json!({ "reason": "old" })).fails(501, "NotReady");
}

fn order(api: &Api) {
    let (ann, ben) = (keeper(api, "Ann"), keeper(api, "Ben"));
    let specimen = created(api, &json!({ "keeper": reference(&ann) }));
    let released = |specimen: &str| format!("/specimens/{specimen}/release-commands/{FIRST}");
    let put = |specimen: &str, keeper: &Value, body: &Value| {
        let request = api.request("PUT", &released(specimen)).json(body);
        request.header("authorization", &api.bearer(keeper, &[])).send()
    };
    let faulty = json!({ "unknown": 1 });
    put(NOBODY, &ben, &faulty).fails(404, "ResourceNotFound");
    put(id(&specimen), &ben, &faulty).fails(403, "Forbidden");
    put(id(&specimen), &ann, &faulty).fails(501, "NotReady");
    treat(api, &specimen, FIRST, &faulty).refused(&[("Required", "how"), ("UnknownProperty", "unknown")]);
    let malformed = api.request("PUT", &target(&specimen, FIRST)).body(b"{").send();
    malformed.fails(400, "MalformedJson");
    for method in ["POST", "DELETE", "PATCH"] {
        api.request(method, &target(&specimen, FIRST)).send().fails(405, "MethodNotAllowed");
    }
}

fn all_problems(api: &Api) {
    let specimen = created(api, &json!({}));
    let body = json!({ "amount": 0, "tag": { "id": NOBODY }, "other": 1 });
    let reply = api.put(&format!("{}?colour=RED", target(&specimen, "no-uuid")), &body);
    reply.refused(&[
        ("UnknownParameter", "colour"),
        ("InvalidUuid", "commandId"),
        ("Required", "how"),
        ("NotFound", "tag.id"),
        ("TooSmall", "amount"),
        ("UnknownProperty", "other"),
    ]);
}

fn dry_run(api: &Api) {
    let specimen = created(api, &json!({}));
    let tried = format!("{}?dryRun=true", target(&specimen, FIRST));
    assert_eq!(api.put(&tried, &json!({ "how": "COUNT" })).is(204).body, "");
    api.put(&tried, &json!({ "how": "COUNT", "tag": { "id": NOBODY } })).refused(&[("NotFound", "tag.id")]);
    api.put(&format!("{tried}&include=amount"), &json!({ "amount": 5 })).is(204);
    api.get(&target(&specimen, FIRST)).fails(404, "ResourceNotFound");
    assert_eq!(api.get(&path("specimens", &specimen)).json(), specimen);
}

fn events(api: &Api) {
    let specimen = created(api, &json!({}));
    let mut stream = Stream::open(&api.events("/events"));
    treat(api, &specimen, FIRST, &json!({ "how": "COUNT" })).is(201);
    let running = stream.event();
    assert_eq!(running.kind, "specimen.specimen.treat-command.running");
    assert_eq!(running.json["subject"], specimen["id"]);
    assert_eq!(running.json["data"], json!({ "id": FIRST, "status": "RUNNING" }));
    assert_eq!(stream.event().kind, "specimen.specimen.updated", "what it did comes with its end");
    assert_eq!(stream.event().kind, "specimen.specimen.treat-command.successful");
    treat(api, &specimen, SECOND, &json!({ "how": "REFUSE" })).is(201);
    assert_eq!(stream.event().kind, "specimen.specimen.treat-command.running");
    assert_eq!(stream.event().kind, "specimen.specimen.treat-command.failed");
}

fn tagged(api: &Api) {
    let specimen = created(api, &json!({}));
    outcome(api, &specimen, "COUNT");
    let tag = api.get(&target(&specimen, FIRST)).is(200).expect_header("etag");
    let request = api.request("GET", &target(&specimen, FIRST)).header("if-none-match", &tag);
    assert_eq!(request.send().is(304).body, "");
    let preferred = |tag: &str| api.request("GET", &target(&specimen, FIRST)).header("if-match", tag).send();
    preferred(&tag).is(200);
    preferred("\"other\"").fails(412, "PreconditionFailed");
}
