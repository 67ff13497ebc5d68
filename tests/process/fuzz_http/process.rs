//! How the process is: what it takes of the memory, and what it still does.

use restwell_testkit::http::Request;
use restwell_testkit::process::Service;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long what a client left behind may be noticed late.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes that a process has in memory; 0 if the system does not say.
pub(super) fn memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or_default() << 10
}

/// Nobody is connected any more but who asks, and no other request is being answered.
#[track_caller]
pub(super) fn is_idle(service: &Service) {
    let begun = Instant::now();
    loop {
        let page = service.send(&Request::new("GET", "/metrics")).is(200).text();
        let gauge = |name: &str| {
            let value = page.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
            value.unwrap_or_else(|| panic!("no {name}: {page}"))
        };
        let left = ["http_server_open_connections", "http_server_active_requests", "restwell_event_streams"].map(gauge);
        if left == [1.0, 1.0, 0.0] {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "connections, requests, streams that are left: {left:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// How many requests were answered with which status.
#[track_caller]
pub(super) fn answered(service: &Service) -> BTreeMap<u16, u64> {
    let page = service.send(&Request::new("GET", "/metrics")).is(200).text();
    let lines = page.lines().filter_map(|line| line.strip_prefix("http_server_request_duration_seconds_count{"));
    let mut answered = BTreeMap::new();
    for line in lines {
        let status = line.split_once("status=\"").and_then(|(_, rest)| rest.get(..3)?.parse().ok());
        let count = line.rsplit(' ').next().and_then(|count| count.parse::<u64>().ok());
        *answered.entry(status.expect("a status")).or_default() += count.expect("a count");
    }
    answered
}
