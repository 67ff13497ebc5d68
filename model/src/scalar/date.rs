//! A calendar date, `yyyy-MM-dd`.

use super::text_form::serde_as_text;
use super::{OutOfYears, codes, digits};
use std::fmt;
use time::Month;
use time::macros::date;

/// Milliseconds of a day.
pub(crate) const MILLIS_A_DAY: i64 = 86_400_000;

/// A date of the years 0001 to 9999, kept as days since 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(i32);

const EPOCH: time::Date = date!(1970 - 01 - 01);

impl Date {
    /// 0001-01-01.
    pub const MIN: Self = Self(date!(0001 - 01 - 01).to_julian_day() - EPOCH.to_julian_day());

    /// 9999-12-31.
    pub const MAX: Self = Self(date!(9999 - 12 - 31).to_julian_day() - EPOCH.to_julian_day());

    /// How many bytes the form has.
    pub(super) const LENGTH: usize = "yyyy-MM-dd".len();

    /// Reads exactly `yyyy-MM-dd`, and only days that the calendar has.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_bytes(text.as_bytes())
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *bytes else { return None };
        let year = i32::try_from(digits::read(&[y1, y2, y3, y4])?).ok()?;
        let month = Month::try_from(u8::try_from(digits::read(&[m1, m2])?).ok()?).ok()?;
        let day = u8::try_from(digits::read(&[d1, d2])?).ok()?;
        time::Date::from_calendar_date(year, month, day).ok()?.try_into().ok()
    }

    /// The date this number of days after 1970-01-01; `None` outside the years 0001 to 9999.
    #[must_use]
    pub fn from_days(days: i64) -> Option<Self> {
        let date = Self(i32::try_from(days).ok()?);
        (Self::MIN..=Self::MAX).contains(&date).then_some(date)
    }

    /// The same day this number of months later, or the last day of a shorter month; `None` after the year 9999.
    #[must_use]
    pub fn plus_months(self, months: u32) -> Option<Self> {
        self.shift_months(i64::from(months))
    }

    /// The same day this number of months later, or earlier if it is negative; the last day of a shorter month. `None`
    /// outside the years 0001 to 9999.
    #[must_use]
    pub fn shift_months(self, months: i64) -> Option<Self> {
        let (year, month, day) = time::Date::from(self).to_calendar_date();
        let month = (i64::from(year) * 12 + i64::from(u8::from(month)) - 1).checked_add(months)?;
        let year = i32::try_from(month.div_euclid(12)).ok()?;
        let month = Month::try_from(u8::try_from(month.rem_euclid(12)).ok()? + 1).ok()?;
        let day = day.min(month.length(year));
        time::Date::from_calendar_date(year, month, day).ok()?.try_into().ok()
    }

    /// Days since 1970-01-01.
    #[must_use]
    pub fn days(self) -> i64 {
        i64::from(self.0)
    }

    /// Appends `yyyy-MM-dd`.
    pub fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bytes());
    }

    pub(super) fn to_bytes(self) -> [u8; Self::LENGTH] {
        let (year, month, day) = time::Date::from(self).to_calendar_date();
        let mut bytes = *b"yyyy-MM-dd";
        digits::fill(&mut bytes[0..4], year.unsigned_abs());
        digits::fill(&mut bytes[5..7], u32::from(u8::from(month)));
        digits::fill(&mut bytes[8..10], u32::from(day));
        bytes
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(codes::text(&self.to_bytes()))
    }
}

serde_as_text!(Date, "a date like 2024-02-29", Date::parse);

impl From<Date> for time::Date {
    fn from(date: Date) -> Self {
        EPOCH.saturating_add(time::Duration::days(date.days()))
    }
}

impl TryFrom<time::Date> for Date {
    type Error = OutOfYears;

    fn try_from(date: time::Date) -> Result<Self, OutOfYears> {
        Self::from_days(i64::from(date.to_julian_day() - EPOCH.to_julian_day())).ok_or(OutOfYears)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_days_of_the_calendar_are_read() {
        for text in ["0001-01-01", "1900-02-28", "2000-02-29", "2024-02-29", "9999-12-31"] {
            assert_eq!(Date::parse(text).unwrap().to_string(), text);
        }
        let others = [
            "",
            "0000-12-31",
            "1900-02-29",
            "2023-02-29",
            "2024-00-10",
            "2024-13-01",
            "2024-04-31",
            "2024-1-01",
            "2024-01-00",
            "20240101",
            "2024/01/01",
            "2024-01-01Z",
            " 2024-01-01",
            "-024-01-01",
            "2024-01-0１",
        ];
        for text in others {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_years_are_bounded() {
        assert_eq!(Date::MIN.to_string(), "0001-01-01");
        assert_eq!(Date::MAX.to_string(), "9999-12-31");
        for days in [Date::MIN.days() - 1, Date::MAX.days() + 1, i64::MIN, i64::MAX] {
            assert_eq!(Date::from_days(days), None);
        }
    }

    proptest! {
        #[test]
        fn days_and_text_are_the_same_date(days in Date::MIN.days()..=Date::MAX.days()) {
            let date = Date::from_days(days).unwrap();
            prop_assert_eq!(date.days(), days);
            prop_assert_eq!(Date::parse(&date.to_string()), Some(date));
            prop_assert_eq!(time::Date::from(date).to_string(), date.to_string());
            prop_assert_eq!(Date::try_from(time::Date::from(date)), Ok(date));
        }
    }
}
