//! The connections: a pool of those that transactions have for themselves, and one for each thread that reads.

use super::connection::{Connection, error_of};
use super::health::WriteHealth;
use super::location::PostgresLocation;
use crate::store::StoreError;
use deadpool::Runtime;
use deadpool::managed::{self, Metrics, Object, PoolError, QueueMode, RecycleError, RecycleResult, Timeouts};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::Mutex;

/// A connection of one transaction, which returns to the pool after it.
pub(super) type Pooled = Object<Manager>;

/// Makes the pool's connections.
#[derive(Debug)]
pub(super) struct Manager {
    location: PostgresLocation,
    /// Moves their bytes.
    runtime: Handle,
}

impl managed::Manager for Manager {
    type Type = Connection;
    type Error = StoreError;

    async fn create(&self) -> Result<Connection, StoreError> {
        let location = self.location.clone();
        let opened = self.runtime.spawn(async move { Connection::open(&location, |_| {}).await });
        opened.await.unwrap_or_else(|error| Err(StoreError::Unavailable(error.to_string())))
    }

    async fn recycle(&self, connection: &mut Connection, _: &Metrics) -> RecycleResult<StoreError> {
        match connection.is_closed() {
            true => Err(RecycleError::message("it is closed")),
            false => Ok(()),
        }
    }
}

/// Connections for transactions.
pub(super) struct Pool {
    connections: managed::Pool<Manager>,
    queue: usize,
    /// Told when there are no connections for writes.
    health: Option<Arc<WriteHealth>>,
}

/// How many connections there are at most, and who may wait for one.
#[derive(Debug, Clone, Copy)]
pub(super) struct PoolSize {
    pub(super) connections: usize,
    /// Transactions that may wait; further ones are refused, since the store is too busy.
    pub(super) queue: usize,
    /// How long they may wait. A longer wait would only delay those behind them.
    pub(super) patience: Duration,
}

impl Pool {
    /// The connections are made when they are needed, by a runtime that lives as long as they do.
    pub(super) fn new(
        location: PostgresLocation,
        runtime: Handle,
        size: PoolSize,
        health: Option<Arc<WriteHealth>>,
    ) -> Result<Self, String> {
        let pool = managed::Pool::builder(Manager { location, runtime })
            .max_size(size.connections)
            // the one that was used last: its statements are up to date, and no idle timeout has ended it
            .queue_mode(QueueMode::Lifo)
            .timeouts(Timeouts { wait: Some(size.patience), create: None, recycle: None })
            .runtime(Runtime::Tokio1)
            .build();
        let pool = pool.map(|connections| Self { connections, queue: size.queue, health });
        pool.map_err(|error| format!("no pool of connections can be made: {error}"))
    }

    /// Makes the first one while the service starts, so that its first request does not wait for it.
    pub(super) fn open_first(&self, runtime: &Handle) {
        let connections = self.connections.clone();
        runtime.spawn(async move {
            // who needs one hears why there is none
            let _ = connections.get().await;
        });
    }

    /// How many there are at most.
    pub(super) fn max_size(&self) -> usize {
        self.connections.status().max_size
    }

    /// One of them, once it is free.
    pub(super) async fn get(&self) -> Result<Pooled, StoreError> {
        let busy = || StoreError::Unavailable("too many transactions are waiting".to_owned());
        if self.connections.status().waiting > self.queue {
            return Err(busy());
        }
        self.connections.get().await.map_err(|error| match error {
            PoolError::Backend(error) => {
                if let Some(health) = &self.health {
                    health.failed(error.clone());
                }
                error
            }
            PoolError::Timeout(_) => busy(),
            error => StoreError::Unavailable(error.to_string()),
        })
    }

    /// Closes all of them.
    pub(super) fn close(&self) {
        self.connections.close();
    }
}

thread_local! {
    /// This thread's connections, by the number of their readers: a process may have several databases.
    static CONNECTIONS: RefCell<HashMap<u64, ConnectionSlot>> = RefCell::new(HashMap::new());
}

/// Where a thread's connection is, if it has one.
type ConnectionSlot = Arc<Mutex<Option<Arc<Connection>>>>;

/// A connection per thread for single statements: each is sent at once, whatever is under way, and its bytes are moved
/// by the thread that asks.
#[derive(Debug)]
pub(super) struct ThreadConnections {
    location: PostgresLocation,
    number: u64,
}

impl ThreadConnections {
    pub(super) fn new(location: PostgresLocation) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { location, number: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// This thread's connection; made where there is none that is of use.
    pub(super) async fn get(&self) -> Result<Arc<Connection>, StoreError> {
        let place = CONNECTIONS.with_borrow_mut(|connections| Arc::clone(connections.entry(self.number).or_default()));
        let mut place = place.lock().await;
        if let Some(connection) = place.as_ref().filter(|connection| !connection.is_closed()) {
            return Ok(Arc::clone(connection));
        }
        let connection = Arc::new(Box::pin(Connection::open(&self.location, |_| {})).await?);
        *place = Some(Arc::clone(&connection));
        Ok(connection)
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        error_of(&error)
    }
}
