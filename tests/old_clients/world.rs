//! A service, and a client of the old model that calls it.

use crate::old_clients::calls::{Call, Caller, Sent};
use crate::old_clients::compare::Seen;
use crate::old_clients::data::Data;
use restwell::testing::{Running, Setup, TestClock};
use restwell::{Builder, Interpreted};
use restwell_model::api::Api;
use restwell_model::scalar::Timestamp;
use restwell_model::{Access, Checked};
use restwell_testkit::http::{Connection, Reply, Request};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// The time in both services.
const NOW: &str = "2027-01-01T12:00:00.000Z";
/// How long what is done later may take.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(5);
/// After so much silence an event stream has told everything.
const SILENCE: Duration = Duration::from_millis(120);

pub(crate) struct World {
    running: Running,
    /// Kept between calls, until the service ends it.
    connection: Option<Connection>,
    users: [Uuid; 2],
    scopes: Vec<String>,
    /// The ids that the service has made, each with the word that calls name it by.
    made: Vec<(String, String)>,
}

impl World {
    /// Serves a model from a database file; `data` is what it is filled with. Those who call are always the same.
    pub(crate) fn start(model: &Checked, file: &Path, data: Option<&Data>, callers: &Data) -> Self {
        let interpreted = Interpreted { mock_commands: true, ..Interpreted::of(model.clone()) };
        let clock = TestClock::at(Timestamp::parse(NOW).expect("a time"));
        let setup = Setup::of(Builder::interpreted(interpreted)).file(file).clock(&clock).without_contracts();
        let setup = match data {
            Some(data) => setup.data(&data.text()),
            None => setup,
        };
        let api = Api::of(model);
        let access = api.operations().flat_map(|(_, operation)| operation.access.any_of.clone());
        let scopes = access.filter_map(|access| if let Access::Scope(scope) = access { Some(scope) } else { None });
        let scopes = scopes.collect::<BTreeSet<_>>().into_iter().collect();
        Self { running: setup.start(), connection: None, users: callers.users, scopes, made: Vec::new() }
    }

    fn token(&self, caller: Caller) -> Option<String> {
        let scopes: Vec<_> = self.scopes.iter().map(String::as_str).collect();
        match caller {
            Caller::Nobody => None,
            Caller::First => Some(self.running.token(self.users[0], &[])),
            Caller::Second => Some(self.running.token(self.users[1], &[])),
            Caller::Master => Some(self.running.token(self.users[0], &scopes)),
        }
    }

    /// Sends a call, and waits for what is done later.
    pub(crate) fn send(&mut self, call: &Call) -> Seen {
        let body = match &call.sent {
            Sent::Nothing => None,
            Sent::Json(body) => Some(body.clone()),
            Sent::ReadBack { target, known } => {
                let read = self.exchange("GET", target, call, None);
                let mut body: Value = serde_json::from_slice(&read.body).unwrap_or_default();
                if let Some(body) = body.as_object_mut() {
                    body.retain(|name, _| known.contains(name));
                }
                Some(body)
            }
        };
        let response = self.exchange(call.method, &call.target, call, body.as_ref());
        let header = |name: &str| response.header(name).map(str::to_owned);
        let (status, content_type, location) = (response.status, header("content-type"), header("location"));
        let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        if let Some(word) = call.makes.as_ref().filter(|_| (200..300).contains(&status)) {
            let id = location.as_deref().and_then(|it| it.rsplit('/').next());
            self.made.extend(id.map(|id| (word.clone(), id.to_owned())));
        }
        if status == 202 || has_not_ended(&body) {
            self.wait(call, location.as_deref());
        }
        let location = location.map(|it| self.named(it.strip_prefix(&self.running.url("")).unwrap_or(&it)));
        let body = serde_json::from_str(&self.named(&body.to_string())).unwrap_or_default();
        Seen { status, content_type, location, body }
    }

    fn exchange(&mut self, method: &str, target: &str, call: &Call, body: Option<&Value>) -> Reply {
        let media_type = call.media_type.as_str();
        let request =
            Request::new(method, &self.filled(target)).header("user-agent", "old").header("accept", media_type);
        let request = match self.token(call.caller) {
            Some(token) => request.bearer(&token),
            None => request,
        };
        let request = match body {
            Some(body) => request.body(self.filled(&body.to_string()).as_bytes()).header("content-type", media_type),
            None => request,
        };
        let kept = self.connection.take();
        let mut connection = kept.unwrap_or_else(|| Connection::open(self.running.address()).expect("it connects"));
        let reply = connection.exchange(&request).expect("the service responds");
        self.connection = (reply.header("connection") != Some("close")).then_some(connection);
        reply
    }

    /// What was accepted with 202 is done: a command has ended, a new entity is there, a deleted one is not.
    fn wait(&mut self, call: &Call, location: Option<&str>) {
        let start = Instant::now();
        let base = self.running.url("");
        let target = match (call.method, location) {
            ("POST", Some(location)) => location.strip_prefix(&base).unwrap_or(location).to_owned(),
            _ => call.target.split('?').next().unwrap_or_default().to_owned(),
        };
        while start.elapsed() < PATIENCE {
            let response = self.exchange("GET", &target, call, None);
            let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
            let is_done = match call.method {
                "POST" => response.status == 200,
                "DELETE" => response.status != 200,
                _ => !has_not_ended(&body),
            };
            if is_done {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn filled(&self, text: &str) -> String {
        self.made.iter().fold(text.to_owned(), |text, (word, id)| text.replace(word, id))
    }

    fn named(&self, text: &str) -> String {
        self.made.iter().fold(text.to_owned(), |text, (word, id)| text.replace(id, word))
    }

    /// The events so far, as the first user sees them: `wanted` of them at least, until they are enough or no more come.
    pub(crate) fn events(&self, wanted: usize, is_enough: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let token = self.token(Caller::Master).unwrap_or_default();
        let mut stream = TcpStream::connect(self.running.address()).expect("it connects");
        let head = format!(
            "GET /events HTTP/1.1\r\nhost: localhost\r\nuser-agent: old\r\naccept: text/event-stream\r\n\
             authorization: Bearer {token}\r\nlast-event-id: 0\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("it is sent");
        let (start, mut last, mut bytes, mut found) = (Instant::now(), Instant::now(), Vec::new(), Vec::new());
        stream.set_read_timeout(Some(SILENCE)).expect("a timeout");
        let is_whole =
            |found: &[Value], last: Instant| found.len() >= wanted && (is_enough(found) || last.elapsed() >= SILENCE);
        while start.elapsed() < PATIENCE && !is_whole(&found, last) {
            let mut part = [0; 16 * 1024];
            let Ok(read) = stream.read(&mut part) else { continue };
            if read == 0 {
                break;
            }
            bytes.extend_from_slice(&part[..read]);
            let events = self.data(&bytes);
            if events.len() > found.len() {
                last = Instant::now();
            }
            found = events;
        }
        found
    }

    /// The events of a stream: type, subject and data. The size of a chunk stands on a line of its own.
    fn data(&self, bytes: &[u8]) -> Vec<Value> {
        let text = self.named(&String::from_utf8_lossy(bytes));
        let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
        let events = data.filter_map(|data| serde_json::from_str::<Value>(data.trim()).ok());
        events.map(|it| json!({ "type": it["type"], "subject": it["subject"], "data": it["data"] })).collect()
    }
}

/// Whether it shows a command that goes on.
fn has_not_ended(body: &Value) -> bool {
    body["status"] == "RUNNING"
}
