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
