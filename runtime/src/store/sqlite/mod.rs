//! SQLite, the embedded store.
//!
//! Reads run on a connection per thread: single entities inline on the worker that serves the request (microseconds),
//! pages on the blocking pool. All writes go to one thread, which takes what has queued up into one transaction and
//! answers after its COMMIT, synced to disk: many writes share one sync.

mod checkpoint;
mod connection;
mod health;
mod interrupt;
mod lists;
mod lock;
mod outbox;
mod read;
mod reads;
mod schema;
mod session;
mod transfer;
mod weight;
mod writer;

use super::sql;
use super::{
    Answer, At, Backlog, Batch, Change, Entity, Look, NewCommand, Record, Refusal, Seen, Step, Store, StoreError,
    StoreOptions, StoredSearch,
};
use crate::metrics::StoreMetrics;
use crate::migrations::{Found, Goal};
use crate::plan::Plans;
use crate::plan::query::Query;
use checkpoint::Checkpoints;
pub(crate) use connection::Location;
use health::{Health, Verdict};
use lock::{ProcessLock, Purpose};
use reads::Reads;
use restwell_model::Problem;
use rusqlite::Connection;
use session::{Inline, at_once};
use std::sync::Arc;
use uuid::Uuid;
use weight::Weight;
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
    health: Arc<Health>,
}

impl Sqlite {
    /// Opens the database, making its tables where it is new.
    ///
    /// # Errors
    ///
    /// A sentence for people: another process has the file, it cannot be opened, was made by another model, or is behind.
    pub(crate) fn open(
        location: Location,
        goal: &Goal<'_>,
        plans: Arc<Plans>,
        metrics: StoreMetrics,
        options: StoreOptions,
    ) -> Result<Self, String> {
        let lock = ProcessLock::take(&location, Purpose::Serve)?;
        let mut connection = connection::open_writer(&location).map_err(|error| location.explain(&error))?;
        schema::prepare(&connection, goal, &location)?;
        at_once(sql::let_all_go(&Inline(&connection)))
            .map_err(|failure| format!("cannot open the database {location}: {}", StoreError::from(failure)))?;
        let checkpoints = Checkpoints::start(&location, &mut connection).map_err(|error| location.explain(&error))?;
        let health = Arc::new(Health::new(&location));
        let steps = metrics.steps.clone();
        let readers = connection::Readers::new(location, options.read_timeout, steps, Arc::clone(&health));
        let reads = Reads::new(readers.clone(), Arc::clone(&plans));
        let reads = reads.map_err(|error| format!("cannot start threads: {error}"))?;
        let writing =
            Writing { connection, plans: Arc::clone(&plans), metrics, health: Arc::clone(&health), _lock: lock };
        let writer = Writer::start(writing, checkpoints);
        Ok(Self { plans, readers, reads, writer, health })
    }

    /// What the database is for the service, without changing anything.
    ///
    /// # Errors
    ///
    /// A sentence for people: it cannot be opened, or was made by another model.
    pub(crate) fn find(location: &Location, goal: &Goal<'_>) -> Result<Found, String> {
        match connection::open_as_it_is(location).map_err(|error| location.explain(&error))? {
            Some(connection) => schema::find(&connection, goal, location),
            None => Ok(Found::Nothing),
        }
    }

    /// Makes the tables, or brings them along. A process that serves the database is not disturbed: it is an error then.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn prepare(location: &Location, goal: &Goal<'_>) -> Result<(), String> {
        let _lock = ProcessLock::take(location, Purpose::Prepare)?;
        let connection = connection::open_writer(location).map_err(|error| location.explain(&error))?;
        schema::prepare(&connection, goal, location)
    }

    /// Tries a write, durably, and takes it back.
    async fn probe(&self) -> Result<(), Refusal> {
        let fill = |connection: &Connection, _: &Plans| Ok(connection.execute(FILL_PROBE, [PROBE_BYTES as i64 / 2])?);
        let drop = |connection: &Connection, _: &Plans| Ok(connection.execute(DROP_PROBE, [])?);
        self.writer.run(PROBE_BYTES, fill).await?;
        self.writer.run(().bytes(), drop).await?;
        Ok(())
    }
}

impl Store for Sqlite {
    fn get(&self, at: At, id: Uuid) -> Answer<'_, Result<Option<Entity>, StoreError>> {
        let found = self.readers.with(|connection| read::entity(connection, &self.plans, at, id));
        Box::pin(std::future::ready(found))
    }

    fn shows(&self, at: At, id: Uuid, caller: Uuid) -> Answer<'_, Result<bool, StoreError>> {
        let shown = self.readers.with(|connection| {
            at_once(sql::shows(&Inline(connection), &self.plans, at, id, caller)).map_err(StoreError::from)
        });
        Box::pin(std::future::ready(shown))
    }

    fn list(&self, at: At, query: Query) -> Answer<'_, Result<Vec<u8>, StoreError>> {
        let narrow = query.narrow();
        self.reads.run(narrow, move |connection, plans| read::page(connection, plans, at, &query))
    }

    fn write(&self, change: Change) -> Answer<'_, Result<Entity, Refusal>> {
        self.writer.write(change)
    }

    fn inspect(&self, mut change: Change) -> Answer<'_, Result<Vec<Problem>, Refusal>> {
        let found = self.reads.run(ASK_LATER, move |connection, plans| {
            Ok(at_once(sql::inspect(&Inline(connection), plans, &mut change)))
        });
        Box::pin(async move { found.await? })
    }

    fn create_search(&self, search: StoredSearch, forgotten: i64) -> Answer<'_, Result<(), Refusal>> {
        self.writer.run(search.bytes(), move |connection, _| {
            Ok(at_once(sql::insert_search(&Inline(connection), &search, forgotten))?)
        })
    }

    fn search(&self, resource: &str, id: Uuid) -> Answer<'_, Result<Option<StoredSearch>, StoreError>> {
        let found = self
            .readers
            .with(|connection| at_once(sql::find_search(&Inline(connection), resource, id)).map_err(StoreError::from));
        Box::pin(std::future::ready(found))
    }

    fn look(&self, look: Look, after: Vec<Step>) -> Answer<'_, Result<Seen, Refusal>> {
        let has_changes = after.iter().any(|step| matches!(step, Step::Do(_)));
        if !has_changes && matches!(look, Look::One(..)) {
            let seen = self.readers.with(|connection| {
                at_once(sql::look(&Inline(connection), &self.plans, &look)).map_err(StoreError::from)
            });
            return Box::pin(std::future::ready(seen.map_err(Refusal::from)));
        }
        if !has_changes {
            let seen = self.reads.run(ASK_LATER, move |connection, plans| {
                at_once(sql::look(&Inline(connection), plans, &look)).map_err(StoreError::from)
            });
            return Box::pin(async move { Ok(seen.await?) });
        }
        let bytes = after.iter().map(Weight::bytes).sum();
        self.writer.try_out(bytes, move |connection, plans| {
            at_once(sql::look_after(&Inline(connection), plans, &look, &after))
        })
    }

    fn commit(&self, batch: Batch) -> Answer<'_, Result<Vec<Entity>, Refusal>> {
        let (is_dry_run, bytes) = (batch.is_dry_run, batch.bytes());
        let work =
            move |connection: &Connection, plans: &Plans| at_once(sql::commit(&Inline(connection), plans, &batch));
        if is_dry_run { self.writer.try_out(bytes, work) } else { self.writer.run(bytes, work) }
    }

    fn accept(&self, command: NewCommand) -> Answer<'_, Result<(Record, bool), Refusal>> {
        let (is_dry_run, bytes) = (command.is_dry_run, command.bytes());
        let work =
            move |connection: &Connection, plans: &Plans| at_once(sql::accept(&Inline(connection), plans, &command));
        if is_dry_run { self.writer.try_out(bytes, work) } else { self.writer.run(bytes, work) }
    }

    fn command(&self, id: Uuid) -> Answer<'_, Result<Option<Record>, StoreError>> {
        let found = self.readers.with(|connection| {
            at_once(sql::find_command(&Inline(connection), &self.plans, id)).map_err(StoreError::from)
        });
        Box::pin(std::future::ready(found))
    }

    fn claim(&self, lease: i64, limit: u32) -> Answer<'_, Result<Vec<Record>, Refusal>> {
        self.writer
            .run(().bytes(), move |connection, plans| at_once(sql::claim(&Inline(connection), plans, lease, limit)))
    }

    fn hold(&self, held: Vec<(Uuid, i64)>, lease: i64) -> Answer<'_, Result<(), Refusal>> {
        self.writer.run(().bytes(), move |connection, _| at_once(sql::hold(&Inline(connection), &held, lease)))
    }

    fn backlog(&self) -> Answer<'_, Result<Backlog, StoreError>> {
        self.reads.run(ASK_LATER, |connection, _| at_once(sql::backlog(&Inline(connection))).map_err(StoreError::from))
    }

    fn checks_are_free(&self) -> bool {
        true
    }

    fn check(&self) -> Answer<'_, Result<(), Refusal>> {
        match self.health.verdict() {
            Verdict::Ready => Box::pin(std::future::ready(Ok(()))),
            Verdict::Failed(error) => Box::pin(std::future::ready(Err(error.into()))),
            Verdict::Probe => Box::pin(self.probe()),
        }
    }

    fn close(&self) -> Answer<'_, ()> {
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
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase, SystemIoFailure,
        };
        match error.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => Self::Corrupt(error.to_string()),
            Some(CannotOpen | DatabaseBusy | DatabaseLocked | DiskFull | SystemIoFailure) => {
                Self::Unavailable(error.to_string())
            }
            _ => Self::Internal(error.to_string()),
        }
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.into())
    }
}
