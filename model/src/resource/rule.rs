//! Rules of a resource: conditions that every write has to keep.

use crate::condition::Condition;
use serde::{Deserialize, Serialize};

/// A condition on the entity that every write has to leave, of requests, commands and the own code of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// What has to hold.
    pub check: Condition,
    /// The code of the error where it does not hold, in PascalCase. Messages for users stand under it.
    pub code: String,
    /// The field that the error is about, dotted; `None`: the entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The English text of the error, for developers; `None`: [`Rule::text`] makes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Rule {
    /// The English text of the error, for developers.
    #[must_use]
    pub fn text(&self) -> String {
        self.message.clone().unwrap_or_else(|| format!("breaks the rule {}", self.code))
    }
}
