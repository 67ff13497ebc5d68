//! The command line, the same for every service: the commands and their options.

use super::database;
use super::serve_options::ServeOptions;
use crate::auth::KeyOptions;
use crate::service::ServiceDefinition;
use crate::store::Database;
use clap::{Args, Parser, Subcommand};
use restwell_model::Version;
use restwell_model::events::CommandStatus;
use std::path::PathBuf;
use std::time::Duration;
use uuid::Uuid;

/// A service made with Restwell.
#[derive(Debug, Parser)]
#[command(version, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<ProgramCommand>,
    #[command(flatten)]
    pub(crate) serve: ServeOptions,
}

/// The commands of the program.
#[derive(Debug, Subcommand)]
pub(crate) enum ProgramCommand {
    /// Serve (the default).
    Serve(Box<ServeOptions>),
    /// Print a bearer token, signed with the development key.
    Token(Box<TokenOptions>),
    /// Run pending migrations; create the tables of an empty database.
    Migrate(MigrateOptions),
    /// Print the model of the service as JSON.
    Model,
    /// Print the HTTP interface of the service as OpenAPI 3.1.
    Openapi(OpenApiArguments),
    /// Print the events of the service as AsyncAPI 3.1.
    Asyncapi,
    /// List and show commands; execute one again, or cancel it.
    Commands(CommandsOptions),
    /// Write all rows of the database to a file, as lines of JSON.
    Export(ExportOptions),
    /// Fill a new or empty database from a file that `export` wrote, also from another kind of database.
    Import(ImportOptions),
    /// Copy an SQLite database to a file while the service runs, and check the copy.
    Backup(BackupOptions),
    /// Erase all that the database holds of a user, and print a receipt. An SQLite database must not be in use.
    Erase(EraseOptions),
}

impl ProgramCommand {
    /// The options that name the database. `None`: the command needs none, or has other options for it, as `serve` has.
    pub(crate) fn database(&self) -> Option<&DatabaseOptions> {
        match self {
            Self::Migrate(options) => Some(&options.database),
            Self::Commands(options) => Some(options.command.database()),
            Self::Export(options) => Some(&options.database),
            Self::Import(options) => Some(&options.database),
            Self::Backup(options) => Some(&options.database),
            Self::Erase(options) => Some(&options.database),
            Self::Serve(_) | Self::Token(_) | Self::Model | Self::Openapi(_) | Self::Asyncapi => None,
        }
    }
}

/// The database of a command that does not serve.
#[derive(Debug, Args)]
pub(crate) struct DatabaseOptions {
    /// `sqlite://FILE` or `postgres://USER:PASSWORD@HOST/DATABASE`. By default `<service>.db` in the current folder.
    #[arg(long = "database", env = "DATABASE_URL", value_name = "DATABASE", hide_env_values = true)]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) file: FileOption,
}

impl DatabaseOptions {
    /// The database to use. One connection is enough.
    ///
    /// # Errors
    ///
    /// A message for the operator.
    pub(crate) fn of(&self, service: &ServiceDefinition) -> Result<Database, String> {
        database(service, self.url.as_deref(), 1).map(|(database, _)| database)
    }
}

/// Where else options are. [`config_file`](crate::program::config_file) reads it before the others.
#[derive(Debug, Clone, Args)]
pub(crate) struct FileOption {
    /// A YAML file with options of `serve`, by their long names. The command line and the environment override it.
    #[arg(long = "config", env = "CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// The options of `migrate`.
#[derive(Debug, Args)]
pub(crate) struct MigrateOptions {
    /// Print the SQL that would run, and run nothing.
    #[arg(long, alias = "plan")]
    pub(crate) dry_run: bool,
    /// Drop tables and columns that the model no longer has. Not needed for a service with migration files: their drops
    /// are intended.
    #[arg(long)]
    pub(crate) allow_drop: bool,
    #[command(flatten)]
    pub(crate) database: DatabaseOptions,
}

/// The options of `openapi`.
#[derive(Debug, Args)]
pub(crate) struct OpenApiArguments {
    /// Only what this version has: `public.v1`. For generators that understand one version only.
    #[arg(long, value_name = "VERSION")]
    pub(crate) only: Option<Version>,
}

/// The options of `token`.
#[derive(Debug, Args)]
pub(crate) struct TokenOptions {
    /// The id of the user that the token identifies.
    #[arg(long, value_name = "UUID", required_unless_present = "subject")]
    pub(crate) sub: Option<Uuid>,
    /// Instead, the subject that an issuer's tokens would have: `auth0|507f1f77`.
    #[arg(long, value_name = "TEXT", conflicts_with = "sub")]
    pub(crate) subject: Option<String>,
    /// The scopes that it grants in addition, separated by spaces: "offers.admin users.admin".
    #[arg(long, default_value = "")]
    pub(crate) scope: String,
    /// Another claim, `email=a@example.com`; may be repeated. A value that is valid JSON is used as JSON.
    #[arg(long, value_name = "NAME=VALUE", value_parser = claim)]
    pub(crate) claim: Vec<(String, serde_json::Value)>,
    /// Other claims as one JSON object, as `restwell conform` gives them: `{"roles":["clerk"]}`.
    #[arg(long, value_name = "JSON", value_parser = claims)]
    pub(crate) claims: Option<serde_json::Map<String, serde_json::Value>>,
    /// How long it is valid, as an ISO 8601 duration.
    #[arg(long, default_value = "PT1H", value_parser = duration)]
    pub(crate) ttl: Duration,
    #[command(flatten)]
    pub(crate) file: FileOption,
    /// With these there is no development key to sign a token with.
    #[command(flatten)]
    pub(crate) keys: KeyOptions,
}

/// The options of `commands`.
#[derive(Debug, Args)]
pub(crate) struct CommandsOptions {
    #[command(subcommand)]
    pub(crate) command: CommandsCommand,
}

/// The commands of `commands`. The service may run meanwhile.
#[derive(Debug, Subcommand)]
pub(crate) enum CommandsCommand {
    /// List commands, the latest change first.
    List(ListCommandsOptions),
    /// Print a command: what clients see of it, who sent it, and until when an instance executes it.
    Show(OneCommandOptions),
    /// Execute a command again that is FAILED, or RUNNING and stuck.
    Retry(ChangeCommandOptions),
    /// End a RUNNING command as FAILED with the error `Cancelled`.
    Cancel(ChangeCommandOptions),
}

impl CommandsCommand {
    /// The options that name the database.
    pub(crate) fn database(&self) -> &DatabaseOptions {
        match self {
            Self::List(options) => &options.database,
            Self::Show(options) => &options.database,
            Self::Retry(options) | Self::Cancel(options) => &options.database,
        }
    }
}

/// The options of `commands list`.
#[derive(Debug, Args)]
pub(crate) struct ListCommandsOptions {
    /// Only commands with this status: `RUNNING`, `SUCCESSFUL`, `FAILED`.
    #[arg(long, value_parser = command_status)]
    pub(crate) status: Option<CommandStatus>,
    /// Only commands of this resource, by its name in the model: `Offer`.
    #[arg(long, value_name = "NAME")]
    pub(crate) resource: Option<String>,
    /// Only commands of this type: `renew`.
    #[arg(long = "type", value_name = "NAME")]
    pub(crate) command: Option<String>,
    /// The greatest number of commands.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,
    /// How they are printed.
    #[arg(long, default_value = "text", value_parser = ["text", "json"])]
    pub(crate) format: String,
    #[command(flatten)]
    pub(crate) database: DatabaseOptions,
}

/// The options of `commands show`.
#[derive(Debug, Args)]
pub(crate) struct OneCommandOptions {
    /// The id of the command.
    pub(crate) id: Uuid,
    /// How it is printed.
    #[arg(long, default_value = "text", value_parser = ["text", "json"])]
    pub(crate) format: String,
    #[command(flatten)]
    pub(crate) database: DatabaseOptions,
}

/// The options of `commands retry` and `commands cancel`.
#[derive(Debug, Args)]
pub(crate) struct ChangeCommandOptions {
    /// The id of the command.
    pub(crate) id: Uuid,
    #[command(flatten)]
    pub(crate) database: DatabaseOptions,
}

/// How something is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    Text,
    Json,
}

impl OutputFormat {
    /// That of an option `--format`. Its value is a text, because `restwell` has a global option of this name, and clap
    /// reads both as one.
    pub(crate) fn named(name: &str) -> Self {
        if name == "json" { Self::Json } else { Self::Text }
    }
}

/// The options of `export`.
#[derive(Debug, Args)]
pub(crate) struct ExportOptions {
    /// The file to write, which must not exist yet; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: String,
    #[command(flatten)]
    pub(crate) database: DatabaseOptions,
}

/// The options of `import`.
#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    /// The file to read; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) from: String,
    /// Import rows with values that the model refuses: migrations with `--allow-drop` may have left such rows.
    #[arg(long)]
    pub(crate) keep_refused: bool,
    #[command(flatten)]
    pub(crate) database: DatabaseOptions,
}

/// The options of `backup`.
#[derive(Debug, Args)]
pub(crate) struct BackupOptions {
    /// The file to write, a database of its own. It must not exist yet.
    #[arg(value_name = "FILE")]
    pub(crate) to: PathBuf,
    /// Replace the file if it exists, once the copy is complete and checked.
    #[arg(long)]
    pub(crate) overwrite: bool,
    #[command(flatten)]
    pub(crate) database: DatabaseOptions,
}

/// The options of `erase`.
#[derive(Debug, Args)]
pub(crate) struct EraseOptions {
    /// The id of the user.
    #[arg(value_name = "USER")]
    pub(crate) user: Uuid,
    /// Print the receipt that there would be, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) database: DatabaseOptions,
}

fn command_status(text: &str) -> Result<CommandStatus, String> {
    let found = CommandStatus::ALL.into_iter().find(|status| status.value() == text);
    found.ok_or_else(|| format!("is not one of {}", CommandStatus::ALL.map(CommandStatus::value).join(", ")))
}

/// `name=value`.
fn claim(text: &str) -> Result<(String, serde_json::Value), String> {
    let (name, value) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or("not `name=value`")?;
    Ok((name.to_owned(), serde_json::from_str(value).unwrap_or_else(|_| value.into())))
}

/// `{"name":"value"}`.
fn claims(text: &str) -> Result<serde_json::Map<String, serde_json::Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("not a JSON object: {error}"))
}

/// The argument of an option that takes an ISO 8601 duration.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    restwell_model::scalar::IsoDuration::parse(text)
        .and_then(|duration| duration.to_std())
        .ok_or_else(|| "not a duration like PT1H or P7D, without years and months".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_takes_every_option_that_it_has() {
        let lines = restwell_testkit::command_line::every_option::<Cli>();
        assert!(lines.iter().any(|line| line.ends_with(&["commands".to_owned(), "list".to_owned()])), "{lines:?}");
    }
}
