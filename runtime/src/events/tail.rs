//! The newest events, which all streams of a process share, without a gap.

use super::cloud_event;
use super::cursor::CursorSecret;
use crate::plan::Plans;
use crate::store::outbox::{EventPosition, MAX_PAGE_EVENTS, StoredEvent};
use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use uuid::Uuid;

/// Events of the tail at most; the oldest go first. Streams that are further behind read for themselves.
pub(super) const MAX_TAIL_EVENTS: usize = 1024;
/// Bytes of the tail's data at most, once it holds more than one event. Rendered events take as much again.
const TAIL_BYTES: usize = 4 * 1024 * 1024;

/// An event that streams share. It is rendered when it is first shown.
#[derive(Debug)]
pub(super) struct SharedEvent {
    /// Its type.
    pub(super) event_type: String,
    stored: StoredEvent,
    frame: OnceLock<Bytes>,
}

impl SharedEvent {
    pub(super) fn new(plans: &Plans, stored: StoredEvent) -> Self {
        Self { event_type: cloud_event::type_of(&plans.service, &stored), stored, frame: OnceLock::new() }
    }

    pub(super) fn mark(&self) -> EventPosition {
        self.stored.mark
    }

    /// As it is stored.
    pub(super) fn stored(&self) -> &StoredEvent {
        &self.stored
    }

    pub(super) fn owner(&self) -> Option<Uuid> {
        self.stored.owner
    }

    /// The event as it stands on a stream; `rendered` is called where it was not rendered before.
    pub(super) fn frame(&self, plans: &Plans, secret: &CursorSecret, rendered: impl FnOnce()) -> Bytes {
        let render = || {
            rendered();
            self.rendered(plans, secret, &self.stored)
        };
        self.frame.get_or_init(render).clone()
    }

    /// The event with other data, for a caller who does not see all of it.
    pub(super) fn frame_with(&self, plans: &Plans, secret: &CursorSecret, data: String) -> Bytes {
        self.rendered(plans, secret, &StoredEvent { data, ..self.stored.clone() })
    }

    fn rendered(&self, plans: &Plans, secret: &CursorSecret, event: &StoredEvent) -> Bytes {
        let cursor = secret.cursor(event.mark);
        let mut frame = format!("id: {cursor}\nevent: {}\ndata: ", self.event_type).into_bytes();
        cloud_event::write(&plans.service, event, &mut frame);
        frame.extend_from_slice(b"\n\n");
        Bytes::from(frame)
    }
}

/// The newest events.
#[derive(Debug, Default)]
pub(super) struct Tail {
    events: VecDeque<Arc<SharedEvent>>,
    bytes: usize,
    /// The position up to which it reaches, also where it holds nothing.
    end: i64,
    /// The commit after which there was nothing behind its end.
    exhausted_at: Option<u64>,
}

/// What the tail has for a stream.
#[derive(Debug)]
pub(super) enum TailLookup {
    /// The next events; none where there are none yet.
    Events(Vec<Arc<SharedEvent>>),
    /// The stream is further behind than the tail reaches.
    Behind,
    /// The stream is at the tail's end, and there may be more in the store.
    AtEnd,
}

impl Tail {
    /// Its events after a position, if it has those of this commit.
    pub(super) fn find(&self, position: i64, commit: u64) -> TailLookup {
        let first = self.events.front().map_or(self.end + 1, |event| event.mark().position);
        if position < first - 1 {
            TailLookup::Behind
        } else if position < self.end {
            let start = self.events.partition_point(|event| event.mark().position <= position);
            TailLookup::Events(self.events.range(start..).take(MAX_PAGE_EVENTS).cloned().collect())
        } else if position == self.end && self.exhausted_at == Some(commit) {
            TailLookup::Events(Vec::new())
        } else {
            TailLookup::AtEnd
        }
    }

    /// Adds events that were read after a position.
    pub(super) fn go_on(&mut self, position: i64, found: &[Arc<SharedEvent>], commit: u64) {
        if position != self.end {
            self.begin(position);
        }
        self.exhausted_at = found.is_empty().then_some(commit);
        for event in found {
            self.end = event.mark().position;
            self.bytes += event.stored.data.len();
            self.events.push_back(Arc::clone(event));
        }
        while self.events.len() > MAX_TAIL_EVENTS || (self.bytes > TAIL_BYTES && self.events.len() > 1) {
            let Some(event) = self.events.pop_front() else { break };
            self.bytes -= event.stored.data.len();
        }
    }

    /// Starts again after a position.
    pub(super) fn begin(&mut self, position: i64) {
        *self = Self { end: position, ..Self::default() };
    }
}
