//! JSONTestSuite: which texts are JSON. Those that are must also be kept as they are by a field that takes any value.

use crate::{SuiteError, Verdict, Verdicts, files, stem};
use restwell::fuzzing::FuzzedService;
use restwell_generator::{File, compile};
use restwell_model::input::{MAX_DEPTH, Reading, well_formed};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

/// A service whose entities have a field for any value.
const SCHEMAS: [(&str, &str); 2] = [
    ("service.yaml", "service: notes\n"),
    ("note.yaml", "resource: Note\nfields: { data: { type: json, maxBytes: 262144 } }\n"),
];

/// The service, with its resource `Note`.
pub(crate) fn notes() -> Result<FuzzedService, SuiteError> {
    let compiled = compile(&SCHEMAS.map(|(name, text)| File::new(name, text)));
    let (service, _) = compiled.service.ok_or("the schemas have a fault")?;
    Ok(FuzzedService::new(service, "Note")?)
}

pub(crate) fn run(folder: &Path) -> Result<Verdicts, SuiteError> {
    let service = notes()?;
    let judge = |path: &Path| Ok((stem(path), verdict(&service, &stem(path), &fs::read(path)?)));
    files(&folder.join("test_parsing"), "json")?.iter().map(|path| judge(path)).collect()
}

fn verdict(service: &FuzzedService, name: &str, text: &[u8]) -> Verdict {
    let read = well_formed(text);
    let shaped = service.shape().read(text, Reading::Create, &[]);
    if shaped.is_ok() != read.is_ok() {
        return Verdict::Failed("it depends on the fields whether it is JSON".to_owned());
    }
    match (name.split('_').next(), read) {
        (Some("y"), Ok(())) => keeping(service, text),
        (Some("y"), Err(reason)) if reason.0.contains("appears twice") => {
            Verdict::NotApplicable("a key twice is refused".to_owned())
        }
        (Some("y"), Err(reason)) => Verdict::Failed(format!("refused: {}", reason.0)),
        (Some("n"), Ok(())) => Verdict::Failed("accepted".to_owned()),
        (Some("n"), Err(_)) => Verdict::Passed,
        // implementations may decide; what we accept we must keep
        (_, Ok(())) => keeping(service, text),
        (_, Err(reason)) => {
            let what = if reason.0.contains("deep") { format!("deeper than {MAX_DEPTH} levels") } else { reason.0 };
            let what = what.split(" at line").next().unwrap_or_default();
            Verdict::NotApplicable(format!("left to implementations, refused: {what}"))
        }
    }
}

/// Whether a field keeps the value.
fn keeping(service: &FuzzedService, text: &[u8]) -> Verdict {
    let body = [b"{\"data\":", text, b"}"].concat();
    let read = match service.shape().read(&body, Reading::Create, &[]) {
        Ok(read) => read,
        Err(reason) => return Verdict::Failed(format!("refused inside an object: {}", reason.0)),
    };
    if let Some(problem) = read.problems.first() {
        return Verdict::NotApplicable(format!("JSON, but a field does not take it: {:?}", problem.code));
    }
    let written = service.write(&read.value);
    if !has_value(&body, written.as_bytes()) {
        return Verdict::Failed(format!("kept as {written}"));
    }
    let patch = [b"[{\"op\":\"add\",\"path\":\"/data\",\"value\":", text, b"}]"].concat();
    match service.patch(b"{\"data\":null}", &patch) {
        Ok((patched, problems)) if problems.is_empty() && has_value(&body, &patched) => Verdict::Passed,
        outcome => Verdict::Failed(format!("a patch makes {outcome:?}")),
    }
}

/// Whether an entity has the value of a body.
fn has_value(body: &[u8], entity: &[u8]) -> bool {
    let value = |text: &[u8]| serde_json::from_slice::<Json>(text).ok().map(|entity| entity["data"].clone());
    value(body).is_some_and(|expected| value(entity) == Some(expected))
}
