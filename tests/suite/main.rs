//! The conventions, tested through HTTP on both forms of the specimens. A test is named after the section of the
//! conventions, or the ruling, that it shows; each starts its own service with an empty database.
//!
//! What a case asserts comes from these texts, never from what the service happens to answer.

mod cases;
mod client;
mod rows;
mod specimen;
mod stream;

use client::Api;
use libtest_mimic::{Arguments, Trial};
use restwell::Builder;
use std::process::ExitCode;

/// A test: its title, which opens with the section, and what it does with a fresh service.
pub(crate) type Case = (&'static str, fn(&Api));

/// One of the forms of the service.
struct Form {
    name: &'static str,
    service: fn() -> Builder,
}

const FORMS: &[Form] = &[
    Form { name: "by_hand", service: restwell_tests::by_hand::service },
    Form { name: "generated", service: restwell_tests::generated_service },
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = FORMS.iter().flat_map(|form| {
        cases::all().map(move |(title, run)| {
            Trial::test(format!("{}::{title}", form.name), move || {
                run(&Api::start(form.service));
                Ok(())
            })
        })
    });
    let rows = Trial::test("every row of the conventions has its cases", || rows::check().map_err(Into::into));
    libtest_mimic::run(&arguments, trials.chain([rows]).collect()).exit_code()
}
