//! A currency, by its ISO 4217 code (§2.4.7).

use super::codes;
use crate::error::ErrorCode;
use crate::language::{Characters, CheckedText, ScalarType, TextExamples, TextShape, Type};
use std::fmt;

/// An ISO 4217 code that is in use, upper case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

/// Whether ISO has not withdrawn it. The data name the digital bolívar as the successor of the bolívar, but ISO lists
/// the two side by side.
fn is_current(currency: iso_currency::Currency) -> bool {
    currency.is_superseded().is_none() || currency == iso_currency::Currency::VES
}

/// Its row in the language.
pub(crate) static SCALAR_TYPE: ScalarType = ScalarType::checked_text(
    ("currency", "An ISO 4217 currency code."),
    Type::Currency,
    "Currency",
    CheckedText {
        canonical: |text| Currency::parse(text).map(|currency| currency.to_string()),
        error: ErrorCode::InvalidCurrency,
    },
    TextExamples {
        schema: "CurrencyCode",
        pattern: "^[A-Z]{3}$",
        note: Some("ISO 4217."),
        example: "EUR",
        samples: &["EUR", "PLN", "GBP"],
        shape: TextShape { prefix: "", characters: Characters::Capitals, length: (3, Some(3)) },
    },
);

impl Currency {
    /// Reads a code in upper case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        iso_currency::Currency::from_code(text).filter(|currency| is_current(*currency))?;
        text.as_bytes().try_into().ok().map(Self)
    }

    /// The code.
    #[must_use]
    pub fn as_str(&self) -> &str {
        codes::text(&self.0)
    }

    /// The code's letters.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 3] {
        &self.0
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_in_use_are_read() {
        for code in ["PLN", "EUR", "USD", "JPY", "XCG", "ZWG", "SLE", "VES", "VED", "XAU", "XTS"] {
            assert_eq!(Currency::parse(code).unwrap().to_string(), code);
        }
    }

    #[test]
    fn codes_withdrawn_or_never_assigned_are_refused() {
        for code in ["HRK", "BGN", "SLL", "ZWL", "CUC", "ANG", "LTL", "DEM", "BTC", "CNH", "ABC"] {
            assert_eq!(Currency::parse(code), None, "{code}");
        }
    }

    #[test]
    fn only_upper_case_is_read() {
        for text in ["", "pln", "Pln", "PL", "PLNN", "PLN ", "985", "zł"] {
            assert_eq!(Currency::parse(text), None, "{text}");
        }
    }
}
