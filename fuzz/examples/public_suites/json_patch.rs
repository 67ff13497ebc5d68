//! json-patch-tests: what a patch makes of a document. The document is the value of a field, since an entity is an
//! object of known fields; so each path begins with the name of this field.

use crate::json::notes;
use crate::{SuiteError, Verdict, Verdicts};
use restwell::fuzzing::FuzzedService;
use restwell_model::input::well_formed;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::Path;

/// The field.
const FIELD: &str = "/data";

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    comment: String,
    doc: Json,
    patch: Box<RawValue>,
    #[serde(default, deserialize_with = "given")]
    expected: Option<Json>,
    error: Option<String>,
}

/// A value of null is a value.
fn given<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

pub(crate) fn run(folder: &Path) -> Result<Verdicts, SuiteError> {
    let service = notes()?;
    let mut verdicts = Vec::new();
    for file in ["tests", "spec_tests"] {
        let cases: Vec<Case> = serde_json::from_slice(&fs::read(folder.join(format!("{file}.json")))?)?;
        for (index, case) in cases.iter().enumerate() {
            verdicts.push((format!("{file} {index} {}", case.comment), verdict(&service, case)));
        }
    }
    Ok(verdicts)
}

fn verdict(service: &FuzzedService, case: &Case) -> Verdict {
    // the suite's own cases of members that an operation has twice
    if let Err(reason) = well_formed(case.patch.get().as_bytes()) {
        return match &case.error {
            Some(_) => Verdict::Passed,
            None => Verdict::Failed(format!("refused: {}", reason.0)),
        };
    }
    let entity = json!({ "data": case.doc }).to_string();
    let outcome = service.patch(entity.as_bytes(), moved(case.patch.get()).as_bytes());
    match (&case.expected, outcome) {
        (None, outcome) if case.error.is_some() == outcome.is_err() => Verdict::Passed,
        (None, Ok((text, _))) => Verdict::Failed(format!("applied: {}", String::from_utf8_lossy(&text))),
        (_, Err(problems)) => Verdict::Failed(format!("refused: {:?}", problems.first())),
        (Some(expected), Ok((text, problems))) => {
            let found = serde_json::from_slice::<Json>(&text).map(|found| found["data"].clone());
            match found {
                Ok(found) if found == *expected && problems.is_empty() => Verdict::Passed,
                _ => Verdict::Failed(format!("made {}, {problems:?}", String::from_utf8_lossy(&text))),
            }
        }
    }
}

/// The patch with the field before its paths, as far as they are paths.
fn moved(patch: &str) -> String {
    let Ok(mut operations) = serde_json::from_str::<Json>(patch) else { return patch.to_owned() };
    for operation in operations.as_array_mut().into_iter().flatten() {
        for member in ["path", "from"] {
            if let Some(Json::String(path)) = operation.get_mut(member)
                && (path.is_empty() || path.starts_with('/'))
            {
                path.insert_str(0, FIELD);
            }
        }
    }
    operations.to_string()
}
