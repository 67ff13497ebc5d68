//! The service's clock, so that tests can set it.

use restwell_model::scalar::Timestamp;
use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the current time.
#[derive(Clone)]
pub(crate) struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The time that it is.
    pub(crate) fn system() -> Self {
        Self(Arc::new(Timestamp::now))
    }

    /// The time that a function returns.
    pub(crate) fn of(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Now.
    pub(crate) fn now(&self) -> Timestamp {
        (self.0)()
    }

    /// Refuses a time before 1970, which reads as its first millisecond: what is created then would have wrong ids and
    /// times, and no token would be valid yet.
    ///
    /// # Errors
    ///
    /// A sentence for the log.
    pub(crate) fn is_set(&self) -> Result<(), String> {
        if self.now().millis() > 0 { Ok(()) } else { Err(format!("{NOT_SET}; set it")) }
    }
}

/// Why a clock is refused.
const NOT_SET: &str = "the system's clock is set to a time before 1970";

/// Refuses a clock that is set before 1970: version 7 ids count from there.
///
/// # Errors
///
/// A sentence for people.
pub(crate) fn check(now: SystemTime) -> Result<(), String> {
    let refused = |_| format!("{NOT_SET}; set it, then start the service again");
    now.duration_since(UNIX_EPOCH).map(|_| ()).map_err(refused)
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_clock_that_leaves_for_a_time_before_1970_is_noticed() {
        let at = |millis| Clock::of(move || Timestamp::from_millis(millis).unwrap_or(Timestamp::MAX));
        assert!(Clock::system().is_set().is_ok() && at(1).is_set().is_ok());
        // the system's clock has no time before 1970 itself
        assert!(at(0).is_set().is_err() && at(-1).is_set().unwrap_err().contains("before 1970"));
    }

    #[test]
    fn a_clock_before_1970_is_refused() {
        assert!(check(UNIX_EPOCH).is_ok());
        assert!(check(SystemTime::now()).is_ok());
        assert!(check(UNIX_EPOCH - Duration::from_millis(1)).unwrap_err().contains("before 1970"));
    }
}
