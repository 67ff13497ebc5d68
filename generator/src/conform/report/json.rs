//! The report for programs.

use super::{CaseReport, ConformReport, Outcome};
use crate::conform::section::Section;
use serde_json::{Value, json};

impl ConformReport {
    /// The report as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let [passed, failed, others] = Self::counts(&self.cases);
        let of_section = |(section, cases): (Section, Vec<&CaseReport>)| {
            let [passed, failed, others] = Self::counts(cases.iter().copied());
            json!({
                "section": section.word(),
                "title": section.title(),
                "passed": passed,
                "failed": failed,
                "notApplicable": others,
                "cases": cases.into_iter().map(case).collect::<Vec<_>>(),
            })
        };
        let sections: Vec<_> = self.sections().map(of_section).collect();
        let remains: Vec<_> = self.remains.iter().map(|it| json!({ "path": it.path, "reason": it.reason })).collect();
        json!({
            "url": self.url,
            "seed": self.seed,
            "requests": self.requests,
            "conforms": self.is_conforming(),
            "stopped": self.stopped,
            "passed": passed,
            "failed": failed,
            "notApplicable": others,
            "sections": sections,
            "remains": remains,
        })
    }
}

fn case(case: &CaseReport) -> Value {
    let (outcome, reason, failures) = match &case.outcome {
        Outcome::Passed => ("passed", None, Vec::new()),
        Outcome::NotApplicable(reason) => ("notApplicable", Some(reason), Vec::new()),
        Outcome::Failed(failures) => ("failed", None, failures.clone()),
    };
    let failures: Vec<_> = failures
        .into_iter()
        .map(|it| json!({ "expected": it.expected, "request": it.request, "response": it.response }))
        .collect();
    json!({ "title": case.title, "rule": case.rule, "outcome": outcome, "reason": reason, "failures": failures })
}
