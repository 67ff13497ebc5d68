//! The options of `serve`.

use super::config::{FileOption, duration};
use super::listen::{address, base_url};
use super::tls::TlsOptions;
use crate::auth::KeyOptions;
use crate::limits::{Limiter, Quota};
use crate::observe::log::LogOptions;
use crate::serve::cors::Origins;
use crate::serve::edge::{EdgeOptions, per_address};
use crate::store::CONNECTIONS;
use clap::{Args, ValueEnum};
use std::net::SocketAddr;
use std::time::Duration;

/// The headings of the options in `--help`.
pub(super) const NETWORK: &str = "Network";
const DATABASE: &str = "Database";
const EVENTS: &str = "Events";
const LIMITS: &str = "Limits";

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
    /// current folder; if it is new, it gets the sample data of the program, if that has any. Other databases do not.
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
    #[arg(long, env = "BASE_URL", help_heading = NETWORK, default_value = "", value_parser = base_url)]
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
    /// commas; `*` for all. By default none.
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
