//! The tools in `contracts/`, and how they are run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The tools that are installed.
pub(crate) struct Tools {
    /// `contracts/`
    pub(crate) folder: PathBuf,
}

/// Whether a missing tool is a failure.
pub(crate) fn are_required() -> bool {
    std::env::var("RESTWELL_CONTRACTS").is_ok_and(|value| value == "required")
}

impl Tools {
    /// The tools, or what is missing.
    pub(crate) fn find() -> Result<Self, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contracts");
        let has_node = Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok();
        let tools = Self { folder };
        if !has_node {
            return Err("there is no Node".to_owned());
        }
        if !tools.folder.join("node_modules").is_dir() {
            return Err("`npm ci` has not run in contracts/".to_owned());
        }
        if !tools.python("python").is_file() {
            return Err("there is no virtual environment in contracts/.venv".to_owned());
        }
        Ok(tools)
    }

    /// A browser: `RESTWELL_CHROMIUM`, or the one of the system.
    pub(crate) fn chromium() -> Result<String, String> {
        let program = std::env::var("RESTWELL_CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
        if Path::new(&program).is_file() { Ok(program) } else { Err(format!("there is no browser {program}")) }
    }

    /// A program of a package of Node.
    pub(crate) fn node(&self, name: &str) -> PathBuf {
        self.folder.join("node_modules/.bin").join(name)
    }

    /// A program of the virtual environment.
    pub(crate) fn python(&self, name: &str) -> PathBuf {
        self.folder.join(".venv/bin").join(name)
    }
}

/// Runs a tool in a folder. It fails with what the tool has printed.
pub(crate) fn run<A: AsRef<OsStr>>(
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
