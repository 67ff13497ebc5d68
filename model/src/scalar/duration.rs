//! An ISO 8601 duration, kept as it was written.
//!
//! `PT36H` and `P1DT12H` are both valid and stay what they are: the client may care which one it was, and
//! with years and months a duration has no fixed length anyway.

use super::Timestamp;
use crate::error::ErrorCode;
use crate::language::{Characters, CheckedText, ScalarType, TextExamples, TextShape, Type};
use std::fmt;
use std::time::Duration;

/// An ISO 8601 duration: no sign, upper case, weeks alone, a fraction in the smallest unit only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IsoDuration(Box<str>);

/// How many digits a component may have, before and after the dot together.
const MAX_DIGITS: usize = 18;

/// At least one part, and weeks alone.
const DURATION_PATTERN: &str = "^P(?=[0-9T])([0-9.]+W|([0-9.]+Y)?([0-9.]+M)?([0-9.]+D)?\
                                (T(?=[0-9])([0-9.]+H)?([0-9.]+M)?([0-9.]+S)?)?)$";

/// Its row in the language.
pub(crate) static SCALAR_TYPE: ScalarType = ScalarType::checked_text(
    ("duration", "An ISO 8601 duration, stored as written: `P14D`."),
    Type::Duration,
    "IsoDuration",
    CheckedText {
        canonical: |text| IsoDuration::parse(text).map(|duration| duration.to_string()),
        error: ErrorCode::InvalidDuration,
    },
    TextExamples {
        schema: "IsoDuration",
        pattern: DURATION_PATTERN,
        note: Some("ISO 8601: weeks alone, a fraction in the smallest unit only."),
        example: "P14D",
        samples: &["PT30M", "PT2H", "P1D", "P3D", "P1W", "P14D", "P1M"],
        shape: TextShape { prefix: "P", characters: Characters::Visible, length: (2, None) },
    },
)
.without_order("durations have no order: a month can be longer or shorter than 30 days");

impl IsoDuration {
    /// Reads forms like `P2W`, `P1Y2M3D`, `PT1H30M`, `P1DT0.5S`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Extent::of(text).map(|_| Self(text.into()))
    }

    /// The text as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its length, a day being 24 hours; `None` with years or months, whose length varies, and past what the other
    /// type holds. What is below the nanosecond is cut off.
    #[must_use]
    pub fn to_std(&self) -> Option<Duration> {
        let Extent { months: Some(0), has_calendar_units: false, nanos } = Extent::of(&self.0)? else { return None };
        let seconds = u64::try_from(nanos / NANOS).ok()?;
        Some(Duration::new(seconds, (nanos % NANOS) as u32))
    }

    /// Whole months, years among them, and the rest in milliseconds, cut off below them; `None` for fractions of years
    /// and months, which have no length, and past 64 bits.
    #[must_use]
    pub fn months_and_millis(&self) -> Option<(i64, i64)> {
        let Extent { months, nanos, .. } = Extent::of(&self.0)?;
        Some((i64::from(months?), i64::try_from(nanos / (NANOS / 1000)).ok()?))
    }

    /// The time this long after another. Years and months go first, to the same day of their month or, where that has
    /// none, to its last; `None` past the year 9999, and for fractions of years and months, which have no length.
    #[must_use]
    pub fn after(&self, start: Timestamp) -> Option<Timestamp> {
        start.plus(self)
    }
}

const NANOS: u128 = 1_000_000_000;

/// A unit: its letter, and its length in seconds where it has a fixed one.
type Unit = (u8, Option<u128>);

const WEEK: &[Unit] = &[(b'W', Some(7 * 86_400))];
const DATE: &[Unit] = &[(b'Y', None), (b'M', None), (b'D', Some(86_400))];
const TIME: &[Unit] = &[(b'H', Some(3_600)), (b'M', Some(60)), (b'S', Some(1))];

/// What a duration adds up to.
struct Extent {
    /// Whole months, those of years among them; `None` where there is a fraction of one.
    months: Option<u32>,
    has_calendar_units: bool,
    nanos: u128,
}

impl Extent {
    fn of(text: &str) -> Option<Self> {
        let body = text.strip_prefix('P')?;
        let (date, time) = match body.split_once('T') {
            Some((date, time)) => (date, Some(time)),
            None => (body, None),
        };
        let units = if date.ends_with('W') { WEEK } else { DATE };
        let has_parts = time.map_or(!date.is_empty(), |time| !time.is_empty());
        let weeks_are_alone = units != WEEK || time.is_none();
        if !has_parts || !weeks_are_alone {
            return None;
        }
        let mut extent = Self { months: Some(0), has_calendar_units: false, nanos: 0 };
        extent.add_part(date, units, time.is_none())?;
        extent.add_part(time.unwrap_or_default(), TIME, true)?;
        Some(extent)
    }

    /// Adds the components of a part, whose units come each at most once and in this order.
    fn add_part(&mut self, part: &str, mut units: &[Unit], is_last: bool) -> Option<()> {
        let mut rest = part.as_bytes();
        while let Some(end) = rest.iter().position(u8::is_ascii_uppercase) {
            let (number, letter) = (&rest[..end], rest[end]);
            let unit = units.iter().position(|unit| unit.0 == letter)?;
            rest = &rest[end + 1..];
            self.add(&Number::parse(number, is_last && rest.is_empty())?, units[unit]);
            units = &units[unit + 1..];
        }
        rest.is_empty().then_some(())
    }

    fn add(&mut self, number: &Number, (letter, seconds): Unit) {
        match seconds {
            Some(seconds) => self.nanos += number.of(seconds * NANOS),
            None => {
                let whole = u32::try_from(number.digits).ok().filter(|_| number.decimals == 0);
                let months = whole.and_then(|count| count.checked_mul(if letter == b'Y' { 12 } else { 1 }));
                self.months = self.months.zip(months).and_then(|(sum, months)| sum.checked_add(months));
                self.has_calendar_units = true;
            }
        }
    }
}

/// A component's number: its digits, and how many of them stand after the dot.
struct Number {
    digits: u128,
    decimals: u32,
}

impl Number {
    fn parse(bytes: &[u8], may_have_fraction: bool) -> Option<Self> {
        let (whole, fraction) = match bytes.iter().position(|&byte| byte == b'.') {
            Some(dot) if may_have_fraction && dot + 1 < bytes.len() => (&bytes[..dot], &bytes[dot + 1..]),
            Some(_) => return None,
            None => (bytes, &[][..]),
        };
        if whole.is_empty() || whole.len() + fraction.len() > MAX_DIGITS {
            return None;
        }
        let digits = whole.iter().chain(fraction).try_fold(0, |number: u128, digit| {
            digit.is_ascii_digit().then(|| number * 10 + u128::from(digit - b'0'))
        })?;
        Some(Self { digits, decimals: u32::try_from(fraction.len()).ok()? })
    }

    /// A number of one unit. Eighteen digits of weeks in nanoseconds are far from filling 128 bits.
    fn of(&self, unit: u128) -> u128 {
        self.digits * unit / 10_u128.pow(self.decimals)
    }
}

impl fmt::Display for IsoDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Hours, minutes and seconds: `PT36H`, `PT1M0.5S`.
impl From<Duration> for IsoDuration {
    fn from(duration: Duration) -> Self {
        let seconds = duration.as_secs();
        let mut text = "PT".to_owned();
        for (count, letter) in [(seconds / 3600, 'H'), (seconds / 60 % 60, 'M')] {
            if count > 0 {
                text.push_str(&format!("{count}{letter}"));
            }
        }
        let (rest, nanos) = (seconds % 60, duration.subsec_nanos());
        if nanos > 0 {
            let fraction = format!("{nanos:09}");
            text.push_str(&format!("{rest}.{}S", fraction.trim_end_matches('0')));
        } else if rest > 0 || text.len() == 2 {
            text.push_str(&format!("{rest}S"));
        }
        Self(text.into())
    }
}

/// Refuses negative durations, which the form cannot say.
impl TryFrom<time::Duration> for IsoDuration {
    type Error = time::error::ConversionRange;

    fn try_from(duration: time::Duration) -> Result<Self, Self::Error> {
        Duration::try_from(duration).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::string::string_regex;

    #[test]
    fn months_end_where_the_calendar_lets_them() {
        let after = |duration: &str, start: &str| {
            let (duration, start) = (IsoDuration::parse(duration).unwrap(), Timestamp::parse(start).unwrap());
            duration.after(start).map(|time| time.to_string())
        };
        let january = "2027-01-31T12:00:00.500Z";
        assert_eq!(after("P1M", january).as_deref(), Some("2027-02-28T12:00:00.500Z"));
        assert_eq!(after("P1Y1M", january).as_deref(), Some("2028-02-29T12:00:00.500Z"));
        assert_eq!(after("P14D", january).as_deref(), Some("2027-02-14T12:00:00.500Z"));
        assert_eq!(after("PT1H0.5S", january).as_deref(), Some("2027-01-31T13:00:01.000Z"));
        assert_eq!(after("P2W", january).as_deref(), Some("2027-02-14T12:00:00.500Z"));
        assert_eq!(after("P8000Y", january), None, "past the year 9999");
        assert_eq!(after("P0.5M", january), None, "no length");
    }

    #[test]
    fn durations_of_other_types_are_written() {
        let cases = [
            (0, "PT0S"),
            (500, "PT0.5S"),
            (60_000, "PT1M"),
            (60_500, "PT1M0.5S"),
            (129_600_000, "PT36H"),
            (3_661_000, "PT1H1M1S"),
        ];
        for (millis, text) in cases {
            assert_eq!(IsoDuration::from(Duration::from_millis(millis)).as_str(), text);
        }
        let longest = IsoDuration::from(Duration::MAX);
        assert_eq!(IsoDuration::parse(longest.as_str()).and_then(|duration| duration.to_std()), Some(Duration::MAX));
        assert!(IsoDuration::try_from(time::Duration::seconds(-1)).is_err());
        assert_eq!(IsoDuration::try_from(time::Duration::DAY).map(|day| day.to_string()), Ok("PT24H".to_owned()));
    }

    #[test]
    fn what_is_written_is_kept() {
        let texts = [
            "P2W",
            "P0.5W",
            "P1Y",
            "P1Y2M3D",
            "P1DT12H",
            "PT36H",
            "PT1H30M",
            "PT0S",
            "PT0.001S",
            "PT1M",
            "P1M",
            "P1.5Y",
            "PT007S",
            "P999999999999999999D",
        ];
        for text in texts {
            assert_eq!(IsoDuration::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn what_the_rules_leave_out_is_refused() {
        let texts = [
            "",
            "P",
            "PT",
            "P1DT",
            "T1H",
            "1D",
            "-P1D",
            "+P1D",
            "P-1D",
            "p1d",
            "P1d",
            "P1S",
            "PT1D",
            "PT1W",
            "P1Y2W",
            "P2W1D",
            "P1WT1H",
            "P1D1M",
            "P1D1D",
            "PT1S1H",
            "PT1.5H30M",
            "P1.5DT1H",
            "PT1,5S",
            "PT1.S",
            "PT.5S",
            "PT.S",
            "PT1.5.5S",
            "P1",
            "PT1",
            "P1D ",
            " P1D",
            "P1DT1HT1M",
            "P1000000000000000000D",
            "PT0.123456789012345678S",
            "P１D",
            "PD",
            "P1HM",
        ];
        for text in texts {
            assert_eq!(IsoDuration::parse(text), None, "{text}");
        }
    }

    #[test]
    fn only_a_fixed_length_has_a_std_duration() {
        let length = |text| IsoDuration::parse(text).unwrap().to_std();
        assert_eq!(length("P1W"), Some(Duration::from_hours(168)));
        assert_eq!(length("P1DT1.5H"), Some(Duration::from_mins(25 * 60 + 30)));
        assert_eq!(length("PT0.0000000019S"), Some(Duration::from_nanos(1)));
        assert_eq!(length("P1M"), None);
        assert_eq!(length("P0YT1S"), None);
        assert_eq!(length("P999999999999999999W"), None);
    }

    /// Texts of `unit`s in their order, the last with a fraction or not.
    fn parts(units: [char; 3]) -> impl Strategy<Value = String> {
        let unit = |unit: char| string_regex(&format!("([0-9]{{1,3}}{unit})?")).unwrap();
        units.map(unit).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn jiff_reads_the_same_dates_and_times(date in parts(['Y', 'M', 'D']), time in parts(['H', 'M', 'S'])) {
            let text = if time.is_empty() { format!("P{date}") } else { format!("P{date}T{time}") };
            prop_assert_eq!(IsoDuration::parse(&text).is_some(), text.parse::<jiff::Span>().is_ok(), "{}", text);
        }

        #[test]
        fn jiff_finds_the_same_length(time in "([0-9]{1,9}H)?([0-9]{1,9}M)?[0-9]{1,9}(\\.[0-9]{1,9})?[HMS]") {
            let text = format!("PT{time}");
            let ours = IsoDuration::parse(&text).and_then(|duration| duration.to_std());
            let theirs = text.parse::<jiff::SignedDuration>().ok().map(jiff::SignedDuration::unsigned_abs);
            prop_assert_eq!(ours, theirs, "{}", text);
        }

        #[test]
        fn nothing_panics(text in "P?[0-9.YMWDTHS]{0,24}") {
            let _ = IsoDuration::parse(&text).and_then(|duration| duration.to_std());
        }
    }
}
