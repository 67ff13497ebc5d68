//! In place of `otel`, where the program is built without the feature of that name: a collector is refused.

use crate::built_without::built_without;
use crate::observe::trace::Trace;
use std::convert::Infallible;
use tracing::Span;
use tracing_subscriber::layer::Identity;

/// A connection to a collector: there is none.
pub(crate) struct Collector(Infallible);

impl Collector {
    pub(crate) fn connect(_: &str, _: &str) -> Result<Self, String> {
        Err(built_without("--otlp", "otel"))
    }

    pub(crate) fn layer(&self) -> Identity {
        match self.0 {}
    }

    pub(crate) fn close(&self) {
        match self.0 {}
    }
}

/// Spans are part of no trace.
pub(super) fn join(_: &Span, _: &mut Trace) {}
