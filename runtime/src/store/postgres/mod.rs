//! PostgreSQL, the store of many instances.
//!
//! Single entities are read on a connection that each thread has, without waiting for other answers; transactions have
//! a connection for themselves, of a pool. Changes of single entities that arrive together share one ([`groups`]).
//! Transactions lock what they change, and what the service's own code has looked at, until they are over ([`locks`]):
//! so what comes of them is what would have come of one after the other.

mod cells;
mod command_admin;
mod commit_count;
mod connection;
mod counts;
mod dump;
mod erase;
mod events;
mod group_member;
mod groups;
mod health;
mod location;
mod locks;
mod merging;
mod migrate;
mod operations;
mod outbox;
mod pipeline;
mod pool;
mod queued_write;
mod read;
mod retry;
mod row_batch;
mod schema;
mod shared_write;
mod single_statements;
mod transaction;
mod transaction_kind;
mod written_events;

pub(crate) use location::PostgresLocation;

use super::{READ_PATIENCE, READ_QUEUE, StoreOptions};
use crate::migrations::{DatabaseState, MigrationTarget, OwnedTarget};
use crate::observe::metrics::StoreMetrics;
use crate::plan::Plans;
use commit_count::CommitCount;
use counts::StateCounts;
use events::Events;
use groups::Groups;
use health::WriteHealth;
use pool::{Pool, PoolSize, ThreadConnections};
use restwell_model::tables::shown_references;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::Mutex;

/// Changes that may wait for a connection; further ones are refused, since the store is too busy.
const WRITES: usize = 4096;
/// How long they may wait.
const WRITE_PATIENCE: Duration = Duration::from_secs(5);
/// Threads that move the bytes of the pool's connections.
const THREADS: usize = 2;
/// Locks for the entities that are changed, by the ends of their ids: a few entities may share one.
const ENTITY_LOCKS: usize = 1024;

/// A service's entities in a PostgreSQL database.
pub(crate) struct Postgres {
    plans: Arc<Plans>,
    readers: ThreadConnections,
    /// Connections for transactions that change something.
    writing: Pool,
    /// Connections for pages and the reads of the service's own code. They are separate, so that reads never delay
    /// changes.
    reading: Pool,
    /// Changes of one entity wait for each other here, before they take a connection.
    entity_locks: Vec<Mutex<()>>,
    /// Changes of single entities, those that arrive together in one transaction.
    groups: Groups,
    events: Events,
    commits: CommitCount,
    counts: StateCounts,
    options: StoreOptions,
    runtime: StdMutex<Option<Runtime>>,
}

impl Postgres {
    /// Opens the database, making its tables where it is empty. `size`: the connections for transactions at most.
    ///
    /// # Errors
    ///
    /// A sentence for people: the database cannot be reached, was made by another model, or is behind.
    pub(crate) fn open(
        location: PostgresLocation,
        goal: &MigrationTarget<'_>,
        plans: impl FnOnce() -> Arc<Plans>,
        metrics: StoreMetrics,
        options: StoreOptions,
        size: usize,
    ) -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("postgres")
            .enable_all()
            .build()
            .map_err(|error| format!("cannot start threads: {error}"))?;
        location.tls()?;
        if location.is_exposed() {
            tracing::warn!("the database {location} is spoken to without TLS; sslmode=require speaks it");
        }
        let shown = goal.model.resources.iter().map(|resource| shown_references(goal.model, resource));
        let location = location.with_joins(shown.max().unwrap_or_default());
        let health = Arc::<WriteHealth>::default();
        let pool = |size, health| Pool::new(location.clone(), runtime.handle().clone(), size, health);
        let half = size.div_ceil(2);
        let writing = PoolSize { connections: half, queue: WRITES, patience: WRITE_PATIENCE };
        let writing = pool(writing, Some(Arc::clone(&health)))?;
        let reading = PoolSize { connections: (size - half).max(1), queue: READ_QUEUE, patience: READ_PATIENCE };
        let reading = pool(reading, None)?;
        reading.open_first(runtime.handle());
        run(&runtime, schema::prepare(location.clone(), OwnedTarget::of(goal)))?;
        let events = Events::start(location.clone(), &runtime);
        let commits = CommitCount { metrics, events: events.written(), health };
        let plans = plans();
        let groups = Groups::start(location.clone(), Arc::clone(&plans), commits.clone())?;
        let entity_locks = std::iter::repeat_with(Mutex::default).take(ENTITY_LOCKS).collect();
        let runtime = StdMutex::new(Some(runtime));
        let readers = ThreadConnections::new(location);
        let counts = StateCounts::new();
        Ok(Self { plans, readers, writing, reading, entity_locks, groups, events, commits, counts, options, runtime })
    }

    /// What the database is for the service, without changing anything.
    ///
    /// # Errors
    ///
    /// A sentence for people: it cannot be reached, or was made by another model.
    pub(crate) fn find(location: &PostgresLocation, goal: &MigrationTarget<'_>) -> Result<DatabaseState, String> {
        alone(location)?.block_on(schema::find(location, &OwnedTarget::of(goal)))
    }

    /// Makes the tables, or migrates them.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn prepare(location: &PostgresLocation, goal: &MigrationTarget<'_>) -> Result<(), String> {
        alone(location)?.block_on(schema::prepare(location.clone(), OwnedTarget::of(goal)))
    }

    fn end(&self) {
        if let Some(runtime) = self.runtime.lock().unwrap_or_else(PoisonError::into_inner).take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.end();
    }
}

/// A runtime on this thread for one task, if the TLS options of the database are valid.
fn alone(location: &PostgresLocation) -> Result<Runtime, String> {
    location.tls()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| format!("cannot start threads: {error}"))
}

/// Runs a task on the runtime's threads, and blocks until it ends. May be called inside of another runtime.
fn run<T: Send + 'static>(
    runtime: &Runtime,
    work: impl Future<Output = Result<T, String>> + Send + 'static,
) -> Result<T, String> {
    let (done, outcome) = std::sync::mpsc::channel();
    runtime.spawn(async move { done.send(work.await) });
    outcome.recv().unwrap_or_else(|_| Err("a thread ended too early".to_owned()))
}
