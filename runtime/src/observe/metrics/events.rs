//! Event streams: how much they make the service read and render.

use super::Metrics;
use super::catalogue::{EVENT_READS, EVENTS_READ, EVENTS_RENDERED};
use metrics::Counter;

/// What is measured of event streams.
#[derive(Debug, Clone)]
pub(crate) struct EventMetrics {
    pub(crate) reads: Counter,
    pub(crate) read: Counter,
    pub(crate) rendered: Counter,
}

impl EventMetrics {
    /// Of a service.
    pub(crate) fn new(metrics: &Metrics) -> Self {
        let reads = metrics.counter(EVENT_READS, &[]);
        Self { reads, read: metrics.counter(EVENTS_READ, &[]), rendered: metrics.counter(EVENTS_RENDERED, &[]) }
    }
}
