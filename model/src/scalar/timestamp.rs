//! A point in time, `yyyy-MM-ddTHH:mm:ss.SSSZ`, in UTC only (§2.4.3).

use super::text_form::serde_as_text;
use super::time_of_day::DAY;
use super::{Date, OutOfYears, Time, codes, digits};
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};
use time::OffsetDateTime;

/// A point in time of the years 0001 to 9999, kept as milliseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// What keeps a text from being a [`Timestamp`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimestampFault {
    /// A date and time as they should be, but followed by an offset, by a lower-case `z` or by no zone at all.
    NotUtc,
    /// Not of the form, or no day of the calendar.
    Malformed,
}

const DAY_MILLIS: i64 = DAY as i64;

/// `yyyy-MM-ddTHH:mm:ss.SSSZ`: where its `T` and its `Z` stand.
const T: usize = Date::LENGTH;
const Z: usize = T + 1 + Time::LENGTH;

impl Timestamp {
    /// 0001-01-01T00:00:00.000Z.
    pub const MIN: Self = Self(-62_135_596_800_000);

    /// 9999-12-31T23:59:59.999Z.
    pub const MAX: Self = Self(253_402_300_799_999);

    /// Reads exactly `yyyy-MM-ddTHH:mm:ss.SSSZ`: no leap second, no 24:00, and only days that the calendar has.
    ///
    /// # Errors
    ///
    /// [`TimestampFault::NotUtc`] where only the zone is wrong, else [`TimestampFault::Malformed`].
    pub fn parse(text: &str) -> Result<Self, TimestampFault> {
        let (local, zone) = text.as_bytes().split_at_checked(Z).ok_or(TimestampFault::Malformed)?;
        let millis = local_millis(local).ok_or(TimestampFault::Malformed)?;
        match zone {
            b"Z" => Ok(Self(millis)),
            b"" | b"z" => Err(TimestampFault::NotUtc),
            _ if is_offset(zone) => Err(TimestampFault::NotUtc),
            _ => Err(TimestampFault::Malformed),
        }
    }

    /// The point so many milliseconds after the Unix epoch; `None` outside the years 0001 to 9999.
    #[must_use]
    pub fn from_millis(millis: i64) -> Option<Self> {
        (Self::MIN.0..=Self::MAX.0).contains(&millis).then_some(Self(millis))
    }

    /// Milliseconds since the Unix epoch.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.0
    }

    /// The system's clock. One that is set before 1970 or after 9999 reads as the nearer of the two.
    #[must_use]
    pub fn now() -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since_epoch.as_millis()).ok().and_then(Self::from_millis).unwrap_or(Self::MAX)
    }

    /// Appends `yyyy-MM-ddTHH:mm:ss.SSSZ`.
    pub fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bytes());
    }

    fn to_bytes(self) -> [u8; Z + 1] {
        let mut bytes = *b"yyyy-MM-ddTHH:mm:ss.SSSZ";
        bytes[..T].copy_from_slice(&self.date().to_bytes());
        bytes[T + 1..Z].copy_from_slice(&self.time().to_bytes());
        bytes
    }

    /// Its date in UTC.
    #[must_use]
    pub fn date(self) -> Date {
        // Division cannot leave the years that the timestamp is in.
        Date::from_days(self.0.div_euclid(DAY_MILLIS)).unwrap_or(Date::MAX)
    }

    /// Its time of day in UTC.
    #[must_use]
    pub fn time(self) -> Time {
        Time::from_millis(self.0.rem_euclid(DAY_MILLIS)).unwrap_or(Time::MAX)
    }
}

/// `yyyy-MM-ddTHH:mm:ss.SSS` as milliseconds since the epoch.
fn local_millis(bytes: &[u8]) -> Option<i64> {
    let date = Date::from_bytes(&bytes[..T])?;
    let time = Time::from_bytes(&bytes[T + 1..])?;
    (bytes[T] == b'T').then(|| date.days() * DAY_MILLIS + time.millis())
}

/// `+01:00`, `-0500`, `+01`.
fn is_offset(zone: &[u8]) -> bool {
    let below = |limit: u32, digits: [u8; 2]| digits::read(&digits).is_some_and(|number| number < limit);
    match *zone {
        [b'+' | b'-', h1, h2] => below(24, [h1, h2]),
        [b'+' | b'-', h1, h2, m1, m2] | [b'+' | b'-', h1, h2, b':', m1, m2] => {
            below(24, [h1, h2]) && below(60, [m1, m2])
        }
        _ => false,
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(codes::text(&self.to_bytes()))
    }
}

serde_as_text!(Timestamp, "a UTC timestamp like 2024-02-29T13:45:00.000Z", |text| Timestamp::parse(text).ok());

impl From<Timestamp> for OffsetDateTime {
    fn from(timestamp: Timestamp) -> Self {
        Self::UNIX_EPOCH.saturating_add(time::Duration::milliseconds(timestamp.millis()))
    }
}

/// Cuts off what is below the millisecond.
impl TryFrom<OffsetDateTime> for Timestamp {
    type Error = OutOfYears;

    fn try_from(moment: OffsetDateTime) -> Result<Self, OutOfYears> {
        let millis = moment.unix_timestamp_nanos().div_euclid(1_000_000);
        i64::try_from(millis).ok().and_then(Self::from_millis).ok_or(OutOfYears)
    }
}
