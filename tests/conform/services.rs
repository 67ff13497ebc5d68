//! Services that keep the conventions: a run finds nothing to complain about, and leaves nothing that it can delete.

use crate::conform::faults::shelf;
use restwell::testing::{Running, Setup};
use restwell_generator::conform::{
    CaseReport, ConformOptions, ConformReport, Outcome, Section, TokenSource, conform, model_of,
};
use restwell_model::{Checked, OperationKind};
use std::collections::BTreeSet;

/// A token of the service's development key for each request.
pub(crate) fn tokens(running: &Running) -> TokenSource<'_> {
    Box::new(|request| {
        let scopes: Vec<_> = request.scopes.iter().map(String::as_str).collect();
        let claims: Vec<_> = request.claims.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        Ok(running.token_of(request.user, &scopes, &claims))
    })
}

/// A run on a service.
pub(crate) fn run(running: &Running, options: &ConformOptions) -> ConformReport {
    let url = running.url("");
    let model = model_of(&url, options).expect("the service shows its model");
    conform(&model, &url, Some(tokens(running)), options).expect("it runs")
}

/// The model of a service.
pub(crate) fn model(running: &Running) -> Checked {
    model_of(&running.url(""), &ConformOptions::default()).expect("the service shows its model")
}

#[track_caller]
pub(crate) fn is_conforming(report: &ConformReport) {
    assert!(report.is_conforming(), "{}", report.text());
}

/// Every section has a case that shows something.
#[track_caller]
fn is_whole(report: &ConformReport) {
    let passed = |section| report.cases.iter().any(|it| it.section == section && it.outcome == Outcome::Passed);
    let empty: Vec<_> = Section::ALL.into_iter().filter(|section| !passed(*section)).collect();
    assert!(empty.is_empty(), "{empty:?}\n{}", report.text());
}

/// Nothing remains that has a DELETE.
#[track_caller]
fn is_clean(model: &Checked, report: &ConformReport) {
    let has_delete = |path: &str| {
        let word = path.split('/').nth(1).unwrap_or_default();
        let resource = model.resources.iter().find(|resource| resource.plural == word);
        let is_entity = path.split('/').count() == 3;
        is_entity && resource.is_some_and(|resource| resource.operation(OperationKind::Delete).is_some())
    };
    // what has no DELETE may hold others
    let holds = report.remains.iter().any(|it| it.reason == "it has no DELETE");
    let is_held = |reason: &str| holds && reason.ends_with("StillReferenced");
    let kept = report.remains.iter().filter(|it| has_delete(&it.path) && !is_held(&it.reason));
    assert_eq!(kept.count(), 0, "{}", report.text());
}

#[test]
fn a_run_of_a_section_asks_for_no_others() {
    let report = run(&shelf(), &ConformOptions { sections: vec![Section::Caching], ..ConformOptions::default() });
    is_conforming(&report);
    let sections: BTreeSet<_> = report.cases.iter().map(|case| case.section).collect();
    assert_eq!(sections, BTreeSet::from([Section::Creation, Section::Caching]));
    let has_asked = |case: &CaseReport| case.section == Section::Caching && case.outcome == Outcome::Passed;
    assert!(report.cases.iter().any(has_asked), "{}", report.text());
}

/// Everything that a run on the small service has created has a DELETE, but for searches and commands.
#[test]
fn nothing_remains_that_can_be_deleted() {
    let running = shelf();
    let report = run(&running, &ConformOptions::default());
    is_conforming(&report);
    is_clean(&model(&running), &report);
    let counts = ["/readers", "/books"].map(|path| running.client().get(path).is(200).json["count"].clone());
    assert_eq!(counts, [0, 0]);
    let is_listed = |part: &str| report.remains.iter().any(|it| it.path.contains(part));
    assert!(is_listed("/book-searches/") && is_listed("/lend-commands/"), "{}", report.text());
}

#[test]
fn the_marketplace_conforms() {
    let running = Setup::of(marketplace::service()).start();
    let report = run(&running, &ConformOptions::default());
    is_conforming(&report);
    is_clean(&model(&running), &report);
}

#[test]
fn the_specimens_conform() {
    let running = Setup::of(restwell_tests::generated_service()).start();
    let report = run(&running, &ConformOptions::default());
    is_conforming(&report);
    is_whole(&report);
    is_clean(&model(&running), &report);
}

/// A second run meets what the first one has left, with the same values.
#[test]
fn a_run_may_be_repeated() {
    let running = shelf();
    is_conforming(&run(&running, &ConformOptions::default()));
    is_conforming(&run(&running, &ConformOptions::default()));
}

#[test]
fn without_tokens_cases_that_need_them_are_not_applicable() {
    let running = shelf();
    let (url, options) = (running.url(""), ConformOptions::default());
    let report = conform(&model(&running), &url, None, &options).expect("it runs");
    is_conforming(&report);
    let has_reason =
        |reason: &str| report.cases.iter().any(|it| it.outcome == Outcome::NotApplicable(reason.to_owned()));
    assert!(has_reason("no token"));
    assert!(report.cases.iter().filter(|it| it.outcome == Outcome::Passed).count() > 100, "{}", report.text());
}

#[test]
fn a_run_that_is_read_only_changes_nothing() {
    let running = shelf();
    is_conforming(&run(&running, &ConformOptions { seed: 7, ..ConformOptions::default() }));
    let client = running.client();
    let counts = || ["/readers", "/books"].map(|path| client.get(path).is(200).json["count"].clone());
    let before = counts();
    let report = run(&running, &ConformOptions { is_read_only: true, ..ConformOptions::default() });
    is_conforming(&report);
    assert_eq!(counts(), before);
    assert!(report.remains.is_empty());
}

#[test]
fn a_run_sends_no_more_than_it_may() {
    let running = shelf();
    let report = run(&running, &ConformOptions { max_requests: 40, ..ConformOptions::default() });
    assert!(report.stopped.is_some() && !report.is_conforming());
    // 40 of the cases; then each of what was created is deleted
    assert!(report.requests <= 40 * 3, "{}", report.requests);
    is_clean(&model(&running), &report);
}
