//! A request, its response, and what a case expects of it.

use super::callers::Caller;
use super::case::{BrokenRule, Done, Ending};
use restwell_model::ErrorCode;
use serde_json::Value;

/// Characters of a body in a report.
const MAX_EXCERPT: usize = 1200;
/// `User-Agent` of the runner (§4.1).
const USER_AGENT: &str = concat!("restwell-conform/", env!("CARGO_PKG_VERSION"), " (conform) ", "Rust");

/// A request. It never holds a token: the session adds that of the caller when it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: &'static str,
    /// The path after the base URL, and the query.
    pub(crate) target: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<String>,
    pub(crate) caller: Caller,
    /// Access depends on what the run cannot know, so that a refusal shows nothing.
    pub(crate) may_be_refused: bool,
}

impl Request {
    pub(crate) fn new(method: &'static str, target: impl Into<String>) -> Self {
        let headers = vec![("user-agent", USER_AGENT.to_owned())];
        Self { method, target: target.into(), headers, body: None, caller: Caller::Nobody, may_be_refused: false }
    }

    /// Sets a header, in place of an earlier one of this name.
    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self = self.without(name);
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self
    }

    pub(crate) fn by(self, caller: Caller) -> Self {
        Self { caller, ..self }
    }

    /// Sets a body, without its `Content-Type`.
    pub(crate) fn text(self, body: impl Into<String>) -> Self {
        Self { body: Some(body.into()), ..self }
    }

    /// Adds a parameter to the query.
    pub(crate) fn query(mut self, name: &str, value: &str) -> Self {
        self.target.push(if self.target.contains('?') { '&' } else { '?' });
        self.target.push_str(&encoded(name));
        self.target.push('=');
        self.target.push_str(&encoded(value));
        self
    }

    /// The path, without the query.
    pub(crate) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// Whether `Accept` or `Content-Type` names a media type of the service, of whatever version.
    pub(crate) fn names_version(&self, vendor: &str) -> bool {
        let prefix = format!("application/vnd.{vendor}.");
        let mut headers = self.headers.iter();
        headers.any(|(name, value)| ["accept", "content-type"].contains(name) && value.starts_with(&prefix))
    }

    /// As it is shown: without the token.
    fn excerpt(&self) -> String {
        let mut text = format!("{} {}\n", self.method, self.target);
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\n"));
        }
        if self.caller != Caller::Nobody {
            text.push_str(&format!("authorization: Bearer <{}>\n", self.caller.word()));
        }
        if let Some(body) = &self.body {
            text.push_str(&format!("\n{}\n", shortened(body)));
        }
        text
    }
}

/// Percent-encodes all that is not unreserved.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte as char),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

/// A response.
#[derive(Debug, Clone, Default)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Bytes came after a response that has no body.
    pub(crate) has_excess: bool,
}

/// A request with its response.
#[derive(Debug, Clone)]
pub(crate) struct Exchange {
    pub(crate) request: Request,
    pub(crate) response: Response,
}

impl Exchange {
    pub(crate) fn status(&self) -> u16 {
        self.response.status
    }

    /// The value of the first header of this name, which is in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.response.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body; null if it is not JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.response.body).unwrap_or_default()
    }

    /// The codes and paths of its errors.
    pub(crate) fn errors(&self) -> Vec<(String, Option<String>)> {
        let body = self.json();
        let errors = body["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        errors.iter().map(|error| (text(&error["code"]).unwrap_or_default(), text(&error["path"]))).collect()
    }

    /// The response must have this status. A request that was expected to succeed, and that a rule of the service's own
    /// refuses, shows nothing of the conventions.
    pub(crate) fn is(&self, status: u16) -> Result<&Self, Ending> {
        if self.status() == status {
            return Ok(self);
        }
        if status < 400
            && let Some(code) = self.own_rule()
        {
            return Err(Ending::NotApplicable(format!("a rule of the service's own refuses the request: {code}")));
        }
        Err(self.wrong(format!("status {status}")))
    }

    /// The response must have this status and an error of this code.
    pub(crate) fn refused(&self, code: ErrorCode) -> Result<&Self, Ending> {
        self.refused_at(code, None)
    }

    /// The same, at this path.
    pub(crate) fn refused_at(&self, code: ErrorCode, path: Option<&str>) -> Result<&Self, Ending> {
        let expected = match path {
            Some(path) => format!("{} with the code {} at the path `{path}`", code.status(), code.name()),
            None => format!("{} with the code {}", code.status(), code.name()),
        };
        let is_it = |(found, at): &(String, Option<String>)| {
            found == code.name() && path.is_none_or(|path| at.as_deref() == Some(path))
        };
        let is_bodiless = self.request.method == "HEAD";
        let is_met = self.status() == code.status() && (is_bodiless || self.errors().iter().any(is_it));
        if is_met { Ok(self) } else { Err(self.wrong(expected)) }
    }

    /// Something must hold.
    pub(crate) fn holds(&self, holds: bool, expected: impl Into<String>) -> Done {
        if holds { Ok(()) } else { Err(self.wrong(expected)) }
    }

    pub(crate) fn wrong(&self, expected: impl Into<String>) -> Ending {
        Ending::Failed(Box::new(self.failure(expected)))
    }

    pub(crate) fn failure(&self, expected: impl Into<String>) -> BrokenRule {
        BrokenRule { expected: expected.into(), request: self.request.excerpt(), response: self.excerpt() }
    }

    /// The code of a rule of the service's own, if such a rule refused the request.
    pub(crate) fn own_rule(&self) -> Option<String> {
        let errors = self.errors();
        let is_known = |code: &str| ErrorCode::ALL.iter().any(|known| known.name() == code);
        let is_own = [403, 404, 409, 422].contains(&self.status()) && errors.iter().all(|(code, _)| !is_known(code));
        errors.into_iter().next().filter(|_| is_own).map(|(code, _)| code)
    }

    fn excerpt(&self) -> String {
        const SHOWN: [&str; 12] = [
            "content-type",
            "content-language",
            "content-encoding",
            "location",
            "etag",
            "allow",
            "cache-control",
            "vary",
            "trace-id",
            "www-authenticate",
            "deprecation",
            "sunset",
        ];
        let mut text = format!("{}\n", self.status());
        for (name, value) in self.response.headers.iter().filter(|(name, _)| SHOWN.contains(&name.as_str())) {
            text.push_str(&format!("{name}: {value}\n"));
        }
        if !self.response.body.is_empty() {
            text.push_str(&format!("\n{}\n", shortened(&String::from_utf8_lossy(&self.response.body))));
        }
        text
    }
}
