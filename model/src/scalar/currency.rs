//! A currency, by its ISO 4217 code (§2.4.7).

use super::codes;
use crate::error::ErrorCode;
use crate::language::{Characters, CheckedText, ScalarType, TextExamples, TextShape, Type};
use std::fmt;
use std::sync::LazyLock;

/// An ISO 4217 code that is in use, upper case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

/// Whether ISO has not withdrawn it. The data name the digital bolívar as the successor of the bolívar, but ISO lists
/// the two side by side.
fn is_current(currency: iso_currency::Currency) -> bool {
    currency.is_superseded().is_none() || currency == iso_currency::Currency::VES
}

/// Every code that is in use, in order. The library finds a currency fast by its number, but slowly by its letters.
static IN_USE: LazyLock<Vec<Currency>> = LazyLock::new(|| {
    let currencies =
        (0..=999).filter_map(iso_currency::Currency::from_numeric).filter(|currency| is_current(*currency));
    let mut codes: Vec<_> =
        currencies.filter_map(|currency| currency.code().as_bytes().try_into().ok().map(Currency)).collect();
    codes.sort_unstable();
    codes
});

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
        let code = Self(text.as_bytes().try_into().ok()?);
        IN_USE.binary_search(&code).is_ok().then_some(code)
    }

    /// Every code that is in use, in order.
    pub(crate) fn codes() -> Vec<String> {
        IN_USE.iter().map(Self::to_string).collect()
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
    fn each_word_of_three_letters_is_a_code_if_the_library_says_so() {
        for number in 0..26 * 26 * 26 {
            let word: String =
                [676, 26, 1].map(|digit| (b'A' + (number / digit % 26) as u8) as char).into_iter().collect();
            let is_code = iso_currency::Currency::from_code(&word).is_some_and(is_current);
            assert_eq!(Currency::parse(&word).is_some(), is_code, "{word}");
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
