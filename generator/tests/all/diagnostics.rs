//! Every way to be wrong: `cases/<class>/<fault>/schemas/*.yaml` and what `restwell check` says of them, or
//! `restwell generate` where there is a model `before`. `RESTWELL_UPDATE=1` rewrites what is expected.

use super::common;
use restwell_model::FaultCode;
use std::collections::BTreeSet;

#[test]
fn each_case_is_reported_as_expected() {
    let mut wrong = Vec::new();
    for class in common::folders(&common::tests("cases")) {
        for case in common::folders(&class) {
            let report = common::report(&common::compiled(&case));
            wrong.extend(common::compare(&report, &case.join("expected.txt")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_case_has_one_mistake_and_is_refused_for_an_error() {
    for class in common::folders(&common::tests("cases")) {
        for case in common::folders(&class).iter().filter(|case| common::name(case) != "ten-mistakes") {
            let compiled = common::compiled(case);
            assert_eq!(compiled.diagnostics.len(), 1, "{} has one mistake", case.display());
            let refused = compiled.diagnostics[0].is_error();
            assert_eq!(compiled.service.is_none(), refused, "{} is refused for an error alone", case.display());
        }
    }
}

#[test]
fn each_fault_of_the_catalogue_has_a_case() {
    let shown: BTreeSet<FaultCode> = common::folders(&common::tests("cases"))
        .iter()
        .flat_map(|class| common::folders(class))
        .flat_map(|case| common::compiled(&case).diagnostics)
        .map(|diagnostic| diagnostic.code)
        .collect();
    // a derive's attribute cannot be wrong in YAML
    let is_missing = |code: &&FaultCode| **code != FaultCode::AttributeSyntax && !shown.contains(code);
    let missing: Vec<_> = FaultCode::ALL.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn ten_mistakes_are_ten_diagnostics() {
    let compiled = common::compiled(&common::tests("cases/all/ten-mistakes"));
    assert_eq!(compiled.diagnostics.len(), 10);
}

#[test]
fn a_machine_reads_one_object_a_line_with_every_place() {
    let compiled = common::compiled(&common::tests("cases/documents/duplicate-name"));
    let line = restwell_generator::render::json(&compiled.diagnostics[0], &compiled.sources);
    assert!(!line.contains('\n'));
    let json: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(json["code"], "duplicate-name");
    assert_eq!(json["severity"], "error");
    assert_eq!(json["spans"].as_array().unwrap().len(), 2);
    let (span, text) = (&json["spans"][0], &compiled.sources[0].text);
    assert_eq!(json["file"], span["file"]);
    let bytes = |end: &str| usize::try_from(span[end]["byte"].as_u64().unwrap()).unwrap();
    assert_eq!(&text[bytes("start")..bytes("end")], "Shade");
    assert_eq!(span["start"]["line"], 1);
    assert_eq!(span["start"]["column"], 7);
}
