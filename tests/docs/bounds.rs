//! The table of bounds in `docs/reference/limits.md`, held to the code: each row names a constant, and its value there is the
//! constant's; each constant on the way of a request that looks like a bound has a row.

use crate::page::{Page, root};
use libtest_mimic::Failed;
use regex::Regex;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- the bounds: each row names its constant; a test compares the values -->\n";
const END: &str = "<!-- end of the bounds -->";

/// Where the way of a request is: what a client sends, or makes the service do, is bounded there.
const REQUEST_PATH: [&str; 23] = [
    "model/src/condition/count_bound.rs",
    "model/src/input",
    "model/src/language/types.rs",
    "runtime/src/auth",
    "runtime/src/events",
    "runtime/src/fair_queue.rs",
    "runtime/src/logic/clock_transitions.rs",
    "runtime/src/logic/commands/retention.rs",
    "runtime/src/logic/hashing.rs",
    "runtime/src/logic/rule_chain.rs",
    "runtime/src/logic/steps.rs",
    "runtime/src/program/head_errors.rs",
    "runtime/src/program/head_memory.rs",
    "runtime/src/program/lingering_close.rs",
    "runtime/src/observe/log_throttle.rs",
    "runtime/src/messages",
    "runtime/src/program/pacing.rs",
    "runtime/src/plan",
    "runtime/src/serve",
    "runtime/src/program/request_progress.rs",
    "runtime/src/program/server.rs",
    "runtime/src/service/users.rs",
    "runtime/src/store",
];

/// Of these folders, what no request reaches, or what no client can grow.
const ELSEWHERE: [(&str, &str); 6] = [
    ("runtime/src/auth/development.rs", "the key is the service's own"),
    ("runtime/src/events/nats", "the bus: no request waits for it"),
    ("runtime/src/events/retention.rs", "how long events are kept is an option"),
    ("runtime/src/plan/router.rs", "follows from the model"),
    ("runtime/src/store/postgres/location.rs", "the operator's own URL"),
    ("runtime/src/store/dump", "export and import are the operator's"),
];

/// Names like those of bounds, of what is only a size: how large something is, or how much room it gets at first.
const SIZES: [&str; 14] = [
    "COMMAND_BYTES",
    "ENTITY_BYTES",
    "FRAME_HEADER_BYTES",
    "HEADER_BYTES",
    "INDEXED_BYTES",
    "MAX_AGE",
    "MEMBER_BYTES",
    "OBJECT_BYTES",
    "OVERHEAD_BYTES",
    "OWN_HEAD_BYTES",
    "PARENT_BYTES",
    "USUAL_BYTES",
    "VALUE_BYTES",
    "WAITING_REQUEST_BYTES",
];

/// A constant of the code: the file and the name.
type Name = (String, String);

/// Compares the table with the constants.
pub(crate) fn check(page: &mut Page) -> Result<(), Failed> {
    let (_, rest) = page.text.split_once(BEGIN).ok_or("the page has no table of bounds")?;
    let (table, _) = rest.split_once(END).ok_or("the table of bounds has no end")?;
    let (rows, constants) = (rows(table)?, constants()?);
    let mut faults = Vec::new();
    for (name, said) in &rows {
        match constants.get(name) {
            None => faults.push(format!("{} `{}` is in the table, not in the code", name.0, name.1)),
            Some(is) if is != said => {
                faults.push(format!("{} `{}` is {is} in the code, {said} in the table", name.0, name.1));
            }
            Some(_) => {}
        }
    }
    let missing = constants.keys().filter(|name| !rows.contains_key(*name));
    faults.extend(missing.map(|(file, name)| format!("{file} `{name}` has no row in the table")));
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// The rows that name a constant: `| what | limit | beyond it | file NAME |`. Rows of options have none.
fn rows(table: &str) -> Result<BTreeMap<Name, f64>, Failed> {
    let constant = Regex::new(r"`([a-z_/0-9]+\.rs) ([A-Z_0-9]+)`")?;
    let quantity = Regex::new(r"([0-9][0-9,]*(?:\.[0-9]+)?)(?: (bytes|KiB|MiB|ms|seconds|second|s|minutes))?")?;
    let mut rows = BTreeMap::new();
    for line in table.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [what, limit, _, named] = cells.as_slice() else {
            return Err(format!("a row of the table of bounds has {} cells: {line}", cells.len()).into());
        };
        let Some(found) = constant.captures(named) else { continue };
        let said = quantity.captures(limit).ok_or_else(|| format!("`{what}` has no number"))?;
        let number: f64 = said[1].replace(',', "").parse().map_err(|_| format!("`{what}`: {}", &said[1]))?;
        let unit = match said.get(2).map(|unit| unit.as_str()) {
            Some("KiB") => 1024.0,
            Some("MiB") => 1024.0 * 1024.0,
            Some("s" | "second" | "seconds") => 1000.0,
            Some("minutes") => 60_000.0,
            _ => 1.0,
        };
        rows.insert((found[1].to_owned(), found[2].to_owned()), number * unit);
    }
    Ok(rows)
}

/// The bounds on the way of a request, as numbers: of bytes, of milliseconds, of things.
fn constants() -> Result<BTreeMap<Name, f64>, Failed> {
    let root = root();
    let declared = Regex::new(r"(?m)^\s*(?:pub(?:\([a-z: ]+\))? )?const ([A-Z_0-9]+): [A-Za-z0-9]+ = ([^;]+);")?;
    let bound =
        Regex::new(r"^MAX_|^MIN_\w*RATE$|_(TIMEOUT|PATIENCE|BUDGET|BYTES|KIB|ENTRIES|PLACES|THREADS|RATE|QUEUE)$")?;
    let mut files = Vec::new();
    REQUEST_PATH.iter().try_for_each(|place| sources(&root.join(place), &mut files))?;
    let mut constants = BTreeMap::new();
    for file in files {
        let path = file.strip_prefix(root)?.to_string_lossy().into_owned();
        if ELSEWHERE.iter().any(|(place, _)| path.starts_with(place)) || path.contains("tests") {
            continue;
        }
        let text = fs::read_to_string(&file)?;
        for found in
            declared.captures_iter(&text).filter(|found| bound.is_match(&found[1]) && !SIZES.contains(&&found[1]))
        {
            let (name, value) = (found[1].to_owned(), &found[2]);
            let kib = if name.ends_with("_KIB") { 1024.0 } else { 1.0 };
            let number = evaluated(value).ok_or_else(|| format!("{path}: cannot read `{name} = {value}`"))?;
            constants.insert((path.clone(), name), number * kib);
        }
    }
    Ok(constants)
}

fn sources(place: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failed> {
    if place.is_file() {
        files.push(place.to_owned());
    } else if place.is_dir() {
        for entry in fs::read_dir(place)? {
            let path = entry?.path();
            if path.is_dir() || path.extension().is_some_and(|extension| extension == "rs") {
                sources(&path, files)?;
            }
        }
    }
    Ok(())
}

/// What a constant's expression is worth: products and shifts of whole numbers, durations in milliseconds.
fn evaluated(expression: &str) -> Option<f64> {
    let expression = expression.trim();
    for (call, unit) in
        [("Duration::from_secs(", 1000.0), ("Duration::from_millis(", 1.0), ("Quota::per_day(NonZeroU32::new(", 1.0)]
    {
        if let Some((inner, _)) = expression.strip_prefix(call).and_then(|rest| rest.split_once(')')) {
            return Some(evaluated(inner)? * unit);
        }
    }
    if let Some((base, by)) = expression.split_once("<<") {
        return Some(evaluated(base)? * evaluated(by)?.exp2());
    }
    expression.split('*').map(|factor| factor.trim().replace('_', "").parse::<f64>().ok()).product()
}
