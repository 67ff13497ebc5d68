//! `serve`: from the options to a service that listens, and to its end.

use super::config::ServeOptions;
use super::current_engine::{Answering, CurrentEngine};
use super::server::Server;
use super::tls::Tls;
use super::{check, database, interpreted, sample};
use crate::auth::CredentialScheme;
use crate::auth::authenticator::Authenticator;
use crate::clock::Clock;
use crate::events::EventOptions;
use crate::observe::log::Log;
use crate::serve::Engine;
use crate::service::{self, Builder, ServiceDefinition};
use crate::store::Database;
use std::net::TcpListener;
use std::sync::Arc;

/// Serves until it is asked to stop.
pub(super) fn serve(builder: Builder, options: &ServeOptions) -> Result<(), String> {
    run(builder, options, None::<fn(Arc<CurrentEngine>, EngineOpener)>)
}

/// The same with an engine that `follow` changes, on a thread of its own.
pub(super) fn serve_changing(
    builder: Builder,
    options: &ServeOptions,
    follow: impl FnOnce(Arc<CurrentEngine>, EngineOpener) + Send + 'static,
) -> Result<(), String> {
    run(builder, options, Some(follow))
}

/// Opens engines as the options say.
pub(super) struct EngineOpener {
    options: ServeOptions,
    authenticator: Arc<dyn Authenticator>,
}

impl EngineOpener {
    /// The database of a service.
    pub(super) fn database(&self, service: &ServiceDefinition) -> Result<Database, String> {
        let options = &self.options;
        database(service, options.database.as_deref(), options.database_connections).map(|(database, _)| database)
    }

    /// Opens the database and all that stands on it.
    pub(super) fn open(&self, service: ServiceDefinition) -> Result<Engine, String> {
        let options = &self.options;
        let name = service.model.name.clone();
        let database = self.database(&service)?;
        let nats = options.nats.clone();
        let events = EventOptions { retention: options.event_retention, nats, ..EventOptions::default() };
        let authenticator = Arc::clone(&self.authenticator);
        let clock = Clock::system();
        let mut engine = service::open(service, database, authenticator, clock, &options.base_url, &events)?;
        engine.search_ttl = options.search_ttl;
        engine.edge = Arc::new(options.edge(&name)?);
        engine.contracts = options.has_contracts().then(|| engine.new_contracts());
        engine.metrics.take_all();
        Ok(engine)
    }
}

fn run(
    builder: Builder,
    options: &ServeOptions,
    follow: Option<impl FnOnce(Arc<CurrentEngine>, EngineOpener) + Send + 'static>,
) -> Result<(), String> {
    if options.check {
        return check::check(builder, options);
    }
    let log = Log::start(&options.log, builder.name())?;
    let sample_data = builder.sample();
    let scheme = CredentialScheme::of(builder.own_authenticator(), &options.keys)?;
    let mut service = service::check(builder)?;
    service.migrate |= options.migrate;
    scheme.may_listen(options.listen)?;
    let tls = options.tls.files()?.map(Tls::start).transpose()?;
    let protocol = if tls.is_some() { "https" } else { "http" };
    let authenticator = scheme.start(&service.model.name)?;
    // the port first: a database is not made for a service that cannot run
    let listener =
        TcpListener::bind(options.listen).map_err(|error| format!("cannot listen on {}: {error}", options.listen))?;
    let name = service.model.name.clone();
    interpreted::announce(&service);
    let (database, fill) = database(&service, options.database.as_deref(), options.database_connections)?;
    let sample = interpreted::sample(&service, &database);
    let stop = super::signals()?;
    let opener = EngineOpener { options: options.clone(), authenticator };
    let engine = opener.open(service)?;
    if let Some(text) = sample_data.filter(|_| fill) {
        fill_sample(sample::create(&engine, text))?;
    }
    if sample > 0 {
        fill_sample(sample::create_from_model(&engine, sample))?;
    }
    let workers = options.workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let plans = Arc::clone(&engine.plans);
    let answering = match follow {
        None => Answering::Fixed(Arc::new(engine)),
        Some(follow) => {
            let current = Arc::new(CurrentEngine::new(engine));
            let followed = Arc::clone(&current);
            std::thread::spawn(move || follow(followed, opener));
            Answering::Current(current)
        }
    };
    let server =
        Server::start(listener, tls.as_ref(), answering, workers).map_err(|error| format!("cannot serve: {error}"))?;
    let url = format!("{protocol}://{}", server.address());
    scheme.announce(&name);
    tracing::info!("{name} serves at {url}");
    for path in plans.open_lists() {
        tracing::info!("try {url}{path}");
    }
    stop.wait();
    tracing::info!("finishing what is in flight");
    server.stop();
    log.close();
    Ok(())
}

fn fill_sample(created: impl Future<Output = Result<usize, String>>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let count = runtime.block_on(created)?;
    tracing::info!("the new database starts with {count} entities of sample data");
    Ok(())
}
