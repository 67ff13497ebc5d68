//! A script in the place of the network: each request is compared with the one that the case expects, and gets the
//! answer that is written for it. Time is virtual: it goes on when the client waits.

use crate::rust::compare::{Bindings, differences};
use marketplace_client::{BoxFuture, Request, Response, Transport, TransportError};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// What happened so far.
#[derive(Default)]
struct Progress {
    exchanges: Vec<Json>,
    sent: usize,
    cancel_after: Option<usize>,
    bindings: Bindings,
    faults: Vec<String>,
    now: Duration,
    /// When the client was answered last: what passes until it sends again is a pause.
    answered: Option<Duration>,
    pauses: Vec<Duration>,
    sleepers: BTreeMap<u64, Duration>,
    last_sleeper: u64,
}

/// The script of a case.
#[derive(Clone, Default)]
pub(crate) struct Script(Arc<Mutex<Progress>>);

impl Script {
    pub(crate) fn new(exchanges: &[Json]) -> Self {
        let script = Self::default();
        script.state().exchanges = exchanges.to_vec();
        script
    }

    fn state(&self) -> MutexGuard<'_, Progress> {
        self.0.lock().expect("no test panics with the lock")
    }

    /// Runs a call to its end; `None` if it was cancelled after so many requests.
    pub(crate) fn run<T>(&self, cancel_after: Option<usize>, call: impl Future<Output = T>) -> Option<T> {
        self.state().cancel_after = cancel_after;
        let mut call = pin!(call);
        loop {
            if let Poll::Ready(done) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return Some(done);
            }
            let mut state = self.state();
            if state.cancel_after.is_some_and(|after| state.sent >= after) {
                return None;
            }
            let next = state.sleepers.values().min().copied().expect("the client waits for something");
            state.now = state.now.max(next);
        }
    }

    pub(crate) fn bindings<T>(&self, read: impl FnOnce(&mut Bindings) -> T) -> T {
        read(&mut self.state().bindings)
    }

    /// What went wrong, at the end of the case.
    pub(crate) fn finish(&self, waits: Option<&Json>) -> Vec<String> {
        let mut state = self.state();
        let mut faults = std::mem::take(&mut state.faults);
        if state.sent < state.exchanges.len() {
            faults.push(format!("{} requests were sent instead of {}", state.sent, state.exchanges.len()));
        }
        if let Some(waits) = waits.and_then(Json::as_array) {
            let millis: Vec<u128> = state.pauses.iter().map(Duration::as_millis).collect();
            let within = |wait: &Json, millis: u128| {
                let bound = |index: usize| u128::from(wait[index].as_u64().unwrap_or_default());
                // an exact pause may be a millisecond off by rounding
                millis + 1 >= bound(0) && millis <= bound(1) + 1
            };
            if waits.len() != millis.len() || !waits.iter().zip(&millis).all(|(wait, millis)| within(wait, *millis)) {
                faults.push(format!("pauses {millis:?} instead of {}", json!(waits)));
            }
        }
        faults
    }
}

impl Transport for Script {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, TransportError>> {
        let mut state = self.state();
        if let Some(answered) = state.answered.take()
            && state.now > answered
        {
            let pause = state.now - answered;
            state.pauses.push(pause);
        }
        let Some(exchange) = state.exchanges.get(state.sent).cloned() else {
            state.faults.push(format!("a request too many: {} {}", request.method, request.url));
            return Box::pin(std::future::pending());
        };
        state.sent += 1;
        let number = state.sent;
        let found = compared(&request, &exchange["request"], &mut state.bindings);
        state.faults.extend(found.into_iter().map(|fault| format!("request {number}: {fault}")));
        if state.cancel_after.is_some_and(|after| state.sent >= after) {
            return Box::pin(std::future::pending());
        }
        if exchange["fault"] == "silence" {
            return Box::pin(Silence(self.clone()));
        }
        state.answered = Some(state.now);
        let answer = answer(&exchange, &state.bindings);
        Box::pin(std::future::ready(answer))
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        let mut state = self.state();
        state.last_sleeper += 1;
        let (id, until) = (state.last_sleeper, state.now + duration);
        state.sleepers.insert(id, until);
        Box::pin(Sleep { script: self.clone(), id, until })
    }
}

/// No answer. The pause after it begins when the client gives up.
struct Silence(Script);

impl Future for Silence {
    type Output = Result<Response, TransportError>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Pending
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.answered = Some(state.now);
    }
}

struct Sleep {
    script: Script,
    id: u64,
    until: Duration,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.script.state().now >= self.until { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.script.state().sleepers.remove(&self.id);
    }
}

/// How a request differs from what is expected.
fn compared(request: &Request, expected: &Json, bindings: &mut Bindings) -> Vec<String> {
    let url = request.url.strip_prefix("http://service").unwrap_or(&request.url);
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let mut faults = Vec::new();
    if expected["method"] != request.method {
        faults.push(format!("{} instead of {}", request.method, expected["method"]));
    }
    let wanted = expected["path"].as_str().unwrap_or_default();
    if !bindings.path_is(wanted, path) {
        faults.push(format!("{path} instead of {wanted}"));
    }
    let pairs = form_urlencoded::parse(query.as_bytes()).map(|(name, value)| json!([name, value])).collect();
    let wanted = expected.get("query").cloned().unwrap_or_else(|| json!([]));
    faults.extend(differences(&by_name(wanted), &by_name(pairs), "query", bindings));
    for (name, value) in expected["headers"].as_object().into_iter().flatten() {
        let sent = request.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let sent = sent.map_or(Json::Null, Json::from);
        faults.extend(differences(value, &sent, &format!("header {name}"), bindings));
    }
    let body = || -> Json {
        let body = request.body.as_deref().map(|body| serde_json::from_slice(body).expect("JSON is sent"));
        in_order(body.unwrap_or_default())
    };
    if let Some(wanted) = expected.get("body") {
        faults.extend(differences(&in_order(wanted.clone()), &body(), "body", bindings));
    }
    for (name, wanted) in expected["bodyIncludes"].as_object().into_iter().flatten() {
        faults.extend(differences(wanted, &body()[name], name, bindings));
    }
    faults
}

/// Parameters by their names: the order of different ones has no meaning.
fn by_name(mut query: Json) -> Json {
    if let Some(pairs) = query.as_array_mut() {
        pairs.sort_by(|a, b| a[0].as_str().cmp(&b[0].as_str()));
    }
    query
}

/// The operations of a patch by their paths: those of different properties may come in any order.
fn in_order(mut body: Json) -> Json {
    if let Some(operations) = body.as_array_mut() {
        operations.sort_by(|a, b| a["path"].as_str().cmp(&b["path"].as_str()));
    }
    body
}

fn answer(exchange: &Json, bindings: &Bindings) -> Result<Response, TransportError> {
    let lost = |was_sent: bool| TransportError { was_sent, message: "the connection broke".to_owned() };
    match exchange["fault"].as_str() {
        Some("refused") => return Err(lost(false)),
        Some("reset") => return Err(lost(true)),
        _ => {}
    }
    let given = bindings.filled(&exchange["response"]);
    let headers = given["headers"].as_object().into_iter().flatten();
    let header = |(name, value): (&String, &Json)| (name.to_lowercase(), value.as_str().unwrap_or_default().to_owned());
    let body = match (given.get("text"), given.get("body")) {
        (Some(text), _) => text.as_str().unwrap_or_default().as_bytes().to_vec(),
        (None, Some(body)) if !body.is_null() => serde_json::to_vec(body).expect("JSON"),
        _ => Vec::new(),
    };
    let pieces = match exchange["fault"].as_str() {
        Some("cut") => vec![Ok(body[..body.len() / 2].to_vec()), Err(lost(true))],
        _ => vec![Ok(body)],
    };
    Ok(Response {
        status: u16::try_from(given["status"].as_u64().unwrap_or_default()).expect("a status"),
        headers: headers.map(header).collect(),
        body: Box::pin(futures_util::stream::iter(pieces)),
    })
}
