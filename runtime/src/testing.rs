//! A service for tests: in memory, on a port of its own, in one line.
//!
//! ```
//! # fn service() -> restwell::Builder { restwell::Builder::new("shop") }
//! let service = restwell::testing::start(service());
//! assert!(service.url("/offers").starts_with("http://127.0.0.1:"));
//! ```

mod client;
mod own_database;

pub use crate::auth::KeyTiming;
#[doc(hidden)]
pub use crate::store::define_functions;
pub use client::{TestClient, TestResponse};

use crate::auth::authenticator::Authenticator;
use crate::auth::{DevelopmentClaims, DevelopmentKey, Issuer, JwtAuthenticator};
use crate::clock::Clock;
use crate::events::EventOptions;
use crate::ids::Ids;
use crate::limits::Limiter;
use crate::logic::rejection::Rejection;
use crate::logic::service_handle::Service;
use crate::logic::transaction::Transaction;
use crate::observe::reasons::Reasons;
use crate::program::current_engine::Answering;
use crate::program::migrate;
use crate::program::sample;
use crate::program::server::{Opener, Server};
use crate::serve::Engine;
use crate::serve::cors::Origins;
use crate::serve::edge::EdgeOptions;
use crate::service::{self, Builder};
use crate::store::Database;
use crate::store::{ReadLimits, StoreOptions};
use own_database::{OwnDatabase, SERVER_VARIABLE};
use restwell_model::scalar::Timestamp;
use restwell_model::{Checked, Service as Model};
use serde_json::Value as Json;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use uuid::Uuid;

/// Connections to PostgreSQL for transactions, of a service under test.
const CONNECTIONS: usize = 4;
/// Workers of a service under test.
const WORKERS: usize = 2;
/// Heartbeats of its event streams: few tests wait for one as long as clients do.
const HEARTBEAT: Duration = Duration::from_millis(300);

/// A running service; it ends when this is dropped.
pub struct Running {
    server: Option<Server>,
    key: DevelopmentKey,
    address: SocketAddr,
    media_type: String,
    service: Service,
    reasons: Arc<Reasons>,
    /// Dropped last, once the service has closed it.
    _database: Option<OwnDatabase>,
}

/// A service about to be started for a test: `Setup::of(service()).clock(&clock).start()`.
#[must_use = "nothing runs until it is started"]
pub struct Setup {
    builder: Builder,
    /// `None`: none was chosen.
    database: Option<Database>,
    own_database: Option<OwnDatabase>,
    clock: Clock,
    ids: Ids,
    data: Option<String>,
    authenticator: Option<Arc<dyn Authenticator>>,
    edge: EdgeOptions,
    store: StoreOptions,
    has_contracts: bool,
}

impl Setup {
    /// With an empty database of its own (in memory, or on the PostgreSQL server that the variable
    /// `RESTWELL_TEST_DATABASE` names), the system's clock, and bearer tokens of a key of its own, unless the service
    /// checks credentials in a way of its own.
    pub fn of(builder: Builder) -> Self {
        Self {
            builder,
            database: None,
            own_database: None,
            clock: Clock::system(),
            ids: Ids::default(),
            data: None,
            authenticator: None,
            edge: EdgeOptions::default(),
            store: StoreOptions::default(),
            has_contracts: true,
        }
    }

    /// Without the descriptions of the service (`/openapi.json` and others) and the page that is drawn from them, as
    /// `--contracts off` leaves them out.
    pub fn without_contracts(mut self) -> Self {
        self.has_contracts = false;
        self
    }

    /// With a database file, made where it is missing.
    pub fn file(mut self, file: &Path) -> Self {
        self.database = Some(Database::File(file.to_owned()));
        self
    }

    /// With this database, as `--database` names it. Its content is kept.
    ///
    /// # Panics
    ///
    /// It is none that can be served from.
    pub fn database(mut self, url: &str) -> Self {
        match Database::parse(url, CONNECTIONS) {
            Ok(database) => self.database = Some(database),
            Err(reason) => panic!("{reason}"),
        }
        self
    }

    /// With a new, empty database on the PostgreSQL server that this URL of any of its databases names; it is dropped
    /// with the service. Without a choice of a database this is done with the URL in the variable
    /// `RESTWELL_TEST_DATABASE`, so that one suite of tests runs on both stores, each test on a database of its own.
    ///
    /// # Panics
    ///
    /// The database cannot be created.
    pub fn own_database(mut self, server: &str) -> Self {
        match OwnDatabase::create(server) {
            Ok(database) => {
                self = self.database(&database.url());
                self.own_database = Some(database);
                self
            }
            Err(reason) => panic!("no database for the test: {reason}"),
        }
    }

    /// With this number of connections to PostgreSQL for transactions, as `--database-connections` sets it.
    pub fn database_connections(mut self, connections: usize) -> Self {
        if let Some(Database::Postgres(_, size)) = &mut self.database {
            *size = connections.max(1);
        }
        self
    }

    /// With a clock that the test sets.
    pub fn clock(mut self, clock: &TestClock) -> Self {
        let clock = clock.clone();
        self.clock = Clock::of(move || clock.now());
        self
    }

    /// With ids that follow from a seed: the same requests, one after the other and with a clock that stands still, get
    /// the same responses, byte for byte. (The ids of events stay random.)
    pub fn seed(mut self, seed: u64) -> Self {
        self.ids = Ids::seeded(seed);
        self
    }

    /// With these entities from the start, as [`Builder::sample_data`] takes them. The service does not start if it
    /// refuses one of them.
    pub fn data(mut self, json: &str) -> Self {
        self.data = Some(json.to_owned());
        self
    }

    /// With credentials as the test wants them: a function from bearer tokens to callers, or another way.
    pub fn authenticator(mut self, authenticator: impl Authenticator) -> Self {
        self.authenticator = Some(Arc::new(authenticator));
        self
    }

    /// With scripts of these origins let in, as `--cors` lets them in.
    ///
    /// # Panics
    ///
    /// One is not an origin.
    pub fn cors(mut self, origins: &[&str]) -> Self {
        let origins: Vec<_> = origins.iter().map(|&origin| origin.to_owned()).collect();
        match Origins::of(&origins) {
            Ok(origins) => self.edge.origins = origins,
            Err(reason) => panic!("{reason}"),
        }
        self
    }

    /// With a quota of requests for each caller, as `--rate-limit` sets it: `600/PT1M`.
    ///
    /// # Panics
    ///
    /// It is none.
    pub fn rate_limit(mut self, quota: &str) -> Self {
        match quota.parse() {
            Ok(quota) => self.edge.limiter = Some(Limiter::local(quota)),
            Err(reason) => panic!("{reason}"),
        }
        self
    }

    /// With a quota that all services of this name have together, by a Redis server, as `--rate-limit-redis` sets it.
    ///
    /// # Panics
    ///
    /// It is not a quota, or not a URL of such a server.
    pub fn rate_limit_by_redis(mut self, quota: &str, url: &str) -> Self {
        let name = self.builder.name();
        match quota.parse().and_then(|quota| Limiter::shared(quota, name, url)) {
            Ok(limiter) => self.edge.limiter = Some(limiter),
            Err(reason) => panic!("{reason}"),
        }
        self
    }

    /// With this number of concurrent connections, as `--max-connections` sets it. All of them may come from one
    /// address, as those of a test do.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.edge.connections = connections;
        self.edge.connections_per_address = connections;
        self
    }

    /// With this number of concurrent connections of one address, as `--max-connections-per-address` sets it.
    pub fn max_connections_per_address(mut self, connections: usize) -> Self {
        self.edge.connections_per_address = connections;
        self
    }

    /// With so much time for a request, as `--request-timeout` sets it.
    pub fn request_timeout(mut self, timeout: Duration) -> Self {
        self.edge.request_timeout = timeout;
        self
    }

    /// With so much time for a list, or anything else that is read. Beyond it the answer is 503 `TooCostly`.
    pub fn read_timeout(mut self, timeout: Duration) -> Self {
        self.store.reads = ReadLimits { cpu: timeout, clock: timeout };
        self
    }

    /// Starts the service.
    ///
    /// # Panics
    ///
    /// The description has mistakes, the database cannot be opened, or no port can be had: the message says which.
    #[must_use]
    pub fn start(self) -> Running {
        match std::env::var(SERVER_VARIABLE) {
            Ok(server) if self.database.is_none() && !server.is_empty() => self.own_database(&server).start_chosen(),
            _ => self.start_chosen(),
        }
    }

    fn start_chosen(self) -> Running {
        let key = DevelopmentKey::generate();
        let authenticator = self.authenticator.or_else(|| self.builder.own_authenticator());
        let authenticator = authenticator.unwrap_or_else(|| Arc::new(key.clone()));
        let settings = EventOptions { heartbeat: HEARTBEAT, ..EventOptions::default() };
        let engine = service::check(self.builder).and_then(|mut service| {
            (service.store_options, service.ids) = (self.store, self.ids);
            service::open(service, self.database.unwrap_or(Database::Memory), authenticator, self.clock, "", &settings)
        });
        let server = engine.and_then(|mut engine| {
            engine.edge = Arc::new(self.edge);
            if let Some(json) = self.data {
                fill(&engine, &json)?;
            }
            engine.contracts = self.has_contracts.then(|| engine.new_contracts());
            engine.has_page = self.has_contracts;
            engine.explains = self.has_contracts;
            let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| error.to_string())?;
            let media_type = String::from_utf8_lossy(engine.plans.public.as_bytes()).into_owned();
            let (service, reasons) = (engine.service.clone(), Arc::clone(engine.executor.reasons()));
            reasons.keep();
            let server = Server::start((listener, Opener::Test), None, Answering::Fixed(Arc::new(engine)), WORKERS)
                .map_err(|error| error.to_string())?;
            Ok((server, media_type, service, reasons))
        });
        match server {
            Ok((server, media_type, service, reasons)) => Running {
                address: server.address(),
                server: Some(server),
                key,
                media_type,
                service,
                reasons,
                _database: self.own_database,
            },
            Err(reason) => panic!("the service under test does not start:\n{reason}"),
        }
    }
}

/// Creates entities that the service starts with.
fn fill(engine: &Engine, json: &str) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(sample::create_strictly(engine, json))
}

/// A clock that stands still until it is set.
#[derive(Debug, Clone)]
pub struct TestClock(Arc<AtomicI64>);

impl TestClock {
    /// A clock that shows this time.
    #[must_use]
    pub fn at(time: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(time.millis())))
    }

    /// What it shows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst)).unwrap_or(Timestamp::MAX)
    }

    /// Shows another time.
    pub fn set(&self, time: Timestamp) {
        self.0.store(time.millis(), Ordering::SeqCst);
    }

    /// Goes on by so much.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
    }
}

/// Brings a database (`sqlite://FILE`, `postgres://…`) to a model, or makes it where it is empty: what the model has no
/// longer is dropped.
///
/// # Errors
///
/// A message: the model has mistakes, or its migration fails.
pub fn bring_along(model: Model, url: &str) -> Result<(), String> {
    let model = Checked::new(model).map_err(|faults| format!("{faults:?}"))?;
    migrate::follow(&model, url)
}

/// Copies a database of one model into an empty one of another with the same tables, as `export` and `import` do.
///
/// # Errors
///
/// A message: a model has mistakes, a database cannot be read or filled, or a row breaks a rule of the second model.
pub fn copy((from, source): (Model, &str), (to, target): (Model, &str)) -> Result<(), String> {
    let checked = |model| Checked::new(model).map_err(|faults| format!("{faults:?}"));
    migrate::copy((&checked(from)?, source), (&checked(to)?, target))
}

/// Starts a service with an empty database of its own: in memory, or on the PostgreSQL server that the variable
/// `RESTWELL_TEST_DATABASE` names.
///
/// # Panics
///
/// The description has mistakes, or no port or database can be had: the message says which.
#[must_use]
pub fn start(builder: Builder) -> Running {
    Setup::of(builder).start()
}

/// Starts a service with a database file, made where it is missing.
///
/// # Panics
///
/// The description has mistakes, the file cannot be opened, or no port can be had: the message says which.
#[must_use]
pub fn start_with_file(builder: Builder, file: &Path) -> Running {
    Setup::of(builder).file(file).start()
}

/// The [`JwtAuthenticator`] of an issuer that gets its keys as often as a test wants.
///
/// # Panics
///
/// There can be none: the message says why.
#[must_use]
pub fn tokens_of(issuer: &str, audience: &str, jwks: Option<&str>, timing: KeyTiming) -> JwtAuthenticator {
    let issuer = Issuer::new(issuer, audience, jwks);
    match JwtAuthenticator::with(&issuer, timing) {
        Ok(tokens) => tokens,
        Err(reason) => panic!("the tokens of {} cannot be checked: {reason}", issuer.issuer),
    }
}

impl Running {
    /// The URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The address that it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Runs code in a transaction, straight in the store, and commits it: what a test begins with, also what no client
    /// may set. The resources' rules run; no permissions are asked.
    ///
    /// ```no_run
    /// # use restwell::{Resource, testing};
    /// # #[derive(Debug, Clone, Resource)]
    /// # pub struct Room { pub name: String }
    /// # let service = testing::start(restwell::Builder::new("house").resource::<Room>());
    /// let attic = Room { name: "Attic".to_owned() };
    /// let attic = service.seed(|transaction| {
    ///     let attic = attic.clone();
    ///     async move { transaction.create(attic).await }
    /// });
    /// assert_eq!(service.client().get(&format!("/rooms/{}", attic.id)).status, 200);
    /// ```
    ///
    /// # Panics
    ///
    /// It is rejected, or called inside of an async runtime.
    #[track_caller]
    pub fn seed<T, D>(&self, work: impl Fn(Transaction) -> D) -> T
    where
        D: Future<Output = Result<T, Rejection>>,
    {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let seeded = runtime.map(|runtime| runtime.block_on(self.service.transactions().run(work)));
        match seeded {
            Ok(Ok(seeded)) => seeded,
            Ok(Err(rejection)) => panic!("the test's data is rejected: {rejection:?}"),
            Err(error) => panic!("there is no runtime for the test's data: {error}"),
        }
    }

    /// The running service, as its jobs and routes have it.
    #[must_use]
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// A bearer token of a caller, good for an hour.
    ///
    /// # Panics
    ///
    /// The token cannot be signed.
    #[must_use]
    pub fn token(&self, sub: Uuid, scopes: &[&str]) -> String {
        self.token_of(&sub.to_string(), scopes, &[])
    }

    /// A bearer token of any subject, such as `auth0|507f1f77`, with claims beside it, good for an hour.
    #[must_use]
    pub fn token_of(&self, subject: &str, scopes: &[&str], claims: &[(&str, Json)]) -> String {
        token_of(&self.key, subject, scopes, claims)
    }
}

/// A token that is good for an hour.
fn token_of(key: &DevelopmentKey, subject: &str, scopes: &[&str], claims: &[(&str, Json)]) -> String {
    let scopes = scopes.iter().map(|&scope| scope.to_owned()).collect();
    let others = claims.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let claims = DevelopmentClaims { subject: subject.to_owned(), scopes, others };
    key.token(claims, Duration::from_secs(3600))
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
    }
}
