//! Every fault that a description can have, declared once: its code, its meaning, an example and the cure.
//!
//! Rules and front ends raise a [`FaultCode`]. [`table`] is the only place with the facts about a code: its severity,
//! whether `allow` may switch it off, and its texts. [`pages`] writes `docs/reference/faults/` from it.

mod page;
mod table;

pub use page::{FaultPage, pages};
pub use table::FaultCode;

use std::fmt;
use std::str::FromStr;

/// Whether a fault refuses the description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The description is refused.
    Error,
    /// The fault is reported, but the description is accepted.
    Warning,
}

/// Whether `allow` may switch a rule off for a name. That is possible for rules about names and style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AllowPolicy {
    Never,
    Allowed,
}

/// The facts about a code.
struct Entry {
    code: &'static str,
    severity: Severity,
    exemption: AllowPolicy,
    title: &'static str,
    explanation: &'static str,
    wrong: &'static str,
    right: &'static str,
}

impl FaultCode {
    /// The code in kebab-case, as in diagnostics and under `allow:`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.entry().code
    }

    /// Whether the fault refuses the description.
    #[must_use]
    pub fn severity(self) -> Severity {
        self.entry().severity
    }

    /// Whether `allow:` may switch it off at a place.
    #[must_use]
    pub fn allowable(self) -> bool {
        self.entry().exemption == AllowPolicy::Allowed
    }

    /// What is wrong, in one line.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.entry().title
    }

    /// Why it is wrong, in a few sentences.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        self.entry().explanation
    }

    /// YAML that has the fault, beside a service whose `users` is a resource `User` with a `name`.
    #[must_use]
    pub fn wrong(self) -> String {
        dedent(self.entry().wrong)
    }

    /// The same without the fault.
    #[must_use]
    pub fn right(self) -> String {
        dedent(self.entry().right)
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for FaultCode {
    type Err = ();

    fn from_str(code: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|known| known.code() == code).ok_or(())
    }
}

/// Removes the indentation that the examples have in the table.
fn dedent(text: &str) -> String {
    let lines = || text.lines().skip_while(|line| line.trim().is_empty());
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let margin = lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut dedented: Vec<&str> = lines().map(|line| line.get(margin..).unwrap_or("")).collect();
    while dedented.last().is_some_and(|line| line.trim().is_empty()) {
        dedented.pop();
    }
    dedented.join("\n") + "\n"
}
