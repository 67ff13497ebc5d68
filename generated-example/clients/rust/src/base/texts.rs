//! Texts of one form: a type for each. `parse` looks at their shape, and only the service knows which values exist, so
//! what it answers is read as it comes.
#![cfg_attr(rustfmt, rustfmt_skip)]

use super::values::FormError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

macro_rules! text {
    ($(#[$docs:meta])* $name:ident, $expected:literal, $is:expr) => {
        $(#[$docs])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// Reads it; `None` if the text does not have its form. Only the service knows which values exist.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                let is: fn(&str) -> bool = $is;
                is(text).then(|| Self(text.into()))
            }

            /// As in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        as_text!($name, $expected);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(|text| Self(text.into()))
            }
        }
    };
}

/// Whether a text is the prefix and then characters of one kind, as many as may be.
fn has_shape(text: &str, prefix: &str, length: impl std::ops::RangeBounds<usize>, is: fn(&u8) -> bool) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| length.contains(&rest.len()) && rest.as_bytes().iter().all(is))
}

text!(
    /// An ISO 8601 duration, stored as written: `P14D`.
    IsoDuration, "an ISO 8601 duration like PT1H30M",
    |text| has_shape(text, "P", 2.., u8::is_ascii_graphic)
);
text!(
    /// An ISO 3166 country code: two letters, upper case.
    Country, "an ISO 3166-1 alpha-2 code like PL",
    |text| has_shape(text, "", 2..=2, u8::is_ascii_uppercase)
);
text!(
    /// A language tag of RFC 5646: `pl-PL`.
    Language, "a language tag like pl-PL",
    |text| has_shape(text, "", 1.., |byte| byte.is_ascii_alphanumeric() || *byte == b'-')
);
text!(
    /// An ISO 4217 currency code.
    Currency, "an ISO 4217 code like PLN",
    |text| has_shape(text, "", 3..=3, u8::is_ascii_uppercase)
);
text!(
    /// The name of a time zone in the IANA database: `Europe/Warsaw`.
    Timezone, "an IANA time zone like Europe/Warsaw",
    |text| has_shape(text, "", 1.., u8::is_ascii_graphic)
);
text!(
    /// A phone number in the form of E.164: `+48123456789`.
    Phone, "a phone number like +48123456789",
    |text| has_shape(text, "+", 1..=15, u8::is_ascii_digit)
);
