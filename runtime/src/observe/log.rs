//! The log of the service's program: lines to stderr, and spans to a collector if one is configured.

use super::telemetry::{Collector, TRACES};
use clap::Args;
use std::io::IsTerminal;
use tracing::Dispatch;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// The target of the access log, by which `--log` can select it.
pub(crate) const ACCESS: &str = "access";

/// The options of the log.
#[derive(Debug, Clone, Args)]
pub(crate) struct LogOptions {
    /// An OpenTelemetry collector to send traces of requests and commands to, by OTLP over HTTP: `http://HOST:4318`.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", help_heading = "Log", value_name = "URL")]
    otlp: Option<String>,
    /// Log a line per request, with the target `access`.
    #[arg(long, env = "ACCESS_LOG", help_heading = "Log")]
    access_log: bool,
    /// What to log: a level (`info`), or levels by module (`restwell=debug,warn`).
    #[arg(long = "log", env = "LOG", help_heading = "Log", default_value = "info")]
    pub(crate) filter: String,
}

/// What takes the lines, and the spans where there is a collector.
fn dispatch(options: &LogOptions, collector: Option<&Collector>) -> Result<Dispatch, String> {
    let lines = fmt::layer().with_writer(std::io::stderr).with_target(false);
    let lines = match std::io::stderr().is_terminal() {
        true => lines.boxed(),
        // `target` tells the access log from the rest; the span of a line has those around it
        false => lines.json().flatten_event(true).with_target(true).with_span_list(false).boxed(),
    };
    let subscriber = tracing_subscriber::registry().with(lines.with_filter(filter(options)?));
    // no `with(None)`: that layer has no filter, so that each request would have a span
    Ok(match collector {
        Some(collector) => subscriber.with(collector.layer()).into(),
        None => subscriber.into(),
    })
}

/// The running log. Closing it sends the spans that have not been sent yet.
#[must_use = "spans are lost if the log is not closed"]
pub(crate) struct Log {
    collector: Option<Collector>,
}

/// The filter that `--log` and `--access-log` describe.
pub(crate) fn filter(options: &LogOptions) -> Result<EnvFilter, String> {
    let (filter, access) = (&options.filter, if options.access_log { "info" } else { "off" });
    // the publisher logs once that the bus is unreachable; its client library would log every attempt
    EnvFilter::try_new(format!("async_nats=off,{TRACES}=off,{ACCESS}={access},{filter}"))
        .map_err(|error| format!("--log {filter}: {error}"))
}

impl Log {
    /// Starts to log: readable lines on a terminal, JSON otherwise.
    ///
    /// # Errors
    ///
    /// A message for the operator: the filter or the collector's URL is invalid.
    pub(crate) fn start(options: &LogOptions, service: &str) -> Result<Self, String> {
        let collector = options.otlp.as_deref().map(|url| Collector::connect(url, service)).transpose()?;
        dispatch(options, collector.as_ref())?.try_init().map_err(|error| error.to_string())?;
        Ok(Self { collector })
    }

    /// Sends the remaining spans.
    pub(crate) fn close(self) {
        if let Some(collector) = self.collector {
            collector.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::telemetry;
    use crate::observe::trace::Trace;
    use http::{HeaderMap, Method};
    use uuid::Uuid;

    #[test]
    fn requests_have_no_spans_without_a_collector() {
        let options = LogOptions { otlp: None, access_log: false, filter: "info".to_owned() };
        tracing::dispatcher::with_default(&dispatch(&options, None).unwrap(), || {
            let mut trace = Trace::of(&HeaderMap::new(), Uuid::nil);
            let route = || panic!("nobody asks for it");
            assert!(telemetry::request(&Method::GET, route, &mut trace).is_disabled());
        });
    }
}
