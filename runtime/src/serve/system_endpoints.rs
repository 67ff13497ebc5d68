//! The service's own paths (decisions, "Own paths"): beside the conventions, answered before the router is asked,
//! unless the request is for a resource at the same path.
//!
//! Probes are not counted by the rate limit, so they ask the store once a second at most, however often they are asked.

use super::Engine;
use super::contracts::ContractKind;
use super::event_stream;
use super::failure::Failure;
use super::latest::Latest;
use super::options::methods_answer;
use super::payload::Payload;
use super::{method_not_allowed, negotiate, page, parameters, success};
use crate::store::outbox::{Follower, START, Seek};
use crate::store::{Backlog, Refusal, Store, StoreError};
use http::{HeaderName, HeaderValue, Method, Response, StatusCode, header, request};
use restwell_model::api::SystemEndpoint;
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long the store may take to show that it takes writes.
const STORE_PATIENCE: Duration = Duration::from_secs(2);
/// For responses that must be requested again each time.
const UNCACHED: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
/// All of them are read only.
const METHODS: &str = "GET, HEAD, OPTIONS";
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// The text format of Prometheus.
const EXPOSITION: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

impl Engine {
    /// What is served at a path of the service's own; `None` also if the operator has switched it off, and if the
    /// request is for a resource at the same path: then it names a media type of the service.
    pub(super) fn system_endpoint(&self, head: &request::Parts) -> Option<SystemEndpoint> {
        let path = head.uri.path();
        let is_served = |endpoint: &SystemEndpoint| match endpoint {
            SystemEndpoint::Livez | SystemEndpoint::Readyz | SystemEndpoint::Metrics | SystemEndpoint::Events => true,
            SystemEndpoint::OpenApi | SystemEndpoint::AsyncApi | SystemEndpoint::Model => self.contracts.is_some(),
            SystemEndpoint::Root => self.has_page,
            SystemEndpoint::Docs => self.has_page && page::has(path),
        };
        let is_for_resource = || {
            let vendor = &self.plans.service.vendor;
            self.plans.router.find(path).is_some() && negotiate::names_version(&head.headers, vendor)
        };
        SystemEndpoint::find(path).filter(is_served).filter(|_| !is_for_resource())
    }

    /// Responds to a request for one of them by the client at this address.
    pub(super) async fn serve_system(
        &self,
        endpoint: SystemEndpoint,
        head: &request::Parts,
        peer: Option<IpAddr>,
    ) -> Result<Response<Payload>, Failure> {
        match head.method {
            Method::GET | Method::HEAD => {}
            Method::OPTIONS => return Ok(methods_answer(&self.methods_at(head.uri.path()))),
            _ => return Err(method_not_allowed(METHODS)),
        }
        if endpoint != SystemEndpoint::Events {
            refuse_parameters(head)?;
        }
        match endpoint {
            SystemEndpoint::Livez => Ok(uncached(TEXT, "live\n".to_owned())),
            SystemEndpoint::Readyz => self.readiness().await,
            SystemEndpoint::Metrics => Ok(uncached(EXPOSITION, self.measured().await)),
            SystemEndpoint::Events => event_stream::open(self, head, peer).await,
            SystemEndpoint::OpenApi => self.contract(ContractKind::OpenApi, head).await,
            SystemEndpoint::AsyncApi => self.contract(ContractKind::AsyncApi, head).await,
            SystemEndpoint::Model => self.contract(ContractKind::Model, head).await,
            SystemEndpoint::Root => self.root(head),
            SystemEndpoint::Docs => page::file(head),
        }
    }
}

impl Engine {
    /// The methods at a path of the service's own, with those of a resource that has the same path: a browser asks for
    /// them before it sends a request, and does not say what that will accept.
    fn methods_at(&self, path: &str) -> String {
        let resource = self.plans.router.find(path).map_or("", |found| &found.endpoint.allow);
        let methods = METHODS.split(", ").chain(resource.split(", ")).filter(|method| !method.is_empty());
        methods.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
    }
}

/// Only the stream of events takes parameters.
fn refuse_parameters(head: &request::Parts) -> Result<(), Failure> {
    let problems = parameters::refuse_all(&parameters::parse(head.uri.query()));
    if problems.is_empty() { Ok(()) } else { Err(Failure::invalid(problems)) }
}

fn uncached(media_type: HeaderValue, body: String) -> Response<Payload> {
    success(StatusCode::OK, body.into_bytes(), &[(header::CONTENT_TYPE, media_type), UNCACHED])
}

/// The last answers of the store to probes.
#[derive(Debug, Default)]
pub(crate) struct Probes {
    ready: Latest<Result<(), StoreError>>,
    counts: Latest<Counts>,
}

/// The counts of the store; `None` if it could not count.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    backlog: Option<Backlog>,
    /// Events that the bus does not have yet.
    unpublished: Option<i64>,
}

/// Whether the store takes writes; an error also if it does not answer in time.
async fn check(store: Arc<dyn Store>) -> Result<(), StoreError> {
    match tokio::time::timeout(STORE_PATIENCE, store.check()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(Refusal::Failed(error))) => Err(error),
        Ok(Err(refusal)) => Err(StoreError::Unavailable(format!("the store refuses to be looked at: {refusal:?}"))),
        Err(_) => Err(StoreError::Unavailable("the store does not answer in time".to_owned())),
    }
}

async fn count(store: Arc<dyn Store>, has_bus: bool) -> Counts {
    // failing requests show that the store is unavailable
    let backlog = store.backlog().await.ok();
    let unpublished = if has_bus { unpublished(&*store).await.ok() } else { None };
    Counts { backlog, unpublished }
}

async fn unpublished(store: &dyn Store) -> Result<i64, StoreError> {
    let newest = store.mark(Seek::Newest).await?.map_or(START, |mark| mark.position);
    Ok(newest - store.followed(Follower::Bus).await?.unwrap_or(START))
}

impl Engine {
    /// Ready: accepts writes and is not shutting down. An unreachable bus is reported but does not fail readiness.
    async fn readiness(&self) -> Result<Response<Payload>, Failure> {
        let away = |reason: &str| Failure::from(StoreError::Unavailable(reason.to_owned()));
        if self.feed.is_ending() {
            return Err(away("the service is about to end"));
        }
        self.check_clock()?;
        let store = Arc::clone(&self.store);
        if store.checks_are_free() {
            check(store).await?;
        } else {
            let panicked = || Err(StoreError::Internal("the check of the store panicked".to_owned()));
            self.probes.ready.get(0, || check(store)).await.unwrap_or_else(panicked)?;
        }
        let bus = match self.background.bus() {
            None => "none",
            Some(None) => "unused",
            Some(Some(true)) => "ready",
            Some(Some(false)) => "away",
        };
        Ok(uncached(JSON, format!("{{\"status\":\"ready\",\"store\":\"ready\",\"bus\":\"{bus}\"}}")))
    }

    /// All metrics, and those that are measured only when they are read.
    async fn measured(&self) -> String {
        self.requests.active.set(self.active.load(Ordering::Relaxed) as f64);
        self.requests.streams.set(self.feed.streams() as f64);
        self.requests.bodies.set(self.shares.bodies.share.held() as f64);
        self.requests.answers.set(self.shares.answers.held() as f64);
        self.requests.lists.set(self.shares.lists.held() as f64);
        let (store, has_bus) = (Arc::clone(&self.store), self.background.bus().is_some());
        let progress = self.executor.metrics().progress();
        let counts = self.probes.counts.get(progress, || count(store, has_bus)).await.unwrap_or_default();
        if let Some(backlog) = counts.backlog {
            self.executor.metrics().unfinished(backlog.commands, backlog.oldest, self.clock.now().millis());
        }
        if let Some(events) = counts.unpublished {
            self.metrics.unpublished(events);
        }
        self.metrics.page()
    }
}
