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
}

/// Refuses a clock that is set before 1970: version 7 ids count from there.
///
/// # Errors
///
/// A sentence for people.
pub(crate) fn check(now: SystemTime) -> Result<(), String> {
    let message = "the system's clock is set to a time before 1970; set it, then start the service again";
    now.duration_since(UNIX_EPOCH).map(|_| ()).map_err(|_| message.to_owned())
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
    fn a_clock_before_1970_is_refused() {
        assert!(check(UNIX_EPOCH).is_ok());
        assert!(check(SystemTime::now()).is_ok());
        assert!(check(UNIX_EPOCH - Duration::from_millis(1)).unwrap_err().contains("before 1970"));
    }
}
