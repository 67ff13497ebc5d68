//! A phone number in the international form of E.164.

use crate::error::ErrorCode;
use crate::language::{Characters, CheckedText, ScalarType, TextExamples, TextShape, Type};
use std::fmt;

/// The fewest digits of a number.
const MIN_DIGITS: usize = 2;
/// The most digits of a number, that of the country included.
const MAX_DIGITS: usize = 15;

/// `+` and the digits of a number, that of the country first: `+48123456789`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phone(Box<str>);

/// Its row in the language.
pub(crate) static SCALAR_TYPE: ScalarType = ScalarType::checked_text(
    ("phone", "A phone number in the form of E.164: `+48123456789`."),
    Type::Phone,
    "Phone",
    CheckedText { canonical: |text| Phone::parse(text).map(|phone| phone.to_string()), error: ErrorCode::InvalidPhone },
    TextExamples {
        schema: "PhoneNumber",
        pattern: "^\\+[1-9][0-9]{1,14}$",
        note: None,
        example: "+48123456789",
        samples: &["+48223456789", "+48600700800", "+442071234567", "+4930123456"],
        shape: TextShape { prefix: "+", characters: Characters::Digits, length: (1, Some(15)) },
    },
);

impl Phone {
    /// Reads a number. Spaces and dashes are refused, so that a number has one form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('+')?.as_bytes();
        let is_number = (MIN_DIGITS..=MAX_DIGITS).contains(&digits.len())
            && digits.iter().all(u8::is_ascii_digit)
            // no country's code begins with 0
            && !digits.starts_with(b"0");
        is_number.then(|| Self(text.into()))
    }

    /// The number.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn international_numbers_are_read_and_written_back() {
        for number in ["+48123456789", "+12", "+123456789012345"] {
            assert_eq!(Phone::parse(number).map(|phone| phone.to_string()).as_deref(), Some(number));
        }
    }

    #[test]
    fn other_forms_are_refused() {
        let texts = [
            "",
            "+",
            "+1",
            "+1234567890123456",
            "+048123456789",
            "48123456789",
            "0048123456789",
            "+48 123 456 789",
            "+48-123-456-789",
            " +48123456789",
            "+48123456789 ",
            "++48123456789",
            "+４８123456789",
            "tel:+48123456789",
        ];
        for text in texts {
            assert_eq!(Phone::parse(text), None, "{text}");
        }
    }
}
