//! The one thread that writes: what has queued up becomes one transaction, a savepoint each, acknowledged after COMMIT.

use super::checkpoint::Checkpoints;
use super::write::apply;
use crate::plan::Plans;
use crate::store::{Change, ChangeKind, Entity, Refusal, StoreError};
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// Changes that may wait; past it the store is too busy.
const QUEUE: usize = 4096;
/// Changes that share one commit at most.
const BATCH: usize = 512;

type Outcome = Result<Entity, Refusal>;

enum Job {
    Change(Change, oneshot::Sender<Outcome>),
    Close,
}

/// A handle to the writing thread.
pub(super) struct Writer {
    queue: SyncSender<Job>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(connection: Connection, checkpoints: Option<Checkpoints>, plans: Arc<Plans>) -> Self {
        let (queue, jobs) = mpsc::sync_channel(QUEUE);
        let thread = std::thread::spawn(move || run(&connection, checkpoints, &plans, &jobs));
        Self { queue, thread: Mutex::new(Some(thread)) }
    }

    /// Queues a change and waits until it is durable.
    pub(super) fn write(&self, change: Change) -> impl Future<Output = Outcome> + Send + use<> {
        let (answer, outcome) = oneshot::channel();
        let queued = self.queue.try_send(Job::Change(change, answer));
        async move {
            let away = |reason: &str| Refusal::Failed(StoreError::Unavailable(reason.to_owned()));
            match queued {
                Ok(()) => outcome.await.unwrap_or_else(|_| Err(away("the writer has ended"))),
                Err(mpsc::TrySendError::Full(_)) => Err(away("too many writes are waiting")),
                Err(mpsc::TrySendError::Disconnected(_)) => Err(away("the writer has ended")),
            }
        }
    }

    /// Ends the thread once all that was queued is done.
    pub(super) fn close(&self) -> impl Future<Output = ()> + Send + use<> {
        let thread = self.thread.lock().ok().and_then(|mut thread| thread.take());
        let queue = self.queue.clone();
        async move {
            let ended = tokio::task::spawn_blocking(move || {
                // both fail only where the thread has ended already
                let _ = queue.send(Job::Close);
                thread.map(JoinHandle::join)
            });
            let _ = ended.await;
        }
    }
}

fn run(connection: &Connection, mut checkpoints: Option<Checkpoints>, plans: &Plans, jobs: &Receiver<Job>) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut closing = false;
    while !closing {
        match jobs.recv() {
            Ok(Job::Change(change, answer)) => batch.push((change, answer)),
            Ok(Job::Close) | Err(_) => return,
        }
        // those who are about to queue get a chance to share the commit
        std::thread::yield_now();
        while batch.len() < BATCH {
            match jobs.try_recv() {
                Ok(Job::Change(change, answer)) => batch.push((change, answer)),
                Ok(Job::Close) => {
                    closing = true;
                    break;
                }
                Err(_) => break,
            }
        }
        let changes = batch.len();
        commit(connection, plans, &mut batch);
        if let Some(checkpoints) = &mut checkpoints {
            checkpoints.committed(connection, changes);
        }
    }
}

fn commit(connection: &Connection, plans: &Plans, batch: &mut Vec<(Change, oneshot::Sender<Outcome>)>) {
    // a panic is a mistake of ours: it ends this batch, not the writer
    let done = catch_unwind(AssertUnwindSafe(|| transaction(connection, plans, batch)));
    match done.unwrap_or_else(|_| Err(StoreError::Internal("a write panicked".to_owned()))) {
        Ok(outcomes) => {
            for ((_, answer), outcome) in batch.drain(..).zip(outcomes) {
                // a client that has gone does not want to know
                let _ = answer.send(outcome);
            }
        }
        Err(error) => {
            tracing::error!(%error, writes = batch.len(), "a transaction failed");
            if !connection.is_autocommit() {
                let _ = connection.execute_batch("ROLLBACK");
            }
            for (_, answer) in batch.drain(..) {
                let _ = answer.send(Err(Refusal::Failed(error.clone())));
            }
        }
    }
}

fn transaction(
    connection: &Connection,
    plans: &Plans,
    batch: &mut [(Change, oneshot::Sender<Outcome>)],
) -> Result<Vec<Outcome>, StoreError> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let mut outcomes = Vec::with_capacity(batch.len());
    for (change, _) in batch.iter_mut() {
        outcomes.push(isolated(connection, plans, change)?);
    }
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(outcomes)
}

/// One change, which leaves nothing behind where it is refused. Where all is done once its one statement is, that
/// undoes itself; the rest needs a savepoint.
fn isolated(connection: &Connection, plans: &Plans, change: &mut Change) -> Result<Outcome, StoreError> {
    let plan = &plans.resources[change.at.resource];
    let is_joined = plan.representations(change.at.view)[change.at.version].is_joined;
    let is_delete = matches!(change.kind, ChangeKind::Delete);
    if plan.table.links.is_empty() && !is_joined && !is_delete && !change.is_dry_run {
        return Ok(apply(connection, plans, change));
    }
    connection.prepare_cached("SAVEPOINT change")?.execute([])?;
    let outcome = apply(connection, plans, change);
    if outcome.is_err() || change.is_dry_run {
        connection.prepare_cached("ROLLBACK TO change")?.execute([])?;
    }
    connection.prepare_cached("RELEASE change")?.execute([])?;
    Ok(outcome)
}
