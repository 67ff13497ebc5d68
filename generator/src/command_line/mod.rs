//! The command line: the one part that reads and writes files.

mod check;
mod files;
mod fmt;
mod generate;
mod new;
mod report;
mod schema;

use clap::{Args, Parser, Subcommand, ValueEnum};
use report::Report;
use std::path::PathBuf;
use std::process::ExitCode;

/// Turns YAML descriptions of resources into a running REST service.
#[derive(Debug, Parser)]
#[command(name = "restwell", version, about, disable_help_subcommand = true)]
pub struct CommandLine {
    #[command(subcommand)]
    task: Task,
    /// How mistakes are shown: for people, or as one JSON object a line
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    format: Format,
}

/// What there is to do.
#[derive(Debug, Subcommand)]
enum Task {
    /// Makes a new project: schemas to begin with, and the service generated from them
    New(New),
    /// Tells everything that is wrong with the schemas
    Check(Schemas),
    /// Writes the Rust code of the service, and the migrations that take its databases along
    Generate(Generate),
    /// Writes the schemas in their canonical order and style
    Fmt(Fmt),
    /// Prints the JSON Schema of the documents, for editors
    Schema,
    /// Prints the checked description of the service as JSON
    Model(Schemas),
}

/// The schemas folder.
#[derive(Debug, Args)]
struct Schemas {
    /// The folder with the schemas: every *.yaml, *.yml and *.ftl in it, at any depth
    #[arg(default_value = "schemas")]
    dir: PathBuf,
}

#[derive(Debug, Args)]
struct Generate {
    /// The folder with the schemas: every *.yaml, *.yml and *.ftl in it, at any depth
    #[arg(long, value_name = "DIR", default_value = "schemas")]
    schemas: PathBuf,
    /// The crate to write into: src/generated/ is rewritten, what is missing around it is added
    #[arg(long, value_name = "DIR", default_value = ".", env = "RESTWELL_OUT")]
    out: PathBuf,
    /// Write nothing; tell which files are not up to date, and fail if any is not
    #[arg(long)]
    check: bool,
    /// What the schemas no longer have, or take less of, is meant to be lost where a database has it
    #[arg(long)]
    allow_drop: bool,
}

#[derive(Debug, Args)]
struct Fmt {
    /// The folder with the schemas: every *.yaml and *.yml in it, at any depth
    #[arg(default_value = "schemas")]
    dir: PathBuf,
    /// Write nothing; tell which files are not formatted, and fail if any is not
    #[arg(long)]
    check: bool,
}

#[derive(Debug, Args)]
struct New {
    /// The folder to make; the service is called like it
    dir: PathBuf,
    /// A checkout of Restwell to build against, instead of the published library
    #[arg(long, value_name = "PATH")]
    restwell: Option<PathBuf>,
}

/// How diagnostics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// As rustc shows them
    Text,
    /// One JSON object a line
    Json,
}

/// A task could not be done; why has been said, or is said here.
#[derive(Debug)]
enum Failure {
    /// The schemas are wrong, or the generated code is not up to date. The report says so.
    Reported,
    /// Something else: a file that cannot be read, a folder that is not there.
    Other(String),
}

impl CommandLine {
    /// Does what was asked for: 0 when done, 1 when something is wrong. (A wrong command line is 2.)
    #[must_use]
    pub fn run(self) -> ExitCode {
        let report = Report::new(self.format);
        let done = match self.task {
            Task::New(options) => new::run(&options, &report),
            Task::Check(schemas) => check::run(&schemas.dir, &report),
            Task::Generate(options) => generate::run(&options, &report),
            Task::Fmt(options) => fmt::run(&options, &report),
            Task::Schema => schema::run(),
            Task::Model(schemas) => check::print_model(&schemas.dir, &report),
        };
        match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(Failure::Reported) => ExitCode::FAILURE,
            Err(Failure::Other(problem)) => {
                report.failure(&problem);
                ExitCode::FAILURE
            }
        }
    }
}
