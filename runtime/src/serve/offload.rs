//! Work of a request that would keep others on its thread waiting: done on the blocking pool, a few at a time, with a
//! bounded queue that clients share fairly.

use super::failure::Failure;
use crate::fair_queue::FairQueue;
use crate::fair_share::FairShare;
use crate::limits::ClientKey;
use crate::store::StoreError;
use restwell_model::ErrorCode;
use std::sync::Arc;
use std::time::Duration;

/// Pieces of such work that are done at a time; the others wait. A client with long ones leaves one to the others.
const OFFLOAD_PLACES: usize = 2;
/// Pieces of such work that wait or are being done: 503 `Unavailable` beyond.
const MAX_OFFLOAD_QUEUE: usize = 256;
/// How long a piece of such work waits: 503 `Unavailable` beyond.
const OFFLOAD_PATIENCE: Duration = Duration::from_secs(10);

/// Where such work is done.
#[derive(Debug)]
pub(crate) struct Offload {
    queue: Arc<FairShare>,
    places: Arc<FairQueue>,
}

impl Offload {
    /// Without work.
    pub(crate) fn new() -> Self {
        Self { queue: FairShare::new(MAX_OFFLOAD_QUEUE), places: FairQueue::new(OFFLOAD_PLACES) }
    }

    /// Does a piece of work for a client. Where the client leaves while it waits, it is not begun.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        client: ClientKey,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let busy = || StoreError::Unavailable("too many large bodies are waiting".to_owned());
        let queued = self.queue.take(client, 1).ok_or_else(busy)?;
        let place = self.places.turn(client, false, OFFLOAD_PATIENCE).await.ok_or_else(busy)?;
        let done = tokio::task::spawn_blocking(move || {
            let _held = (queued, place);
            work()
        });
        done.await.map_err(|_| Failure::new(ErrorCode::InternalError))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[tokio::test]
    async fn the_thread_that_serves_is_not_the_one_that_works() {
        let offload = Offload::new();
        let worker = offload.run(ClientKey::Caller(Uuid::new_v4()), || std::thread::current().id()).await.unwrap();
        assert_ne!(worker, std::thread::current().id());
    }

    #[tokio::test]
    async fn a_client_cannot_take_all_places() {
        let offload = Offload::new();
        let [greedy, other] = [ClientKey::Caller(Uuid::new_v4()), ClientKey::Caller(Uuid::new_v4())];
        let held: Vec<_> = std::iter::from_fn(|| offload.queue.take(greedy, 1)).collect();
        assert_eq!(held.len(), MAX_OFFLOAD_QUEUE / 2);
        assert!(offload.run(greedy, || ()).await.unwrap_err().is(ErrorCode::Unavailable));
        assert_eq!(offload.run(other, || 7).await.unwrap(), 7);
        drop(held);
        assert!(offload.run(greedy, || ()).await.is_ok());
    }
}
