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

    proptest! {
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
