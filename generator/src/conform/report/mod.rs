//! The report of a run: its cases by section, and what remains of it.

mod json;
mod junit;
mod text;

use super::case::BrokenRule;
use super::cleaning::Remaining;
use super::section::Section;
use super::session::Session;

/// How a case has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The service keeps the rule.
    Passed,
    /// It breaks the rule: some of the responses that show it.
    Failed(Vec<BrokenRule>),
    /// The case shows nothing here, for this reason.
    NotApplicable(String),
}

/// A case that has run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseReport {
    /// Its section.
    pub section: Section,
    /// What was asked.
    pub title: String,
    /// The rule.
    pub rule: &'static str,
    /// How it has ended.
    pub outcome: Outcome,
}

/// The report of a run.
#[derive(Debug, Clone)]
pub struct ConformReport {
    /// The service that was asked.
    pub url: String,
    /// What the values followed from.
    pub seed: u64,
    /// Requests that were sent.
    pub requests: usize,
    /// Every case, by section, in the order in which they ran.
    pub cases: Vec<CaseReport>,
    /// What the run has created and could not delete.
    pub remains: Vec<Remaining>,
    /// Why the run has ended before its last case.
    pub stopped: Option<String>,
}

impl ConformReport {
    pub(super) fn of(
        session: &Session<'_>,
        url: &str,
        seed: u64,
        mut cases: Vec<CaseReport>,
        remains: Vec<Remaining>,
        stopped: Option<String>,
    ) -> Self {
        for ((section, rule), record) in &session.rules {
            let outcome = match record.broken {
                0 => Outcome::Passed,
                _ => Outcome::Failed(record.failures.clone()),
            };
            let title = match record.broken {
                0 => format!("every response: {} of them", record.seen),
                broken => format!("every response: {broken} of {} break the rule", record.seen),
            };
            cases.push(CaseReport { section: *section, title, rule, outcome });
        }
        for case in &mut cases {
            if let Outcome::Failed(failures) = &mut case.outcome {
                for failure in failures {
                    for text in [&mut failure.expected, &mut failure.request, &mut failure.response] {
                        *text = session.callers.redacted(text);
                    }
                }
            }
        }
        cases.sort_by_key(|case| case.section);
        Self { url: url.to_owned(), seed, requests: session.sent, cases, remains, stopped }
    }

    /// The cases that have failed.
    pub fn failed(&self) -> impl Iterator<Item = &CaseReport> {
        self.cases.iter().filter(|case| matches!(case.outcome, Outcome::Failed(_)))
    }

    /// Whether the run came to its end, and no case has failed.
    #[must_use]
    pub fn is_conforming(&self) -> bool {
        self.stopped.is_none() && self.failed().next().is_none()
    }

    /// The cases of each section that has some.
    fn sections(&self) -> impl Iterator<Item = (Section, Vec<&CaseReport>)> {
        let of = |section| (section, self.cases.iter().filter(|case| case.section == section).collect::<Vec<_>>());
        Section::ALL.into_iter().map(of).filter(|(_, cases)| !cases.is_empty())
    }

    /// How many have passed, failed, and shown nothing.
    fn counts<'c>(cases: impl IntoIterator<Item = &'c CaseReport>) -> [usize; 3] {
        cases.into_iter().fold([0; 3], |[passed, failed, others], case| match case.outcome {
            Outcome::Passed => [passed + 1, failed, others],
            Outcome::Failed(_) => [passed, failed + 1, others],
            Outcome::NotApplicable(_) => [passed, failed, others + 1],
        })
    }
}
