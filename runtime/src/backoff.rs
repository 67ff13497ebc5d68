//! Random pauses, so that clients that failed together do not retry together.

use std::time::Duration;
use uuid::Uuid;

/// Some share of a time, by chance: any between none and all of it.
pub(crate) fn full_jitter(time: Duration) -> Duration {
    // version 4 UUIDs are random numbers
    time.mul_f64(f64::from(Uuid::new_v4().as_fields().0) / f64::from(u32::MAX))
}

/// At least half of a time.
pub(crate) fn equal_jitter(time: Duration) -> Duration {
    time / 2 + full_jitter(time / 2)
}
