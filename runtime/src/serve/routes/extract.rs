//! What handlers of routes get of their request.

use super::RouteError;
use crate::auth::caller::Caller;
use crate::logic::rejection::{Cause, Rejection};
use crate::logic::service_handle::Service;
use crate::logic::transactions::Transactions;
use crate::observe::trace::Trace;
use crate::plan::query::Query as PlannedQuery;
use crate::serve::caller::unauthenticated;
use crate::serve::failure::Failure;
use crate::typed::{Describe, Query, Ref};
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::request::Parts;
use http::{Extensions, HeaderValue};
use restwell_model::input::excerpt;
use restwell_model::scalar::uuid_text;
use restwell_model::{ErrorCode, Problem, Value, names};
use std::fmt::Display;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

/// A request that was checked along its route.
pub(crate) struct RouteRequest {
    pub(crate) service: Service,
    pub(crate) caller: Option<Caller>,
    pub(crate) trace: Trace,
    /// Of the response.
    pub(crate) media_type: HeaderValue,
    /// The variables of the path, decoded.
    pub(crate) variables: Vec<(String, String)>,
    /// The query parameters that the route names.
    pub(crate) parameters: Vec<(String, String)>,
    /// The resource whose filters the route takes, and what is asked with them.
    pub(crate) query: Option<(Arc<str>, PlannedQuery)>,
    /// The type's name, and the values, until they are taken.
    pub(crate) body: Mutex<Option<(String, Value)>>,
}

impl RouteRequest {
    /// That of a handler.
    pub(super) fn of(extensions: &Extensions) -> Result<&Arc<Self>, RouteError> {
        let outside = "an extractor of restwell is used outside of `Builder::routes`";
        extensions.get().ok_or_else(|| RouteError::undeclared(outside))
    }

    /// The body, which must be of this type.
    pub(super) fn take_body(&self, name: &str) -> Result<Value, RouteError> {
        let taken = self.body.lock().unwrap_or_else(PoisonError::into_inner).take();
        match taken {
            Some((of, value)) if of == name => Ok(value),
            _ => Err(RouteError::undeclared(&format!("the route does not say `.takes::<{name}>()`"))),
        }
    }
}

/// The authenticated caller; 401 without credentials. `Option<Caller>` is for those who may have none.
impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = RouteError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RouteError> {
        let caller = RouteRequest::of(&parts.extensions)?.caller.clone();
        caller.ok_or_else(|| RouteError(unauthenticated()))
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for Caller {
    type Rejection = RouteError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, RouteError> {
        Ok(RouteRequest::of(&parts.extensions)?.caller.clone())
    }
}

/// The transactions of the request: their changes and events have its trace and its caller.
impl<S: Send + Sync> FromRequestParts<S> for Transactions {
    type Rejection = RouteError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RouteError> {
        let request = RouteRequest::of(&parts.extensions)?;
        Ok(Self::new(Arc::clone(request.service.runner()), request.trace.clone(), request.caller.clone()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Service {
    type Rejection = RouteError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RouteError> {
        Ok(RouteRequest::of(&parts.extensions)?.service.clone())
    }
}

/// The media type that `Accept` selected for the response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaType(pub HeaderValue);

impl MediaType {
    /// As in `Content-Type`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for MediaType {
    type Rejection = RouteError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RouteError> {
        Ok(Self(RouteRequest::of(&parts.extensions)?.media_type.clone()))
    }
}

/// A query of the query string (§4.4, §4.6): `QueryString(query): QueryString<OfferQuery>`. The route says
/// [`filters`](super::Route::filters). The handler may add filters, which hold as well, and an order for ties.
#[derive(Debug, Clone)]
pub struct QueryString<Q>(pub Q);

impl<S: Send + Sync, Q: Query> FromRequestParts<S> for QueryString<Q> {
    type Rejection = RouteError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RouteError> {
        let request = RouteRequest::of(&parts.extensions)?;
        match &request.query {
            Some((of, query)) if **of == *Q::Of::NAME => Ok(Self(Q::of_request(query.clone().into()))),
            _ => {
                let name = Q::Of::NAME;
                Err(RouteError::undeclared(&format!("the route does not say `.filters::<{name}>()`")))
            }
        }
    }
}

/// The query parameters that the route names.
#[derive(Debug, Clone, Default)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// The values of one, in their order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of one that may be given once.
    ///
    /// # Errors
    ///
    /// It is given twice, or cannot be parsed: 422 with its name as the path.
    pub fn get<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, Rejection> {
        let mut values = self.all(name);
        let Some(value) = values.next() else { return Ok(None) };
        if values.next().is_some() {
            return Err(Rejection(Cause::Problems(vec![Problem::at(ErrorCode::RepeatedParameter, name)])));
        }
        value.parse().map(Some).map_err(|error: T::Err| {
            let problem = Problem::at(ErrorCode::InvalidParameter, name).with("reason", excerpt(&error.to_string()));
            Rejection(Cause::Problems(vec![problem]))
        })
    }

    /// The same, where it must be given.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get), and 422 `Required`.
    pub fn require<T: FromStr<Err: Display>>(&self, name: &str) -> Result<T, Rejection> {
        let missing = || Rejection(Cause::Problems(vec![Problem::at(ErrorCode::Required, name)]));
        self.get(name)?.ok_or_else(missing)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Parameters {
    type Rejection = RouteError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RouteError> {
        Ok(Self(RouteRequest::of(&parts.extensions)?.parameters.clone()))
    }
}

/// The entity that the variable of its name stands for: `{offerId}` for `Ref<Offer>`. What is not a UUID is 404.
impl<S: Send + Sync, T: Describe> FromRequestParts<S> for Ref<T> {
    type Rejection = RouteError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RouteError> {
        let request = RouteRequest::of(&parts.extensions)?;
        let name = format!("{}Id", names::camel(T::NAME));
        let Some((_, text)) = request.variables.iter().find(|(variable, _)| *variable == name) else {
            return Err(RouteError::undeclared(&format!("the path of the route has no `{{{name}}}`")));
        };
        let id = uuid_text::parse(text).map(Self::to);
        id.ok_or_else(|| RouteError(Failure::new(ErrorCode::ResourceNotFound)))
    }
}
