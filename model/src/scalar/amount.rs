//! The amount of a price in minor units: `12.30` is 1230 (§2.4.7).

use super::decimal;

/// Digits before the dot.
pub const MAX_WHOLE_DIGITS: usize = 16;

/// Digits after the dot.
pub const SCALE: u32 = 2;

/// The form, in words.
pub const FORM: &str = "an amount like 12.30";

/// Reads `^[0-9]{1,16}(\.[0-9]{1,2})?$`.
#[must_use]
pub fn parse(text: &str) -> Option<i64> {
    let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
    if text.starts_with('-') || whole.len() > MAX_WHOLE_DIGITS {
        return None;
    }
    decimal::parse(text, SCALE).ok()
}

/// Appends the amount with two decimals.
pub fn write(minor: i64, out: &mut Vec<u8>) {
    decimal::write(minor, SCALE, out);
}

/// Minor units times a factor: a mantissa, of which this many digits stand after the point. The result is rounded half
/// up to a minor unit, -0.5 to 0; `None` beyond 64 bits.
#[must_use]
pub(crate) fn times(minor: i64, (mantissa, decimals): (i128, u32)) -> Option<i64> {
    /// Digits that are multiplied apart, so that products fit 128 bits.
    const LOWER_DIGITS: u32 = 14;
    let power = |digits: u32| 10_i128.checked_pow(digits);
    let lower = decimals.min(LOWER_DIGITS);
    let (lower_one, upper_one) = (power(lower)?, power(decimals - lower)?);
    let minor = i128::from(minor);
    let of_lower = minor.checked_mul(mantissa.rem_euclid(lower_one))?;
    let of_upper = minor.checked_mul(mantissa.div_euclid(lower_one))?.checked_add(of_lower.div_euclid(lower_one))?;
    let rest = of_upper.rem_euclid(upper_one) * lower_one + of_lower.rem_euclid(lower_one);
    let is_up = rest >= upper_one * lower_one - rest;
    i64::try_from(of_upper.div_euclid(upper_one) + i128::from(is_up)).ok()
}

/// A double as a factor for [`times`]: the number that its shortest text says; of what is too small to count, zero, and
/// of what is beyond 64 bits, the next whole number.
pub(crate) fn factor(double: f64) -> Option<(i128, u32)> {
    /// Digits after the point beyond which no product of 64 bits is half a unit.
    const MOST_DECIMALS: i32 = 36;
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if !double.is_finite() {
        return None;
    }
    if double.fract() == 0.0 {
        // exact: there is no whole number of 65 bits but the last one
        return Some((double.clamp(-BEYOND, BEYOND) as i128, 0));
    }
    let text = format!("{double:e}");
    let (digits, exponent) = text.split_once('e')?;
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let decimals = i32::try_from(fraction).ok()? - exponent.parse::<i32>().ok()?;
    if decimals > MOST_DECIMALS {
        return Some((0, 0));
    }
    Some((digits.replace('.', "").parse().ok()?, u32::try_from(decimals).ok()?))
}

/// Serde of an amount in minor units as its text, for `#[serde(with = "amount::as_text")]`.
pub(super) mod as_text {
    use crate::scalar::text_form::{self, TextForm};
    use serde::{Deserializer, Serializer};

    struct Amount(i64);

    impl TextForm for Amount {
        const FORM: &'static str = super::FORM;

        fn from_text(text: &str) -> Option<Self> {
            super::parse(text).map(Self)
        }
    }

    pub(in crate::scalar) fn serialize<S: Serializer>(minor: &i64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&super::decimal::to_decimal(*minor, super::SCALE))
    }

    pub(in crate::scalar) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        text_form::deserialize(deserializer).map(|Amount(minor)| minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;
    use rust_decimal::Decimal;

    fn text(minor: i64) -> String {
        let mut out = Vec::new();
        write(minor, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn amounts_of_2_4_7_are_read_into_minor_units() {
        let cases = [("0", 0), ("0.00", 0), ("12.3", 1230), ("007.05", 705), ("9999999.99", 999_999_999)];
        for (text, minor) in cases {
            assert_eq!(parse(text), Some(minor), "{text}");
        }
        assert_eq!(parse("9999999999999999.99"), Some(999_999_999_999_999_999));
    }

    #[test]
    fn amounts_are_written_with_two_decimals() {
        let cases = [(0, "0.00"), (5, "0.05"), (1230, "12.30"), (-5, "-0.05"), (i64::MIN, "-92233720368547758.08")];
        for (minor, expected) in cases {
            assert_eq!(text(minor), expected);
        }
    }

    #[test]
    fn amounts_are_rounded_half_up() {
        let cases: [(i64, (i128, u32), Option<i64>); 10] = [
            (5, (1, 1), Some(1)),
            (4, (1, 1), Some(0)),
            (-5, (1, 1), Some(0)),
            (-6, (1, 1), Some(-1)),
            (1050, (15, 1), Some(1575)),
            (100, (3_333_333_333_333_333_333_333_333_333, 28), Some(33)),
            (i64::MAX, (9_999_999_999_999_999_999_999_999_999, 28), Some(i64::MAX)),
            (i64::MIN, (1, 36), Some(0)),
            (2, (i128::from(i64::MAX), 0), None),
            (i64::MAX, (79_228_162_514_264_337_593_543_950_335, 0), None),
        ];
        for (minor, factor, expected) in cases {
            assert_eq!(times(minor, factor), expected, "{minor} * {factor:?}");
        }
    }

    #[test]
    fn doubles_are_factors_as_their_texts_say() {
        assert_eq!(factor(0.15), Some((15, 2)));
        assert_eq!(factor(-1.25e-7), Some((-125, 9)));
        assert_eq!(factor(5e-324), Some((0, 0)));
        assert_eq!(factor(9_007_199_254_740_992.0), Some((9_007_199_254_740_992, 0)));
        assert_eq!(factor(-1e300), Some((-9_223_372_036_854_775_808, 0)));
        assert_eq!(factor(f64::NAN), None);
    }

    proptest! {
        #[test]
        fn products_are_those_of_decimals(minor in -10_i64.pow(11)..10_i64.pow(11), units: i32, scale in 0..9_u32) {
            let exact = Decimal::from(minor) * Decimal::new(units.into(), scale);
            let half = Decimal::new(5, 1);
            let rounded = i64::try_from((exact + half).floor().mantissa()).ok();
            prop_assert_eq!(times(minor, (units.into(), scale)), rounded);
        }

        #[test]
        fn the_form_is_that_of_the_decision(candidate in "-?[0-9]{0,18}[.,]?[0-9]{0,3}") {
            let form = Regex::new(r"^[0-9]{1,16}(\.[0-9]{1,2})?$").unwrap();
            prop_assert_eq!(parse(&candidate).is_some(), form.is_match(&candidate), "{}", candidate);
        }

        #[test]
        fn what_is_written_is_read_back(minor in 0..10_i64.pow(18)) {
            prop_assert_eq!(parse(&text(minor)), Some(minor));
        }
    }
}
