//! Arithmetic of timestamps and dates with both types of durations, [`std::time::Duration`] and [`time::Duration`], and
//! with those of the language.
//!
//! The operators do not panic: a sum outside the years 0001 to 9999 is their first or last moment. `checked_add` and
//! `checked_sub` tell it.

use super::date::MILLIS_A_DAY;
use super::{Date, IsoDuration, Timestamp};
use std::ops::{Add, AddAssign, Sub, SubAssign};
use time::Duration;

impl Timestamp {
    /// The time this much later, to the millisecond; `None` outside the years 0001 to 9999.
    #[must_use]
    pub fn checked_add(self, duration: Duration) -> Option<Self> {
        let millis = i64::try_from(duration.whole_milliseconds()).ok()?;
        Self::from_millis(self.millis().checked_add(millis)?)
    }

    /// The time this much earlier, to the millisecond; `None` outside the years 0001 to 9999.
    #[must_use]
    pub fn checked_sub(self, duration: Duration) -> Option<Self> {
        let millis = i64::try_from(duration.whole_milliseconds()).ok()?;
        Self::from_millis(self.millis().checked_sub(millis)?)
    }
}

impl Timestamp {
    /// The time a duration later. Years and months go first, to the same day of their month or to its last; `None`
    /// outside the years 0001 to 9999, and for fractions of years and months, which have no length.
    ///
    /// ```
    /// # use restwell_model::scalar::{IsoDuration, Timestamp};
    /// let start: Timestamp = "2027-01-31T12:00:00.000Z".parse()?;
    /// let month: IsoDuration = "P1M".parse()?;
    /// assert_eq!(start.plus(&month).map(|end| end.to_string()).as_deref(), Some("2027-02-28T12:00:00.000Z"));
    /// assert_eq!(start.minus(&"PT36H".parse()?), Some("2027-01-30T00:00:00.000Z".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn plus(self, duration: &IsoDuration) -> Option<Self> {
        shifted(duration, 1, |months, millis| self.shift(months, millis))
    }

    /// The time a duration earlier, as [`plus`](Self::plus).
    #[must_use]
    pub fn minus(self, duration: &IsoDuration) -> Option<Self> {
        shifted(duration, -1, |months, millis| self.shift(months, millis))
    }

    /// Months later, to the same day of their month or to its last, and then milliseconds; earlier if they are
    /// negative.
    pub(crate) fn shift(self, months: i64, millis: i64) -> Option<Self> {
        let days = self.date().shift_months(months)?.days() - self.date().days();
        Self::from_millis(self.millis().checked_add(days.checked_mul(MILLIS_A_DAY)?)?.checked_add(millis)?)
    }
}

impl Date {
    /// The date a duration later, by whole days: what is less than a day does not count. Years and months go first, to
    /// the same day of their month or to its last; `None` outside the years 0001 to 9999, and for fractions of years
    /// and months, which have no length.
    ///
    /// ```
    /// # use restwell_model::scalar::Date;
    /// let date: Date = "2028-02-29".parse()?;
    /// assert_eq!(date.plus(&"P1Y".parse()?).map(|date| date.to_string()).as_deref(), Some("2029-02-28"));
    /// assert_eq!(date.minus(&"P29DT12H".parse()?).map(|date| date.to_string()).as_deref(), Some("2028-01-31"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn plus(self, duration: &IsoDuration) -> Option<Self> {
        shifted(duration, 1, |months, millis| self.shift(months, millis))
    }

    /// The date a duration earlier, as [`plus`](Self::plus).
    #[must_use]
    pub fn minus(self, duration: &IsoDuration) -> Option<Self> {
        shifted(duration, -1, |months, millis| self.shift(months, millis))
    }

    /// The days to another date; negative if that is earlier.
    ///
    /// ```
    /// # use restwell_model::scalar::Date;
    /// let (arrival, departure): (Date, Date) = ("2026-12-24".parse()?, "2027-01-02".parse()?);
    /// assert_eq!(arrival.days_until(departure), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn days_until(self, other: Self) -> i64 {
        other.days() - self.days()
    }

    /// The same for a date, by whole days: what is less than a day does not count.
    pub(crate) fn shift(self, months: i64, millis: i64) -> Option<Self> {
        Self::from_days(self.shift_months(months)?.days().checked_add(millis / MILLIS_A_DAY)?)
    }
}

/// What is a duration later, or earlier with the sign -1; `None` for a duration that has no length.
fn shifted<T>(duration: &IsoDuration, sign: i64, shift: impl FnOnce(i64, i64) -> Option<T>) -> Option<T> {
    let (months, millis) = duration.months_and_millis()?;
    shift(sign * months, sign * millis)
}

/// The time between two timestamps; negative if the second one is later.
impl Sub for Timestamp {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        Duration::milliseconds(self.millis() - earlier.millis())
    }
}

impl Date {
    /// The date this many whole days later; `None` outside the years 0001 to 9999.
    #[must_use]
    pub fn checked_add(self, duration: Duration) -> Option<Self> {
        Self::from_days(self.days().checked_add(duration.whole_days())?)
    }

    /// The date this many whole days earlier; `None` outside the years 0001 to 9999.
    #[must_use]
    pub fn checked_sub(self, duration: Duration) -> Option<Self> {
        Self::from_days(self.days().checked_sub(duration.whole_days())?)
    }
}

/// The days between two dates; negative if the second one is later.
impl Sub for Date {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        Duration::days(self.days() - earlier.days())
    }
}

/// A duration of the standard library; one that is too long for the other type is too long for any calendar.
fn signed(duration: std::time::Duration) -> Duration {
    Duration::try_from(duration).unwrap_or(Duration::MAX)
}

macro_rules! operators {
    ($point:ty, $duration:ty, $signed:expr) => {
        impl Add<$duration> for $point {
            type Output = Self;

            /// Stays within the years 0001 to 9999.
            fn add(self, duration: $duration) -> Self {
                let duration = $signed(duration);
                self.checked_add(duration).unwrap_or(if duration.is_negative() { Self::MIN } else { Self::MAX })
            }
        }

        impl Sub<$duration> for $point {
            type Output = Self;

            /// Stays within the years 0001 to 9999.
            fn sub(self, duration: $duration) -> Self {
                let duration = $signed(duration);
                self.checked_sub(duration).unwrap_or(if duration.is_negative() { Self::MAX } else { Self::MIN })
            }
        }

        impl AddAssign<$duration> for $point {
            fn add_assign(&mut self, duration: $duration) {
                *self = *self + duration;
            }
        }

        impl SubAssign<$duration> for $point {
            fn sub_assign(&mut self, duration: $duration) {
                *self = *self - duration;
            }
        }
    };
}

operators!(Timestamp, Duration, std::convert::identity);
operators!(Timestamp, std::time::Duration, signed);
operators!(Date, Duration, std::convert::identity);
operators!(Date, std::time::Duration, signed);

#[cfg(test)]
mod tests {
    use super::*;

    fn timestamp(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn durations_are_added_to_timestamps() {
        let noon = timestamp("2024-02-28T12:00:00.000Z");
        assert_eq!(noon + std::time::Duration::from_millis(86_400_001), timestamp("2024-02-29T12:00:00.001Z"));
        assert_eq!(noon - Duration::hours(13), timestamp("2024-02-27T23:00:00.000Z"));
        assert_eq!(noon + Duration::hours(-13), timestamp("2024-02-27T23:00:00.000Z"));
        assert_eq!(noon + Duration::hours(36) - noon, Duration::hours(36));
        assert_eq!(noon - (noon + Duration::milliseconds(1)), Duration::milliseconds(-1));
        let mut later = noon;
        later += Duration::SECOND;
        later -= std::time::Duration::from_secs(2);
        assert_eq!(noon - later, Duration::SECOND);
    }

    #[test]
    fn whole_days_are_added_to_dates() {
        let date = Date::parse("2024-02-28").unwrap();
        assert_eq!((date + Duration::days(2)).to_string(), "2024-03-01");
        assert_eq!((date + Duration::hours(47)).to_string(), "2024-02-29");
        assert_eq!((date - std::time::Duration::from_secs(86_400)).to_string(), "2024-02-27");
        assert_eq!(Date::parse("2025-02-28").unwrap() - date, Duration::days(366));
    }

    #[test]
    fn durations_of_the_language_are_added() {
        let (start, duration) = (timestamp("2027-03-31T00:00:00.000Z"), |text| IsoDuration::parse(text).unwrap());
        assert_eq!(start.minus(&duration("P1M1DT1S")), Some(timestamp("2027-02-26T23:59:59.000Z")));
        assert_eq!(start.plus(&duration("P8000Y")), None);
        assert_eq!(start.plus(&duration("P0.5M")), None);
        assert_eq!(start.date().minus(&duration("P2028Y")), None);
        assert_eq!(start.date().plus(&duration("P1MT47H")), Date::parse("2027-05-01"));
        assert_eq!(start.plus(&duration("P999999999999999999W")), None);
    }

    #[test]
    fn operators_stay_within_the_years_and_checked_ones_tell() {
        assert_eq!(Timestamp::MAX + Duration::milliseconds(1), Timestamp::MAX);
        assert_eq!(Timestamp::MAX - Duration::MIN, Timestamp::MAX);
        assert_eq!(Timestamp::MIN - std::time::Duration::MAX, Timestamp::MIN);
        assert_eq!(Timestamp::MIN + Duration::MIN, Timestamp::MIN);
        assert_eq!(Timestamp::MAX.checked_add(Duration::milliseconds(1)), None);
        assert_eq!(Timestamp::MIN.checked_sub(Duration::MAX), None);
        assert_eq!(Date::MAX + std::time::Duration::MAX, Date::MAX);
        assert_eq!(Date::MIN.checked_sub(Duration::DAY), None);
    }
}
