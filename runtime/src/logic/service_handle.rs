//! A handle to a running service, for code that no request started.

use super::change_runner::ChangeRunner;
use super::transactions::Transactions;
use crate::clock::Clock;
use crate::observe::trace::Trace;
use restwell_model::scalar::Timestamp;
use std::fmt;
use std::sync::Arc;
use tokio::sync::watch;

/// A running service: what background jobs ([`Builder::job`](crate::Builder::job)) and routes work with.
#[derive(Clone)]
pub struct Service {
    runner: Arc<ChangeRunner>,
    clock: Clock,
    stopped: watch::Receiver<bool>,
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Service")
    }
}

impl Service {
    /// A handle, and what tells it that the service stops.
    pub(crate) fn new(runner: Arc<ChangeRunner>, clock: Clock) -> (Self, watch::Sender<bool>) {
        let (stop, stopped) = watch::channel(false);
        (Self { runner, clock, stopped }, stop)
    }

    /// Its transactions, on behalf of nobody: each with a trace of its own.
    #[must_use]
    pub fn transactions(&self) -> Transactions {
        Transactions::new(Arc::clone(&self.runner), Trace::new(), None)
    }

    /// The time of its clock, which tests may set.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Waits until the service stops: what a job waits for beside its timer.
    pub async fn stopped(&self) {
        let mut stopped = self.stopped.clone();
        // an error means that the service is gone
        let _ = stopped.wait_for(|stopped| *stopped).await;
    }

    /// Those of a request.
    pub(crate) fn runner(&self) -> &Arc<ChangeRunner> {
        &self.runner
    }
}
