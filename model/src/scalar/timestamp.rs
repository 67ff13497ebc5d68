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
    /// [`TimestampFault::NotUtc`] if only the zone is wrong, otherwise [`TimestampFault::Malformed`].
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

    /// The time this number of milliseconds after the Unix epoch; `None` outside the years 0001 to 9999.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::format_description::well_known::Iso8601;
    use time::format_description::well_known::iso8601::{Config, EncodedConfig, TimePrecision};
    use time::macros::datetime;

    const MILLIS: EncodedConfig = Config::DEFAULT
        .set_time_precision(TimePrecision::Second { decimal_digits: std::num::NonZeroU8::new(3) })
        .encode();

    #[test]
    fn a_form_of_2_4_3_is_read_and_written_back() {
        for text in ["0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"] {
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Timestamp::parse("1970-01-01T00:00:00.000Z").unwrap().millis(), 0);
    }

    #[test]
    fn another_zone_has_its_own_error() {
        for zone in ["", "z", "+01:00", "-0500", "+00:00", "-03", "+23:59"] {
            let text = format!("2024-02-29T13:45:00.123{zone}");
            assert_eq!(Timestamp::parse(&text), Err(TimestampFault::NotUtc), "{text}");
        }
    }

    #[test]
    fn everything_else_is_malformed() {
        let texts = [
            "",
            "2024-02-29",
            "2024-02-29T13:45:00Z",
            "2024-02-29T13:45:00.12Z",
            "2024-02-29T13:45:00.1234Z",
            "2024-02-29T13:45:00,123Z",
            "2024-02-29 13:45:00.123Z",
            "2024-02-29t13:45:00.123Z",
            "2024-02-29T13:45:00.123ZZ",
            "2024-02-29T13:45:00.123 Z",
            "2024-02-29T13:45:00.123+24:00",
            "2024-02-29T13:45:00.123+1:00",
            "2024-02-29T13:45:00.123+01:60",
            "2023-02-29T13:45:00.123Z",
            "0000-01-01T00:00:00.000Z",
            "10000-01-01T00:00:00.000Z",
            "+2024-02-29T13:45:00.123Z",
            "2024-02-29T24:00:00.000Z",
            "2016-12-31T23:59:60.000Z",
            "2024-02-29T13:45:00.12３Z",
        ];
        for text in texts {
            assert_eq!(Timestamp::parse(text), Err(TimestampFault::Malformed), "{text}");
        }
    }

    #[test]
    fn the_years_are_bounded() {
        assert_eq!(Timestamp::MIN.to_string(), "0001-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::MAX.to_string(), "9999-12-31T23:59:59.999Z");
        assert_eq!(Timestamp::from_millis(Timestamp::MIN.millis() - 1), None);
        assert_eq!(Timestamp::from_millis(Timestamp::MAX.millis() + 1), None);
        assert_eq!(Timestamp::try_from(datetime!(0000-12-31 23:59:59.999999999 UTC)), Err(OutOfYears));
    }

    #[test]
    fn what_is_below_a_millisecond_is_cut_off_before_1970_too() {
        let cut = |moment| Timestamp::try_from(moment).unwrap().to_string();
        assert_eq!(cut(datetime!(2024-02-29 13:45:00.123999 UTC)), "2024-02-29T13:45:00.123Z");
        assert_eq!(cut(datetime!(1969-12-31 23:59:59.998001 UTC)), "1969-12-31T23:59:59.998Z");
        assert_eq!(cut(datetime!(2024-02-29 13:45:00.5 +01:00)), "2024-02-29T12:45:00.500Z");
    }

    #[test]
    fn the_clock_is_right() {
        let now = Timestamp::now().millis();
        assert!((OffsetDateTime::now_utc().unix_timestamp() - now / 1000).abs() <= 1);
    }

    #[test]
    fn serde_takes_the_text() {
        let json = r#""2024-02-29T13:45:00.123Z""#;
        let timestamp: Timestamp = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&timestamp).unwrap(), json);
        let fault = serde_json::from_str::<Timestamp>(r#""today""#).unwrap_err().to_string();
        assert!(fault.contains("expected a UTC timestamp like"), "{fault}");
    }

    proptest! {
        #[test]
        fn the_time_crate_reads_and_writes_the_same(millis in Timestamp::MIN.0..=Timestamp::MAX.0) {
            let timestamp = Timestamp(millis);
            let moment = OffsetDateTime::from(timestamp);
            let text = moment.format(&Iso8601::<MILLIS>).unwrap();
            prop_assert_eq!(&timestamp.to_string(), &text);
            prop_assert_eq!(Timestamp::parse(&text), Ok(timestamp));
            prop_assert_eq!(OffsetDateTime::parse(&text, &Iso8601::DEFAULT).unwrap(), moment);
            prop_assert_eq!(Timestamp::try_from(moment), Ok(timestamp));
        }

        #[test]
        fn what_is_read_is_written_back(text in "[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]\\.[0-9]{3}Z") {
            let ours = Timestamp::parse(&text).ok();
            prop_assert!(ours.is_none_or(|timestamp| timestamp.to_string() == text));
            let theirs = OffsetDateTime::parse(&text, &Iso8601::DEFAULT).ok().filter(|moment| moment.year() > 0);
            // The other parser takes 24:00 and leap seconds as the last moment of the day.
            let is_of_the_day = &text[11..13] < "24" && &text[17..19] < "60";
            prop_assert_eq!(ours.map(OffsetDateTime::from), theirs.filter(|_| is_of_the_day));
        }
    }
}
