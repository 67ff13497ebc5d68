//! The reports for programs: what they say of a run is what the run has found.

use crate::conform::faults::{a_creation_without_location, shelf};
use crate::conform::services::run;
use restwell_generator::conform::{ConformOptions, ConformReport, Outcome, Section};
use serde_json::{Value, json};

fn counts(report: &ConformReport) -> [usize; 3] {
    let count = |is_so: fn(&Outcome) -> bool| report.cases.iter().filter(|case| is_so(&case.outcome)).count();
    [
        count(|it| *it == Outcome::Passed),
        count(|it| matches!(it, Outcome::Failed(_))),
        count(|it| matches!(it, Outcome::NotApplicable(_))),
    ]
}

fn number(value: &Value) -> usize {
    value.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX)
}

#[test]
fn json_has_every_case_once() {
    let report = a_creation_without_location();
    let (json, [passed, failed, others]) = (report.json(), counts(&report));
    assert!(failed > 0, "{}", report.text());
    let totals = ["passed", "failed", "notApplicable"].map(|name| number(&json[name]));
    assert_eq!(totals, [passed, failed, others]);
    assert_eq!((&json["conforms"], &json["stopped"], &json["seed"]), (&json!(false), &Value::Null, &json!(1)));
    assert_eq!((&json["url"], number(&json["requests"])), (&json!(report.url), report.requests));
    let sections = json["sections"].as_array().expect("an array");
    let words: Vec<_> = sections.iter().map(|section| section["section"].as_str().unwrap_or_default()).collect();
    let known: Vec<_> = Section::ALL.into_iter().map(Section::word).filter(|word| words.contains(word)).collect();
    assert_eq!(words, known, "in the order of the report, each once");
    for (name, total) in ["passed", "failed", "notApplicable"].into_iter().zip(totals) {
        assert_eq!(sections.iter().map(|section| number(&section[name])).sum::<usize>(), total, "{name}");
        for section in sections {
            let cases = section["cases"].as_array().expect("an array");
            assert_eq!(
                cases.iter().filter(|case| case["outcome"] == name).count(),
                number(&section[name]),
                "{section}"
            );
        }
    }
    let remains = json["remains"].as_array().expect("an array");
    assert_eq!(remains.len(), report.remains.len());
    assert!(remains.iter().all(|it| it["path"].is_string() && it["reason"].is_string()));
}

#[test]
fn json_shows_what_a_failed_case_has_seen() {
    let json = a_creation_without_location().json();
    let sections = json["sections"].as_array().expect("an array");
    let creation = sections.iter().find(|section| section["section"] == "creation").expect("a section");
    let cases = creation["cases"].as_array().expect("an array");
    let case = cases.iter().find(|case| case["title"] == "POST /books").expect("a case");
    assert_eq!((&case["outcome"], &case["reason"]), (&json!("failed"), &Value::Null));
    assert!(case["rule"].as_str().is_some_and(|rule| rule.contains("(§4.2)")), "{case}");
    let failure = &case["failures"][0];
    assert_eq!(failure["expected"], "`Location` with the URL of the entity");
    let text = |name: &str| failure[name].as_str().unwrap_or_default().to_owned();
    assert!(text("request").starts_with("POST /books") && text("response").contains("201"), "{failure}");
    // a token has three parts, which begin with JSON in base64
    assert!(!json.to_string().contains("eyJ"), "no token is shown");
    let others = cases.iter().filter(|case| case["outcome"] != "failed");
    assert!(others.clone().count() > 0);
    for case in others {
        assert_eq!((&case["failures"], case["reason"].is_string()), (&json!([]), case["outcome"] == "notApplicable"));
    }
}

/// The tags of XML, and whether each is closed where it should be. Texts have no `<` of their own.
fn tags(xml: &str) -> Vec<&str> {
    let rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let mut open: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for part in rest.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name), "{tag}"),
            (false, true) => found.push(tag),
            (false, false) => {
                open.push(name);
                found.push(tag);
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
    found
}

fn attribute(tag: &str, name: &str) -> usize {
    let (_, rest) = tag.split_once(&format!(" {name}=\"")).unwrap_or_else(|| panic!("no {name}: {tag}"));
    rest.split('"').next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{name}: {tag}"))
}

#[test]
fn junit_has_a_suite_for_each_section() {
    let report = a_creation_without_location();
    let (xml, [_, failed, others]) = (report.junit(), counts(&report));
    let tags = tags(&xml);
    let all = |name: &str| tags.iter().copied().filter(|tag| tag.split(' ').next() == Some(name)).collect::<Vec<_>>();
    let [whole] = all("testsuites")[..] else { panic!("one element holds all") };
    let numbers = |tag: &str| ["tests", "failures", "skipped", "errors"].map(|name| attribute(tag, name));
    assert_eq!(numbers(whole), [report.cases.len(), failed, others, 0]);
    let suites = all("testsuite");
    for (at, total) in numbers(whole).into_iter().enumerate() {
        assert_eq!(suites.iter().map(|suite| numbers(suite)[at]).sum::<usize>(), total);
    }
    let found = ["testcase", "failure", "skipped", "error"].map(|name| all(name).len());
    assert_eq!(found, [report.cases.len(), failed, others, 0]);
    assert!(xml.contains("<testcase classname=\"creation\" name=\"POST /books\"><failure message=\"`Location` with"));
    assert!(!xml.contains("eyJ"), "no token is shown");
}

/// A run that has stopped is an error beside the cases, and not a success.
#[test]
fn a_stopped_run_is_told_in_both() {
    let report = run(&shelf(), &ConformOptions { max_requests: 30, ..ConformOptions::default() });
    let json = report.json();
    assert_eq!((&json["conforms"], &json["stopped"]), (&json!(false), &json!("the limits of the run are reached")));
    let xml = report.junit();
    let tags = tags(&xml);
    assert_eq!(attribute(tags[0], "errors"), 1);
    assert_eq!(attribute(tags[0], "tests"), report.cases.len() + 1);
    assert_eq!(tags.iter().filter(|tag| tag.starts_with("testcase ")).count(), report.cases.len() + 1);
    assert!(xml.contains("<error message=\"the limits of the run are reached\"/>"));
}
