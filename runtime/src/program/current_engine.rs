//! What answers the requests of a program: one engine as long as it runs, or, under `restwell dev`, the one that is
//! current.
//!
//! A change waits until the requests in flight are answered. Those that come meanwhile wait for the next engine: a
//! database file belongs to one engine at a time.

use crate::serve::payload::Payload;
use crate::serve::{Engine, Peer};
use axum::body::HttpBody as Body;
use bytes::Bytes;
use hyper::{Request, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::RwLock;

/// How long a change waits for requests in flight; then it is left out.
const PATIENCE: Duration = Duration::from_secs(30);

/// What answers requests.
#[derive(Clone)]
pub(crate) enum Answering {
    /// One engine.
    Fixed(Arc<Engine>),
    /// The current one.
    Current(Arc<CurrentEngine>),
}

impl Answering {
    /// Answers a request.
    pub(crate) async fn respond<B>(&self, request: Request<B>, peer: Peer) -> Response<Payload>
    where
        B: Body<Data = Bytes> + Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        match self {
            Self::Fixed(engine) => engine.respond(request, peer).await,
            Self::Current(current) => current.0.read().await.respond(request, peer).await,
        }
    }

    /// The same for one worker: a count of references that workers share would slow all of them down.
    pub(super) fn of_worker(self) -> Self {
        match self {
            Self::Fixed(engine) => Self::Fixed(Arc::new(Engine::clone(&engine))),
            current @ Self::Current(_) => current,
        }
    }

    /// The engine at this moment.
    pub(crate) async fn engine(&self) -> Arc<Engine> {
        match self {
            Self::Fixed(engine) => Arc::clone(engine),
            Self::Current(current) => Arc::clone(&*current.0.read().await),
        }
    }
}

/// An engine that another one can take the place of.
pub(crate) struct CurrentEngine(RwLock<Arc<Engine>>);

impl CurrentEngine {
    pub(crate) fn new(engine: Engine) -> Self {
        Self(RwLock::new(Arc::new(engine)))
    }

    /// Ends the engine, and lets the next one take its place. Where there is none, `again` opens the one before.
    ///
    /// # Errors
    ///
    /// A message for people: why the next one is not served.
    pub(super) async fn change(
        &self,
        next: impl FnOnce() -> Result<Engine, String>,
        again: impl FnOnce() -> Result<Engine, String>,
    ) -> Result<(), String> {
        // streams of events would never end
        self.0.read().await.feed.end();
        let Ok(mut current) = tokio::time::timeout(PATIENCE, self.0.write()).await else {
            return Err("requests are still being answered with the schemas before".to_owned());
        };
        close(&current).await;
        match next() {
            Ok(engine) => {
                *current = Arc::new(engine);
                Ok(())
            }
            Err(reason) => {
                *current = Arc::new(again().map_err(|error| format!("{reason}\n{error}"))?);
                Err(reason)
            }
        }
    }
}

/// Ends the threads beside requests, and closes the store.
pub(super) async fn close(engine: &Engine) {
    engine.jobs.close();
    engine.executor.close();
    engine.background.finish();
    engine.store.close().await;
}
