//! A case: what is asked of a service, and how it ended.

use super::section::Section;
use super::session::Session;

/// How a case ends, unless the service is as it should be.
#[derive(Debug)]
pub(crate) enum Ending {
    /// The service breaks the rule.
    Failed(Box<BrokenRule>),
    /// The case shows nothing here, for this reason.
    NotApplicable(String),
    /// The run cannot go on: its limits are reached, or the service does not respond.
    Stopped(String),
}

/// The end of a case.
pub(crate) type Done = Result<(), Ending>;

/// A broken rule: what was expected, and what was sent and received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenRule {
    /// What the response should have been.
    pub expected: String,
    /// The request, without its token.
    pub request: String,
    /// The response, shortened.
    pub response: String,
}

/// A case to run.
pub(crate) struct Case<'a> {
    pub(crate) section: Section,
    /// What is asked: `GET /offers?sort=-name`.
    pub(crate) title: String,
    /// The rule of the conventions or the decisions.
    pub(crate) rule: &'static str,
    pub(crate) run: Run<'a>,
}

type Run<'a> = Box<dyn FnOnce(&mut Session<'a>) -> Done + 'a>;

impl<'a> Case<'a> {
    pub(crate) fn new(
        section: Section,
        title: impl Into<String>,
        rule: &'static str,
        run: impl FnOnce(&mut Session<'a>) -> Done + 'a,
    ) -> Self {
        Self { section, title: title.into(), rule, run: Box::new(run) }
    }
}

/// The case shows nothing here.
pub(crate) fn not_applicable<T>(reason: impl Into<String>) -> Result<T, Ending> {
    Err(Ending::NotApplicable(reason.into()))
}
