//! Why a team's own code does not do what it was asked for.

use crate::store::{Refusal, StoreError};
use restwell_model::{ErrorCode, Problem};
use serde_json::Value as Json;
use std::fmt;

/// Bytes of a reason after which no more causes are added to it.
const MAX_REASON_BYTES: usize = 1024;

/// What a handler or a rule answers instead of doing its work.
///
/// One that a client can do something about has a code, a text and a path. A command becomes FAILED with it; a request
/// that a rule rejects is answered 422, or with the status of [`forbidden`](Self::forbidden),
/// [`not_found`](Self::not_found) or [`conflict`](Self::conflict). Any other error that `?` turns into one is
/// unforeseen: it goes to the log, and the client learns nothing but `InternalError`.
///
/// ```
/// use restwell::Rejection;
///
/// let rejection = Rejection::new("OfferStillActive", "the offer runs until {endingAt}")
///     .at("fromDate")
///     .with("endingAt", "2027-01-01T00:00:00.000Z");
/// ```
#[derive(Debug)]
pub struct Rejection(pub(crate) Cause);

/// What lies behind a rejection.
#[derive(Debug)]
pub(crate) enum Cause {
    /// For the client.
    Problems(Vec<Problem>),
    /// Another service failed or was late: worth another try.
    Upstream(ErrorCode, String),
    /// The store refused.
    Store(Refusal),
    /// For the log.
    Unforeseen(String),
    /// Too many rules ran because of each other: a mistake of the team, whose reason names the rules.
    RulesTooDeep(String),
}

impl Rejection {
    /// An error with a code of the team's own, in `PascalCase`, and an English text in which `{name}` stands for a
    /// detail.
    #[must_use]
    pub fn new(code: &str, text: &str) -> Self {
        Self::of(ErrorCode::Rejected, code, text)
    }

    /// The caller may not do this: like [`new`](Self::new), but a request is answered 403.
    #[must_use]
    pub fn forbidden(code: &str, text: &str) -> Self {
        Self::of(ErrorCode::RejectedForbidden, code, text)
    }

    /// What is asked for is not there, or is hidden from the caller: like [`new`](Self::new), but a request is answered
    /// 404.
    #[must_use]
    pub fn not_found(code: &str, text: &str) -> Self {
        Self::of(ErrorCode::RejectedNotFound, code, text)
    }

    /// The request is right, but conflicts with the present state: like [`new`](Self::new), but a request is answered
    /// 409.
    #[must_use]
    pub fn conflict(code: &str, text: &str) -> Self {
        Self::of(ErrorCode::RejectedConflict, code, text)
    }

    fn of(status: ErrorCode, code: &str, text: &str) -> Self {
        Self(Cause::Problems(vec![Problem { code: status, ..Problem::custom(code, text) }]))
    }

    /// The input's or the entity's field that is wrong, dotted.
    #[must_use]
    pub fn at(mut self, path: &str) -> Self {
        self.last(|problem| problem.path = Some(path.to_owned()));
        self
    }

    /// A detail, shown to clients and put into the text.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.last(|problem| drop(problem.details.insert(name.to_owned(), value.into())));
        self
    }

    /// This and others. A response has one status, so it lists only those that are not found, else those that are
    /// forbidden, else the conflicts, else the rest. A command that FAILED lists all.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        match (&mut self.0, other.0) {
            (Cause::Problems(problems), Cause::Problems(others)) => problems.extend(others),
            (Cause::Problems(_), other) => self.0 = other,
            _ => {}
        }
        self
    }

    /// A service behind this one failed. A command is tried again some times before it is FAILED with `BadGateway`.
    #[must_use]
    pub fn upstream(error: impl fmt::Display) -> Self {
        Self(Cause::Upstream(ErrorCode::BadGateway, error.to_string()))
    }

    /// A service behind this one did not answer in time. A command is tried again some times before it is FAILED with
    /// `GatewayTimeout`.
    #[must_use]
    pub fn upstream_late(error: impl fmt::Display) -> Self {
        Self(Cause::Upstream(ErrorCode::GatewayTimeout, error.to_string()))
    }

    /// The team has not written this yet.
    #[doc(hidden)]
    #[must_use]
    pub fn not_ready() -> Self {
        Self(Cause::Problems(vec![Problem::new(ErrorCode::NotReady)]))
    }

    pub(crate) fn unforeseen(error: impl fmt::Display) -> Self {
        Self(Cause::Unforeseen(error.to_string()))
    }

    fn last(&mut self, change: impl FnOnce(&mut Problem)) {
        if let Cause::Problems(problems) = &mut self.0
            && let Some(problem) = problems.last_mut()
        {
            change(problem);
        }
    }
}

impl From<StoreError> for Rejection {
    fn from(error: StoreError) -> Self {
        Self(Cause::Store(error.into()))
    }
}

impl<E: std::error::Error> From<E> for Rejection {
    fn from(error: E) -> Self {
        // with what it was caused by
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause.filter(|_| text.len() < MAX_REASON_BYTES) {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        Self::unforeseen(text)
    }
}
