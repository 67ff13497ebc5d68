//! When a call is tried again, and after which pause.

use std::time::Duration;
use uuid::Uuid;

/// How often and how long a call is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retries {
    /// How often a call is sent at most; 1: never again.
    pub tries: u32,
    /// How long one try may take.
    pub timeout: Duration,
    /// How long a call may take with all its tries and pauses.
    pub deadline: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { tries: 3, timeout: Duration::from_secs(30), deadline: Duration::from_secs(120) }
    }
}

impl Retries {
    /// One try only.
    #[must_use]
    pub fn never() -> Self {
        Self { tries: 1, ..Self::default() }
    }

    /// With another number of tries.
    #[must_use]
    pub const fn tries(mut self, tries: u32) -> Self {
        self.tries = tries;
        self
    }

    /// With another time for one try.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// With another time for the whole call.
    #[must_use]
    pub const fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }
}

/// The longest pause that doubling leads to.
const LONGEST: Duration = Duration::from_secs(5);

/// The longest pause before a stream is opened again.
#[cfg(feature = "events")]
const LONGEST_RECONNECT: Duration = Duration::from_secs(30);

/// The pause before the next try: what the service asks for, else 100 ms, doubled with each try, and varied so that
/// clients that failed together do not come back together.
pub(super) fn pause(tried: u32, retry_after: Option<Duration>) -> Duration {
    retry_after.unwrap_or_else(|| varied(doubled(Duration::from_millis(100), tried).min(LONGEST)))
}

/// The pause before a stream is opened again.
#[cfg(feature = "events")]
pub(super) fn reconnect_pause(failed: u32) -> Duration {
    varied(doubled(Duration::from_millis(500), failed).min(LONGEST_RECONNECT))
}

fn doubled(first: Duration, times: u32) -> Duration {
    first.saturating_mul(2_u32.saturating_pow(times.saturating_sub(1)))
}

/// The pause before the next look at a command.
pub(super) fn poll_pause(looked: u32, retry_after: Option<Duration>) -> Duration {
    let grown = Duration::from_millis(100).mul_f64(1.6_f64.powi(looked.min(20).cast_signed()));
    retry_after.unwrap_or_else(|| varied(grown.min(LONGEST)))
}

/// Between half of it and all of it.
fn varied(pause: Duration) -> Duration {
    let [random, ..] = Uuid::new_v4().into_bytes();
    pause.mul_f64(0.5 + f64::from(random) / 510.0)
}

/// Whether another try of a call that may be repeated makes sense after this status.
pub(super) const fn is_passing(status: u16) -> bool {
    matches!(status, 429 | 502..=504)
}
