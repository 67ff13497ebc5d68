//! Commands: how many wait, how long, what became of them.

use super::Metrics;
use super::catalogue::{COMMAND_DURATION, COMMAND_WAIT, COMMANDS_OLDEST, COMMANDS_RUNNING, COMMANDS_UNFINISHED};
use crate::store::Backlog;
use metrics::Gauge;
use restwell_model::events::CommandStatus;
use std::time::Duration;

/// What is measured of commands.
#[derive(Debug)]
pub(crate) struct CommandMetrics {
    metrics: Metrics,
    /// Those that this process executes.
    pub(crate) running: Gauge,
}

impl CommandMetrics {
    /// Of a service.
    pub(crate) fn new(metrics: &Metrics) -> Self {
        Self { running: metrics.gauge(COMMANDS_RUNNING, &[]), metrics: metrics.clone() }
    }

    /// Notes how long a command waited.
    pub(crate) fn begun(&self, resource: &str, command: &str, waited: Duration) {
        self.metrics.histogram(COMMAND_WAIT, &[("resource", resource), ("command", command)]).record(waited);
    }

    /// Notes a command's end.
    pub(crate) fn ended(&self, resource: &str, command: &str, status: CommandStatus, took: Duration) {
        let labels = [("resource", resource), ("command", command), ("status", status.value())];
        self.metrics.histogram(COMMAND_DURATION, &labels).record(took);
    }

    /// Notes what the store holds.
    pub(crate) fn unfinished(&self, backlog: Backlog, now: i64) {
        self.metrics.gauge(COMMANDS_UNFINISHED, &[]).set(backlog.commands as f64);
        let age = backlog.oldest.map_or(0, |oldest| now.saturating_sub(oldest).max(0));
        self.metrics.gauge(COMMANDS_OLDEST, &[]).set(age as f64 / 1000.0);
    }
}
