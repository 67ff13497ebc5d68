//! The event stream (§6), where there is one: a creation becomes an event.

use super::bodies::Fill;
use super::creation::{create, creator};
use crate::conform::access::admits;
use crate::conform::callers::Caller;
use crate::conform::case::{Case, Done, not_applicable};
use crate::conform::exchange::{Exchange, Request};
use crate::conform::section::Section;
use crate::conform::session::Session;
use restwell_model::ErrorCode;
use restwell_model::api::{Api, EventSchema, SystemEndpoint};
use restwell_model::events::EventKind;
use serde_json::Value;
use std::time::Duration;

const CREATED: &str =
    "A change becomes an event: a CloudEvent with its type, subject and data (§6; decisions, \"Events\").";
const UNKNOWN: &str = "A parameter that the stream does not have is 422 (decisions, \"Filters\").";

/// How long an event may take.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    let path = SystemEndpoint::Events.path();
    for event in api.events.kinds.iter().filter(|event| event.kind == EventKind::Created) {
        let title = format!("GET {path}: {}", event.event_type);
        cases.push(Case::new(Section::Events, title, CREATED, move |session| created(session, event)));
    }
    cases.push(Case::new(Section::Events, format!("GET {path}?unheardOf=1"), UNKNOWN, move |session| {
        let request = Request::new("GET", format!("{path}?unheardOf=1")).header("accept", "text/event-stream");
        let exchange = session.send(&request)?;
        if exchange.status() == 404 {
            return not_applicable("there is no event stream");
        }
        exchange.refused_at(ErrorCode::UnknownParameter, Some("unheardOf"))?;
        Ok(())
    }));
}

fn created<'a>(session: &mut Session<'a>, event: &'a EventSchema<'a>) -> Done {
    if event.visible_to.is_empty() {
        return not_applicable("these events are on the bus alone");
    }
    let Some((place, creation)) = creator(session.api, event.resource) else {
        return not_applicable("nothing can be created");
    };
    let caller = if session.callers.has_tokens() { Caller::Master } else { Caller::Nobody };
    let request = Request::new("GET", SystemEndpoint::Events.path()).header("accept", "text/event-stream").by(caller);
    let request = request.query("type", &event.event_type);
    let token = session.token(caller)?;
    // a creation sends requests of its own: the stream has a connection of its own
    let mut stream = match session.wire.watch(&request, token.as_deref(), PATIENCE) {
        Ok(stream) => stream,
        Err(problem) => return not_applicable(format!("the stream does not open: {problem}")),
    };
    let exchange = Exchange { request, response: stream.response.clone() };
    if exchange.status() == 404 {
        return not_applicable("there is no event stream");
    }
    exchange.is(200)?;
    let (known, _) = create(session, place, creation, Fill::Whole)?;
    let id = known.id.clone();
    let scopes = session.callers.scopes_of(caller);
    let owner = session.owns(caller, &known);
    let is_heard = admits(session.api.service, event.visible_to, scopes, owner);
    let is_found = session.wire.read_until(&mut stream, PATIENCE, |text| find(text, &id).is_some());
    if !is_found && is_heard != Some(true) {
        return not_applicable("a role or a condition decides who hears of the event");
    }
    exchange.holds(is_found, format!("an event about {id} within {PATIENCE:?}"))?;
    let envelope = find(&stream.text, &id).unwrap_or_default();
    for attribute in session.api.events.attributes.iter().filter(|attribute| attribute.is_required) {
        exchange.holds(envelope[attribute.name].is_string(), format!("the attribute `{}`", attribute.name))?;
    }
    exchange.holds(envelope["type"] == event.event_type, format!("`type` {}", event.event_type))?;
    exchange.holds(envelope["data"]["id"] == known.id, "the entity in `data`")
}

/// The event about an entity.
fn find(text: &str, id: &str) -> Option<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    data.filter_map(|data| serde_json::from_str::<Value>(data.trim()).ok()).find(|event| event["subject"] == id)
}
