//! Bodies in the JSON of the conventions.

use super::RouteError;
use super::extract::RouteRequest;
use crate::logic::rejection::Rejection;
use crate::typed::{Describe, Typed};
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use http::Extensions;
use serde::Serialize;

/// As an extractor: the body of a request, checked whole by the constraints of its type ([`Route::takes`]). As a
/// response: a value in the negotiated media type, minified (§2.4.12, §9.3).
///
/// [`Route::takes`]: super::Route::takes
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// Marks a response whose media type is the negotiated one.
#[derive(Clone)]
struct InNegotiatedType;

/// Whether a response is in the JSON of the conventions.
pub(crate) fn is_json(extensions: &Extensions) -> bool {
    extensions.get::<InNegotiatedType>().is_some()
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(bytes) => {
                let mut response = Response::new(Body::from(bytes));
                response.extensions_mut().insert(InNegotiatedType);
                response
            }
            Err(error) => Rejection::unforeseen(error).into_response(),
        }
    }
}

impl<S: Send + Sync, T: Describe + Typed> FromRequest<S> for Json<T> {
    type Rejection = RouteError;

    async fn from_request(request: Request, _: &S) -> Result<Self, RouteError> {
        let body = RouteRequest::of(request.extensions())?.take_body(T::NAME)?;
        T::from_value(body).map(Json).map_err(|mismatch| RouteError::from(Rejection::unforeseen(mismatch)))
    }
}
