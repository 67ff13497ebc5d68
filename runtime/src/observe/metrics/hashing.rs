//! Hashing: how many secrets were hashed.

use super::Metrics;
use super::catalogue::HASHES;
use metrics::Counter;

/// What is measured of the hashing of secrets.
#[derive(Debug, Clone)]
pub(crate) struct HashMetrics {
    pub(crate) hashes: Counter,
}

impl HashMetrics {
    /// Of a service.
    pub(crate) fn new(metrics: &Metrics) -> Self {
        Self { hashes: metrics.counter(HASHES, &[]) }
    }
}
