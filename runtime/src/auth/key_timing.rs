//! When an issuer's keys are got, and for how long they are used.

use std::time::Duration;

/// When an issuer's keys are got.
#[derive(Debug, Clone, Copy)]
pub struct KeyTiming {
    /// From the end of one attempt to the next at least.
    pub pause: Duration,
    /// From one to the next, without anybody asking.
    pub refresh: Duration,
    /// How long keys are used that cannot be got again.
    pub kept: Duration,
}

impl Default for KeyTiming {
    fn default() -> Self {
        Self {
            pause: Duration::from_secs(10),
            refresh: Duration::from_secs(5 * 60),
            kept: Duration::from_secs(24 * 60 * 60),
        }
    }
}
