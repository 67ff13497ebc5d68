//! Commands of a resource.

use super::{Access, is_true, yes};
use crate::field::{Allow, Deprecation, Field, is_false};
use crate::formerly::{self, Formerly};
use crate::names;
use crate::routes::COMMANDS;
use crate::scalar::Date;
use serde::{Deserialize, Serialize};

/// The default timeout of a command.
pub const DEFAULT_TIMEOUT: &str = "PT30S";

/// An idempotent command (§2.6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Command {
    /// Kebab-case: the `{command-type}` of the path.
    pub name: String,
    /// For the docs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Who has access: callers that match any of these.
    pub access: Vec<Access>,
    /// No access is written, so that anyone has it: `check` warns of it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub open_by_default: bool,
    /// What the client sends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<Field>,
    /// What the handler adds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<Field>,
    /// Past it the command is FAILED: an ISO 8601 duration.
    pub timeout: String,
    /// `false`: announced, answered 501.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub ready: bool,
    /// Announced as going away.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deprecated: bool,
    /// The day of its removal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sunset: Option<Date>,
    /// The name that it had, which is served too until a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formerly: Option<Formerly>,
    /// What the `deprecations` of its resource say of it: noted by [`Checked`](crate::Checked).
    #[serde(skip)]
    pub notice: Option<Deprecation>,
    /// Rules switched off here, with the reason.
    #[serde(default, skip_serializing_if = "Allow::is_empty")]
    pub allow: Allow,
}

impl Command {
    /// The path's word: `renew-commands`.
    #[must_use]
    pub fn segment(&self) -> String {
        segment(&self.name)
    }

    /// The present name, or the former one.
    #[must_use]
    pub fn name_of(&self, is_former: bool) -> &str {
        formerly::name_of(&self.name, self.formerly.as_ref(), is_former)
    }

    /// The path's word under the present name, or the former one.
    #[must_use]
    pub fn segment_of(&self, is_former: bool) -> String {
        segment(self.name_of(is_former))
    }

    /// Each name under which it is served: the present one first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.formerly.as_ref().map(|former| former.name.as_str()))
    }

    /// The announcement that it goes away: its own, or one in `deprecations`.
    #[must_use]
    pub fn deprecation(&self) -> Option<Deprecation> {
        Deprecation::together(Deprecation::of(self.deprecated, self.sunset), self.notice)
    }

    /// The name of the array in a list of commands (§2.4.13): the path's word in camelCase, `renewCommands`.
    #[must_use]
    pub fn collection(&self) -> String {
        self.collection_of(false)
    }

    /// The same under the present name, or the former one.
    #[must_use]
    pub fn collection_of(&self, is_former: bool) -> String {
        names::camel(&self.segment_of(is_former))
    }

    /// A command of this name with every key at its default.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            description: None,
            access: vec![Access::Anyone],
            open_by_default: true,
            input: Vec::new(),
            output: Vec::new(),
            timeout: DEFAULT_TIMEOUT.to_owned(),
            ready: true,
            deprecated: false,
            sunset: None,
            formerly: None,
            notice: None,
            allow: Allow::new(),
        }
    }
}

fn segment(name: &str) -> String {
    format!("{name}{COMMANDS}")
}
