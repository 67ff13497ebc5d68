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
{% for text in texts %}
text!(
    /// {{ text.description }}
    {{ text.name }}, "{{ text.form }}",
    |text| has_shape(text, "{{ text.prefix }}", {{ text.length }}, {{ text.is }})
);
{%- endfor %}
