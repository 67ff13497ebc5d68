//! `serve --check`: checks whether the service could serve, in one run, and changes nothing.
//!
//! Prints a line for each thing that `serve` needs. The port is not checked: the service may be running.

use super::database;
use super::serve_options::ServeOptions;
use crate::auth::{CredentialScheme, key_state, keys_of};
use crate::events::{NatsUrl, reach};
use crate::migrations::{DatabaseState, behind};
use crate::observe::log;
use crate::service::{self, Builder, ServiceDefinition};
use crate::store::Database;
use restwell_model::Checked;
use std::io::Write;

/// Prints what it finds; an error if something is wrong.
pub(crate) fn check(builder: Builder, options: &ServeOptions) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let scheme = CredentialScheme::of(builder.own_authenticator(), &options.keys);
    let mut findings = Findings::default();
    if let Some(file) = &options.file.config {
        findings.add("configuration", Ok(file.display().to_string()));
    }
    findings.add("log", log::filter(&options.log).map(|_| options.log.filter.clone()));
    let service = findings.keep("model", service::check(builder), |service| {
        format!("{} with {} resources", service.model.name, service.model.resources.len())
    });
    let warnings = service.as_ref().map(ServiceDefinition::warnings).unwrap_or_default();
    findings.lines.extend(warnings.iter().map(|warning| format!("model: warning, {warning}")));
    let model = service.as_ref().map(|service| &service.model);
    findings.add(
        "credentials",
        scheme.and_then(|scheme| {
            scheme.may_listen(options.listen)?;
            runtime.block_on(credentials(&scheme, model))
        }),
    );
    findings.add(
        "database",
        match &service {
            Some(service) => stored(service, options),
            None => Err("it cannot be compared with a model that is wrong".to_owned()),
        },
    );
    findings.add("edge", edge(options, model));
    match options.tls.files() {
        Ok(None) => {}
        Ok(Some(files)) => findings.add("certificate", files.load().map(|_| files.to_string())),
        Err(reason) => findings.add("certificate", Err(reason)),
    }
    if let Some(url) = &options.nats {
        let reached = NatsUrl::parse(url).and_then(|url| runtime.block_on(reach(&url)));
        findings.add("NATS", reached.map(|()| "it can be reached, and has JetStream".to_owned()));
    }
    findings.print()
}

/// The limits and origins, as text.
fn edge(options: &ServeOptions, model: Option<&Checked>) -> Result<String, String> {
    let edge = options.edge(model.map_or("", |model| &model.name))?;
    options.has_page()?;
    let quota = match (edge.limiter, &options.rate_limit_redis) {
        (None, _) => "no quota",
        (Some(_), None) => "a quota per process",
        (Some(_), Some(_)) => "a quota for all instances",
    };
    Ok(format!("{quota}, {} connections", edge.connections))
}

async fn credentials(scheme: &CredentialScheme, model: Option<&Checked>) -> Result<String, String> {
    match scheme {
        CredentialScheme::Own(_) => Ok("the service's own way".to_owned()),
        CredentialScheme::Issuers(issuers) => {
            let mut found = Vec::new();
            for issuer in issuers {
                found.push(keys_of(issuer).await?);
            }
            Ok(found.join("; "))
        }
        CredentialScheme::Development => match model {
            Some(model) => key_state(&model.name),
            None => Ok("a development key".to_owned()),
        },
    }
}

fn stored(service: &ServiceDefinition, options: &ServeOptions) -> Result<String, String> {
    let goal = service.goal();
    let (database, _) = database(service, options.database.as_deref(), options.database_connections)?;
    match database.find(&goal)? {
        DatabaseState::Empty if database == Database::Memory => Ok(database.to_string()),
        DatabaseState::Empty if matches!(database, Database::File(_)) => {
            Ok(format!("{database} is not there yet, and will be created"))
        }
        DatabaseState::Empty => Ok(format!("{database} is empty, and its tables will be created")),
        DatabaseState::UpToDate => Ok(database.to_string()),
        DatabaseState::Behind(pending) if goal.migrate || options.migrate => {
            let names: Vec<_> = pending.iter().map(|pending| pending.name.as_str()).collect();
            Ok(format!("{database} is behind: {} will run", names.join(", ")))
        }
        DatabaseState::Behind(pending) => Err(behind(&pending, &database.to_string())),
    }
}

/// The findings, in order.
#[derive(Default)]
struct Findings {
    lines: Vec<String>,
    wrong: usize,
}

impl Findings {
    fn add(&mut self, thing: &str, found: Result<String, String>) {
        match found {
            Ok(what) => self.lines.push(format!("{thing}: ok, {what}")),
            Err(reasons) => {
                self.wrong += 1;
                self.lines.extend(reasons.lines().map(|reason| format!("{thing}: wrong, {reason}")));
            }
        }
    }

    /// Adds a finding, or the error instead of it; returns it.
    fn keep<T>(&mut self, thing: &str, found: Result<T, String>, what: impl FnOnce(&T) -> String) -> Option<T> {
        match found {
            Ok(found) => {
                self.add(thing, Ok(what(&found)));
                Some(found)
            }
            Err(reason) => {
                self.add(thing, Err(reason));
                None
            }
        }
    }

    fn print(self) -> Result<(), String> {
        let mut text = self.lines.join("\n");
        text.push('\n');
        std::io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
        match self.wrong {
            0 => Ok(()),
            1 => Err("the service could not serve: something is wrong".to_owned()),
            wrong => Err(format!("the service could not serve: {wrong} things are wrong")),
        }
    }
}
