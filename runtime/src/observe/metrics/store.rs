//! The store: how many writes wait, how long a commit takes; and what the bus does not have yet.

use super::Metrics;
use super::catalogue::{EVENTS_UNPUBLISHED, STORE_COMMIT, STORE_REFUSED, STORE_STEPS, STORE_WAITING, STORE_WRITES};
use metrics::{Counter, Gauge, Histogram};

/// What is measured of the store.
#[derive(Debug, Clone)]
pub(crate) struct StoreMetrics {
    pub(crate) waiting: Gauge,
    pub(crate) writes: Counter,
    pub(crate) refused: Counter,
    pub(crate) commit: Histogram,
    /// Of SQLite's virtual machine, by reads.
    pub(crate) steps: Counter,
}

impl StoreMetrics {
    /// Of a service.
    pub(crate) fn new(metrics: &Metrics) -> Self {
        Self {
            waiting: metrics.gauge(STORE_WAITING, &[]),
            writes: metrics.counter(STORE_WRITES, &[]),
            refused: metrics.counter(STORE_REFUSED, &[]),
            commit: metrics.histogram(STORE_COMMIT, &[]),
            steps: metrics.counter(STORE_STEPS, &[]),
        }
    }
}

impl Metrics {
    /// Notes how many events the bus does not have yet.
    pub(crate) fn unpublished(&self, events: i64) {
        self.gauge(EVENTS_UNPUBLISHED, &[]).set(events as f64);
    }
}
