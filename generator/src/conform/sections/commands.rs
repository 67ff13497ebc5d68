//! Commands (§2.6, §3, §4.7).

use super::creation::{Fill, create, creator};
use crate::conform::case::{Case, Done, Ending, not_applicable};
use crate::conform::exchange::Exchange;
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, served};
use crate::conform::session::Session;
use restwell_model::api::{Api, HttpOperation};
use restwell_model::routes::{Action, Target, VARIABLE};
use restwell_model::{Command, ErrorCode, Resource};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

const RUNNING: &str = "The first PUT of a command is 201 with `Location` and status RUNNING (§3, §4.7).";
const BARE: &str = "A command without required input needs no body (decisions, \"Commands\").";
const AGAIN: &str = "The same PUT again is 201 with the command; it is executed once (§3).";
const READ: &str = "GET shows the command, RUNNING until it is SUCCESSFUL or FAILED, with errors if it FAILED (§3).";
const USED: &str = "A known command id with another target is 422 `CommandIdUsed` (decisions, \"Commands\").";
const ID: &str = "A command id that is not a UUID is 422 at `commandId` (decisions, \"Commands\").";
const NOT_READY: &str = "A command that is announced is 501 (§7.2).";

/// How long a command may be RUNNING here, in pauses; after that it is left alone.
const MAX_PAUSES: usize = 100;
const PAUSE: Duration = Duration::from_millis(50);

type CommandPlace<'a> = (ServedPath<'a>, &'a HttpOperation<'a>, usize);

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for at in served(api) {
        let Target::Command { command } = at.target else { continue };
        let Some(put) = at.action(Action::PutCommand(command)) else { continue };
        let title = |what: &str| format!("PUT {}{what}", at.path.path);
        let place = (at, put, command);
        if !put.is_ready {
            cases.push(Case::new(Section::Commands, title(""), NOT_READY, move |session| {
                let (target, body) = prepared(session, place)?;
                let request = session.request_with(put, target, &body)?;
                session.send(&request)?.refused(ErrorCode::NotReady)?;
                Ok(())
            }));
            continue;
        }
        cases.push(Case::new(Section::Commands, title(""), RUNNING, move |session| {
            let (exchange, ..) = sent(session, place)?;
            let body = exchange.json();
            exchange.holds(body["status"] == json!("RUNNING"), "status RUNNING")?;
            let location = session.location(&exchange);
            let expected = exchange.request.path();
            exchange.holds(location.as_deref() == Some(expected), format!("`Location` of {expected}"))
        }));
        if !put.requires_body() {
            cases.push(Case::new(Section::Commands, title(" without a body"), BARE, move |session| {
                let (target, _) = prepared(session, place)?;
                let request = session.request(put, target)?;
                accepted(&session.send(&request)?)
            }));
        }
        cases.push(Case::new(Section::Commands, title(" again"), AGAIN, move |session| again(session, place)));
        cases.push(Case::new(Section::Commands, title(", then GET"), READ, move |session| read(session, place)));
        cases
            .push(Case::new(Section::Commands, title(" of another entity"), USED, move |session| used(session, place)));
        cases.push(Case::new(Section::Commands, title(" with a wrong id"), ID, move |session| {
            let (target, body) = prepared(session, place)?;
            let start = target.rfind('/').unwrap_or_default();
            let request = session.request_with(put, format!("{}/not-an-id", &target[..start]), &body)?;
            let exchange = session.send(&request)?;
            ready(&exchange)?;
            exchange.refused_at(ErrorCode::InvalidUuid, Some("commandId"))?;
            Ok(())
        }));
    }
}

/// The path of a new command for an entity of its own, and its body.
fn prepared(session: &mut Session<'_>, (at, _, command): CommandPlace<'_>) -> Result<(String, Value), Ending> {
    let id = match creator(session.api, at.index) {
        Some((place, creation)) => create(session, place, creation, Fill::Whole)?.0.id,
        None => return not_applicable("no entity can be created for the command"),
    };
    let number = session.number();
    let resource = &session.api.service.resources[at.index];
    let definition = &resource.commands[command];
    if !starts_at_creation(resource, definition) {
        return not_applicable("a new entity may not be in a state for the command");
    }
    let Some(body) = session.maker.input(definition, number) else {
        return not_applicable("no valid input can be made");
    };
    let target = at.path.pattern.replacen(VARIABLE, &id, 1).replacen(VARIABLE, &Uuid::new_v4().to_string(), 1);
    Ok((target, body))
}

/// Whether the state of a new entity is one that a command needs.
fn starts_at_creation(resource: &Resource, command: &Command) -> bool {
    let (Some(lifecycle), Some(transition)) = (&resource.lifecycle, resource.transition_of(command)) else {
        return true;
    };
    transition.from.contains(&lifecycle.initial) && transition.when.is_none()
}

/// A handler that is not there yet shows nothing.
fn ready(exchange: &Exchange) -> Done {
    if exchange.status() == 501 { not_applicable("the command is not ready (501)") } else { Ok(()) }
}

/// Sends a new command.
fn sent(session: &mut Session<'_>, place: CommandPlace<'_>) -> Result<(Exchange, String, Value), Ending> {
    let (target, body) = prepared(session, place)?;
    let request = session.request_with(place.1, &target, &body)?;
    let exchange = session.send(&request)?;
    accepted(&exchange)?;
    Ok((exchange, target, body))
}

/// Whether a new command is 201, as far as it can be sent.
fn accepted(exchange: &Exchange) -> Done {
    ready(exchange)?;
    if exchange.errors().iter().any(|(code, _)| code == ErrorCode::WrongState.name()) {
        return not_applicable("the entity is in a state in which the command cannot be done");
    }
    exchange.is(201).map(drop)
}

fn again<'a>(session: &mut Session<'a>, place: CommandPlace<'a>) -> Done {
    let (first, target, body) = sent(session, place)?;
    let request = session.request_with(place.1, &target, &body)?;
    let exchange = session.send(&request)?;
    exchange.is(201)?;
    let same = |name: &str| exchange.json()[name] == first.json()[name];
    exchange.holds(same("id") && same("createdAt"), format!("the command as it was: {}", first.json()))
}

fn read<'a>(session: &mut Session<'a>, place: CommandPlace<'a>) -> Done {
    let (first, target, _) = sent(session, place)?;
    let Some(get) = place.0.action(Action::GetCommand(place.2)) else { return not_applicable("it has no GET") };
    for _ in 0..MAX_PAUSES {
        let request = session.request(get, &target)?;
        let exchange = session.send(&request)?;
        exchange.is(200)?;
        let body = exchange.json();
        exchange.holds(body["id"] == first.json()["id"], "the command that was sent")?;
        let has_errors = body["errors"].as_array().is_some_and(|errors| !errors.is_empty());
        match body["status"].as_str() {
            Some("RUNNING") => {}
            Some("SUCCESSFUL") => return exchange.holds(!has_errors, "no errors of a command that is SUCCESSFUL"),
            Some("FAILED") => return exchange.holds(has_errors, "`errors` of a command that is FAILED"),
            _ => return Err(exchange.wrong("a status of §3")),
        }
        std::thread::sleep(PAUSE);
    }
    not_applicable("the command is RUNNING for longer than the runner waits")
}

fn used<'a>(session: &mut Session<'a>, place: CommandPlace<'a>) -> Done {
    let (_, target, _) = sent(session, place)?;
    let (other, body) = prepared(session, place)?;
    let id = target.rsplit('/').next().unwrap_or_default();
    let start = other.rfind('/').unwrap_or_default();
    let request = session.request_with(place.1, format!("{}/{id}", &other[..start]), &body)?;
    session.send(&request)?.refused(ErrorCode::CommandIdUsed)?;
    Ok(())
}
