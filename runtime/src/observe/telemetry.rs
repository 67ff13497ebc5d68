//! Traces: a span for each request and each command. With the feature `otel` they are sent to a collector of
//! OpenTelemetry if one is configured; otherwise spans are disabled, and cost nothing.

#[cfg(feature = "otel")]
mod otel;
#[cfg(not(feature = "otel"))]
#[path = "telemetry/without_otel.rs"]
mod otel;

use super::trace::Trace;
use http::Method;
use tracing::Span;
use tracing::field::Empty;

/// The target of the spans of requests, which differ from the log by it.
pub(crate) const TRACES: &str = "traces";

pub(crate) use otel::Collector;
use otel::join;

/// The span of a request, in which the trace that it continues goes on. Its route is looked up only if something
/// listens.
pub(crate) fn request(method: &Method, route: impl Fn() -> Option<String>, trace: &mut Trace) -> Span {
    // `tracing::enabled!` would answer as well, but where it says no the next line of the log is left out
    let span = tracing::info_span!(
        target: TRACES,
        "request",
        otel.kind = "server",
        otel.name = Empty,
        http.request.method = method.as_str(),
        http.route = Empty,
        http.response.status_code = Empty,
    );
    if span.is_disabled() {
        return span;
    }
    let route = route();
    let name = route.as_ref().map_or_else(|| method.to_string(), |route| format!("{method} {route}"));
    span.record("otel.name", name);
    if let Some(route) = route {
        span.record("http.route", route);
    }
    join(&span, trace);
    span
}

/// Notes what became of a request.
pub(crate) fn answered(span: &Span, status: u16) {
    span.record("http.response.status_code", status);
}

/// The span of a command, in the trace of the request that sent it.
pub(crate) fn command(span: &Span, trace: &Trace) {
    if !span.is_disabled() {
        join(span, &mut trace.clone());
    }
}
