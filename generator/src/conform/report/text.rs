//! The report for people: a line for each section, then each broken rule with a response that shows it.

use super::{ConformReport, Outcome};
use crate::conform::case::BrokenRule;
use crate::conform::cleaning::Remaining;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Reasons that are shown for cases of a section that show nothing.
const MAX_REASONS: usize = 2;

impl ConformReport {
    /// The report as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (section, cases) in self.sections() {
            let [passed, failed, others] = Self::counts(cases.iter().copied());
            // what showed nothing has not passed
            let sign = match (passed, failed) {
                (0, 0) => "–",
                (_, 0) => "✓",
                _ => "✗",
            };
            let _ = write!(out, "{sign} {:<46} {passed} passed", section.title());
            let _ = match failed {
                0 => Ok(()),
                _ => write!(out, ", {failed} failed"),
            };
            let _ = match others {
                0 => writeln!(out),
                _ => writeln!(out, ", {others} not applicable"),
            };
            let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
            for case in &cases {
                if let Outcome::NotApplicable(reason) = &case.outcome {
                    *reasons.entry(reason).or_default() += 1;
                }
            }
            let mut reasons: Vec<_> = reasons.into_iter().collect();
            reasons.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
            for (reason, number) in reasons.iter().take(MAX_REASONS) {
                let _ = writeln!(out, "    not applicable: {reason} ({number})");
            }
            if reasons.len() > MAX_REASONS {
                let _ = writeln!(
                    out,
                    "    not applicable: for other reasons ({})",
                    reasons[MAX_REASONS..].iter().map(|(_, number)| number).sum::<usize>()
                );
            }
        }
        for case in self.failed() {
            let _ = writeln!(out, "\nFAILED {}: {}\n  rule: {}", case.section.title(), case.title, case.rule);
            if let Outcome::Failed(failures) = &case.outcome {
                failures.iter().for_each(|failure| show(failure, &mut out));
            }
        }
        if !self.remains.is_empty() {
            let _ = writeln!(out, "\nThis run has created, and could not delete:");
            for Remaining { path, reason } in &self.remains {
                let _ = writeln!(out, "  {path}: {reason}");
            }
        }
        if let Some(reason) = &self.stopped {
            let _ = writeln!(out, "\nThe run has stopped early: {reason}");
        }
        let [passed, failed, others] = Self::counts(&self.cases);
        let _ = writeln!(
            out,
            "\n{}: {passed} passed, {failed} failed, {others} not applicable; seed {}",
            self.url, self.seed
        );
        out
    }
}

fn show(failure: &BrokenRule, out: &mut String) {
    let indented = |text: &str| text.trim_end().lines().map(|line| format!("    {line}\n")).collect::<String>();
    let _ = writeln!(out, "  expected: {}", failure.expected);
    let _ = write!(out, "  request:\n{}  response:\n{}", indented(&failure.request), indented(&failure.response));
}
