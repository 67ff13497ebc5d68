//! Errors of extractors and handlers, carried to the edge: there they get the reader's language, the negotiated media
//! type and the trace id, as all errors do (§7).

use crate::logic::rejection::{Cause, Rejection};
use crate::serve::failure::Failure;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{Extensions, StatusCode};
use restwell_model::ErrorCode;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Why an extractor has nothing to give.
pub struct RouteError(pub(crate) Failure);

impl fmt::Debug for RouteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RouteError").field(&self.0).finish()
    }
}

impl RouteError {
    /// The handler asks for what its route does not say: a mistake of the team.
    pub(crate) fn undeclared(reason: &str) -> Self {
        Self(Failure::new(ErrorCode::InternalError).because(reason.to_owned()))
    }
}

/// A failure on its way to the edge. Extensions have to be cloned, so it is shared, and taken once.
#[derive(Clone)]
struct CarriedFailure(Arc<Mutex<Option<Failure>>>);

impl IntoResponse for RouteError {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response.extensions_mut().insert(CarriedFailure(Arc::new(Mutex::new(Some(self.0)))));
        response
    }
}

/// The failure that a response carries.
pub(crate) fn take_failure(extensions: &mut Extensions) -> Option<Failure> {
    let CarriedFailure(failure) = extensions.remove()?;
    failure.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// An entity that [`find`](crate::Transaction::find) does not find is what the request is about: 404.
impl From<Rejection> for RouteError {
    fn from(Rejection(cause): Rejection) -> Self {
        match &cause {
            Cause::Problems(problems)
                if matches!(problems.as_slice(), [problem]
                    if problem.code == ErrorCode::NotFound && problem.path.is_none() && problem.custom.is_none()) =>
            {
                Self(Failure::new(ErrorCode::ResourceNotFound))
            }
            _ => Self(cause.into()),
        }
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        RouteError::from(self).into_response()
    }
}
