//! The values that messages show and select by.

use restwell_model::messages::PluralKind;

/// Fraction digits that a message may ask for.
const FRACTION_DIGITS: usize = 100;

/// A value in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MessageValue {
    Text(String),
    Number(MessageNumber),
}

/// A number: what it looks like decides on its plural form, so it is kept as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MessageNumber {
    /// `-12.50`.
    pub(super) digits: String,
    pub(super) kind: PluralKind,
}

impl MessageValue {
    /// A number that is written in digits, as in `-12.50`.
    pub(super) fn number(digits: &impl ToString) -> Self {
        Self::Number(MessageNumber { digits: digits.to_string(), kind: PluralKind::Cardinal })
    }

    pub(super) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.digits,
        }
    }

    /// The value with an option of `NUMBER`. Options of texts, and options that are not known, have no effect.
    pub(super) fn with_option(self, name: &str, option: &Self) -> Self {
        let Self::Number(mut number) = self else { return self };
        match (name, option) {
            ("type", Self::Text(kind)) if kind == "ordinal" => number.kind = PluralKind::Ordinal,
            ("type", Self::Text(_)) => number.kind = PluralKind::Cardinal,
            ("minimumFractionDigits", Self::Number(least)) => number.pad(least),
            _ => {}
        }
        Self::Number(number)
    }
}

impl MessageNumber {
    /// Adds zeros up to a count of fraction digits.
    fn pad(&mut self, least: &Self) {
        let Ok(least) = least.digits.parse::<usize>() else { return };
        let present = self.digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let missing = least.min(FRACTION_DIGITS).saturating_sub(present);
        if missing > 0 && present == 0 {
            self.digits.push('.');
        }
        self.digits.push_str(&"0".repeat(missing));
    }

    /// Whether it has the value of a number in digits: `1.0` is `1`.
    pub(super) fn equals(&self, digits: &str) -> bool {
        significant(&self.digits) == significant(digits)
    }
}

/// The sign, the integer digits and the fraction digits, without zeros that do not change the value.
fn significant(digits: &str) -> (bool, &str, &str) {
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let (integer, fraction) = (integer.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let is_zero = integer.is_empty() && fraction.is_empty();
    (digits.starts_with('-') && !is_zero, integer, fraction)
}
