//! An ISO 8601 duration, kept as it was written.
//!
//! `PT36H` and `P1DT12H` are both valid and stay what they are: which one it was may matter to whoever wrote it, and
//! with years and months a duration has no fixed length anyway.

use super::text_form::serde_as_text;
use std::fmt;
use std::time::Duration;

/// An ISO 8601 duration: no sign, upper case, weeks alone, a fraction in the smallest unit only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IsoDuration(Box<str>);

/// How many digits a component may have, before and after the dot together.
const MAX_DIGITS: usize = 18;

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
        let Extent { has_calendar_units: false, nanos } = Extent::of(&self.0)? else { return None };
        let seconds = u64::try_from(nanos / NANOS).ok()?;
        Some(Duration::new(seconds, (nanos % NANOS) as u32))
    }
}

const NANOS: u128 = 1_000_000_000;

/// A unit: its letter, and its length in seconds where it has a fixed one.
type Unit = (u8, Option<u128>);

const WEEK: &[Unit] = &[(b'W', Some(7 * 86_400))];
const DATE: &[Unit] = &[(b'Y', None), (b'M', None), (b'D', Some(86_400))];
const TIME: &[Unit] = &[(b'H', Some(3_600)), (b'M', Some(60)), (b'S', Some(1))];

/// What a duration adds up to.
#[derive(Default)]
struct Extent {
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
        if date.is_empty() && time.is_none() || units == WEEK && time.is_some() || time == Some("") {
            return None;
        }
        let mut extent = Self::default();
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

    fn add(&mut self, number: &Number, (_, seconds): Unit) {
        match seconds {
            Some(seconds) => self.nanos += number.of(seconds * NANOS),
            None => self.has_calendar_units = true,
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

    /// So many of a unit. Eighteen digits of weeks in nanoseconds are far from filling 128 bits.
    fn of(&self, unit: u128) -> u128 {
        self.digits * unit / 10_u128.pow(self.decimals)
    }
}

impl fmt::Display for IsoDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

serde_as_text!(IsoDuration, "an ISO 8601 duration like PT1H30M", IsoDuration::parse);
