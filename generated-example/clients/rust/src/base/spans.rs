//! A span of `tracing` for each call, named as OpenTelemetry's conventions for HTTP clients say.

use super::client::{Call, Success};
use super::error::Error;
use std::future::Future;
use tracing::field::Empty;
use tracing::{Instrument, Span};

/// Runs a call within a span of its own.
pub(super) fn in_span<T>(call: &Call, future: impl Future<Output = T>) -> impl Future<Output = T> {
    let span = tracing::info_span!(
        "request",
        otel.name = %format_args!("{} {}", call.method, call.path),
        otel.kind = "client",
        http.request.method = call.method,
        url.path = call.path,
        http.response.status_code = Empty,
        trace_id = Empty,
    );
    future.instrument(span)
}

/// A response has arrived.
pub(super) fn responded(success: &Success) {
    let span = Span::current();
    span.record("http.response.status_code", success.status);
    if let Some(id) = success.trace_id() {
        span.record("trace_id", tracing::field::display(id));
    }
}

/// The call is sent again.
pub(super) fn sent_again(tries: u32, error: &Error) {
    tracing::debug!(http.request.resend_count = tries, %error, "sending again");
}
