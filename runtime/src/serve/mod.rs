//! The stages of a request, top to bottom: edge, route, negotiate, caller, parse, target, act, render.
//!
//! Each stage takes the result of the stage before, so that code that leaves one out does not compile. A stage refuses
//! a request by a [`Failure`], in the order of checks that the decisions give.

pub(crate) mod access_log;
pub(crate) mod answers;
pub(crate) mod body;
mod body_parts;
pub(crate) mod caller;
mod changes;
pub(crate) mod commands;
pub(crate) mod common_headers;
mod compression;
mod conditions;
pub(crate) mod contracts;
pub(crate) mod cors;
mod custom_routes;
pub(crate) mod edge;
mod event_stream;
pub(crate) mod failure;
mod fixed_document;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod latest;
mod nearest_path;
pub(crate) mod negotiate;
mod offload;
mod operations;
mod options;
mod page;
pub(crate) mod parameters;
mod patch;
pub(crate) mod payload;
mod read_body;
mod response_meta;
pub mod routes;
pub(crate) mod searches;
mod secrets;
pub(crate) mod shares;
pub(crate) mod system_endpoints;

use crate::auth::authenticator::Authenticator;
use crate::auth::caller::Caller;
use crate::clock::Clock;
use crate::events::{Background, Feed};
use crate::ids::Ids;
use crate::limits::{ClientKey, Limiter};
use crate::logic::change_runner::ChangeRunner;
use crate::logic::commands::Executor;
use crate::logic::jobs::Jobs;
use crate::logic::service_handle::Service;
use crate::messages::{Messages, Reader};
use crate::observe::metrics::{Metrics, RequestMetrics};
use crate::observe::trace::Trace;
use crate::observe::{reasons, telemetry, trace};
use crate::plan::permission::Permission;
use crate::plan::viewer::Viewer;
use crate::plan::{BodyNeed, OperationPlan, Plans, ResourceIndex, ResourcePlan, RouteMatch};
use crate::store::{RepresentationId, Store, StoreError};
use access_log::RequestRecord;
use bytes::Bytes;
use contracts::Contracts;
use cors::Origins;
use edge::EdgeOptions;
use failure::Failure;
use futures_util::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header, request};
use negotiate::negotiate;
pub(crate) use offload::Offload;
use options::methods;
use parameters::RawQuery;
use payload::Payload;
use response_meta::ResponseMeta;
use restwell_model::{ErrorCode, Problem};
use routes::{BodyPlan, CustomMatch, RouteTable};
use shares::Shares;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;
use system_endpoints::Probes;
use tracing::Instrument;
use uuid::Uuid;

/// The other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    pub(crate) address: Option<IpAddr>,
    /// Whether its requests come directly from a connection of this program: then their framing is checked here.
    pub(crate) is_direct: bool,
}

/// Serves requests: the plans, the store, the authenticator, and what else the stages need.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) plans: Arc<Plans>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) authenticator: Arc<dyn Authenticator>,
    /// Makes the changes of requests and handlers.
    pub(crate) change_runner: Arc<ChangeRunner>,
    /// Executes commands.
    pub(crate) executor: Arc<Executor>,
    /// The messages of errors for users.
    pub(crate) messages: Arc<Messages>,
    pub(crate) clock: Clock,
    /// Makes the ids of entities, searches, commands and traces.
    pub(crate) ids: Ids,
    /// Put before the paths in `Location`.
    pub(crate) base_url: Arc<str>,
    /// How long a search can be used.
    pub(crate) search_ttl: Duration,
    /// How long finished commands are kept, and after that their ids.
    pub(crate) command_retention: Duration,
    /// Counts the searches that clients create.
    pub(crate) searches: Arc<Limiter>,
    /// The options of the edge.
    pub(crate) edge: Arc<EdgeOptions>,
    /// The memory and the places that clients share.
    pub(crate) shares: Arc<Shares>,
    /// The last answers to probes.
    pub(crate) probes: Arc<Probes>,
    /// The threads for large bodies.
    pub(crate) offload: Arc<Offload>,
    /// The descriptions of the service for programs, unless they are switched off.
    pub(crate) contracts: Option<Arc<Contracts>>,
    /// Whether the documentation for people is served; it is drawn from these descriptions.
    pub(crate) has_page: bool,
    /// Whether errors say why credentials are refused, and which rules run because of each other: only if the service
    /// listens on a loopback address.
    pub(crate) explains: bool,
    /// The source of its event streams.
    pub(crate) feed: Arc<Feed>,
    /// The routes of the service's own code.
    pub(crate) routes: Arc<RouteTable>,
    /// What the service's own code works with.
    pub(crate) service: Service,
    /// Its background jobs.
    pub(crate) jobs: Arc<Jobs>,
    /// The threads beside requests: events on the bus, retention.
    pub(crate) background: Arc<Background>,
    /// The recorder of all metrics.
    pub(crate) metrics: Metrics,
    /// The metrics of requests.
    pub(crate) requests: Arc<RequestMetrics>,
    /// Requests in progress.
    pub(crate) active: Arc<AtomicUsize>,
}

/// A request at its endpoint.
struct Routed<'a> {
    plan: &'a ResourcePlan,
    resource: ResourceIndex,
    operation: &'a OperationPlan,
    ids: [Option<Uuid>; 2],
}

/// A request that has passed the stages before `act`: the operation, its target, and the caller.
pub(crate) struct Admitted<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) plan: &'a ResourcePlan,
    pub(crate) operation: &'a OperationPlan,
    /// How the answer is rendered.
    pub(crate) at: RepresentationId,
    /// How the body is read.
    pub(crate) body_at: RepresentationId,
    pub(crate) id: Option<Uuid>,
    /// The second id of the path.
    pub(crate) command_id: Option<Uuid>,
    pub(crate) caller: Option<Caller>,
    /// Whose share of places and memory it takes.
    pub(crate) client: ClientKey,
    pub(crate) permission: Permission,
    /// What the caller sees.
    pub(crate) viewer: Viewer,
    /// Whether the caller may create entities of other owners.
    pub(crate) for_others: bool,
    pub(crate) query: RawQuery,
    pub(crate) headers: &'a HeaderMap,
    /// The trace that events of its changes carry.
    pub(crate) trace: &'a Trace,
}

impl Engine {
    /// Answers any request. To HEAD it gives what GET would: the connection omits the body.
    pub(crate) async fn respond<B>(&self, request: Request<B>, peer: Peer) -> Response<Payload>
    where
        B: axum::body::HttpBody<Data = Bytes> + Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (head, body) = request.into_parts();
        let mut trace = Trace::of(&head.headers, || self.ids.trace());
        let span = telemetry::request(&head.method, || self.route_of(head.uri.path()), &mut trace);
        let is_compressed = compression::is_asked(&head.headers);
        let origin = self.edge.origins.as_ref().and_then(|origins| origins.allow(&head.headers));
        let is_preflight = cors::is_preflight(&head.method, &head.headers);
        let mut record = RequestRecord::open(
            self,
            &head,
            edge::address(&head.headers, peer.address, self.edge.is_behind_proxy),
            span.clone(),
        );
        let mut meta = ResponseMeta::new(&self.plans.public);
        let answer = {
            // pinned here, because it is large: each future around it would copy it
            let answering = pin!(async {
                if peer.is_direct {
                    edge::check_head(&head)?;
                }
                self.answer(&head, body, &trace, &mut meta, &mut record).await
            });
            // a panic is a bug: it ends this request, not the connection
            let answering = AssertUnwindSafe(answering).catch_unwind();
            edge::within(self.edge.request_timeout, answering).instrument(span).await
        };
        let answer = match answer {
            Some(answer) => answer
                .unwrap_or_else(|panic| Err(Failure::new(ErrorCode::InternalError).log(&reasons::panic_text(&*panic)))),
            None => Err(Failure::new(ErrorCode::GatewayTimeout)),
        };
        let client = record.client();
        let fail = |failure: Failure| {
            if let Some(reason) = failure.hidden_reason() {
                self.executor.reasons().note(trace.id, reason);
            }
            failure.explained(self.explains).into_response(meta.media_type(), trace.id, self.reader(&head))
        };
        let answer = answer.unwrap_or_else(fail);
        let mut response = answers::take_share(answer, &head.method, client, &self.shares).unwrap_or_else(fail);
        meta.announce(response.headers_mut());
        let headers = response.headers_mut();
        headers.insert(trace::TRACE_ID, trace::trace_header(trace.id));
        common_headers::announce(headers, record.caller.is_some() || record.has_credentials, &self.edge);
        if let Some((limiter, allowance)) = self.edge.limiter.as_ref().zip(record.allowance) {
            limiter.announce(allowance, headers);
        }
        if self.edge.origins.as_ref().is_some_and(Origins::varies) {
            let (name, value) = cors::VARY_ORIGIN;
            headers.append(name, value);
        }
        if let Some(origin) = origin {
            cors::announce(&mut response, origin, is_preflight);
        }
        if is_compressed {
            response = compression::compress(response, client, &self.shares).await;
        }
        record.close(response.status().as_u16(), trace.id);
        response
    }

    /// The answer or the failure. What is boxed here would make the future of each read large.
    async fn answer<B>(
        &self,
        head: &request::Parts,
        body: B,
        trace: &Trace,
        meta: &mut ResponseMeta,
        record: &mut RequestRecord<'_>,
    ) -> Result<Response<Payload>, Failure>
    where
        B: axum::body::HttpBody<Data = Bytes> + Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let system = self.system_endpoint(head);
        if let Some(probe) = system.filter(|system| system.is_probe()) {
            return self.serve_system(probe, head, record.peer).await;
        }
        edge::check(&head.uri, &head.headers)?;
        if !head.method.is_safe() || record.has_credentials {
            self.check_clock()?;
        }
        let known = match &self.edge.limiter {
            Some(limiter) => Some(self.count(limiter, &head.headers, record).await?),
            None => None,
        };
        if let Some(system) = system {
            return self.serve_system(system, head, record.peer).await;
        }
        if head.method == Method::OPTIONS {
            return Box::pin(self.options(head, known, &trace.by(None), record)).await;
        }
        if let Some(found) = self.custom_route(head.uri.path(), record) {
            return Box::pin(self.serve_custom(found, (head, body), known, trace, meta, record)).await;
        }
        let routed = self.route(head.uri.path(), &head.method, record)?;
        let Routed { plan, resource, operation, ids } = routed;
        meta.uses(operation.deprecation);
        let view = plan.view(operation.view);
        let negotiated = negotiate(&head.headers, plan, view, (operation.needs, !body::is_none(&body)), meta)?;
        let caller = match known {
            Some(caller) => caller?,
            None => self.authenticate(&head.headers).await?,
        };
        record.caller = caller.as_ref().map(|caller| caller.id);
        if operation.requires_credentials {
            caller::require(caller.as_ref())?;
        }
        let conditions::Granted { permission, for_others } = self.grant(operation, plan, caller.as_ref()).await?;
        let viewer = self.viewer(plan, caller.as_ref()).await?;
        let client = record.client();
        if !head.method.is_safe() {
            answers::admit(client, &self.shares)?;
        }
        let body = match operation.needs.body {
            BodyNeed::None => body::ReceivedBody::default(),
            BodyNeed::Optional => {
                body::read(body, &head.headers, client, &self.shares.bodies).await?.or_without_members()
            }
            BodyNeed::Required => body::read(body, &head.headers, client, &self.shares.bodies).await?,
        };
        let trace = trace.by(record.caller);
        let at = |version| RepresentationId { resource, view: operation.view, version };
        let admitted = Admitted {
            engine: self,
            plan,
            operation,
            at: at(negotiated.version),
            body_at: at(negotiated.body_version),
            id: ids[0],
            command_id: ids[1],
            caller,
            client,
            permission,
            viewer,
            for_others,
            query: parameters::parse(head.uri.query()),
            headers: &head.headers,
            trace: &trace,
        };
        admitted.act(&body, meta).await
    }

    /// Whether the clock is one that changes can be made by, and credentials checked.
    fn check_clock(&self) -> Result<(), Failure> {
        let refused = |reason| Failure::from(StoreError::Unavailable(reason));
        self.clock.is_set().map_err(refused)
    }

    /// Who sends a request.
    async fn authenticate(&self, headers: &HeaderMap) -> Result<Option<Caller>, Failure> {
        caller::authenticate(headers, &*self.authenticator, self.explains).await
    }

    /// Counts a request: 429 if it is one too many. A request with bad credentials is counted by its address, and
    /// refused later (decisions, "Order of checks").
    async fn count(
        &self,
        limiter: &Limiter,
        headers: &HeaderMap,
        record: &mut RequestRecord<'_>,
    ) -> Result<Result<Option<Caller>, Failure>, Failure> {
        let caller = self.authenticate(headers).await;
        record.caller = caller.as_ref().ok().and_then(Option::as_ref).map(|caller| caller.id);
        let allowance = limiter.take(record.client()).await;
        record.allowance = Some(allowance);
        if allowance.is_allowed { Ok(caller) } else { Err(Failure::too_many(allowance.wait)) }
    }

    /// The reader of a request's errors. The path is looked up once more, so that a request that succeeds pays nothing
    /// for it.
    fn reader<'a>(&'a self, head: &'a request::Parts) -> Reader<'a> {
        let found = self.plans.router.find(head.uri.path());
        let resource = match found {
            Some(found) => Some(self.plans.resources[found.endpoint.resource].name.as_str()),
            None => self.custom_resource(head.uri.path(), head.method.as_str()),
        };
        Reader::new(&self.messages, &head.headers, resource)
    }

    /// The pattern of a path.
    fn route_of(&self, path: &str) -> Option<String> {
        let found = self.plans.router.find(path).map(|found| found.endpoint.pattern.clone());
        found.or_else(|| self.routes.find(path).map(|found| found.path.pattern.clone()))
    }

    /// The custom route at a path. In the metrics, these come after the routes of the resources.
    fn custom_route(&self, path: &str, record: &mut RequestRecord<'_>) -> Option<CustomMatch<'_>> {
        let found = self.routes.find(path)?;
        record.route = Some(self.plans.router.endpoints().len() + found.index);
        Some(found)
    }

    /// The endpoint at a path, and what the method does there: 404, 405.
    fn route(&self, path: &str, method: &Method, record: &mut RequestRecord<'_>) -> Result<Routed<'_>, Failure> {
        let Some(RouteMatch { index, endpoint, ids }) = self.plans.router.find(path) else {
            return Err(nearest_path::not_found(&self.plans.service, path));
        };
        record.route = Some(index);
        let operation = endpoint.operation(method.as_str()).ok_or_else(|| method_not_allowed(&endpoint.allow))?;
        let resource = endpoint.resource;
        Ok(Routed { plan: &self.plans.resources[resource], resource, operation, ids })
    }
}

fn method_not_allowed(allow: &str) -> Failure {
    Failure::from(Problem::new(ErrorCode::MethodNotAllowed).with("allow", allow)).header(header::ALLOW, methods(allow))
}

/// How many headers most answers have in the end. There is room for them from the beginning: making more room moves
/// them all.
const MOST_HEADERS: usize = 12;

/// A successful answer.
pub(crate) fn success(status: StatusCode, body: Vec<u8>, headers: &[(HeaderName, HeaderValue)]) -> Response<Payload> {
    let mut response = Response::new(Payload::from(body));
    *response.status_mut() = status;
    response.headers_mut().reserve(MOST_HEADERS);
    response.headers_mut().extend(headers.iter().cloned());
    response
}
