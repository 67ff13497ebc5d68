//! The documents of the marketplace, of the specimens and of a service of many resources, before validators and linters: no error, no warning.

use super::Check;
use super::many;
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, JsonTree, asyncapi, openapi};
use restwell_model::{Checked, Service};
use restwell_testkit::tools::{Tools, run};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How a service is made.
type Make = fn() -> Result<Checked, String>;

/// The services.
const SERVICES: [(&str, Make); 3] =
    [("marketplace", || recorded("generated-example")), ("specimens", || recorded("tests")), ("many", many::many)];

/// The model that a service has recorded; tests of the services keep it current.
pub(crate) fn recorded(folder: &str) -> Result<Checked, String> {
    Checked::new(recorded_service(folder)?).map_err(|faults| format!("{faults:?}"))
}

/// The same, not checked.
pub(crate) fn recorded_service(folder: &str) -> Result<Service, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder).join("migrations/model.json");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// Writes a document into a folder.
pub(crate) fn write(folder: &Path, name: &str, document: &JsonTree) -> Result<PathBuf, String> {
    let file = folder.join(name);
    let text = serde_json::to_string_pretty(document).map_err(|error| error.to_string())?;
    fs::write(&file, text).map_err(|error| error.to_string())?;
    Ok(file)
}

pub(crate) fn folder() -> Result<TempDir, String> {
    tempfile::tempdir().map_err(|error| error.to_string())
}

type Gate = fn(&Tools, &Checked, &Path) -> Result<(), String>;

const GATES: [(&str, Gate); 4] =
    [("openapi-spec-validator", validate), ("redocly", redocly), ("spectral", spectral), ("asyncapi", async_parser)];

pub(crate) fn checks() -> Vec<Check> {
    let check = |(service, make): (&'static str, Make), (name, gate): (&'static str, Gate)| -> Check {
        let check = move |tools: &Tools| {
            let folder = folder()?;
            gate(tools, &make()?, folder.path())
        };
        (format!("{service}::{name}"), Box::new(check))
    };
    let sizes: Gate = |_, service, folder| many::sizes(service, folder);
    let served: Gate = |_, service, _| many::served(service);
    let more = [("sizes", sizes), ("served", served)].map(|gate| check(("many", many::many), gate));
    SERVICES.into_iter().flat_map(|service| GATES.map(|gate| check(service, gate))).chain(more).collect()
}

fn whole(service: &Checked, folder: &Path) -> Result<PathBuf, String> {
    write(folder, "openapi.json", &openapi(&Api::of(service), ContractOptions::default()))
}

fn validate(tools: &Tools, service: &Checked, folder: &Path) -> Result<(), String> {
    let file = whole(service, folder)?;
    run(folder, tools.python("openapi-spec-validator"), [file], &[]).map(drop)
}

fn redocly(tools: &Tools, service: &Checked, folder: &Path) -> Result<(), String> {
    whole(service, folder)?;
    let config = tools.folder.join("redocly.yaml");
    let arguments = ["lint", "openapi.json", "--max-problems", "50", "--config", &config.to_string_lossy()];
    // warnings are errors in its strict rules
    run(folder, tools.node("redocly"), arguments, &[]).map(drop)
}

fn spectral(tools: &Tools, service: &Checked, folder: &Path) -> Result<(), String> {
    let file = whole(service, folder)?;
    let rules = tools.folder.join("spectral.yaml");
    let (file, rules) = (file.to_string_lossy(), rules.to_string_lossy());
    run(folder, tools.node("spectral"), ["lint", &file, "--ruleset", &rules, "--fail-severity", "hint"], &[]).map(drop)
}

fn async_parser(tools: &Tools, service: &Checked, folder: &Path) -> Result<(), String> {
    let file = write(folder, "asyncapi.json", &asyncapi(&Api::of(service)))?;
    let script = tools.folder.join("asyncapi.mjs");
    run(&tools.folder, "node", [script, file], &[]).map(drop)
}
