//! Runs what reads JSON, JSON Patch, YAML and numbers of messages with the public suites of tests for these:
//!
//! ```sh
//! cargo run -p restwell-fuzz --example public_suites -- json=FOLDER json-patch=FOLDER yaml=FOLDER plural-rules=FOLDER
//! ```
//!
//! The folders are checkouts of JSONTestSuite (nst/JSONTestSuite), json-patch-tests (json-patch/json-patch-tests) and
//! yaml-test-suite (yaml/yaml-test-suite), and the unpacked package `cldr-core` (npm). It prints how many cases pass,
//! fail, and do not apply, and why; it fails if one fails. Nothing of the suites is kept in this repository: what they
//! have found is in its own tests.

mod json;
mod json_patch;
mod plural_rules;
mod yaml;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

/// What a case says of us.
enum Verdict {
    Passed,
    /// What was wrong.
    Failed(String),
    /// What is refused, or decided otherwise, on purpose.
    NotApplicable(String),
}

/// The cases of a suite by their names.
type Verdicts = Vec<(String, Verdict)>;

/// Why a suite cannot be read.
type SuiteError = Box<dyn Error>;

/// A suite: its name on the command line, and what runs it.
type Suite = (&'static str, fn(&Path) -> Result<Verdicts, SuiteError>);

const SUITES: [Suite; 4] =
    [("json", json::run), ("json-patch", json_patch::run), ("yaml", yaml::run), ("plural-rules", plural_rules::run)];

fn main() -> Result<ExitCode, SuiteError> {
    let mut all = Vec::new();
    for argument in env::args().skip(1) {
        let (name, folder) = argument.split_once('=').ok_or("write each suite as in `json=FOLDER`")?;
        let (name, run) = SUITES.iter().find(|(known, _)| *known == name).ok_or(format!("no suite `{name}`"))?;
        let verdicts = run(Path::new(folder)).map_err(|error| format!("{folder}: {error}"))?;
        if verdicts.is_empty() {
            return Err(format!("{folder} has no cases of `{name}`").into());
        }
        all.push((*name, verdicts));
    }
    all.iter().for_each(|(name, verdicts)| print_reasons(name, verdicts));
    println!("\n| suite | passed | failed | not applicable |\n|---|---|---|---|");
    let mut failed = 0;
    for (name, verdicts) in &all {
        let count = |is: fn(&Verdict) -> bool| verdicts.iter().filter(|(_, verdict)| is(verdict)).count();
        let failures = count(|verdict| matches!(verdict, Verdict::Failed(_)));
        let passed = count(|verdict| matches!(verdict, Verdict::Passed));
        println!("| {name} | {passed} | {failures} | {} |", verdicts.len() - passed - failures);
        failed += failures;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Each failure, and the reasons why cases do not apply with their counts.
fn print_reasons(name: &str, verdicts: &Verdicts) {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (case, verdict) in verdicts {
        match verdict {
            Verdict::Passed => {}
            Verdict::Failed(fault) => println!("{name}: {case} failed: {fault}"),
            Verdict::NotApplicable(reason) => reasons.entry(reason).or_default().push(case),
        }
    }
    for (reason, cases) in reasons {
        let named = cases.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let more = if cases.len() > 5 { ", …" } else { "" };
        println!("{name}: {} not applicable: {reason} ({named}{more})", cases.len());
    }
}

/// The files of a folder with this ending, in the order of their names.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, SuiteError> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<Result<Vec<_>, SuiteError>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    paths.sort();
    Ok(paths)
}

/// The name of a file without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
