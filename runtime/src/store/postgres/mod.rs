//! PostgreSQL, the store of many instances.
//!
//! Single entities are read on a connection that each thread has, without waiting for other answers; transactions have
//! a connection for themselves, of a pool. Changes of single entities that arrive together share one ([`groups`]).
//! Transactions lock what they change, and what the service's own code has looked at,
//! until they are over ([`locks`]): so what comes of them is what would have come of one after the other.

mod cells;
mod command_admin;
mod connection;
mod counts;
mod dump;
mod erase;
mod events;
mod groups;
mod location;
mod locks;
mod merging;
mod migrate;
mod outbox;
mod pool;
mod read;
mod row_batch;
mod schema;
mod session;

pub(crate) use location::PostgresLocation;

use super::sql::{self, SqlFailure};
use super::{
    Backlog, Batch, Change, CommandExpiry, CommandPage, CommandQuery, Entity, NewCommand, READ_PATIENCE, READ_QUEUE,
    Read, ReadResult, Record, Refusal, RepresentationId, Step, Store, StoreError, StoreFuture, StoreOptions,
    StoredSearch,
};
use crate::backoff;
use crate::fair_queue::Turn;
use crate::migrations::{DatabaseState, MigrationTarget, OwnedTarget};
use crate::observe::metrics::StoreMetrics;
use crate::plan::Plans;
use crate::plan::query::Query;
use connection::Remedy;
use counts::StateCounts;
use events::Events;
use groups::{GroupOutcome, Groups};
use locks::Locks;
use metrics::Gauge;
use pool::{Pool, PoolSize, ThreadConnections};
use restwell_model::Problem;
use session::{PostgresTransaction, ReservedConnection, SingleStatements, TransactionKind, too_costly};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::{Mutex, MutexGuard, Notify};
use uuid::Uuid;

/// How much longer than one statement's deadline all statements of one read may take together. The server ends a
/// statement that is late; a read whose statements are late together is broken off from here. Both are `TooCostly`.
const READ_GRACE_TIMEOUT: Duration = Duration::from_millis(250);
/// Changes that may wait for a connection; past it the store is too busy.
const WRITES: usize = 4096;
/// How long they may.
const WRITE_PATIENCE: Duration = Duration::from_secs(5);
/// Threads that move the bytes of the pool's connections.
const THREADS: usize = 2;
/// How often a transaction is tried.
const ATTEMPTS: u32 = 12;
/// How often a single statement is.
const READ_ATTEMPTS: u32 = 8;
/// The longest pause after the first try that lost; it doubles with each.
const PAUSE: Duration = Duration::from_millis(4);
/// Queues for the entities that are changed.
const TURNS: usize = 1024;

/// A service's entities in a PostgreSQL database.
pub(crate) struct Postgres {
    plans: Arc<Plans>,
    readers: ThreadConnections,
    /// For what changes something.
    writing: Arc<Pool>,
    /// For pages and the reads of the service's own code, which so never delay changes.
    reading: Pool,
    /// Those who change one entity wait for each other here, where nobody holds a connection for it.
    turns: Vec<Mutex<()>>,
    /// Changes of single entities, those that arrive together in one transaction.
    groups: Groups,
    events: Events,
    commits: CommitCount,
    counts: StateCounts,
    options: StoreOptions,
    runtime: StdMutex<Option<Runtime>>,
}

/// How a transaction is done.
struct TransactionOptions {
    kind: TransactionKind,
    locks: Locks,
    /// Whether it is made of several steps.
    has_steps: bool,
    /// Whether nothing of it stays.
    is_tried: bool,
    /// The entities that others who change them wait for here.
    turns: Vec<Uuid>,
    /// The place of a read, which is free again when its connection is.
    place: Option<Arc<Turn>>,
}

impl TransactionOptions {
    /// Reads, which leave nothing; `timeout` is for each statement.
    fn reading(timeout: Duration) -> Self {
        Self { kind: TransactionKind::Snapshot(timeout), is_tried: true, ..Self::queued() }
    }

    /// How long all of it may take, where it changes nothing.
    fn read_timeout(&self) -> Option<Duration> {
        match self.kind {
            TransactionKind::Snapshot(timeout) => Some(timeout + READ_GRACE_TIMEOUT),
            TransactionKind::Queued | TransactionKind::Grouped => None,
        }
    }

    /// Whether it changes nothing.
    fn is_reading(&self) -> bool {
        self.read_timeout().is_some()
    }

    /// Statements that wait for each other, with nothing to look at before.
    fn queued() -> Self {
        Self {
            kind: TransactionKind::Queued,
            locks: Locks::default(),
            has_steps: false,
            is_tried: false,
            turns: Vec::new(),
            place: None,
        }
    }
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
        plans: Arc<Plans>,
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
        run(&runtime, schema::prepare(location.clone(), OwnedTarget::of(goal)))?;
        let pool = |size| Pool::new(location.clone(), runtime.handle().clone(), size);
        let half = size.div_ceil(2);
        let writing = Arc::new(pool(PoolSize { connections: half, queue: WRITES, patience: WRITE_PATIENCE })?);
        let reading = pool(PoolSize { connections: (size - half).max(1), queue: READ_QUEUE, patience: READ_PATIENCE })?;
        let events = Events::start(location.clone(), &runtime);
        let commits = CommitCount { metrics, committed: events.committed() };
        let groups = Groups::start(Arc::clone(&writing), Arc::clone(&plans), commits.clone(), runtime.handle());
        let turns = std::iter::repeat_with(Mutex::default).take(TURNS).collect();
        let runtime = StdMutex::new(Some(runtime));
        let readers = ThreadConnections::new(location);
        let counts = StateCounts::new();
        Ok(Self { plans, readers, writing, reading, turns, groups, events, commits, counts, options, runtime })
    }

    /// What the database is for the service, without changing anything.
    ///
    /// # Errors
    ///
    /// A sentence for people: it cannot be reached, or was made by another model.
    pub(crate) fn find(location: &PostgresLocation, goal: &MigrationTarget<'_>) -> Result<DatabaseState, String> {
        alone(location)?.block_on(schema::find(location, &OwnedTarget::of(goal)))
    }

    /// Makes the tables, or brings them along.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn prepare(location: &PostgresLocation, goal: &MigrationTarget<'_>) -> Result<(), String> {
        alone(location)?.block_on(schema::prepare(location.clone(), OwnedTarget::of(goal)))
    }

    /// Does single statements; again where the connection was lost, or what it had prepared was of no use any more, for
    /// they only read or may be done twice. Behind a pooler several may be lost, one after the other.
    async fn read<T, W, F>(&self, work: W) -> Result<T, StoreError>
    where
        W: Fn(Arc<connection::Connection>) -> F,
        F: Future<Output = Result<T, SqlFailure>>,
    {
        let mut attempt = 0;
        loop {
            let connection = match self.readers.get().await {
                Ok(connection) => connection,
                // one was lost, and another cannot be had yet
                Err(_) if attempt > 0 && attempt + 1 < READ_ATTEMPTS => {
                    pause(attempt).await;
                    attempt += 1;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let renewals = connection.renewals();
            let done = work(Arc::clone(&connection)).await;
            let is_of_no_use = connection.is_closed() || connection.renewals() != renewals;
            if !(is_of_no_use && matches!(done, Err(SqlFailure::Store(_)))) || attempt + 1 == READ_ATTEMPTS {
                return Ok(done?);
            }
            pause(attempt).await;
            attempt += 1;
        }
    }

    /// Does a transaction, again where it has to be.
    async fn transact<T, W, F>(&self, way: TransactionOptions, work: W) -> Result<T, Refusal>
    where
        W: Fn(Arc<PostgresTransaction>) -> F,
        F: Future<Output = Result<T, Refusal>>,
    {
        let mut waiting = (!way.is_reading()).then(|| self.commits.waiting());
        let _turns = self.turns(&way.turns).await?;
        let mut deadline = None;
        for attempt in 0..ATTEMPTS {
            let connection = match way.is_reading() {
                true => self.reading.get().await?,
                false => self.writing.get().await.inspect_err(|_| self.commits.refused())?,
            };
            drop(waiting.take());
            let connection = ReservedConnection::new(connection, way.place.clone());
            let transaction = PostgresTransaction::new(connection, way.kind, way.locks.clone(), way.has_steps);
            let transaction = Arc::new(transaction);
            let mut done = match way.read_timeout() {
                Some(timeout) => in_time(timeout, &mut deadline, work(Arc::clone(&transaction))).await,
                None => match transaction.lock().await {
                    Ok(()) => work(Arc::clone(&transaction)).await,
                    Err(refusal) => Err(refusal),
                },
            };
            if done.is_ok() && !way.is_tried {
                let started = Instant::now();
                match transaction.commit().await {
                    Ok(()) => self.commits.committed(1, started),
                    Err(failure) => done = Err(failure.into()),
                }
            } else {
                transaction.roll_back();
            }
            match (&done, transaction.remedy()) {
                (Err(Refusal::Failed(_)), Remedy::Again | Remedy::Elsewhere) if attempt + 1 < ATTEMPTS => {
                    drop(transaction);
                    pause(attempt).await;
                }
                _ => return done,
            }
        }
        Err(StoreError::Unavailable("other transactions kept getting in the way".to_owned()).into())
    }

    /// Reads in one transaction.
    async fn snapshot<T, W, F>(&self, place: Option<Turn>, work: W) -> Result<T, Refusal>
    where
        W: Fn(Arc<PostgresTransaction>) -> F,
        F: Future<Output = Result<T, Refusal>>,
    {
        let place = place.map(Arc::new);
        self.transact(TransactionOptions { place, ..TransactionOptions::reading(self.options.read_timeout) }, work)
            .await
    }

    /// Locks entities within this process, with a time limit: the holder of such a lock may itself wait for another
    /// instance. The locks are taken in one order, so that there is no deadlock.
    async fn turns(&self, of: &[Uuid]) -> Result<Vec<MutexGuard<'_, ()>>, StoreError> {
        if of.is_empty() {
            return Ok(Vec::new());
        }
        let place = |id: &Uuid| {
            let [.., high, low] = id.into_bytes();
            usize::from(u16::from_be_bytes([high, low])) % TURNS
        };
        let places: BTreeSet<_> = of.iter().map(place).collect();
        let taking = async {
            let mut taken = Vec::with_capacity(places.len());
            for turn in places.into_iter().filter_map(|place| self.turns.get(place)) {
                taken.push(turn.lock().await);
            }
            taken
        };
        tokio::time::timeout(WRITE_PATIENCE, taking).await.map_err(|_| {
            self.commits.refused();
            StoreError::Unavailable("too many changes of one entity are waiting".to_owned())
        })
    }
}

/// Gives a read the time that is left until its deadline, which begins with its first try.
async fn in_time<T>(
    timeout: Duration,
    deadline: &mut Option<tokio::time::Instant>,
    work: impl Future<Output = Result<T, Refusal>>,
) -> Result<T, Refusal> {
    let end = deadline.get_or_insert_with(|| tokio::time::Instant::now() + timeout);
    let done = tokio::time::timeout_at(*end, work).await;
    done.unwrap_or_else(|_| Err(too_costly().into()))
}

/// A read that took too long, with what would make this query cheaper.
fn narrowed(error: StoreError, query: &Query) -> StoreError {
    match error {
        StoreError::TooCostly(_) => StoreError::TooCostly(query.narrow().to_owned()),
        error => error,
    }
}

/// Lets others pass before the next try.
async fn pause(attempt: u32) {
    tokio::time::sleep(backoff::full_jitter(PAUSE.saturating_mul(1 << attempt.min(6)))).await;
}

/// Counts what is committed, and tells who numbers the events of it.
#[derive(Clone)]
struct CommitCount {
    metrics: StoreMetrics,
    committed: Arc<Notify>,
}

impl CommitCount {
    /// So many writes were committed together.
    fn committed(&self, writes: usize, started: Instant) {
        self.metrics.writes.increment(writes as u64);
        self.metrics.commit.record(started.elapsed());
        self.committed.notify_one();
    }

    /// A write was refused, for too many wait.
    fn refused(&self) {
        self.metrics.refused.increment(1);
    }

    /// A write waits until this is dropped.
    fn waiting(&self) -> WaitingWrite {
        self.metrics.waiting.increment(1);
        WaitingWrite(self.metrics.waiting.clone())
    }
}

/// A change that waits for a connection.
struct WaitingWrite(Gauge);

impl Drop for WaitingWrite {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

/// What runs a task of its own, once it is known that the database can be spoken to.
fn alone(location: &PostgresLocation) -> Result<Runtime, String> {
    location.tls()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| format!("cannot start threads: {error}"))
}

/// Runs something to its end on the runtime's threads, wherever this is called.
fn run<T: Send + 'static>(
    runtime: &Runtime,
    work: impl Future<Output = Result<T, String>> + Send + 'static,
) -> Result<T, String> {
    let (done, outcome) = std::sync::mpsc::channel();
    runtime.spawn(async move { done.send(work.await) });
    outcome.recv().unwrap_or_else(|_| Err("a thread ended too early".to_owned()))
}

impl Store for Postgres {
    fn get(&self, at: RepresentationId, id: Uuid) -> StoreFuture<'_, Result<Option<Entity>, StoreError>> {
        Box::pin(self.read(move |connection| async move {
            let representation = self.plans.resources[at.resource].representation(at);
            let row = merging::row_by_id(&connection, at, representation, id).await?;
            read::entity_of(&SingleStatements(&connection), &self.plans, at, id, row).await
        }))
    }

    fn read_places(&self) -> usize {
        self.reading.max_size()
    }

    fn shows(&self, at: RepresentationId, id: Uuid, caller: Uuid) -> StoreFuture<'_, Result<bool, StoreError>> {
        Box::pin(self.read(move |connection| async move {
            sql::shows(&SingleStatements(&connection), &self.plans, at, id, caller).await
        }))
    }

    fn list(&self, at: RepresentationId, query: Query, turn: Turn) -> StoreFuture<'_, Result<Vec<u8>, StoreError>> {
        Box::pin(async move {
            let (plans, query) = (&*self.plans, &query);
            let page = self.snapshot(Some(turn), |session| async move {
                Ok(read::page(&session, plans, &self.counts, at, query).await?)
            });
            page.await.map_err(|refusal| narrowed(failed(refusal), query))
        })
    }

    fn write(&self, change: Change) -> StoreFuture<'_, Result<Entity, Refusal>> {
        Box::pin(async move {
            let plans = &*self.plans;
            let _turns = self.turns(&[change.id]).await?;
            let (change, lane) = match self.groups.write(change, self.commits.waiting()).await {
                GroupOutcome::Done(outcome) => return outcome,
                GroupOutcome::Alone(change, lane) => (change, lane),
            };
            let (change, locks) = (&change, Locks::of_changes(plans, [&change]));
            let way = TransactionOptions { locks, is_tried: change.is_dry_run, ..TransactionOptions::queued() };
            let done =
                self.transact(way, |session| async move { sql::apply(&*session, plans, &mut change.clone()).await });
            groups::in_lane(lane, done).await
        })
    }

    fn inspect(&self, change: Change, turn: Turn) -> StoreFuture<'_, Result<Vec<Problem>, Refusal>> {
        Box::pin(async move {
            let (plans, change) = (&*self.plans, &change);
            self.snapshot(
                Some(turn),
                |session| async move { sql::inspect(&*session, plans, &mut change.clone()).await },
            )
            .await
        })
    }

    fn create_search(&self, search: StoredSearch, forgotten: i64) -> StoreFuture<'_, Result<(), Refusal>> {
        Box::pin(async move {
            let search = &search;
            self.transact(TransactionOptions::queued(), |session| async move {
                Ok(sql::insert_search(&*session, search, forgotten).await?)
            })
            .await
        })
    }

    fn search(&self, resource: &str, id: Uuid) -> StoreFuture<'_, Result<Option<StoredSearch>, StoreError>> {
        let resource = resource.to_owned();
        Box::pin(async move {
            let resource = resource.as_str();
            self.read(|connection| async move { sql::find_search(&SingleStatements(&connection), resource, id).await })
                .await
        })
    }

    fn look(&self, look: Read, after: Vec<Step>) -> StoreFuture<'_, Result<ReadResult, Refusal>> {
        Box::pin(async move {
            let (plans, look, after) = (&*self.plans, &look, &*after);
            let has_changes = after.iter().any(|step| matches!(step, Step::Write(_)));
            if !has_changes && matches!(look, Read::One(..)) {
                let seen =
                    self.read(|connection| async move { sql::look(&SingleStatements(&connection), plans, look).await });
                return Ok(seen.await?);
            }
            let work =
                |session: Arc<PostgresTransaction>| async move { sql::look_after(&*session, plans, look, after).await };
            if !has_changes {
                return self.snapshot(None, work).await;
            }
            // what it read is verified when it commits
            let locks = Locks::of_steps(plans, after.iter().filter(|step| matches!(step, Step::Write(_))));
            self.transact(
                TransactionOptions { locks, has_steps: true, is_tried: true, ..TransactionOptions::queued() },
                work,
            )
            .await
        })
    }

    fn commit(&self, batch: Batch) -> StoreFuture<'_, Result<Vec<Entity>, Refusal>> {
        Box::pin(async move {
            let (plans, batch) = (&*self.plans, &batch);
            let locks = Locks::of_steps(plans, &batch.steps);
            let command_entity = batch.conclusion.as_ref().map(|conclusion| conclusion.record.entity);
            let way = TransactionOptions {
                turns: command_entity.into_iter().chain(locks.guarding()).collect(),
                locks,
                has_steps: true,
                is_tried: batch.is_dry_run,
                ..TransactionOptions::queued()
            };
            self.transact(way, |session| async move { sql::commit(&*session, plans, batch).await }).await
        })
    }

    fn accept(&self, command: NewCommand) -> StoreFuture<'_, Result<(Record, bool), Refusal>> {
        Box::pin(async move {
            let (plans, command) = (&*self.plans, &command);
            let way = TransactionOptions { is_tried: command.is_dry_run, ..TransactionOptions::queued() };
            self.transact(way, |session| async move { sql::accept(&*session, plans, command).await }).await
        })
    }

    fn command(&self, id: Uuid) -> StoreFuture<'_, Result<Option<Record>, StoreError>> {
        Box::pin(self.read(move |connection| async move {
            sql::find_command(&SingleStatements(&connection), &self.plans, id).await
        }))
    }

    fn commands(&self, list: CommandQuery, turn: Turn) -> StoreFuture<'_, Result<CommandPage, StoreError>> {
        Box::pin(async move {
            let (plans, list) = (&*self.plans, &list);
            let page = self
                .snapshot(Some(turn), |session| async move { Ok(sql::command_page(&*session, plans, list).await?) });
            page.await.map_err(|refusal| narrowed(failed(refusal), &list.query))
        })
    }

    fn prune_commands(&self, expiry: CommandExpiry) -> StoreFuture<'_, Result<u64, Refusal>> {
        Box::pin(self.transact(TransactionOptions::queued(), move |session| async move {
            Ok(sql::prune_commands(&*session, expiry).await?)
        }))
    }

    fn claim(&self, lease: i64, limit: u32) -> StoreFuture<'_, Result<Vec<Record>, Refusal>> {
        Box::pin(self.transact(TransactionOptions::queued(), move |session| async move {
            sql::claim(&*session, &self.plans, lease, limit).await
        }))
    }

    fn hold(&self, held: Vec<(Uuid, i64)>, lease: i64) -> StoreFuture<'_, Result<(), Refusal>> {
        Box::pin(async move {
            let held = &*held;
            self.transact(
                TransactionOptions::queued(),
                |session| async move { sql::hold(&*session, held, lease).await },
            )
            .await
        })
    }

    fn backlog(&self) -> StoreFuture<'_, Result<Backlog, StoreError>> {
        Box::pin(self.read(|connection| async move { sql::backlog(&SingleStatements(&connection)).await }))
    }

    fn checks_are_free(&self) -> bool {
        false
    }

    fn check(&self) -> StoreFuture<'_, Result<(), Refusal>> {
        Box::pin(async move {
            let is_standby =
                self.read(|connection| async move { schema::is_standby(&SingleStatements(&connection)).await });
            match is_standby.await? {
                false => Ok(()),
                true => Err(StoreError::Unavailable("the server takes no writes: it is a standby".to_owned()).into()),
            }
        })
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        self.events.stop();
        self.writing.close();
        self.reading.close();
        self.end();
        Box::pin(std::future::ready(()))
    }
}

impl Postgres {
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

/// What keeps a read from being done.
fn failed(refusal: Refusal) -> StoreError {
    match refusal {
        Refusal::Failed(error) => error,
        refusal => StoreError::Internal(format!("a read was refused: {refusal:?}")),
    }
}
