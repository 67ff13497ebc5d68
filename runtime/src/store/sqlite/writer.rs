//! The one thread that writes: what has queued up becomes one transaction, acknowledged after COMMIT.

use super::checkpoint::Checkpoints;
use super::health::Health;
use super::lock::ProcessLock;
use super::other_programs::{NOTICED_WITHIN, OtherPrograms};
use super::undo::{Undo, isolated, undoable};
use super::versions::{RowVersion, TableVersions};
use crate::observe::log_throttle::throttled;
use crate::observe::metrics::StoreMetrics;
use crate::plan::Plans;
use crate::store::outbox::from_now_on;
use crate::store::weight::Weight;
use crate::store::{Change, Entity, Refusal, StoreError, StoreFuture};
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;
use tokio::sync::{oneshot, watch};

/// Writes that may wait. Beyond it a write is `Unavailable`.
const WRITE_QUEUE: usize = 4096;
/// Bytes of the writes that may wait or are being done, as estimated. Beyond it a write is `Unavailable`.
const MAX_QUEUED_BYTES: usize = 32 * 1024 * 1024;
/// Writes that share one commit. Beyond it they have the next one.
const MAX_BATCH: usize = 512;
/// Bytes of the writes that share one commit, as estimated; the last one may go beyond it.
const MAX_BATCH_BYTES: usize = 8 * 1024 * 1024;

/// Work inside the writer's transaction, and a client that waits for it.
trait WriteJob: Send {
    /// Does the work. An error is the store's, and rolls back the whole transaction.
    fn run(&mut self, connection: &Connection, plans: &Plans) -> Result<(), StoreError>;

    /// The bytes that it brings, as estimated.
    fn bytes(&self) -> usize;

    /// How it is undone.
    fn undo(&self) -> Undo;

    /// Sends the outcome, once it is durable or will never be.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

enum WriterMessage {
    WriteJob(Box<dyn WriteJob>),
    Close,
}

/// A job made of a function.
struct Work<T, F> {
    work: F,
    outcome: Option<Result<T, Refusal>>,
    answer: oneshot::Sender<Result<T, Refusal>>,
    undo: Undo,
    room: QueueRoom,
}

/// The room of one write among those that wait; free again when this is dropped.
struct QueueRoom {
    queued: Arc<AtomicUsize>,
    bytes: usize,
}

impl QueueRoom {
    /// Takes it; `None` where too much is waiting.
    fn take(queued: &Arc<AtomicUsize>, bytes: usize) -> Option<Self> {
        let room = Self { queued: Arc::clone(queued), bytes };
        let before = queued.fetch_add(bytes, Ordering::Relaxed);
        // one alone is always taken
        (before == 0 || before.saturating_add(bytes) <= MAX_QUEUED_BYTES).then_some(room)
    }
}

impl Drop for QueueRoom {
    fn drop(&mut self) {
        self.queued.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl<T, F> WriteJob for Work<T, F>
where
    T: Send,
    F: FnMut(&Connection, &Plans) -> Result<Result<T, Refusal>, StoreError> + Send,
{
    fn run(&mut self, connection: &Connection, plans: &Plans) -> Result<(), StoreError> {
        self.outcome = Some((self.work)(connection, plans)?);
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.room.bytes
    }

    fn undo(&self) -> Undo {
        self.undo
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let outcome = match (committed, self.outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Ok(()), None) => Err(StoreError::Internal("a write was left out".to_owned()).into()),
            (Err(error), _) => Err(error.into()),
        };
        // an error means that the client has left
        let _ = self.answer.send(outcome);
    }
}

/// A handle to the writing thread.
pub(super) struct Writer {
    queue: SyncSender<WriterMessage>,
    queued_bytes: Arc<AtomicUsize>,
    thread: Mutex<Option<JoinHandle<()>>>,
    commits: watch::Receiver<u64>,
    metrics: StoreMetrics,
    versions: Arc<TableVersions>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(writing: Writing, checkpoints: Option<Checkpoints>) -> Self {
        let (queue, jobs) = mpsc::sync_channel(WRITE_QUEUE);
        let (committed, commits) = watch::channel(0);
        let (metrics, versions) = (writing.metrics.clone(), Arc::clone(&writing.versions));
        let thread = std::thread::spawn(move || writing.run(checkpoints, &jobs, &committed));
        Self { queue, queued_bytes: Arc::default(), thread: Mutex::new(Some(thread)), commits, metrics, versions }
    }

    /// Counts commits, from now on.
    pub(super) fn commits(&self) -> watch::Receiver<u64> {
        from_now_on(&self.commits)
    }

    /// Queues a change and waits until it is durable. Gives the state of the row that it has changed as well.
    pub(super) fn write(
        &self,
        undo: Undo,
        mut change: Change,
    ) -> StoreFuture<'static, Result<(Entity, Option<RowVersion>), Refusal>> {
        let versions = Arc::clone(&self.versions);
        self.queue(change.bytes(), undo, move |connection, plans| {
            let (done, left) = versions.left_by(|| isolated(connection, plans, undo, &mut change));
            Ok(done?.map(|entity| (entity, left)))
        })
    }

    /// Queues what is done as a whole or, where it is refused, not at all, and waits until it is durable.
    pub(super) fn run<T: Send + 'static>(
        &self,
        bytes: usize,
        undo: Undo,
        mut work: impl FnMut(&Connection, &Plans) -> Result<T, Refusal> + Send + 'static,
    ) -> StoreFuture<'static, Result<T, Refusal>> {
        self.queue(bytes, undo, move |connection, plans| undoable(connection, undo, false, || work(connection, plans)))
    }

    /// Queues work that is rolled back, whatever its outcome.
    pub(super) fn try_out<T: Send + 'static>(
        &self,
        bytes: usize,
        undo: Undo,
        mut work: impl FnMut(&Connection, &Plans) -> Result<T, Refusal> + Send + 'static,
    ) -> StoreFuture<'static, Result<T, Refusal>> {
        self.queue(bytes, undo, move |connection, plans| undoable(connection, undo, true, || work(connection, plans)))
    }

    fn queue<T: Send + 'static>(
        &self,
        bytes: usize,
        undo: Undo,
        work: impl FnMut(&Connection, &Plans) -> Result<Result<T, Refusal>, StoreError> + Send + 'static,
    ) -> StoreFuture<'static, Result<T, Refusal>> {
        let (answer, outcome) = oneshot::channel();
        let queued = match QueueRoom::take(&self.queued_bytes, bytes) {
            Some(room) => self
                .queue
                .try_send(WriterMessage::WriteJob(Box::new(Work { work, outcome: None, answer, undo, room })))
                .map_err(|error| match error {
                    mpsc::TrySendError::Full(_) => "too many writes are waiting",
                    mpsc::TrySendError::Disconnected(_) => "the writer has ended",
                }),
            None => Err("too many writes are waiting"),
        };
        match &queued {
            Ok(()) => self.metrics.waiting.increment(1),
            Err(_) => self.metrics.refused.increment(1),
        }
        Box::pin(async move {
            let away = |reason: &str| Refusal::Failed(StoreError::Unavailable(reason.to_owned()));
            queued.map_err(away)?;
            outcome.await.unwrap_or_else(|_| Err(away("the writer has ended")))
        })
    }

    /// Ends the thread once all that was queued is done.
    pub(super) fn close(&self) -> impl Future<Output = ()> + Send + use<> {
        let thread = self.thread.lock().ok().and_then(|mut thread| thread.take());
        let queue = self.queue.clone();
        async move {
            let ended = tokio::task::spawn_blocking(move || {
                // both fail only where the thread has ended already
                let _ = queue.send(WriterMessage::Close);
                thread.map(JoinHandle::join)
            });
            let _ = ended.await;
        }
    }
}

/// What the thread works with. What comes first is dropped first: the lock goes when the connection is closed.
pub(super) struct Writing {
    pub(super) connection: Connection,
    pub(super) plans: Arc<Plans>,
    pub(super) metrics: StoreMetrics,
    pub(super) versions: Arc<TableVersions>,
    pub(super) health: Arc<Health>,
    pub(super) _lock: ProcessLock,
}

impl Writing {
    fn run(
        &self,
        mut checkpoints: Option<Checkpoints>,
        jobs: &Receiver<WriterMessage>,
        committed: &watch::Sender<u64>,
    ) {
        let mut batch = Vec::with_capacity(MAX_BATCH);
        let mut next = Next::Unknown;
        let mut others = OtherPrograms::new(&self.connection, Arc::clone(&self.versions));
        loop {
            others.look(&self.connection);
            match next.or_wait(jobs) {
                Next::Job(job) => batch.push(job),
                Next::Close => return,
                Next::Unknown => {
                    next = Next::Unknown;
                    continue;
                }
            }
            // those who are about to queue get a chance to share the commit
            std::thread::yield_now();
            next = gather(jobs, &mut batch);
            let changes = batch.len();
            self.metrics.waiting.decrement(changes as f64);
            self.metrics.writes.increment(changes as u64);
            let started = Instant::now();
            let done = self.commit(&mut batch);
            self.metrics.commit.record(started.elapsed());
            let due = checkpoints.as_mut().map(Checkpoints::committed);
            self.health.committed(&done, due.is_none_or(|due| due.is_some()));
            for job in batch.drain(..) {
                job.answer(done.clone());
            }
            committed.send_modify(|commits| *commits += 1);
            if let (Some(checkpoints), Some(due)) = (&checkpoints, due.flatten()) {
                checkpoints.run(due, &self.connection);
            }
        }
    }

    /// Does what is in a batch, in one transaction.
    fn commit(&self, batch: &mut [Box<dyn WriteJob>]) -> Result<(), StoreError> {
        let connection = &self.connection;
        // a panic is a bug: it ends this batch, not the writer
        let transaction = AssertUnwindSafe(|| {
            // what is written into a file that was removed is lost
            self.health.file_is_there()?;
            self.transaction(batch)
        });
        let done = catch_unwind(transaction);
        let done = done.unwrap_or_else(|_| Err(StoreError::Internal("a write panicked".to_owned())));
        if let Err(error) = &done {
            throttled!(error, %error, writes = batch.len(), "a transaction failed");
            if !connection.is_autocommit() {
                let _ = connection.execute_batch("ROLLBACK");
            }
        }
        self.versions.end_commit();
        done
    }

    fn transaction(&self, batch: &mut [Box<dyn WriteJob>]) -> Result<(), StoreError> {
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for job in batch.iter_mut() {
            job.run(&self.connection, &self.plans)?;
        }
        self.versions.begin_commit();
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }
}

/// What comes after a batch.
enum Next {
    Unknown,
    Job(Box<dyn WriteJob>),
    Close,
}

impl Next {
    /// What to begin with; it is still unknown where nothing comes for a while.
    fn or_wait(self, jobs: &Receiver<WriterMessage>) -> Self {
        match self {
            Self::Unknown => match jobs.recv_timeout(NOTICED_WITHIN) {
                Ok(WriterMessage::WriteJob(job)) => Self::Job(job),
                Ok(WriterMessage::Close) | Err(RecvTimeoutError::Disconnected) => Self::Close,
                Err(RecvTimeoutError::Timeout) => Self::Unknown,
            },
            known => known,
        }
    }
}

/// Adds what is waiting to a batch that has a job, as much as may share a commit.
fn gather(jobs: &Receiver<WriterMessage>, batch: &mut Vec<Box<dyn WriteJob>>) -> Next {
    let is_alone = |job: &dyn WriteJob| job.undo() == Undo::Transaction;
    if batch.iter().any(|job| is_alone(&**job)) {
        return Next::Unknown;
    }
    let mut bytes = batch.iter().map(|job| job.bytes()).sum::<usize>();
    while batch.len() < MAX_BATCH && bytes < MAX_BATCH_BYTES {
        match jobs.try_recv() {
            Ok(WriterMessage::WriteJob(job)) if is_alone(&*job) => return Next::Job(job),
            Ok(WriterMessage::WriteJob(job)) => {
                bytes += job.bytes();
                batch.push(job);
            }
            Ok(WriterMessage::Close) => return Next::Close,
            Err(_) => break,
        }
    }
    Next::Unknown
}
