//! yaml-test-suite: which texts are YAML, and what they say. The schema language is a subset of it: what it leaves out
//! must be refused, with its own reason.
//!
//! The suite describes its cases in YAML, which is read here as schemas are.

use crate::{SuiteError, Verdict, Verdicts, files, stem};
use restwell_generator::yaml::scalar::{Scalar, resolve};
use restwell_generator::yaml::{Node, NodeKind, read};
use restwell_generator::{Diagnostic, File, format};
use restwell_model::FaultCode;
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

/// What stands for characters that cannot be seen. Tabs are written as `»` after any number of `—`.
const SIGNS: [(&str, &str); 4] = [("␣", " "), ("←", "\r"), ("⇔", "\u{feff}"), ("↵", "")];

/// Reasons that the schema language has to refuse YAML, in words of its diagnostics.
const REFUSED: [&str; 10] = [
    "anchors are not part",
    "aliases are not part",
    "tags are not part",
    "merge keys are not part",
    "a file contains one document",
    "does not contain a document",
    "a key must be a word",
    "appears twice",
    "indented with a tab",
    "begins with a byte order mark",
];

pub(crate) fn run(folder: &Path) -> Result<Verdicts, SuiteError> {
    let mut verdicts = Vec::new();
    for path in files(&folder.join("src"), "yaml")? {
        let (_, root, faults) = read(0, &File::new("case.yaml", fs::read(&path)?));
        let root = match (root, faults.first()) {
            (Some(root), None) => root,
            (_, fault) => return Err(format!("{} cannot be read: {fault:?}", path.display()).into()),
        };
        // what a case does not say, the one before it says
        let (mut yaml, mut json) = (None, None);
        for (index, case) in root.items().iter().enumerate() {
            let text = |key: &str| case.entry(key).and_then(|entry| entry.value.text());
            yaml = text("yaml").or(yaml);
            json = case.entry("json").map_or(json, |entry| entry.value.text().filter(|_| !entry.value.is_null()));
            let name = format!("{}/{index}", stem(&path));
            if root.items()[0].entry("skip").is_some() {
                verdicts.push((name, Verdict::NotApplicable("the suite itself skips it".to_owned())));
                continue;
            }
            let input = unescaped(yaml.ok_or("a case without YAML")?);
            let expected = if case.entry("fail").is_some() { Expected::Fault } else { Expected::Json(json) };
            verdicts.push((name, verdict(&input, expected)));
        }
    }
    Ok(verdicts)
}

enum Expected<'a> {
    Fault,
    /// The documents, if the suite says what they are.
    Json(Option<&'a str>),
}

fn unescaped(text: &str) -> String {
    let mut text = SIGNS.iter().fold(text.to_owned(), |text, (sign, character)| text.replace(sign, character));
    while text.contains("—»") {
        text = text.replace("—»", "»");
    }
    let text = text.replace('»', "\t");
    text.strip_suffix("∎\n").map(str::to_owned).unwrap_or(text)
}

fn verdict(input: &str, expected: Expected<'_>) -> Verdict {
    let (_, root, faults) = read(0, &File::new("case.yaml", input));
    match (expected, root, faults.as_slice()) {
        (Expected::Fault, Some(_), []) => Verdict::Failed("accepted".to_owned()),
        (Expected::Fault, _, _) => Verdict::Passed,
        (Expected::Json(None), Some(root), []) => formatting(input, &root),
        (Expected::Json(Some(json)), Some(root), []) => match serde_json::from_str::<Json>(json) {
            Ok(expected) if expected == value(&root) => formatting(input, &root),
            Ok(_) => Verdict::Failed(format!("read as {}", value(&root))),
            Err(error) => Verdict::Failed(format!("accepted, though {error} in {json:?}")),
        },
        (Expected::Json(_), _, faults) => match faults.iter().find_map(subset_reason) {
            Some(reason) => Verdict::NotApplicable(format!("YAML, but refused: {reason}")),
            None => Verdict::Failed(format!("refused: {:?}", faults.first().map(|fault| &fault.message))),
        },
    }
}

/// Whether a mapping, as each document of schemas is one, is the same once it is formatted.
fn formatting(input: &str, root: &Node) -> Verdict {
    if !matches!(root.kind, NodeKind::Mapping(_)) {
        return Verdict::Passed;
    }
    let formatted = match format::format(0, &File::new("case.yaml", input)).1 {
        Ok(formatted) => formatted,
        // it says so, and changes nothing
        Err(_) => return Verdict::NotApplicable("read, but `restwell fmt` does not format it".to_owned()),
    };
    match read(0, &File::new("case.yaml", formatted.as_str())) {
        (_, Some(again), faults) if faults.is_empty() && value(&again) == value(root) => Verdict::Passed,
        (_, _, faults) => Verdict::Failed(format!("formatted as {formatted:?}: {:?}", faults.first())),
    }
}

fn subset_reason(fault: &Diagnostic) -> Option<&'static str> {
    let known = REFUSED.iter().find(|reason| fault.message.contains(**reason)).copied();
    known.or((fault.code == FaultCode::AliasRefused).then_some("an alias"))
}

/// What a tree stands for, by the core schema.
fn value(node: &Node) -> Json {
    match &node.kind {
        NodeKind::Sequence(items) => items.iter().map(value).collect(),
        NodeKind::Mapping(entries) => {
            entries.iter().map(|entry| (entry.key.text.clone(), value(&entry.value))).collect()
        }
        NodeKind::Scalar { .. } | NodeKind::Refused => match resolve(node) {
            None | Some(Scalar::Null) => Json::Null,
            Some(Scalar::Bool(value)) => value.into(),
            Some(Scalar::String(text)) => text.into(),
            Some(number) => match number.integer() {
                Some(integer) => integer.into(),
                None => number.number().map_or(Json::Null, Json::from),
            },
        },
    }
}
