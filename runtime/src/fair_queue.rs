//! Places for reads, in an order that keeps cheap reads fast: a client that sends one cheap list does not wait for
//! another client's many expensive ones.
//!
//! What a read will cost is not known before. A client is expected to read for as long as its longest recent read
//! took; one that is not known yet, for as long as all clients do on average. The client that runs fewest reads now,
//! and whose reads are expected to be shortest, goes first. Clients with short reads may use all places. Clients with
//! long reads may use a quarter of them; further places are for those whose reads are expected to take less than half,
//! a quarter, an eighth and so on of the longest. A client that is alone may use three quarters.
//!
//! Where work comes in small parts, as that of event streams does, places are given by what clients have used instead:
//! a client has one at a time, and the one that has used least lately goes first.

use crate::limits::ClientKey;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Seconds below which what a client has used does not count: it is as if it were not there.
const NEGLIGIBLE_USE: f64 = 0.001;
/// Seconds below which reads are short.
const SHORT_READ: f64 = 0.05;
/// In this time what a client has used counts half as much, and a long read is taken to have been half as long.
const HALF_LIFE: Duration = Duration::from_secs(10);
/// The weight of one read in the average of all.
const WEIGHT_IN_AVERAGE: f64 = 1.0 / 64.0;
/// Clients whose use is remembered; past it those that used least are forgotten.
const MAX_REMEMBERED_CLIENTS: usize = 1024;

/// Places, and the reads that wait for one.
#[derive(Debug)]
pub(crate) struct FairQueue {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    places: usize,
    /// Whether places are given by what clients have used.
    by_use: bool,
    free: usize,
    clients: HashMap<ClientKey, Usage>,
    /// Seconds that a read takes, on average of the recent reads of all clients.
    average: f64,
    waiting: VecDeque<Waiter>,
}

/// The reads of a client.
#[derive(Debug, Clone, Copy)]
struct Usage {
    running: usize,
    /// Seconds that all its reads took, less what has been forgotten since.
    used: f64,
    /// Seconds that its longest read took, less what has been forgotten since; `None` before its first one has ended.
    longest: Option<f64>,
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
        Self::of(places, false)
    }

    /// The same for small parts of work: a client has one place at a time, and waits for those that have used less.
    pub(crate) fn by_use(places: usize) -> Arc<Self> {
        Self::of(places, true)
    }

    fn of(places: usize, by_use: bool) -> Arc<Self> {
        let places = places.max(1);
        let (clients, waiting) = (HashMap::new(), VecDeque::new());
        let state = State { places, by_use, free: places, clients, average: 0.0, waiting };
        Arc::new(Self { state: Mutex::new(state) })
    }

    /// A place for a client, once it is its turn; `None` where that takes longer than `patience`.
    pub(crate) async fn turn(self: &Arc<Self>, client: ClientKey, patience: Duration) -> Option<Turn> {
        let turn = match self.at_once(client) {
            Ok(turn) => return Some(turn),
            Err(turn) => turn,
        };
        // a granted place whose receiver is gone is dropped, which releases it
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

    /// Gives free places to waiting reads.
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
    /// The next waiting read, if there is a place for it, which it then has.
    fn next(&mut self, now: Instant) -> Option<Waiter> {
        self.waiting.retain(|waiter| !waiter.turn.is_closed());
        let first = (0..self.waiting.len()).min_by(|left, right| {
            let [left, right] = [left, right].map(|place| self.waiting[*place].client);
            let running = self.usage(left, now).running.cmp(&self.usage(right, now).running);
            let rank = |client| if self.by_use { self.usage(client, now).used } else { self.expected(client, now) };
            running.then(rank(left).total_cmp(&rank(right)))
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
        if self.by_use {
            return self.free > 0 && self.usage(client, now).running == 0;
        }
        let for_all = self.places.div_ceil(4);
        let taken = self.places - self.free;
        if taken < for_all {
            return true;
        }
        self.free > 0
            && (self.is_quick(client, taken - for_all + 1, now)
                || self.free > self.places / 4 && self.is_alone(client, now))
    }

    /// Whether no other client reads, or has lately.
    fn is_alone(&self, client: ClientKey, now: Instant) -> bool {
        let others = self.clients.keys().filter(|other| **other != client);
        let usages = others.map(|other| self.usage(*other, now));
        usages.into_iter().all(|usage| usage.running == 0 && usage.used < NEGLIGIBLE_USE)
    }

    /// Whether the next read of a client is expected to be short, or, while the client runs none, to take less than the
    /// longest of all clients, halved `halvings` times.
    fn is_quick(&self, client: ClientKey, halvings: usize, now: Instant) -> bool {
        let expected = self.expected(client, now);
        let longest = self.clients.keys().map(|other| self.expected(*other, now)).fold(0.0, f64::max);
        let is_free = self.usage(client, now).running == 0;
        expected < SHORT_READ || is_free && expected * 2.0_f64.powf(halvings as f64) < longest
    }

    /// The seconds that the next read of a client will take, as far as one can know.
    fn expected(&self, client: ClientKey, now: Instant) -> f64 {
        self.usage(client, now).longest.unwrap_or(self.average)
    }

    /// The reads of a client, as they count now.
    fn usage(&self, client: ClientKey, now: Instant) -> Usage {
        let Some(usage) = self.clients.get(&client) else { return Usage::none(now) };
        usage.until(now)
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
        let took = now.saturating_duration_since(since).as_secs_f64();
        let usage = self.usage(client, now).without(took);
        self.clients.insert(client, usage);
        self.average += (took - self.average) * WEIGHT_IN_AVERAGE;
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

impl Usage {
    fn none(at: Instant) -> Self {
        Self { running: 0, used: 0.0, longest: None, at }
    }

    /// As it counts later.
    fn until(self, now: Instant) -> Self {
        let halves = now.saturating_duration_since(self.at).as_secs_f64() / HALF_LIFE.as_secs_f64();
        let weight = 0.5_f64.powf(halves);
        Self { used: self.used * weight, longest: self.longest.map(|longest| longest * weight), at: now, ..self }
    }

    /// Without one read that ran, and took this number of seconds.
    fn without(self, seconds: f64) -> Self {
        let longest = self.longest.map_or(seconds, |longest| longest.max(seconds));
        let (running, used) = (self.running.saturating_sub(1), self.used + seconds);
        Self { running, used, longest: Some(longest), ..self }
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

    /// Records that a client has read this number of times, for this number of seconds each.
    fn has_read(queue: &Arc<FairQueue>, number: u128, reads: usize, seconds: f64) {
        let mut usage = queue.lock().usage(client(number), Instant::now());
        for _ in 0..reads {
            usage = usage.without(seconds);
        }
        queue.lock().clients.insert(client(number), usage);
    }

    #[test]
    fn long_reads_have_a_quarter_of_the_places_and_short_ones_all() {
        let queue = FairQueue::new(8);
        has_read(&queue, 1, 3, 2.0);
        // many short reads are no reason to wait
        has_read(&queue, 2, 1000, 0.02);
        let held = greedy(&queue, 1);
        assert_eq!(held.len(), 2);
        assert_eq!(greedy(&queue, 2).len(), 6);
        drop(held);
        assert_eq!(queue.lock().free, 8);
    }

    #[test]
    fn the_last_places_are_for_the_shortest_reads() {
        let queue = FairQueue::new(8);
        for (number, seconds) in [(1, 4.0), (2, 1.5), (3, 1.5), (4, 0.9), (5, 0.4), (6, 0.2), (7, 0.2)] {
            has_read(&queue, number, 1, seconds);
        }
        let held: Vec<_> = (1..=7).map(|number| greedy(&queue, number)).collect();
        assert_eq!(held.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 0, 1, 1, 1, 0]);
    }

    #[test]
    fn an_unknown_client_is_expected_to_read_as_all_do_on_average() {
        let queue = FairQueue::new(4);
        has_read(&queue, 1, 1, 4.0);
        has_read(&queue, 2, 1, 0.5);
        let _held = greedy(&queue, 1);
        queue.lock().average = 3.0;
        assert_eq!(greedy(&queue, 3).len(), 0);
        assert_eq!(greedy(&queue, 2).len(), 1);
    }

    #[test]
    fn a_client_that_is_alone_leaves_a_quarter_for_the_next() {
        let queue = FairQueue::new(8);
        has_read(&queue, 1, 1, 10.0);
        let held = greedy(&queue, 1);
        assert_eq!(held.len(), 6);
        has_read(&queue, 2, 1, 0.01);
        assert_eq!(greedy(&queue, 2).len(), 2);
        drop(held);
        for (places, had) in [(1, 1), (2, 2), (4, 3)] {
            let queue = FairQueue::new(places);
            has_read(&queue, 1, 1, 10.0);
            assert_eq!(greedy(&queue, 1).len(), had, "{places}");
        }
    }

    #[tokio::test]
    async fn the_client_with_the_shortest_reads_goes_first() {
        let queue = FairQueue::new(1);
        let held = queue.turn(client(1), LONG).await.expect("it is free");
        has_read(&queue, 2, 1, 5.0);
        has_read(&queue, 3, 8, 1.0);
        let mut late = Box::pin(queue.turn(client(2), LONG));
        let mut early = Box::pin(queue.turn(client(3), LONG));
        assert!(late.as_mut().now_or_never().is_none() && early.as_mut().now_or_never().is_none());
        drop(held);
        let turn = early.await.expect("it is its turn");
        assert!(late.as_mut().now_or_never().is_none());
        drop(turn);
        assert!(late.await.is_some());
    }

    #[tokio::test]
    async fn by_use_a_client_has_one_place_and_who_has_used_least_goes_first() {
        let queue = FairQueue::by_use(2);
        let held = greedy(&queue, 1);
        assert_eq!(held.len(), 1);
        let other = queue.turn(client(2), LONG).await.expect("it is free");
        // one long part, and many short ones
        has_read(&queue, 3, 1, 0.5);
        has_read(&queue, 4, 100, 0.001);
        let mut late = Box::pin(queue.turn(client(3), LONG));
        let mut early = Box::pin(queue.turn(client(4), LONG));
        let mut same = Box::pin(queue.turn(client(2), LONG));
        let mut new = Box::pin(queue.turn(client(5), LONG));
        for waiting in [&mut late, &mut early, &mut same, &mut new] {
            assert!(waiting.now_or_never().is_none());
        }
        drop(held);
        let new = new.await.expect("it is its turn");
        assert!(early.as_mut().now_or_never().is_none());
        drop(new);
        let _early = early.await.expect("it is its turn");
        assert!(late.as_mut().now_or_never().is_none() && same.as_mut().now_or_never().is_none());
        drop(other);
        drop(same.await.expect("it is its turn"));
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
    fn recent_reads_are_forgotten_with_time() {
        let queue = FairQueue::new(4);
        let now = Instant::now();
        queue.lock().clients.insert(client(1), Usage { running: 0, used: 8.0, longest: Some(4.0), at: now });
        let later = queue.lock().usage(client(1), now + HALF_LIFE * 2);
        assert!((later.used - 2.0).abs() < 1e-9 && later.longest.is_some_and(|longest| (longest - 1.0).abs() < 1e-9));
    }

    #[test]
    fn one_long_read_among_many_short_ones_counts() {
        let queue = FairQueue::new(4);
        has_read(&queue, 1, 1, 4.0);
        has_read(&queue, 1, 100, 0.001);
        has_read(&queue, 2, 100, 0.001);
        assert_eq!(greedy(&queue, 1).len(), 1);
        assert_eq!(greedy(&queue, 2).len(), 4);
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
