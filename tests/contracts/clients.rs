//! Clients that generators make from the document: generated, compiled, and run against a marketplace.

use super::Check;
use super::documents::{folder, recorded, write};
use restwell::testing::{self, Running};
use restwell_model::Version;
use restwell_model::api::Api;
use restwell_model::contracts::{ContractOptions, openapi};
use restwell_testkit::tools::{Tools, run};
use std::fs;
use std::path::Path;
use uuid::Uuid;

pub(crate) fn checks() -> Vec<Check> {
    vec![
        ("client::openapi-fetch".to_owned(), Box::new(openapi_fetch)),
        ("client::hey-api".to_owned(), Box::new(hey_api)),
        ("client::openapi-python-client".to_owned(), Box::new(openapi_python_client)),
    ]
}

/// The marketplace's document in a folder; of the public version alone for generators that take one only.
fn document(folder: &Path, only: Option<Version>) -> Result<(), String> {
    let service = recorded("generated-example")?;
    write(folder, "openapi.json", &openapi(&Api::of(&service), ContractOptions { only, server: None })).map(drop)
}

/// A marketplace, and a token of a caller who may end any offer.
fn marketplace() -> (Running, String) {
    let service = testing::start(marketplace::service());
    let token = service.token(Uuid::now_v7(), &["offers.admin"]);
    (service, token)
}

/// Makes a folder one of Node, with the packages of `contracts/`.
fn node_project(tools: &Tools, folder: &Path, source: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    let packages = fs::canonicalize(tools.folder.join("node_modules")).map_err(failed)?;
    std::os::unix::fs::symlink(packages, folder.join("node_modules")).map_err(failed)?;
    fs::write(folder.join("package.json"), r#"{ "type": "commonjs" }"#).map_err(failed)?;
    fs::copy(tools.folder.join("tsconfig.json"), folder.join("tsconfig.json")).map_err(failed)?;
    fs::copy(tools.folder.join("clients").join(source), folder.join(source)).map(drop).map_err(failed)
}

/// Compiles the TypeScript of a folder, and runs a program of it.
fn compile_and_run(tools: &Tools, folder: &Path, program: &str) -> Result<(), String> {
    run(folder, tools.node("tsc"), ["--project", "."], &[])?;
    let (service, token) = marketplace();
    run(folder, "node", [program, &service.url(""), &token], &[]).map(drop)
}

fn openapi_fetch(tools: &Tools) -> Result<(), String> {
    let folder = folder()?;
    document(folder.path(), None)?;
    node_project(tools, folder.path(), "openapi-fetch.ts")?;
    run(folder.path(), tools.node("openapi-typescript"), ["openapi.json", "--output", "schema.d.ts"], &[])?;
    compile_and_run(tools, folder.path(), "openapi-fetch.js")
}

fn hey_api(tools: &Tools) -> Result<(), String> {
    let folder = folder()?;
    document(folder.path(), Some(Version::PUBLIC))?;
    node_project(tools, folder.path(), "hey-api.ts")?;
    run(folder.path(), tools.node("openapi-ts"), ["--input", "openapi.json", "--output", "generated"], &[])?;
    compile_and_run(tools, folder.path(), "hey-api.js")
}

fn openapi_python_client(tools: &Tools) -> Result<(), String> {
    let folder = folder()?;
    document(folder.path(), Some(Version::PUBLIC))?;
    let arguments = ["generate", "--path", "openapi.json", "--meta", "none", "--output-path", "generated"];
    // it formats what it writes with a program of the same environment
    let programs = fs::canonicalize(tools.folder.join(".venv/bin")).map_err(|error| error.to_string())?;
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let told = run(folder.path(), tools.python("openapi-python-client"), arguments, &[("PATH", &path)])?;
    if told.contains("Warning") {
        return Err(told);
    }
    let (service, token) = marketplace();
    let source = tools.folder.join("clients/openapi_python_client.py");
    fs::copy(source, folder.path().join("client.py")).map_err(|error| error.to_string())?;
    run(folder.path(), tools.python("python"), ["client.py", &service.url(""), &token], &[]).map(drop)
}
