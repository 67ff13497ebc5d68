//! The decision "Own paths": what those who watch a service ask it.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{created, path};
use serde_json::json;
use std::time::{Duration, Instant};

pub(super) const CASES: &[Case] = &[
    ("Own paths: /livez and /readyz are 200 for any client", probes),
    ("Own paths: probes take no parameters", no_parameters),
    ("Own paths: /metrics counts requests by method, route and status", requests),
    ("Own paths: /metrics counts commands by status", commands),
    ("Own paths: other methods are 405", methods),
];

/// Asked as by a machine that sends no header it need not.
fn ask(api: &Api, method: &str, target: &str) -> Reply {
    api.request(method, target).without("accept").without("user-agent").send()
}

fn probes(api: &Api) {
    let live = ask(api, "GET", "/livez").is(200);
    assert_eq!((live.body.as_str(), live.expect_header("cache-control").as_str()), ("live\n", "no-store"));
    let ready = ask(api, "GET", "/readyz").is(200);
    assert_eq!(ready.json(), json!({ "status": "ready", "store": "ready", "bus": "none" }));
    assert_eq!(ready.expect_header("content-type"), "application/json");
    assert_eq!(ask(api, "HEAD", "/livez").is(200).body, "");
}

fn no_parameters(api: &Api) {
    for path in ["/livez", "/readyz", "/metrics"] {
        for method in ["GET", "HEAD"] {
            ask(api, method, &format!("{path}?verbose=1")).is(422);
        }
        ask(api, "GET", &format!("{path}?verbose=1")).refused(&[("UnknownParameter", "verbose")]);
        ask(api, "GET", &format!("{path}?")).is(200);
    }
}

/// The value of a metric with these labels; 0 where it is not there.
pub(super) fn metric(api: &Api, name: &str, labels: &[&str]) -> f64 {
    let page = ask(api, "GET", "/metrics").is(200);
    assert!(page.expect_header("content-type").starts_with("text/plain; version=0.0.4"), "{page}");
    let of = |line: &&str| {
        let is_it = line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' ']));
        is_it && labels.iter().all(|label| line.contains(label))
    };
    let line = page.body.lines().find(of);
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or_default()
}

fn requests(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    for _ in 0..3 {
        api.get(&target).is(200);
    }
    api.get("/specimens?x=1").is(422);
    api.get("/nothing/at/all").is(404);
    api.request("BREW", "/specimens").send().is(405);
    let count = |labels: &[&str]| metric(api, "http_server_request_duration_seconds_count", labels);
    assert_eq!(count(&["method=\"GET\"", "route=\"/specimens/{}\"", "status=\"200\""]), 3.0);
    assert_eq!(count(&["method=\"POST\"", "route=\"/specimens\"", "status=\"201\""]), 1.0);
    assert_eq!(count(&["method=\"GET\"", "route=\"/specimens\"", "status=\"422\""]), 1.0);
    assert_eq!(count(&["method=\"GET\"", "route=\"none\"", "status=\"404\""]), 1.0);
    assert_eq!(count(&["method=\"OTHER\"", "route=\"/specimens\"", "status=\"405\""]), 1.0);
    assert_eq!(metric(api, "http_server_active_requests", &[]), 1.0, "this one");
    assert!(metric(api, "restwell_store_writes_total", &[]) >= 1.0);
    assert!(metric(api, "restwell_store_commit_duration_seconds_count", &[]) >= 1.0);
}

fn commands(api: &Api) {
    let specimen = path("specimens", &created(api, &json!({})));
    for (id, how) in [(1, "COUNT"), (2, "COUNT"), (3, "REFUSE")] {
        let target = format!("{specimen}/treat-commands/01890a5d-ac96-774b-bcce-b302099a810{id}");
        api.put(&target, &json!({ "how": how })).is(201);
    }
    let ended = |status: &str| {
        let labels = ["resource=\"Specimen\"", "command=\"treat\"", &format!("status=\"{status}\"")];
        metric(api, "restwell_command_duration_seconds_count", &labels)
    };
    let begun = Instant::now();
    while (ended("SUCCESSFUL"), ended("FAILED")) != (2.0, 1.0) {
        assert!(begun.elapsed() < Duration::from_secs(20), "{}", ask(api, "GET", "/metrics"));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(metric(api, "restwell_command_wait_seconds_count", &["command=\"treat\""]), 3.0);
    for gauge in ["restwell_commands_unfinished", "restwell_commands_oldest_age_seconds"] {
        assert_eq!(metric(api, gauge, &[]), 0.0, "{gauge}");
    }
}

fn methods(api: &Api) {
    for target in ["/livez", "/readyz", "/metrics"] {
        let reply = ask(api, "POST", target).fails(405, "MethodNotAllowed");
        assert_eq!(reply.expect_header("allow"), "GET, HEAD, OPTIONS");
    }
}
