//! SQLite, the embedded store.
//!
//! Reads run on a connection per thread: single entities inline on the worker that serves the request (microseconds),
//! pages on the blocking pool. All writes go to one thread, which takes what has queued up into one transaction and
//! answers after its COMMIT, synced to disk: many writes share one sync.

mod backup;
mod checkpoint;
mod command_admin;
mod connection;
mod counts;
mod dump;
mod erase;
mod functions;
mod health;
mod interrupt;
mod known_entities;
mod lists;
mod lock;
mod other_programs;
mod outbox;
mod read;
mod reads;
mod schema;
mod session;
mod undo;
mod versions;
mod writer;

use super::sql;
use super::weight::Weight;
use super::{
    Backlog, Batch, Change, ChangeKind, CommandExpiry, CommandPage, CommandQuery, Entity, NewCommand, NewSearch,
    PrunedPortion, Read, ReadResult, Record, Refusal, RepresentationId, Step, Store, StoreError, StoreFuture,
    StoreOptions, StoredSearch,
};
use crate::fair_queue::Turn;
use crate::migrations::{DatabaseState, MigrationTarget};
use crate::observe::metrics::StoreMetrics;
use crate::plan::cell::Cell;
use crate::plan::query::Query;
use crate::plan::render::Render;
use crate::plan::viewer::Viewer;
use crate::plan::{ColumnIndex, Plans, ResourceIndex};
pub(crate) use backup::BackupSummary;
use checkpoint::Checkpoints;
pub(crate) use connection::SqliteLocation;
use counts::PageCounts;
pub use functions::define_functions;
use health::{Health, HealthVerdict};
use known_entities::KnownEntities;
use lock::{ProcessLock, Purpose};
use reads::Reads;
use restwell_model::Problem;
use rusqlite::Connection;
pub(super) use session::WriterSession;
use session::at_once;
use std::collections::HashMap;
use std::sync::Arc;
use undo::Undo;
use uuid::Uuid;
use versions::TableVersions;
use writer::{Writer, Writing};

/// Bytes that are written to see whether writes succeed: as many as a body may have. A full disk takes a smaller write
/// where a larger one has failed, in the space that is left of that.
const PROBE_BYTES: usize = 1024 * 1024;
const FILL_PROBE: &str = "INSERT INTO \"_restwell\" (\"key\", \"value\") VALUES ('probe', hex(zeroblob(?1))) \
                          ON CONFLICT (\"key\") DO UPDATE SET \"value\" = excluded.\"value\"";
const DROP_PROBE: &str = "DELETE FROM \"_restwell\" WHERE \"key\" = 'probe'";

/// The advice for a read whose cost does not depend on what is asked.
const ASK_LATER: &str = "ask again later";

/// A service's entities in an SQLite database.
pub(crate) struct Sqlite {
    plans: Arc<Plans>,
    /// For single entities, on the thread that asks.
    readers: connection::Readers,
    /// For what may take a while.
    reads: Reads,
    writer: Writer,
    counts: Arc<PageCounts>,
    known: KnownEntities,
    health: Arc<Health>,
}

impl Sqlite {
    /// Opens the database, making its tables where it is new.
    ///
    /// # Errors
    ///
    /// A sentence for people: another process has the file, it cannot be opened, was made by another model, or is
    /// behind.
    pub(crate) fn open(
        location: SqliteLocation,
        goal: &MigrationTarget<'_>,
        plans: impl FnOnce() -> Arc<Plans>,
        metrics: StoreMetrics,
        options: StoreOptions,
    ) -> Result<Self, String> {
        let lock = ProcessLock::take(&location, Purpose::Serve)?;
        let mut connection = connection::open_writer(&location).map_err(|error| location.explain(&error))?;
        schema::prepare(&connection, goal, &location)?;
        at_once(sql::let_all_go(&WriterSession(&connection)))
            .map_err(|failure| format!("cannot open the database {location}: {}", StoreError::from(failure)))?;
        let checkpoints = Checkpoints::start(&location, &mut connection).map_err(|error| location.explain(&error))?;
        let health = Arc::new(Health::new(&location));
        let steps = metrics.steps.clone();
        interrupt::watch(&mut connection, metrics::Counter::noop()).map_err(|error| location.explain(&error))?;
        let plans = plans();
        let versions = TableVersions::watch(&mut connection, &plans).map_err(|error| location.explain(&error))?;
        let counts = Arc::new(PageCounts::new(Arc::clone(&versions)));
        let known = KnownEntities::new(Arc::clone(&versions));
        let readers = connection::Readers::new(location, options.reads, steps, Arc::clone(&health));
        let reads = Reads::new(readers.clone(), Arc::clone(&plans));
        let reads = reads.map_err(|error| format!("cannot start threads: {error}"))?;
        let (plans_of_writer, health_of_writer) = (Arc::clone(&plans), Arc::clone(&health));
        let writing =
            Writing { connection, plans: plans_of_writer, metrics, versions, health: health_of_writer, _lock: lock };
        let writer = Writer::start(writing, checkpoints);
        Ok(Self { plans, readers, reads, writer, counts, known, health })
    }

    /// What the database is for the service, without changing anything.
    ///
    /// # Errors
    ///
    /// A sentence for people: it cannot be opened, or was made by another model.
    pub(crate) fn find(location: &SqliteLocation, goal: &MigrationTarget<'_>) -> Result<DatabaseState, String> {
        match connection::open_as_it_is(location).map_err(|error| location.explain(&error))? {
            Some(connection) => schema::find(&connection, goal, location),
            None => Ok(DatabaseState::Empty),
        }
    }

    /// Makes the tables, or brings them along. A process that serves the database is not disturbed: it is an error
    /// then.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn prepare(location: &SqliteLocation, goal: &MigrationTarget<'_>) -> Result<(), String> {
        let _lock = ProcessLock::take(location, Purpose::Prepare)?;
        let connection = connection::open_writer(location).map_err(|error| location.explain(&error))?;
        schema::prepare(&connection, goal, location)
    }

    /// Whether the row of an entity decides alone what is shown of it.
    fn is_of_row_alone(&self, at: RepresentationId) -> bool {
        self.plans.resources[at.resource].representation(at).is_of_row_alone
    }

    /// Tries a write, durably, and takes it back.
    async fn probe(&self) -> Result<(), Refusal> {
        let fill = |connection: &Connection, _: &Plans| Ok(connection.execute(FILL_PROBE, [PROBE_BYTES as i64 / 2])?);
        let drop = |connection: &Connection, _: &Plans| Ok(connection.execute(DROP_PROBE, [])?);
        self.writer.run(PROBE_BYTES, Undo::Savepoint, fill).await?;
        self.writer.run(().bytes(), Undo::Savepoint, drop).await?;
        Ok(())
    }
}

impl Store for Sqlite {
    fn get(
        &self,
        at: RepresentationId,
        id: Uuid,
        viewer: Viewer,
    ) -> StoreFuture<'_, Result<Option<Entity>, StoreError>> {
        let own = viewer.sight(&self.plans, at.resource);
        let read = || self.readers.with(|connection| read::entity(connection, &self.plans, at, id, (own, &viewer)));
        let found = match self.is_of_row_alone(at) && own.is_all() {
            true => self.known.get((at, id), read),
            false => read().map(|found| found.map(|row| row.entity)),
        };
        Box::pin(std::future::ready(found))
    }

    fn show(
        &self,
        shown: Arc<Render>,
        bodies: Vec<Vec<u8>>,
        viewer: Viewer,
    ) -> StoreFuture<'_, Result<Vec<Vec<u8>>, StoreError>> {
        let bodies: Vec<_> = bodies.into_iter().map(Cell::of_json).collect();
        let read = self.readers.with(|connection| read::shown(connection, &shown, &bodies, &viewer));
        Box::pin(std::future::ready(read))
    }

    fn read_places(&self) -> usize {
        self.reads.places()
    }

    fn shows(
        &self,
        at: RepresentationId,
        id: Uuid,
        caller: Uuid,
        viewer: Viewer,
    ) -> StoreFuture<'_, Result<bool, StoreError>> {
        let of = (caller, &viewer);
        let shown = self.readers.with(|connection| {
            at_once(sql::shows(&WriterSession(connection), &self.plans, at, id, of)).map_err(StoreError::from)
        });
        Box::pin(std::future::ready(shown))
    }

    fn list(&self, at: RepresentationId, query: Query, turn: Turn) -> StoreFuture<'_, Result<Vec<u8>, StoreError>> {
        let (narrow, counts) = (query.narrow(), Arc::clone(&self.counts));
        self.reads.run(narrow, move |connection, plans| {
            let _turn = turn;
            read::page(connection, plans, &counts, at, &query)
        })
    }

    fn write(&self, change: Change) -> StoreFuture<'_, Result<Entity, Refusal>> {
        let key = (change.at, change.id);
        let is_update = matches!(change.kind, ChangeKind::Update(_)) && !change.is_dry_run;
        let may_be_known = is_update && self.is_of_row_alone(change.at);
        let written = self.writer.write(Undo::of_change(&self.plans, &change), change);
        Box::pin(async move {
            let (entity, version) = written.await?;
            if let Some(version) = version.filter(|_| may_be_known) {
                self.known.changed(key, &entity, version);
            }
            Ok(entity)
        })
    }

    fn inspect(&self, mut change: Change, turn: Turn) -> StoreFuture<'_, Result<Vec<Problem>, Refusal>> {
        let found = self.reads.run(ASK_LATER, move |connection, plans| {
            let _turn = turn;
            Ok(at_once(sql::inspect(&WriterSession(connection), plans, &mut change)))
        });
        Box::pin(async move { found.await? })
    }

    fn create_search(&self, new: NewSearch) -> StoreFuture<'_, Result<(), Refusal>> {
        self.writer.run(new.search.bytes(), Undo::Savepoint, move |connection, _| {
            Ok(at_once(sql::insert_search(&WriterSession(connection), &new))?)
        })
    }

    fn search(&self, id: Uuid) -> StoreFuture<'_, Result<Option<StoredSearch>, StoreError>> {
        let found = self
            .readers
            .with(|connection| at_once(sql::find_search(&WriterSession(connection), id)).map_err(StoreError::from));
        Box::pin(std::future::ready(found))
    }

    fn look(&self, look: Read, except: Vec<Uuid>) -> StoreFuture<'_, Result<ReadResult, StoreError>> {
        let is_single = matches!(look, Read::One(..));
        let read = move |connection: &Connection, plans: &Plans| {
            at_once(sql::look(&WriterSession(connection), plans, &look, &except)).map_err(StoreError::from)
        };
        match is_single {
            true => Box::pin(std::future::ready(self.readers.with(|connection| read(connection, &self.plans)))),
            false => self.reads.run(ASK_LATER, read),
        }
    }

    fn count_each(
        &self,
        resource: ResourceIndex,
        column: ColumnIndex,
        to: Vec<Uuid>,
        query: Query,
    ) -> StoreFuture<'_, Result<HashMap<Uuid, u64>, StoreError>> {
        self.reads.run(ASK_LATER, move |connection, plans| {
            let table = &plans.resources[resource].table;
            Ok(at_once(sql::count_each(&WriterSession(connection), table, column, (&to, &query)))?)
        })
    }

    fn count_apart(&self, queries: Vec<(ResourceIndex, Query)>) -> StoreFuture<'_, Result<Vec<u64>, StoreError>> {
        self.reads.run(ASK_LATER, move |connection, plans| {
            Ok(at_once(sql::count_apart(&WriterSession(connection), plans, &queries))?)
        })
    }

    fn look_after(&self, look: Read, after: Vec<Step>) -> StoreFuture<'_, Result<ReadResult, Refusal>> {
        let bytes = after.iter().map(Weight::bytes).sum();
        self.writer.try_out(bytes, Undo::of_steps(bytes, &after), move |connection, plans| {
            at_once(sql::look_after(&WriterSession(connection), plans, &look, &after))
        })
    }

    fn commit(&self, batch: Batch) -> StoreFuture<'_, Result<Vec<Entity>, Refusal>> {
        let (is_dry_run, bytes, undo) = (batch.is_dry_run, batch.bytes(), Undo::of_batch(&batch));
        let work = move |connection: &Connection, plans: &Plans| {
            at_once(sql::commit(&WriterSession(connection), plans, &batch))
        };
        if is_dry_run { self.writer.try_out(bytes, undo, work) } else { self.writer.run(bytes, undo, work) }
    }

    fn accept(&self, command: NewCommand) -> StoreFuture<'_, Result<(Record, bool), Refusal>> {
        let (is_dry_run, bytes) = (command.is_dry_run, command.bytes());
        let work = move |connection: &Connection, plans: &Plans| {
            at_once(sql::accept(&WriterSession(connection), plans, &command))
        };
        let undo = Undo::Savepoint;
        if is_dry_run { self.writer.try_out(bytes, undo, work) } else { self.writer.run(bytes, undo, work) }
    }

    fn command(&self, id: Uuid) -> StoreFuture<'_, Result<Option<Record>, StoreError>> {
        let found = self.readers.with(|connection| {
            at_once(sql::find_command(&WriterSession(connection), &self.plans, id)).map_err(StoreError::from)
        });
        Box::pin(std::future::ready(found))
    }

    fn commands(&self, list: CommandQuery, turn: Turn) -> StoreFuture<'_, Result<CommandPage, StoreError>> {
        self.reads.run(list.query.narrow(), move |connection, plans| {
            let _turn = turn;
            // the page and its count see the same state
            let _transaction = connection.unchecked_transaction()?;
            at_once(sql::command_page(&WriterSession(connection), plans, &list)).map_err(StoreError::from)
        })
    }

    fn prune_commands(&self, expiry: CommandExpiry, portion: u32) -> StoreFuture<'_, Result<PrunedPortion, Refusal>> {
        self.writer.run(().bytes(), Undo::Savepoint, move |connection, _| {
            Ok(at_once(sql::prune_commands(&WriterSession(connection), expiry, portion))?)
        })
    }

    fn claim(
        &self,
        hooked: Arc<[ResourceIndex]>,
        lease: i64,
        limit: u32,
    ) -> StoreFuture<'_, Result<Vec<Record>, Refusal>> {
        self.writer.run(().bytes(), Undo::Savepoint, move |connection, plans| {
            at_once(sql::claim(&WriterSession(connection), plans, &hooked, lease, limit))
        })
    }

    fn postpone(&self, held: (Uuid, i64), pause: i64, errors: String) -> StoreFuture<'_, Result<(), Refusal>> {
        self.writer.run(errors.len(), Undo::Savepoint, move |connection, _| {
            at_once(sql::postpone(&WriterSession(connection), held, pause, &errors))
        })
    }

    fn hold(&self, held: Vec<(Uuid, i64)>, lease: i64) -> StoreFuture<'_, Result<(), Refusal>> {
        self.writer.run(().bytes(), Undo::Savepoint, move |connection, _| {
            at_once(sql::hold(&WriterSession(connection), &held, lease))
        })
    }

    fn backlog(&self) -> StoreFuture<'_, Result<Backlog, StoreError>> {
        self.reads
            .run(ASK_LATER, |connection, _| at_once(sql::backlog(&WriterSession(connection))).map_err(StoreError::from))
    }

    fn checks_are_free(&self) -> bool {
        true
    }

    fn check(&self) -> StoreFuture<'_, Result<(), Refusal>> {
        match self.health.verdict() {
            HealthVerdict::Ready => Box::pin(std::future::ready(Ok(()))),
            HealthVerdict::Failed(error) => Box::pin(std::future::ready(Err(error.into()))),
            HealthVerdict::Probe => Box::pin(self.probe()),
        }
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        let (reads, writer) = (self.reads.close(), self.writer.close());
        Box::pin(async move {
            // the last connection to be closed takes the log away, and is to be the writer's
            reads.await;
            writer.await;
        })
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase, PermissionDenied,
            ReadOnly, SystemIoFailure,
        };
        match error.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => Self::Corrupt(error.to_string()),
            Some(
                CannotOpen | DatabaseBusy | DatabaseLocked | DiskFull | PermissionDenied | ReadOnly | SystemIoFailure,
            ) => Self::Unavailable(error.to_string()),
            _ => Self::Internal(error.to_string()),
        }
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.into())
    }
}
