//! Writes that arrive together share a transaction, and with it round trips and a sync to disk: changes of single
//! entities, acceptances of commands, and their ends with what they did.
//!
//! Writes queue, and those that are queued when a lane is free form a group: one alone does not wait for others. A
//! thread of its own does what groups do, and moves the bytes of their connections, so that within a group no thread
//! waits for another. In a group the rows of all are locked by one statement ([`RowBatch`]), and written by one
//! ([`PostgresTransaction::write_later`]). Where that fails they are written by one each, sent without waiting. Where
//! one fails nothing of the group stays: the write that failed is done again alone, where it gets its answer in full,
//! and the others together once more. Groups become smaller while that happens, so that faulty writes cost the others
//! little.

use super::commit_count::{CommitCount, WaitingWrite};
use super::connection::Remedy;
use super::group_member::GroupMember;
use super::location::PostgresLocation;
use super::locks::Locks;
use super::pool::{Pool, PoolSize};
use super::queued_write::{GroupOutcome, MemberState, Queued, QueuedWrite};
use super::row_batch::RowBatch;
use super::shared_write::SharedWrite;
use super::transaction::{PostgresTransaction, ReservedConnection};
use super::transaction_kind::TransactionKind;
use super::{WRITE_PATIENCE, WRITES};
use crate::plan::Plans;
use crate::store::StoreError;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Builder;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// Transactions of groups at a time. The second one begins only where the first takes long: one large
/// group costs less than two small ones.
const LANES: u32 = 2;
/// How long a transaction is under way before another one begins beside it, for example because it waits for a lock.
const SECOND_LANE_DELAY: Duration = Duration::from_millis(5);
/// Writes of a group at most.
const MAX_GROUP: usize = 128;
/// Bytes of the writes of a group, as estimated; the last one may go beyond it.
const MAX_GROUP_BYTES: usize = 8 * 1024 * 1024;
/// Writes of a group at first, until it is known how often they fail.
const FIRST_GROUP: usize = 16;
/// How long a write that is done alone keeps its lane.
const LANE_TIMEOUT: Duration = Duration::from_millis(50);
/// How often a group is tried, each time without the writes that have failed. Then each write is done alone.
const GROUP_ATTEMPTS: u32 = 3;

/// Where writes are queued.
pub(super) struct Groups {
    queue: mpsc::Sender<Box<dyn QueuedWrite>>,
    /// The connections of the lanes.
    pool: Arc<Pool>,
    plans: Arc<Plans>,
}

/// The right to write, one of a few.
pub(super) type Lane = OwnedSemaphorePermit;

impl Groups {
    /// Starts to take writes, on a thread that ends when this is dropped.
    ///
    /// # Errors
    ///
    /// A sentence for people: there is no thread.
    pub(super) fn start(location: PostgresLocation, plans: Arc<Plans>, commits: CommitCount) -> Result<Self, String> {
        let failed = |error| format!("cannot start threads: {error}");
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let size = PoolSize { connections: LANES as usize, queue: WRITES, patience: WRITE_PATIENCE };
        let pool = Arc::new(Pool::new(location, runtime.handle().clone(), size, Some(Arc::clone(&commits.health)))?);
        let (queue, queued) = mpsc::channel(WRITES);
        let max_size = AtomicUsize::new(FIRST_GROUP);
        let dispatcher = Arc::new(Dispatcher { pool: Arc::clone(&pool), plans: Arc::clone(&plans), commits, max_size });
        let thread = std::thread::Builder::new().name("postgres-groups".to_owned());
        thread.spawn(move || runtime.block_on(dispatcher.run(queued))).map_err(failed)?;
        Ok(Self { queue, pool, plans })
    }

    /// Closes the connections.
    pub(super) fn close(&self) {
        self.pool.close();
    }

    /// Does a write with others, or says that it is to be done alone.
    pub(super) async fn write<W: SharedWrite>(&self, write: W, waiting: WaitingWrite) -> GroupOutcome<W> {
        if !write.may_share(&self.plans) {
            return GroupOutcome::Alone(Box::new(write), None);
        }
        let (queued, outcome) = Queued::new(write, waiting);
        if self.queue.try_send(Box::new(queued)).is_err() {
            return GroupOutcome::Done(Err(too_many().into()));
        }
        let ended = |_| GroupOutcome::Done(Err(StoreError::Unavailable("the store is about to end".to_owned()).into()));
        outcome.await.unwrap_or_else(ended)
    }
}

/// A lane for a group: as soon as none is taken, or a little later, where one is left.
async fn lane_for_group(lanes: &Arc<Semaphore>) -> Option<Lane> {
    match tokio::time::timeout(SECOND_LANE_DELAY, Arc::clone(lanes).acquire_many_owned(LANES)).await {
        // the other one is free again
        Ok(both) => both.ok()?.split(1),
        Err(_) => Arc::clone(lanes).acquire_owned().await.ok(),
    }
}

/// Does work in a lane. If it takes long, for example because it waits for a lock, the lane is released before its end.
/// Boxed, because most writes share a transaction, and each would be larger by what it takes to do it alone.
pub(super) fn in_lane<'a, T: 'a>(lane: Option<Lane>, work: impl Future<Output = T> + Send + 'a) -> BoxFuture<'a, T> {
    let done = async move {
        let mut work = pin!(work);
        if lane.is_some()
            && let Ok(done) = tokio::time::timeout(LANE_TIMEOUT, work.as_mut()).await
        {
            return done;
        }
        drop(lane);
        work.await
    };
    done.boxed()
}

fn too_many() -> StoreError {
    StoreError::Unavailable("too many writes are waiting".to_owned())
}

/// Makes groups of what is queued.
struct Dispatcher {
    pool: Arc<Pool>,
    plans: Arc<Plans>,
    commits: CommitCount,
    /// Writes of a group at most, for now.
    max_size: AtomicUsize,
}

/// A group.
type Group = Vec<Box<dyn QueuedWrite>>;

/// The outcome of an attempt to commit a group.
enum GroupAttempt {
    /// All of it is decided, each write for itself.
    Decided,
    /// The store failed all of it.
    Failed(StoreError),
    /// It was rolled back. For each write, whether it failed itself.
    Undone(Vec<bool>),
}

impl Dispatcher {
    /// Runs until the queue is closed.
    async fn run(self: Arc<Self>, mut queued: mpsc::Receiver<Box<dyn QueuedWrite>>) {
        let lanes = Arc::new(Semaphore::new(LANES as usize));
        while let Some(first) = queued.recv().await {
            let Some(lane) = lane_for_group(&lanes).await else { return };
            // those whose requests have arrived already get a chance to join
            tokio::task::yield_now().await;
            let group = self.gather(first, &mut queued);
            tokio::spawn(Arc::clone(&self).write(group, lane));
        }
    }

    /// The writes that are queued now, as many as may form a group.
    fn gather(&self, first: Box<dyn QueuedWrite>, queued: &mut mpsc::Receiver<Box<dyn QueuedWrite>>) -> Group {
        let max_size = self.max_size.load(Ordering::Relaxed);
        let mut bytes = first.bytes();
        let mut group = vec![first];
        while group.len() < max_size
            && bytes < MAX_GROUP_BYTES
            && let Ok(next) = queued.try_recv()
        {
            bytes += next.bytes();
            group.push(next);
        }
        group
    }

    /// Does what is in a group, or has it done alone.
    async fn write(self: Arc<Self>, group: Group, lane: Lane) {
        let mut group = self.in_time(group);
        // instances lock rows in one order
        group.sort_by_key(|queued| queued.id());
        for attempt in 0..GROUP_ATTEMPTS {
            // a write that has failed and is left is done alone: then its response lists all problems
            if group.is_empty() || (group.len() == 1 && attempt > 0) {
                break;
            }
            // the first time by as few statements as possible, which do not show which write fails
            let batch = (attempt == 0).then(RowBatch::default);
            match self.attempt(&group, batch).await {
                GroupAttempt::Decided => {
                    self.grow();
                    return group.into_iter().for_each(QueuedWrite::answer);
                }
                GroupAttempt::Failed(error) => {
                    return group.into_iter().for_each(|queued| queued.refuse(error.clone()));
                }
                GroupAttempt::Undone(has_failed) => {
                    self.shrink();
                    group = without_failed(group, has_failed);
                }
            }
        }
        let mut lane = match group.len() {
            1 => {
                self.grow();
                Some(lane)
            }
            _ => None,
        };
        for queued in group {
            queued.leave_alone(lane.take());
        }
    }

    /// Refuses those that have waited for too long.
    fn in_time(&self, group: Group) -> Group {
        let (in_time, late): (Group, Group) = group.into_iter().partition(|queued| queued.waited() < WRITE_PATIENCE);
        for queued in late {
            self.commits.refused();
            queued.refuse(too_many());
        }
        in_time.into_iter().filter(|queued| !queued.is_abandoned()).collect()
    }

    /// Tries to do all of a group in one transaction.
    async fn attempt(&self, group: &Group, batch: Option<RowBatch>) -> GroupAttempt {
        let connection = match self.pool.get().await {
            Ok(connection) => ReservedConnection::new(connection, None),
            Err(error) => return GroupAttempt::Failed(error),
        };
        let locks = Locks::of_changes(&self.plans, group.iter().flat_map(|queued| queued.changes()));
        let transaction = PostgresTransaction::new(connection, TransactionKind::Grouped, locks.into(), false);
        let writes =
            group.iter().map(|queued| queued.apply(GroupMember::of(&transaction, batch.as_ref()), &self.plans));
        let done = match &batch {
            Some(batch) => batch.drive(&transaction, join_all(writes)).await,
            None => join_all(writes).await,
        };
        if let Some(outage) = transaction.outage() {
            self.commits.health.failed(outage);
        }
        let has_failed = batch.is_some_and(|batch| batch.has_failed()) || transaction.has_refused_pending();
        if has_failed {
            transaction.roll_back();
            return GroupAttempt::Undone(vec![false; group.len()]);
        }
        if done.iter().any(|state| *state != MemberState::Decided) {
            transaction.roll_back();
            return GroupAttempt::Undone(done.into_iter().map(|state| state == MemberState::Failed).collect());
        }
        let started = Instant::now();
        match transaction.commit(self.commits.events.until()).await {
            Ok(announced) => {
                self.commits.committed(group.len(), announced, started);
                GroupAttempt::Decided
            }
            Err(_) if transaction.remedy() != Remedy::None || transaction.has_refused_pending() => {
                GroupAttempt::Undone(vec![false; group.len()])
            }
            Err(failure) => {
                if let Some(outage) = transaction.outage() {
                    self.commits.health.failed(outage);
                }
                GroupAttempt::Failed(failure.into())
            }
        }
    }

    fn grow(&self) {
        let grown = |size: usize| Some((size + 1).min(MAX_GROUP));
        let _ = self.max_size.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown);
    }

    fn shrink(&self) {
        let shrunk = |size: usize| Some((size / 2).max(1));
        let _ = self.max_size.fetch_update(Ordering::Relaxed, Ordering::Relaxed, shrunk);
    }
}

/// Has those that failed done alone; the others remain.
fn without_failed(group: Group, has_failed: Vec<bool>) -> Group {
    let mut others = Vec::with_capacity(group.len());
    for (queued, has_failed) in group.into_iter().zip(has_failed) {
        match has_failed {
            true => queued.leave_alone(None),
            false => others.push(queued),
        }
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn a_lane_is_free_again_while_a_change_waits_for_a_lock() {
        let lanes = Arc::new(Semaphore::new(1));
        let lane = Arc::clone(&lanes).try_acquire_owned().unwrap();
        let (unlock, lock) = oneshot::channel();
        let change = tokio::spawn(in_lane(Some(lane), lock));
        tokio::task::yield_now().await;
        assert_eq!(lanes.available_permits(), 0, "at first it keeps it");
        let other = lanes.acquire().await.unwrap();
        assert!(!change.is_finished());
        unlock.send(7).unwrap();
        assert_eq!(change.await.unwrap(), Ok(7));
        drop(other);
    }
}
