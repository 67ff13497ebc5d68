//! `restwell dev`: serves a schemas folder, and each saved change of it at once.
//!
//! A change is checked first. One with mistakes is reported, and what was served before goes on. The folder is looked
//! at many times a second instead of being watched: that works on every file system, containers and network drives
//! included, and costs next to nothing for as many files as people write.

use super::report::Report;
use super::serve::{development_database, interpreted};
use super::{Failure, Format, check, files};
use crate::compile::compile;
use clap::Args;
use restwell::Interpreted;
use restwell::interpreted::{ProgramOptions, run_interpreted, serve_in_development};
use restwell_model::Checked;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// Between two looks at the folder.
const INTERVAL: Duration = Duration::from_millis(50);

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
    let seen = files::fingerprint(&options.dir)?;
    let (model, _, messages) = check::checked(&options.dir, None, &report)?;
    let first = options.interpreted(model, messages);
    let program = format!("restwell dev {}", options.dir.display());
    if options.program.is_other_command() {
        return run_interpreted(first, &options.program, &program).map_err(Failure::Other);
    }
    let options = std::sync::Arc::new(options);
    let (changes, changed) = channel();
    let watched = std::sync::Arc::clone(&options);
    std::thread::spawn(move || watch(&watched, &Report::new(format), seen, &changes));
    let told = move |done: Result<Duration, String>| match done {
        Ok(took) => report.done(&format!("the change is served, after {} ms", took.as_millis())),
        Err(reason) => {
            report.failure(&reason);
            report.done("the schemas before it are still served; `--drop` drops what they no longer have");
        }
    };
    serve_in_development(first, &options.program, &program, changed, told).map_err(Failure::Other)
}

/// Sends what can be served of each change, as long as somebody takes it.
fn watch(options: &Dev, report: &Report, mut seen: files::Fingerprint, changes: &Sender<Interpreted>) {
    loop {
        std::thread::sleep(INTERVAL);
        // a folder that is being replaced is there again at the next look
        let Ok(now) = files::fingerprint(&options.dir) else { continue };
        if now == seen {
            continue;
        }
        seen = now;
        if let Some(next) = read(&options.dir, options, report)
            && changes.send(next).is_err()
        {
            return;
        }
    }
}

fn read(dir: &Path, options: &Dev, report: &Report) -> Option<Interpreted> {
    let files = files::read_schemas(dir).ok()?;
    let compiled = compile(&files);
    report.diagnostics(&compiled);
    let Some((model, _)) = compiled.service else {
        report.done("the schemas before this change are still served");
        return None;
    };
    Some(options.interpreted(model, compiled.messages))
}
