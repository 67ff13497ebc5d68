//! Who has access to an operation or a command.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Who has access to an operation (§5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Access {
    /// No credentials needed.
    Anyone,
    /// Every authenticated caller.
    User,
    /// The entity's owner.
    Owner,
    /// A caller whose token has this scope.
    Scope(String),
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anyone => f.write_str("anyone"),
            Self::User => f.write_str("user"),
            Self::Owner => f.write_str("owner"),
            Self::Scope(scope) => write!(f, "scope:{scope}"),
        }
    }
}

impl FromStr for Access {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "anyone" => Ok(Self::Anyone),
            "user" => Ok(Self::User),
            "owner" => Ok(Self::Owner),
            other => match other.strip_prefix("scope:") {
                // RFC 6749 §3.3: printable ASCII without space, quote and backslash
                Some(scope) if is_scope(scope) => Ok(Self::Scope(scope.to_owned())),
                _ => Err(format!("`{other}` is not an access: write `anyone`, `user`, `owner` or `scope:<name>`")),
            },
        }
    }
}

fn is_scope(scope: &str) -> bool {
    !scope.is_empty() && scope.bytes().all(|b| matches!(b, 0x21 | 0x23..=0x5b | 0x5d..=0x7e))
}

impl From<Access> for String {
    fn from(access: Access) -> Self {
        access.to_string()
    }
}

impl TryFrom<String> for Access {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
    }
}
