//! SQLite, the embedded store.
//!
//! Reads run on a connection per thread: single entities inline on the worker that serves the request (microseconds),
//! pages on the blocking pool. All writes go to one thread, which takes what has queued up into one transaction and
//! answers after its COMMIT, synced to disk: many writes share one sync.

mod checkpoint;
mod connection;
mod lists;
mod outbox;
mod read;
mod schema;
mod session;
mod transfer;
mod writer;

use super::sql;
use super::{
    Answer, At, Backlog, Batch, Change, Entity, Look, NewCommand, READ_PATIENCE, READS, Record, Refusal, Seen, Step,
    Store, StoreError, StoredSearch,
};
use crate::metrics::StoreMetrics;
use crate::migrations::{Found, Goal};
use crate::plan::Plans;
use crate::plan::query::Query;
use checkpoint::Checkpoints;
pub(crate) use connection::Location;
use restwell_model::Problem;
use rusqlite::Connection;
use session::{Inline, at_once};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use uuid::Uuid;
use writer::Writer;

/// A service's entities in an SQLite database.
pub(crate) struct Sqlite {
    plans: Arc<Plans>,
    readers: connection::Readers,
    /// One for each read on another thread.
    places: Arc<Semaphore>,
    writer: Writer,
}

/// A read that is not begun any more once nobody waits for it.
struct Waiting(AbortHandle);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Sqlite {
    /// Opens the database, making its tables where it is new.
    ///
    /// # Errors
    ///
    /// A sentence for people: the file cannot be opened, was made by another model, or is behind.
    pub(crate) fn open(
        location: Location,
        goal: &Goal<'_>,
        plans: Arc<Plans>,
        metrics: StoreMetrics,
    ) -> Result<Self, String> {
        let writing = connection::open_writer(&location).map_err(|error| location.explain(&error))?;
        schema::prepare(&writing, goal, &location)?;
        at_once(sql::let_all_go(&Inline(&writing)))
            .map_err(|failure| format!("cannot open the database {location}: {}", StoreError::from(failure)))?;
        let checkpoints = Checkpoints::start(&location, &writing).map_err(|error| location.explain(&error))?;
        let readers = connection::Readers::new(location);
        let writer = Writer::start(writing, checkpoints, Arc::clone(&plans), metrics);
        Ok(Self { plans, readers, places: Arc::new(Semaphore::new(READS)), writer })
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

    /// Makes the tables, or brings them along.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn prepare(location: &Location, goal: &Goal<'_>) -> Result<(), String> {
        let connection = connection::open_writer(location).map_err(|error| location.explain(&error))?;
        schema::prepare(&connection, goal, location)
    }

    /// Reads what may take a while, on the blocking pool.
    fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Plans) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, Result<T, StoreError>> {
        let (plans, readers) = (Arc::clone(&self.plans), self.readers.clone());
        let place = Arc::clone(&self.places).try_acquire_owned();
        Box::pin(async move {
            let busy = || StoreError::Unavailable("too many reads are waiting".to_owned());
            let place = place.map_err(|_| busy())?;
            let queued = Instant::now();
            let done = tokio::task::spawn_blocking(move || {
                let _place = place;
                if queued.elapsed() > READ_PATIENCE {
                    return Err(busy());
                }
                readers.with(|connection| work(connection, &plans))
            });
            // whoever has gone does not keep others waiting
            let _waiting = Waiting(done.abort_handle());
            let done = done.await;
            done.unwrap_or_else(|error| Err(StoreError::Internal(error.to_string())))
        })
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
        self.read(move |connection, plans| read::page(connection, plans, at, &query))
    }

    fn write(&self, change: Change) -> Answer<'_, Result<Entity, Refusal>> {
        self.writer.write(change)
    }

    fn inspect(&self, mut change: Change) -> Answer<'_, Result<Vec<Problem>, Refusal>> {
        let found =
            self.read(move |connection, plans| Ok(at_once(sql::inspect(&Inline(connection), plans, &mut change))));
        Box::pin(async move { found.await? })
    }

    fn create_search(&self, search: StoredSearch, forgotten: i64) -> Answer<'_, Result<(), Refusal>> {
        self.writer.run(move |connection, _| Ok(at_once(sql::insert_search(&Inline(connection), &search, forgotten))?))
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
            let seen = self.read(move |connection, plans| {
                at_once(sql::look(&Inline(connection), plans, &look)).map_err(StoreError::from)
            });
            return Box::pin(async move { Ok(seen.await?) });
        }
        self.writer
            .try_out(move |connection, plans| at_once(sql::look_after(&Inline(connection), plans, &look, &after)))
    }

    fn commit(&self, batch: Batch) -> Answer<'_, Result<Vec<Entity>, Refusal>> {
        let is_dry_run = batch.is_dry_run;
        let work =
            move |connection: &Connection, plans: &Plans| at_once(sql::commit(&Inline(connection), plans, &batch));
        if is_dry_run { self.writer.try_out(work) } else { self.writer.run(work) }
    }

    fn accept(&self, command: NewCommand) -> Answer<'_, Result<(Record, bool), Refusal>> {
        let is_dry_run = command.is_dry_run;
        let work =
            move |connection: &Connection, plans: &Plans| at_once(sql::accept(&Inline(connection), plans, &command));
        if is_dry_run { self.writer.try_out(work) } else { self.writer.run(work) }
    }

    fn command(&self, id: Uuid) -> Answer<'_, Result<Option<Record>, StoreError>> {
        let found = self.readers.with(|connection| {
            at_once(sql::find_command(&Inline(connection), &self.plans, id)).map_err(StoreError::from)
        });
        Box::pin(std::future::ready(found))
    }

    fn claim(&self, lease: i64, limit: u32) -> Answer<'_, Result<Vec<Record>, Refusal>> {
        self.writer.run(move |connection, plans| at_once(sql::claim(&Inline(connection), plans, lease, limit)))
    }

    fn hold(&self, held: Vec<(Uuid, i64)>, lease: i64) -> Answer<'_, Result<(), Refusal>> {
        self.writer.run(move |connection, _| at_once(sql::hold(&Inline(connection), &held, lease)))
    }

    fn backlog(&self) -> Answer<'_, Result<Backlog, StoreError>> {
        self.read(|connection, _| at_once(sql::backlog(&Inline(connection))).map_err(StoreError::from))
    }

    fn check(&self) -> Answer<'_, Result<(), Refusal>> {
        self.writer.try_out(|_, _| Ok(()))
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(self.writer.close())
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, SystemIoFailure};
        match error.sqlite_error_code() {
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
