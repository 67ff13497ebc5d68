//! Every answer that is not a success, made in one place: status, headers, and the errors of §7.1.

use super::payload::Payload;
use crate::logic::rejection::Cause;
use crate::messages::{Messages, Reader};
use crate::observe::log_throttle::{logged, throttled};
use crate::plan::form::{sequence, write_text};
use crate::store::{Refusal, StoreError};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use restwell_model::input::{MAX_PROBLEMS, Malformed};
use restwell_model::{ErrorCode, Problem};
use std::time::Duration;
use uuid::Uuid;

/// A request that fails: the response for the client, and the reason for the log.
#[derive(Debug)]
pub(crate) struct Failure {
    problems: Vec<Problem>,
    headers: Vec<(HeaderName, HeaderValue)>,
    log: Option<String>,
    /// What a service in development adds to `details`.
    reason: Option<String>,
}

/// Seconds after which a client should try again what was too much.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

impl Failure {
    /// A failure of the request as a whole.
    pub(crate) fn new(code: ErrorCode) -> Self {
        Problem::new(code).into()
    }

    /// All that is wrong with a request's values.
    pub(crate) fn invalid(problems: Vec<Problem>) -> Self {
        Self { problems, headers: Vec::new(), log: None, reason: None }
    }

    /// Too many requests, of which one more may come after a while.
    pub(super) fn too_many(wait: Duration) -> Self {
        let seconds = HeaderValue::from(wait.as_secs_f64().ceil().max(1.0) as u64);
        Self::new(ErrorCode::RateLimited).header(header::RETRY_AFTER, seconds)
    }

    /// What is wrong with the request.
    #[cfg(feature = "fuzzing")]
    pub(super) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether this code is its only one.
    pub(super) fn is(&self, code: ErrorCode) -> bool {
        matches!(self.problems.as_slice(), [problem] if problem.code == code)
    }

    /// With a header.
    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// With a text for the log only.
    pub(super) fn log(mut self, text: &impl ToString) -> Self {
        self.log = Some(text.to_string());
        self
    }

    /// With a reason for the log, and for the developer of the service.
    pub(crate) fn because(mut self, reason: String) -> Self {
        self.log = Some(reason.clone());
        self.reason = Some(reason);
        self
    }

    /// What only the log says: why it is the fault of the service.
    pub(super) fn hidden_reason(&self) -> Option<&str> {
        let is_internal = self.problems.first().is_none_or(|problem| problem.code.status() >= 500);
        self.log.as_deref().filter(|_| is_internal)
    }

    /// With its reason in `details`, where the service is in development.
    pub(super) fn explained(mut self, is_in_development: bool) -> Self {
        if let Some(reason) = self.reason.take_if(|_| is_in_development) {
            self.problems = self.problems.into_iter().map(|problem| problem.with("reason", logged(&reason))).collect();
        }
        self
    }

    /// The response, in the language of the client.
    pub(crate) fn into_response(
        self,
        media_type: &HeaderValue,
        trace_id: Uuid,
        mut reader: Reader<'_>,
    ) -> Response<Payload> {
        let status = self.problems.first().map_or(500, |problem| problem.code.status());
        if let Some(reason) = &self.log {
            let reason = logged(reason);
            match status {
                401 => throttled!(info, %trace_id, status, %reason, "credentials are refused"),
                503 => throttled!(warn, %trace_id, status, %reason, "requests are refused"),
                _ => throttled!(error, %trace_id, status, %reason, "a request failed"),
            }
        }
        let mut body = b"{\"errors\":".to_vec();
        sequence(&mut body, b'[', b']', &self.problems, |problem, out| write_problem(problem, &mut reader, out));
        body.push(b'}');
        let mut response = Response::new(Payload::from(body));
        *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, media_type.clone());
        headers.insert(header::CONTENT_LANGUAGE, reader.content_language());
        headers.extend(self.headers);
        response
    }
}

/// The body of a response to a request that was not read, and its language, the default.
pub(crate) fn body_of(problem: &Problem, messages: &Messages) -> (Vec<u8>, String) {
    let mut body = b"{\"errors\":[".to_vec();
    let headers = HeaderMap::new();
    let mut reader = Reader::new(messages, &headers, None);
    write_problem(problem, &mut reader, &mut body);
    body.extend_from_slice(b"]}");
    let language = reader.content_language();
    (body, language.to_str().unwrap_or_default().to_owned())
}

/// A whole response as bytes, for clients that get no connection. `more`: headers of all responses.
pub(crate) fn busy(media_type: &HeaderValue, messages: &Messages, more: &str) -> Vec<u8> {
    let code = ErrorCode::Unavailable;
    let (body, language) = body_of(&Problem::new(code), messages);
    let head = format!(
        "HTTP/1.1 {} Service Unavailable\r\ncontent-type: {}\r\ncontent-language: {language}\r\n\
         content-length: {}\r\nretry-after: 1\r\n{more}connection: close\r\n\r\n",
        code.status(),
        media_type.to_str().unwrap_or_default(),
        body.len()
    );
    [head.into_bytes(), body].concat()
}

/// One error object: all five keys, always (§7.1).
pub(super) fn write_problem(problem: &Problem, reader: &mut Reader<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"message\":");
    write_text(problem.message().as_bytes(), out);
    out.extend_from_slice(b",\"code\":");
    write_text(problem.name().as_bytes(), out);
    out.extend_from_slice(b",\"details\":");
    if problem.details.is_empty() {
        out.extend_from_slice(b"null");
    } else {
        out.extend_from_slice(serde_json::Value::from(problem.details.clone()).to_string().as_bytes());
    }
    out.extend_from_slice(b",\"path\":");
    match &problem.path {
        Some(path) => write_text(path.as_bytes(), out),
        None => out.extend_from_slice(b"null"),
    }
    out.extend_from_slice(b",\"userMessage\":");
    write_text(reader.translate(problem).as_bytes(), out);
    out.push(b'}');
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self { problems: vec![problem], headers: Vec::new(), log: None, reason: None }
    }
}

impl From<Malformed> for Failure {
    fn from(Malformed(reason): Malformed) -> Self {
        Problem::new(ErrorCode::MalformedJson).with("reason", reason).into()
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => {
                Self::new(ErrorCode::Unavailable).log(&error).header(header::RETRY_AFTER, RETRY_AFTER)
            }
            StoreError::TooCostly(narrow) => Self::from(Problem::new(ErrorCode::TooCostly).with("narrow", narrow))
                .header(header::RETRY_AFTER, RETRY_AFTER),
            StoreError::PageTooLarge { max_bytes, fits } => {
                let problem = Problem::at(ErrorCode::PageTooLarge, "limit");
                Self::invalid(vec![problem.with("maxBytes", max_bytes).with("fits", fits)])
            }
            StoreError::Corrupt(_) | StoreError::Internal(_) => Self::new(ErrorCode::InternalError).log(&error),
        }
    }
}

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Problems(problems) => Self::invalid(of_one_status(problems)),
            Cause::Store(refusal) => refusal.into(),
            Cause::Upstream(code, reason) => Self::new(code).log(&reason),
            Cause::Unforeseen(reason) => Self::new(ErrorCode::InternalError).log(&reason),
            Cause::RulesTooDeep(reason) => Self::new(ErrorCode::InternalError).because(reason),
        }
    }
}

/// The problems of a rejection that have one status: the first in the order of checks.
fn of_one_status(mut problems: Vec<Problem>) -> Vec<Problem> {
    let first = ErrorCode::REJECTIONS.into_iter().find(|code| problems.iter().any(|problem| problem.code == *code));
    let status = first.map(ErrorCode::status);
    problems.retain(|problem| status.is_none_or(|status| problem.code.status() == status));
    problems.truncate(MAX_PROBLEMS);
    problems
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotFound => Self::new(ErrorCode::ResourceNotFound),
            Refusal::Changed => Self::new(ErrorCode::PreconditionFailed),
            Refusal::Forbidden => Self::new(ErrorCode::Forbidden),
            Refusal::FieldsForbidden(paths) => {
                Self::invalid(paths.into_iter().map(|path| Problem::at(ErrorCode::Forbidden, path)).collect())
            }
            // it was retried already
            Refusal::Conflict | Refusal::Superseded => {
                Self::new(ErrorCode::Unavailable).header(header::RETRY_AFTER, RETRY_AFTER)
            }
            Refusal::Invalid(problems) => Self::invalid(problems),
            Refusal::StillReferenced(_) => Self::new(ErrorCode::StillReferenced),
            Refusal::Failed(error) => error.into(),
        }
    }
}
