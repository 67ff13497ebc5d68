//! Metrics for operators: `GET /metrics`, in the text format of Prometheus.
//!
//! Each service has a recorder of its own, so that several in one process do not mix. What is on the way of every
//! request keeps its handles; the rest asks for them by name.

mod catalogue;
mod commands;
mod events;
mod hashing;
mod requests;
mod store;

pub(crate) use commands::{CommandMetrics, pruned};
pub(crate) use events::EventMetrics;
pub(crate) use hashing::HashMetrics;
pub(crate) use requests::RequestMetrics;
pub(crate) use store::StoreMetrics;

use catalogue::{BUCKETS, CATALOGUE, MetricKind};
use metrics::{Counter, Gauge, Histogram, Key, Label, Level, Metadata, Recorder, SharedString};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How often measurements are summed up, so that they do not accumulate if nobody reads them.
pub(crate) const UPKEEP: Duration = Duration::from_secs(5);

const METADATA: Metadata<'static> = Metadata::new("restwell", Level::INFO, None);

/// A service's recorder.
#[derive(Clone)]
pub(crate) struct Metrics {
    recorder: Arc<PrometheusRecorder>,
    page: PrometheusHandle,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

impl Metrics {
    /// Makes the first recorder of the process faster, by a thread beside what calls this. Its clock is the
    /// processor's, which is compared with the system's once: that takes milliseconds.
    pub(crate) fn compare_clocks() {
        std::thread::spawn(|| drop(PrometheusBuilder::new().build_recorder()));
    }

    /// A recorder that knows what everything means.
    pub(crate) fn new() -> Self {
        let builder = PrometheusBuilder::new();
        let builder = builder.set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS);
        // an error means that there are no buckets
        let recorder = builder.unwrap_or_default().build_recorder();
        for (name, kind, help) in CATALOGUE.iter().copied() {
            let (name, help) = (name.into(), SharedString::const_str(help));
            match kind {
                MetricKind::Counter => recorder.describe_counter(name, None, help),
                MetricKind::Gauge => recorder.describe_gauge(name, None, help),
                MetricKind::Histogram => recorder.describe_histogram(name, None, help),
            }
        }
        let page = recorder.handle();
        Self { recorder: Arc::new(recorder), page }
    }

    /// Takes what the service's own code measures, by the macros of the `metrics` crate, unless it has its own
    /// recorder.
    pub(crate) fn take_all(&self) {
        // somebody else does
        let _ = metrics::set_global_recorder(Arc::clone(&self.recorder));
    }

    /// A counter.
    pub(crate) fn counter(&self, name: &'static str, labels: &[(&'static str, &str)]) -> Counter {
        self.recorder.register_counter(&key(name, labels), &METADATA)
    }

    /// A gauge.
    pub(crate) fn gauge(&self, name: &'static str, labels: &[(&'static str, &str)]) -> Gauge {
        self.recorder.register_gauge(&key(name, labels), &METADATA)
    }

    /// A histogram.
    pub(crate) fn histogram(&self, name: &'static str, labels: &[(&'static str, &str)]) -> Histogram {
        self.recorder.register_histogram(&key(name, labels), &METADATA)
    }

    /// Sums up what was measured since the last time.
    pub(crate) fn upkeep(&self) {
        self.page.run_upkeep();
    }

    /// Everything, as Prometheus reads it.
    pub(crate) fn page(&self) -> String {
        self.page.render()
    }
}

fn key(name: &'static str, labels: &[(&'static str, &str)]) -> Key {
    let labels = labels.iter().map(|(name, value)| Label::new(*name, (*value).to_owned()));
    Key::from_parts(name, labels.collect::<Vec<_>>())
}
