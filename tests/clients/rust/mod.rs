//! The Rust client of the marketplace, held to the protocol cases (`clients/protocol/`) without a server, and with a
//! running one.

mod calls;
mod compare;
mod faults;
mod forms;
mod free_values;
mod live;
mod proxy;
mod script;
mod task;

use calls::{Caller, Outcome};
use compare::{differences, known_part};
use libtest_mimic::{Failed, Trial};
use marketplace_client::{BoxFuture, Client, Error, Retries, TokenSource, UserDraft};
use script::Script;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub(crate) fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../clients/protocol/cases");
    let mut trials = Vec::new();
    for entry in fs::read_dir(folder).expect("the cases") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a text");
        trials.push(Trial::test(format!("rust::{name}"), move || {
            let case: Json = serde_json::from_str(&text).map_err(|error| Failed::from(error.to_string()))?;
            if RULED_OUT.contains(&&*path.file_stem().unwrap_or_default().to_string_lossy()) {
                let draft = serde_json::from_value::<UserDraft>(case["calls"][0]["arguments"]["draft"].clone());
                return draft.map_or(Ok(()), |draft| Err(Failed::from(format!("{draft:?} can be made"))));
            }
            let faults = run(&case);
            if faults.is_empty() { Ok(()) } else { Err(Failed::from(faults.join("\n"))) }
        }));
    }
    assert!(!trials.is_empty(), "there are cases");
    let checks: [(&str, fn()); 10] = [
        ("an edit needs a tag", edit_without_a_tag),
        ("live: the example of the guide", live::example),
        ("live: entity tags and dry runs", live::conditions),
        ("live: a walk while others write", live::walk),
        ("live: events", live::events),
        ("live: without async", live::blocking),
        ("live: maps and JSON", free_values::live),
        ("live: side by side", live::side_by_side),
        ("spans of tracing", forms::spans),
        ("times of chrono", forms::chrono),
    ];
    trials.push(Trial::ignorable_test("rust::live: faults", faults::faults));
    trials.extend(checks.map(|(name, check)| {
        Trial::test(format!("rust::{name}"), move || {
            check();
            Ok(())
        })
    }));
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    trials
}

/// Cases whose call the types of Rust do not express: drafts without what has to be given.
const RULED_OUT: [&str; 1] = ["check-finds-problems"];

/// An entity whose response had no tag is not written: the change would overwrite those of others.
fn edit_without_a_tag() {
    let case = include_str!("../../../clients/protocol/cases/edit-begins-again.json");
    let case: Json = serde_json::from_str(case).expect("JSON");
    let mut read = case["exchanges"][0].clone();
    read["response"]["headers"] = json!({});
    let script = Script::new(&[read]);
    let id = case["calls"][0]["arguments"]["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    let offers = client(&Json::Null, &script).offers();
    let edited = script.run(None, offers.edit(id, |offer| offer.name = "b".into())).expect("an end");
    assert!(matches!(edited, Err(Error::Request(_))), "{edited:?}");
    assert_eq!(script.finish(None), Vec::<String>::new());
}

/// What goes wrong in a case.
fn run(case: &Json) -> Vec<String> {
    let exchanges = case["exchanges"].as_array().expect("exchanges");
    let script = Script::new(exchanges);
    let client = client(&case["client"], &script);
    let mut caller = Caller { client, script: script.clone(), read: None };
    let mut faults = Vec::new();
    let mut values = serde_json::Map::new();
    for call in case["calls"].as_array().expect("calls") {
        let call = with_values(call, &values);
        let outcome = caller.call(&call);
        if let (Some(name), Some(Outcome::Value(value))) = (call["as"].as_str(), &outcome) {
            values.insert(name.to_owned(), value.clone());
        }
        faults.extend(judge(&call["result"], outcome, &script, call["operation"] == "events"));
    }
    faults.extend(script.finish(case.get("waits")));
    faults
}

/// `{"$value": name}` stands for what an earlier call gave.
fn with_values(json: &Json, values: &serde_json::Map<String, Json>) -> Json {
    match json {
        Json::Object(members) => match members.get("$value").and_then(Json::as_str) {
            Some(name) => values.get(name).cloned().unwrap_or_default(),
            None => Json::Object(members.iter().map(|(name, it)| (name.clone(), with_values(it, values))).collect()),
        },
        Json::Array(items) => items.iter().map(|item| with_values(item, values)).collect(),
        other => other.clone(),
    }
}

fn client(options: &Json, script: &Script) -> Client {
    let agent = options["client"].as_str().unwrap_or("protocol/1");
    let mut builder = Client::builder("http://service", agent, script.clone());
    if let Some(token) = options.get("token") {
        builder = builder.token(Tokens { tokens: token.clone(), asked: AtomicUsize::new(0) });
    }
    if let Some(language) = options["language"].as_str() {
        builder = builder.language(language);
    }
    if let Some(trace_parent) = options["traceparent"].as_str().map(str::to_owned) {
        builder = builder.trace_parent(move || Some(trace_parent.clone()));
    }
    let millis = |name: &str| options[name].as_u64().map(Duration::from_millis);
    let mut retries = Retries::default();
    if let Some(tries) = options["retries"].as_u64().and_then(|tries| u32::try_from(tries).ok()) {
        retries = retries.tries(tries);
    }
    retries = millis("timeout").into_iter().fold(retries, Retries::timeout);
    retries = millis("deadline").into_iter().fold(retries, Retries::deadline);
    builder.retries(retries).build()
}

/// A text, or texts that are given one after the other.
struct Tokens {
    tokens: Json,
    asked: AtomicUsize,
}

impl TokenSource for Tokens {
    fn token(&self, renew: bool) -> BoxFuture<'_, Result<String, String>> {
        // one that is known is used until the service refuses it
        let asked = self.asked.fetch_add(usize::from(renew), Ordering::Relaxed) + usize::from(renew);
        let token = match &self.tokens {
            Json::Array(tokens) => tokens.get(asked).and_then(Json::as_str),
            token => token.as_str(),
        };
        let token = token.map(str::to_owned);
        Box::pin(std::future::ready(token.ok_or_else(|| "there is no other token".to_owned())))
    }
}

/// How a result differs from the expected one.
fn judge(expected: &Json, outcome: Option<Outcome>, script: &Script, is_stream: bool) -> Vec<String> {
    let differ = |expected: &Json, found: &Json, place: &str| {
        script.bindings(|bindings| differences(expected, found, place, bindings))
    };
    match outcome {
        None => differ(&expected["error"]["class"], &json!("Cancelled"), "class"),
        Some(Outcome::NotModified) => differ(&expected["notModified"], &json!(true), "notModified"),
        Some(Outcome::Value(value)) => match expected.get("value") {
            Some(expected) => differ(&known_part(expected, &value), &value, "value"),
            None => vec![format!("a value instead of {expected}: {value}")],
        },
        Some(Outcome::Failed(error)) => {
            let Some(expected) = expected.get("error") else { return vec![format!("failed: {error:?}")] };
            let found = describe(&error, is_stream);
            // only what the case names
            expected.as_object().into_iter().flatten().flat_map(|(name, it)| differ(it, &found[name], name)).collect()
        }
    }
}

/// An error in the words of the cases.
fn describe(error: &Error, is_stream: bool) -> Json {
    let response = error.response();
    let class = match (error, response.map(|response| response.status)) {
        (Error::CommandFailed(_), _) => "CommandFailed",
        (Error::Connection(..), _) => "ConnectionFailed",
        (Error::Timeout(_), _) => "TimedOut",
        (Error::Gone(_), _) if is_stream => "EventsGone",
        (_, Some(400)) => "Malformed",
        (Error::Unauthenticated(_), _) => "Unauthenticated",
        (Error::Forbidden(_), _) => "Forbidden",
        (Error::NotFound(_), _) => "NotFound",
        (Error::Gone(_), _) => "Gone",
        (Error::PreconditionFailed(_), _) => "PreconditionFailed",
        (Error::Invalid(_), _) => "Invalid",
        (Error::RateLimited(_), _) => "RateLimited",
        (_, Some(500..)) => "ServerError",
        _ => "ApiError",
    };
    let problems = error.problems().iter().map(|problem| json!({"code": problem.code, "path": problem.path}));
    json!({
        "class": class,
        "status": response.map(|response| response.status),
        "problems": problems.collect::<Json>(),
        "traceId": error.trace_id(),
        "retryAfter": response.and_then(|response| response.retry_after).map(|after| after.as_secs()),
        "maybeApplied": error.may_have_happened(),
    })
}
