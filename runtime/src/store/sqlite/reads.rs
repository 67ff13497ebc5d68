//! Reads that may take a while: a few run at a time, on threads of their own, and some more wait for their turn.
//!
//! A free thread takes the next read itself. A read that waits for too long is refused at once, however long the others
//! take.

use super::connection::Readers;
use super::interrupt::ReadTicket;
use crate::plan::Plans;
use crate::store::{READ_PATIENCE, READ_QUEUE, READ_TIMEOUT, StoreError, StoreFuture};
use rusqlite::Connection;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

/// Threads that read, for each core. Beyond it reads wait for their turn.
const READS_PER_CORE_THREADS: usize = 2;
/// Threads that read, however many cores there are: each has a connection, with a cache of its own.
const MAX_READ_THREADS: usize = 32;
/// How long such a thread waits for more before it ends, and its connection with it.
const KEEP_ALIVE: Duration = Duration::from_secs(600);

/// Where reads run that may take a while.
pub(super) struct Reads {
    readers: Readers,
    plans: Arc<Plans>,
    /// A permit for each read that runs or waits.
    queue: Arc<Semaphore>,
    threads: Threads,
}

/// The threads: those that a runtime has for what blocks.
struct Threads {
    count: usize,
    handle: Handle,
    /// `None` once they are to end.
    runtime: Mutex<Option<Runtime>>,
}

/// A client that waits for a read. When it leaves, the read is not begun, or it is interrupted.
struct WaitingRead {
    task: AbortHandle,
    ticket: Arc<ReadTicket>,
}

impl Reads {
    /// Of a database; threads are started when they are needed.
    pub(super) fn new(readers: Readers, plans: Arc<Plans>) -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::on(cores.saturating_mul(READS_PER_CORE_THREADS).min(MAX_READ_THREADS), readers, plans)
    }

    fn on(threads: usize, readers: Readers, plans: Arc<Plans>) -> std::io::Result<Self> {
        let queue = Arc::new(Semaphore::new(READ_QUEUE));
        Ok(Self { readers, plans, queue, threads: Threads::new(threads)? })
    }

    /// How many reads run at a time.
    pub(super) fn places(&self) -> usize {
        self.threads.count
    }

    /// Runs a read. `narrow` says what would make it cheaper, where it takes too long.
    pub(super) fn run<T: Send + 'static>(
        &self,
        narrow: &'static str,
        work: impl FnOnce(&Connection, &Plans) -> Result<T, StoreError> + Send + 'static,
    ) -> StoreFuture<'_, Result<T, StoreError>> {
        let place = Arc::clone(&self.queue).try_acquire_owned();
        Box::pin(async move {
            let place = place.map_err(|_| busy())?;
            // where a thread is free no timer is needed
            let is_crowded = READ_QUEUE - self.queue.available_permits() > self.threads.count;
            let (readers, plans, ticket) =
                (self.readers.clone(), Arc::clone(&self.plans), Arc::<ReadTicket>::default());
            let taken = Arc::clone(&ticket);
            let mut task = self.threads.handle.spawn_blocking(move || {
                let _place = place;
                if !taken.begin() {
                    return Err(busy());
                }
                readers.within(taken, narrow, |connection| work(connection, &plans))
            });
            let waiting = WaitingRead { task: task.abort_handle(), ticket };
            let done = match is_crowded {
                false => task.await,
                true => match tokio::time::timeout(READ_PATIENCE, &mut task).await {
                    Ok(done) => done,
                    Err(_) if waiting.ticket.give_up() => return Err(busy()),
                    Err(_) => task.await,
                },
            };
            done.unwrap_or_else(|error| match error.is_cancelled() {
                true => Err(StoreError::Unavailable("the store is about to end".to_owned())),
                false => Err(StoreError::Internal(error.to_string())),
            })
        })
    }

    /// Ends the threads, and with them their connections, once what they run is over.
    pub(super) fn close(&self) -> impl Future<Output = ()> + Send + use<> {
        let runtime = self.threads.take();
        async move {
            // nothing runs for longer than a read may
            let ended =
                tokio::task::spawn_blocking(move || runtime.map(|runtime| runtime.shutdown_timeout(READ_TIMEOUT)));
            let _ = ended.await;
        }
    }
}

fn busy() -> StoreError {
    StoreError::Unavailable("too many reads are waiting".to_owned())
}

impl Drop for WaitingRead {
    fn drop(&mut self) {
        self.ticket.cancel();
        self.task.abort();
    }
}

impl Threads {
    fn new(threads: usize) -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(threads)
            .thread_keep_alive(KEEP_ALIVE)
            .thread_name("reads")
            .build()?;
        Ok(Self { count: threads, handle: runtime.handle().clone(), runtime: Mutex::new(Some(runtime)) })
    }

    fn take(&self) -> Option<Runtime> {
        self.runtime.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // it may be dropped in async code, which must not wait for threads
        if let Some(runtime) = self.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests;
