//! Commits, as metrics and the numbering of events see them.

use super::health::WriteHealth;
use super::written_events::{Announced, WrittenEvents};
use crate::observe::metrics::StoreMetrics;
use metrics::Gauge;
use std::sync::Arc;
use std::time::Instant;

/// Counts commits, and tells of their events.
#[derive(Clone)]
pub(super) struct CommitCount {
    pub(super) metrics: StoreMetrics,
    pub(super) events: Arc<WrittenEvents>,
    pub(super) health: Arc<WriteHealth>,
}

impl CommitCount {
    /// Records a commit of this number of writes.
    pub(super) fn committed(&self, writes: usize, announced: Announced, started: Instant) {
        self.metrics.writes.increment(writes as u64);
        self.metrics.commit.record(started.elapsed());
        self.events.committed(announced);
    }

    /// Records that a write was refused because too many wait.
    pub(super) fn refused(&self) {
        self.metrics.refused.increment(1);
    }

    /// Counts a write as waiting until the result is dropped.
    pub(super) fn waiting(&self) -> WaitingWrite {
        self.metrics.waiting.increment(1);
        WaitingWrite(self.metrics.waiting.clone())
    }
}

/// A change that waits for a connection.
pub(super) struct WaitingWrite(Gauge);

impl Drop for WaitingWrite {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}
