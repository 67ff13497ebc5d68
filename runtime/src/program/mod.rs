//! The service's program: reads the command line, does what it says, and ends with a line that says why where it
//! cannot.

mod check;
mod config;
mod config_file;
mod contracts;
mod dump;
pub(crate) mod embed;
mod head_errors;
mod lingering_close;
pub(crate) mod migrate;
mod pacing;
mod sample;
pub(crate) mod server;
mod tls;

use crate::auth::caller::Caller;
use crate::auth::{CredentialScheme, development_key};
use crate::clock::Clock;
use crate::events::EventOptions;
use crate::observe::log::Log;
use crate::serve::Engine;
use crate::service;
use crate::service::Builder;
use crate::store::Database;
use config::{ProgramCommand, ServeOptions, TokenOptions};
use restwell_model::Checked;
use server::Server;
use std::io::Write;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use tls::Tls;

/// Runs a service's program: `serve` (the default), `token`, `migrate`, `model`, `openapi`, `asyncapi`,
/// `export`, `import`. What a service's
/// `main` calls.
#[must_use]
pub fn main(builder: Builder) -> ExitCode {
    let done = config_file::command_line().and_then(|cli| match cli.command {
        None => serve(builder, &cli.serve),
        Some(ProgramCommand::Serve(options)) => serve(builder, &options),
        Some(ProgramCommand::Token(options)) => token(builder, &options),
        Some(ProgramCommand::Migrate(options)) => migrate::run(builder, &options),
        Some(ProgramCommand::Model) => model(builder),
        Some(ProgramCommand::Openapi(options)) => contracts::openapi(builder, &options),
        Some(ProgramCommand::Asyncapi) => contracts::asyncapi(builder),
        Some(ProgramCommand::Export(options)) => dump::export(builder, &options),
        Some(ProgramCommand::Import(options)) => dump::import(builder, &options),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // nobody is there to tell where even this fails
            let _ = writeln!(std::io::stderr(), "error: {reason}");
            ExitCode::FAILURE
        }
    }
}

pub(crate) fn print(text: &str) -> Result<(), String> {
    writeln!(std::io::stdout(), "{text}").map_err(|error| error.to_string())
}

fn model(builder: Builder) -> Result<(), String> {
    let service = service::check(builder)?;
    print(&serde_json::to_string_pretty(&*service.model).map_err(|error| error.to_string())?)
}

fn token(builder: Builder, options: &TokenOptions) -> Result<(), String> {
    let scheme = CredentialScheme::of(builder.own_authenticator(), &options.keys)?;
    let service = service::check(builder)?;
    match scheme {
        CredentialScheme::Development => {}
        CredentialScheme::Issuer(issuer) => {
            return Err(format!(
                "there is no development key: tokens are those of {}, and come from there",
                issuer.issuer
            ));
        }
        CredentialScheme::Own(_) => {
            return Err("there is no development key: this service checks credentials in a way of its own".to_owned());
        }
    }
    let scopes = options.scope.split_whitespace().map(str::to_owned).collect();
    let caller = Caller { id: options.sub, scopes };
    let key = development_key(&service.model.name)?;
    print(&key.token(&caller, options.ttl).map_err(|error| format!("cannot sign the token: {error}"))?)
}

fn serve(builder: Builder, options: &ServeOptions) -> Result<(), String> {
    if options.check {
        return check::check(builder, options);
    }
    let log = Log::start(&options.log, builder.name())?;
    let sample_data = builder.sample();
    let scheme = CredentialScheme::of(builder.own_authenticator(), &options.keys)?;
    let mut service = service::check(builder)?;
    service.migrate = options.migrate;
    scheme.may_listen(options.listen)?;
    let tls = options.tls.files()?.map(Tls::start).transpose()?;
    let protocol = if tls.is_some() { "https" } else { "http" };
    let authenticator = scheme.start(&service.model.name)?;
    // the port first: a database is not made for a service that cannot run
    let listener =
        TcpListener::bind(options.listen).map_err(|error| format!("cannot listen on {}: {error}", options.listen))?;
    let name = service.model.name.clone();
    let (database, fill) = database(&service.model, options.database.as_deref(), options.database_connections)?;
    let stop = signals()?;
    let settings =
        EventOptions { retention: options.event_retention, nats: options.nats.clone(), ..EventOptions::default() };
    let clock = Clock::system();
    let mut engine = service::open(service, database, authenticator, clock, &options.base_url, &settings)?;
    engine.search_ttl = options.search_ttl;
    engine.edge = Arc::new(options.edge(&name)?);
    engine.contracts = options.has_contracts().then(|| engine.new_contracts());
    engine.metrics.take_all();
    if let Some(text) = sample_data.filter(|_| fill) {
        fill_sample(&engine, text)?;
    }
    let workers = options.workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let plans = Arc::clone(&engine.plans);
    let server =
        Server::start(listener, tls.as_ref(), engine, workers).map_err(|error| format!("cannot serve: {error}"))?;
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

/// The database to use, and whether it is the example's own and new.
pub(crate) fn database(service: &Checked, url: Option<&str>, connections: usize) -> Result<(Database, bool), String> {
    match url {
        Some(url) => Ok((Database::parse(url, connections)?, false)),
        None => {
            let file = PathBuf::from(format!("{}.db", service.name));
            let is_new = !file.exists();
            Ok((Database::File(file), is_new))
        }
    }
}

fn fill_sample(engine: &Engine, text: &str) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let count = runtime.block_on(sample::create(engine, text))?;
    tracing::info!("the new database starts with {count} entities of sample data");
    Ok(())
}

/// Waits for the signal to end.
struct StopSignal(std::sync::mpsc::Receiver<()>);

impl StopSignal {
    fn wait(&self) {
        // an error means that the thread with the signals has ended: so does the service
        let _ = self.0.recv();
    }
}

fn signals() -> Result<StopSignal, String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    std::thread::spawn(move || {
        runtime.block_on(ended());
        sender.send(())
    });
    Ok(StopSignal(receiver))
}

/// Ctrl-C, and on Unix SIGTERM.
async fn ended() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}
