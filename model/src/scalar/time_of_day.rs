//! A time without a date or a zone, `HH:mm:ss.SSS` (§2.4.4).

use super::text_form::serde_as_text;
use super::{codes, digits};
use std::fmt;

/// A time of day, kept as milliseconds since midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u32);

/// Milliseconds of a day, which never has a leap second here.
pub(super) const DAY: u32 = 24 * HOUR;
const HOUR: u32 = 60 * MINUTE;
const MINUTE: u32 = 60 * SECOND;
const SECOND: u32 = 1000;

impl Time {
    /// Midnight.
    pub const MIN: Self = Self(0);

    /// The last millisecond of the day.
    pub const MAX: Self = Self(DAY - 1);

    /// How many bytes the form has.
    pub(super) const LENGTH: usize = "HH:mm:ss.SSS".len();

    /// Reads exactly `HH:mm:ss.SSS`: no leap second, no 24:00.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_bytes(text.as_bytes())
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let [h1, h2, b':', m1, m2, b':', s1, s2, b'.', f1, f2, f3] = *bytes else { return None };
        let hour = digits::read(&[h1, h2]).filter(|&hour| hour < 24)?;
        let minute = digits::read(&[m1, m2]).filter(|&minute| minute < 60)?;
        let second = digits::read(&[s1, s2]).filter(|&second| second < 60)?;
        Some(Self(hour * HOUR + minute * MINUTE + second * SECOND + digits::read(&[f1, f2, f3])?))
    }

    /// The time this number of milliseconds after midnight; `None` outside the day.
    #[must_use]
    pub fn from_millis(millis: i64) -> Option<Self> {
        u32::try_from(millis).ok().filter(|&millis| millis < DAY).map(Self)
    }

    /// Milliseconds since midnight.
    #[must_use]
    pub fn millis(self) -> i64 {
        i64::from(self.0)
    }

    /// Appends `HH:mm:ss.SSS`.
    pub fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bytes());
    }

    pub(super) fn to_bytes(self) -> [u8; Self::LENGTH] {
        let mut bytes = *b"HH:mm:ss.SSS";
        digits::fill(&mut bytes[0..2], self.0 / HOUR);
        digits::fill(&mut bytes[3..5], self.0 / MINUTE % 60);
        digits::fill(&mut bytes[6..8], self.0 / SECOND % 60);
        digits::fill(&mut bytes[9..12], self.0 % SECOND);
        bytes
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(codes::text(&self.to_bytes()))
    }
}

serde_as_text!(Time, "a time like 13:45:00.000", Time::parse);

impl From<Time> for time::Time {
    fn from(time: Time) -> Self {
        Self::MIDNIGHT + time::Duration::milliseconds(time.millis())
    }
}

/// Cuts off what is below the millisecond.
impl From<time::Time> for Time {
    fn from(time: time::Time) -> Self {
        let (hour, minute, second, milli) = time.as_hms_milli();
        Self(u32::from(hour) * HOUR + u32::from(minute) * MINUTE + u32::from(second) * SECOND + u32::from(milli))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn exactly_the_form_of_2_4_4_is_read() {
        for text in ["00:00:00.000", "09:05:03.007", "23:59:59.999"] {
            assert_eq!(Time::parse(text).unwrap().to_string(), text);
        }
        let others = [
            "",
            "24:00:00.000",
            "23:60:00.000",
            "23:59:60.000",
            "9:05:03.007",
            "09:05:03",
            "09:05:03.07",
            "09:05",
            "09:05:03.0070",
            "09:05:03,007",
            "09:05:03.007Z",
            "09.05.03.007",
            "-9:05:03.007",
            "09:05:03.00７",
        ];
        for text in others {
            assert_eq!(Time::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_day_has_24_hours() {
        assert_eq!(Time::from_millis(0), Some(Time::MIN));
        assert_eq!(Time::from_millis(86_399_999), Some(Time::MAX));
        assert_eq!(Time::from_millis(86_400_000), None);
        assert_eq!(Time::from_millis(-1), None);
    }

    proptest! {
        #[test]
        fn millis_and_text_are_the_same_time(millis in 0..i64::from(DAY)) {
            let time = Time::from_millis(millis).unwrap();
            prop_assert_eq!(time.millis(), millis);
            prop_assert_eq!(Time::parse(&time.to_string()), Some(time));
            prop_assert_eq!(Time::from(time::Time::from(time)), time);
        }
    }
}
