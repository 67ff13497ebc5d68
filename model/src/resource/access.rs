//! Who has access to an operation or a command.

use crate::condition::Condition;
use crate::names;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Who has access to an operation (§5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "AccessForm", try_from = "AccessForm")]
pub enum Access {
    /// No credentials needed.
    Anyone,
    /// Every authenticated caller.
    User,
    /// The entity's owner.
    Owner,
    /// A caller whose token has this scope.
    Scope(String),
    /// A caller who has this role of the service.
    Role(String),
    /// A caller for whom this condition on the entity holds.
    When(Condition),
    /// A caller for whom the condition of this name holds: the whole condition is the name. A checked service has it
    /// in place of the [`Role`](Self::Role) that the word is read as.
    Named(Condition),
}

/// As it is written: a word, or a mapping.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum AccessForm {
    Word(String),
    When { when: Condition },
}

impl Access {
    /// The words of the language; every other word is a role or a named condition.
    pub const WORDS: [&str; 3] = ["anyone", "user", "owner"];

    /// Whether a list leaves some callers out, as `visible` and `writable` of fields and resources do. A list of nobody
    /// is one that is not there: it lets all in.
    #[must_use]
    pub fn excludes_some(list: &[Self]) -> bool {
        !list.is_empty() && !list.contains(&Self::Anyone)
    }

    /// The condition on the entity.
    #[must_use]
    pub fn condition(&self) -> Option<&Condition> {
        match self {
            Self::When(condition) | Self::Named(condition) => Some(condition),
            Self::Anyone | Self::User | Self::Owner | Self::Scope(_) | Self::Role(_) => None,
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anyone => f.write_str("anyone"),
            Self::User => f.write_str("user"),
            Self::Owner => f.write_str("owner"),
            Self::Scope(scope) => write!(f, "scope:{scope}"),
            Self::Role(role) => f.write_str(role),
            Self::When(condition) => write!(f, "when {condition}"),
            Self::Named(name) => write!(f, "{name}"),
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
            role if names::is_camel(role) => Ok(Self::Role(role.to_owned())),
            other => match other.strip_prefix("scope:") {
                // RFC 6749 §3.3: printable ASCII without space, quote and backslash
                Some(scope) if is_scope(scope) => Ok(Self::Scope(scope.to_owned())),
                _ => Err(format!(
                    "`{other}` is not an access: write `anyone`, `user`, `owner`, `scope:<name>` or the name of a role \
                     or condition"
                )),
            },
        }
    }
}

fn is_scope(scope: &str) -> bool {
    !scope.is_empty() && scope.bytes().all(|b| matches!(b, 0x21 | 0x23..=0x5b | 0x5d..=0x7e))
}

impl From<Access> for AccessForm {
    fn from(access: Access) -> Self {
        match access {
            Access::When(when) => Self::When { when },
            word => Self::Word(word.to_string()),
        }
    }
}

impl TryFrom<AccessForm> for Access {
    type Error = String;

    fn try_from(form: AccessForm) -> Result<Self, String> {
        match form {
            AccessForm::Word(word) => word.parse(),
            AccessForm::When { when } => Ok(Self::When(when)),
        }
    }
}
