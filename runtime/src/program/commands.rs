//! `commands`: what operators see of commands, and do with them.

use super::config::{CommandsCommand, DatabaseOptions, ListCommandsOptions, OneCommandOptions, OutputFormat};
use super::print;
use crate::logic::commands::{from_json, to_json};
use crate::messages::Reader;
use crate::plan::Plans;
use crate::serve::commands::render_command;
use crate::service::{self, Builder, ServiceDefinition};
use crate::store::{CommandFilter, CommandOrder, StoredCommand};
use http::HeaderMap;
use restwell_model::scalar::Timestamp;
use restwell_model::{ErrorCode, Problem};
use serde_json::{Value as Json, json};

/// Does what the command line says, in the service's database. The service may run meanwhile.
pub(crate) fn run(builder: Builder, command: &CommandsCommand) -> Result<(), String> {
    let service = service::check(builder)?;
    match command {
        CommandsCommand::List(options) => list(&service, options),
        CommandsCommand::Show(options) => show(&service, options),
        CommandsCommand::Retry(options) => {
            order(&service, &options.database, &CommandOrder::Retry(options.id))?;
            print(&format!("{} is RUNNING: the service executes it again", options.id))
        }
        CommandsCommand::Cancel(options) => {
            let errors = to_json(&[Problem::new(ErrorCode::Cancelled)]);
            order(&service, &options.database, &CommandOrder::Cancel { id: options.id, errors })?;
            print(&format!("{} is FAILED: {}", options.id, ErrorCode::Cancelled.name()))
        }
    }
}

/// Executes an order, and returns the commands that it is about, with the plans that they are read by.
fn order(
    service: &ServiceDefinition,
    options: &DatabaseOptions,
    order: &CommandOrder,
) -> Result<(Vec<StoredCommand>, Plans), String> {
    let database = options.of(service)?;
    let plans = Plans::compile(service.model.clone(), database.dialect());
    Ok((database.order(&service.goal(), &plans, order)?, plans))
}

fn list(service: &ServiceDefinition, options: &ListCommandsOptions) -> Result<(), String> {
    if let Some(name) = options.resource.as_deref().filter(|name| service.model.resource(name).is_none()) {
        let known: Vec<_> = service.model.resources.iter().map(|resource| resource.name.as_str()).collect();
        return Err(format!("`{name}` is not a resource; there are {}", known.join(", ")));
    }
    let filter = CommandFilter {
        status: options.status,
        resource: options.resource.clone(),
        command: options.command.clone(),
        limit: options.limit,
    };
    let (found, _) = order(service, &options.database, &CommandOrder::List(filter))?;
    match OutputFormat::named(&options.format) {
        OutputFormat::Json => print(&json!({ "commands": found.iter().map(summary).collect::<Vec<_>>() }).to_string()),
        OutputFormat::Text => {
            let header = ["ID", "STATUS", "RESOURCE", "TYPE", "ENTITY", "UPDATED"].map(str::to_owned);
            let lines: Vec<_> = std::iter::once(header).chain(found.iter().map(columns)).collect();
            print(aligned(&lines).trim_end())
        }
    }
}

fn show(service: &ServiceDefinition, options: &OneCommandOptions) -> Result<(), String> {
    let (found, plans) = order(service, &options.database, &CommandOrder::Show(options.id))?;
    let Some(command) = found.first() else { return Err(format!("there is no command {}", options.id)) };
    let shown = in_full(service, &plans, command);
    match (OutputFormat::named(&options.format), &shown) {
        (OutputFormat::Text, Json::Object(members)) => {
            let width = members.keys().map(String::len).max().unwrap_or_default();
            let line = |(name, value): (&String, &Json)| match value {
                Json::String(text) => format!("{name:width$}  {text}"),
                other => format!("{name:width$}  {other}"),
            };
            print(&members.iter().map(line).collect::<Vec<_>>().join("\n"))
        }
        _ => print(&shown.to_string()),
    }
}

/// What a list shows of a command.
fn summary(command: &StoredCommand) -> Json {
    json!({
        "id": command.id,
        "resource": command.resource,
        "type": command.command,
        "entity": { "id": command.entity },
        "status": status(command),
        "createdAt": time(command.created_at),
        "updatedAt": time(command.updated_at),
        "executions": command.executions,
        "errors": codes(command),
    })
}

/// The same with the caller, the lease, and the command as clients see it.
fn in_full(service: &ServiceDefinition, plans: &Plans, command: &StoredCommand) -> Json {
    let mut shown = summary(command);
    shown["caller"] = command.caller.as_ref().map_or(Json::Null, |caller| json!({ "id": caller.id }));
    shown["leaseUntil"] = (command.lease > 0).then(|| time(command.lease)).into();
    shown["traceId"] = json!(command.trace);
    let headers = HeaderMap::new();
    let mut reader = Reader::new(&service.messages, &headers, Some(&command.resource));
    let as_clients_see_it = command.record.as_ref().filter(|_| command.status.is_some());
    let body = as_clients_see_it.and_then(|record| render_command(plans, record, &mut reader));
    shown["command"] = body.and_then(|body| serde_json::from_slice(&body).ok()).unwrap_or_default();
    shown
}

fn columns(command: &StoredCommand) -> [String; 6] {
    [
        command.id.to_string(),
        match codes(command).first() {
            Some(code) => format!("{} {code}", status(command)),
            None => status(command).to_owned(),
        },
        command.resource.clone(),
        command.command.clone(),
        command.entity.to_string(),
        time(command.updated_at),
    ]
}

/// `PRUNED` is for operators only: clients get 410.
fn status(command: &StoredCommand) -> &'static str {
    command.status.map_or("PRUNED", |status| status.value())
}

/// The codes of its errors.
fn codes(command: &StoredCommand) -> Vec<String> {
    let errors = command.errors.as_deref().map(from_json).unwrap_or_default();
    errors.iter().map(|error| error.name().to_owned()).collect()
}

fn time(millis: i64) -> String {
    Timestamp::from_millis(millis).map(|time| time.to_string()).unwrap_or_default()
}

/// Lines with their columns below each other.
fn aligned(lines: &[[String; 6]]) -> String {
    let mut widths = [0; 6];
    for line in lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.len());
        }
    }
    let line = |line: &[String; 6]| {
        let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    lines.iter().map(line).collect()
}
