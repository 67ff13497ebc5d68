//! The generated clients: protocol cases without a server, types, sizes, and a running marketplace with faults between.
//!
//! That in TypeScript needs Node and the packages of `contracts/`; without them its tests are ignored, with
//! `RESTWELL_SERVERS=contracts` they fail.

mod rust;
mod typescript;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use restwell_testkit::tools::{self, Tools};
use std::process::ExitCode;

/// What a test does with the tools. It fails with the output of a tool.
type Gate = fn(&Tools) -> Result<(), String>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let typescript = typescript::CHECKS
        .iter()
        .map(|(name, check)| Trial::ignorable_test(format!("typescript::{name}"), move || with_tools(*check)));
    libtest_mimic::run(&arguments, rust::trials().into_iter().chain(typescript).collect()).exit_code()
}

fn with_tools(check: Gate) -> Result<Completion, Failed> {
    match Tools::of_node() {
        Ok(tools) => check(&tools).map(|()| Completion::Completed).map_err(Failed::from),
        Err(reason) if tools::are_required() => Err(Failed::from(reason)),
        Err(reason) => Ok(Completion::ignored_with(reason)),
    }
}
