//! Versions of a resource's representation.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A version of a resource's representation (§9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Version {
    /// `beta.v<n>`.
    Beta(u16),
    /// `public.v1`, the only public one (§9.4).
    Public,
}

impl Version {
    /// `public.v1`.
    pub const PUBLIC: Self = Self::Public;

    /// The media type in a service's vendor tree (§9.1).
    #[must_use]
    pub fn media_type(self, vendor: &str) -> String {
        format!("application/vnd.{vendor}.{self}+json")
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public => f.write_str("public.v1"),
            Self::Beta(number) => write!(f, "beta.v{number}"),
        }
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        if word == "public.v1" {
            return Ok(Self::Public);
        }
        let number = word.strip_prefix("beta.v").filter(|n| !n.starts_with(['0', '+']));
        match number.and_then(|n| n.parse().ok()) {
            Some(number) => Ok(Self::Beta(number)),
            None => Err(format!("`{word}` is not a version: write `public.v1`, or `beta.v1`, `beta.v2`, …")),
        }
    }
}

impl From<Version> for String {
    fn from(version: Version) -> Self {
        version.to_string()
    }
}

impl TryFrom<String> for Version {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
    }
}
