//! The events of `GET /events` from the beginning, read from one instance.

use restwell_testkit::market;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::time::Duration;

/// No stream of a test is so long.
const PATIENCE: Duration = Duration::from_secs(120);
/// Events of the kinds that the staff sees.
const TARGET: &str = "/events?type=marketplace.offer.created&type=marketplace.offer.updated\
                      &type=marketplace.offer.deleted&type=marketplace.user.created";

/// The ids of the first `count` events, in the order of one instance.
#[track_caller]
pub(crate) fn ids(at: SocketAddr, count: usize) -> Vec<String> {
    let client = reqwest::blocking::Client::builder().timeout(PATIENCE).build().expect("a client");
    let response = client
        .get(format!("http://{at}{TARGET}"))
        .header("user-agent", "Instances/1.0 (localhost) Linux")
        .header("accept", "text/event-stream")
        .header("last-event-id", "0")
        .bearer_auth(market::staff())
        .send()
        .expect("an answer");
    assert_eq!(response.status(), 200);
    let mut ids = Vec::new();
    for line in BufReader::new(response).lines() {
        if ids.len() == count {
            break;
        }
        let line = line.unwrap_or_else(|error| panic!("{error} after {} of {count} events", ids.len()));
        if let Some(data) = line.strip_prefix("data: ") {
            let event: serde_json::Value = serde_json::from_str(data).expect("JSON");
            ids.push(event["id"].as_str().expect("an id").to_owned());
        }
    }
    ids
}
