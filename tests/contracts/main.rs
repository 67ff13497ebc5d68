//! What a service says of itself, read by tools of others: validators, linters, and the clients that generators make,
//! compiled and run against a service. The tools are those of `contracts/`; without them these tests are ignored, with
//! `RESTWELL_CONTRACTS=required` they fail.

mod clients;
mod documents;
mod fuzzing;
mod tools;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::process::ExitCode;
use tools::Tools;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let checks = documents::checks().into_iter().chain(clients::checks()).chain(fuzzing::checks());
    let trials = checks.map(|(name, check)| Trial::ignorable_test(name, move || with_tools(check)));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// A test with its name. It fails with the output of a tool.
type Check = (String, Box<dyn Fn(&Tools) -> Result<(), String> + Send>);

fn with_tools(check: Box<dyn Fn(&Tools) -> Result<(), String> + Send>) -> Result<Completion, Failed> {
    match Tools::find() {
        Ok(tools) => check(&tools).map(|()| Completion::Completed).map_err(Failed::from),
        Err(reason) if tools::are_required() => Err(Failed::from(reason)),
        Err(reason) => Ok(Completion::ignored_with(reason)),
    }
}
