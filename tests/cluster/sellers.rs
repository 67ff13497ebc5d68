//! Clients that create offers, change and delete them, while the service fails and returns, and remember what was
//! acknowledged.

use restwell_testkit::http::{Reply, Request};
use restwell_testkit::market;
use restwell_testkit::market::line::Line;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use uuid::Uuid;

/// Changes to an offer after its creation.
const UPDATES: usize = 3;
/// After what failed.
const PAUSE: Duration = Duration::from_millis(20);

/// Whether something was acknowledged; else it may have been done or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Done,
    Unknown,
}

/// What was done to one offer, in this order.
#[derive(Debug)]
struct Offer {
    /// The names it was given.
    names: Vec<(String, Answer)>,
    deleted: Option<Answer>,
}

/// What all sellers did.
#[derive(Debug, Default)]
pub(crate) struct Done {
    offers: BTreeMap<String, Offer>,
    /// Names of offers whose creation was not acknowledged.
    perhaps: Vec<String>,
}

/// Sellers at work.
pub(crate) struct Sellers<'a> {
    pub(crate) is_over: &'a AtomicBool,
    /// Whether reads may respond that the service is unavailable.
    pub(crate) reads_must_be_answered: bool,
    /// Requests that were not answered, or with 503.
    pub(crate) unanswered: &'a AtomicUsize,
}

impl Sellers<'_> {
    /// One client: works until it is over.
    pub(crate) fn work(&self, mut line: Line) -> Done {
        let mut done = Done::default();
        let Some(seller) = self.seller(&mut line) else { return done };
        while !self.is_over.load(Ordering::SeqCst) {
            self.sell(&mut line, &seller, &mut done);
        }
        done
    }

    /// An offer from its beginning to its end.
    fn sell(&self, line: &mut Line, seller: &str, done: &mut Done) {
        let name = name();
        let Some(reply) = self.send(line, &market::sell(&market::offer(seller, &name))) else {
            done.perhaps.push(name);
            return;
        };
        let id = reply.is(201).id();
        let path = format!("/offers/{id}");
        let mut offer = Offer { names: vec![(name, Answer::Done)], deleted: None };
        for _ in 0..UPDATES {
            let name = self::name();
            let request = market::resell(&path, &market::offer(seller, &name));
            let answer = match self.send(line, &request) {
                Some(reply) => {
                    reply.is(200);
                    Answer::Done
                }
                None => Answer::Unknown,
            };
            offer.names.push((name, answer));
            if let Some(reply) = self.read(line, &Request::new("GET", &path)) {
                offer.check(&reply);
            }
        }
        if done.offers.len().is_multiple_of(2) {
            let request = Request::new("DELETE", &path).bearer(&market::token(seller));
            offer.deleted = Some(match self.send(line, &request) {
                Some(reply) => {
                    reply.is(204);
                    Answer::Done
                }
                None => Answer::Unknown,
            });
        }
        done.offers.insert(id, offer);
    }

    fn seller(&self, line: &mut Line) -> Option<String> {
        while !self.is_over.load(Ordering::SeqCst) {
            let name = name();
            let body = json!({ "name": name, "email": format!("{name}@example.com") });
            if let Some(reply) = self.send(line, &Request::post("/users", &body)) {
                return Some(reply.is(201).id());
            }
        }
        None
    }

    fn read(&self, line: &mut Line, request: &Request) -> Option<Reply> {
        let reply = self.send(line, request);
        assert!(reply.is_some() || !self.reads_must_be_answered, "a read was not answered");
        reply
    }

    /// The answer; after a pause `None` where the service is gone, or says so.
    fn send(&self, line: &mut Line, request: &Request) -> Option<Reply> {
        let reply = line.send(request);
        if reply.is_none() {
            self.unanswered.fetch_add(1, Ordering::SeqCst);
            thread::sleep(PAUSE);
        }
        reply
    }
}

/// A unique one.
fn name() -> String {
    format!("n-{}", Uuid::now_v7())
}

impl Offer {
    /// What it may be called now: as was acknowledged last, or as was tried since.
    fn may_be_called(&self) -> impl Iterator<Item = &str> {
        let last = self.names.iter().rposition(|(_, answer)| *answer == Answer::Done).unwrap_or_default();
        self.names[last..].iter().map(|(name, _)| name.as_str())
    }

    /// It is as its owner left it.
    #[track_caller]
    fn check(&self, reply: &Reply) {
        match (reply.status, self.deleted) {
            (404, Some(_)) => {}
            (200, None | Some(Answer::Unknown)) => {
                let json = reply.json();
                let name = json["name"].as_str().expect("a name");
                assert!(self.may_be_called().any(|known| known == name), "{name} is none of {:?}", self.names);
            }
            (status, _) => panic!("{status}: {} of {self:?}", reply.text()),
        }
    }

    /// Its events have every name that was acknowledged, in order, only names that were tried, and none twice.
    #[track_caller]
    fn check_events(&self, id: &str, events: &[(&str, &Value)]) {
        let names: Vec<_> = events.iter().filter_map(|(_, event)| event["data"]["name"].as_str()).collect();
        let mut tried = self.names.iter();
        for name in &names {
            let passed = tried.by_ref().take_while(|(known, _)| known != name);
            let is_left_out = passed.fold(false, |lost, (_, answer)| lost || *answer == Answer::Done);
            assert!(!is_left_out, "{id}: {names:?} of {:?}", self.names);
        }
        assert!(tried.all(|(_, answer)| *answer == Answer::Unknown), "{id}: {names:?} of {:?}", self.names);
        let is_deleted = events.last().is_some_and(|(_, event)| event["type"] == "marketplace.offer.deleted");
        assert!(is_deleted || self.deleted != Some(Answer::Done), "{id} was deleted");
    }
}

impl Done {
    /// All clients' together.
    pub(crate) fn add(&mut self, other: Self) {
        self.offers.extend(other.offers);
        self.perhaps.extend(other.perhaps);
    }

    /// How many offers there were.
    pub(crate) fn offers(&self) -> usize {
        self.offers.len()
    }

    /// Every offer is as its owner left it.
    #[track_caller]
    pub(crate) fn check(&self, line: &mut Line) {
        for (id, offer) in &self.offers {
            offer.check(&line.send(&Request::new("GET", &format!("/offers/{id}"))).expect("the service is there"));
        }
    }

    /// The events of every offer, by its id, are the changes of it.
    #[track_caller]
    pub(crate) fn check_events(&self, events: &BTreeMap<&str, Vec<(&str, &Value)>>) {
        for (id, offer) in &self.offers {
            offer.check_events(id, events.get(id.as_str()).map_or(&[], Vec::as_slice));
        }
        let mut created: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, event) in events.values().flatten().filter(|(_, event)| event["type"] == "marketplace.offer.created") {
            *created.entry(event["data"]["name"].as_str().expect("a name")).or_default() += 1;
        }
        for name in &self.perhaps {
            assert!(created.get(name.as_str()).is_none_or(|times| *times == 1), "{name} was created twice");
        }
    }
}
