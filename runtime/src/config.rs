//! The service's command line (the same for every service) and what its options mean.

use crate::credentials::KeyOptions;
use crate::limits::{Limiter, Quota};
use crate::serve::cors::Origins;
use crate::serve::edge::{EdgeOptions, per_address};
use crate::store::PostgresLocation;
use crate::tls::TlsOptions;
use clap::{Args, Parser, Subcommand};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use uuid::Uuid;

/// Connections to PostgreSQL for transactions, where nobody says.
pub(crate) const CONNECTIONS: usize = 16;

/// A service made with Restwell.
#[derive(Debug, Parser)]
#[command(version, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Task>,
    #[command(flatten)]
    pub(crate) serve: ServeOptions,
}

/// What the service's program can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Serves (what it does when nothing is said).
    Serve(Box<ServeOptions>),
    /// Prints a bearer token of the development key.
    Token(TokenOptions),
    /// Runs the migrations that the database lacks; an empty one gets its tables.
    Migrate(MigrateOptions),
    /// Prints the service's model as JSON.
    Model,
    /// Writes all that the database holds to a file of lines of JSON.
    Export(ExportOptions),
    /// Fills an empty database with what `export` wrote, of this kind or the other.
    Import(ImportOptions),
}

/// How to serve.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServeOptions {
    #[command(flatten)]
    pub(crate) file: FileOption,
    /// Does not serve: looks whether it could, prints what it finds, and changes nothing.
    #[arg(long)]
    pub(crate) check: bool,
    /// Runs the migrations that the database lacks before it serves.
    #[arg(long, env = "MIGRATE")]
    pub(crate) migrate: bool,
    /// Address and port to listen on.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// `sqlite://FILE`, `sqlite::memory:` or `postgres://USER:PASSWORD@HOST/DATABASE`. Where none is named, `<service>.db` in
    /// this folder, made at first with a little sample data; a database that is named is never filled unasked.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// Connections to PostgreSQL for transactions, besides one for each thread.
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = CONNECTIONS)]
    pub(crate) database_connections: usize,
    #[command(flatten)]
    pub(crate) tls: TlsOptions,
    #[command(flatten)]
    pub(crate) keys: KeyOptions,
    /// What stands before the paths in `Location`: `https://api.example.com`. Where none is named, `Location` is a
    /// path.
    #[arg(long, env = "BASE_URL", default_value = "")]
    pub(crate) base_url: String,
    /// Threads that serve requests; where none are named, one per core.
    #[arg(long, env = "WORKERS")]
    pub(crate) workers: Option<usize>,
    /// How long a search can be used, as an ISO 8601 duration; then it answers 410.
    #[arg(long, env = "SEARCH_TTL", default_value = "P30D", value_parser = duration)]
    pub(crate) search_ttl: Duration,
    /// A NATS server with JetStream that events are published to: `nats://HOST:PORT`. Where none is named they are in
    /// `GET /events` only.
    #[arg(long, env = "NATS_URL")]
    pub(crate) nats: Option<String>,
    /// How long events are kept for those who take them up again, as an ISO 8601 duration. What is to be published and is
    /// not yet is kept longer.
    #[arg(long, env = "EVENT_RETENTION", default_value = "P7D", value_parser = duration)]
    pub(crate) event_retention: Duration,
    /// The origins whose scripts may call the service from a browser, as `https://app.example.com`, with commas between; `*`
    /// for all. Where none are named, none may.
    #[arg(long, env = "CORS", value_delimiter = ',')]
    pub(crate) cors: Vec<String>,
    /// How often a caller may ask, as requests per ISO 8601 duration: `600/PT1M`; all of them may come at once. Counted by the
    /// caller's id, else by the address. Where nothing is said, as often as they like.
    #[arg(long, env = "RATE_LIMIT", value_name = "REQUESTS/TIME")]
    pub(crate) rate_limit: Option<Quota>,
    /// A Redis server, `redis://HOST:PORT`, by which all instances of the service count together.
    #[arg(long, env = "RATE_LIMIT_REDIS", value_name = "URL")]
    pub(crate) rate_limit_redis: Option<String>,
    /// One proxy stands before the service and tells the clients' addresses in `X-Forwarded-For`.
    #[arg(long, env = "BEHIND_PROXY")]
    pub(crate) behind_proxy: bool,
    /// Connections at a time; more are refused with 503.
    #[arg(long, env = "MAX_CONNECTIONS", default_value = "10000")]
    pub(crate) max_connections: usize,
    /// Connections of one address at a time; more are refused with 503. Where nothing is said, half of all. With
    /// `--behind-proxy` it says nothing: all come from the proxy.
    #[arg(long, env = "MAX_CONNECTIONS_PER_ADDRESS", value_name = "CONNECTIONS")]
    pub(crate) max_connections_per_address: Option<usize>,
    /// How long a request may take, as an ISO 8601 duration; then it answers 504.
    #[arg(long, env = "REQUEST_TIMEOUT", default_value = "PT60S", value_parser = duration)]
    pub(crate) request_timeout: Duration,
    /// A collector of OpenTelemetry that traces of requests and commands are sent to, by OTLP over HTTP: `http://HOST:4318`.
    #[cfg(feature = "otel")]
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL")]
    pub(crate) otlp: Option<String>,
    /// Logs a line per request, of the target `access`.
    #[arg(long, env = "ACCESS_LOG")]
    pub(crate) access_log: bool,
    /// What is logged: a level (`info`), or levels by module (`restwell=debug,warn`).
    #[arg(long, env = "LOG", default_value = "info")]
    pub(crate) log: String,
}

/// Where else options are. [`config_file`](crate::config_file) reads it before the others.
#[derive(Debug, Clone, Args)]
pub(crate) struct FileOption {
    /// A YAML file of options of `serve`, under their long names. The command line and the environment win over it.
    #[arg(long = "config", env = "CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

impl ServeOptions {
    /// What is said of the edge.
    ///
    /// # Errors
    ///
    /// A sentence for people.
    pub(crate) fn edge(&self, service: &str) -> Result<EdgeOptions, String> {
        let limiter = match (self.rate_limit, &self.rate_limit_redis) {
            (None, None) => None,
            (None, Some(_)) => return Err("--rate-limit-redis is given without --rate-limit".to_owned()),
            (Some(quota), None) => Some(Limiter::local(quota)),
            (Some(quota), Some(url)) => {
                Some(Limiter::shared(quota, service, url).map_err(|error| format!("--rate-limit-redis: {error}"))?)
            }
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

/// Which database is brought along, and how far.
#[derive(Debug, Args)]
pub(crate) struct MigrateOptions {
    /// Runs nothing; prints the SQL that would run.
    #[arg(long)]
    pub(crate) plan: bool,
    /// What the model has no longer is meant to be dropped. A service with migrations of its own is not asked: what they drop
    /// was meant when they were written.
    #[arg(long)]
    pub(crate) allow_drop: bool,
    /// `sqlite://FILE` or `postgres://USER:PASSWORD@HOST/DATABASE`. Where none is named, `<service>.db` in this folder.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    #[command(flatten)]
    pub(crate) file: FileOption,
}

/// Whose token, and how long it is good.
#[derive(Debug, Args)]
pub(crate) struct TokenOptions {
    /// The id of the user that the token speaks for.
    #[arg(long, value_name = "UUID")]
    pub(crate) sub: Uuid,
    /// What it allows besides, with spaces between: "offers.admin users.admin".
    #[arg(long, default_value = "")]
    pub(crate) scope: String,
    /// How long it is good, as an ISO 8601 duration.
    #[arg(long, default_value = "PT1H", value_parser = duration)]
    pub(crate) ttl: Duration,
    #[command(flatten)]
    pub(crate) file: FileOption,
    /// Where these are given, there is no development key to make a token with.
    #[command(flatten)]
    pub(crate) keys: KeyOptions,
}

/// What is written, and where to.
#[derive(Debug, Args)]
pub(crate) struct ExportOptions {
    /// The database that is read, as for `serve`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// The file to write, which must not be there yet; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: String,
    #[command(flatten)]
    pub(crate) file: FileOption,
}

/// What is read, and where it goes.
#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    /// The database that is filled, as for `serve`. It must be new, or empty.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// The file to read; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) from: String,
    #[command(flatten)]
    pub(crate) file: FileOption,
}

fn duration(text: &str) -> Result<Duration, String> {
    restwell_model::scalar::IsoDuration::parse(text)
        .and_then(|duration| duration.to_std())
        .ok_or_else(|| "not a duration like PT1H or P7D, without years and months".to_owned())
}

/// Where the entities are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Database {
    /// An SQLite file.
    File(PathBuf),
    /// Memory.
    Memory,
    /// A PostgreSQL server, with so many connections for transactions.
    Postgres(Box<PostgresLocation>, usize),
}

impl Database {
    /// Reads `DATABASE_URL`.
    pub(crate) fn parse(url: &str, connections: usize) -> Result<Self, String> {
        if ["postgres", "postgresql"].contains(&scheme(url)) {
            return Ok(Self::Postgres(Box::new(PostgresLocation::parse(url)?), connections.max(1)));
        }
        match url.strip_prefix("sqlite:") {
            Some(":memory:") => Ok(Self::Memory),
            Some(rest) => match rest.strip_prefix("//").unwrap_or(rest) {
                "" => Err(format!("`{url}` names no file; write sqlite://FILE")),
                file => Ok(Self::File(PathBuf::from(file))),
            },
            None => Err(format!(
                "`{}` is no database that can be served from; write sqlite://FILE, sqlite::memory: or postgres://USER@HOST/DATABASE",
                scheme(url)
            )),
        }
    }
}

/// A URL may hold a password: only its scheme is shown.
fn scheme(url: &str) -> &str {
    url.split_once(':').map_or(url, |(scheme, _)| scheme)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(url: &str) -> Result<Database, String> {
        Database::parse(url, 1)
    }

    #[test]
    fn the_command_line_is_of_one_piece() {
        Cli::command().debug_assert();
    }

    #[test]
    fn databases() {
        assert_eq!(parse("sqlite://market.db"), Ok(Database::File("market.db".into())));
        assert_eq!(parse("sqlite:///var/lib/market.db"), Ok(Database::File("/var/lib/market.db".into())));
        assert_eq!(parse("sqlite::memory:"), Ok(Database::Memory));
        assert!(parse("sqlite://").is_err());
        let error = parse("mysql://user:secret@host/db").unwrap_err();
        assert!(!error.contains("secret"), "{error}");
    }
}
