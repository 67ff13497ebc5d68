//! The program of a service that is interpreted: the command line of every service, within another program's.

use super::config::ProgramCommand;
use super::serve_options::ServeOptions;
use super::{config_file, run};
use crate::migrations::DatabaseState;
use crate::program_name::set_program_name;
use crate::service::{Builder, Interpreted, ServiceDefinition};
use crate::store::Database;
use clap::{Args, CommandFactory, FromArgMatches};

/// The command line of a service: its commands, and the options of `serve`.
#[derive(Debug, Args)]
pub struct ProgramOptions {
    #[command(subcommand)]
    command: Option<ProgramCommand>,
    #[command(flatten)]
    serve: ServeOptions,
}

impl ProgramOptions {
    /// Whether a command other than `serve` is to be run.
    #[must_use]
    pub fn is_other_command(&self) -> bool {
        !matches!(self.command, None | Some(ProgramCommand::Serve(_)))
    }

    /// The options of `serve`.
    pub(super) fn serving(&self) -> &ServeOptions {
        match &self.command {
            Some(ProgramCommand::Serve(options)) => options,
            _ => &self.serve,
        }
    }

    /// Whether the command line, or the environment, names a database.
    #[must_use]
    pub fn names_database(&self) -> bool {
        match &self.command {
            None | Some(ProgramCommand::Serve(_)) => self.serving().database.is_some(),
            Some(command) => command.database().is_some_and(|database| database.url.is_some()),
        }
    }
}

/// The command line of a program that has these options in some of its commands, `within`. The configuration file that
/// they name is read, too. A command line that is wrong ends the program.
///
/// # Errors
///
/// What is wrong with the configuration file.
pub fn command_line<C: CommandFactory + FromArgMatches>(within: &[&str]) -> Result<C, String> {
    config_file::command_line(within)
}

/// Executes the command line with an interpreted service. `program` is the name of the program in messages.
///
/// # Errors
///
/// A sentence for people.
pub fn run_interpreted(interpreted: Interpreted, options: &ProgramOptions, program: &str) -> Result<(), String> {
    set_program_name(program);
    run(Builder::interpreted(interpreted), options.command.as_ref(), &options.serve)
}

/// Logs what a compiled service would have, and this one has not.
pub(super) fn announce(service: &ServiceDefinition) {
    let Some(interpretation) = &service.interpretation else { return };
    tracing::info!("the schemas are interpreted: rules that are written in Rust are not there");
    let unanswered = interpretation.unanswered();
    if !unanswered.is_empty() {
        tracing::info!("commands have no handlers and answer 501: {}", unanswered.join(", "));
    }
}

/// How many entities of each resource the database is to be filled with: none where it is not empty.
pub(super) fn sample(service: &ServiceDefinition, database: &Database) -> usize {
    let sample = service.interpretation.as_ref().map_or(0, |interpretation| interpretation.sample);
    if sample == 0 {
        return 0;
    }
    // faults of the database are reported when it is opened
    match database.find(&service.goal()) {
        Ok(DatabaseState::Empty) => sample,
        Ok(DatabaseState::UpToDate | DatabaseState::Behind(_)) => {
            tracing::warn!("{database} has tables already: it gets no sample data");
            0
        }
        Err(_) => 0,
    }
}
