//! What an answer has: status, errors, and the headers that go with them (decisions, "Errors", "Content-Type").

use super::axes::{Case, Who};
use super::predict::Expected;
use restwell_testkit::http::Reply;
use serde_json::Value;
use std::collections::BTreeSet;
use uuid::Uuid;

/// What is wrong with an answer.
pub(super) fn fault(vendor: &str, case: &Case, expected: &Expected, reply: &Reply) -> Option<String> {
    look(vendor, case, expected, reply).err()
}

fn look(vendor: &str, case: &Case, expected: &Expected, reply: &Reply) -> Result<(), String> {
    same("status", &reply.status, &expected.status)?;
    let trace_id = reply.header("trace-id").unwrap_or_default();
    if Uuid::try_parse(trace_id).is_err() {
        return Err(format!("Trace-Id {trace_id:?}"));
    }
    let (vary, caching) = match case.who {
        Who::Nobody => ("Accept, Accept-Encoding, Accept-Language", None),
        _ => ("Accept, Accept-Encoding, Accept-Language, Authorization", Some("private, no-cache")),
    };
    // the page is the same for everybody
    let caching = if expected.page.is_some() { Some("no-cache") } else { caching };
    same("Vary", &reply.header("vary"), &Some(vary))?;
    same("Cache-Control", &reply.header("cache-control"), &caching)?;
    same("X-Content-Type-Options", &reply.header("x-content-type-options"), &Some("nosniff"))?;
    let allow = reply.header("allow").map(|allow| allow.split(", ").collect::<BTreeSet<_>>());
    same("Allow", &allow, &expected.allow)?;
    let challenge = reply.header("www-authenticate").and_then(|challenge| challenge.split(' ').next());
    same("WWW-Authenticate", &challenge, &(expected.status == 401).then_some("Bearer"))?;
    same("Retry-After", &reply.header("retry-after"), &None)?;
    let of_version = || expected.version.media_type(vendor);
    let media_type = (expected.status != 204).then(|| expected.page.map_or_else(of_version, str::to_owned));
    same("Content-Type", &reply.header("content-type").map(str::to_owned), &media_type)?;
    let is_error = expected.status >= 400;
    same("Content-Language", &reply.header("content-language"), &is_error.then_some("en-US"))?;
    if expected.status == 204 || case.method == "HEAD" {
        return same("body", &reply.text().as_str(), &"");
    }
    if expected.page.is_some_and(|media_type| media_type != "application/json") {
        return same("whether there is a body", &reply.body.is_empty(), &false);
    }
    let body: Value = serde_json::from_slice(&reply.body).map_err(|error| error.to_string())?;
    if is_error { errors(expected, &body) } else { same("object", &body.is_object(), &true) }
}

/// Five keys each; and outside 422 one error, which is of no property.
fn errors(expected: &Expected, body: &Value) -> Result<(), String> {
    let keys = |value: &Value| value.as_object().map(|object| object.keys().cloned().collect::<BTreeSet<_>>());
    same("keys of the body", &keys(body), &Some(BTreeSet::from(["errors".to_owned()])))?;
    let errors = body["errors"].as_array().filter(|errors| !errors.is_empty()).ok_or("no errors")?;
    let five = ["code", "details", "message", "path", "userMessage"].map(str::to_owned);
    for error in errors {
        same("keys of an error", &keys(error), &Some(BTreeSet::from(five.clone())))?;
        for text in ["code", "message", "userMessage"] {
            same(text, &error[text].as_str().is_some_and(|text| !text.is_empty()), &true)?;
        }
    }
    if expected.status != 422 {
        same("errors", &errors.len(), &1)?;
        same("path", &errors[0]["path"], &Value::Null)?;
    }
    match expected.code {
        Some(code) => same("code", &errors[0]["code"].as_str(), &Some(code)),
        None => Ok(()),
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what} is {found:?}, not {expected:?}")) }
}
