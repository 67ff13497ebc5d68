//! The tools in `contracts/`, and how they are run.

use crate::effort::{allows_servers, is_required};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The tools that are installed.
pub struct Tools {
    /// `contracts/`
    pub folder: PathBuf,
}

/// Whether a missing tool is a failure.
#[must_use]
pub fn are_required() -> bool {
    is_required("contracts")
}

impl Tools {
    /// The tools, or what is missing.
    ///
    /// # Errors
    ///
    /// What is missing.
    pub fn find() -> Result<Self, String> {
        let tools = Self::of_node()?;
        if !tools.python("python").is_file() {
            return Err("there is no virtual environment in contracts/.venv".to_owned());
        }
        Ok(tools)
    }

    /// Those of Node alone.
    ///
    /// # Errors
    ///
    /// What is missing.
    pub fn of_node() -> Result<Self, String> {
        allows_servers()?;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contracts");
        let has_node = Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok();
        let tools = Self { folder };
        if !has_node {
            return Err("there is no Node".to_owned());
        }
        if !tools.folder.join("node_modules").is_dir() {
            return Err("`npm ci` has not run in contracts/".to_owned());
        }
        Ok(tools)
    }

    /// A browser: `RESTWELL_CHROMIUM`, or the one of the system.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn chromium() -> Result<String, String> {
        let program = std::env::var("RESTWELL_CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
        if Path::new(&program).is_file() { Ok(program) } else { Err(format!("there is no browser {program}")) }
    }

    /// A program of a package of Node.
    #[must_use]
    pub fn node(&self, name: &str) -> PathBuf {
        self.folder.join("node_modules/.bin").join(name)
    }

    /// A program of the virtual environment.
    #[must_use]
    pub fn python(&self, name: &str) -> PathBuf {
        self.folder.join(".venv/bin").join(name)
    }
}

/// Runs a tool in a folder.
///
/// # Errors
///
/// What the tool has printed, if it fails.
pub fn run<A: AsRef<OsStr>>(
    folder: &Path,
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = A>,
    variables: &[(&str, &str)],
) -> Result<String, String> {
    let mut command = Command::new(&program);
    command.args(arguments).current_dir(folder).envs(variables.iter().copied()).stdin(Stdio::null());
    // tools that count their users
    command.envs([("REDOCLY_TELEMETRY", "off"), ("NO_COLOR", "1"), ("CI", "1")]);
    let output = command.output().map_err(|error| format!("{}: {error}", program.as_ref().display()))?;
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if output.status.success() { Ok(text) } else { Err(format!("{}\n{text}", program.as_ref().display())) }
}
