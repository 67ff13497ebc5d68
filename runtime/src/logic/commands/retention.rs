//! Pruning finished commands, in the background.
//!
//! Portions are small, and each is followed by a pause that is longer than it took, so that requests are hardly
//! delayed. Every instance does this; on PostgreSQL each takes rows that no other one has.

use crate::clock::Clock;
use crate::store::{CommandExpiry, Store};
use metrics::Counter;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The longest time between two runs.
const INTERVAL: Duration = Duration::from_secs(60);
/// The shortest.
const MIN_INTERVAL: Duration = Duration::from_secs(1);
/// Between two portions, at least.
const PAUSE: Duration = Duration::from_millis(20);
/// How many times as long as a portion took the pause after it is.
const REST: u32 = 4;

/// When commands that have ended by now are no longer kept.
pub(crate) fn kept_since(clock: &Clock, retention: Duration) -> i64 {
    clock.now().millis().saturating_sub(millis(retention))
}

/// Prunes commands regularly, until it is to stop.
pub(crate) async fn run(
    store: Arc<dyn Store>,
    (clock, retention): (Clock, Duration),
    pruned: Counter,
    mut stop: watch::Receiver<bool>,
) {
    let interval = (retention / 4).clamp(MIN_INTERVAL, INTERVAL);
    while !*stop.borrow() {
        let begun = Instant::now();
        let finished = kept_since(&clock, retention);
        let expiry = CommandExpiry { finished, forgotten: finished.saturating_sub(millis(retention)) };
        let pause = match store.prune_commands(expiry).await {
            Ok(0) => interval,
            Ok(portion) => {
                pruned.increment(portion);
                PAUSE.max(begun.elapsed() * REST)
            }
            Err(refusal) => {
                tracing::warn!(?refusal, "finished commands could not be pruned");
                interval
            }
        };
        // an error means that the sender is gone: the service stops as well
        let _ = tokio::time::timeout(pause, stop.changed()).await;
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
