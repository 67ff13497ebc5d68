//! Faults that a proxy plants, one at a time: each is found, in the section of the rule that it breaks.

use crate::conform::proxy::{Meddling, Passing, Proxy, Returning};
use crate::conform::services::{is_conforming, model, tokens};
use restwell::testing::{Running, Setup};
use restwell::{Builder, Interpreted};
use restwell_generator::conform::{ConformOptions, ConformReport, Section, conform};
use restwell_generator::{File, compile};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs at a time.
const THREADS: usize = 4;

/// A small service with something for every section.
const SCHEMAS: [(&str, &str); 3] = [
    ("service.yaml", "service: shelf\nusers: Reader\n"),
    (
        "reader.yaml",
        "resource: Reader\noperations:\n  create: { access: anyone }\n  list: { access: anyone }\n  delete: { access: \"scope:readers.admin\" }\nfields:\n  name: { type: string, required: true, maxLength: 40 }\n",
    ),
    (
        "book.yaml",
        "resource: Book
versions: [public.v1]
retired: [beta.v1]
owner: reader
operations:
  create: { access: [user, \"scope:books.admin\"] }
  list: { access: anyone }
  get: { access: anyone }
  update: { access: [owner, \"scope:books.admin\"] }
  patch: { access: [owner, \"scope:books.admin\"] }
  delete: { access: [owner, \"scope:books.admin\"] }
search: true
commands:
  lend:
    access: owner
    input:
      length: { type: integer, required: true, minimum: 1, maximum: 30 }
fields:
  title: { type: string, required: true, maxLength: 40, filter: true, sort: true }
  reader: { type: ref, to: Reader, required: true, filter: true }
  size: { type: integer, minimum: 1, maximum: 5000, filter: true, sort: true }
  price: { type: price, filter: true, sort: true }
  publishedAt: { type: timestamp, sort: true }
  subtitle: { type: string, maxLength: 60 }
  keywords: { type: array, items: { type: string, maxLength: 20 }, maxItems: 3 }
  shelfMark: { type: string, maxLength: 20, filter: true, deprecated: true, sunset: \"2027-06-30\" }
",
    ),
];

/// A fault: what it is, the section that must tell of it, and what the proxy does.
type Fault = (&'static str, Section, fn(&mut Passing), fn(&Passing, &mut Returning));

fn nothing(_: &mut Passing) {}
fn unchanged(_: &Passing, _: &mut Returning) {}

fn faults() -> Vec<Fault> {
    use Section::*;
    let mut all: Vec<Fault> = Vec::new();
    let mut response = |name, section, meddle: fn(&Passing, &mut Returning)| all.push((name, section, nothing, meddle));
    // creation
    response("a creation is 200", Creation, |it, back| {
        if is_new(it, back) {
            back.status = 200;
        }
    });
    response("a creation has no Location", Creation, |it, back| {
        if is_new(it, back) {
            back.remove("location");
        }
    });
    response("Location names nothing", Creation, |it, back| {
        if is_new(it, back) {
            back.set("location", "/books/01890a5d-ac96-774b-bcce-b302099a8057");
        }
    });
    response("a creation shows another value", Creation, |it, back| {
        if is_new(it, back) {
            edit(back, |body| body["title"] = json!("Another"));
        }
    });
    response("a creation shows less than GET", Creation, |it, back| {
        if is_new(it, back) {
            edit(back, |body| body["keywords"] = json!(["one more"]));
        }
    });
    // headers
    response("no Trace-Id", Headers, |_, back| back.remove("trace-id"));
    response("a Trace-Id that is not a UUID", Headers, |_, back| back.set("trace-id", "17"));
    // methods
    response("405 has no Allow", Methods, |_, back| {
        if back.status == 405 {
            back.remove("allow");
        }
    });
    response("405 is 404", Methods, |_, back| {
        if back.status == 405 {
            back.status = 404;
        }
    });
    response("Allow lacks a method", Methods, |_, back| {
        if back.status == 405 {
            back.set("allow", "GET, OPTIONS");
        }
    });
    response("OPTIONS is 200", Methods, |it, back| {
        if it.method == "OPTIONS" {
            back.status = 200;
        }
    });
    response("HEAD has no ETag", Methods, |it, back| {
        if it.method == "HEAD" {
            back.remove("etag");
        }
    });
    response("what does not exist is 200", Methods, |_, back| {
        if back.status == 404 {
            back.status = 200;
        }
    });
    response("204 has a body", Methods, |it, back| {
        if it.method == "DELETE" && back.status == 204 {
            back.body = b"{}".to_vec();
        }
    });
    // caching
    response("304 has a body", Caching, |_, back| {
        if back.status == 304 {
            back.body = b"{}".to_vec();
        }
    });
    response("an ETag that never changes", Caching, |_, back| {
        if back.headers.iter().any(|(name, _)| name == "etag") {
            back.set("etag", "\"1\"");
        }
    });
    response("a weak ETag", Caching, |_, back| {
        for (_, value) in back.headers.iter_mut().filter(|(name, _)| name == "etag") {
            *value = format!("W/{value}");
        }
    });
    response("no Vary", Caching, |_, back| back.remove("vary"));
    response("what credentials see may be cached", Caching, |_, back| back.remove("cache-control"));
    // collections
    response("a page is not sorted", Collections, |it, back| {
        if it.parameter("sort").is_some() && back.status == 200 {
            edit(back, |body| {
                if let Some(books) = body["books"].as_array_mut() {
                    books.reverse();
                }
            });
        }
    });
    response("nulls come first", Collections, |it, back| {
        if it.parameter("sort").is_some_and(|sort| sort.trim_start_matches('-') == "size") && back.status == 200 {
            edit(back, |body| {
                if let Some(books) = body["books"].as_array_mut() {
                    books.sort_by_key(|book| !book["size"].is_null());
                }
            });
        }
    });
    response("a count is off by one", Collections, |_, back| {
        edit(back, |body| {
            if let Some(count) = body["count"].as_u64() {
                body["count"] = json!(count + 1);
            }
        });
    });
    // representation
    response("a timestamp has two digits of a second", Representation, |_, back| {
        edit(back, |body| {
            each(body, &|name, value| {
                if name == "createdAt"
                    && let Some(text) = value.as_str()
                {
                    *value = json!(format!("{}Z", &text[..text.len() - 2]));
                }
            });
        });
    });
    response("a timestamp has an offset", Representation, |_, back| {
        edit(back, |body| {
            each(body, &|name, value| {
                if name == "updatedAt"
                    && let Some(text) = value.as_str()
                {
                    *value = json!(text.replace('Z', "+00:00"));
                }
            });
        });
    });
    response("a price has one decimal", Representation, |_, back| {
        edit(back, |body| {
            each(body, &|name, value| {
                if name == "amount"
                    && let Some(text) = value.as_str()
                {
                    *value = json!(text[..text.len() - 1]);
                }
            });
        });
    });
    response("a property too many", Representation, |it, back| {
        if back.status == 200 && it.path.starts_with("/books/") {
            edit(back, |body| body["internalNumber"] = json!(17));
        }
    });
    response("null is left out", Representation, |_, back| {
        if back.status < 300 {
            edit(back, without_nulls);
        }
    });
    response("an empty array is null", Representation, |_, back| {
        edit(back, |body| {
            each(body, &|name, value| {
                if name == "keywords" && *value == json!([]) {
                    *value = Value::Null;
                }
            });
        });
    });
    response("a reference is a text", Representation, |_, back| {
        if back.status < 300 {
            edit(back, |body| {
                each(body, &|name, value| {
                    if name == "reader" {
                        *value = value["id"].clone();
                    }
                });
            });
        }
    });
    response("JSON has spaces", Representation, |_, back| {
        if let Ok(body) = serde_json::from_slice::<Value>(&back.body) {
            back.body = serde_json::to_vec_pretty(&body).expect("it is JSON");
        }
    });
    // errors
    response("errors have no code", Errors, |_, back| of_errors(back, |error| drop(remove(error, "code"))));
    response("errors have no path", Errors, |_, back| of_errors(back, |error| drop(remove(error, "path"))));
    response("an error is an object alone", Errors, |_, back| {
        edit(back, |body| {
            if let Some(first) = body["errors"].get(0).cloned() {
                *body = first;
            }
        });
    });
    response("a body that is not JSON is 500", Errors, |_, back| {
        if has_code(back, "MalformedJson") {
            back.status = 500;
        }
    });
    response("an error of 404 has the code of another", Errors, |_, back| {
        if back.status == 404 {
            of_errors(back, |error| error["code"] = json!("TooLong"));
        }
    });
    // validation
    response("what is too long is accepted", Validation, |_, back| {
        if has_code(back, "TooLong") {
            (back.status, back.body) = (204, Vec::new());
        }
    });
    response("only the first problem is told", Validation, |_, back| {
        edit(back, |body| {
            if let Some(errors) = body["errors"].as_array_mut() {
                errors.truncate(1);
            }
        });
    });
    response("problems have the path of the whole", Validation, |_, back| {
        of_errors(back, |error| {
            if let Some(path) = error["path"].as_str() {
                error["path"] = json!(path.split('.').next());
            }
        });
    });
    response("what is required is called a wrong type", Validation, |_, back| {
        of_errors(back, |error| {
            if error["code"] == "Required" {
                error["code"] = json!("WrongType");
            }
        });
    });
    // negotiation
    response("the media type is application/json", Negotiation, |_, back| {
        if back.headers.iter().any(|(name, _)| name == "content-type") {
            back.set("content-type", "application/json");
        }
    });
    response("the media type has a charset", Negotiation, |_, back| {
        for (_, value) in back.headers.iter_mut().filter(|(name, _)| name == "content-type") {
            value.push_str("; charset=utf-8");
        }
    });
    response("a retired version is 406", Negotiation, |_, back| {
        if back.status == 410 {
            back.status = 406;
        }
    });
    // access
    response("401 has no WWW-Authenticate", Access, |_, back| back.remove("www-authenticate"));
    response("403 is 404", Access, |_, back| {
        if back.status == 403 {
            back.status = 404;
        }
    });
    // the others
    response("a replacement is 204", Replacement, |it, back| {
        if it.method == "PUT" && back.status == 200 {
            (back.status, back.body) = (204, Vec::new());
        }
    });
    response("a replacement moves createdAt", Replacement, |it, back| {
        if it.method == "PUT" && back.status == 200 {
            edit(back, |body| body["createdAt"] = body["updatedAt"].clone());
        }
    });
    response("a change is 202", Patch, |it, back| {
        if it.method == "PATCH" && back.status == 200 {
            back.status = 202;
        }
    });
    response("a deletion is 200", Deletion, |it, back| {
        if it.method == "DELETE" && back.status == 204 {
            (back.status, back.body) = (200, b"{}".to_vec());
        }
    });
    response("errors have no Content-Language", Languages, |_, back| back.remove("content-language"));
    response("a deprecated filter is not announced", Deprecation, |_, back| back.remove("deprecation"));
    response("the day of a removal is not announced", Deprecation, |_, back| back.remove("sunset"));
    response("a command is 200", Commands, |it, back| {
        if it.path.contains("-commands/") && back.status == 201 {
            back.status = 200;
        }
    });
    response("a command has a status of its own", Commands, |it, back| {
        if it.path.contains("-commands/") && back.status < 300 {
            edit(back, |body| body["status"] = json!("QUEUED"));
        }
    });
    let mut request = |name, section, meddle: fn(&mut Passing)| all.push((name, section, meddle, unchanged));
    request("no User-Agent is needed", Headers, |it| set(it, "user-agent", "Proxy/1.0 (here) Linux"));
    request("If-None-Match is ignored", Caching, |it| drop_header(it, "if-none-match"));
    request("If-Match is ignored", Caching, |it| drop_header(it, "if-match"));
    request("limit is ignored", Collections, |it| it.query.retain(|(name, _)| name != "limit"));
    request("offset is ignored", Collections, |it| it.query.retain(|(name, _)| name != "offset"));
    request("a limit out of bounds is clamped", Collections, |it| {
        for (_, value) in it.query.iter_mut().filter(|(name, value)| name == "limit" && value == "1001") {
            *value = "1000".to_owned();
        }
    });
    request("an unknown parameter is accepted", Collections, |it| it.query.retain(|(name, _)| name != "unheardOf"));
    request("the second field of sort is ignored", Collections, |it| {
        for (_, value) in it.query.iter_mut().filter(|(name, _)| name == "sort") {
            *value = value.split("%2C").next().unwrap_or_default().to_owned();
        }
    });
    request("a filter is ignored", Filters, |it| it.query.retain(|(name, _)| name != "title"));
    request("greater is greater or equal", Filters, |it| {
        for (name, _) in it.query.iter_mut().filter(|(name, _)| name == "size.gt") {
            *name = "size.gte".to_owned();
        }
    });
    request("of a repeated filter the last one counts", Filters, |it| {
        if let Some(last) = it.query.iter().rposition(|(name, _)| name == "title") {
            let mut index = 0;
            it.query.retain(|(name, _)| {
                index += 1;
                name != "title" || index == last + 1
            });
        }
    });
    request("an unacceptable Accept is ignored", Negotiation, |it| set(it, "accept", "*/*"));
    request("a wrong Content-Type is ignored", Negotiation, |it| {
        if it.header("content-type").is_some() {
            set(it, "content-type", "application/vnd.service.public.v1+json");
        }
    });
    request("a dry run creates", DryRuns, |it| {
        if it.method == "POST" {
            it.query.retain(|(name, _)| name != "dryRun");
        }
    });
    request("include is ignored", DryRuns, |it| it.query.retain(|(name, _)| name != "include"));
    request("a bad token is as none", Access, |it| {
        if it.header("authorization").is_some_and(|token| token.ends_with("not-a-token")) {
            drop_header(it, "authorization");
        }
    });
    request("a search is ignored", Searches, |it| it.query.retain(|(name, _)| name != "search.id"));
    request("a filter beside a search is ignored", Searches, |it| {
        if it.parameter("search.id").is_some() {
            it.query.retain(|(name, _)| name != "id");
        }
    });
    request("a deletion is only tried", Deletion, |it| {
        if it.method == "DELETE" && it.query.is_empty() {
            it.query.push(("dryRun".to_owned(), "true".to_owned()));
        }
    });
    request("messages are in English alone", Languages, |it| drop_header(it, "accept-language"));
    request("nothing is compressed", Languages, |it| drop_header(it, "accept-encoding"));
    request("the stream has no events", Events, |it| {
        for (_, value) in it.query.iter_mut().filter(|(name, _)| it.path == "/events" && name == "type") {
            *value = "shelf.book.deleted".to_owned();
        }
    });
    all
}

#[test]
fn every_planted_fault_is_found_in_its_section() {
    let faults = faults();
    assert!(faults.len() >= 40, "{}", faults.len());
    let (next, missed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((name, section, request, response)) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = run(Meddling { request: *request, response: *response }, &[*section]);
                    let found: BTreeSet<_> = report.failed().map(|case| case.section.word()).collect();
                    println!(
                        "{name:<44} {:<15} {}",
                        section.word(),
                        found.iter().copied().collect::<Vec<_>>().join(" ")
                    );
                    if !found.contains(section.word()) {
                        missed
                            .lock()
                            .expect("no thread panics")
                            .push(format!("{name}: {found:?}, not {}", section.word()));
                    }
                }
            });
        }
    });
    let missed = missed.into_inner().expect("no thread panics");
    assert!(missed.is_empty(), "{} of {} faults are missed:\n{}", missed.len(), faults.len(), missed.join("\n"));
}

#[test]
fn without_a_fault_nothing_is_found() {
    is_conforming(&run(Meddling { request: nothing, response: unchanged }, &[]));
}

/// The small service.
pub(crate) fn shelf() -> Running {
    let files: Vec<_> = SCHEMAS.iter().map(|(name, text)| File::new(name, text.as_bytes().to_vec())).collect();
    let compiled = compile(&files);
    let (checked, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let interpreted = Interpreted { mock_commands: true, ..Interpreted::of(checked) };
    Setup::of(Builder::interpreted(interpreted)).start()
}

/// A run of some sections, or of all, on the small service, through a proxy.
fn run(meddling: Meddling, sections: &[Section]) -> ConformReport {
    let running = shelf();
    let proxy = Proxy::start(running.address(), meddling);
    let options = ConformOptions { sections: sections.to_vec(), ..ConformOptions::default() };
    conform(&model(&running), &proxy.url(), Some(tokens(&running)), &options).expect("it runs")
}

/// A run on the small service, whose creations have lost their `Location`.
pub(crate) fn a_creation_without_location() -> ConformReport {
    let response: fn(&Passing, &mut Returning) = |it, back| {
        if is_new(it, back) {
            back.remove("location");
        }
    };
    run(Meddling { request: nothing, response }, &[])
}

/// Whether a book was created.
fn is_new(it: &Passing, back: &Returning) -> bool {
    it.method == "POST" && it.path == "/books" && back.status == 201
}

/// Changes a body of JSON.
fn edit(back: &mut Returning, change: impl FnOnce(&mut Value)) {
    if let Ok(mut body) = serde_json::from_slice::<Value>(&back.body) {
        change(&mut body);
        back.body = body.to_string().into_bytes();
    }
}

/// Changes each property, at any depth.
fn each(value: &mut Value, change: &dyn Fn(&str, &mut Value)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                each(member, change);
                change(name, member);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, change)),
        _ => {}
    }
}

fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(without_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

fn of_errors(back: &mut Returning, change: impl Fn(&mut Value)) {
    edit(back, |body| {
        if let Some(errors) = body["errors"].as_array_mut() {
            errors.iter_mut().for_each(change);
        }
    });
}

fn has_code(back: &Returning, code: &str) -> bool {
    let body: Value = serde_json::from_slice(&back.body).unwrap_or_default();
    body["errors"].as_array().is_some_and(|errors| errors.iter().any(|error| error["code"] == code))
}

fn remove(value: &mut Value, name: &str) -> Option<Value> {
    value.as_object_mut()?.remove(name)
}

fn set(it: &mut Passing, name: &str, value: &str) {
    drop_header(it, name);
    it.headers.push((name.to_owned(), value.to_owned()));
}

fn drop_header(it: &mut Passing, name: &str) {
    it.headers.retain(|(known, _)| known != name);
}
