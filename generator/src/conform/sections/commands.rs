//! Commands (§2.6, §3, §4.7).

use super::prepared::{Prepared, prepared};
use crate::conform::callers::Caller;
use crate::conform::case::{Case, Done, Ending, not_applicable};
use crate::conform::exchange::Exchange;
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, served};
use crate::conform::session::Session;
use restwell_model::ErrorCode;
use restwell_model::api::{Api, HttpOperation};
use restwell_model::routes::{Action, Target};
use serde_json::{Value, json};
use std::time::Duration;

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

/// Callers whom a condition may admit where it refuses the one who may do most.
const OTHERS: [Caller; 4] = [Caller::Master, Caller::Scoped, Caller::Owner, Caller::Stranger];

pub(super) type CommandPlace<'a> = (ServedPath<'a>, &'a HttpOperation<'a>, usize);

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for at in served(api) {
        let Target::Command { command } = at.target else { continue };
        let Some(put) = at.action(Action::PutCommand(command)) else { continue };
        let title = |what: &str| format!("PUT {}{what}", at.path.path);
        let place = (at, put, command);
        if !put.is_ready {
            cases.push(Case::new(Section::Commands, title(""), NOT_READY, move |session| {
                let Prepared { target, body, caller } = prepared(session, place)?;
                let request = session.request_with(put, target, &body)?.by(caller);
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
                let Prepared { target, caller, .. } = prepared(session, place)?;
                let request = session.request(put, target)?.by(caller);
                accepted(&session.send(&request)?)
            }));
        }
        cases.push(Case::new(Section::Commands, title(" again"), AGAIN, move |session| again(session, place)));
        cases.push(Case::new(Section::Commands, title(", then GET"), READ, move |session| read(session, place)));
        cases
            .push(Case::new(Section::Commands, title(" of another entity"), USED, move |session| used(session, place)));
        cases.push(Case::new(Section::Commands, title(" with a wrong id"), ID, move |session| {
            let Prepared { target, body, caller } = prepared(session, place)?;
            let start = target.rfind('/').unwrap_or_default();
            let request = session.request_with(put, format!("{}/not-an-id", &target[..start]), &body)?.by(caller);
            let exchange = session.send(&request)?;
            ready(&exchange)?;
            exchange.refused_at(ErrorCode::InvalidUuid, Some("commandId"))?;
            Ok(())
        }));
    }
}

/// A handler that is not there yet shows nothing.
fn ready(exchange: &Exchange) -> Done {
    if exchange.status() == 501 { not_applicable("the command is not ready (501)") } else { Ok(()) }
}

/// Sends a new command: by the callers whom its access may admit, where the run does not know, one after the other.
fn sent<'a>(session: &mut Session<'a>, place: CommandPlace<'a>) -> Result<(Exchange, String, Value), Ending> {
    let Prepared { target, body, caller } = prepared(session, place)?;
    let request = session.request_with(place.1, &target, &body)?;
    let mut callers = vec![caller];
    if request.may_be_refused && session.callers.has_tokens() {
        callers.extend(OTHERS.into_iter().filter(|other| *other != caller));
    }
    let mut reason = String::new();
    for caller in callers {
        let request = if request.may_be_refused { request.clone().by(caller) } else { request.clone() };
        match session.send(&request) {
            Ok(exchange) => {
                accepted(&exchange)?;
                return Ok((exchange, target, body));
            }
            Err(Ending::NotApplicable(refusal)) => reason = refusal,
            Err(ending) => return Err(ending),
        }
    }
    not_applicable(reason)
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
    let request = session.request_with(place.1, &target, &body)?.by(first.request.caller);
    let exchange = session.send(&request)?;
    exchange.is(201)?;
    let same = |name: &str| exchange.json()[name] == first.json()[name];
    exchange.holds(same("id") && same("createdAt"), format!("the command as it was: {}", first.json()))
}

fn read<'a>(session: &mut Session<'a>, place: CommandPlace<'a>) -> Done {
    let (first, target, _) = sent(session, place)?;
    if place.0.action(Action::GetCommand(place.2)).is_none() {
        return not_applicable("it has no GET");
    }
    let Some(exchange) = finished(session, place, &target, first.request.caller)? else {
        return not_applicable("the command is RUNNING for longer than the runner waits");
    };
    let body = exchange.json();
    exchange.holds(body["id"] == first.json()["id"], "the command that was sent")?;
    let has_errors = body["errors"].as_array().is_some_and(|errors| !errors.is_empty());
    match body["status"].as_str() {
        Some("SUCCESSFUL") => exchange.holds(!has_errors, "no errors of a command that is SUCCESSFUL"),
        Some("FAILED") => exchange.holds(has_errors, "`errors` of a command that is FAILED"),
        _ => Err(exchange.wrong("a status of §3")),
    }
}

/// A command that is RUNNING no more; `None` where it is for longer than the run waits, or cannot be read.
pub(super) fn finished<'a>(
    session: &mut Session<'a>,
    (at, _, command): CommandPlace<'a>,
    target: &str,
    caller: Caller,
) -> Result<Option<Exchange>, Ending> {
    let Some(get) = at.action(Action::GetCommand(command)) else { return Ok(None) };
    for _ in 0..MAX_PAUSES {
        let request = session.request(get, target)?.by(caller);
        let exchange = session.send(&request)?;
        exchange.is(200)?;
        if exchange.json()["status"] != json!("RUNNING") {
            return Ok(Some(exchange));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(None)
}

fn used<'a>(session: &mut Session<'a>, place: CommandPlace<'a>) -> Done {
    let (first, target, _) = sent(session, place)?;
    let other = prepared(session, place)?;
    let id = target.rsplit('/').next().unwrap_or_default();
    let start = other.target.rfind('/').unwrap_or_default();
    let request = session.request_with(place.1, format!("{}/{id}", &other.target[..start]), &other.body)?;
    session.send(&request.by(first.request.caller))?.refused(ErrorCode::CommandIdUsed)?;
    Ok(())
}
