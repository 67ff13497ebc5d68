//! The number of requests in a time: `600/PT1M`.

use restwell_model::scalar::IsoDuration;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// The longest window.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Requests in a window; all of them may come at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quota {
    /// How many.
    pub(crate) requests: NonZeroU32,
    /// In which time.
    pub(crate) window: Duration,
}

impl Quota {
    /// A number of requests per day.
    pub(crate) const fn per_day(requests: NonZeroU32) -> Self {
        Self { requests, window: LONGEST }
    }

    /// The time after which there is one more.
    pub(crate) fn interval(self) -> Duration {
        (self.window / self.requests.get()).max(Duration::from_nanos(1))
    }

    /// The time until the whole quota is available again, from what remains.
    pub(super) fn until_full(self, remaining: u32) -> Duration {
        self.interval().saturating_mul(self.requests.get().saturating_sub(remaining))
    }
}

impl FromStr for Quota {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let (requests, window) = text.split_once('/')?;
            let window = IsoDuration::parse(window)?.to_std()?;
            let requests = requests.parse().ok()?;
            (!window.is_zero() && window <= LONGEST).then_some(Self { requests, window })
        };
        parse().ok_or_else(|| "not a number of requests in a time of at most a day, like 600/PT1M".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotas() {
        let quota: Quota = "600/PT1M".parse().unwrap();
        assert_eq!((quota.requests.get(), quota.window), (600, Duration::from_secs(60)));
        assert_eq!(quota.interval(), Duration::from_millis(100));
        assert_eq!(quota.until_full(590), Duration::from_secs(1));
        for bad in ["", "600", "0/PT1M", "-1/PT1M", "600/PT0S", "600/P2D", "600/minute", "x/PT1M"] {
            assert!(bad.parse::<Quota>().is_err(), "{bad}");
        }
    }
}
