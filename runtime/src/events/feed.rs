//! Where streams get their events from: the tail that they share, or the store.
//!
//! There is no read-ahead. The first stream that finds nothing new in the tail reads a page from the store for all; the
//! tail is not locked meanwhile. Those that are far behind read for themselves, only what they show, and a few of them
//! at a time.

use super::EventOptions;
use super::tail::{MAX_TAIL_EVENTS, SharedEvent, Tail, TailLookup};
use super::visibility::{EventReading, Visibility};
use crate::fair_share::{FairShare, Share};
use crate::limits::ClientKey;
use crate::observe::metrics::EventMetrics;
use crate::plan::Plans;
use crate::store::StoreError;
use crate::store::outbox::{EVENT_PAGE_BYTES, EventPosition, MAX_PAGE_EVENTS, Outbox, START, Seek, StoredEvent};
use bytes::Bytes;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Mutex as AsyncMutex, Semaphore, watch};
use tokio::time::Instant;

/// Streams at a time, of which one client has half at most; more are answered 503.
const MAX_STREAMS: usize = 1000;
/// Memory for events that were given to connections and that clients have not taken yet, in KiB; one client has half at
/// most. A stream that gets none waits.
const MAX_STREAMED_KIB: usize = 64 * 1024;
/// Bytes past which a stream is given no more events at once: it is given that and one event more at most. Whatever a
/// page of selected events has fits, rendered.
const PORTION_BYTES: usize = 160 * 1024;
/// Streams that read what is behind the tail at a time; others wait for their turn after each page. With more of them
/// lists, which are read by the same threads, would have to wait.
const MAX_CATCHING_UP: usize = 2;

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
    catching_up: Semaphore,
    newest: AsyncMutex<Newest>,
}

/// The newest event when it was last looked up.
#[derive(Default)]
struct Newest {
    mark: Option<EventPosition>,
    looked_up: Option<Instant>,
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
            catching_up: Semaphore::new(MAX_CATCHING_UP),
            newest: AsyncMutex::default(),
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

    /// Some of the events after a position, in order, as far as they are shown.
    pub(crate) async fn after(&self, position: i64, visibility: &Visibility) -> Result<Portion, StoreError> {
        let found = self.tail().find(position, self.commit());
        match found {
            TailLookup::Events(events) => self.portion(&events, None, visibility).await,
            TailLookup::Behind => self.catch_up(position, visibility).await,
            TailLookup::AtEnd => self.go_on(position, visibility).await,
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

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn commit(&self) -> u64 {
        *self.store.commits().borrow()
    }

    /// Reads the tail's next page for all, unless another stream has done so by the time it is this stream's turn.
    async fn go_on(&self, position: i64, visibility: &Visibility) -> Result<Portion, StoreError> {
        let turn = self.reading.lock().await;
        let commit = self.commit();
        let found = self.tail().find(position, commit);
        match found {
            TailLookup::Events(events) => {
                drop(turn);
                return self.portion(&events, None, visibility).await;
            }
            TailLookup::Behind => {
                drop(turn);
                return self.catch_up(position, visibility).await;
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
        self.portion(&events, None, visibility).await
    }

    /// Lets the tail begin at the newest event if it is too far behind to serve any stream.
    async fn skip(&self, position: i64) -> Result<(), StoreError> {
        let Some(newest) = self.store.mark(Seek::Newest).await? else { return Ok(()) };
        if newest.position - position > MAX_TAIL_EVENTS as i64 {
            self.tail().begin(newest.position);
        }
        Ok(())
    }

    /// Reads from the store what a stream shows of the events after a position.
    async fn catch_up(&self, position: i64, visibility: &Visibility) -> Result<Portion, StoreError> {
        let closed = |_| StoreError::Internal("event streams cannot read any more".to_owned());
        let turn = self.catching_up.acquire().await.map_err(closed)?;
        let page = self.store.selected_events(position, visibility.selection()).await?;
        drop(turn);
        self.portion(&self.shared(page.events), page.reached, visibility).await
    }

    fn shared(&self, events: Vec<StoredEvent>) -> Vec<Arc<SharedEvent>> {
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
        let mut portion = Portion::default();
        let mut bytes = 0;
        for event in events {
            if visibility.covers(&event.event_type, event.owner())
                && visibility.sees(&self.plans, self.deciding.as_ref(), event).await?
            {
                if bytes >= PORTION_BYTES {
                    return Ok(portion);
                }
                let rendered = || self.metrics.rendered.increment(1);
                let frame = match visibility.without_hidden(&self.plans, self.deciding.as_ref(), event).await? {
                    None => event.frame(&self.plans, rendered),
                    Some(data) => {
                        rendered();
                        event.frame_with(&self.plans, data)
                    }
                };
                bytes += frame.len();
                portion.frames.push(frame);
                portion.shown = Some(event.mark());
            }
            portion.reached = Some(event.mark());
        }
        portion.reached = reached.or(portion.reached);
        Ok(portion)
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
mod tests {
    use super::*;
    use crate::events::visibility::EventFilter;
    use crate::observe::metrics::Metrics;
    use crate::observe::trace::Trace;
    use crate::store::outbox::{ExpiredEvents, Expiry, SelectedPage, Selection};
    use crate::store::{LeaseName, Refusal, StoreFuture};
    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use restwell_model::tables::Dialect;
    use restwell_model::{Checked, Resource, Service};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use uuid::Uuid;

    /// Events whose reads wait as long as a test wants.
    struct SlowOutbox {
        newest: i64,
        is_slow: watch::Sender<bool>,
        commits: watch::Sender<u64>,
        /// Pages for all that were read.
        pages: AtomicUsize,
        /// Pages of selected events that are being read.
        selecting: AtomicUsize,
    }

    impl SlowOutbox {
        fn new(newest: i64) -> Arc<Self> {
            let (pages, selecting) = (AtomicUsize::new(0), AtomicUsize::new(0));
            Arc::new(Self { newest, is_slow: watch::channel(false).0, commits: watch::channel(0).0, pages, selecting })
        }

        async fn page(&self, after: i64) -> Vec<StoredEvent> {
            let mut is_slow = self.is_slow.subscribe();
            let _ = is_slow.wait_for(|is_slow| !is_slow).await;
            (after + 1..=self.newest).take(MAX_PAGE_EVENTS).map(event).collect()
        }
    }

    fn mark(position: i64) -> EventPosition {
        EventPosition { position, id: Uuid::from_u128(position as u128) }
    }

    fn event(position: i64) -> StoredEvent {
        StoredEvent {
            mark: mark(position),
            resource: "offer".to_owned(),
            kind: "created".to_owned(),
            entity: Uuid::nil(),
            owner: None,
            time: 0,
            data: "{}".to_owned(),
            trace: Trace { id: Uuid::nil(), parent: None, actor: None },
        }
    }

    fn unused<T, E: From<StoreError>>() -> Result<T, E> {
        Err(StoreError::Internal("no stream asks for this".to_owned()).into())
    }

    impl Outbox for SlowOutbox {
        fn events(&self, after: i64) -> StoreFuture<'_, Result<Vec<StoredEvent>, StoreError>> {
            self.pages.fetch_add(1, Ordering::Relaxed);
            Box::pin(self.page(after).map(Ok))
        }

        fn selected_events(&self, after: i64, _: Arc<Selection>) -> StoreFuture<'_, Result<SelectedPage, StoreError>> {
            self.selecting.fetch_add(1, Ordering::Relaxed);
            Box::pin(self.page(after).map(|events| {
                self.selecting.fetch_sub(1, Ordering::Relaxed);
                Ok(SelectedPage { reached: events.last().map(|event| event.mark), events })
            }))
        }

        fn mark(&self, _: Seek) -> StoreFuture<'_, Result<Option<EventPosition>, StoreError>> {
            Box::pin(std::future::ready(Ok(Some(mark(self.newest)))))
        }

        fn commits(&self) -> watch::Receiver<u64> {
            self.commits.subscribe()
        }

        fn leads(&self, _: LeaseName, _: Duration) -> StoreFuture<'_, Result<bool, StoreError>> {
            Box::pin(std::future::ready(unused()))
        }

        fn published(&self) -> StoreFuture<'_, Result<i64, StoreError>> {
            Box::pin(std::future::ready(unused()))
        }

        fn set_published(&self, _: i64) -> StoreFuture<'_, Result<(), Refusal>> {
            Box::pin(std::future::ready(unused()))
        }

        fn drop_events(&self, _: Expiry) -> StoreFuture<'_, Result<ExpiredEvents, Refusal>> {
            Box::pin(std::future::ready(unused()))
        }
    }

    fn feed(outbox: &Arc<SlowOutbox>) -> (Feed, Visibility) {
        let mut service = Service::new("market");
        service.resources.push(Resource::new("Offer"));
        let plans = Arc::new(Plans::compile(Checked::new(service).expect("no mistake"), Dialect::Sqlite));
        let visibility = Visibility::of(&plans, &EventFilter::default(), None);
        let outbox: Arc<dyn Outbox> = Arc::<SlowOutbox>::clone(outbox);
        (Feed::new(outbox, plans, &EventOptions::default(), EventMetrics::new(&Metrics::new())), visibility)
    }

    #[test]
    fn who_finds_events_in_the_tail_is_served_while_another_waits_for_the_store() {
        let outbox = SlowOutbox::new(3);
        let (feed, visibility) = feed(&outbox);
        let in_tail = || feed.after(0, &visibility).now_or_never().expect("nobody waits").expect("a portion");
        assert_eq!(in_tail().frames.len(), 3);
        outbox.is_slow.send_replace(true);
        let mut waiting = Box::pin(feed.after(3, &visibility));
        assert!((&mut waiting).now_or_never().is_none(), "the store is slow");
        assert_eq!(in_tail().frames.len(), 3);
        outbox.is_slow.send_replace(false);
        let portion = waiting.now_or_never().expect("the store has answered").expect("a portion");
        assert_eq!((portion.frames.len(), portion.reached), (0, None));
    }

    #[test]
    fn one_page_is_read_for_all_who_wait_for_it() {
        let outbox = SlowOutbox::new(3);
        let (feed, visibility) = feed(&outbox);
        outbox.is_slow.send_replace(true);
        let mut waiting = Box::pin(join_all((0..5).map(|_| feed.after(0, &visibility))));
        assert!((&mut waiting).now_or_never().is_none(), "the store is slow");
        outbox.is_slow.send_replace(false);
        let portions = waiting.now_or_never().expect("the store has answered");
        assert!(portions.into_iter().all(|portion| portion.expect("a portion").frames.len() == 3));
        assert_eq!(outbox.pages.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn few_read_for_themselves_at_a_time_and_the_tail_does_not_follow_them() {
        let outbox = SlowOutbox::new(100_000);
        let (feed, visibility) = feed(&outbox);
        // the first one finds out how far behind it is
        let first = feed.after(0, &visibility).now_or_never().expect("nobody waits").expect("a portion");
        assert_eq!(first.frames.len(), MAX_PAGE_EVENTS);
        outbox.is_slow.send_replace(true);
        let behind = position(first.reached);
        let mut waiting = Box::pin(join_all((0..5).map(|_| feed.after(behind, &visibility))));
        assert!((&mut waiting).now_or_never().is_none(), "the store is slow");
        assert_eq!(outbox.selecting.load(Ordering::Relaxed), MAX_CATCHING_UP);
        outbox.is_slow.send_replace(false);
        let portions = waiting.now_or_never().expect("the store has answered");
        assert_eq!(portions.len(), 5);
        assert_eq!(outbox.pages.load(Ordering::Relaxed), 1, "the first one's");
    }
}
