//! The program as a process: started in a folder, asked to end, its log kept.

mod folder;
mod program;
mod service;

pub use folder::{Folder, copy_folder, folder};
pub use program::{inheriting, other_program, program, program_path, refusal, run, run_other, token};
pub use service::Service;

use std::time::Duration;

/// A free port of this machine's own.
pub const LISTEN: &str = "--listen=127.0.0.1:0";
/// The database of most tests: named, so that it starts empty. Where PostgreSQL is chosen, one there stands for it.
pub const DATABASE: &str = "--database=sqlite://test.db";

/// Nothing that the program does at its start or end takes so long.
const PATIENCE: Duration = Duration::from_secs(60);
