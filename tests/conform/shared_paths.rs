//! Resources at paths of the service itself: what the media types of a request say decides which of the two it is for.

use crate::conform::roles::serving;
use crate::conform::services::{is_conforming, run};
use restwell_generator::conform::{ConformOptions, Outcome};

const OFFICE: [(&str, &str); 4] = [
    ("service.yaml", "service: office\n"),
    (
        "event.yaml",
        "resource: Event
operations: { create: , list: , get: }
fields:
  name: { type: string, required: true, maxLength: 40, filter: true }
",
    ),
    ("metric.yaml", "resource: Metric\nfields:\n  name: { type: string, maxLength: 40 }\n"),
    (
        "doc.yaml",
        "resource: Doc
operations: { create: , get: , delete: }
views:
  probes: { path: /livez, operations: [list] }
fields:
  name: { type: string, maxLength: 40 }
",
    ),
];

#[test]
fn a_service_with_resources_at_its_own_paths_conforms() {
    let report = run(&serving(&OFFICE), &ConformOptions::default());
    is_conforming(&report);
    let passed = |title: &str| {
        let case = report.cases.iter().find(|case| case.title == title);
        case.is_some_and(|case| case.outcome == Outcome::Passed)
    };
    for title in
        ["OPTIONS /events", "DELETE /metrics", "GET /docs", "POST /docs: Accept: text/html", "GET /livez: order"]
    {
        assert!(passed(title), "{title}\n{}", report.text());
    }
}
