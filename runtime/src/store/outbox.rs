//! The outbox: what has happened, written with the change itself, so that an event exists if and only if its change
//! does; and how it is read, in the order of the changes.

use super::{Answer, Refusal, StoreError};
use crate::serve::edge::Trace;
use restwell_model::events::EventKind;
use std::time::Duration;
use tokio::sync::watch;
use uuid::Uuid;

/// An event about to be written.
#[derive(Debug)]
pub(crate) struct NewEvent<'a> {
    /// Of the service's resources.
    pub(crate) resource: usize,
    /// What happened.
    pub(crate) kind: EventKind<'a>,
    /// The entity.
    pub(crate) entity: Uuid,
    /// Whose it is, or was.
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
    pub(crate) mark: Mark,
    /// The resource's word: `offer`.
    pub(crate) resource: String,
    /// What happened, as [`EventKind`] writes it.
    pub(crate) kind: String,
    /// The entity.
    pub(crate) entity: Uuid,
    /// Whose it was.
    pub(crate) owner: Option<Uuid>,
    /// Milliseconds since 1970.
    pub(crate) time: i64,
    /// JSON.
    pub(crate) data: String,
    /// What it happened in the course of.
    pub(crate) trace: Trace,
}

/// An event's place: its position grows from event to event, the first has 1; its id tells it from one that another
/// database has at this position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) position: i64,
    pub(crate) id: Uuid,
}

/// The position before all events.
pub(crate) const START: i64 = 0;

/// An event that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// The first that is kept.
    Oldest,
    /// The last.
    Newest,
    /// The one at this position.
    At(i64),
}

/// Which events may go. The newest stays always.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expiry {
    /// Those from before this time, in milliseconds since 1970.
    pub(crate) before: i64,
    /// Those that are more than so many behind the newest.
    pub(crate) keep: i64,
    /// What is not published yet stays, up to so many; `None`: nothing is published.
    pub(crate) keep_unpublished: Option<i64>,
}

/// What came of dropping events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Dropped {
    /// How many went.
    pub(crate) events: usize,
    /// Whether some of them were never published.
    pub(crate) unpublished: bool,
}

/// The events of a database.
pub(crate) trait Outbox {
    /// A page of the events after a position, in order; none where there are none yet.
    fn events(&self, after: i64) -> Answer<'_, Result<Vec<StoredEvent>, StoreError>>;

    /// Where an event stands, if it is kept.
    fn mark(&self, which: Which) -> Answer<'_, Result<Option<Mark>, StoreError>>;

    /// Counts commits, from now on: whoever waits for events looks again when it changes.
    fn commits(&self) -> watch::Receiver<u64>;

    /// Whether this process is the one that publishes, for so long from now on: where several have the database, one of them
    /// is.
    fn leads(&self, lease: Duration) -> Answer<'_, Result<bool, StoreError>>;

    /// The position up to which events were published.
    fn published(&self) -> Answer<'_, Result<i64, StoreError>>;

    /// Remembers the position up to which events were published, durably; an earlier one than it knows changes nothing.
    fn set_published(&self, position: i64) -> Answer<'_, Result<(), Refusal>>;

    /// Drops a portion of the oldest events, those that may go.
    fn drop_events(&self, expiry: Expiry) -> Answer<'_, Result<Dropped, Refusal>>;
}

/// A watch of commits that has seen none yet.
pub(super) fn from_now_on(commits: &watch::Receiver<u64>) -> watch::Receiver<u64> {
    let mut commits = commits.clone();
    // the kept one has seen none, and a clone of it would have seen none either
    commits.mark_unchanged();
    commits
}
