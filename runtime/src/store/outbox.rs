//! The outbox: what has happened, written with the change itself, so that an event exists if and only if its change
//! does; and how it is read, in the order of the changes.

use super::{Refusal, StoreError, StoreFuture};
use crate::observe::trace::Trace;
use crate::plan::ResourceIndex;
use crate::plan::cell::Cell;
use restwell_model::events::EventKind;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use uuid::Uuid;

/// What one process at a time does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaseName {
    /// It publishes events.
    Publishing,
    /// It makes the transitions of the clock.
    Clock,
    /// It finds the events that hooks are for.
    Hooks,
}

impl LeaseName {
    /// The key of the lease in the database.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Publishing => "events.publisher",
            Self::Clock => "lifecycles.clock",
            Self::Hooks => "events.hooks",
        }
    }
}

/// What goes over all events, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follower {
    /// It publishes them.
    Bus,
    /// It starts the hooks that they are for.
    Hooks,
}

impl Follower {
    pub(crate) const ALL: [Self; 2] = [Self::Bus, Self::Hooks];

    /// The key of how far it came, in the database.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Bus => "events.published",
            Self::Hooks => "events.hooked",
        }
    }
}

/// An event about to be written.
#[derive(Debug)]
pub(crate) struct NewEvent<'a> {
    /// The resource.
    pub(crate) resource: ResourceIndex,
    /// What happened.
    pub(crate) kind: EventKind<'a>,
    /// The entity.
    pub(crate) entity: Uuid,
    /// The owner of the entity, also after its deletion.
    pub(crate) owner: Option<Uuid>,
    /// Milliseconds since 1970.
    pub(crate) time: i64,
    /// JSON: what anyone who reads the resource itself sees of the entity now.
    pub(crate) data: &'a [u8],
    /// What it happened in the course of.
    pub(crate) trace: &'a Trace,
}

/// An event as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredEvent {
    /// Where it stands in the order of all.
    pub(crate) mark: EventPosition,
    /// The resource's word: `offer`.
    pub(crate) resource: String,
    /// What happened, as [`EventKind`] writes it.
    pub(crate) kind: String,
    /// The entity.
    pub(crate) entity: Uuid,
    /// The owner of the entity at that time.
    pub(crate) owner: Option<Uuid>,
    /// Milliseconds since 1970.
    pub(crate) time: i64,
    /// JSON.
    pub(crate) data: String,
    /// What it happened in the course of.
    pub(crate) trace: Trace,
}

/// An event's place: its position grows from event to event, the first has 1; its id distinguishes it from one that
/// another database has at this position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventPosition {
    pub(crate) position: i64,
    pub(crate) id: Uuid,
}

/// The position before all events.
pub(crate) const START: i64 = 0;

/// An event that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seek {
    /// The first that is kept.
    Oldest,
    /// The last.
    Newest,
    /// The one at this position.
    Position(i64),
}

/// Events of a page at most. What is beyond comes with the next page.
pub(crate) const MAX_PAGE_EVENTS: usize = 256;
/// Bytes of data past which a page of all events is full: it holds that and one event more at most.
pub(crate) const EVENT_PAGE_BYTES: usize = 1024 * 1024;
/// Bytes of data past which a page of selected events is full. A stream holds one for as long as its client takes to
/// read it, so it is small.
pub(crate) const SELECTED_PAGE_BYTES: usize = 64 * 1024;
/// Positions that are looked at for one page of selected events. The next page goes on behind them.
pub(crate) const MAX_LOOKED_AT: i64 = 4096;

/// The events that a stream may show, for the store, by resource and kind (`offer.created`). What one list selects is
/// selected.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Selection {
    /// Those of any owner.
    pub(crate) everybodys: Vec<String>,
    /// Those of entities that the caller owns.
    pub(crate) own: Vec<String>,
    /// Those that the caller caused.
    pub(crate) caused: Vec<String>,
    /// Those that pass certain tests.
    pub(crate) tested: Vec<TestedEvents>,
    /// Who asks.
    pub(crate) caller: Option<Uuid>,
}

/// Events that pass one of some tests.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TestedEvents {
    pub(crate) names: Vec<String>,
    pub(crate) tests: Vec<EventTest>,
}

/// What must be so for an event to be selected.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum EventTest {
    /// Its data has this text.
    Has(String),
    /// A condition in SQL, over the alias `t` of a table that has only the `id` of its entity; and what it binds.
    Meets(Box<str>, Vec<Cell>),
}

/// A page of selected events.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SelectedPage {
    /// In order.
    pub(crate) events: Vec<StoredEvent>,
    /// The last event that was looked at, shown or not; `None`: there are none after the position yet.
    pub(crate) reached: Option<EventPosition>,
}

/// Which events may be deleted. The newest is always kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expiry {
    /// Those from before this time, in milliseconds since 1970.
    pub(crate) before: i64,
    /// Those that are more than this number behind the newest.
    pub(crate) keep: i64,
    /// Unpublished events are kept, up to this number; `None`: nothing is published.
    pub(crate) keep_unpublished: Option<i64>,
}

/// The outcome of deleting old events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ExpiredEvents {
    /// How many went.
    pub(crate) events: usize,
    /// Whether some of them were never published.
    pub(crate) unpublished: bool,
}

/// The events of a database.
pub(crate) trait Outbox: Send + Sync {
    /// A page of the events after a position, in order; none where there are none yet.
    fn events(&self, after: i64) -> StoreFuture<'_, Result<Vec<StoredEvent>, StoreError>>;

    /// A page of the selected events after a position. It looks at [`MAX_LOOKED_AT`] positions at most, so it may find
    /// none and yet reach a position with more behind it.
    fn selected_events(
        &self,
        after: i64,
        selection: Arc<Selection>,
    ) -> StoreFuture<'_, Result<SelectedPage, StoreError>>;

    /// Where an event stands, if it is kept.
    fn mark(&self, which: Seek) -> StoreFuture<'_, Result<Option<EventPosition>, StoreError>>;

    /// The secret of cursors, and after a space the position of the newest event when it was made; the new one, if
    /// there is none yet.
    fn cursor_secret(&self, new: String) -> StoreFuture<'_, Result<String, StoreError>>;

    /// Counts commits from now on: when it changes, waiting streams read again.
    fn commits(&self) -> watch::Receiver<u64>;

    /// Whether this process is the one that does some work, for so long from now on: where several have the database,
    /// one of them is.
    fn leads(&self, name: LeaseName, lease: Duration) -> StoreFuture<'_, Result<bool, StoreError>>;

    /// The position up to which a follower has come; `None`: it has not begun.
    fn followed(&self, follower: Follower) -> StoreFuture<'_, Result<Option<i64>, StoreError>>;

    /// Remembers the position up to which a follower has come, durably; an earlier one than it knows changes nothing.
    fn set_followed(&self, follower: Follower, position: i64) -> StoreFuture<'_, Result<(), Refusal>>;

    /// Drops a portion of the oldest events, those that may go.
    fn drop_events(&self, expiry: Expiry) -> StoreFuture<'_, Result<ExpiredEvents, Refusal>>;
}

/// A watch of commits that has seen none yet.
pub(super) fn from_now_on(commits: &watch::Receiver<u64>) -> watch::Receiver<u64> {
    let mut commits = commits.clone();
    // the kept one has seen none, and a clone of it would have seen none either
    commits.mark_unchanged();
    commits
}
