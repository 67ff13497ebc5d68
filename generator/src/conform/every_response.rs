//! The rules that every response is held to, whatever case asked for it.

use super::body;
use super::callers::Caller;
use super::exchange::Exchange;
use super::section::Section;
use super::served::find_for;
use restwell_model::api::{Api, BodyContent, HttpOperation, PathItem, ResponseCase};
use restwell_model::scalar::uuid_text;
use restwell_model::{ErrorCode, Version};
use serde_json::Value;

/// The outcome of each rule that applies: whether it holds, or what was expected.
pub(crate) type Verdict<'v> = &'v mut dyn FnMut(Section, &'static str, Result<(), String>);

const TRACE_ID: &str = "Every response has a `Trace-Id`, a UUID (decisions, \"Trace-Id\").";
const VARY: &str = "Every response has `Vary: Accept, Accept-Encoding, Accept-Language` (decisions, \"Content-Type\").";
const PRIVATE: &str =
    "What was answered to credentials is `Cache-Control: private, no-cache` (decisions, \"Caching\").";
const NO_BODY: &str = "204 and 304, and every response to HEAD, have no body (§4.8).";
const ERROR_BODY: &str = "The body of an error is `{\"errors\":[…]}`, each with message, code, details, path and \
                          userMessage (§7.1; decisions, \"Errors\").";
const ONE_ERROR: &str = "Outside 422 there is one error, of no property; but of 401 and 403 one for each property that \
                         the caller may not set (decisions, \"Errors\").";
const CODE_STATUS: &str = "The status is that of the errors' code (§7.2).";
const LANGUAGE: &str = "Errors have `Content-Language` (decisions, \"Languages\").";
const WITH_ERROR: &str = "401 has `WWW-Authenticate`, 405 `Allow`, 429 and 503 `Retry-After` (decisions, \"Errors\").";
const DOCUMENTED: &str = "The status is one that the interface has for the operation (§4.8, §7.2).";
const MEDIA_TYPE: &str = "A body has the bare media type of an established version (§9.3).";
const MINIFIED: &str = "JSON is minified (§2.4.12).";
const FORM: &str = "A body has every property of its type and no other, each in its form (§2.3, §2.4).";
const DEPRECATION: &str = "What is deprecated has `Deprecation` and, if the day is known, `Sunset` (decisions).";

/// Holds a response to them.
pub(crate) fn judge(api: &Api<'_>, exchange: &Exchange, tell: Verdict<'_>) {
    let path = find_for(api, &exchange.request);
    let operation = path.and_then(|path| path.operation(exchange.request.method));
    let is_described = path.is_none_or(|path| !is_of_service(path));
    if !is_described {
        return;
    }
    headers(exchange, operation, tell);
    emptiness(exchange, tell);
    if exchange.status() >= 400 {
        error(exchange, tell);
    }
    if let Some(operation) = operation {
        status(operation, exchange, tell);
        content(api, operation, exchange, tell);
        deprecation(operation, exchange, tell);
    }
}

/// Whether a path is outside the conventions: of the service itself.
fn is_of_service(path: &PathItem<'_>) -> bool {
    matches!(path.subject, restwell_model::api::PathSubject::System(_))
}

fn expect(holds: bool, expected: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(expected()) }
}

fn headers(exchange: &Exchange, operation: Option<&HttpOperation<'_>>, tell: Verdict<'_>) {
    let trace_id = exchange.header("trace-id");
    let is_uuid = trace_id.is_some_and(|id| uuid_text::parse(id).is_some());
    tell(Section::Headers, TRACE_ID, expect(is_uuid, || "`Trace-Id` with a UUID in lower case".to_owned()));
    let vary = exchange.header("vary").unwrap_or_default().to_ascii_lowercase();
    let names: Vec<_> = vary.split(',').map(str::trim).collect();
    let is_whole = ["accept", "accept-encoding", "accept-language"].iter().all(|name| names.contains(name));
    let expected = || "`Vary` with Accept, Accept-Encoding and Accept-Language".to_owned();
    tell(Section::Caching, VARY, expect(is_whole, expected));
    let has_credentials = !matches!(exchange.request.caller, Caller::Nobody | Caller::Bad);
    if operation.is_some() && has_credentials {
        let control = exchange.header("cache-control").unwrap_or_default();
        let is_private = ["private", "no-cache"].iter().all(|word| control.contains(word)) || control == "no-store";
        let expected = || "`Cache-Control: private, no-cache`".to_owned();
        tell(Section::Caching, PRIVATE, expect(is_private, expected));
    }
}

fn emptiness(exchange: &Exchange, tell: Verdict<'_>) {
    let is_bodiless = exchange.request.method == "HEAD" || matches!(exchange.status(), 204 | 304);
    if is_bodiless {
        let section = if exchange.status() == 304 { Section::Caching } else { Section::Methods };
        let is_empty = exchange.response.body.is_empty() && !exchange.response.has_excess;
        tell(section, NO_BODY, expect(is_empty, || "a response without a body".to_owned()));
    }
}

/// §7.1, of any status.
fn error(exchange: &Exchange, tell: Verdict<'_>) {
    let language = exchange.header("content-language").is_some();
    tell(Section::Languages, LANGUAGE, expect(language, || "`Content-Language`".to_owned()));
    let name = match exchange.status() {
        401 => Some((Section::Access, "www-authenticate")),
        405 => Some((Section::Methods, "allow")),
        429 | 503 => Some((Section::Errors, "retry-after")),
        _ => None,
    };
    if let Some((section, name)) = name {
        tell(section, WITH_ERROR, expect(exchange.header(name).is_some(), || format!("the header `{name}`")));
    }
    if exchange.request.method == "HEAD" {
        return;
    }
    let body = exchange.json();
    tell(Section::Errors, ERROR_BODY, errors(&body));
    let Some(errors) = body["errors"].as_array() else { return };
    let codes = errors.iter().filter_map(|error| error["code"].as_str());
    let known: Vec<_> = codes.filter_map(|code| ErrorCode::ALL.iter().find(|known| known.name() == code)).collect();
    let fits = known.iter().all(|code| code.status() == exchange.status());
    tell(
        Section::Errors,
        CODE_STATUS,
        expect(fits, || {
            let statuses: Vec<_> = known.iter().map(|code| format!("{} for {}", code.status(), code.name())).collect();
            format!("status {}", statuses.join(", "))
        }),
    );
    if exchange.status() != 422 && !known.is_empty() {
        let is_one = errors.len() == 1 && errors[0].get("path") == Some(&Value::Null);
        let names_properties = || errors.iter().all(|error| error.get("path").is_some_and(Value::is_string));
        let holds = is_one || matches!(exchange.status(), 401 | 403) && names_properties();
        tell(Section::Errors, ONE_ERROR, expect(holds, || "one error with `path: null`".to_owned()));
    }
}

fn errors(body: &Value) -> Result<(), String> {
    let object = body.as_object().ok_or("an object")?;
    expect(object.keys().eq(["errors"]), || "the property `errors` alone".to_owned())?;
    let errors = body["errors"].as_array().filter(|errors| !errors.is_empty()).ok_or("at least one error")?;
    for error in errors {
        let object = error.as_object().ok_or("an object for each error")?;
        for name in ["message", "code", "details", "path", "userMessage"] {
            expect(object.contains_key(name), || format!("the property `{name}` in each error"))?;
        }
        expect(object.len() == 5, || "five properties in each error".to_owned())?;
        for name in ["message", "code", "userMessage"] {
            let is_text = error[name].as_str().is_some_and(|text| !text.is_empty());
            expect(is_text, || format!("a text for `{name}` of each error"))?;
        }
        expect(error["path"].is_null() || error["path"].is_string(), || "a text or null for `path`".to_owned())?;
        let is_code = error["code"].as_str().is_some_and(|code| code.starts_with(|it: char| it.is_ascii_uppercase()));
        expect(is_code, || "a code in PascalCase".to_owned())?;
    }
    Ok(())
}

fn status(operation: &HttpOperation<'_>, exchange: &Exchange, tell: Verdict<'_>) {
    let status = exchange.status();
    // a rule of the service's own chooses its status
    let is_documented = operation.responses.iter().any(|response| response.status == status);
    let expected = || {
        let known: Vec<_> = operation.responses.iter().map(|response| response.status.to_string()).collect();
        format!("one of the statuses {}", known.join(", "))
    };
    tell(Section::Errors, DOCUMENTED, expect(is_documented, expected));
}

/// §9.3 and §2.4: the media type, and what is in the body.
fn content(api: &Api<'_>, operation: &HttpOperation<'_>, exchange: &Exchange, tell: Verdict<'_>) {
    let response = operation.responses.iter().find(|response| response.status == exchange.status());
    let Some(response) = response.filter(|_| !exchange.response.body.is_empty()) else { return };
    let known: Vec<BodyContent> = match response.content.is_empty() && response.case == ResponseCase::Failed {
        true => vec![errors_content(api)],
        false => response.content.clone(),
    };
    if known.is_empty() {
        return;
    }
    let media_type = exchange.header("content-type").unwrap_or_default();
    let content = known.iter().find(|content| content.media_type == media_type);
    let expected = || {
        let names: Vec<_> = known.iter().map(|content| content.media_type.as_str()).collect();
        format!("`Content-Type: {}`", names.join("` or `"))
    };
    tell(Section::Negotiation, MEDIA_TYPE, expect(content.is_some(), expected));
    if exchange.header("content-encoding").is_some() {
        return;
    }
    tell(
        Section::Representation,
        MINIFIED,
        expect(is_minified(&exchange.response.body), || "JSON without spaces between its tokens".to_owned()),
    );
    let is_error = response.case == ResponseCase::Failed;
    let content = content.or(known.first()).filter(|_| !is_error);
    let Some(schema) = content.and_then(|content| api.schema(content.schema?)) else { return };
    let form = match serde_json::from_slice(&exchange.response.body) {
        Ok(json) => body::faults(api, schema, &json).into_iter().next().map_or(Ok(()), Err),
        Err(error) => Err(format!("a body of JSON: {error}")),
    };
    tell(Section::Representation, FORM, form);
}

fn errors_content(api: &Api<'_>) -> BodyContent {
    let media_type = Version::PUBLIC.media_type(&api.service.vendor);
    BodyContent { version: Some(Version::PUBLIC), media_type, schema: None }
}

/// Whether there is no blank outside of texts.
fn is_minified(body: &[u8]) -> bool {
    let (mut is_text, mut is_escaped) = (false, false);
    for byte in body {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b' ' | b'\n' | b'\r' | b'\t' if !is_text => return false,
            _ => {}
        }
    }
    true
}

fn deprecation(operation: &HttpOperation<'_>, exchange: &Exchange, tell: Verdict<'_>) {
    let Some(deprecation) = operation.deprecation.filter(|_| exchange.status() < 300) else { return };
    let has_sunset = deprecation.sunset.is_none() || exchange.header("sunset").is_some();
    let is_there = exchange.header("deprecation").is_some() && has_sunset;
    tell(Section::Deprecation, DEPRECATION, expect(is_there, || "`Deprecation`, and `Sunset` with a day".to_owned()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_between_tokens_are_found() {
        assert!(is_minified(br#"{"a b":"c \" d","e":[1,2]}"#));
        assert!(!is_minified(br#"{"a": 1}"#));
    }
}
