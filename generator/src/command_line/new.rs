//! `restwell new`.

use super::library::ProjectLibrary;
use super::report::Report;
use super::{Failure, New, files, generate};
use crate::project;
use restwell_model::names;
use std::fs;
use std::path::Path;

pub(super) fn run(options: &New, report: &Report) -> Result<(), Failure> {
    let dir = &options.dir;
    let name = service_name(dir)?;
    let library = ProjectLibrary::find(options.restwell.as_deref())?;
    if dir.exists() && fs::read_dir(dir).map_err(|error| files::problem("read", dir, &error))?.next().is_some() {
        return Err(Failure::Other(format!("`{}` already exists and is not empty", dir.display())));
    }
    let dependency = library.dependency();
    let starters = project::schema_files(&name, &dependency).map_err(|error| Failure::Other(error.to_string()))?;
    generate::write_missing(dir, &starters)?;

    let prepared = generate::prepare(&dir.join("schemas"), dir, false, report)?;
    generate::carry_out(&prepared, dir, &dependency, report)?;
    let folder = dir.display();
    library.complete(dir, &format!("delete `{folder}`, then run `restwell new {folder}"), report)?;
    report.done(
        "note: the service has SQLite and a development key. `postgres`, `nats`, `redis`, `issuer`, `tls` and `otel` are \
         features, off by default (`cargo run --features postgres`) and on in the Dockerfile",
    );
    // without the library only what needs no compiler works at once
    let first = if library.has_checkout() || !cfg!(feature = "serve") { "cargo run" } else { "restwell serve" };
    report.done(&format!("`{name}` is ready: cd {folder} && {first}"));
    Ok(())
}

/// The service is called like its folder.
fn service_name(dir: &Path) -> Result<String, Failure> {
    // `.` and `..` are called like the folders they are
    let named = if dir.file_name().is_some() { dir.to_owned() } else { fs::canonicalize(dir).unwrap_or_default() };
    let folder = named.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if names::is_kebab(&folder) {
        return Ok(folder);
    }
    let kebab = names::kebab(&folder);
    let cure = if names::is_kebab(&kebab) { format!(", for example `{kebab}`") } else { String::new() };
    Err(Failure::Other(format!("`{folder}` cannot be the name of a service: use lower-case words with dashes{cure}")))
}
