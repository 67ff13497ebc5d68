//! Background work: a thread that publishes events, drops old ones, prunes finished commands, and sums up what was
//! measured. No request waits for it.

use super::{EventOptions, nats, retention};
use crate::clock::Clock;
use crate::logic::commands;
use crate::observe::metrics::{Metrics, UPKEEP, pruned};
use crate::plan::Plans;
use crate::store::Store;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;

/// The thread; it ends when this is dropped.
pub(crate) struct Background {
    stop: watch::Sender<bool>,
    /// Whether the bus was reachable when it was last needed; `None` without a bus.
    bus: Option<watch::Receiver<Option<bool>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Background {
    /// Starts it.
    pub(crate) fn start(
        store: Arc<dyn Store>,
        plans: Arc<Plans>,
        settings: &EventOptions,
        retention: (Clock, Duration),
        metrics: Metrics,
    ) -> io::Result<Self> {
        let (stop, stopped) = watch::channel(false);
        let (is_up, bus) = watch::channel(None);
        let bus = settings.nats.is_some().then_some(bus);
        let settings = settings.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let work = async move {
            let dropping = retention::run(Arc::clone(&store), &settings, retention.0.clone(), stopped.clone());
            let pruning = commands::retention::run(Arc::clone(&store), retention, pruned(&metrics), stopped.clone());
            let summing = sum_up(&metrics, stopped.clone());
            match settings.nats.clone() {
                Some(url) => {
                    let publishing = nats::publish(store, plans, &url, settings.retention, is_up, stopped);
                    tokio::join!(dropping, pruning, summing, publishing);
                }
                None => {
                    tokio::join!(dropping, pruning, summing);
                }
            }
        };
        let thread = std::thread::Builder::new().name("events".to_owned()).spawn(move || runtime.block_on(work))?;
        Ok(Self { stop, bus, thread: Mutex::new(Some(thread)) })
    }

    /// Whether the bus was there when it was last needed: `Some(None)` where it was not needed yet, `None` where there
    /// is none.
    pub(crate) fn bus(&self) -> Option<Option<bool>> {
        self.bus.as_ref().map(|bus| *bus.borrow())
    }

    /// Ends it. Events that exist are still published, as long as the bus takes them.
    pub(crate) fn finish(&self) {
        self.stop.send_replace(true);
        let thread = self.thread.lock().ok().and_then(|mut thread| thread.take());
        // a thread that panicked has nothing more to finish
        let _ = thread.map(JoinHandle::join);
    }
}

/// Sums up measurements regularly, until it is to stop.
async fn sum_up(metrics: &Metrics, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        metrics.upkeep();
        // an error means that the sender is gone: the service stops as well
        let _ = tokio::time::timeout(UPKEEP, stop.changed()).await;
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}
