//! The client's side of the wire, written out by hand: half of what the suite asks is what no client library would send
//! (no `User-Agent`, no `Accept`, two equal keys, bytes that are no text).

use crate::judging;
use crate::transcript::Transcript;
use flate2::read::GzDecoder;
use restwell::Builder;
use restwell::Timestamp;
use restwell::testing::{Running, Setup, TestClock};
use restwell_model::Checked;
use restwell_testkit::openapi::{Exchange, Judge};
use restwell_testkit::postgres::Database;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// The only public version (§9.4).
pub(crate) const PUBLIC: &str = "application/vnd.service.public.v1+json";
/// The beta that specimens have.
pub(crate) const BETA: &str = "application/vnd.service.beta.v2+json";
/// The beta that specimens had.
pub(crate) const RETIRED: &str = "application/vnd.service.beta.v1+json";

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the ids of a service follow from.
const SEED: u64 = 11;
/// The time at which each service starts. Its clock goes on by a tick for each request but GET, which may be
/// repeated until something has happened.
static START: LazyLock<Timestamp> = LazyLock::new(Timestamp::now);
const TICK: Duration = Duration::from_millis(1);

/// A running service with an empty database.
pub(crate) struct Api {
    running: Running,
    clock: TestClock,
    transcript: Transcript,
    judge: Arc<Judge>,
    service: fn() -> Builder,
    store: Store,
}

/// Where a service under test keeps its entities.
#[derive(Clone)]
pub(crate) enum Store {
    /// In SQLite, in memory.
    Sqlite,
    /// In a database of PostgreSQL's, each service in a schema of its own.
    Postgres(Arc<Database>),
}

impl Store {
    /// A service that keeps its entities there; none are there yet.
    fn set_up(&self, service: fn() -> Builder, clock: &TestClock) -> Setup {
        let setup = Setup::of(service()).seed(SEED).clock(clock);
        match self {
            Self::Sqlite => setup,
            Self::Postgres(database) => setup.database(database.schema().url()),
        }
    }
}

impl Api {
    /// Starts it; it stops when this is dropped.
    pub(crate) fn start(service: fn() -> Builder, store: Store) -> Self {
        Self::start_with(service, store, Transcript::default(), judging::judge(service), |setup| setup)
    }

    fn start_with(
        service: fn() -> Builder,
        store: Store,
        transcript: Transcript,
        judge: Arc<Judge>,
        set_up: impl FnOnce(Setup) -> Setup,
    ) -> Self {
        let clock = TestClock::at(*START);
        let running = set_up(store.set_up(service, &clock)).start();
        Self { running, clock, transcript, judge, service, store }
    }

    /// What was sent to it and to those that were started from it, and what came back.
    pub(crate) fn transcript(&self) -> Transcript {
        self.transcript.clone()
    }

    /// Starts one of another service, with an empty database of the same kind.
    pub(crate) fn of(&self, service: fn() -> Builder) -> Self {
        Self::start_with(service, self.store.clone(), self.transcript(), judging::judge(service), |setup| setup)
    }

    /// Starts another one of the same service, set up as said.
    pub(crate) fn again(&self, set_up: impl FnOnce(Setup) -> Setup) -> Self {
        self.with(Arc::clone(&self.judge), set_up)
    }

    fn with(&self, judge: Arc<Judge>, set_up: impl FnOnce(Setup) -> Setup) -> Self {
        Self::start_with(self.service, self.store.clone(), self.transcript(), judge, set_up)
    }

    /// Starts another one of the same service that remembers, with all that are started from it, what was seen of the
    /// document.
    pub(crate) fn recorded(&self) -> Self {
        self.with(Arc::new(self.judge.with_new_record()), |setup| setup)
    }

    /// The operations and their documented statuses that were not seen yet.
    pub(crate) fn unseen(&self) -> BTreeSet<(String, String)> {
        self.judge.unseen()
    }

    /// Its clock goes on by so much.
    pub(crate) fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// The model of the service.
    pub(crate) fn model(&self) -> Checked {
        judging::model(self.service)
    }

    /// A request with the headers that a well-behaved client sends.
    pub(crate) fn request(&self, method: &str, target: &str) -> Request {
        let address = self.running.address();
        let request = Request {
            address,
            method: method.to_owned(),
            target: target.to_owned(),
            clock: self.clock.clone(),
            transcript: self.transcript(),
            judge: Arc::clone(&self.judge),
            headers: Vec::new(),
            body: Vec::new(),
        };
        let request = request
            .header("host", &address.to_string())
            .header("connection", "close")
            .header("user-agent", "Suite/1.0 (localhost) Linux");
        if method == "DELETE" { request } else { request.header("accept", PUBLIC) }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.running.address()
    }

    pub(crate) fn get(&self, target: &str) -> Reply {
        self.request("GET", target).send()
    }

    /// What a GET answers, once it is as it should be.
    #[track_caller]
    pub(crate) fn wait(&self, target: &str, is_it: impl Fn(&Reply) -> bool) -> Reply {
        let begun = Instant::now();
        loop {
            let reply = self.get(target);
            if is_it(&reply) {
                return reply;
            }
            assert!(begun.elapsed() < PATIENCE, "{reply}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn post(&self, target: &str, body: &Value) -> Reply {
        self.request("POST", target).json(body).send()
    }

    pub(crate) fn put(&self, target: &str, body: &Value) -> Reply {
        self.request("PUT", target).json(body).send()
    }

    pub(crate) fn patch(&self, target: &str, operations: &Value) -> Reply {
        self.request("PATCH", target).json(operations).send()
    }

    pub(crate) fn delete(&self, target: &str) -> Reply {
        self.request("DELETE", target).send()
    }

    /// Creates an entity, which must succeed, and answers it.
    #[track_caller]
    pub(crate) fn create(&self, target: &str, body: &Value) -> Value {
        self.post(target, body).is(201).json()
    }

    /// A token of any subject, with claims beside it.
    pub(crate) fn token_of(&self, subject: &str, scopes: &[&str], claims: &Value) -> String {
        let claims: Vec<_> = claims.as_object().into_iter().flatten().map(|(name, it)| (&**name, it.clone())).collect();
        self.running.token_of(subject, scopes, &claims)
    }

    /// The value of an `Authorization` header: the credentials of a keeper.
    pub(crate) fn bearer(&self, keeper: &Value, scopes: &[&str]) -> String {
        let id = keeper["id"].as_str().and_then(|id| id.parse().ok());
        format!("Bearer {}", self.running.token(id.expect("a keeper has an id"), scopes))
    }
}

/// A request in the making. A header that is set again replaces the one before.
pub(crate) struct Request {
    address: SocketAddr,
    method: String,
    target: String,
    clock: TestClock,
    transcript: Transcript,
    judge: Arc<Judge>,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(self, name: &str, value: &str) -> Self {
        let mut request = self.without(name);
        request.headers.push((name.to_owned(), value.to_owned()));
        request
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    /// A body in the public version; another `content-type` may follow.
    pub(crate) fn json(self, body: &Value) -> Self {
        self.body(body.to_string().as_bytes())
    }

    /// A body as it is.
    pub(crate) fn body(self, body: &[u8]) -> Self {
        let mut request = self.header("content-type", PUBLIC).header("content-length", &body.len().to_string());
        request.body = body.to_vec();
        request
    }

    /// Sends it. What comes back must be as the service's document says.
    #[track_caller]
    pub(crate) fn send(self) -> Reply {
        let mut stream = self.connect();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("the service answers in time");
        let target = self.target.chars().take(120).collect::<String>();
        let request = format!("{} {target} {}", self.method, String::from_utf8_lossy(&self.body));
        self.transcript.add(&request, &bytes);
        let reply = Reply::parse(request, &bytes);
        self.judge(&reply, Some(reply.body.as_bytes()));
        reply
    }

    /// The answer must be as the service's document says.
    #[track_caller]
    pub(crate) fn judge(&self, reply: &Reply, body: Option<&[u8]>) {
        let faults = self.judge.faults(&Exchange { body, ..reply.exchange(&self.method, &self.target) });
        assert!(faults.is_empty(), "the document says otherwise: {}\n{reply}", faults.join("; "));
    }

    /// Sends it; the answer is still to be read.
    pub(crate) fn connect(&self) -> TcpStream {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += "\r\n";
        if self.method != "GET" {
            self.clock.advance(TICK);
        }
        let mut stream = TcpStream::connect(self.address).expect("the service listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout above zero");
        stream.write_all(head.as_bytes()).expect("the service reads the head");
        stream.write_all(&self.body).expect("the service reads the body");
        stream
    }
}

/// A response, and the request in words, for the messages of failures.
pub(crate) struct Reply {
    request: String,
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
    /// As they came.
    pub(crate) bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn parse(request: String, bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a response has a head");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
        let headers = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()));
        let headers: Vec<_> = headers.collect();
        let bytes = bytes[end + 4..].to_vec();
        let is_compressed = headers.iter().any(|(name, _)| name == "content-encoding");
        let plain = if is_compressed { gunzip(&bytes) } else { bytes.clone() };
        let body = String::from_utf8(plain).expect("a body in UTF-8");
        Self { request, status: status.expect("a status"), headers, body, bytes }
    }

    /// The answer to a request, for a judge.
    pub(crate) fn exchange<'a>(&'a self, method: &'a str, target: &'a str) -> Exchange<'a> {
        let Self { status, headers, body, .. } = self;
        Exchange { method, target, status: *status, headers, body: Some(body.as_bytes()) }
    }

    /// The status must be this one.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self}");
        self
    }

    /// The body, which must be JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// A header; several of one name are one list.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let values: Vec<_> =
            self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| &**value).collect();
        if values.is_empty() { None } else { Some(values.join(", ")) }
    }

    /// A header that must be there.
    #[track_caller]
    pub(crate) fn expect_header(&self, name: &str) -> String {
        self.header(name).unwrap_or_else(|| panic!("no `{name}`: {self}"))
    }

    /// The errors, each of which must have its five keys, of the right types (§7.1).
    #[track_caller]
    pub(crate) fn errors(&self) -> Vec<Value> {
        let body = self.json();
        let keys: Vec<_> = body.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["errors"], "{self}");
        let errors = body["errors"].as_array().expect("an array").clone();
        assert!(!errors.is_empty(), "{self}");
        for error in &errors {
            let keys: Vec<_> = error.as_object().expect("an object").keys().collect();
            assert_eq!(keys, ["code", "details", "message", "path", "userMessage"], "{self}");
            for key in ["code", "message", "userMessage"] {
                assert!(error[key].as_str().is_some_and(|text| !text.is_empty()), "`{key}`: {self}");
            }
            let told = text(&error["userMessage"]);
            assert!(
                told.ends_with(['.', '?']) && !told.contains(['{', '$']),
                "a sentence without gaps: {told}: {self}"
            );
            assert!(error["path"].is_string() || error["path"].is_null(), "{self}");
        }
        errors
    }

    /// It must be a 422 with exactly these errors: code and path, in this order. The code `*` is any: where neither
    /// the conventions nor the decisions name one.
    #[track_caller]
    pub(crate) fn refused(self, expected: &[(&str, &str)]) -> Vec<Value> {
        let reply = self.is(422);
        let errors = reply.errors();
        let found: Vec<_> = errors.iter().map(|e| (text(&e["code"]), text(&e["path"]))).collect();
        let matches = found.len() == expected.len()
            && found
                .iter()
                .zip(expected)
                .all(|(found, wanted)| found.1 == wanted.1 && (wanted.0 == "*" || found.0 == wanted.0));
        assert!(matches, "expected {expected:?}, found {found:?}: {reply}");
        errors
    }

    /// It must be this status with one error of this code and no path.
    #[track_caller]
    pub(crate) fn fails(self, status: u16, code: &str) -> Self {
        let reply = self.is(status);
        let errors = reply.errors();
        assert_eq!(errors.len(), 1, "{reply}");
        assert_eq!(errors[0]["code"], code, "{reply}");
        assert!(errors[0]["path"].is_null(), "{reply}");
        reply
    }
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut plain).expect("a body in gzip");
    plain
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

impl std::fmt::Display for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n  answered {} {:?}\n  {}", self.request, self.status, self.headers, self.body)
    }
}
