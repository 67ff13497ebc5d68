//! The record of a request, for the metrics and the access log.

use super::Engine;
use crate::limits::{Allowance, ClientKey};
use crate::observe::log::ACCESS;
use crate::observe::log_throttle::logged;
use crate::observe::telemetry;
use http::{Method, Uri, header, request};
use std::net::IpAddr;
use std::sync::atomic::Ordering;
use std::time::Instant;
use tracing::Span;
use uuid::Uuid;

/// A request that is being answered.
pub(super) struct RequestRecord<'a> {
    engine: &'a Engine,
    started: Instant,
    span: Span,
    method: Method,
    /// For the access log only.
    uri: Uri,
    /// The address of the other end of the connection.
    pub(super) peer: Option<IpAddr>,
    /// Whether it came with credentials, good or bad.
    pub(super) has_credentials: bool,
    /// Where it was routed to.
    pub(super) route: Option<usize>,
    /// Its part of the rate limit, if there is one.
    pub(super) allowance: Option<Allowance>,
    /// Who sent it, once that is known.
    pub(super) caller: Option<Uuid>,
}

impl<'a> RequestRecord<'a> {
    /// Of a request that has just arrived.
    pub(super) fn open(engine: &'a Engine, head: &request::Parts, peer: Option<IpAddr>, span: Span) -> Self {
        engine.active.fetch_add(1, Ordering::Relaxed);
        Self {
            engine,
            started: Instant::now(),
            span,
            method: head.method.clone(),
            uri: head.uri.clone(),
            peer,
            has_credentials: head.headers.contains_key(header::AUTHORIZATION),
            route: None,
            allowance: None,
            caller: None,
        }
    }

    /// Whose share of places and memory the request takes.
    pub(super) fn client(&self) -> ClientKey {
        ClientKey::of(self.caller, self.peer)
    }

    /// Records the response.
    pub(super) fn close(&self, status: u16, trace_id: Uuid) {
        let took = self.started.elapsed();
        self.engine.requests.answered(self.route, &self.method, status, took);
        telemetry::answered(&self.span, status);
        // without a check whether it is enabled: that would drop the next line of the log
        tracing::info!(
            target: ACCESS,
            method = self.method.as_str(),
            path = &*logged(self.uri.path()),
            status,
            micros = took.as_micros() as u64,
            peer = self.peer.map(tracing::field::display),
            caller = self.caller.map(tracing::field::display),
            %trace_id,
            "answered"
        );
        tracing::debug!(%trace_id, status, "answered");
    }
}

impl Drop for RequestRecord<'_> {
    fn drop(&mut self) {
        self.engine.active.fetch_sub(1, Ordering::Relaxed);
    }
}
