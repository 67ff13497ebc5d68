//! What a case sent and what came back, byte for byte: the generated and the interpreted service must say the same.
//!
//! Both have the same ids and the same clock. What a request gets may still depend on what happens at the same time; the
//! cases in which it does are listed here by name. A GET that is repeated until something has happened counts once, so
//! the ids of traces, which are counted by requests, are left out; so are the service's measurements.

use libtest_mimic::Failed;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The cases whose responses depend on what happens at the same time, or on the system's clock.
const NOT_REPEATABLE: &[&str] = &[
    "PATCH: changes at the same time are not lost",
    "Paging: count is exact while others write",
    "unique: ignoreCase: of concurrent creations one wins",
    "Rules: what they read through the lock of an entity holds",
    "Lifecycles: of commands that race only one makes the transition",
    "Credentials: many first requests make one user",
    "§8 secrets that wait to be hashed are bounded, and keep no list waiting",
    "§8 a client with many concurrent large bodies gets 503, and others are served",
    "§8 responses that are not read are bounded: 503, and others are served",
    // `RateLimit` counts the seconds of the system's clock
    "§8 past the quota: 429 with Retry-After and RateLimit",
    // they choose ids of commands and entities at random
    "§7.2 every documented status of every operation occurs: marketplace",
    "§7.2 every documented status of every operation occurs: specimens",
    "Views and owners: every caller at every endpoint of the marketplace is answered as the model says",
    "Views and owners: every caller at every endpoint of the specimens is answered as the model says",
];

/// Headers that are different each time.
const VARYING: [&[u8]; 2] = [b"date: ", b"trace-id: "];

/// The exchanges of one case, in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transcript(Arc<Mutex<Vec<Exchange>>>);

/// A request, and its response without the headers `Date` and `Trace-Id`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Exchange {
    request: String,
    response: Vec<u8>,
}

impl Transcript {
    /// Adds a request, in words, and its response.
    pub(crate) fn add(&self, request: &str, response: &[u8]) {
        if request.starts_with("GET /metrics") {
            return;
        }
        let exchange = Exchange { request: request.to_owned(), response: repeatable(response) };
        let mut exchanges = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if request.starts_with("GET ") && exchanges.last().is_some_and(|last| last.request == request) {
            exchanges.pop();
        }
        exchanges.push(exchange);
    }

    fn take(&self) -> Vec<Exchange> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The transcripts of both forms of the service.
#[derive(Clone, Default)]
pub(crate) struct Transcripts(Arc<Mutex<Comparison>>);

#[derive(Default)]
struct Comparison {
    /// Of cases that have run for one form so far, by database and title.
    waiting: HashMap<String, Vec<Exchange>>,
    /// Cases and responses that were the same, by database.
    same: BTreeMap<String, (usize, usize)>,
}

impl Transcripts {
    /// Compares a transcript with that of the other form, or keeps it until that has run.
    pub(crate) fn compare(&self, database: &str, title: &str, transcript: &Transcript) -> Result<(), Failed> {
        if NOT_REPEATABLE.contains(&title) {
            return Ok(());
        }
        let mine = transcript.take();
        let mut comparison = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(other) = comparison.waiting.remove(&format!("{database} {title}")) else {
            comparison.waiting.insert(format!("{database} {title}"), mine);
            return Ok(());
        };
        if let Some(difference) = difference(&mine, &other) {
            return Err(difference.into());
        }
        let (cases, responses) = comparison.same.entry(database.to_owned()).or_default();
        *cases += 1;
        *responses += mine.len();
        Ok(())
    }

    /// Prints how much was compared.
    pub(crate) fn report(&self) {
        for (database, (cases, responses)) in &self.0.lock().unwrap_or_else(PoisonError::into_inner).same {
            println!("{database}: {responses} responses in {cases} cases are the same, generated and interpreted");
        }
    }
}

/// Every name in the list is that of a case.
pub(crate) fn check() -> Result<(), String> {
    let unknown = NOT_REPEATABLE.iter().find(|title| crate::cases::all().all(|(known, _)| known != **title));
    unknown.map_or(Ok(()), |title| Err(format!("there is no case `{title}`")))
}

fn difference(one: &[Exchange], other: &[Exchange]) -> Option<String> {
    let pair = one.iter().zip(other).find(|(one, other)| one != other);
    if let Some((one, other)) = pair {
        let shown = |exchange: &Exchange| {
            format!("{}\n{}", exchange.request, String::from_utf8_lossy(&exchange.response).into_owned())
        };
        return Some(format!("the two forms differ:\n{}\n--- and ---\n{}", shown(one), shown(other)));
    }
    let (one, other) = (one.len(), other.len());
    (one != other).then(|| format!("the two forms were sent {one} and {other} requests"))
}

/// A response without what is different each time.
fn repeatable(response: &[u8]) -> Vec<u8> {
    let end = response.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(response.len());
    let (head, body) = response.split_at(end);
    let lines = head.split(|byte| *byte == b'\n').filter(|line| !VARYING.iter().any(|name| line.starts_with(name)));
    let mut kept = lines.collect::<Vec<_>>().join(&b'\n');
    kept.extend_from_slice(body);
    kept
}
