//! What a service says of itself, read by tools of others: validators, linters, the clients that generators make,
//! compiled and run against a service, and a browser with the page for people. The tools are those of `contracts/`;
//! without them these tests are ignored, with `RESTWELL_SERVERS=contracts` they fail.

mod clients;
mod documents;
mod fuzzing;
mod many;
mod page;
mod patterns;
mod starters;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use restwell_testkit::tools::{self, Tools};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let checks = documents::checks().into_iter().chain(clients::checks()).chain(fuzzing::checks());
    let checks = checks.chain(page::checks()).chain(starters::checks());
    let trials = checks.map(|(name, check)| Trial::ignorable_test(name, move || with_tools(&check)));
    let trials = trials.chain(patterns::trials());
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// What a test does with the tools. It fails with the output of a tool.
type Gate = Box<dyn Fn(&Tools) -> Result<(), String> + Send>;

/// A test with its name.
type Check = (String, Gate);

fn with_tools(check: &Gate) -> Result<Completion, Failed> {
    match Tools::find().and_then(|tools| Tools::chromium().map(|_| tools)) {
        Ok(tools) => check(&tools).map(|()| Completion::Completed).map_err(Failed::from),
        Err(reason) if tools::are_required() => Err(Failed::from(reason)),
        Err(reason) => Ok(Completion::ignored_with(reason)),
    }
}
