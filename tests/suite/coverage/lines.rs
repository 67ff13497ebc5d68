//! The judge misses no line: exchanges with a service, judged by its document with one line taken out at a time.

use crate::client::{Api, Reply};
use crate::judging::document;
use crate::specimen::{NOBODY, path, specimen};
use restwell_testkit::openapi::{Exchange, Judge};
use serde_json::{Value, json};

/// Where the document lists the headers of all responses, and those that errors have beside them.
const HEADER_LISTS: [&str; 2] = ["x-response-headers", "x-error-headers"];

/// An exchange that a document is true of.
struct Example {
    method: &'static str,
    target: String,
    /// The path as the document has it.
    documented: &'static str,
    reply: Reply,
}

impl Example {
    fn exchange(&self) -> Exchange<'_> {
        self.reply.exchange(self.method, &self.target)
    }

    /// Where the document has the operation.
    fn operation(&self) -> String {
        format!("/paths/{}/{}", escaped(self.documented), self.method.to_lowercase())
    }
}

/// Takes out what the examples need, line by line.
pub(crate) fn every_line_is_needed(api: &Api) {
    let whole = document(&api.model());
    let mut lines = 0;
    for example in examples(api) {
        let needed = only(&whole, &example);
        let judge = Judge::of(&needed).expect("the document can be read");
        assert_eq!(judge.faults(&example.exchange()), Vec::<String>::new(), "{}", example.reply);
        let pointers = pointers(&needed, &example);
        lines += pointers.len();
        for pointer in pointers {
            let mut lacking = needed.clone();
            take(&mut lacking, &pointer);
            // else the header that is listed for all responses stands for an own one
            if let Some((_, name)) = pointer.split_once("/headers/") {
                HEADER_LISTS
                    .iter()
                    .for_each(|list| drop(lacking[*list].as_object_mut().and_then(|it| it.remove(name))));
            }
            let judge = Judge::of(&lacking).expect("the document can be read");
            let faults = judge.faults(&example.exchange());
            assert!(!faults.is_empty(), "{} is not missed: {}", pointer, example.reply);
        }
    }
    assert!(lines > 100, "{lines}");
}

/// A creation, a list, an entity, a refusal with several codes, a command, and its like.
fn examples(api: &Api) -> Vec<Example> {
    let example =
        |method, documented, target: &str, reply| Example { method, documented, target: target.to_owned(), reply };
    let created = api.post("/specimens", &specimen(&json!({ "origin": { "place": "Bay" } }))).is(201);
    let entity = path("specimens", &created.json());
    let wrong = json!({ "name": "x", "size": -1, "code": "?", "storage": null, "unheardOf": 1 });
    let command = format!("{entity}/treat-commands/{NOBODY}");
    let tag = created.expect_header("etag");
    let not_modified = api.request("GET", &entity).header("if-none-match", &tag).send().is(304);
    vec![
        example("GET", "/specimens", "/specimens", api.get("/specimens").is(200)),
        example("GET", "/specimens/{specimenId}", &entity, api.get(&entity).is(200)),
        example("GET", "/specimens/{specimenId}", &entity, not_modified),
        example("POST", "/specimens", "/specimens", created),
        example("POST", "/specimens", "/specimens", api.post("/specimens", &wrong).is(422)),
        example("POST", "/later-tags", "/later-tags", api.post("/later-tags", &json!({ "name": "a" })).is(202)),
        example(
            "PUT",
            "/specimens/{specimenId}/treat-commands/{commandId}",
            &command,
            api.put(&command, &json!({ "how": "COUNT" })).is(201),
        ),
        example("GET", "/openapi.json", "/openapi.json", api.get("/openapi.json").is(200)),
    ]
}

/// The document with one operation alone, and what that refers to.
fn only(document: &Value, example: &Example) -> Value {
    let method = example.method.to_lowercase();
    let status = example.reply.status.to_string();
    let operation = &document["paths"][example.documented][&method];
    let operation = json!({
        "operationId": operation["operationId"],
        "parameters": operation["parameters"],
        "responses": { &status: operation["responses"][&status] },
    });
    let mut needed = json!({ "paths": { example.documented: { method: operation } }, "components": {} });
    for list in HEADER_LISTS {
        needed[list] = document[list].clone();
    }
    let mut pending = references(&needed);
    while let Some(reference) = pending.pop() {
        let parts: Vec<_> = reference.trim_start_matches("#/components/").split('/').collect();
        let [kind, name] = parts[..] else { panic!("{reference} is not of a component") };
        if needed["components"][kind][name].is_null() {
            let part = &document["components"][kind][name];
            pending.extend(references(part));
            needed["components"][kind][name] = part.clone();
        }
    }
    needed
}

/// Every reference in a value.
fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(members.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// The lines of a document that an example depends on: its status, its headers, its media type, its codes, and the
/// properties of its body.
fn pointers(document: &Value, example: &Example) -> Vec<String> {
    let status = format!("{}/responses/{}", example.operation(), example.reply.status);
    let answer = resolved(document, &status);
    let mut pointers = vec![status];
    pointers.extend(condition(document, example));
    let has = |name: &str| example.reply.header(&name.to_lowercase()).is_some();
    let own = members(document, &format!("{answer}/headers"));
    // an own header is in the place of the one that is listed for all
    let is_listed = |name: &String| has(name) && !own.contains(name);
    let lists = if example.reply.status < 400 { &HEADER_LISTS[..1] } else { &HEADER_LISTS[..] };
    for list in lists {
        let headers = members(document, &format!("/{list}")).into_iter().filter(is_listed);
        pointers.extend(headers.map(|name| format!("/{list}/{}", escaped(&name))));
    }
    let headers = own.iter().filter(|name| has(name));
    pointers.extend(headers.map(|name| format!("{answer}/headers/{}", escaped(name))));
    let Some(media_type) = example.reply.header("content-type") else { return pointers };
    let content = format!("{answer}/content/{}", escaped(&media_type));
    let body = example.reply.json();
    let found: Vec<_> = body["errors"].as_array().into_iter().flatten().map(|error| error["code"].clone()).collect();
    let codes = document.pointer(&format!("{answer}/x-error-codes")).and_then(Value::as_array);
    let codes = codes.into_iter().flatten().enumerate().filter(|(_, code)| found.contains(code));
    pointers.extend(codes.map(|(index, _)| format!("{answer}/x-error-codes/{index}")));
    properties(document, &format!("{content}/schema"), &body, &mut pointers);
    pointers.push(content);
    pointers
}

/// The header of the request that decided the status.
fn condition(document: &Value, example: &Example) -> Option<String> {
    let parameters = format!("{}/parameters", example.operation());
    let count = document.pointer(&parameters).and_then(Value::as_array).map_or(0, Vec::len);
    let mut places = (0..count).map(|at| format!("{parameters}/{at}"));
    let is_it =
        |place: &String| document.pointer(&resolved(document, place)).is_some_and(|it| it["name"] == "If-None-Match");
    places.find(|place| example.reply.status == 304 && is_it(place))
}

/// The properties of a value in its schema, and those inside.
fn properties(document: &Value, schema: &str, value: &Value, found: &mut Vec<String>) {
    let schema = resolved(document, schema);
    if let Some(ways) = document.pointer(&format!("{schema}/anyOf")).and_then(Value::as_array) {
        // an object, or null
        if ways.len() == 2 && !value.is_null() {
            properties(document, &format!("{schema}/anyOf/0"), value, found);
        }
        return;
    }
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let property = format!("{schema}/properties/{}", escaped(name));
                if document.pointer(&property).is_some() {
                    properties(document, &property, value, found);
                    found.push(property);
                }
            }
        }
        Value::Array(items) => {
            items.iter().take(1).for_each(|item| properties(document, &format!("{schema}/items"), item, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn members(document: &Value, pointer: &str) -> Vec<String> {
    let object = document.pointer(pointer).and_then(Value::as_object);
    object.map(|object| object.keys().cloned().collect()).unwrap_or_default()
}

/// Where a reference leads; what is none is where it is.
fn resolved(document: &Value, pointer: &str) -> String {
    let reference = document.pointer(pointer).and_then(|found| found["$ref"].as_str());
    reference.and_then(|reference| reference.strip_prefix('#')).unwrap_or(pointer).to_owned()
}

fn take(document: &mut Value, pointer: &str) {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    let name = name.replace("~1", "/").replace("~0", "~");
    match document.pointer_mut(parent).expect("it is there") {
        Value::Object(members) => drop(members.remove(&name).expect("it is there")),
        Value::Array(items) => drop(items.remove(name.parse().expect("an index"))),
        other => panic!("{other} has no parts"),
    }
    // what it must have it cannot have any more
    if let Some(schema) = parent.strip_suffix("/properties")
        && let Some(Value::Array(required)) = document.pointer_mut(&format!("{schema}/required"))
    {
        required.retain(|known| *known != name);
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
