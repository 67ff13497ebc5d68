//! The command line of a service, the same for every service, and its options.

use super::listen::address;
use super::tls::TlsOptions;
use crate::auth::KeyOptions;
use crate::limits::{Limiter, Quota};
use crate::observe::log::LogOptions;
use crate::serve::cors::Origins;
use crate::serve::edge::{EdgeOptions, per_address};
use crate::store::CONNECTIONS;
use clap::{Args, Parser, Subcommand, ValueEnum};
use restwell_model::Version;
use restwell_model::events::CommandStatus;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use uuid::Uuid;

/// The headings of the options in `--help`.
const NETWORK: &str = "Network";
const DATABASE: &str = "Database";
const EVENTS: &str = "Events";
const LIMITS: &str = "Limits";

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
    /// Fill an empty database from a file that `export` wrote, also from another kind of database.
    Import(ImportOptions),
    /// Copy an SQLite database to a file while the service runs, and check the copy.
    Backup(BackupOptions),
    /// Erase all that the database holds of a user, and print a receipt. An SQLite database must not be in use.
    Erase(EraseOptions),
}

/// The options of `serve`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServeOptions {
    #[command(flatten)]
    pub(crate) file: FileOption,
    /// Check configuration, model, database and credentials, print the result, and exit.
    #[arg(long)]
    pub(crate) check: bool,
    /// Run pending migrations before serving.
    #[arg(long, env = "MIGRATE", help_heading = DATABASE)]
    pub(crate) migrate: bool,
    /// Address and port to listen on: `127.0.0.1:8081`, `localhost:8081`, or a port of this machine only, `8081`. The
    /// variable `PORT` means this port of all addresses.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080", value_parser = address, help_heading = NETWORK)]
    pub(crate) listen: SocketAddr,
    /// `sqlite://FILE`, `sqlite::memory:` or `postgres://USER:PASSWORD@HOST/DATABASE`. By default `<service>.db` in the
    /// current folder, created with sample data; other databases are never filled with it.
    #[arg(long, env = "DATABASE_URL", help_heading = DATABASE, hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// Connections to PostgreSQL for transactions, in addition to one for each thread.
    #[arg(long, env = "DATABASE_CONNECTIONS", help_heading = DATABASE, default_value_t = CONNECTIONS)]
    pub(crate) database_connections: usize,
    #[command(flatten)]
    pub(crate) tls: TlsOptions,
    #[command(flatten)]
    pub(crate) keys: KeyOptions,
    /// The prefix of the paths in `Location`: `https://api.example.com`. By default `Location` is a path.
    #[arg(long, env = "BASE_URL", help_heading = NETWORK, default_value = "")]
    pub(crate) base_url: String,
    /// Threads that serve requests; by default one per core.
    #[arg(long, env = "WORKERS", help_heading = NETWORK)]
    pub(crate) workers: Option<usize>,
    /// Lifetime of a search, as an ISO 8601 duration; then it responds with 410.
    #[arg(long, env = "SEARCH_TTL", help_heading = LIMITS, default_value = "P30D", value_parser = duration)]
    pub(crate) search_ttl: Duration,
    /// How long finished commands are kept, as an ISO 8601 duration. For as long again their ids are kept: such a
    /// command responds with 410.
    #[arg(long, env = "COMMAND_RETENTION", help_heading = LIMITS, default_value = "P90D", value_parser = duration)]
    pub(crate) command_retention: Duration,
    /// A NATS server with JetStream to publish events to: `nats://HOST:PORT`. By default events are in `GET /events`
    /// only.
    #[arg(long, env = "NATS_URL", help_heading = EVENTS)]
    pub(crate) nats: Option<String>,
    /// How long events are kept for clients that reconnect, as an ISO 8601 duration. Events that are not published yet
    /// are kept longer.
    #[arg(long, env = "EVENT_RETENTION", help_heading = EVENTS, default_value = "P7D", value_parser = duration)]
    pub(crate) event_retention: Duration,
    /// Origins whose scripts may call the service from a browser, such as `https://app.example.com`, separated by
    /// commas;
    /// `*` for all. By default none.
    #[arg(long, env = "CORS", help_heading = NETWORK, value_delimiter = ',')]
    pub(crate) cors: Vec<String>,
    /// Rate limit of a caller, as requests per ISO 8601 duration: `600/PT1M`; all of them may come at once. Counted by
    /// the caller's id, or else by the address. By default unlimited.
    #[arg(long, env = "RATE_LIMIT", help_heading = LIMITS, value_name = "REQUESTS/TIME")]
    pub(crate) rate_limit: Option<Quota>,
    /// A Redis server, `redis://HOST:PORT`, that counts the requests of all instances together.
    #[arg(long, env = "RATE_LIMIT_REDIS", help_heading = LIMITS, value_name = "URL")]
    pub(crate) rate_limit_redis: Option<String>,
    /// The service is behind one proxy, which sends the addresses of clients in `X-Forwarded-For`.
    #[arg(long, env = "BEHIND_PROXY", help_heading = NETWORK)]
    pub(crate) behind_proxy: bool,
    /// Open connections; further ones are refused with 503.
    #[arg(long, env = "MAX_CONNECTIONS", help_heading = LIMITS, default_value = "10000")]
    pub(crate) max_connections: usize,
    /// Open connections of one address; further ones are refused with 503. By default half of all. Ignored with
    /// `--behind-proxy`, where all connections come from the proxy.
    #[arg(long, env = "MAX_CONNECTIONS_PER_ADDRESS", help_heading = LIMITS, value_name = "CONNECTIONS")]
    pub(crate) max_connections_per_address: Option<usize>,
    /// Time for a request, as an ISO 8601 duration; then it responds with 504.
    #[arg(long, env = "REQUEST_TIMEOUT", help_heading = LIMITS, default_value = "PT60S", value_parser = duration)]
    pub(crate) request_timeout: Duration,
    /// Whether the service describes itself to everybody who can reach it: `/openapi.json`, `/asyncapi.json` and
    /// `/model.json`. By default `on` if it listens on a loopback address or `--docs` is `on`, otherwise `off`.
    #[arg(long, env = "CONTRACTS")]
    pub(crate) contracts: Option<Switch>,
    /// Whether the service has a page for people, `/docs`, on which they can read about it and try it. By default `on`
    /// if it listens on a loopback address and `--contracts` is not `off`, otherwise `off`.
    #[arg(long, env = "DOCS")]
    pub(crate) docs: Option<Switch>,
    #[command(flatten)]
    pub(crate) log: LogOptions,
    /// Set by `restwell dev` for the program that it has built: the port is handed over as standard input, the database
    /// follows the schemas, and the program ends with `restwell dev`.
    #[arg(long, hide = true)]
    pub(crate) under_dev: bool,
}

/// An option that is on or off. Its values need no explanation of their own in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    Off,
    On,
}

/// Where else options are. [`config_file`](crate::program::config_file) reads it before the others.
#[derive(Debug, Clone, Args)]
pub(crate) struct FileOption {
    /// A YAML file with options of `serve`, by their long names. The command line and the environment override it.
    #[arg(long = "config", env = "CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

impl ServeOptions {
    /// Whether the service describes itself.
    pub(crate) fn has_contracts(&self) -> bool {
        let is_asked = self.docs == Some(Switch::On) || self.listen.ip().is_loopback();
        self.contracts.map_or(is_asked, |switch| switch == Switch::On)
    }

    /// Whether it has a page for people, which is drawn from these descriptions.
    ///
    /// # Errors
    ///
    /// A message for the operator: the page is asked for without them.
    pub(crate) fn has_page(&self) -> Result<bool, String> {
        match (self.docs, self.contracts) {
            (Some(Switch::On), Some(Switch::Off)) => {
                Err("--docs on needs --contracts on: the page is drawn from the contracts".to_owned())
            }
            (Some(switch), _) => Ok(switch == Switch::On),
            (None, _) => Ok(self.listen.ip().is_loopback() && self.has_contracts()),
        }
    }

    /// The options of the edge.
    ///
    /// # Errors
    ///
    /// A message for the operator.
    pub(crate) fn edge(&self, service: &str) -> Result<EdgeOptions, String> {
        let limiter = match (self.rate_limit, &self.rate_limit_redis) {
            (None, None) => None,
            (None, Some(_)) => return Err("--rate-limit-redis is given without --rate-limit".to_owned()),
            (Some(quota), None) => Some(Limiter::local(quota)),
            (Some(quota), Some(url)) => Some(Limiter::shared(quota, service, url)?),
        };
        Ok(EdgeOptions {
            origins: Origins::of(&self.cors).map_err(|error| format!("--cors: {error}"))?,
            limiter,
            is_behind_proxy: self.behind_proxy,
            request_timeout: self.request_timeout,
            connections: self.max_connections,
            connections_per_address: match self.max_connections_per_address {
                // all come from the proxy
                _ if self.behind_proxy => self.max_connections,
                None => per_address(self.max_connections),
                Some(connections) => connections,
            },
            // half of a pair is refused where the files are read
            is_https: self.tls.files().is_ok_and(|files| files.is_some()),
        })
    }
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
    /// `sqlite://FILE` or `postgres://USER:PASSWORD@HOST/DATABASE`. By default `<service>.db` in the current folder.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    #[command(flatten)]
    pub(crate) file: FileOption,
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
    /// Instead, whom the token is about in the words of an issuer: `auth0|507f1f77`.
    #[arg(long, value_name = "TEXT", conflicts_with = "sub")]
    pub(crate) subject: Option<String>,
    /// The scopes that it grants in addition, separated by spaces: "offers.admin users.admin".
    #[arg(long, default_value = "")]
    pub(crate) scope: String,
    /// Another claim, `email=a@example.com`; as often as there are claims. A value that is JSON is that.
    #[arg(long, value_name = "NAME=VALUE", value_parser = claim)]
    pub(crate) claim: Vec<(String, serde_json::Value)>,
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

/// What is done with commands. The service may run meanwhile.
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
    /// The database that the command line names.
    pub(crate) fn database(&self) -> &Option<String> {
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
    #[arg(long, default_value = "text")]
    pub(crate) format: OutputFormat,
    /// The database, as for `serve`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    #[command(flatten)]
    pub(crate) file: FileOption,
}

/// The options of `commands show`.
#[derive(Debug, Args)]
pub(crate) struct OneCommandOptions {
    /// The id of the command.
    pub(crate) id: Uuid,
    /// How it is printed.
    #[arg(long, default_value = "text")]
    pub(crate) format: OutputFormat,
    /// The database, as for `serve`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    #[command(flatten)]
    pub(crate) file: FileOption,
}

/// The options of `commands retry` and `commands cancel`.
#[derive(Debug, Args)]
pub(crate) struct ChangeCommandOptions {
    /// The id of the command.
    pub(crate) id: Uuid,
    /// The database, as for `serve`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    #[command(flatten)]
    pub(crate) file: FileOption,
}

/// How something is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    Text,
    Json,
}

/// The options of `export`.
#[derive(Debug, Args)]
pub(crate) struct ExportOptions {
    /// The database to read, as for `serve`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// The file to write, which must not exist yet; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: String,
    #[command(flatten)]
    pub(crate) file: FileOption,
}

/// The options of `import`.
#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    /// The database to fill, as for `serve`. It must be new or empty.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// The file to read; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) from: String,
    #[command(flatten)]
    pub(crate) file: FileOption,
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
    /// The database to copy, as for `serve`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    #[command(flatten)]
    pub(crate) file: FileOption,
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
    /// The database to erase from, as for `serve`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    #[command(flatten)]
    pub(crate) file: FileOption,
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

fn duration(text: &str) -> Result<Duration, String> {
    restwell_model::scalar::IsoDuration::parse(text)
        .and_then(|duration| duration.to_std())
        .ok_or_else(|| "not a duration like PT1H or P7D, without years and months".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_of_one_piece() {
        Cli::command().debug_assert();
    }
}
