//! Spans to a collector, by OTLP over HTTP.

use super::TRACES;
use crate::observe::trace::Trace;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState, TracerProvider};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Span;
use tracing::level_filters::LevelFilter;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;
use uuid::Uuid;

/// Spans of HTTP clients and of the exporter itself: they are not about the service.
const QUIET: [&str; 6] = ["async_nats", "h2", "hyper", "hyper_util", "opentelemetry", "reqwest"];

/// A connection to a collector; what it was not sent yet is sent when it is closed.
pub(crate) struct Collector(SdkTracerProvider);

impl Collector {
    /// To the collector at a URL, for a service of this name.
    ///
    /// # Errors
    ///
    /// A sentence for people: it is no URL of one.
    pub(crate) fn connect(url: &str, service: &str) -> Result<Self, String> {
        let endpoint = format!("{}/v1/traces", url.trim_end_matches('/'));
        let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpBinary).with_endpoint(endpoint);
        let exporter = exporter.build().map_err(|error| format!("--otlp: {error}"))?;
        let resource = Resource::builder().with_service_name(service.to_owned()).build();
        Ok(Self(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build()))
    }

    /// What takes the spans.
    pub(crate) fn layer<S>(&self) -> impl Layer<S>
    where
        S: tracing::Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let targets = Targets::new().with_default(LevelFilter::INFO).with_target(TRACES, LevelFilter::INFO);
        let targets = targets.with_targets(QUIET.map(|target| (target, LevelFilter::OFF)));
        tracing_opentelemetry::layer().with_tracer(self.0.tracer("restwell")).with_filter(targets)
    }

    /// Sends what there is.
    pub(crate) fn close(&self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!(%error, "some traces were not sent");
        }
    }
}

/// Makes the span a part of the trace that it continues, and what comes after a part of the span.
pub(super) fn join(span: &Span, trace: &mut Trace) {
    if let Some((parent, flags)) = trace.parent.as_deref().and_then(parent) {
        let id = TraceId::from_bytes(*trace.id.as_bytes());
        let context = SpanContext::new(id, parent, flags, true, TraceState::default());
        // an error means that no subscriber is set
        let _ = span.set_parent(opentelemetry::Context::new().with_remote_span_context(context));
    }
    let context = span.context();
    let own = context.span().span_context().clone();
    if own.is_valid() {
        let flags = own.trace_flags().to_u8();
        trace.id = Uuid::from_bytes(own.trace_id().to_bytes());
        trace.parent = Some(format!("00-{}-{}-{flags:02x}", own.trace_id(), own.span_id()));
    }
}

/// The span in a `traceparent`, and its flags.
fn parent(text: &str) -> Option<(SpanId, TraceFlags)> {
    let mut parts = text.split('-').skip(2);
    let span = SpanId::from_hex(parts.next()?).ok()?;
    Some((span, TraceFlags::new(u8::from_str_radix(parts.next()?, 16).ok()?)))
}
