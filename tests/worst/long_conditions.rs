//! A service whose conditions are as long as they may be. Its program is this test, which knows by a variable what it is.

use restwell::{Builder, Interpreted};
use restwell_generator::{File, compile};
use restwell_model::Checked;
use restwell_testkit::process::other_program;
use restwell_tests::long_conditions::row_document;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Tells the program of this test that it is to serve.
const VARIABLE: &str = "RESTWELL_WORST_SERVES";

/// Serves, if this process was started for that.
pub(crate) fn serves() -> Option<ExitCode> {
    std::env::var_os(VARIABLE)?;
    Some(restwell::main(Builder::interpreted(Interpreted::of(model()))))
}

/// The program in a folder.
pub(crate) fn program(folder: &Path) -> Command {
    let mut command = other_program(&std::env::current_exe().expect("a test is a program"), folder);
    command.env(VARIABLE, "1");
    command
}

pub(crate) fn model() -> Checked {
    let files = [File::new("service.yaml", "service: marketplace\n"), File::new("row.yaml", row_document())];
    let compiled = compile(&files);
    compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics)).0
}
