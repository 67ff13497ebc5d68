//! New projects, built for real against this checkout, in the target folder of this workspace.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod new_project;
#[cfg(unix)]
mod tutorial;

use restwell_testkit::shared_builds::sharing_builds;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static BUILDING: Mutex<()> = Mutex::new(());

/// Waits until no other test builds: cargo would wait for the target folder meanwhile, and time would run out.
fn only_builder() -> MutexGuard<'static, ()> {
    BUILDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Builds the project of what this workspace has built.
fn share_builds(project: &Path) {
    let manifest = project.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(manifest, sharing_builds(&text)).unwrap();
}

/// The folder that this test was built in: `target/tmp` is below it.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned()
}
