//! `serve`: from the options to a service that listens, and to its end.

use super::current_engine::Answering;
use super::inherited_socket::inherited_socket;
use super::serve_options::ServeOptions;
use super::server::{Opener, Server};
use super::tls::Tls;
use super::{StopSignal, check, database, handover, huge_pages, interpreted, sample};
use crate::auth::CredentialScheme;
use crate::auth::authenticator::Authenticator;
use crate::clock::Clock;
use crate::events::{EventOptions, NatsUrl};
use crate::observe::log::Log;
use crate::observe::metrics::Metrics;
use crate::serve::Engine;
use crate::service::{self, Builder, ServiceDefinition};
use crate::store::Database;
use restwell_model::api::SystemEndpoint;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

/// Serves until it is asked to stop.
pub(super) fn serve(mut builder: Builder, options: &ServeOptions) -> Result<(), String> {
    if options.check {
        return check::check(builder, options);
    }
    if options.under_dev {
        // its database follows the schemas, and not the migrations
        builder.take_migrations();
    }
    huge_pages::refuse();
    let (ready, engine, stop) = ReadyService::prepare(builder, options)?;
    let server = ready.server(Answering::Fixed(Arc::new(engine)))?;
    if options.under_dev {
        handover::announce()?;
    } else {
        ready.announce(&server);
    }
    stop.wait();
    ready.finish(|| server.stop());
    Ok(())
}

/// Opens engines as the options say.
pub(super) struct EngineOpener {
    options: ServeOptions,
    authenticator: Arc<dyn Authenticator>,
    nats: Option<NatsUrl>,
}

impl EngineOpener {
    /// The database of a service.
    pub(super) fn database(&self, service: &ServiceDefinition) -> Result<Database, String> {
        let options = &self.options;
        database(service, options.database.as_deref(), options.database_connections).map(|(database, _)| database)
    }

    /// The database file of a service, if the command line names no database.
    pub(super) fn own_file(&self, service: &ServiceDefinition) -> Option<PathBuf> {
        self.options.database.is_none().then(|| service.database_file())
    }

    /// Opens the database and all that stands on it.
    pub(super) fn open(&self, mut service: ServiceDefinition) -> Result<Engine, String> {
        let options = &self.options;
        let name = service.model.name.clone();
        let database = self.database(&service)?;
        let nats = self.nats.clone();
        let events = EventOptions { retention: options.event_retention, nats, ..EventOptions::default() };
        let authenticator = Arc::clone(&self.authenticator);
        let clock = Clock::system();
        service.store_options.command_retention = options.command_retention;
        let mut engine = service::open(service, database, authenticator, clock, &options.base_url, &events)?;
        engine.search_ttl = options.search_ttl;
        engine.edge = Arc::new(options.edge(&name)?);
        engine.contracts = options.has_contracts().then(|| engine.new_contracts());
        engine.has_page = options.has_page()?;
        engine.explains = options.listen.ip().is_loopback();
        engine.metrics.take_all();
        Ok(engine)
    }
}

/// What a service needs beside its engine, before it serves.
pub(super) struct ReadyService {
    pub(super) opener: EngineOpener,
    name: String,
    log: Log,
    scheme: CredentialScheme,
    listener: TcpListener,
    socket_opener: Opener,
    tls: Option<Tls>,
    has_page: bool,
    workers: usize,
    /// The paths of lists that are open to anyone: something to try first.
    open_lists: Vec<String>,
}

impl ReadyService {
    /// Takes the port and opens the database, filled with sample data where it is new and that is wanted.
    pub(super) fn prepare(builder: Builder, options: &ServeOptions) -> Result<(Self, Engine, StopSignal), String> {
        // before there are other threads
        let inherited = inherited_socket()?;
        Metrics::compare_clocks();
        let mut options = options.clone();
        if let Some(listener) = &inherited {
            options.listen = listener.local_addr().map_err(|error| format!("the inherited socket: {error}"))?;
        }
        let log = Log::start(&options.log, builder.name())?;
        let sample_data = builder.sample();
        let scheme = CredentialScheme::of(builder.own_authenticator(), &options.keys)?;
        let mut service = service::check(builder)?;
        service.migrate |= options.migrate;
        scheme.may_listen(options.listen)?;
        let has_page = options.has_page()?;
        let tls = options.tls.files()?.map(Tls::start).transpose()?;
        let authenticator = scheme.start(&service.model.name)?;
        let nats = options.nats.as_deref().map(NatsUrl::parse).transpose()?;
        // the port first: a database is not made for a service that cannot run
        let (listener, socket_opener) = match inherited {
            _ if options.under_dev => (handover::listener()?, Opener::Other),
            Some(listener) => (listener, Opener::Other),
            None => {
                let listener = TcpListener::bind(options.listen);
                (listener.map_err(|error| format!("cannot listen on {}: {error}", options.listen))?, Opener::Program)
            }
        };
        let name = service.model.name.clone();
        interpreted::announce(&service);
        for warning in service.warnings() {
            tracing::warn!("{warning}");
        }
        let (database, fill) = database(&service, options.database.as_deref(), options.database_connections)?;
        let sample = interpreted::sample(&service, &database);
        let stop = super::signals(options.under_dev)?;
        let opener = EngineOpener { options, authenticator, nats };
        let engine = opener.open(service)?;
        if let Some(text) = sample_data.filter(|_| fill) {
            fill_sample(sample::create(&engine, text))?;
        }
        if sample > 0 {
            fill_sample(async { Ok(sample::create_from_model(&engine, sample).await) })?;
        }
        let workers =
            opener.options.workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let open_lists = engine.plans.open_lists().map(str::to_owned).collect();
        Ok((
            Self { opener, name, log, scheme, listener, socket_opener, tls, has_page, workers, open_lists },
            engine,
            stop,
        ))
    }

    /// The port, to hand over.
    pub(super) fn listener(&self) -> Result<TcpListener, String> {
        self.listener.try_clone().map_err(|error| format!("cannot serve: {error}"))
    }

    /// Begins to serve.
    pub(super) fn server(&self, answering: Answering) -> Result<Server, String> {
        Server::start((self.listener()?, self.socket_opener), self.tls.as_ref(), answering, self.workers)
            .map_err(|error| format!("cannot serve: {error}"))
    }

    /// Says where it serves.
    pub(super) fn announce(&self, server: &Server) {
        let protocol = if self.tls.is_some() { "https" } else { "http" };
        let url = format!("{protocol}://{}", server.address());
        self.scheme.announce(&self.name);
        tracing::info!("{} serves at {url}", self.name);
        if self.has_page {
            tracing::info!("Documentation: {url}{}", SystemEndpoint::Docs.path());
        }
        for path in &self.open_lists {
            tracing::info!("try {url}{path}");
        }
    }

    /// Ends what serves, and the log.
    pub(super) fn finish(self, end: impl FnOnce()) {
        // no new connections once the server has closed its own
        drop(self.listener);
        tracing::info!("finishing what is in flight");
        end();
        self.log.close();
    }
}

fn fill_sample(created: impl Future<Output = Result<usize, String>>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let count = runtime.block_on(created)?;
    tracing::info!("the new database starts with {count} entities of sample data");
    Ok(())
}
