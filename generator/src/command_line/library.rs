//! Where the library comes from that a new project links: the registry, or a checkout of Restwell.

use super::report::Report;
use super::{Failure, files};
use crate::project::Library;
use std::fs;
use std::path::{Path, PathBuf};

/// The library of a new project.
pub(super) struct ProjectLibrary {
    checkout: Option<PathBuf>,
}

impl ProjectLibrary {
    /// That of the checkout which a path leads to, else of the checkout that the current folder is in, else that of
    /// the registry.
    pub(super) fn find(named: Option<&Path>) -> Result<Self, Failure> {
        let checkout = match named {
            Some(path) => Some(checkout(path)?),
            None => enclosing_checkout(),
        };
        Ok(Self { checkout })
    }

    pub(super) fn has_checkout(&self) -> bool {
        self.checkout.is_some()
    }

    /// What the manifest of the project says.
    pub(super) fn dependency(&self) -> Library {
        let folder = |checkout: &PathBuf| checkout.join("runtime").to_string_lossy().into_owned();
        self.checkout.as_ref().map_or(Library::Registry, |checkout| Library::Folder(folder(checkout)))
    }

    /// A project that builds against a checkout begins with the versions that the checkout was tested with. Of one that
    /// does not, it is said how it could: `again`, with the command.
    pub(super) fn complete(&self, dir: &Path, again: &str, report: &Report) -> Result<(), Failure> {
        let Some(checkout) = &self.checkout else {
            report.done(&format!(
                "note: the project needs the library `restwell` {}. If it is not in your registry, build against a \
                 checkout of Restwell: {again} --restwell PATH`, the folder with `runtime/` in it",
                env!("CARGO_PKG_VERSION")
            ));
            return Ok(());
        };
        let (lock, copy) = (checkout.join("Cargo.lock"), dir.join("Cargo.lock"));
        if lock.is_file() && !copy.exists() {
            fs::copy(&lock, copy).map_err(|error| files::problem("copy", &lock, &error))?;
        }
        Ok(())
    }
}

/// The checkout that the current folder is in.
fn enclosing_checkout() -> Option<PathBuf> {
    let folder = fs::canonicalize(".").ok()?;
    folder.ancestors().find(|folder| is_checkout(folder)).map(Path::to_owned)
}

fn is_checkout(folder: &Path) -> bool {
    let manifest = files::read_text(&folder.join("runtime/Cargo.toml"));
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
