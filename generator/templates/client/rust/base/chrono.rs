//! Conversions from and to the types of `chrono`. Its times are cut to milliseconds.

use super::values::{Date, FormError, Time, Timestamp};
use ::chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeZone, Timelike, Utc};

impl<Z: TimeZone> TryFrom<DateTime<Z>> for Timestamp {
    type Error = FormError;

    /// Fails beyond the years from -9999 to 9999.
    fn try_from(moment: DateTime<Z>) -> Result<Self, FormError> {
        Self::from_millis(moment.timestamp_millis()).ok_or_else(|| FormError::new(&moment.to_utc().to_string(), "a timestamp in UTC"))
    }
}

impl From<Timestamp> for DateTime<Utc> {
    fn from(moment: Timestamp) -> Self {
        // the years of a timestamp are within those of `chrono`
        Self::from_timestamp_millis(moment.millis()).unwrap_or_default()
    }
}

impl TryFrom<NaiveDate> for Date {
    type Error = FormError;

    /// Fails beyond the years from -9999 to 9999.
    fn try_from(day: NaiveDate) -> Result<Self, FormError> {
        let ordinal = u16::try_from(day.ordinal()).ok();
        let found = ordinal.and_then(|ordinal| time::Date::from_ordinal_date(day.year(), ordinal).ok());
        found.map(Self::from).ok_or_else(|| FormError::new(&day.to_string(), "a date"))
    }
}

impl From<Date> for NaiveDate {
    fn from(day: Date) -> Self {
        let day = time::Date::from(day);
        // the years of a date are within those of `chrono`
        Self::from_yo_opt(day.year(), day.ordinal().into()).unwrap_or_default()
    }
}

/// A leap second is the last millisecond of its minute.
impl From<NaiveTime> for Time {
    fn from(time: NaiveTime) -> Self {
        let [hour, minute, second] = [time.hour(), time.minute(), time.second()].map(|part| part.to_le_bytes()[0]);
        let milli = u16::try_from(time.nanosecond() / 1_000_000).unwrap_or(999).min(999);
        time::Time::from_hms_milli(hour, minute, second, milli).unwrap_or(time::Time::MIDNIGHT).into()
    }
}

impl From<Time> for NaiveTime {
    fn from(time: Time) -> Self {
        let (hour, minute, second, milli) = time::Time::from(time).as_hms_milli();
        Self::from_hms_milli_opt(hour.into(), minute.into(), second.into(), milli.into()).unwrap_or_default()
    }
}
