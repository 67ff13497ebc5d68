//! Requests for routes of the service's own code: the stages after routing, along what the route says of itself.
//!
//! The edge before them and the answer after them are those of every request. The handler runs once nothing is known
//! to be wrong with the request; what it responds with goes out as it is, but for errors, which become those of §7.

use super::body::{self, ReceivedBody};
use super::caller;
use super::failure::Failure;
use super::negotiate;
use super::parameters::{self, RawQuery};
use super::payload::Payload;
use super::response_meta::ResponseMeta;
use super::{Engine, RequestRecord, answers, method_not_allowed};
use crate::auth::caller::Caller;
use crate::limits::ClientKey;
use crate::logic::defaults::Creation;
use crate::observe::trace::Trace;
use crate::plan::list_parameters::unknown_parameter;
use crate::plan::permission::Permission;
use crate::plan::query::Query;
use crate::plan::{RepresentationId, ResourceIndex};
use crate::serve::routes::{BodyPlan, CustomMatch, CustomMethod, RouteRequest, ShownInBody, is_json, take_failure};
use axum::body::HttpBody;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use http::{HeaderValue, Request, Response, header, request};
use http_body_util::{BodyExt, BodyStream};
use restwell_model::api::{CustomParameter, LIMIT, OFFSET, SEARCH_ID, SORT};
use restwell_model::input::{Body, MAX_PROBLEMS, Reading};
use restwell_model::{ErrorCode, Problem, Value};
use std::sync::{Arc, Mutex};
use tower::ServiceExt;

/// Bytes of an error's text that a client is shown at most.
const MAX_REASON_BYTES: usize = 500;

/// What a request says beside its path: parameters, filters, and the values of its body.
struct CheckedRequest {
    parameters: Vec<(String, String)>,
    query: Option<(Arc<str>, Query)>,
    value: Option<(String, Value)>,
}

impl Engine {
    /// Answers a request for a custom route. `known`: its caller, if that was found out for the rate limit.
    pub(super) async fn serve_custom<B>(
        &self,
        found: CustomMatch<'_>,
        (head, body): (&request::Parts, B),
        known: Option<Result<Option<Caller>, Failure>>,
        trace: &Trace,
        meta: &mut ResponseMeta,
        record: &mut RequestRecord<'_>,
    ) -> Result<Response<Payload>, Failure>
    where
        B: HttpBody<Data = Bytes> + Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let CustomMatch { path, .. } = found;
        let method = path.method(head.method.as_str()).ok_or_else(|| method_not_allowed(&path.allow))?;
        let media_type = self.negotiate_custom(method, head)?;
        let caller = match known {
            Some(caller) => caller?,
            None => self.authenticate(&head.headers).await?,
        };
        record.caller = caller.as_ref().map(|caller| caller.id);
        let permission = match method.contract.access.as_slice() {
            [] => Permission::Granted,
            access => caller::permission(access, caller.as_ref())?,
        };
        let client = record.client();
        if !head.method.is_safe() {
            answers::admit(client, &self.shares)?;
        }
        let body = match method.consumes.is_empty() {
            false => body::read(body, &head.headers, client, &self.shares.bodies).await?,
            true => ReceivedBody::default(),
        };
        let parsed = match &method.body {
            Some(plan) => Some(Box::pin(self.read_custom(plan, (client, &body), caller.as_ref())).await?),
            None => None,
        };
        caller::permit(&permission)?;
        let CheckedRequest { parameters, query, value } = self.check_custom(method, head, parsed, meta)?;
        let request = RouteRequest {
            service: self.service.clone(),
            trace: trace.by(record.caller),
            caller,
            media_type: media_type.clone(),
            variables: method.variables(head.uri.path()),
            parameters,
            query,
            body: Mutex::new(value),
        };
        let mut forwarded = Request::new(axum::body::Body::from(body.bytes.clone()));
        *forwarded.method_mut() = head.method.clone();
        *forwarded.uri_mut() = head.uri.clone();
        *forwarded.headers_mut() = head.headers.clone();
        let request = Arc::new(request);
        forwarded.extensions_mut().insert(Arc::clone(&request));
        let response = match method.handler.clone().oneshot(forwarded).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        // the share of its memory is held until the handler is done
        drop(body);
        let shown = method.shown(response.status()).filter(|_| is_json(response.extensions()));
        let response = finish(response, &media_type, &path.allow).await?;
        match shown {
            Some(shown) => self.show_in(response, shown, request.caller.as_ref()).await,
            None => Ok(response),
        }
    }

    /// A response with what its references show to the caller.
    async fn show_in(
        &self,
        mut response: Response<Payload>,
        (shown, touched): &ShownInBody,
        caller: Option<&Caller>,
    ) -> Result<Response<Payload>, Failure> {
        if let Payload::Whole(body) = response.body() {
            let viewer = self.viewer_of(touched, caller).await?;
            let bodies = self.store.show(Arc::clone(shown), vec![body.to_vec()], viewer).await?;
            let body = bodies.into_iter().next().unwrap_or_default();
            *response.body_mut() = Payload::Whole(body.into());
        }
        Ok(response)
    }

    /// Reads a body that a type describes; its values are whole if it has no problems. Of a resource it is read like
    /// that of a POST: the service gives what requests cannot set.
    async fn read_custom(
        &self,
        of: &BodyPlan,
        body: (ClientKey, &ReceivedBody),
        caller: Option<&Caller>,
    ) -> Result<Body, Failure> {
        let shape = of.shape(&self.plans);
        let BodyPlan::Resource(_, index) = of else {
            let read = self.read_body(body, of, Reading::Create, &[]).await?;
            let value = if read.problems.is_empty() { shape.complete(read.value) } else { Value::Null };
            return Ok(Body { value, ..read });
        };
        let plan = &self.plans.resources[*index];
        let owner = caller::owner_preset(plan, caller);
        let mut read = self.read_body(body, of, Reading::Create, owner.as_slice()).await?;
        caller::require_owner(plan, shape, &read.value, caller)?;
        let value = std::mem::take(&mut read.value);
        if read.problems.is_empty() {
            let (id, now) = (self.ids.entity(), self.clock.now().millis());
            let creation = Creation { id, now, caller };
            read.value = self.complete_new((plan, shape), creation, value, &mut read.problems).await?;
            plan.compute_again((id, [now; 2]), &mut read.value);
        }
        Ok(read)
    }

    /// The media type of the response; 406, 415.
    fn negotiate_custom(&self, method: &CustomMethod, head: &request::Parts) -> Result<HeaderValue, Failure> {
        let produced = method.produces.as_slice();
        let accepted = match produced.is_empty() {
            true => None,
            false => negotiate::accept(&head.headers, produced, method.requires_accept())?,
        };
        if !method.consumes.is_empty() {
            negotiate::content_type(&head.headers, method.consumes.as_slice())?;
        }
        let chosen = accepted.and_then(|index| produced.get(index)).or(produced.first());
        Ok(chosen.unwrap_or(&self.plans.public).clone())
    }

    /// Collects all that is wrong with parameters and body: 422.
    fn check_custom(
        &self,
        method: &CustomMethod,
        head: &request::Parts,
        parsed: Option<Body>,
        meta: &mut ResponseMeta,
    ) -> Result<CheckedRequest, Failure> {
        let given = parameters::parse(head.uri.query());
        let names = |name: &str| method.contract.parameters.iter().any(|known| known.name == name);
        let (parameters, others): (Vec<_>, Vec<_>) =
            given.parameters.iter().cloned().partition(|(name, _)| names(name));
        let (query, mut problems) = match &method.filters {
            Some((name, resource)) => {
                let (query, problems) = self.read_filters(*resource, &others);
                meta.uses(query.deprecation);
                (Some((Arc::clone(name), query)), problems)
            }
            None => {
                let known = || method.contract.parameters.iter().map(|known| known.name.as_str());
                (None, others.iter().map(|(name, _)| unknown_parameter(name, known())).collect())
            }
        };
        let is_given = |known: &&CustomParameter| parameters.iter().any(|(name, _)| *name == known.name);
        let required = method.contract.parameters.iter().filter(|known| known.is_required);
        let missing = required.filter(|known| !is_given(known));
        problems.extend(missing.map(|known| Problem::at(ErrorCode::Required, &*known.name)));
        problems = RawQuery::refuse(&given, problems);
        let mut value = None;
        if let Some((Body { value: read, problems: of_body, deprecation, .. }, plan)) = parsed.zip(method.body.as_ref())
        {
            meta.uses(deprecation);
            problems.extend(of_body);
            value = Some((plan.name().to_owned(), read));
        }
        problems.truncate(MAX_PROBLEMS);
        if problems.is_empty() {
            Ok(CheckedRequest { parameters, query, value })
        } else {
            Err(Failure::invalid(problems))
        }
    }

    /// The filters, the order and the page that a resource's public list has; a search is for lists alone.
    fn read_filters(&self, resource: ResourceIndex, given: &[(String, String)]) -> (Query, Vec<Problem>) {
        let is_search = |(name, _): &&(String, String)| name == SEARCH_ID;
        let filters: Vec<_> = given.iter().filter(|parameter| !is_search(parameter)).cloned().collect();
        let parameters = &self.plans.representation(RepresentationId::canonical(resource)).parameters;
        let (query, mut problems) = parameters.read(&filters);
        problems.extend(given.iter().filter(is_search).map(|(name, _)| unknown_parameter(name, [SORT, OFFSET, LIMIT])));
        (query, problems)
    }

    /// The resource of the fields that a custom route's errors are about.
    pub(super) fn custom_resource(&self, path: &str, method: &str) -> Option<&str> {
        let found = self.routes.find(path)?;
        found.path.method(method)?.body.as_ref()?.resource()
    }
}

/// A handler's response as that of the service.
async fn finish(
    mut response: axum::response::Response,
    media_type: &HeaderValue,
    allow: &str,
) -> Result<Response<Payload>, Failure> {
    if let Some(failure) = take_failure(response.extensions_mut()) {
        return Err(failure);
    }
    if is_json(response.extensions()) {
        response.headers_mut().insert(header::CONTENT_TYPE, media_type.clone());
    } else if response.status().is_client_error() || response.status().is_server_error() {
        return Err(error_of(response, allow).await);
    }
    let (head, body) = response.into_parts();
    let payload = match body.size_hint().exact() {
        // its length is known: it is in memory
        Some(_) => match body.collect().await {
            Ok(whole) => Payload::Whole(whole.to_bytes()),
            Err(error) => return Err(Failure::new(ErrorCode::InternalError).log(&error)),
        },
        None => Payload::stream(data_of(body)),
    };
    let mut response = Response::from_parts(head, payload);
    // the connection knows the length, which compression changes
    response.headers_mut().remove(header::CONTENT_LENGTH);
    Ok(response)
}

/// The data of a body until its end, or until it fails: then the client sees that it is cut.
fn data_of(body: axum::body::Body) -> impl Stream<Item = Bytes> + Send {
    let frames = BodyStream::new(body).take_while(|frame| {
        let is_good = frame.is_ok();
        async move { is_good }
    });
    frames.filter_map(|frame| async move { frame.ok()?.into_data().ok() })
}

/// An error that is not in the form of §7: of axum's own extractors, or a bare status. Its text is for developers.
async fn error_of(response: axum::response::Response, allow: &str) -> Failure {
    let status = response.status().as_u16();
    let code = match status {
        400 => ErrorCode::MalformedRequest,
        401 => ErrorCode::Unauthenticated,
        403 => ErrorCode::Forbidden,
        404 => ErrorCode::ResourceNotFound,
        405 => return method_not_allowed(allow),
        409 => ErrorCode::RejectedConflict,
        412 => ErrorCode::PreconditionFailed,
        422 => ErrorCode::Rejected,
        501 => ErrorCode::NotReady,
        502 => ErrorCode::BadGateway,
        503 => ErrorCode::Unavailable,
        504 => ErrorCode::GatewayTimeout,
        _ => ErrorCode::InternalError,
    };
    let headers = response.headers().clone();
    let text = match response.into_body().collect().await {
        Ok(whole) => String::from_utf8_lossy(&whole.to_bytes()).into_owned(),
        Err(error) => error.to_string(),
    };
    let end = text.char_indices().map(|(index, _)| index).find(|index| *index >= MAX_REASON_BYTES);
    let text = &text[..end.unwrap_or(text.len())];
    let problem = match text.is_empty() || status >= 500 {
        true => Problem::new(code),
        false => Problem::new(code).with("reason", text),
    };
    let failure = Failure::from(problem);
    let failure = if status >= 500 || code == ErrorCode::InternalError {
        failure.log(&format!("a route responded with {status}: {text}"))
    } else {
        failure
    };
    let kept = [header::WWW_AUTHENTICATE, header::RETRY_AFTER].into_iter();
    let kept = kept.filter_map(|name| headers.get(&name).cloned().map(|value| (name, value)));
    let failure = kept.fold(failure, |failure, (name, value)| failure.header(name, value));
    match code {
        ErrorCode::Unauthenticated if !headers.contains_key(header::WWW_AUTHENTICATE) => {
            failure.header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
        }
        ErrorCode::Unavailable if !headers.contains_key(header::RETRY_AFTER) => {
            failure.header(header::RETRY_AFTER, HeaderValue::from_static("1"))
        }
        _ => failure,
    }
}
