//! What can go wrong with a call.

use super::transport::TransportError;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::fmt;
use std::time::Duration;
use uuid::Uuid;

/// One of the problems of a request (§7.1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Problem {
    /// For developers, in English.
    pub message: String,
    /// The kind of the problem: `Required`, `TooLong`, `NotUnique`, …
    pub code: String,
    /// The limit that was broken, or other data.
    #[serde(default)]
    pub details: Json,
    /// The property or parameter, dotted: `buyNow.amount`.
    #[serde(default)]
    pub path: Option<String>,
    /// For users, in the language of the client.
    #[serde(default)]
    pub user_message: String,
}

/// A response that reports errors.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ApiError {
    /// The status code.
    pub status: u16,
    /// The problems of the request; empty where the response has no body of the conventions, as from a proxy.
    pub problems: Vec<Problem>,
    /// The id under which the service has logged the request.
    pub trace_id: Option<Uuid>,
    /// When another try makes sense.
    pub retry_after: Option<Duration>,
    /// Whether an earlier try of the same call got lost, so that the service may have done what was asked before it
    /// gave this response.
    pub may_have_happened: bool,
}

/// A command that FAILED.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CommandFailed {
    /// The id of the command.
    pub command_id: Uuid,
    /// Why.
    pub problems: Vec<Problem>,
}

/// Whether the service may have done what was asked, although no response arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uncertain {
    /// It certainly has not.
    No,
    /// It may have.
    MayHaveHappened,
}

/// Why a call failed. Variants of responses are named after their status.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// 422: the request is invalid, see its problems. Also 400.
    Invalid(ApiError),
    /// 401: the credentials are missing or bad.
    Unauthenticated(ApiError),
    /// 403: the caller may not do this.
    Forbidden(ApiError),
    /// 404: there is no such entity.
    NotFound(ApiError),
    /// 410: it was there once: an expired search, a retired version, a command whose record is gone, or events that
    /// are not kept any more.
    Gone(ApiError),
    /// 412: the entity has changed since it was read.
    PreconditionFailed(ApiError),
    /// 429, after the last try.
    RateLimited(ApiError),
    /// 502, 503 or 504, after the last try.
    Unavailable(ApiError),
    /// 501: announced, but not ready.
    NotReady(ApiError),
    /// Any other status.
    Other(ApiError),
    /// A command ended as FAILED.
    CommandFailed(CommandFailed),
    /// No response arrived, after the last try.
    Connection(TransportError, Uncertain),
    /// The time that the call had is over.
    Timeout(Uncertain),
    /// The response is not what the service describes.
    UnexpectedBody(String),
    /// The token source had no token.
    Token(String),
    /// The call cannot be sent as it is: a value that JSON cannot express, or a bad URL.
    Request(String),
}

impl Error {
    /// The response that reported the error; `None` where there was none.
    #[must_use]
    pub const fn response(&self) -> Option<&ApiError> {
        match self {
            Self::Invalid(it)
            | Self::Unauthenticated(it)
            | Self::Forbidden(it)
            | Self::NotFound(it)
            | Self::Gone(it)
            | Self::PreconditionFailed(it)
            | Self::RateLimited(it)
            | Self::Unavailable(it)
            | Self::NotReady(it)
            | Self::Other(it) => Some(it),
            Self::CommandFailed(_)
            | Self::Connection(..)
            | Self::Timeout(_)
            | Self::UnexpectedBody(_)
            | Self::Token(_)
            | Self::Request(_) => None,
        }
    }

    /// The problems of the request, or of the command.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::CommandFailed(it) => &it.problems,
            other => other.response().map_or(&[], |response| &response.problems),
        }
    }

    /// Whether a property has a problem of this code: `error.has("NotUnique", "email")`.
    #[must_use]
    pub fn has(&self, code: &str, path: &str) -> bool {
        self.at(path).any(|problem| problem.code == code)
    }

    /// The problems of a property: `error.at("buyNow.amount")`.
    pub fn at<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Problem> {
        self.problems().iter().filter(move |problem| problem.path.as_deref() == Some(path))
    }

    /// The id under which the service has logged the request.
    #[must_use]
    pub fn trace_id(&self) -> Option<Uuid> {
        self.response().and_then(|response| response.trace_id)
    }

    /// Whether the service may have done what was asked, although the call failed: because the response got lost, or
    /// came from something between.
    #[must_use]
    pub fn may_have_happened(&self) -> bool {
        match self {
            Self::Connection(_, uncertain) | Self::Timeout(uncertain) => *uncertain == Uncertain::MayHaveHappened,
            Self::UnexpectedBody(_) => true,
            other => other.response().is_some_and(|it| it.may_have_happened),
        }
    }

    pub(super) fn of_response(error: ApiError) -> Self {
        match error.status {
            400 | 422 => Self::Invalid(error),
            401 => Self::Unauthenticated(error),
            403 => Self::Forbidden(error),
            404 => Self::NotFound(error),
            410 => Self::Gone(error),
            412 => Self::PreconditionFailed(error),
            429 => Self::RateLimited(error),
            501 => Self::NotReady(error),
            502..=504 => Self::Unavailable(error),
            _ => Self::Other(error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommandFailed(it) => write!(f, "the command {} failed: {}", it.command_id, Listed(&it.problems)),
            Self::Connection(error, _) => write!(f, "no response: {error}"),
            Self::Timeout(_) => f.write_str("no response in time"),
            Self::UnexpectedBody(problem) => write!(f, "the response is not what the service describes: {problem}"),
            Self::Token(problem) => write!(f, "no token: {problem}"),
            Self::Request(problem) => write!(f, "the call cannot be sent: {problem}"),
            other => {
                let (status, problems) = other.response().map_or((0, &[][..]), |it| (it.status, &it.problems));
                write!(f, "the service responded {status}: {}", Listed(problems))
            }
        }
    }
}

impl std::error::Error for Error {}

/// Problems in one line.
struct Listed<'a>(&'a [Problem]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            let path = problem.path.as_deref().map(|path| format!("{path}: ")).unwrap_or_default();
            write!(f, "{separator}{path}{} ({})", problem.message, problem.code)?;
        }
        Ok(())
    }
}
