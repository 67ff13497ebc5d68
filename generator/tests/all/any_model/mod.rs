//! Any model, written as YAML: parsed it is the same model; the JSON Schema takes it where the rules do; formatting
//! keeps its meaning, and formatting it again changes nothing; and every difference between two of them is reported.

mod differences;
mod write_yaml;

use proptest::prelude::*;
use restwell_generator::interpret::{Interpreted, interpret};
use restwell_generator::json_schema::json_schema;
use restwell_generator::{File, compile, format::format, yaml};
use restwell_model::Service;
use restwell_testkit::any_model::{any_service, repaired};
use restwell_testkit::effort::by_effort;
use std::sync::LazyLock;

static VALIDATOR: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| jsonschema::draft202012::new(&json_schema()).unwrap());

/// Models, or pairs of them, that each test tries, by effort.
const MODELS: (u32, u32, u32) = (50, 200, 5_000);

fn config() -> ProptestConfig {
    let models = by_effort(MODELS);
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(models) }
}

/// What texts describe, whether it holds or not.
fn described(texts: &[String]) -> Service {
    let files = texts.iter().enumerate().map(|(number, text)| File::new(&format!("{number}.yaml"), text.as_str()));
    let trees: Vec<_> = files.enumerate().map(|(index, file)| yaml::read(index, &file)).collect();
    let nodes = trees.into_iter().map(|(_, node, faults)| {
        assert!(faults.is_empty(), "{faults:?}");
        node.unwrap()
    });
    let nodes: Vec<_> = nodes.collect();
    let Interpreted { service, diagnostics, .. } = interpret(&nodes, true);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    service
}

fn formatted(text: &str) -> String {
    format(0, &File::new("any.yaml", text)).1.unwrap_or_else(|faults| panic!("{faults:?}\n{text}"))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_written_is_read_again(service in any_service()) {
        let texts = write_yaml::documents(&service);
        prop_assert_eq!(described(&texts), service, "{}", texts.join("---\n"));
    }

    #[test]
    fn formatting_keeps_the_meaning_and_has_no_second_thoughts(service in any_service()) {
        let texts: Vec<String> = write_yaml::documents(&service).iter().map(|text| formatted(text)).collect();
        for text in &texts {
            prop_assert_eq!(&formatted(text), text);
        }
        prop_assert_eq!(described(&texts), service, "{}", texts.join("---\n"));
    }

    #[test]
    fn what_the_rules_take_the_schema_takes(service in any_service()) {
        let texts = write_yaml::documents(&repaired(service));
        for text in &texts {
            let document = serde_yaml::from_str(text).unwrap();
            let problems: Vec<String> = VALIDATOR.iter_errors(&document).map(|error| error.to_string()).collect();
            prop_assert!(problems.is_empty(), "{:#?}\n{}", problems, text);
        }
        let files = texts.iter().enumerate().map(|(n, text)| File::new(&format!("{n}.yaml"), text.as_str()));
        prop_assert!(compile(&files.collect::<Vec<_>>()).service.is_some());
    }
}
