//! Publishing to NATS JetStream: at least once, in order per entity, with the event's id for the bus to drop repeats
//! by.
//!
//! Of several processes with the same store, one publishes. If a delayed one continues for a moment beside its
//! successor, the bus drops the repeats by their ids, and each of the two publishes an event only after those before it
//! were acknowledged.
//!
//! The outbox is the queue. Its events go in their order, in batches in which no entity comes twice; a batch is
//! acknowledged as a whole before the next is sent, and sent again as a whole otherwise. So no event overtakes another
//! of its entity, even if messages are lost. The store keeps the position of the last published event: after a crash,
//! events beyond the noted position are sent again, and the bus drops them by their ids.

mod bus;

pub(crate) use bus::{NatsUrl, reach};

use super::cloud_event;
use crate::plan::Plans;
use crate::store::outbox::{Follower, START, StoredEvent};
use crate::store::{LeaseName, Store};
use async_nats::jetstream::message::PublishMessage;
use bus::{Bus, PublishFailure, wait_after};
use bytes::Bytes;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// Events under way at a time.
const BATCH: usize = 128;
/// Events after which the position is noted, though there are more.
const NOTED_EVERY: i64 = 1000;
/// How long the position may be ahead of the noted one, while there are no more events.
const NOTED_WITHIN: Duration = Duration::from_millis(200);
/// The lease of the process that publishes.
const TERM: Duration = Duration::from_secs(15);
/// The age at which the lease is renewed.
const RENEWED_AFTER: Duration = Duration::from_secs(5);
/// How often the other processes try to get the lease.
const ASKED_EVERY: Duration = Duration::from_secs(2);
/// How long events are still published while the service shuts down.
const GRACE: Duration = Duration::from_secs(5);

/// Publishes the events of the outbox, until it is to stop.
pub(super) async fn publish(
    store: Arc<dyn Store>,
    plans: Arc<Plans>,
    url: &NatsUrl,
    retention: Duration,
    is_up: watch::Sender<Option<bool>>,
    stop: watch::Receiver<bool>,
) {
    let bus = Bus { url: url.clone(), service: plans.service.name.clone(), retention, context: None };
    let mut publisher = Publisher {
        store,
        plans,
        bus,
        term: None,
        position: None,
        noted: START,
        failures: 0,
        is_up,
        stop,
        deadline: None,
    };
    while publisher.goes_on() {
        match publisher.step().await {
            Ok(PublishStep::Went) => publisher.succeeded(),
            Ok(PublishStep::Idle) => {}
            Err(failure) => publisher.failed(&failure).await,
        }
    }
    if let Err(failure) = publisher.note().await {
        tracing::warn!(%failure, "some events will be published again: how far it came could not be noted");
    }
}

struct Publisher {
    store: Arc<dyn Store>,
    plans: Arc<Plans>,
    bus: Bus,
    /// When this process last got the lease to publish, if it has it.
    term: Option<Instant>,
    /// The last event that the bus has; unknown until the store has returned it.
    position: Option<i64>,
    /// The last that the store knows of.
    noted: i64,
    failures: u32,
    /// Whether the bus was there when it was last needed.
    is_up: watch::Sender<Option<bool>>,
    stop: watch::Receiver<bool>,
    /// When it ends, once it is to stop.
    deadline: Option<Instant>,
}

enum PublishStep {
    /// A page was published.
    Went,
    /// There was nothing to do for a while.
    Idle,
}

impl Publisher {
    /// Whether it continues: after a stop, the existing events are published as long as the bus takes them.
    fn goes_on(&mut self) -> bool {
        if *self.stop.borrow() && self.deadline.is_none() {
            self.deadline = Some(Instant::now() + GRACE);
        }
        self.deadline.is_none_or(|deadline| Instant::now() < deadline && self.failures == 0)
    }

    /// Publishes a page, or waits where there is none.
    async fn step(&mut self) -> Result<PublishStep, PublishFailure> {
        if !self.leads().await? {
            return Ok(self.rest().await);
        }
        let position = match self.position {
            Some(position) => position,
            None => {
                let position = self.store.followed(Follower::Bus).await?.unwrap_or(START);
                (self.noted, self.position) = (position, Some(position));
                position
            }
        };
        let mut commits = self.store.commits();
        let events = self.store.events(position).await?;
        if events.is_empty() {
            if self.deadline.is_some() {
                self.deadline = Some(Instant::now());
                return Ok(PublishStep::Idle);
            }
            return self.wait(&mut commits).await;
        }
        let mut rest = events.as_slice();
        while !rest.is_empty() {
            let (batch, next) = rest.split_at(batch(rest));
            let messages = batch.iter().map(|event| message(&self.plans, event));
            self.bus.send(messages).await?;
            let position = batch.last().map_or(position, |event| event.mark.position);
            self.position = Some(position);
            if position - self.noted >= NOTED_EVERY {
                self.note().await?;
            }
            // after a long delay, this process may not be the publisher any more
            if !self.leads().await? {
                break;
            }
            if *self.stop.borrow() && self.deadline.is_none() {
                break;
            }
            rest = next;
        }
        Ok(PublishStep::Went)
    }

    /// Waits for a commit. Where none comes soon, it notes how far it is.
    async fn wait(&mut self, commits: &mut watch::Receiver<u64>) -> Result<PublishStep, PublishFailure> {
        let is_noted = self.position == Some(self.noted);
        tokio::select! {
            committed = commits.changed() => committed.map_err(|_| PublishFailure::Store("it has ended".to_owned()))?,
            _ = self.stop.changed() => {}
            () = tokio::time::sleep(NOTED_WITHIN), if !is_noted => self.note().await?,
            // time to renew the lease
            () = tokio::time::sleep(RENEWED_AFTER) => {}
        }
        Ok(PublishStep::Idle)
    }

    /// Whether this process has the lease. After it got it, the position is unknown: others may have published.
    async fn leads(&mut self) -> Result<bool, PublishFailure> {
        if self.term.is_some_and(|since| since.elapsed() < RENEWED_AFTER) {
            return Ok(true);
        }
        let asked = Instant::now();
        let leads = self.store.leads(LeaseName::Publishing, TERM).await?;
        let is_new = self.term.is_none_or(|since| since.elapsed() >= TERM);
        if !leads || is_new {
            self.position = None;
        }
        self.term = leads.then_some(asked);
        Ok(leads)
    }

    /// Waits while another process publishes.
    async fn rest(&mut self) -> PublishStep {
        if self.deadline.is_some() {
            self.deadline = Some(Instant::now());
            return PublishStep::Idle;
        }
        tokio::select! {
            () = tokio::time::sleep(ASKED_EVERY) => {}
            _ = self.stop.changed() => {}
        }
        PublishStep::Idle
    }

    /// Keeps the position in the store.
    async fn note(&mut self) -> Result<(), PublishFailure> {
        if let Some(position) = self.position.filter(|position| *position > self.noted) {
            self.store.set_followed(Follower::Bus, position).await?;
            self.noted = position;
        }
        Ok(())
    }

    fn succeeded(&mut self) {
        self.failures = 0;
        if self.is_up.send_replace(Some(true)) != Some(true) {
            tracing::info!("events are published to NATS, stream {}", self.bus.service);
        }
    }

    /// Logs the first failure, and waits before the next attempt.
    async fn failed(&mut self, failure: &PublishFailure) {
        if self.is_up.send_replace(Some(false)) != Some(false) {
            tracing::warn!(%failure, "events cannot be published to NATS; they wait in the store");
        }
        tokio::select! {
            () = tokio::time::sleep(wait_after(self.failures)) => {}
            _ = self.stop.changed() => {}
        }
        self.failures = self.failures.saturating_add(1);
        // reconnect, and look for the stream: it may be another server, or an empty one
        self.bus.context = None;
    }
}

/// How many of the first events no entity has two of, at most as many as go at once.
fn batch(events: &[StoredEvent]) -> usize {
    let mut entities = HashSet::new();
    events.iter().take(BATCH).take_while(|event| entities.insert(event.entity)).count()
}

fn message(plans: &Plans, event: &StoredEvent) -> (String, PublishMessage) {
    let mut body = Vec::with_capacity(event.data.len() + 512);
    cloud_event::write(&plans.service, event, &mut body);
    let message = PublishMessage::build()
        .payload(Bytes::from(body))
        .message_id(event.mark.id.hyphenated().to_string())
        .header("Content-Type", cloud_event::MEDIA_TYPE);
    (cloud_event::type_of(&plans.service, event), message)
}
