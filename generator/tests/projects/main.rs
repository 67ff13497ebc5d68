//! New projects, built for real against this checkout, in the target folder of this workspace.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod names;
mod new_project;
#[cfg(unix)]
mod tutorial;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static BUILDING: Mutex<()> = Mutex::new(());

/// Waits until no other test builds: cargo would wait for the target folder meanwhile, and time would run out.
fn only_builder() -> MutexGuard<'static, ()> {
    BUILDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder that this test was built in: `target/tmp` is below it.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned()
}
