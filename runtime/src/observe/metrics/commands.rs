//! Commands: how many wait, how long, what became of them.

use super::Metrics;
use super::catalogue::{
    COMMAND_DURATION, COMMAND_WAIT, COMMANDS_OLDEST, COMMANDS_PRUNED, COMMANDS_RUNNING, COMMANDS_UNFINISHED,
};
use metrics::{Counter, Gauge};
use restwell_model::events::CommandStatus;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts the commands that are pruned or deleted.
pub(crate) fn pruned(metrics: &Metrics) -> Counter {
    metrics.counter(COMMANDS_PRUNED, &[])
}

/// What is measured of commands.
#[derive(Debug)]
pub(crate) struct CommandMetrics {
    metrics: Metrics,
    /// Those that this process executes.
    pub(crate) running: Gauge,
    /// Begins and ends: what was counted before the last of them is not true any more.
    progress: AtomicU64,
}

impl CommandMetrics {
    /// Of a service.
    pub(crate) fn new(metrics: &Metrics) -> Self {
        Self { running: metrics.gauge(COMMANDS_RUNNING, &[]), metrics: metrics.clone(), progress: AtomicU64::new(0) }
    }

    /// How many commands have begun and ended in this process.
    pub(crate) fn progress(&self) -> u64 {
        self.progress.load(Ordering::Relaxed)
    }

    /// Notes how long a command waited.
    pub(crate) fn begun(&self, resource: &str, command: &str, waited: Duration) {
        self.progress.fetch_add(1, Ordering::Relaxed);
        self.metrics.histogram(COMMAND_WAIT, &[("resource", resource), ("command", command)]).record(waited);
    }

    /// Notes a command's end.
    pub(crate) fn ended(&self, resource: &str, command: &str, status: CommandStatus, took: Duration) {
        let labels = [("resource", resource), ("command", command), ("status", status.value())];
        self.progress.fetch_add(1, Ordering::Relaxed);
        self.metrics.histogram(COMMAND_DURATION, &labels).record(took);
    }

    /// Records how many commands are RUNNING, and when the oldest was accepted, in milliseconds since 1970.
    pub(crate) fn unfinished(&self, commands: i64, oldest: Option<i64>, now: i64) {
        self.metrics.gauge(COMMANDS_UNFINISHED, &[]).set(commands as f64);
        let age = oldest.map_or(0, |oldest| now.saturating_sub(oldest).max(0));
        self.metrics.gauge(COMMANDS_OLDEST, &[]).set(age as f64 / 1000.0);
    }
}
