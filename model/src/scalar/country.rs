//! A country, by its ISO 3166-1 alpha-2 code (§2.4.5).

use super::codes::{self, Rows};
use crate::error::ErrorCode;
use crate::language::{Characters, CheckedText, ScalarType, TextExamples, TextShape, Type};
use std::fmt;

/// An officially assigned ISO 3166-1 alpha-2 code, upper case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Country([u8; 2]);

/// Reserved and user-assigned codes (`UK`, `EU`, `XK`) are not accepted.
const ASSIGNED: Rows = [
    "DEFGILMOQRSTUWXZ",
    "ABDEFGHIJLMNOQRSTVWYZ",
    "ACDFGHIKLMNORUVWXYZ",
    "EJKMOZ",
    "CEGHRST",
    "IJKMOR",
    "ABDEFGHILMNPQRSTUWY",
    "KMNRTU",
    "DELMNOQRST",
    "EMOP",
    "EGHIMNPRWYZ",
    "ABCIKRSTUVY",
    "ACDEFGHKLMNOPQRSTUVWXYZ",
    "ACEFGILOPRUZ",
    "M",
    "AEFGHKLMNRSTWY",
    "A",
    "EOSUW",
    "ABCDEGHIJKLMNORSTVXYZ",
    "CDFGHJKLMNORTVWZ",
    "AGMSYZ",
    "ACEGINU",
    "FS",
    "",
    "ET",
    "AMW",
];

/// Its row in the language.
pub(crate) static SCALAR_TYPE: ScalarType = ScalarType::checked_text(
    ("country", "An ISO 3166 country code: two letters, upper case."),
    Type::Country,
    "Country",
    CheckedText {
        canonical: |text| Country::parse(text).map(|country| country.to_string()),
        error: ErrorCode::InvalidCountry,
    },
    TextExamples {
        schema: "CountryCode",
        pattern: "^[A-Z]{2}$",
        note: Some("ISO 3166 alpha-2."),
        example: "PL",
        samples: &["DE", "ES", "FR", "GB", "IT", "NL", "PL", "PT"],
        shape: TextShape { prefix: "", characters: Characters::Capitals, length: (2, Some(2)) },
    },
);

impl Country {
    /// Reads a code in upper case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let code = text.as_bytes().try_into().ok()?;
        codes::holds(&ASSIGNED, code).then_some(Self(code))
    }

    /// Every code, in order.
    pub(crate) fn codes() -> Vec<String> {
        codes::all(&ASSIGNED)
    }

    /// The code.
    #[must_use]
    pub fn as_str(&self) -> &str {
        codes::text(&self.0)
    }
}

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_iso_3166_1() {
        let mut known: Vec<&str> = celes::Country::get_countries().iter().map(|country| country.alpha2).collect();
        known.retain(|code| *code != "XK"); // Kosovo's is user-assigned
        known.sort_unstable();
        assert_eq!(Country::codes(), known);
    }

    #[test]
    fn only_assigned_codes_in_upper_case_are_read() {
        assert_eq!(Country::parse("PL").unwrap().to_string(), "PL");
        for text in ["", "P", "pl", "Pl", "POL", "UK", "EU", "XK", "ZZ", "AA", "X1", "@A", "[A", "Ł"] {
            assert_eq!(Country::parse(text), None, "{text}");
        }
    }
}
