//! Places that clients take turns for, in an order that is fair: a client that sends one cheap list does not wait for
//! another client's many expensive ones.
//!
//! The client that runs least now, and has used least time recently, goes first (as in CPU scheduling). Some places
//! are kept for clients that use less than others, so that they need not wait for the end of an expensive read: half of
//! the places while several clients read, a quarter where a client is alone. The first of them is for clients that use
//! less than half of what another one uses, the next for those that use less than a quarter, and so on.

use crate::limits::ClientKey;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Seconds below which what a client has used does not count: it is as if it were not there.
const NEGLIGIBLE_USE: f64 = 0.001;
/// In this time what a client has used counts half as much.
const HALF_LIFE: Duration = Duration::from_secs(10);
/// Clients whose use is remembered; past it those that used least are forgotten.
const MAX_REMEMBERED_CLIENTS: usize = 1024;

/// Places, and who waits for one.
#[derive(Debug)]
pub(crate) struct FairQueue {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    places: usize,
    free: usize,
    clients: HashMap<ClientKey, Usage>,
    waiting: VecDeque<Waiter>,
}

/// What a client uses.
#[derive(Debug, Clone, Copy)]
struct Usage {
    running: usize,
    /// Seconds, less what has been forgotten since.
    used: f64,
    at: Instant,
}

#[derive(Debug)]
struct Waiter {
    client: ClientKey,
    turn: oneshot::Sender<Turn>,
}

/// A place that a client has; given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    queue: Arc<FairQueue>,
    client: ClientKey,
    since: Instant,
}

impl FairQueue {
    /// All places are free.
    pub(crate) fn new(places: usize) -> Arc<Self> {
        let places = places.max(1);
        let state = State { places, free: places, clients: HashMap::new(), waiting: VecDeque::new() };
        Arc::new(Self { state: Mutex::new(state) })
    }

    /// A place for a client, once it is its turn; `None` where that takes longer than `patience`.
    pub(crate) async fn turn(self: &Arc<Self>, client: ClientKey, patience: Duration) -> Option<Turn> {
        let turn = match self.at_once(client) {
            Ok(turn) => return Some(turn),
            Err(turn) => turn,
        };
        // where it is granted and nobody takes it any more, it is dropped, and given back by that
        tokio::time::timeout(patience, turn).await.ok()?.ok()
    }

    /// A place where one may be had now, else what will bring it.
    fn at_once(self: &Arc<Self>, client: ClientKey) -> Result<Turn, oneshot::Receiver<Turn>> {
        let now = Instant::now();
        let mut state = self.lock();
        if state.may_run(client, now) {
            state.begin(client, now);
            return Ok(Turn { queue: Arc::clone(self), client, since: now });
        }
        let (turn, granted) = oneshot::channel();
        state.waiting.push_back(Waiter { client, turn });
        Err(granted)
    }

    /// Gives the places that are free to those who wait.
    fn grant(self: &Arc<Self>) {
        loop {
            let now = Instant::now();
            let next = self.lock().next(now);
            let Some(Waiter { client, turn }) = next else { return };
            // a client that has left meanwhile gives it back at once
            drop(turn.send(Turn { queue: Arc::clone(self), client, since: now }));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.queue.lock().end(self.client, self.since, Instant::now());
        self.queue.grant();
    }
}

impl State {
    /// The one who waits that comes next, where there is a place for it. It has the place then.
    fn next(&mut self, now: Instant) -> Option<Waiter> {
        self.waiting.retain(|waiter| !waiter.turn.is_closed());
        let first = (0..self.waiting.len()).min_by(|left, right| {
            let [left, right] = [left, right].map(|place| self.usage(self.waiting[*place].client, now));
            left.running.cmp(&right.running).then(left.used.total_cmp(&right.used))
        })?;
        let client = self.waiting[first].client;
        if !self.may_run(client, now) {
            return None;
        }
        self.begin(client, now);
        self.waiting.remove(first)
    }

    /// Whether a client may have a place now.
    fn may_run(&self, client: ClientKey, now: Instant) -> bool {
        self.free > self.places / 2
            || self.free > 0 && self.uses_little(client, now)
            || self.free > self.places / 4 && self.is_alone(client, now)
    }

    /// Whether no other client reads, or has lately.
    fn is_alone(&self, client: ClientKey, now: Instant) -> bool {
        let others = self.clients.keys().filter(|other| **other != client);
        others.map(|other| self.usage(*other, now)).all(|usage| usage.running == 0 && usage.used < NEGLIGIBLE_USE)
    }

    /// Whether a client runs nothing, and has used so much less than another one that it may have a place that is kept.
    fn uses_little(&self, client: ClientKey, now: Instant) -> bool {
        let own = self.usage(client, now);
        let halvings = (self.places / 2).saturating_sub(self.free) + 1;
        let bound = own.used * 2.0_f64.powf(halvings as f64);
        own.running == 0 && self.clients.keys().any(|other| bound < self.usage(*other, now).used)
    }

    /// What a client uses and has used, as it counts now.
    fn usage(&self, client: ClientKey, now: Instant) -> Usage {
        let Some(usage) = self.clients.get(&client) else { return Usage { running: 0, used: 0.0, at: now } };
        let halves = now.saturating_duration_since(usage.at).as_secs_f64() / HALF_LIFE.as_secs_f64();
        Usage { running: usage.running, used: usage.used * 0.5_f64.powf(halves), at: now }
    }

    fn begin(&mut self, client: ClientKey, now: Instant) {
        if self.clients.len() >= MAX_REMEMBERED_CLIENTS && !self.clients.contains_key(&client) {
            self.forget(now);
        }
        let usage = self.usage(client, now);
        self.clients.insert(client, Usage { running: usage.running + 1, ..usage });
        self.free -= 1;
    }

    fn end(&mut self, client: ClientKey, since: Instant, now: Instant) {
        let Usage { running, used, at } = self.usage(client, now);
        let used = used + now.saturating_duration_since(since).as_secs_f64();
        self.clients.insert(client, Usage { running: running.saturating_sub(1), used, at });
        self.free += 1;
    }

    /// Forgets half of the clients that run nothing: those that used least.
    fn forget(&mut self, now: Instant) {
        let mut idle: Vec<_> = self.clients.keys().copied().map(|client| (client, self.usage(client, now))).collect();
        idle.retain(|(_, usage)| usage.running == 0);
        idle.sort_by(|(_, left), (_, right)| left.used.total_cmp(&right.used));
        for (client, _) in idle.iter().take(idle.len().div_ceil(2)) {
            self.clients.remove(client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use uuid::Uuid;

    const LONG: Duration = Duration::from_secs(60);

    fn client(number: u128) -> ClientKey {
        ClientKey::Caller(Uuid::from_u128(number))
    }

    /// As many places as a client gets at once.
    fn greedy(queue: &Arc<FairQueue>, number: u128) -> Vec<Turn> {
        std::iter::from_fn(|| queue.at_once(client(number)).ok()).collect()
    }

    /// Records that a client has used this number of seconds.
    fn used(queue: &Arc<FairQueue>, number: u128, seconds: f64) {
        queue.lock().clients.insert(client(number), Usage { running: 0, used: seconds, at: Instant::now() });
    }

    #[test]
    fn half_of_the_places_are_kept_for_who_uses_little() {
        let queue = FairQueue::new(8);
        used(&queue, 1, 10.0);
        used(&queue, 2, 1.0);
        let held = greedy(&queue, 1);
        assert_eq!(held.len(), 4);
        // who has used less has a place, and not all of them
        assert_eq!(greedy(&queue, 2).len(), 1);
        drop(held);
        assert_eq!(queue.lock().free, 8);
    }

    #[test]
    fn the_last_places_are_for_those_who_use_least() {
        let queue = FairQueue::new(8);
        used(&queue, 1, 10.0);
        used(&queue, 2, 4.0);
        used(&queue, 3, 4.0);
        used(&queue, 4, 0.1);
        let held = [greedy(&queue, 1), greedy(&queue, 2), greedy(&queue, 3)].map(|held| (held.len(), held));
        assert_eq!(held.each_ref().map(|(count, _)| *count), [4, 1, 0]);
        assert_eq!(greedy(&queue, 4).len(), 1);
    }

    #[test]
    fn who_is_alone_leaves_a_quarter_for_the_next() {
        let queue = FairQueue::new(8);
        used(&queue, 1, 10.0);
        let held = greedy(&queue, 1);
        assert_eq!(held.len(), 6);
        assert_eq!(greedy(&queue, 2).len(), 1);
        drop(held);
        for (places, had) in [(0, 1), (1, 1), (2, 2), (4, 3)] {
            assert_eq!(greedy(&FairQueue::new(places), 1).len(), had, "{places}");
        }
    }

    #[tokio::test]
    async fn who_has_used_least_goes_first() {
        let queue = FairQueue::new(1);
        let held = queue.turn(client(1), LONG).await.expect("it is free");
        used(&queue, 2, 5.0);
        used(&queue, 3, 1.0);
        let mut late = Box::pin(queue.turn(client(2), LONG));
        let mut early = Box::pin(queue.turn(client(3), LONG));
        assert!(late.as_mut().now_or_never().is_none() && early.as_mut().now_or_never().is_none());
        drop(held);
        let turn = early.await.expect("it is its turn");
        assert!(late.as_mut().now_or_never().is_none());
        drop(turn);
        assert!(late.await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_too_long_has_no_turn_and_who_left_is_passed_over() {
        let queue = FairQueue::new(1);
        let held = queue.turn(client(1), LONG).await;
        assert!(queue.turn(client(2), Duration::from_secs(1)).await.is_none());
        let mut left = Box::pin(queue.turn(client(3), LONG));
        assert!(left.as_mut().now_or_never().is_none());
        let mut stays = Box::pin(queue.turn(client(4), LONG));
        assert!(stays.as_mut().now_or_never().is_none());
        drop(left);
        drop(held);
        assert!(stays.await.is_some());
        assert_eq!(queue.lock().free, 1);
        assert!(queue.lock().waiting.is_empty());
    }

    #[tokio::test]
    async fn a_turn_that_is_granted_and_not_taken_is_given_back() {
        let queue = FairQueue::new(1);
        let held = queue.turn(client(1), LONG).await;
        let mut left = Box::pin(queue.turn(client(2), LONG));
        assert!(left.as_mut().now_or_never().is_none());
        drop(held);
        drop(left);
        assert_eq!(queue.lock().free, 1);
    }

    #[test]
    fn what_was_used_is_forgotten_with_time() {
        let queue = FairQueue::new(4);
        let now = Instant::now();
        queue.lock().clients.insert(client(1), Usage { running: 0, used: 8.0, at: now });
        let later = queue.lock().usage(client(1), now + HALF_LIFE * 2);
        assert!((later.used - 2.0).abs() < 1e-9);
    }

    #[test]
    fn clients_are_remembered_within_a_bound() {
        let queue = FairQueue::new(1);
        for number in 0..10 * MAX_REMEMBERED_CLIENTS as u128 {
            drop(queue.at_once(client(number)).expect("it is free"));
        }
        assert!(queue.lock().clients.len() <= MAX_REMEMBERED_CLIENTS);
    }
}
