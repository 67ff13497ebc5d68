//! The JSON Schema, as an independent validator understands it, against documents that people wrote.

use super::common;
use jsonschema::Validator;
use restwell_generator::compile;
use restwell_generator::json_schema::json_schema;
use restwell_model::FaultCode;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn validator() -> Validator {
    let schema = json_schema();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Every YAML file in a folder, at any depth.
fn yaml_files(dir: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { yaml_files(&path) } else { vec![path] };
    paths.flat_map(below).filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect()
}

fn problems(validator: &Validator, document: &Value) -> Vec<String> {
    validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// The documents of an example of the catalogue; none where the parser for other people's YAML gives up.
fn documents(example: &str) -> Vec<Value> {
    let is_schema = |text: &&str| !text.starts_with("# messages/");
    example.split("---\n").filter(is_schema).filter_map(|text| serde_yaml::from_str(text).ok()).collect()
}

#[test]
fn documents_that_are_right_are_valid() {
    let validator = validator();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = ["schemas", "tests/schemas", "generator/tests/golden"].map(|dir| root.join(dir));
    let files: Vec<PathBuf> = files.iter().filter(|dir| dir.is_dir()).flat_map(|dir| yaml_files(dir)).collect();
    assert!(files.len() > 20, "there are documents to look at");
    for path in files {
        let document = serde_yaml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let problems = problems(&validator, &document);
        assert!(problems.is_empty(), "{}: {problems:#?}", path.display());
    }
}

#[test]
fn right_examples_of_the_catalogue_are_valid() {
    let validator = validator();
    for code in FaultCode::ALL {
        for document in documents(&code.right()) {
            let problems = problems(&validator, &document);
            assert!(problems.is_empty(), "{code}: {problems:#?}\n{}", code.right());
        }
    }
}

#[test]
fn faults_that_one_document_shows_are_invalid() {
    use FaultCode::*;
    let validator = validator();
    for code in [
        UnknownDocument,
        UnknownKey,
        MissingKey,
        WrongType,
        InvalidValue,
        PascalCase,
        CamelCase,
        KebabCase,
        UpperSnake,
        NestedArray,
        MapValues,
        UnknownRule,
        NotAllowable,
        EmptyReason,
        BadPath,
    ] {
        let is_valid = documents(&code.wrong()).iter().all(|document| validator.is_valid(document));
        assert!(!is_valid, "{code}\n{}", code.wrong());
    }
}

/// What JSON Schema cannot say: the order of keys, and the calendar (`format` only annotates).
const BEYOND_THE_SCHEMA: [&str; 2] = ["kind-not-first", "no-date"];

/// The folders of faults that are of form, not of sense: the schema refuses them as well.
#[test]
fn fault_folders_of_form_are_invalid() {
    let validator = validator();
    let mut accepted = Vec::new();
    let mut seen = 0;
    for case in common::folders(&common::tests("cases")).iter().flat_map(|class| common::folders(class)) {
        let compiled = compile(&common::schemas(&case));
        let is_of_form = |code: FaultCode| {
            use FaultCode::*;
            matches!(code, UnknownDocument | UnknownKey | MissingKey | WrongType | InvalidValue)
        };
        if compiled.diagnostics.iter().any(|diagnostic| is_of_form(diagnostic.code)) {
            seen += 1;
            let read = |path: &PathBuf| serde_yaml::from_str::<Value>(&fs::read_to_string(path).ok()?).ok();
            let is_valid = |path: &PathBuf| read(path).is_some_and(|document| validator.is_valid(&document));
            if yaml_files(&case.join("schemas")).iter().all(is_valid) {
                accepted.push(common::name(&case));
            }
        }
    }
    assert!(seen > 20, "there are folders to look at: {seen}");
    assert_eq!(accepted, BEYOND_THE_SCHEMA, "valid by the schema");
}

#[test]
fn a_mistake_is_reported_at_its_place() {
    let validator = validator();
    let document = serde_json::json!({
        "resource": "Offer",
        "fields": {
            "stock": { "type": "integer", "maxLength": 3 },
            "name": { "type": "string", "required": "yes" },
            "seller": { "type": "ref" },
        },
    });
    let places: Vec<String> = validator.iter_errors(&document).map(|error| error.instance_path().to_string()).collect();
    assert_eq!(places.len(), 3, "{places:?}");
    for place in ["/fields/stock", "/fields/name/required", "/fields/seller"] {
        assert!(places.iter().any(|found| found == place), "{place} is not among {places:?}");
    }
}
