//! Pruning finished commands, in the background.
//!
//! Where there is one writer, requests wait for a portion. So portions are small: their number of commands follows the
//! time that the database is busy with them, and after each there is a pause that is several times as long. The wait
//! for a turn does not count: under load, which makes it long, commands would be pruned more slowly than they come.
//! Every instance does this; on PostgreSQL each takes rows that no other one has.

use crate::clock::Clock;
use crate::store::{CommandExpiry, PrunedUntil, Store};
use metrics::Counter;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The longest time between two runs.
const INTERVAL: Duration = Duration::from_secs(60);
/// The shortest.
const MIN_INTERVAL: Duration = Duration::from_secs(1);
/// Between two portions, at least.
const PAUSE: Duration = Duration::from_millis(20);
/// How many times as long as a portion took the pause after it is.
const REST: u32 = 9;
/// Commands of a portion, at least and at most.
const MIN_PORTION: u32 = 20;
const MAX_PORTION: u32 = 50;
/// What a portion may take. After a longer one the next has half as many commands, after a shorter one some more.
const PORTION_TIME: Duration = Duration::from_millis(4);
const PORTION_STEP: u32 = 4;

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
    let (mut portion, mut from) = (MIN_PORTION, PrunedUntil::BEGINNING);
    while !*stop.borrow() {
        let finished = kept_since(&clock, retention);
        let expiry = CommandExpiry { finished, forgotten: finished.saturating_sub(millis(retention)), from };
        let pause = match store.prune_commands(expiry, portion).await {
            Ok(done) if done.commands == 0 => {
                // what another instance was at and did not finish is found again
                from = PrunedUntil::BEGINNING;
                interval
            }
            Ok(done) => {
                from = done.until;
                pruned.increment(done.commands);
                portion = next_portion(portion, done.took);
                PAUSE.max(done.took * REST)
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

/// The size of the next portion, from the size of the last one and the time that it took.
fn next_portion(portion: u32, took: Duration) -> u32 {
    let next = if took > PORTION_TIME { portion / 2 } else { portion + PORTION_STEP };
    next.clamp(MIN_PORTION, MAX_PORTION)
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_follow_the_time_that_they_take() {
        let fast = (0..100).fold(MIN_PORTION, |portion, _| next_portion(portion, PORTION_TIME));
        assert_eq!(fast, MAX_PORTION);
        assert_eq!(next_portion(fast, PORTION_TIME * 2), MAX_PORTION / 2);
        let slow = (0..10).fold(fast, |portion, _| next_portion(portion, PORTION_TIME * 2));
        assert_eq!(slow, MIN_PORTION);
    }
}
