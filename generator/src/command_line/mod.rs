//! The command line, the only part that reads and writes files.

#[cfg(feature = "serve")]
mod build;
mod check;
mod client;
#[cfg(feature = "conform")]
mod conform;
mod contracts;
mod crate_root;
#[cfg(feature = "serve")]
mod dev;
mod diff;
mod drafts;
mod files;
mod fmt;
mod generate;
mod git;
mod library;
mod new;
mod report;
mod schema;
#[cfg(feature = "serve")]
mod serve;

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use report::Report;
use restwell_model::Version;
use std::path::PathBuf;
use std::process::ExitCode;

/// Turns YAML descriptions of resources into a running REST service.
#[derive(Debug, Parser)]
#[command(name = "restwell", version, about, disable_help_subcommand = true)]
pub struct CommandLine {
    #[command(subcommand)]
    task: Task,
    /// Output format of errors and warnings: text, or one JSON object per line; of `diff`, text or a JSON array; of
    /// `conform`, text, JSON or JUnit XML
    #[arg(long, default_value = "text", value_parser = Format::names(), global = true)]
    format: String,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum Task {
    /// Create a new project: example schemas and the service generated from them
    New(New),
    /// Check the schemas and report all errors and warnings
    Check(Check),
    /// Generate the Rust code of the service and the migrations of its databases
    Generate(Generate),
    /// Compare two models: what each change breaks, and how to make it without breaking clients
    Diff(diff::Diff),
    /// Ask a running service whether it keeps the conventions: a report by section
    #[cfg(feature = "conform")]
    Conform(Box<conform::Conform>),
    /// Serve the schemas at once, without generating or compiling code
    #[cfg(feature = "serve")]
    Serve(Box<serve::Serve>),
    /// Serve the schemas, and each saved change of them at once
    #[cfg(feature = "serve")]
    Dev(Box<dev::Dev>),
    /// Format the schemas in their canonical order and style
    Fmt(Fmt),
    /// Print the JSON Schema of the documents, for editors
    Schema(SchemaOptions),
    /// Print the checked model of the service as JSON
    Model(Schemas),
    /// Print the HTTP interface of the service as OpenAPI 3.1
    Openapi(OpenApi),
    /// Print the events of the service as AsyncAPI 3.1
    Asyncapi(Schemas),
    /// Generate a client of the service, as a package that can be published
    Client(Client),
}

impl Task {
    /// Whether its result can be written as JUnit XML.
    fn has_junit(&self) -> bool {
        #[cfg(feature = "conform")]
        return matches!(self, Self::Conform(_));
        #[cfg(not(feature = "conform"))]
        return false;
    }
}

/// The exit code of a wrong command line.
const USAGE: u8 = 2;

/// Reads a path. What is below the current folder is written from there: commands print it.
fn as_seen_from_here() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| {
        let here = std::env::current_dir().unwrap_or_default();
        match path.strip_prefix(here) {
            Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
            Ok(below) => below.to_owned(),
            Err(_) => path,
        }
    })
}

/// The schemas folder.
#[derive(Debug, Args)]
struct Schemas {
    /// Folder with the schemas: all *.yaml, *.yml and *.ftl files in it, at any depth
    #[arg(default_value = "schemas", value_parser = as_seen_from_here())]
    dir: PathBuf,
}

#[derive(Debug, Args)]
struct Check {
    #[command(flatten)]
    schemas: Schemas,
    /// Report warnings as errors
    #[arg(long)]
    deny_warnings: bool,
}

#[derive(Debug, Args)]
struct Generate {
    /// Folder with the schemas: all *.yaml, *.yml and *.ftl files in it, at any depth
    #[arg(long, value_name = "DIR", default_value = "schemas", value_parser = as_seen_from_here())]
    schemas: PathBuf,
    /// Crate to write into: src/generated/ is rewritten, other files are added only if they are missing
    #[arg(long, value_name = "DIR", default_value = ".", env = "RESTWELL_OUT", value_parser = as_seen_from_here())]
    out: PathBuf,
    /// Do not write files; list the files that are not up to date, and fail if there are any
    #[arg(long)]
    check: bool,
    /// Allow migrations that delete stored values, or leave values that violate the new schemas
    #[arg(long)]
    allow_drop: bool,
    /// Checkout of Restwell that a new Cargo.toml builds against, instead of the published library: the folder with
    /// `runtime/` in it. By default the checkout that the current folder is in, if any
    #[arg(long, value_name = "PATH")]
    restwell: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct Fmt {
    /// Folder with the schemas: all *.yaml and *.yml files in it, at any depth
    #[arg(default_value = "schemas", value_parser = as_seen_from_here())]
    dir: PathBuf,
    /// Do not write files; list the files that are not formatted, and fail if there are any
    #[arg(long)]
    check: bool,
}

#[derive(Debug, Args)]
struct New {
    /// Folder to create; its name becomes the name of the service
    #[arg(value_parser = as_seen_from_here())]
    dir: PathBuf,
    /// Checkout of Restwell to build against, instead of the published library: the folder with `runtime/` in it. By
    /// default the checkout that the current folder is in, if any
    #[arg(long, value_name = "PATH")]
    restwell: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct SchemaOptions {
    /// Folder with schemas: its names are offered for `to`, `type`, `owner`, `under`, `through` and `users`
    #[arg(long = "for", value_name = "DIR")]
    of: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct OpenApi {
    #[command(flatten)]
    schemas: Schemas,
    /// Only what this version has: `public.v1`. For generators that understand one version only
    #[arg(long, value_name = "VERSION")]
    only: Option<Version>,
}

#[derive(Debug, Args)]
struct Client {
    /// Language of the client
    #[arg(value_enum)]
    language: ClientLanguage,
    /// Folder with the schemas: all *.yaml, *.yml and *.ftl files in it, at any depth
    #[arg(long, value_name = "DIR", default_value = "schemas", value_parser = as_seen_from_here())]
    schemas: PathBuf,
    /// Folder of the package: src/ is rewritten, other files are added only if they are missing
    #[arg(long, value_name = "DIR", value_parser = as_seen_from_here())]
    out: PathBuf,
    /// Do not write files; list the files that are not up to date, and fail if there are any
    #[arg(long)]
    check: bool,
}

/// The languages that clients are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClientLanguage {
    /// Plain JavaScript with declarations for TypeScript: no build, no dependencies
    Typescript,
    /// A crate over `reqwest` or any other transport
    Rust,
}

/// How diagnostics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text in the style of rustc
    Text,
    /// One JSON object per line
    Json,
    /// JUnit XML, of `conform` alone
    Junit,
}

impl Format {
    /// The values of `--format`. Their type is text: options of this name in the commands of a service, which `serve`
    /// and `dev` have, share their value with this one.
    fn names() -> PossibleValuesParser {
        PossibleValuesParser::new(Self::value_variants().iter().filter_map(Self::to_possible_value))
    }

    fn named(name: &str) -> Self {
        Self::from_str(name, false).unwrap_or(Self::Text)
    }
}

/// A task failed. The reason was reported already, or is in here.
#[derive(Debug)]
enum Failure {
    /// The schemas have errors, or the generated code is not up to date. The report contains the reason.
    Reported,
    /// Another reason: for example a file that cannot be read.
    Other(String),
}

impl CommandLine {
    /// What the arguments, the environment and the configuration file say. A wrong command line ends the program.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration file.
    pub fn read() -> Result<Self, String> {
        #[cfg(feature = "serve")]
        return restwell::interpreted::command_line(&["serve", "dev"]);
        #[cfg(not(feature = "serve"))]
        return Ok(Self::parse());
    }

    /// Runs the task. The exit code is 0 on success and 1 on errors; `diff` has codes of its own for changes, and
    /// `conform` for broken rules. (A wrong command line is 2.)
    #[must_use]
    pub fn run(self) -> ExitCode {
        let format = Format::named(&self.format);
        let report = Report::new(format);
        if format == Format::Junit && !self.task.has_junit() {
            report.failure("only `conform` has a report in the form `junit`");
            return ExitCode::from(USAGE);
        }
        let done = match self.task {
            Task::New(options) => new::run(&options, &report),
            Task::Check(options) => check::run(&options, &report),
            Task::Generate(options) => generate::run(&options, &report),
            Task::Diff(options) => match diff::run(&options, format, &report) {
                Ok(code) => return code,
                Err(failure) => Err(failure),
            },
            #[cfg(feature = "conform")]
            Task::Conform(options) => match conform::run(&options, format, &report) {
                Ok(code) => return code,
                Err(failure) => Err(failure),
            },
            #[cfg(feature = "serve")]
            Task::Serve(options) => serve::run(&options, &report),
            #[cfg(feature = "serve")]
            Task::Dev(options) => dev::run(*options, format),
            Task::Fmt(options) => fmt::run(&options, &report),
            Task::Schema(options) => schema::run(&options, &report),
            Task::Model(schemas) => check::print_model(&schemas.dir, &report),
            Task::Openapi(options) => contracts::print_openapi(&options, &report),
            Task::Asyncapi(schemas) => contracts::print_asyncapi(&schemas.dir, &report),
            Task::Client(options) => client::run(&options, &report),
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
