//! Clients that send each command until it has ended, while the service fails and returns, and that sometimes buy.

use super::line::Line;
use super::orders::{Command, Orders, random};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How many send the same command at about the same time.
const SENDERS: usize = 2;
/// Before the same is sent again.
const PAUSE: Duration = Duration::from_millis(5);
/// An answer is waited for so long at most.
const ANSWER: Duration = Duration::from_secs(1);
/// No command takes so long, even if the service ends again and again.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is to be sent, and what has come of it.
pub struct Senders<'a> {
    orders: &'a Orders,
    commands: &'a [Command],
    next: AtomicUsize,
    allowed: AtomicUsize,
    /// Commands that were answered.
    answered: AtomicUsize,
    /// The outcome of each command that was accepted, as it was first seen.
    outcomes: Mutex<BTreeMap<String, Value>>,
}

impl<'a> Senders<'a> {
    /// Nothing is sent before [`Senders::allow`].
    pub fn new(orders: &'a Orders, commands: &'a [Command]) -> Self {
        let [next, allowed, answered] = [const { AtomicUsize::new(0) }; 3];
        Self { orders, commands, next, allowed, answered, outcomes: Mutex::default() }
    }

    /// Lets this share of the commands be sent, so that there are some left for each life of the service.
    pub fn allow(&self, part: usize, parts: usize) {
        self.allowed.store(self.commands.len() * SENDERS * part / parts, Ordering::SeqCst);
    }

    /// Waits for an answer to a command, for a while.
    pub fn wait_for_answer(&self) {
        let (before, deadline) = (self.answered.load(Ordering::SeqCst), Instant::now() + ANSWER);
        while self.answered.load(Ordering::SeqCst) == before && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// One client: works until all commands have ended.
    pub fn work(&self, mut line: Line) {
        loop {
            let turn = self.next.fetch_add(1, Ordering::SeqCst);
            let Some(command) = self.commands.get(turn / SENDERS) else { return };
            while turn >= self.allowed.load(Ordering::SeqCst) {
                thread::sleep(PAUSE);
            }
            if turn.is_multiple_of(SENDERS) {
                self.buy(&mut line);
            }
            if let Some(outcome) = self.send_until_ended(&mut line, command) {
                self.saw(command, &outcome);
            }
            self.look_back(&mut line);
        }
    }

    /// The outcome of each command that was accepted.
    pub fn outcomes(self) -> BTreeMap<String, Value> {
        self.outcomes.into_inner().expect("no client has panicked")
    }

    /// How a command ends; `None` where it was refused, because its target is not in the state for it.
    fn send_until_ended(&self, line: &mut Line, command: &Command) -> Option<Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(reply) = line.send(&command.request) {
                self.answered.fetch_add(1, Ordering::SeqCst);
                if reply.status == 422 {
                    assert_eq!(reply.codes(), ["WrongState"]);
                    return None;
                }
                let seen = reply.is(201).json();
                assert_eq!(seen["id"], command.id.as_str());
                if seen["status"] != "RUNNING" {
                    return Some(seen);
                }
            }
            assert!(Instant::now() < deadline, "{} does not end", command.id);
            thread::sleep(PAUSE);
        }
    }

    /// What is not acknowledged may be done or not, and is not tried again.
    fn buy(&self, line: &mut Line) {
        let Some(reply) = line.send(&self.orders.any_purchase()) else { return };
        if reply.status != 201 {
            // an offer that has ended is there for those who have bought it before
            let codes = reply.is(422).codes();
            assert!([["OfferEnded"], ["NotFound"]].iter().any(|known| codes == *known), "{codes:?}");
        }
    }

    /// An outcome that was seen is the outcome.
    #[track_caller]
    fn saw(&self, command: &Command, outcome: &Value) {
        let mut outcomes = self.outcomes.lock().expect("no client has panicked");
        let first = &*outcomes.entry(command.id.clone()).or_insert_with(|| outcome.clone());
        assert_eq!(first, outcome, "{} has another outcome", command.id);
    }

    /// Sends one again that has ended already, perhaps before the service's last end.
    fn look_back(&self, line: &mut Line) {
        let command = &self.commands[random(self.commands.len())];
        let has_ended = self.outcomes.lock().expect("no client has panicked").contains_key(&command.id);
        if has_ended && let Some(reply) = line.send(&command.request) {
            self.saw(command, &reply.is(201).json());
        }
    }
}
