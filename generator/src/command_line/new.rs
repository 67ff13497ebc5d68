//! `restwell new`.

use super::report::Report;
use super::{Failure, New, files, generate};
use crate::project::{self, Library};
use restwell_model::names;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn run(options: &New, report: &Report) -> Result<(), Failure> {
    let dir = &options.dir;
    let name = service_name(dir)?;
    let checkout = match options.restwell.as_deref() {
        Some(path) => Some(checkout(path)?),
        None => enclosing_checkout(),
    };
    if dir.exists() && fs::read_dir(dir).map_err(|error| files::problem("read", dir, &error))?.next().is_some() {
        return Err(Failure::Other(format!("`{}` already exists and is not empty", dir.display())));
    }
    let library = checkout
        .as_deref()
        .map_or(Library::Registry, |checkout| Library::Folder(checkout.join("runtime").to_string_lossy().into_owned()));
    let starters = project::schema_files(&name, &library).map_err(|error| Failure::Other(error.to_string()))?;
    generate::write_missing(dir, &starters)?;

    let prepared = generate::prepare(&dir.join("schemas"), dir, false, report)?;
    generate::carry_out(&prepared, dir, &library, report)?;
    match checkout {
        Some(checkout) => copy_lock(&checkout, dir)?,
        None => report.done(&format!(
            "note: the project needs the library `restwell` {}. If it is not in your registry, say where a checkout of \
             Restwell is: `--restwell PATH`, the folder with `runtime/` in it",
            env!("CARGO_PKG_VERSION")
        )),
    }
    report.done(
        "note: the service has SQLite and a development key. `postgres`, `nats`, `redis`, `issuer`, `tls` and `otel` are \
         features, off by default (`cargo run --features postgres`) and on in the Dockerfile",
    );
    report.done(&format!("`{name}` is ready: cd {} && cargo run", dir.display()));
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

/// The checkout that the current folder is in.
fn enclosing_checkout() -> Option<PathBuf> {
    let folder = fs::canonicalize(".").ok()?;
    folder.ancestors().find(|folder| is_checkout(folder)).map(Path::to_owned)
}

fn is_checkout(folder: &Path) -> bool {
    let manifest = fs::read_to_string(folder.join("runtime/Cargo.toml"));
    manifest.is_ok_and(|manifest| manifest.lines().any(|line| line.trim() == "name = \"restwell\""))
}

/// The checkout that a path leads to.
fn checkout(path: &Path) -> Result<PathBuf, Failure> {
    let path = fs::canonicalize(path).map_err(|error| files::problem("find", path, &error))?;
    if is_checkout(&path) {
        return Ok(path);
    }
    Err(Failure::Other(format!(
        "`{}` is not a checkout of Restwell: it does not contain runtime/Cargo.toml",
        path.display()
    )))
}

/// A project that builds against a checkout begins with the versions that the checkout was tested with.
fn copy_lock(checkout: &Path, dir: &Path) -> Result<(), Failure> {
    let lock = checkout.join("Cargo.lock");
    if lock.is_file() {
        fs::copy(&lock, dir.join("Cargo.lock")).map_err(|error| files::problem("copy", &lock, &error))?;
    }
    Ok(())
}
