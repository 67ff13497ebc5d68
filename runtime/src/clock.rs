//! The service's clock, so that tests can set it.

use restwell_model::scalar::Timestamp;
use std::fmt;
use std::sync::Arc;

/// Tells the time.
#[derive(Clone)]
pub(crate) struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The time that it is.
    pub(crate) fn system() -> Self {
        Self(Arc::new(Timestamp::now))
    }

    /// The time that a function tells.
    pub(crate) fn of(tell: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// Now.
    pub(crate) fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
