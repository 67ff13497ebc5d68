//! What the streams of a process share: the newest events, read and rendered once for all of them.
//!
//! Nobody reads ahead. The first stream that finds nothing new in the shared tail reads a page from the store for
//! everyone; those that are far behind read for themselves.

use super::cursor::Cursor;
use super::{Settings, cloud_event};
use crate::plan::Plans;
use crate::store::outbox::{Mark, START, StoredEvent};
use crate::store::{Store, StoreError};
use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore, watch};
use uuid::Uuid;

/// Streams at a time; more are told to come again.
pub(super) const MAX_STREAMS: usize = 1000;
/// Events of the shared tail at most.
const TAIL: usize = 1024;
/// Their bytes at most, once it holds more than one.
const TAIL_BYTES: usize = 8 * 1024 * 1024;
/// Events that a stream is given at once.
const PORTION: usize = 256;

/// The events of a service, for its streams.
pub(crate) struct Feed {
    pub(super) store: Arc<dyn Store>,
    pub(super) plans: Arc<Plans>,
    pub(super) heartbeat: Duration,
    /// A permit per stream.
    pub(super) places: Arc<Semaphore>,
    ending: watch::Sender<bool>,
    tail: Mutex<Tail>,
}

/// An event, ready to be sent.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) mark: Mark,
    /// Of the service's resources; `None`: one that the model lacks by now.
    pub(super) resource: Option<usize>,
    /// Its type.
    pub(super) kind: String,
    /// Whose it is.
    pub(super) owner: Option<Uuid>,
    /// As it stands on a stream.
    pub(super) frame: Bytes,
}

/// The newest events, without a gap.
#[derive(Default)]
struct Tail {
    events: VecDeque<Arc<Ready>>,
    bytes: usize,
    /// The position up to which it reaches, also where it holds nothing.
    end: i64,
    /// The commit after which there was nothing behind its end.
    exhausted_at: Option<u64>,
}

impl Feed {
    /// The feed of a store.
    pub(crate) fn new(store: Arc<dyn Store>, plans: Arc<Plans>, settings: &Settings) -> Self {
        let places = Arc::new(Semaphore::new(MAX_STREAMS));
        let (ending, _) = watch::channel(false);
        Self { store, plans, heartbeat: settings.heartbeat, places, ending, tail: Mutex::new(Tail::default()) }
    }

    /// Ends all streams, also those that are still to begin.
    pub(crate) fn end(&self) {
        self.ending.send_replace(true);
    }

    /// Whether streams are to end.
    pub(crate) fn is_ending(&self) -> bool {
        *self.ending.borrow()
    }

    /// How many streams are open.
    pub(crate) fn streams(&self) -> usize {
        MAX_STREAMS - self.places.available_permits()
    }

    /// Turns true when streams are to end.
    pub(super) fn ending(&self) -> watch::Receiver<bool> {
        self.ending.subscribe()
    }

    /// Some of the events after a position, in order; none where there are none yet.
    pub(super) async fn after(&self, position: i64) -> Result<Vec<Arc<Ready>>, StoreError> {
        let mut tail = self.tail.lock().await;
        if tail.reaches_back_to(position) {
            if position < tail.end {
                return Ok(tail.after(position));
            }
        } else if position < tail.end {
            drop(tail);
            return self.read(position).await;
        }
        let commit = *self.store.commits().borrow();
        if position == tail.end && tail.exhausted_at == Some(commit) {
            return Ok(Vec::new());
        }
        let found = self.read(position).await?;
        tail.go_on(position, &found, commit);
        Ok(found)
    }

    async fn read(&self, position: i64) -> Result<Vec<Arc<Ready>>, StoreError> {
        let events = self.store.events(position).await?;
        Ok(events.iter().map(|event| Arc::new(Ready::new(&self.plans, event))).collect())
    }
}

impl Tail {
    /// Whether all events after a position, up to the end, are here.
    fn reaches_back_to(&self, position: i64) -> bool {
        let first = self.events.front().map_or(self.end + 1, |event| event.mark.position);
        position >= first - 1 && position <= self.end
    }

    fn after(&self, position: i64) -> Vec<Arc<Ready>> {
        let start = self.events.partition_point(|event| event.mark.position <= position);
        self.events.range(start..).take(PORTION).cloned().collect()
    }

    /// Takes over what was found behind a position.
    fn go_on(&mut self, position: i64, found: &[Arc<Ready>], commit: u64) {
        if position != self.end {
            (self.events, self.bytes, self.end) = (VecDeque::new(), 0, position);
        }
        self.exhausted_at = found.is_empty().then_some(commit);
        for event in found {
            self.end = event.mark.position;
            self.bytes += event.frame.len();
            self.events.push_back(Arc::clone(event));
        }
        while self.events.len() > TAIL || (self.bytes > TAIL_BYTES && self.events.len() > 1) {
            let Some(event) = self.events.pop_front() else { break };
            self.bytes -= event.frame.len();
        }
    }
}

impl Ready {
    fn new(plans: &Plans, event: &StoredEvent) -> Self {
        let kind = cloud_event::type_of(&plans.service, event);
        let cursor = Cursor::of(Some(event.mark));
        let mut frame = format!("id: {cursor}\nevent: {kind}\ndata: ").into_bytes();
        cloud_event::write(&plans.service, event, &mut frame);
        frame.extend_from_slice(b"\n\n");
        let resource = plans.resources.iter().position(|plan| plan.singular == event.resource);
        Self { mark: event.mark, resource, kind, owner: event.owner, frame: Bytes::from(frame) }
    }
}

/// The position that a stream without a cursor begins after.
pub(super) fn position(mark: Option<Mark>) -> i64 {
    mark.map_or(START, |mark| mark.position)
}
