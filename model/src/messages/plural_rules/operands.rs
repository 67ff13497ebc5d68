//! The operands of a number in plural rules, with the names that CLDR gives them.
//!
//! They follow from how a number is written: `1.0` has other operands than `1`. Their digits are read as text, so that
//! no number is too large or too exact.

/// Digits that are kept of an operand. More would change no rule: each looks at the last few digits, or compares with
/// a small number.
const KEPT_DIGITS: usize = 18;
/// What stands for the digits before the kept ones.
const MORE_DIGITS: u64 = 10_u64.pow(KEPT_DIGITS as u32);
/// The largest exponent of a number in compact form that is read.
const MAX_EXPONENT: usize = 30;

/// A property of a number that a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    /// The number itself; only whole numbers are in the ranges of rules.
    N,
    /// Its integer digits.
    I,
    /// The count of its fraction digits.
    V,
    /// Its fraction digits.
    F,
    /// Its fraction digits, without trailing zeros.
    T,
    /// The exponent of its compact form.
    E,
}

/// The operands of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operands {
    integer: u64,
    fraction_count: u64,
    fraction: u64,
    trimmed_fraction: u64,
    exponent: u64,
}

impl Operands {
    /// Reads a decimal number, such as `-12.50`, or one in CLDR's notation of compact forms, `1.2c6`. `None` for any
    /// other text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (number, exponent) = text.split_once('c').unwrap_or((text, "0"));
        let number = number.strip_prefix('-').unwrap_or(number);
        let (integer, fraction) = number.split_once('.').unwrap_or((number, ""));
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if integer.is_empty() || number.ends_with('.') || ![integer, fraction, exponent].into_iter().all(are_digits) {
            return None;
        }
        let exponent = exponent.parse::<usize>().ok().filter(|exponent| *exponent <= MAX_EXPONENT)?;
        let moved = exponent.min(fraction.len());
        let integer = format!("{integer}{}{}", &fraction[..moved], "0".repeat(exponent - moved));
        let fraction = &fraction[moved..];
        Some(Self {
            integer: kept(&integer),
            fraction_count: fraction.len() as u64,
            fraction: kept(fraction),
            trimmed_fraction: kept(fraction.trim_end_matches('0')),
            exponent: exponent as u64,
        })
    }

    /// The value of an operand; `None` if it is not a whole number.
    pub(super) fn get(&self, operand: Operand) -> Option<u64> {
        match operand {
            Operand::N => (self.trimmed_fraction == 0).then_some(self.integer),
            Operand::I => Some(self.integer),
            Operand::V => Some(self.fraction_count),
            Operand::F => Some(self.fraction),
            Operand::T => Some(self.trimmed_fraction),
            Operand::E => Some(self.exponent),
        }
    }
}

/// The value of digits, of which the first ones are replaced if there are too many.
fn kept(digits: &str) -> u64 {
    let digits = digits.trim_start_matches('0');
    let first = digits.len().saturating_sub(KEPT_DIGITS);
    let last = digits[first..].bytes().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
    if first == 0 { last } else { MORE_DIGITS + last }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn has(text: &str, n: Option<u64>, ivfte: [u64; 5]) {
        let operands = Operands::parse(text).expect("a number");
        let others = [Operand::I, Operand::V, Operand::F, Operand::T, Operand::E].map(|it| operands.get(it).unwrap());
        assert_eq!((operands.get(Operand::N), others), (n, ivfte), "{text}");
    }

    #[test]
    fn operands_follow_from_the_digits() {
        has("0", Some(0), [0, 0, 0, 0, 0]);
        has("-007", Some(7), [7, 0, 0, 0, 0]);
        has("1.0", Some(1), [1, 1, 0, 0, 0]);
        has("1.30", None, [1, 2, 30, 3, 0]);
        has("1.03", None, [1, 2, 3, 3, 0]);
        has("1.2c3", Some(1200), [1200, 0, 0, 0, 3]);
        has("1.2345c3", None, [1234, 1, 5, 5, 3]);
        has("1000000000000000000000000000003", Some(MORE_DIGITS + 3), [MORE_DIGITS + 3, 0, 0, 0, 0]);
        has("0.00000000000000000000000000000200", None, [0, 32, 200, 2, 0]);
        for text in ["", "-", ".5", "5.", "1.2.3", "1e3", "+1", "1c", "1c31", "1c99999999999999999999", "٣", "NaN"] {
            assert_eq!(Operands::parse(text), None, "{text}");
        }
    }
}
