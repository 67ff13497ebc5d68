//! The page for people in a browser: the whole way by keyboard, maps and JSON in forms, its accessibility in every state, the types of its
//! modules, and the library that it contains.

use super::Check;
use super::documents::folder;
use restwell::testing;
use restwell_testkit::process::{self, LISTEN, Service};
use restwell_testkit::tools::{Tools, run};
use std::fs;
use std::path::{Path, PathBuf};

/// A user who may end any offer.
const SOMEBODY: &str = "019e7045-7260-726b-b2a7-4de452e6b438";

pub(crate) fn checks() -> Vec<Check> {
    vec![
        ("page::way".to_owned(), Box::new(|tools: &Tools| in_browser(tools, "way.mjs"))),
        ("page::free_values".to_owned(), Box::new(free_values)),
        ("page::audits".to_owned(), Box::new(|tools: &Tools| in_browser(tools, "audits.mjs"))),
        ("page::pickers".to_owned(), Box::new(|tools: &Tools| in_browser(tools, "pickers.mjs"))),
        ("page::types".to_owned(), Box::new(types)),
        ("page::library".to_owned(), Box::new(library)),
        ("page::numbers".to_owned(), Box::new(numbers)),
    ]
}

fn page_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/page")
}

/// Runs a script of `contracts/page/` on the page of a marketplace with sample data.
fn in_browser(tools: &Tools, script: &str) -> Result<(), String> {
    let folder = process::folder();
    // a database that nobody names has sample data
    let service = Service::start_with(folder.path(), &[LISTEN]);
    let token = service.token(SOMEBODY, "offers.admin users.admin");
    let script = tools.folder.join("page").join(script);
    let arguments = [&*script.to_string_lossy(), &format!("http://{}", service.address()), &token];
    let chromium = Tools::chromium()?;
    run(&tools.folder, "node", arguments, &[("RESTWELL_CHROMIUM", &chromium)]).map(drop)
}

/// Maps and JSON of any form in forms: of the specimens, which have every kind of field.
fn free_values(tools: &Tools) -> Result<(), String> {
    let running = testing::start(restwell_tests::generated_service());
    let script = tools.folder.join("page/free_values.mjs");
    let chromium = Tools::chromium()?;
    let arguments = [&*script.to_string_lossy(), &running.url("")];
    run(&tools.folder, "node", arguments, &[("RESTWELL_CHROMIUM", &chromium)]).map(drop)
}

/// The comments of the modules name types; the compiler of TypeScript checks them.
fn types(tools: &Tools) -> Result<(), String> {
    let config = page_folder().join("tsconfig.json");
    run(&tools.folder, tools.node("tsc"), ["--project", &*config.to_string_lossy()], &[]).map(drop)
}

/// A form sends the digits that it was given.
fn numbers(tools: &Tools) -> Result<(), String> {
    let (script, folder) = (tools.folder.join("page/numbers.mjs"), page_folder());
    let arguments = [script.to_string_lossy(), folder.to_string_lossy()];
    run(&tools.folder, "node", arguments.iter().map(|argument| &**argument), &[]).map(drop)
}

/// The library is that of its package, to the byte, and its header says so.
fn library(tools: &Tools) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    let packages = tools.folder.join("node_modules");
    let published = fs::read_to_string(packages.join("lit-html/lit-html.js")).map_err(failed)?;
    let vendored = fs::read_to_string(page_folder().join("vendor/lit-html.js")).map_err(failed)?;
    let header = vendored.strip_suffix(&published).ok_or("it differs from the package")?;
    let package = fs::read_to_string(packages.join("lit-html/package.json")).map_err(failed)?;
    let package: serde_json::Value = serde_json::from_str(&package).map_err(|error| error.to_string())?;
    let version = package["version"].as_str().unwrap_or_default();
    let folder = folder()?;
    let code = "const { createHash } = require('crypto'); const { readFileSync } = require('fs');\n\
                console.log(createHash('sha256').update(readFileSync(process.argv[1])).digest('hex'))";
    let file = packages.join("lit-html/lit-html.js");
    let hash = run(folder.path(), "node", ["-e", code, &*file.to_string_lossy()], &[])?;
    let licence = fs::read_to_string(packages.join("lit-html/LICENSE")).map_err(failed)?;
    let plain =
        |text: &str| text.lines().map(|line| line.trim_start_matches([' ', '*']).trim()).collect::<Vec<_>>().join("\n");
    let (said, licence) = (plain(header), plain(&licence));
    let missing: Vec<_> =
        [version, hash.trim(), licence.trim()].into_iter().filter(|it| it.is_empty() || !said.contains(it)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("its header lacks {missing:?}")) }
}
