//! Where streams get their events from: the tail that they share, or the store.
//!
//! There is no read-ahead. The first stream that finds nothing new in the tail reads a page from the store for all; the
//! tail is not locked meanwhile. Those that are far behind read for themselves, only what they may show, and a few of
//! them at a time, page by page: the client that has used least lately goes first. A page of the tail that conditions
//! of the model decide on takes such a turn, too, unless it is short: what is new has turns of its own, so that it does
//! not wait for those who catch up. A turn ends when the page is decided and rendered.

use super::EventOptions;
use super::cursor::{Cursor, CursorSecret};
use super::deciding::{EventReading, Shown};
use super::tail::{MAX_TAIL_EVENTS, SharedEvent, Tail, TailLookup};
use super::visibility::Visibility;
use crate::fair_queue::{FairQueue, Turn};
use crate::fair_share::{FairShare, Share};
use crate::limits::ClientKey;
use crate::observe::metrics::EventMetrics;
use crate::plan::Plans;
use crate::store::StoreError;
use crate::store::outbox::{EVENT_PAGE_BYTES, EventPosition, MAX_PAGE_EVENTS, Outbox, START, Seek, StoredEvent};
use bytes::Bytes;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Mutex as AsyncMutex, OnceCell, watch};
use tokio::time::Instant;

/// Streams at a time, of which one client has half at most; more are answered 503.
const MAX_STREAMS: usize = 1000;
/// Memory for events that were given to connections and that clients have not taken yet, in KiB; one client has half at
/// most. A stream that gets none waits.
const MAX_STREAMED_KIB: usize = 64 * 1024;
/// Bytes past which a stream is given no more events at once: it is given that and one event more at most. Whatever a
/// page of selected events has fits, rendered.
const PORTION_BYTES: usize = 160 * 1024;
/// Streams that read what is behind the tail at a time, each for another client; others wait for their turn after each
/// page. With more of them lists, which are read by the same threads, would have to wait.
const MAX_CATCHING_UP: usize = 2;
/// Streams that decide on new events at a time, each for another client.
const MAX_DECIDING: usize = 2;
/// Events that conditions decide on, up to which a page of the tail is taken to be new.
const MAX_NEW_EVENTS: usize = 16;

/// The events of a service, for its streams.
pub(crate) struct Feed {
    pub(crate) store: Arc<dyn Outbox>,
    pub(crate) plans: Arc<Plans>,
    pub(crate) heartbeat: Duration,
    /// What decides which events of restricted resources a stream shows; without it none are.
    deciding: Option<EventReading>,
    places: Arc<FairShare>,
    streamed: Arc<FairShare>,
    metrics: EventMetrics,
    ending: watch::Sender<bool>,
    tail: Mutex<Tail>,
    /// Held by the stream that reads the tail's next page.
    reading: AsyncMutex<()>,
    catching_up: Arc<FairQueue>,
    /// The turns of pages that are new.
    deciding_new: Arc<FairQueue>,
    newest: AsyncMutex<Newest>,
    /// Read, or made, when the first event needs a cursor.
    secret: OnceCell<CursorSecret>,
}

/// The newest event when it was last looked up.
#[derive(Default)]
struct Newest {
    mark: Option<EventPosition>,
    looked_up: Option<Instant>,
}

/// Who reads.
pub(crate) struct EventReader<'a> {
    pub(crate) client: ClientKey,
    pub(crate) visibility: &'a Visibility,
    /// How long it waits for its turn.
    pub(crate) until: Instant,
}

/// What a stream is given at once.
#[derive(Debug, Default)]
pub(crate) struct Portion {
    /// The events that it shows.
    pub(crate) frames: Vec<Bytes>,
    /// The last event that it shows.
    pub(crate) shown: Option<EventPosition>,
    /// The last event that was read; `None`: there are none yet.
    pub(crate) reached: Option<EventPosition>,
}

impl Feed {
    /// The feed of a store.
    pub(crate) fn new(
        store: Arc<dyn Outbox>,
        plans: Arc<Plans>,
        settings: &EventOptions,
        metrics: EventMetrics,
    ) -> Self {
        Self {
            store,
            plans,
            heartbeat: settings.heartbeat,
            deciding: None,
            places: FairShare::new(MAX_STREAMS),
            streamed: FairShare::new(MAX_STREAMED_KIB),
            metrics,
            ending: watch::channel(false).0,
            tail: Mutex::default(),
            reading: AsyncMutex::default(),
            catching_up: FairQueue::by_use(MAX_CATCHING_UP),
            deciding_new: FairQueue::by_use(MAX_DECIDING),
            newest: AsyncMutex::default(),
            secret: OnceCell::new(),
        }
    }

    /// The same, with what decides on events of entities that not every caller sees.
    pub(crate) fn deciding(self, deciding: EventReading) -> Self {
        Self { deciding: Some(deciding), ..self }
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
        self.places.held()
    }

    /// Turns true when streams are to end.
    pub(crate) fn ending(&self) -> watch::Receiver<bool> {
        self.ending.subscribe()
    }

    /// A place for a client's stream, where there is one.
    pub(crate) fn place(&self, client: ClientKey) -> Option<Share> {
        self.places.take(client, 1)
    }

    /// Memory for what a stream's connection is given, where there is any.
    pub(crate) fn memory(&self, client: ClientKey, bytes: usize) -> Option<Share> {
        // an event that is larger than all of it would never be sent
        self.streamed.take(client, bytes.div_ceil(1024).min(MAX_STREAMED_KIB / 4))
    }

    /// Whether there is memory for what a client is given next.
    pub(crate) fn has_memory(&self, client: ClientKey) -> bool {
        self.streamed.has_room(client)
    }

    /// Some of the events after a position, in order, as far as they are shown; `None`: the reader's turn did not come.
    pub(crate) async fn after(&self, position: i64, reader: &EventReader<'_>) -> Result<Option<Portion>, StoreError> {
        let found = self.tail().find(position, self.commit());
        match found {
            TailLookup::Events(events) => self.shared_portion(&events, reader).await,
            TailLookup::Behind => self.catch_up(position, reader).await,
            TailLookup::AtEnd => self.go_on(position, reader).await,
        }
    }

    /// The newest event, as it was a heartbeat ago at most: streams that show nothing need no better cursor.
    pub(crate) async fn newest(&self) -> Option<EventPosition> {
        let mut newest = self.newest.lock().await;
        if newest.looked_up.is_none_or(|time| time.elapsed() >= self.heartbeat) {
            newest.looked_up = Some(Instant::now());
            match self.store.mark(Seek::Newest).await {
                Ok(mark) => newest.mark = mark,
                Err(error) => tracing::debug!(%error, "event streams keep their cursors"),
            }
        }
        newest.mark
    }

    /// The cursor of an event; before the first one that of the start.
    pub(crate) async fn cursor(&self, mark: Option<EventPosition>) -> Result<Cursor, StoreError> {
        match mark {
            Some(mark) => Ok(self.secret().await?.cursor(mark)),
            None => Ok(Cursor::Start),
        }
    }

    /// The event that a cursor is of, if it is kept.
    pub(crate) async fn event_of(&self, cursor: Cursor) -> Result<Option<EventPosition>, StoreError> {
        let Some(position) = self.secret().await?.position(cursor) else { return Ok(None) };
        let mark = self.store.mark(Seek::Position(position)).await?;
        Ok(mark.filter(|mark| cursor.is_of(*mark)))
    }

    async fn secret(&self) -> Result<&CursorSecret, StoreError> {
        let read = || async {
            let stored = self.store.cursor_secret(CursorSecret::make()).await?;
            CursorSecret::parse(&stored)
                .ok_or_else(|| StoreError::Internal("the secret of cursors is damaged".to_owned()))
        };
        self.secret.get_or_try_init(read).await
    }

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn commit(&self) -> u64 {
        *self.store.commits().borrow()
    }

    /// Reads the tail's next page for all, unless another stream has done so by the time it is this stream's turn.
    async fn go_on(&self, position: i64, reader: &EventReader<'_>) -> Result<Option<Portion>, StoreError> {
        let turn = self.reading.lock().await;
        let commit = self.commit();
        let found = self.tail().find(position, commit);
        match found {
            TailLookup::Events(events) => {
                drop(turn);
                return self.shared_portion(&events, reader).await;
            }
            TailLookup::Behind => {
                drop(turn);
                return self.catch_up(position, reader).await;
            }
            TailLookup::AtEnd => {}
        }
        let events = self.store.events(position).await?;
        let is_full = events.len() == MAX_PAGE_EVENTS || bytes(&events) >= EVENT_PAGE_BYTES;
        let events = self.shared(events);
        self.tail().go_on(position, &events, commit);
        if is_full {
            self.skip(position).await?;
        }
        drop(turn);
        self.shared_portion(&events, reader).await
    }

    /// Lets the tail begin at the newest event if it is too far behind to serve any stream.
    async fn skip(&self, position: i64) -> Result<(), StoreError> {
        let Some(newest) = self.store.mark(Seek::Newest).await? else { return Ok(()) };
        if newest.position - position > MAX_TAIL_EVENTS as i64 {
            self.tail().begin(newest.position);
        }
        Ok(())
    }

    /// Reads from the store what a stream may show of the events after a position.
    async fn catch_up(&self, position: i64, reader: &EventReader<'_>) -> Result<Option<Portion>, StoreError> {
        let Some(turn) = reader.turn(&self.catching_up).await else { return Ok(None) };
        let page = self.store.selected_events(position, reader.visibility.selection()).await?;
        let portion = self.portion(&self.shared(page.events), page.reached, reader.visibility).await;
        drop(turn);
        portion.map(Some)
    }

    /// What a stream shows of events that all share.
    async fn shared_portion(
        &self,
        events: &[Arc<SharedEvent>],
        reader: &EventReader<'_>,
    ) -> Result<Option<Portion>, StoreError> {
        let turn = match events.iter().filter(|event| reader.visibility.depends_on_conditions(event)).count() {
            0 => None,
            count => {
                let turns = if count <= MAX_NEW_EVENTS { &self.deciding_new } else { &self.catching_up };
                let Some(turn) = reader.turn(turns).await else { return Ok(None) };
                Some(turn)
            }
        };
        let portion = self.portion(events, None, reader.visibility).await;
        drop(turn);
        portion.map(Some)
    }

    fn shared(&self, events: Vec<StoredEvent>) -> Vec<Arc<SharedEvent>> {
        self.metrics.reads.increment(1);
        self.metrics.read.increment(events.len() as u64);
        events.into_iter().map(|event| Arc::new(SharedEvent::new(&self.plans, event))).collect()
    }

    /// What a stream shows of some events. Where it takes all of them it reaches the last one, or `reached` beyond it.
    async fn portion(
        &self,
        events: &[Arc<SharedEvent>],
        reached: Option<EventPosition>,
        visibility: &Visibility,
    ) -> Result<Portion, StoreError> {
        if events.is_empty() {
            return Ok(Portion { reached, ..Portion::default() });
        }
        let taken = visibility.first(events, PORTION_BYTES);
        let shown = visibility.shown(&self.plans, self.deciding.as_ref(), taken).await?;
        let secret = self.secret().await?;
        let mut portion = Portion::default();
        let mut bytes = 0;
        for (event, shown) in taken.iter().zip(shown) {
            if shown != Shown::Nothing {
                if bytes >= PORTION_BYTES {
                    return Ok(portion);
                }
                let rendered = || self.metrics.rendered.increment(1);
                let frame = match shown {
                    Shown::With(data) => {
                        rendered();
                        event.frame_with(&self.plans, secret, data)
                    }
                    Shown::Whole | Shown::Nothing => event.frame(&self.plans, secret, rendered),
                };
                bytes += frame.len();
                portion.frames.push(frame);
                portion.shown = Some(event.mark());
            }
            portion.reached = Some(event.mark());
        }
        if taken.len() == events.len() {
            portion.reached = reached.or(portion.reached);
        }
        Ok(portion)
    }
}

impl EventReader<'_> {
    async fn turn(&self, turns: &Arc<FairQueue>) -> Option<Turn> {
        turns.turn(self.client, self.until.saturating_duration_since(Instant::now())).await
    }
}

fn bytes(events: &[StoredEvent]) -> usize {
    events.iter().map(|event| event.data.len()).sum()
}

/// The position that a stream without a cursor begins after.
pub(crate) fn position(mark: Option<EventPosition>) -> i64 {
    mark.map_or(START, |mark| mark.position)
}

#[cfg(test)]
mod tests;
