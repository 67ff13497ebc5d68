//! The service's program: reads the command line, does what it says, and ends with a line that says why where it
//! cannot.

mod backup;
mod check;
mod commands;
mod config;
mod config_file;
mod contracts;
pub(crate) mod current_engine;
pub(crate) mod development;
mod dump;
pub(crate) mod embed;
mod erase;
mod handover;
mod head_errors;
mod head_memory;
mod huge_pages;
mod inherited_socket;
pub(crate) mod interpreted;
mod lingering_close;
mod listen;
pub(crate) mod migrate;
mod pacing;
mod partial_file;
mod request_progress;
pub(crate) mod sample;
mod serve_options;
pub(crate) mod server;
mod serving;
mod stream_layer;
mod tls;

use crate::auth::{CredentialScheme, DevelopmentClaims, development_key, key_file};
use crate::service;
use crate::service::{Builder, ServiceDefinition};
use crate::store::Database;
use config::{Cli, ProgramCommand, TokenOptions};
use serve_options::ServeOptions;
use serving::serve;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Runs a service's program: `serve` (the default), `token`, `migrate`, `model`, `openapi`, `asyncapi`,
/// `commands`, `export`, `import`, `backup`, `erase`. What a service's `main` calls.
#[must_use]
pub fn main(builder: Builder) -> ExitCode {
    let done = config_file::command_line::<Cli>(&[]).and_then(|cli| run(builder, cli.command.as_ref(), &cli.serve));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // if even this fails, there is no way left to report it
            let _ = writeln!(std::io::stderr(), "error: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(builder: Builder, command: Option<&ProgramCommand>, serving: &ServeOptions) -> Result<(), String> {
    match command {
        None => serve(builder, serving),
        Some(ProgramCommand::Serve(options)) => serve(builder, options),
        Some(ProgramCommand::Token(options)) => token(builder, options),
        Some(ProgramCommand::Migrate(options)) => migrate::run(builder, options),
        Some(ProgramCommand::Model) => model(builder),
        Some(ProgramCommand::Openapi(options)) => contracts::openapi(builder, options),
        Some(ProgramCommand::Asyncapi) => contracts::asyncapi(builder),
        Some(ProgramCommand::Commands(options)) => commands::run(builder, &options.command),
        Some(ProgramCommand::Export(options)) => dump::export(builder, options),
        Some(ProgramCommand::Import(options)) => dump::import(builder, options),
        Some(ProgramCommand::Backup(options)) => backup::run(builder, options),
        Some(ProgramCommand::Erase(options)) => erase::run(builder, options),
    }
}

pub(crate) fn print(text: &str) -> Result<(), String> {
    match writeln!(std::io::stdout(), "{text}") {
        // `| head` has read all that it wants
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// Prints beside the output of a command, which may be data.
pub(crate) fn print_to_stderr(text: &str) -> Result<(), String> {
    writeln!(std::io::stderr(), "{text}").map_err(|error| error.to_string())
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
        CredentialScheme::Issuers(issuers) => {
            let issuers: Vec<_> = issuers.iter().map(|issuer| issuer.issuer.as_str()).collect();
            return Err(format!(
                "there is no development key: tokens are those of {}, and come from there",
                issuers.join(", ")
            ));
        }
        CredentialScheme::Own(_) => {
            return Err("there is no development key: this service checks credentials in a way of its own".to_owned());
        }
    }
    let scopes = options.scope.split_whitespace().map(str::to_owned).collect();
    let id = options.sub.map(|id| id.hyphenated().to_string());
    let subject = id.or_else(|| options.subject.clone()).unwrap_or_default();
    let others = options.claims.iter().flatten().map(|(name, value)| (name.clone(), value.clone()));
    let others = others.chain(options.claim.iter().cloned()).collect();
    let claims = DevelopmentClaims { subject, scopes, others };
    let file = key_file(&service.model.name);
    let is_new = !file.exists();
    let key = development_key(&service.model.name)?;
    if is_new {
        eprintln!(
            "note: made a new key in {}: only a service that runs in this folder takes the token",
            file.display()
        );
    }
    print(&key.token(claims, options.ttl))
}

/// The database to use, and whether it is the example's own and new.
pub(crate) fn database(
    service: &ServiceDefinition,
    url: Option<&str>,
    connections: usize,
) -> Result<(Database, bool), String> {
    match url {
        Some(url) => Ok((Database::parse(url, connections)?, false)),
        None => {
            let file = service.database_file();
            let is_new = !file.exists();
            Ok((Database::File(file), is_new))
        }
    }
}

/// Waits for the signal to end.
struct StopSignal(std::sync::mpsc::Receiver<()>);

impl StopSignal {
    fn wait(&self) {
        // an error means that the thread with the signals has ended: so does the service
        let _ = self.0.recv();
    }
}

/// What asks the program to end: a signal, or, under `restwell dev`, the end of that.
fn signals(under_dev: bool) -> Result<StopSignal, String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    if under_dev {
        handover::end_with_parent(sender.clone());
    }
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
