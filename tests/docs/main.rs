//! The documentation, held to the truth: what a page shows as a terminal is run against the marketplace and must print
//! what the page says, what it shows as YAML or as messages is checked by the generator, the table of error codes is the
//! catalogue, and every link leads somewhere.
//! (Rust in the pages is compiled with the documentation tests of this package's library.)
//!
//! `RESTWELL_UPDATE=1` writes what was printed into the pages instead of failing.

mod bindings;
mod bounds;
mod codes;
mod console;
mod links;
mod page;
mod playground;
mod sections;
mod terminal;
mod yaml;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use page::Page;
use restwell_generator::command_line::CommandLine;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// This program is the programs that the pages start, too, under their names.
fn main() -> ExitCode {
    let name = std::env::args_os().next().unwrap_or_default();
    match Path::new(&name).file_name().and_then(|name| name.to_str()) {
        Some(playground::SERVICE) => restwell::main(marketplace::service()),
        Some(playground::GENERATOR) => CommandLine::read().expect("a command line").run(),
        _ => run(),
    }
}

fn run() -> ExitCode {
    let mut trials = vec![
        trial("reference/error-codes", "codes", |page| codes::check(page).map(|()| Completion::Completed)),
        trial("reference/limits", "bounds", |page| bounds::check(page).map(|()| Completion::Completed)),
        Trial::test("conventions::sections", sections::check),
        Trial::test("links", links::check),
        Trial::test("links::sample", links::check_sample),
    ];
    for page in Page::all() {
        let name = page.name();
        if page.blocks("console").next().is_some() {
            trials.push(trial(&name, "console", run_console));
        }
        if page.blocks("yaml").next().is_some() {
            trials.push(trial(&name, "yaml", |page| yaml::check(page).map(|()| Completion::Completed)));
        }
        if page.blocks("ftl").next().is_some() {
            let check = |page: &mut Page| yaml::check_messages(page).map(|()| Completion::Completed);
            trials.push(trial(&name, "messages", check));
        }
    }
    let mut arguments = Arguments::from_args();
    if is_update() {
        // several tests of one page must not write it at once
        arguments.test_threads = Some(1);
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A test of one page, by its path below `docs` without the ending.
fn trial(page: &str, what: &str, check: fn(&mut Page) -> Result<Completion, Failed>) -> Trial {
    let name = page.to_owned();
    Trial::ignorable_test(format!("{page}::{what}"), move || check(&mut Page::named(&name)))
}

fn run_console(page: &mut Page) -> Result<Completion, Failed> {
    let curl = Command::new("curl").arg("--version").stdout(Stdio::null()).status();
    if !curl.is_ok_and(|status| status.success()) {
        return Ok(Completion::ignored_with("there is no curl on this machine"));
    }
    console::check(page).map(|()| Completion::Completed)
}

/// Whether what is stale is to be rewritten.
fn is_update() -> bool {
    std::env::var_os("RESTWELL_UPDATE").is_some()
}
