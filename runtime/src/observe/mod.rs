//! What operators see of a service: logs, metrics, traces.

pub(crate) mod log;
pub(crate) mod log_throttle;
pub(crate) mod metrics;
pub(crate) mod reasons;
pub(crate) mod telemetry;
pub(crate) mod trace;
