//! What the service's program tells: lines to stderr, and spans to a collector where one is named.

use crate::config::ServeOptions;
use crate::serve::account::ACCESS;
#[cfg(feature = "otel")]
use crate::telemetry::Collector;
use crate::telemetry::TRACES;
use std::io::IsTerminal;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// What takes what is told, until it is closed.
#[must_use = "what was not sent yet is sent when it is closed"]
pub(crate) struct Log {
    #[cfg(feature = "otel")]
    collector: Option<Collector>,
}

/// What `--log` and `--access-log` say.
pub(crate) fn filter(options: &ServeOptions) -> Result<EnvFilter, String> {
    let (filter, access) = (&options.log, if options.access_log { "info" } else { "off" });
    // what becomes of the bus is told by the publisher, once; the client library would tell it with every attempt
    EnvFilter::try_new(format!("async_nats=off,{TRACES}=off,{ACCESS}={access},{filter}"))
        .map_err(|error| format!("--log {filter}: {error}"))
}

impl Log {
    /// Pretty lines on a terminal, JSON for machines otherwise.
    ///
    /// # Errors
    ///
    /// A sentence for people: the filter or the collector's URL is none.
    pub(crate) fn start(options: &ServeOptions, service: &str) -> Result<Self, String> {
        let lines = fmt::layer().with_writer(std::io::stderr).with_target(false);
        let lines = match std::io::stderr().is_terminal() {
            true => lines.boxed(),
            false => lines.json().flatten_event(true).boxed(),
        };
        let subscriber = tracing_subscriber::registry().with(lines.with_filter(filter(options)?));
        Self::start_with(subscriber, options, service)
    }

    #[cfg(feature = "otel")]
    fn start_with<S>(subscriber: S, options: &ServeOptions, service: &str) -> Result<Self, String>
    where
        S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a> + Send + Sync,
    {
        let collector = options.otlp.as_deref().map(|url| Collector::connect(url, service)).transpose()?;
        let spans = collector.as_ref().map(Collector::layer);
        subscriber.with(spans).try_init().map_err(|error| error.to_string())?;
        Ok(Self { collector })
    }

    #[cfg(not(feature = "otel"))]
    fn start_with(subscriber: impl SubscriberInitExt, _: &ServeOptions, _: &str) -> Result<Self, String> {
        subscriber.try_init().map_err(|error| error.to_string())?;
        Ok(Self {})
    }

    /// Sends what was not sent yet.
    pub(crate) fn close(self) {
        #[cfg(feature = "otel")]
        if let Some(collector) = self.collector {
            collector.close();
        }
    }
}
