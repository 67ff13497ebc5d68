//! The service's own paths (rulings, "Own paths"): beside the conventions, answered before the router is asked.

use super::Engine;
use super::failure::Failure;
use super::payload::Payload;
use super::{method_not_allowed, options, success};
use crate::events::stream;
use crate::store::StoreError;
use crate::store::outbox::{START, Which};
use http::{HeaderName, HeaderValue, Method, Response, StatusCode, header, request};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long the store may take to show that it takes writes.
const PATIENCE: Duration = Duration::from_secs(2);
/// Of what must be asked anew each time.
const UNCACHED: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
/// All of them are read only.
const METHODS: &str = "GET, HEAD, OPTIONS";
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// The text format of Prometheus.
const EXPOSITION: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

/// What is served at a path of the service's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnPath {
    /// Whether the process answers at all.
    Livez,
    /// Whether it can do its work.
    Readyz,
    /// What was measured.
    Metrics,
    /// Events as they happen.
    Events,
}

/// Those that are served so far, of all that the model keeps free.
const SERVED: [(&str, OwnPath); 4] = [
    ("/livez", OwnPath::Livez),
    ("/readyz", OwnPath::Readyz),
    ("/metrics", OwnPath::Metrics),
    ("/events", OwnPath::Events),
];

impl OwnPath {
    /// What is served at a path, where it is one of these.
    pub(super) fn find(path: &str) -> Option<Self> {
        SERVED.iter().find(|(known, _)| *known == path).map(|(_, own)| *own)
    }

    /// Whether it is asked by what watches the service, which says nothing of itself.
    pub(super) fn is_probe(self) -> bool {
        self != Self::Events
    }

    /// Answers a request.
    pub(super) async fn answer(self, engine: &Engine, head: &request::Parts) -> Result<Response<Payload>, Failure> {
        match head.method {
            Method::GET | Method::HEAD => {}
            Method::OPTIONS => return Ok(options(METHODS)),
            _ => return Err(method_not_allowed(METHODS)),
        }
        match self {
            Self::Livez => Ok(uncached(TEXT, "live\n".to_owned())),
            Self::Readyz => engine.readiness().await,
            Self::Metrics => Ok(uncached(EXPOSITION, engine.measured().await)),
            Self::Events => stream::open(engine, head).await,
        }
    }
}

fn uncached(media_type: HeaderValue, body: String) -> Response<Payload> {
    success(StatusCode::OK, body.into_bytes(), &[(header::CONTENT_TYPE, media_type), UNCACHED])
}

impl Engine {
    /// Ready is what takes writes and is not about to end. A bus that is away is told and keeps nobody waiting.
    async fn readiness(&self) -> Result<Response<Payload>, Failure> {
        let away = |reason: &str| Failure::from(StoreError::Unavailable(reason.to_owned()));
        if self.feed.is_ending() {
            return Err(away("the service is about to end"));
        }
        match tokio::time::timeout(PATIENCE, self.store.check()).await {
            Ok(checked) => checked?,
            Err(_) => return Err(away("the store does not answer in time")),
        }
        let bus = match self.background.bus() {
            None => "none",
            Some(None) => "unused",
            Some(Some(true)) => "ready",
            Some(Some(false)) => "away",
        };
        Ok(uncached(JSON, format!("{{\"status\":\"ready\",\"store\":\"ready\",\"bus\":\"{bus}\"}}")))
    }

    /// Everything that was measured, and what is measured only now.
    async fn measured(&self) -> String {
        self.requests.active.set(self.active.load(Ordering::Relaxed) as f64);
        self.requests.streams.set(self.feed.streams() as f64);
        // a store that is away shows by what fails
        if let Ok(backlog) = self.store.backlog().await {
            self.executor.metrics().unfinished(backlog, self.clock.now().millis());
        }
        if self.background.bus().is_some()
            && let Ok(events) = self.unpublished().await
        {
            self.metrics.unpublished(events);
        }
        self.metrics.page()
    }

    async fn unpublished(&self) -> Result<i64, StoreError> {
        let newest = self.store.mark(Which::Newest).await?.map_or(START, |mark| mark.position);
        Ok(newest - self.store.published().await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::routes::OWN_PATHS;

    #[test]
    fn the_model_keeps_them_free() {
        assert!(SERVED.iter().all(|(path, _)| OWN_PATHS.contains(path)));
    }
}
