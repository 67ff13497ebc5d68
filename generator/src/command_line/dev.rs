//! `restwell dev`: serves a schemas folder, and each saved change of it at once.
//!
//! A change is checked first. One with mistakes is reported, and what was served before goes on. A project with code of
//! its own is also generated and built, in the background; its program takes over once it is ready.
//!
//! The folder is looked at many times a second instead of being watched: that works on every file system, containers
//! and network drives included, and costs next to nothing for as many files as people write.

use super::build::{Build, Code};
use super::report::Report;
use super::serve::{development_database, interpreted};
use super::{Failure, Format, check, files};
use crate::compile::compile;
use clap::Args;
use restwell::Interpreted;
use restwell::interpreted::{DevelopmentChange, DevelopmentOutcome, ProgramOptions};
use restwell::interpreted::{run_interpreted, serve_in_development};
use restwell_model::Checked;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// Between two looks at the folder, where a look takes less time than that.
const INTERVAL: Duration = Duration::from_millis(50);
/// How much longer than a look the pause after it is, at least: a folder with thousands of files is looked at less
/// often.
const PAUSE: u32 = 9;

/// The options of `restwell dev`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = false, disable_help_subcommand = true)]
pub(super) struct Dev {
    /// Folder with the schemas: all *.yaml, *.yml and *.ftl files in it, at any depth
    #[arg(default_value = "schemas")]
    dir: PathBuf,
    /// Let commands succeed, with outputs made from the model, instead of answering 501
    #[arg(long)]
    mock_commands: bool,
    /// Drop tables and columns that the schemas no longer have, with the rows in them
    #[arg(long)]
    drop: bool,
    #[command(flatten)]
    program: ProgramOptions,
}

impl Dev {
    fn interpreted(&self, model: Checked, messages: Vec<crate::messages::LanguageMessages>) -> Interpreted {
        let database = Some(development_database(&model));
        let (mock_commands, allow_drop) = (self.mock_commands, self.drop);
        Interpreted { database, mock_commands, allow_drop, ..interpreted(model, messages) }
    }
}

pub(super) fn run(options: Dev, format: Format) -> Result<(), Failure> {
    let report = Report::new(format);
    files::require(&options.dir)?;
    let seen = files::fingerprint(&options.dir)?;
    let (model, _, messages) = check::checked(&options.dir, None, &report)?;
    let first = options.interpreted(model, messages);
    let program = format!("restwell dev {}", options.dir.display());
    if options.program.is_other_command() {
        return run_interpreted(first, &options.program, &program).map_err(Failure::Other);
    }
    let arguments = program_arguments(std::env::args_os().skip(1), &options.dir);
    let (changes, changed) = channel();
    let watching = Watching { seen, code: Code::beside(&options.dir), format, options: Arc::new(options) };
    let options = Arc::clone(&watching.options);
    std::thread::spawn(move || watching.watch(&changes));
    let told = move |outcome: DevelopmentOutcome| match outcome {
        DevelopmentOutcome::Served(took) => {
            report.done(&format!("the change is served, after {} ms", took.as_millis()));
        }
        DevelopmentOutcome::Refused(reason) => {
            report.failure(&reason);
            report.done("what was served before goes on; `--drop` drops what the schemas no longer have");
        }
    };
    serve_in_development(first, &options.program, (&program, arguments), changed, told).map_err(Failure::Other)
}

/// What the program that is built gets of the arguments of this one: the options of a service.
fn program_arguments(arguments: impl Iterator<Item = OsString>, dir: &Path) -> Vec<OsString> {
    let mut after = arguments.skip_while(|argument| argument != "dev").skip(1).peekable();
    let mut kept = Vec::new();
    let mut is_dir_left = true;
    while let Some(argument) = after.next() {
        let text = argument.to_string_lossy();
        if text == "--format" {
            after.next();
        } else if is_dir_left && argument == dir.as_os_str() {
            is_dir_left = false;
        } else if !["--mock-commands", "--drop", "serve"].contains(&&*text) && !text.starts_with("--format=") {
            kept.push(argument);
        }
    }
    kept
}

/// What is printed where a change cannot be served.
const STILL_SERVED: &str = "the schemas before this change are still served";

/// What is watched, and how it looked last.
struct Watching {
    options: Arc<Dev>,
    format: Format,
    seen: files::Fingerprint,
    code: Option<Code>,
}

impl Watching {
    /// Sends what can be served of each change, as long as somebody takes it.
    fn watch(mut self, changes: &Sender<DevelopmentChange>) {
        let report = Report::new(self.format);
        let mut build = None;
        let mut took = Duration::ZERO;
        loop {
            std::thread::sleep(INTERVAL.max(took * PAUSE));
            let began = Instant::now();
            let has_changed = self.schemas_changed();
            let has_code_changed = self.code_changed();
            took = began.elapsed();
            if has_changed {
                let Some(next) = read(&self.options, &report) else { continue };
                if changes.send(DevelopmentChange::Schemas(Box::new(next))).is_err() {
                    return;
                }
            }
            match (&self.code, &build) {
                (Some(_), Some(build)) if has_changed || has_code_changed => Build::again(build),
                (Some(code), None) => {
                    build = Some(Build::start(code, self.options.drop, self.format, changes.clone()));
                }
                _ => {}
            }
        }
    }

    fn code_changed(&mut self) -> bool {
        match &mut self.code {
            Some(code) => code.has_changed(),
            None => {
                // the first handler may have been written
                self.code = Code::beside(&self.options.dir);
                false
            }
        }
    }

    fn schemas_changed(&mut self) -> bool {
        // a folder that is being replaced is there again at the next look
        let Ok(now) = files::fingerprint(&self.options.dir) else { return false };
        let has_changed = now != self.seen;
        self.seen = now;
        has_changed
    }
}

fn read(options: &Dev, report: &Report) -> Option<Interpreted> {
    let files = match files::read_schemas(&options.dir) {
        Ok(files) => files,
        Err(failure) => {
            if let Failure::Other(message) = failure {
                report.done(&message);
            }
            report.done(STILL_SERVED);
            return None;
        }
    };
    let compiled = compile(&files);
    report.diagnostics(&compiled);
    let Some((model, _)) = compiled.service else {
        report.done(STILL_SERVED);
        return None;
    };
    Some(options.interpreted(model, compiled.messages))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(arguments: &str, dir: &str) -> String {
        let arguments = program_arguments(arguments.split(' ').map(OsString::from), Path::new(dir));
        arguments.iter().map(|argument| argument.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_program_gets_the_options_of_a_service_alone() {
        assert_eq!(kept("dev --listen :8081 --drop", "schemas"), "--listen :8081");
        assert_eq!(kept("--format json dev api --mock-commands --nats nats://api", "api"), "--nats nats://api");
        assert_eq!(kept("dev api serve --listen :1 --format json --cors *", "api"), "--listen :1 --cors *");
    }
}
