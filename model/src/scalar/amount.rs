//! The amount of a price in minor units: `12.30` is 1230 (§2.4.7).

use super::decimal;

/// Digits before the dot.
pub const MAX_WHOLE_DIGITS: usize = 16;

/// Digits after the dot.
pub const SCALE: u32 = 2;

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
        const FORM: &'static str = "an amount like 12.30";

        fn from_text(text: &str) -> Option<Self> {
            super::parse(text).map(Self)
        }
    }

    #[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
    pub(in crate::scalar) fn serialize<S: Serializer>(minor: &i64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&super::decimal::to_decimal(*minor, super::SCALE))
    }

    pub(in crate::scalar) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        text_form::deserialize(deserializer).map(|Amount(minor)| minor)
    }
}
