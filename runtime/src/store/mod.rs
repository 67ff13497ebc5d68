//! The interface of the databases: what the stages of a request ask of them, and what they answer.
//!
//! The store checks uniqueness, references and ownership inside the transaction, since the result of an earlier check
//! could be outdated. A write that it acknowledges is durable.

pub(crate) mod changed_row;
mod commands;
mod counts;
mod database;
mod dump;
mod erasure;
pub(crate) mod facts;
pub(crate) mod field_guard;
pub(crate) mod outbox;
mod page;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(not(feature = "postgres"))]
#[path = "without_postgres.rs"]
mod postgres;
mod sql;
mod sqlite;
pub(crate) mod weight;

pub(crate) use commands::{
    Backlog, CommandExpiry, CommandFilter, CommandOrder, CommandPage, CommandQuery, Conclusion, NewCommand,
    PrunedPortion, PrunedUntil, Record, StoredCommand, Task, TaskOf,
};
pub(crate) use database::{CONNECTIONS, Database};
pub(crate) use dump::RefusedRows;
pub(crate) use erasure::{Erasure, ErasureRequest};
pub(crate) use outbox::{LeaseName, NewEvent, Outbox};
pub(crate) use page::PageWriter;
use postgres::{Postgres, PostgresLocation};
pub use sqlite::define_functions;
use sqlite::{Sqlite, SqliteLocation};

use crate::auth::caller::Caller;
use crate::etag::Preconditions;
use crate::fair_queue::Turn;
use crate::observe::trace::Trace;
pub(crate) use crate::plan::RepresentationId;
use crate::plan::cell::Cell;
use crate::plan::permission::Permit;
use crate::plan::query::Query;
use crate::plan::render::Render;
use crate::plan::viewer::Viewer;
use crate::plan::{ColumnIndex, ResourceIndex};
use restwell_model::{Problem, Value};
use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// Reads that run or wait for their turn, of those that may take a while. Beyond it a read is `Unavailable` at once.
pub(crate) const READ_QUEUE: usize = 256;
/// How long a read may wait for its turn. Beyond it the read is `Unavailable`: a longer wait would only delay those
/// behind it.
pub(crate) const READ_PATIENCE: Duration = Duration::from_secs(1);
/// The CPU time that a read may take, once it has its turn. Beyond it the read is `TooCostly`.
pub(crate) const READ_CPU_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a read may run, however little of a busy machine it gets. Beyond it the read is `TooCostly`.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_secs(20);
/// What makes a condition of the model cheaper that takes as long as a read may.
pub(crate) const CONDITION: &str = "a condition of the service reads too many entities that refer to one";
/// How long finished commands are kept by default (decisions, "Commands").
pub(crate) const COMMAND_RETENTION: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// What one read may take, in both stores. SQLite ends it by the first of the two. PostgreSQL tells nobody the CPU time
/// of a statement, and ends each by the clock; a read has one process of the server, so that this bounds both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReadLimits {
    /// CPU time.
    pub(crate) cpu: Duration,
    /// Time by the clock.
    pub(crate) clock: Duration,
}

/// Those of reads, and of what a condition reads within a change.
pub(crate) const READ_LIMITS: ReadLimits = ReadLimits { cpu: READ_CPU_TIMEOUT, clock: READ_TIMEOUT };

/// The limits that both stores can be given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoreOptions {
    /// What a read may take.
    pub(crate) reads: ReadLimits,
    /// How long finished commands are kept, and after that their ids.
    pub(crate) command_retention: Duration,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { reads: READ_LIMITS, command_retention: COMMAND_RETENTION }
    }
}

/// An answer that may take a while.
pub(crate) type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A database that serves a service's entities.
pub(crate) trait Store: Outbox + Send + Sync + 'static {
    /// One entity, rendered, if the viewer sees it, and as far as that goes.
    fn get(
        &self,
        at: RepresentationId,
        id: Uuid,
        viewer: Viewer,
    ) -> StoreFuture<'_, Result<Option<Entity>, StoreError>>;

    /// Bodies that the service's own code made, with what their references show to the viewer.
    fn show(
        &self,
        shown: Arc<Render>,
        bodies: Vec<Vec<u8>>,
        viewer: Viewer,
    ) -> StoreFuture<'_, Result<Vec<Vec<u8>>, StoreError>>;

    /// Whether a view through another resource has an entity for a caller: something of the caller's points at it
    /// (§2.1).
    fn shows(
        &self,
        at: RepresentationId,
        id: Uuid,
        caller: Uuid,
        viewer: Viewer,
    ) -> StoreFuture<'_, Result<bool, StoreError>>;

    /// How many reads that may take a while (pages of collections, and the problems of a change) can run at a time.
    fn read_places(&self) -> usize;

    /// A page of a collection, rendered. The turn ends when the thread or connection of the read is free again, which
    /// may be later than its client leaves.
    fn list(&self, at: RepresentationId, query: Query, turn: Turn) -> StoreFuture<'_, Result<Vec<u8>, StoreError>>;

    /// Makes a change durable, or refuses it.
    fn write(&self, change: Change) -> StoreFuture<'_, Result<Entity, Refusal>>;

    /// What a request that is known to be faulty breaks besides: references, uniqueness, immutable fields. Its own
    /// faults are nulls in its value. The turn ends as that of a page does.
    fn inspect(&self, change: Change, turn: Turn) -> StoreFuture<'_, Result<Vec<Problem>, Refusal>>;

    /// Keeps a search, and forgets some of those that are too old, or more than its client's share.
    fn create_search(&self, new: NewSearch) -> StoreFuture<'_, Result<(), Refusal>>;

    /// A search of the resource of this name, expired or not.
    fn search(&self, id: Uuid) -> StoreFuture<'_, Result<Option<StoredSearch>, StoreError>>;

    /// What a read finds in what is committed, where a query passes over the entities in `except`.
    fn look(&self, look: Read, except: Vec<Uuid>) -> StoreFuture<'_, Result<ReadResult, StoreError>>;

    /// How many entities a query finds that refer to each of these by a column, counted to the query's limit: one
    /// statement. Those to which none refers are not in it.
    fn count_each(
        &self,
        resource: ResourceIndex,
        column: ColumnIndex,
        to: Vec<Uuid>,
        query: Query,
    ) -> StoreFuture<'_, Result<HashMap<Uuid, u64>, StoreError>>;

    /// How many entities each of these queries finds, counted to its limit: one statement.
    fn count_apart(&self, queries: Vec<(ResourceIndex, Query)>) -> StoreFuture<'_, Result<Vec<u64>, StoreError>>;

    /// What a read finds after these steps, which are executed for it and rolled back.
    fn look_after(&self, look: Read, after: Vec<Step>) -> StoreFuture<'_, Result<ReadResult, Refusal>>;

    /// Makes a batch durable as a whole, or refuses it. Returns the entity of each change.
    fn commit(&self, batch: Batch) -> StoreFuture<'_, Result<Vec<Entity>, Refusal>>;

    /// Accepts a command, durably, or finds the one that has its id; `true`: it is new.
    fn accept(&self, command: NewCommand) -> StoreFuture<'_, Result<(Record, bool), Refusal>>;

    /// The command of this id.
    fn command(&self, id: Uuid) -> StoreFuture<'_, Result<Option<Record>, StoreError>>;

    /// A page of the commands that an entity was sent. The turn ends as that of a page of entities does.
    fn commands(&self, list: CommandQuery, turn: Turn) -> StoreFuture<'_, Result<CommandPage, StoreError>>;

    /// Prunes commands that ended long ago, and deletes those that were pruned long ago: a portion at most.
    fn prune_commands(&self, expiry: CommandExpiry, portion: u32) -> StoreFuture<'_, Result<PrunedPortion, Refusal>>;

    /// Claims up to `limit` commands that are RUNNING without a lease, with a lease of `lease` milliseconds. Leases run
    /// by the store's clock. `hooked`: the resources whose hooks this program has.
    fn claim(
        &self,
        hooked: Arc<[ResourceIndex]>,
        lease: i64,
        limit: u32,
    ) -> StoreFuture<'_, Result<Vec<Record>, Refusal>>;

    /// Releases a command that is to be taken up again after this number of milliseconds, and keeps why it did not end,
    /// as JSON.
    fn postpone(&self, held: (Uuid, i64), pause: i64, errors: String) -> StoreFuture<'_, Result<(), Refusal>>;

    /// Extends the leases of commands (id and fence) to `lease` milliseconds from now; 0 releases them.
    fn hold(&self, held: Vec<(Uuid, i64)>, lease: i64) -> StoreFuture<'_, Result<(), Refusal>>;

    /// The commands that are RUNNING.
    fn backlog(&self) -> StoreFuture<'_, Result<Backlog, StoreError>>;

    /// Whether `check` is so cheap that its answers need not be cached.
    fn checks_are_free(&self) -> bool;

    /// Whether it takes writes.
    fn check(&self) -> StoreFuture<'_, Result<(), Refusal>>;

    /// Closes it, after the writes that were accepted.
    fn close(&self) -> StoreFuture<'_, ()>;
}

/// The present state of an entity.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entity {
    /// Its id.
    pub(crate) id: Uuid,
    /// Its owner.
    pub(crate) owner: Option<Uuid>,
    /// Its representation; empty if it was deleted.
    pub(crate) body: Vec<u8>,
}

/// A stored search (§2.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredSearch {
    /// Its id.
    pub(crate) id: Uuid,
    /// The name of what is searched.
    pub(crate) resource: String,
    /// The version that it was made in.
    pub(crate) version: String,
    /// Milliseconds since 1970.
    pub(crate) created_at: i64,
    /// The caller who made it.
    pub(crate) creator: Option<Uuid>,
    /// JSON: what was given, and nothing else.
    pub(crate) data: String,
}

/// A search that is to be stored.
#[derive(Debug, Clone)]
pub(crate) struct NewSearch {
    pub(crate) search: StoredSearch,
    /// The client whose share of the room for searches it takes, as `<kind>:<name>`.
    pub(crate) share: String,
    /// Searches that were made before are forgotten (milliseconds since 1970).
    pub(crate) forgotten: i64,
}

/// A change to an entity.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    /// Which resource, and how the answer is rendered.
    pub(crate) at: RepresentationId,
    /// The entity; a new one's id is made by the service.
    pub(crate) id: Uuid,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
    /// Who may do it.
    pub(crate) permit: Permit,
    /// What its author sees: what is hidden from them does not exist for the change.
    pub(crate) viewer: Viewer,
    /// What the entity's tags must be for the change to be done.
    pub(crate) preconditions: Preconditions,
    /// Whether everything is rolled back at the end.
    pub(crate) is_dry_run: bool,
    /// What its events are marked with.
    pub(crate) trace: Trace,
    /// Whose request it comes from, where conditions are evaluated for it.
    pub(crate) author: Option<Arc<Caller>>,
    /// Fields of which the request has no valid value: it is known to be refused.
    pub(crate) faulty: Vec<String>,
    /// Fields with access of their own that the author of a creation sets, by their positions in the model.
    pub(crate) given: Vec<usize>,
    /// Whether a transition makes it, which alone may change the state of an entity.
    pub(crate) is_transition: bool,
    /// What is done.
    pub(crate) kind: ChangeKind,
}

/// What is done to an entity.
#[derive(Debug, Clone)]
pub(crate) enum ChangeKind {
    /// It is created with these values, which are complete.
    Create(Value),
    /// Its values are replaced; [`Value::Absent`] ones stay.
    Update(Value),
    /// Its values are replaced by those that the service's own code has set: none is kept, and none is immutable.
    Put(Value),
    /// It is deleted.
    Delete,
}

/// Something that the service's own code reads of a resource.
#[derive(Debug, Clone)]
pub(crate) enum Read {
    /// The entity of this id.
    One(ResourceIndex, Uuid),
    /// Those that a query finds.
    Many(ResourceIndex, Query),
    /// The number of entities that a query finds, on all pages.
    Count(ResourceIndex, Query),
    /// The same, counted to the query's limit and no further.
    CountTo(ResourceIndex, Query),
}

/// What a look found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReadResult {
    /// Rows, all cells in the table's order.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// How many were counted.
    pub(crate) count: u64,
}

/// Changes that are committed together, if what their author has read is unchanged.
#[derive(Debug, Clone, Default)]
pub(crate) struct Batch {
    /// In this order: a read sees the changes before it.
    pub(crate) steps: Vec<Step>,
    /// The end of the command that made these changes.
    pub(crate) conclusion: Option<Conclusion>,
    /// Whether everything is rolled back at the end.
    pub(crate) is_dry_run: bool,
}

/// A step of a batch.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// It read this, and what it found has this fingerprint.
    Verify { read: Read, fingerprint: u128, guard: QueryGuard },
    /// It locks an entity.
    Lock(ResourceIndex, Uuid),
    /// It changes an entity.
    Write(Change),
}

/// What keeps others from changing what a query found, until the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryGuard {
    /// A lock of its table: no other transaction writes to it.
    Table,
    /// The entities that its author has locked: code that changes what the query finds locks them, too.
    Locks,
}

impl ReadResult {
    /// A hash that is the same for the same result only.
    pub(crate) fn fingerprint(&self) -> u128 {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&self.count.to_le_bytes());
        for row in &self.rows {
            bytes.push(b'[');
            for cell in row {
                // SQLite stores no negative zero
                let positive_zero = match cell {
                    Cell::Real(number) => Some(Cell::Real(number + 0.0)),
                    _ => None,
                };
                // a vector takes all
                let _ = positive_zero.as_ref().unwrap_or(cell).write_bytes(|part| {
                    bytes.extend_from_slice(part);
                    Some(())
                });
            }
        }
        twox_hash::XxHash3_128::oneshot(&bytes)
    }
}

/// Why a change was not done.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// There is no such entity.
    NotFound,
    /// It belongs to another user.
    Forbidden,
    /// Its author may not set these fields.
    FieldsForbidden(Vec<String>),
    /// Its preconditions do not hold: it has not the tags that it must have, or has those that it must not have.
    Changed,
    /// What its author has read has changed since: the author must run again.
    Conflict,
    /// Another executor has claimed the command that this was for.
    Superseded,
    /// The values break a rule that only the store can see.
    Invalid(Vec<Problem>),
    /// Entities of these resources refer to what is to be deleted.
    StillReferenced(Vec<ResourceIndex>),
    /// The store failed.
    Failed(StoreError),
}

impl From<Refusal> for StoreError {
    /// Of what no change of a client's was asked for.
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Failed(error) => error,
            refusal => Self::Internal(format!("it was refused: {refusal:?}")),
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

/// A failure of the store itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoreError {
    /// It is too busy, or cannot be reached for the moment.
    Unavailable(String),
    /// The read takes more work than one request may cause. What would make it cheaper, for the client to read.
    TooCostly(String),
    /// The page has more bytes than are rendered at once; this number of entities would fit.
    PageTooLarge {
        /// The most that are rendered.
        max_bytes: usize,
        /// The number of entities that had been rendered before.
        fits: usize,
    },
    /// The database file is damaged: a page of it is not what it should be.
    Corrupt(String),
    /// Unforeseen.
    Internal(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(reason) => write!(f, "the store is unavailable: {reason}"),
            Self::TooCostly(_) => f.write_str("a read took more work than one request may cause"),
            Self::PageTooLarge { max_bytes, .. } => write!(f, "a page has more than {max_bytes} bytes"),
            Self::Corrupt(reason) => write!(f, "the database file is damaged: {reason}"),
            Self::Internal(reason) => write!(f, "the store failed: {reason}"),
        }
    }
}
