//! Calls from code without `async`.

use futures_util::{Stream, StreamExt};
use std::future::IntoFuture;
use std::io;
use std::pin::Pin;
use tokio::runtime::Runtime;

/// Waits for calls, on the thread that asks. It has one thread of its own, for the connections.
///
/// Async code must not wait like this: within a runtime of tokio, [`wait`](Self::wait) panics.
#[derive(Debug)]
pub struct Blocking(Runtime);

impl Blocking {
    /// Starts the thread of the connections.
    ///
    /// # Errors
    ///
    /// The system refuses another thread.
    pub fn new() -> io::Result<Self> {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().map(Self)
    }

    /// Waits until a call has ended: `blocking.wait(client.offers().get(id))?`.
    pub fn wait<C: IntoFuture>(&self, call: C) -> C::Output {
        // a command becomes a future here, and sleeps with the clock of the runtime
        self.0.block_on(async { call.into_future().await })
    }

    /// The items of a stream, each waited for: `for offer in blocking.iterate(client.offers().all(query))`.
    pub fn iterate<'a, S: Stream + 'a>(&'a self, stream: S) -> impl Iterator<Item = S::Item> + 'a {
        let mut stream: Pin<Box<S>> = Box::pin(stream);
        std::iter::from_fn(move || self.0.block_on(stream.next()))
    }
}
