//! Every metric there is: its name, its kind, and what it means. `docs/operate/monitoring.md` has the same list.

/// What a metric is to Prometheus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MetricKind {
    Counter,
    Gauge,
    Histogram,
}

/// Upper bounds of the buckets of times, in seconds.
pub(super) const BUCKETS: [f64; 15] =
    [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

pub(super) const REQUEST_DURATION: &str = "http_server_request_duration_seconds";
pub(super) const REQUESTS_ACTIVE: &str = "http_server_active_requests";
pub(super) const CONNECTIONS: &str = "http_server_open_connections";
pub(super) const CONNECTIONS_REFUSED: &str = "http_server_refused_connections_total";
pub(super) const STREAMS: &str = "restwell_event_streams";
pub(super) const BODIES_KIB: &str = "restwell_bodies_kibibytes";
pub(super) const ANSWERS_KIB: &str = "restwell_answers_kibibytes";
pub(super) const LISTS_ACTIVE: &str = "restwell_lists_active";
pub(super) const EVENT_READS: &str = "restwell_event_reads_total";
pub(super) const EVENTS_READ: &str = "restwell_events_read_total";
pub(super) const EVENTS_RENDERED: &str = "restwell_events_rendered_total";
pub(super) const EVENTS_UNPUBLISHED: &str = "restwell_events_unpublished";
pub(super) const STORE_WAITING: &str = "restwell_store_writes_waiting";
pub(super) const STORE_WRITES: &str = "restwell_store_writes_total";
pub(super) const STORE_REFUSED: &str = "restwell_store_writes_refused_total";
pub(super) const STORE_COMMIT: &str = "restwell_store_commit_duration_seconds";
pub(super) const STORE_STEPS: &str = "restwell_store_steps_total";
pub(super) const COMMANDS_UNFINISHED: &str = "restwell_commands_unfinished";
pub(super) const COMMANDS_OLDEST: &str = "restwell_commands_oldest_age_seconds";
pub(super) const COMMANDS_RUNNING: &str = "restwell_commands_running";
pub(super) const COMMANDS_PRUNED: &str = "restwell_commands_pruned_total";
pub(super) const COMMAND_WAIT: &str = "restwell_command_wait_seconds";
pub(super) const COMMAND_DURATION: &str = "restwell_command_duration_seconds";

pub(super) const HASHES: &str = "restwell_hashes_total";

/// All of them.
pub(super) const CATALOGUE: &[(&str, MetricKind, &str)] = &[
    (
        REQUEST_DURATION,
        MetricKind::Histogram,
        "Time from the head of a request to its response, by method, route and status.",
    ),
    (REQUESTS_ACTIVE, MetricKind::Gauge, "Requests in progress."),
    (CONNECTIONS, MetricKind::Gauge, "Open connections."),
    (CONNECTIONS_REFUSED, MetricKind::Counter, "Connections that were refused because there were too many."),
    (STREAMS, MetricKind::Gauge, "Open event streams."),
    (BODIES_KIB, MetricKind::Gauge, "Memory of request bodies and their parsed values, in KiB."),
    (ANSWERS_KIB, MetricKind::Gauge, "Memory of responses until they are sent, in KiB."),
    (LISTS_ACTIVE, MetricKind::Gauge, "Lists that are being read or wait to be read."),
    (
        EVENT_READS,
        MetricKind::Counter,
        "Reads of the store for event streams: of pages of events, and of what decides who sees these.",
    ),
    (EVENTS_READ, MetricKind::Counter, "Events that were read from the store for event streams."),
    (
        EVENTS_RENDERED,
        MetricKind::Counter,
        "Events that were rendered for event streams; streams share the rendering of an event.",
    ),
    (EVENTS_UNPUBLISHED, MetricKind::Gauge, "Events that the bus does not have yet, if one is configured."),
    (STORE_WAITING, MetricKind::Gauge, "Writes that wait for the store."),
    (STORE_WRITES, MetricKind::Counter, "Writes that the store accepted."),
    (STORE_REFUSED, MetricKind::Counter, "Writes that were refused because too many waited."),
    (STORE_COMMIT, MetricKind::Histogram, "Time of one commit, which many writes share, until it is durable."),
    (STORE_STEPS, MetricKind::Counter, "Steps of SQLite's virtual machine that reads took, in portions of 512."),
    (COMMANDS_UNFINISHED, MetricKind::Gauge, "Commands that are RUNNING, in execution anywhere or waiting."),
    (COMMANDS_OLDEST, MetricKind::Gauge, "Seconds since the oldest command that is RUNNING was accepted."),
    (COMMANDS_RUNNING, MetricKind::Gauge, "Commands that this process executes."),
    (
        COMMANDS_PRUNED,
        MetricKind::Counter,
        "Finished commands that were pruned to their ids, and pruned ones that were deleted.",
    ),
    (
        COMMAND_WAIT,
        MetricKind::Histogram,
        "Time from the acceptance of a command to its execution, by resource and command.",
    ),
    (COMMAND_DURATION, MetricKind::Histogram, "Time of the execution of a command, by resource, command and status."),
    (HASHES, MetricKind::Counter, "Secrets that were hashed, those that were verified included."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_follow_the_conventions_of_prometheus() {
        let names: HashSet<_> = CATALOGUE.iter().map(|(name, ..)| name).collect();
        assert_eq!(names.len(), CATALOGUE.len());
        for (name, kind, help) in CATALOGUE.iter().copied() {
            assert_eq!(name.ends_with("_total"), kind == MetricKind::Counter, "{name}");
            assert_eq!(
                name.ends_with("_duration_seconds") || name.ends_with("_wait_seconds"),
                kind == MetricKind::Histogram,
                "{name}"
            );
            assert!(help.ends_with('.'), "{name}");
        }
    }

    #[test]
    fn the_operators_guide_has_them_all() {
        let guide = include_str!("../../../../docs/operate/monitoring.md");
        for (name, _, help) in CATALOGUE {
            assert!(guide.contains(&format!("| `{name}` | {help} |")), "{name}");
        }
    }
}
