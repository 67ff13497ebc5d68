//! Who reads what, and who waits.

use super::*;
use crate::events::visibility::EventFilter;
use crate::observe::metrics::Metrics;
use crate::observe::trace::Trace;
use crate::store::outbox::{ExpiredEvents, Expiry, Follower, SelectedPage, Selection};
use crate::store::{LeaseName, Refusal, StoreFuture};
use futures_util::FutureExt;
use futures_util::future::{join, join_all};
use restwell_model::condition::Condition;
use restwell_model::tables::Dialect;
use restwell_model::{Access, Checked, Field, Resource, Service, Type};
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

    fn cursor_secret(&self, new: String) -> StoreFuture<'_, Result<String, StoreError>> {
        Box::pin(std::future::ready(Ok(format!("{new} 0"))))
    }

    fn leads(&self, _: LeaseName, _: Duration) -> StoreFuture<'_, Result<bool, StoreError>> {
        Box::pin(std::future::ready(unused()))
    }

    fn followed(&self, _: Follower) -> StoreFuture<'_, Result<Option<i64>, StoreError>> {
        Box::pin(std::future::ready(unused()))
    }

    fn set_followed(&self, _: Follower, _: i64) -> StoreFuture<'_, Result<(), Refusal>> {
        Box::pin(std::future::ready(unused()))
    }

    fn drop_events(&self, _: Expiry) -> StoreFuture<'_, Result<ExpiredEvents, Refusal>> {
        Box::pin(std::future::ready(unused()))
    }
}

/// The reader of a client who has this number.
fn reader(visibility: &Visibility, client: u128) -> EventReader<'_> {
    let client = ClientKey::Caller(Uuid::from_u128(client));
    EventReader { client, visibility, until: Instant::now() + Duration::from_secs(60) }
}

/// What a reader is given who waits for nothing.
#[track_caller]
fn given(after: impl Future<Output = Result<Option<Portion>, StoreError>>) -> Portion {
    after.now_or_never().expect("nobody waits").expect("the store answers").expect("it is its turn")
}

fn feed(outbox: &Arc<SlowOutbox>) -> (Feed, Visibility) {
    feed_of(outbox, Resource::new("Offer"))
}

fn feed_of(outbox: &Arc<SlowOutbox>, offer: Resource) -> (Feed, Visibility) {
    let mut service = Service::new("market");
    service.resources.push(offer);
    let plans = Arc::new(Plans::compile(Checked::new(service).expect("no mistake"), Dialect::Sqlite));
    let visibility = Visibility::of(&plans, &EventFilter::default(), None);
    let outbox: Arc<dyn Outbox> = Arc::<SlowOutbox>::clone(outbox);
    (Feed::new(outbox, plans, &EventOptions::default(), EventMetrics::new(&Metrics::new())), visibility)
}

#[test]
fn who_finds_events_in_the_tail_is_served_while_another_waits_for_the_store() {
    let outbox = SlowOutbox::new(3);
    let (feed, visibility) = feed(&outbox);
    let ann = reader(&visibility, 1);
    let in_tail = || given(feed.after(0, &reader(&visibility, 1)));
    assert_eq!(in_tail().frames.len(), 3);
    outbox.is_slow.send_replace(true);
    let mut waiting = Box::pin(feed.after(3, &ann));
    assert!((&mut waiting).now_or_never().is_none(), "the store is slow");
    assert_eq!(in_tail().frames.len(), 3);
    outbox.is_slow.send_replace(false);
    let portion = given(waiting);
    assert_eq!((portion.frames.len(), portion.reached), (0, None));
}

#[test]
fn one_page_is_read_for_all_who_wait_for_it() {
    let outbox = SlowOutbox::new(3);
    let (feed, visibility) = feed(&outbox);
    outbox.is_slow.send_replace(true);
    let ann = reader(&visibility, 1);
    let mut waiting = Box::pin(join_all((0..5).map(|_| feed.after(0, &ann))));
    assert!((&mut waiting).now_or_never().is_none(), "the store is slow");
    outbox.is_slow.send_replace(false);
    let portions = waiting.now_or_never().expect("the store has answered");
    let lengths = portions.into_iter().map(|portion| portion.expect("a portion").map(|portion| portion.frames.len()));
    assert!(lengths.eq([Some(3); 5]));
    assert_eq!(outbox.pages.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn what_is_new_is_decided_while_others_catch_up() {
    let mut offer = Resource::new("Offer");
    offer.fields.push(Field::new("count", Type::Integer { minimum: None, maximum: None }));
    offer.visible = vec![Access::When(Condition::new("count > 3"))];
    for (events, is_new) in [(MAX_NEW_EVENTS, true), (MAX_NEW_EVENTS + 1, false)] {
        let outbox = SlowOutbox::new(events as i64);
        let (feed, visibility) = feed_of(&outbox, offer.clone());
        let (ann, others) = (reader(&visibility, 1), [2, 3].map(|client| reader(&visibility, client)));
        let held = join_all(others.iter().map(|other| other.turn(&feed.catching_up))).await;
        let mut portion = Box::pin(feed.after(0, &ann));
        assert_eq!((&mut portion).now_or_never().is_some(), is_new);
        if !is_new {
            drop(held);
            assert!(matches!(portion.await, Ok(Some(_))));
        }
    }
}

#[tokio::test]
async fn few_read_for_themselves_at_a_time_and_the_tail_does_not_follow_them() {
    let outbox = SlowOutbox::new(100_000);
    let (feed, visibility) = feed(&outbox);
    // the first one finds out how far behind it is
    let first = given(feed.after(0, &reader(&visibility, 1)));
    assert_eq!(first.frames.len(), MAX_PAGE_EVENTS);
    outbox.is_slow.send_replace(true);
    let behind = position(first.reached);
    // two of a client, of whom one reads, and five others
    let readers: Vec<_> = [1, 1, 2, 3, 4, 5, 6].map(|client| reader(&visibility, client)).into();
    let mut alone = Box::pin(join_all(readers[..2].iter().map(|reader| feed.after(behind, reader))));
    assert!((&mut alone).now_or_never().is_none(), "the store is slow");
    assert_eq!(outbox.selecting.load(Ordering::Relaxed), 1);
    let mut waiting = Box::pin(join_all(readers[2..].iter().map(|reader| feed.after(behind, reader))));
    assert!((&mut waiting).now_or_never().is_none(), "the store is slow");
    assert_eq!(outbox.selecting.load(Ordering::Relaxed), MAX_CATCHING_UP);
    outbox.is_slow.send_replace(false);
    let (alone, others) = join(alone, waiting).await;
    assert!(alone.iter().chain(&others).all(|portion| matches!(portion, Ok(Some(_)))));
    assert_eq!(outbox.pages.load(Ordering::Relaxed), 1, "the first one's");
}
