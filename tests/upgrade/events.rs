//! `GET /events` as a client reads it that comes back with a cursor.

use serde_json::Value;
use std::io::{BufRead, BufReader, Lines};
use std::net::SocketAddr;
use std::time::Duration;

/// No event is waited for so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// The cursor before the first event.
pub(crate) const BEGINNING: &str = "0";

/// An open stream.
pub(crate) struct EventStream(Lines<BufReader<reqwest::blocking::Response>>);

/// An event, and where it is in the order of all.
pub(crate) struct Told {
    pub(crate) cursor: String,
    pub(crate) event: Value,
}

impl EventStream {
    /// The events after a cursor, which must be good.
    #[track_caller]
    pub(crate) fn after(at: SocketAddr, cursor: &str, token: &str) -> Self {
        let client = reqwest::blocking::Client::builder().timeout(PATIENCE).build().expect("a client");
        let request = client
            .get(format!("http://{at}/events"))
            .header("user-agent", "Upgrade/1.0 (localhost) Linux")
            .header("accept", "text/event-stream")
            .header("last-event-id", cursor)
            .bearer_auth(token);
        let response = request.send().expect("an answer");
        assert_eq!(response.status(), 200, "the cursor {cursor} is good");
        Self(BufReader::new(response).lines())
    }

    /// The next event.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Told {
        let mut cursor = String::new();
        for line in &mut self.0 {
            let line = line.expect("an event comes in time");
            if let Some(id) = line.strip_prefix("id: ").or_else(|| line.strip_prefix("id:")) {
                id.clone_into(&mut cursor);
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Told { cursor, event: serde_json::from_str(data).expect("JSON") };
            }
        }
        panic!("the stream has ended");
    }
}
