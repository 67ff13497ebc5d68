//! Single statements and transactions, and when they are tried again: after a deadlock, or on another connection.

use super::connection::{Connection, Remedy};
use super::locks::Locks;
use super::transaction::{PostgresTransaction, ReservedConnection, too_costly};
use super::transaction_kind::TransactionKind;
use super::{ENTITY_LOCKS, Postgres, WRITE_PATIENCE};
use crate::backoff;
use crate::fair_queue::Turn;
use crate::store::sql::SqlFailure;
use crate::store::{Refusal, StoreError};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::MutexGuard;
use uuid::Uuid;

/// How much longer than one statement's deadline all statements of one read may take together. The server ends a
/// statement that is late; a read whose statements are late together is broken off from here. Both are `TooCostly`.
const READ_GRACE_TIMEOUT: Duration = Duration::from_millis(250);
/// How often a transaction is tried at most.
const ATTEMPTS: u32 = 12;
/// How often single statements are tried at most.
const READ_ATTEMPTS: u32 = 8;
/// The longest pause after the first failed attempt; it doubles with each.
const PAUSE: Duration = Duration::from_millis(4);

/// How a transaction is executed.
pub(super) struct TransactionOptions {
    pub(super) kind: TransactionKind,
    pub(super) locks: Arc<Locks>,
    /// Whether it is made of several steps.
    pub(super) has_steps: bool,
    /// Whether it is rolled back at its end: a read, or a dry run.
    pub(super) rolls_back: bool,
    /// The place of a read, which is released together with its connection.
    pub(super) place: Option<Arc<Turn>>,
}

impl TransactionOptions {
    /// A read; `timeout` is for each statement.
    pub(super) fn reading(timeout: Duration) -> Self {
        Self { kind: TransactionKind::Snapshot(timeout), rolls_back: true, ..Self::queued() }
    }

    /// How long all of a read may take; `None` for changes.
    fn read_timeout(&self) -> Option<Duration> {
        self.kind.read_timeout().map(|timeout| timeout + READ_GRACE_TIMEOUT)
    }

    /// Whether it changes nothing.
    fn is_reading(&self) -> bool {
        self.read_timeout().is_some()
    }

    /// A change that locks nothing at its beginning.
    pub(super) fn queued() -> Self {
        Self { kind: TransactionKind::Queued, locks: Arc::default(), has_steps: false, rolls_back: false, place: None }
    }
}

impl Postgres {
    /// Executes single statements that only read or may be executed twice. Repeats them if the connection was lost, or
    /// had to prepare its statements again. Behind a pooler, several connections may be lost in succession.
    pub(super) async fn read<T, W, F>(&self, work: W) -> Result<T, StoreError>
    where
        W: Fn(Arc<Connection>) -> F,
        F: Future<Output = Result<T, SqlFailure>>,
    {
        let mut attempt = 0;
        loop {
            let connection = match self.readers.get().await {
                Ok(connection) => connection,
                // one was lost, and there is no other yet
                Err(_) if attempt > 0 && attempt + 1 < READ_ATTEMPTS => {
                    pause(attempt).await;
                    attempt += 1;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let renewals = connection.renewals();
            let done = work(Arc::clone(&connection)).await;
            let is_spoilt = connection.is_closed() || connection.renewals() != renewals;
            if !(is_spoilt && matches!(done, Err(SqlFailure::Store(_)))) || attempt + 1 == READ_ATTEMPTS {
                return Ok(done?);
            }
            pause(attempt).await;
            attempt += 1;
        }
    }

    /// Executes a transaction, and repeats it if its error says that this helps.
    pub(super) async fn transact<T, W, F>(&self, options: TransactionOptions, work: W) -> Result<T, Refusal>
    where
        W: Fn(Arc<PostgresTransaction>) -> F,
        F: Future<Output = Result<T, Refusal>>,
    {
        let mut waiting = (!options.is_reading()).then(|| self.commits.waiting());
        let mut deadline = None;
        for attempt in 0..ATTEMPTS {
            let connection = match options.is_reading() {
                true => self.reading.get().await?,
                false => self.writing.get().await.inspect_err(|_| self.commits.refused())?,
            };
            drop(waiting.take());
            let connection = ReservedConnection::new(connection, options.place.clone());
            let transaction =
                PostgresTransaction::new(connection, options.kind, Arc::clone(&options.locks), options.has_steps);
            let transaction = Arc::new(transaction);
            // boxed, because most of it is large, and each future that holds it would be, too
            let work = Box::pin(work(Arc::clone(&transaction)));
            let mut done = match options.read_timeout() {
                Some(timeout) => in_time(timeout, &mut deadline, work).await,
                None => match transaction.lock().await {
                    Ok(()) => work.await,
                    Err(refusal) => Err(refusal),
                },
            };
            if done.is_ok() && !options.rolls_back {
                let started = Instant::now();
                match transaction.commit(self.commits.events.until()).await {
                    Ok(announced) => self.commits.committed(1, announced, started),
                    Err(failure) => done = Err(failure.into()),
                }
            } else {
                transaction.roll_back();
            }
            if let Some(outage) = transaction.outage().filter(|_| !options.is_reading()) {
                self.commits.health.failed(outage);
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
    pub(super) async fn snapshot<T, W, F>(&self, place: Option<Turn>, work: W) -> Result<T, Refusal>
    where
        W: Fn(Arc<PostgresTransaction>) -> F,
        F: Future<Output = Result<T, Refusal>>,
    {
        let place = place.map(Arc::new);
        self.transact(TransactionOptions { place, ..TransactionOptions::reading(self.options.reads.clock) }, work).await
    }

    /// The same for a page whose statements are planned for their values.
    pub(super) async fn planned_page<T, W, F>(&self, place: Turn, work: W) -> Result<T, Refusal>
    where
        W: Fn(Arc<PostgresTransaction>) -> F,
        F: Future<Output = Result<T, Refusal>>,
    {
        let (place, timeout) = (Some(Arc::new(place)), self.options.reads.clock);
        let kind = TransactionKind::PlannedSnapshot(timeout);
        self.transact(TransactionOptions { place, kind, ..TransactionOptions::reading(timeout) }, work).await
    }

    /// Locks entities within this process, with a time limit: the holder of such a lock may itself wait for another
    /// instance. The locks are taken in one order, so that there is no deadlock.
    pub(super) async fn lock_entities(&self, ids: &[Uuid]) -> Result<Vec<MutexGuard<'_, ()>>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let place = |id: &Uuid| {
            let [.., high, low] = id.into_bytes();
            usize::from(u16::from_be_bytes([high, low])) % ENTITY_LOCKS
        };
        let places: BTreeSet<_> = ids.iter().map(place).collect();
        let taking = async {
            let mut taken = Vec::with_capacity(places.len());
            for lock in places.into_iter().filter_map(|place| self.entity_locks.get(place)) {
                taken.push(lock.lock().await);
            }
            taken
        };
        tokio::time::timeout(WRITE_PATIENCE, taking).await.map_err(|_| {
            self.commits.refused();
            StoreError::Unavailable("too many changes of one entity are waiting".to_owned())
        })
    }
}

/// Gives a read the time that is left until its deadline, which is set at its first attempt.
async fn in_time<T>(
    timeout: Duration,
    deadline: &mut Option<tokio::time::Instant>,
    work: impl Future<Output = Result<T, Refusal>>,
) -> Result<T, Refusal> {
    let end = deadline.get_or_insert_with(|| tokio::time::Instant::now() + timeout);
    let done = tokio::time::timeout_at(*end, work).await;
    done.unwrap_or_else(|_| Err(too_costly().into()))
}

/// Lets other transactions finish before the next attempt.
async fn pause(attempt: u32) {
    tokio::time::sleep(backoff::full_jitter(PAUSE.saturating_mul(1 << attempt.min(6)))).await;
}
