//! Dropping events that are old, or too many.
//!
//! Unpublished events stay, however old they are: a bus that is unreachable for long costs disk, not events. Only past
//! a bound that no outage should reach do they go, and that is said loudly.

use super::EventOptions;
use crate::clock::Clock;
use crate::store::Store;
use crate::store::outbox::Expiry;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Events that are kept at most, however young they are.
const MAX_EVENTS: i64 = 1_000_000;
/// Events that are kept for an unreachable bus.
const MAX_UNPUBLISHED: i64 = 10 * MAX_EVENTS;
/// Between two looks.
const INTERVAL: Duration = Duration::from_secs(60);
/// Between two portions, so that writes come in between.
const PAUSE: Duration = Duration::from_millis(20);

/// Deletes old events regularly, until it is to stop.
pub(super) async fn run(store: Arc<dyn Store>, settings: &EventOptions, clock: Clock, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        let pause = if drop_some(&*store, settings, &clock).await { PAUSE } else { INTERVAL };
        // an error means that the sender is gone: the service stops as well
        let _ = tokio::time::timeout(pause, stop.changed()).await;
    }
}

/// Drops a portion; whether there may be more.
async fn drop_some(store: &dyn Store, settings: &EventOptions, clock: &Clock) -> bool {
    let age = i64::try_from(settings.retention.as_millis()).unwrap_or(i64::MAX);
    let expiry = Expiry {
        before: clock.now().millis().saturating_sub(age),
        keep: MAX_EVENTS,
        keep_unpublished: settings.nats.is_some().then_some(MAX_UNPUBLISHED),
    };
    match store.drop_events(expiry).await {
        Ok(dropped) => {
            if dropped.unpublished {
                let events = dropped.events;
                tracing::error!(events, "events were dropped that the bus never saw: it has been away for too long");
            }
            dropped.events > 0
        }
        Err(refusal) => {
            tracing::warn!(?refusal, "old events could not be dropped");
            false
        }
    }
}
