//! Exact decimals of a fixed scale, kept as a whole number of units of the last digit: `-1.50` at scale 2 is -150.

use rust_decimal::Decimal;

/// How many digits a decimal may have in all, so that its units fit 64 bits.
pub const MAX_DIGITS: u32 = 18;

/// What keeps a text from being a decimal of the scale asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalFault {
    /// No decimal at all.
    Malformed,
    /// More digits after the dot than the scale, or more than [`MAX_DIGITS`] in all.
    TooManyDigits,
}

/// Reads `-?[0-9]+(\.[0-9]+)?` into units. Leading zeros do not count as digits, trailing ones do.
///
/// # Errors
///
/// See [`DecimalFault`].
pub fn parse(text: &str, scale: u32) -> Result<i64, DecimalFault> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = match digits.split_once('.') {
        Some((_, "")) => return Err(DecimalFault::Malformed),
        Some(parts) => parts,
        None => (digits, ""),
    };
    if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return Err(DecimalFault::Malformed);
    }
    let units = units(whole, fraction, scale).ok_or(DecimalFault::TooManyDigits)?;
    Ok(if negative { -units } else { units })
}

/// The digits of both parts as one number, filled up with zeros to the scale.
fn units(whole: &str, fraction: &str, scale: u32) -> Option<i64> {
    let missing = scale.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let digits = whole
        .bytes()
        .chain(fraction.bytes())
        .try_fold(0_i64, |number, digit| number.checked_mul(10)?.checked_add(i64::from(digit - b'0')))?;
    bounded(i128::from(digits).checked_mul(10_i128.checked_pow(missing)?)?)
}

/// The units, if they have no more than [`MAX_DIGITS`].
fn bounded(units: i128) -> Option<i64> {
    (units.unsigned_abs() < 10_u128.pow(MAX_DIGITS)).then(|| i64::try_from(units).ok())?
}

/// Appends units with exactly `scale` digits after the dot, and no dot at scale 0.
pub fn write(units: i64, scale: u32, out: &mut Vec<u8>) {
    if units < 0 {
        out.push(b'-');
    }
    let scale = scale as usize;
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(units.unsigned_abs()).as_bytes();
    let (whole, fraction) = digits.split_at(digits.len().saturating_sub(scale));
    out.extend_from_slice(if whole.is_empty() { b"0" } else { whole });
    if scale > 0 {
        out.push(b'.');
        out.resize(out.len() + scale - fraction.len(), b'0');
        out.extend_from_slice(fraction);
    }
}

/// The units of a decimal; `None` where it has more digits than fit.
#[must_use]
pub fn from_decimal(decimal: Decimal, scale: u32) -> Option<i64> {
    let decimal = decimal.normalize();
    let missing = scale.checked_sub(decimal.scale())?;
    bounded(decimal.mantissa().checked_mul(10_i128.checked_pow(missing)?)?)
}

/// Units as a decimal of this scale.
///
/// # Panics
///
/// With a scale above 28; that of a field is at most [`MAX_DIGITS`].
#[must_use]
pub fn to_decimal(units: i64, scale: u32) -> Decimal {
    Decimal::new(units, scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(units: i64, scale: u32) -> String {
        let mut out = Vec::new();
        write(units, scale, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn digits_become_units() {
        let cases = [
            ("0", 2, 0),
            ("-0", 2, 0),
            ("-0.00", 2, 0),
            ("1.5", 2, 150),
            ("-1.50", 2, -150),
            ("0012", 0, 12),
            ("0.001", 3, 1),
            ("0000000000000000000000000000000000000001", 2, 100),
            ("999999999999999999", 0, 999_999_999_999_999_999),
            ("-0.999999999999999999", 18, -999_999_999_999_999_999),
        ];
        for (text, scale, units) in cases {
            assert_eq!(parse(text, scale), Ok(units), "{text}");
        }
    }

    #[test]
    fn what_is_no_decimal_is_malformed() {
        for text in
            ["", "-", ".", "1.", ".5", "-.5", "+1", "--1", "1e3", "1,5", "1.5.5", "0x1", " 1", "1 ", "１", "NaN"]
        {
            assert_eq!(parse(text, 2), Err(DecimalFault::Malformed), "{text}");
        }
    }

    #[test]
    fn digits_beyond_the_scale_or_the_bound_are_too_many() {
        let nines = "9".repeat(400);
        let cases =
            [("1.000", 2), ("1.0", 0), ("1000000000000000000", 0), ("10000000000000000", 2), (&nines, 2), ("1", 18)];
        for (text, scale) in cases {
            assert_eq!(parse(text, scale), Err(DecimalFault::TooManyDigits), "{text}");
        }
    }

    #[test]
    fn decimals_are_taken_exactly_or_not_at_all() {
        let decimal = |text: &str| text.parse::<Decimal>().unwrap();
        assert_eq!(from_decimal(decimal("1.5000"), 2), Some(150));
        assert_eq!(from_decimal(decimal("-1.505"), 2), None);
        assert_eq!(from_decimal(decimal("9999999999999999.99"), 2), Some(999_999_999_999_999_999));
        assert_eq!(from_decimal(decimal("10000000000000000"), 2), None);
        assert_eq!(from_decimal(Decimal::MAX, 18), None);
    }

    proptest! {
        #[test]
        fn units_and_text_and_decimal_are_the_same(units in -(10_i64.pow(18) - 1)..10_i64.pow(18), scale in 0..=MAX_DIGITS) {
            let text = text(units, scale);
            prop_assert_eq!(parse(&text, scale), Ok(units), "{}", text);
            prop_assert_eq!(to_decimal(units, scale).to_string(), text);
            prop_assert_eq!(from_decimal(to_decimal(units, scale), scale), Some(units));
        }

        #[test]
        fn nothing_panics(text in "-?[0-9]{0,40}\\.?[0-9]{0,40}", scale in 0..40_u32) {
            let _ = parse(&text, scale);
        }
    }
}
