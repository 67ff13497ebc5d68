//! What a command is sent to: an entity of its own in a state that the command needs, for which its conditions hold as
//! far as a run can see to that, and a caller whom they admit.

use super::bodies::{Fill, condition_of, new_body};
use super::commands::{CommandPlace, finished};
use super::creation::{create_meeting, creator};
use crate::conform::callers::Caller;
use crate::conform::case::{Done, Ending, not_applicable};
use crate::conform::served::{ServedPath, index_of, referred, served};
use crate::conform::session::Session;
use crate::conform::world::Known;
use restwell_model::condition::{Condition, FieldBase, Node, Scope, Typed};
use restwell_model::resource::Transition;
use restwell_model::routes::{Action, Target, VARIABLE};
use restwell_model::{Command, Field, Resource};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;

/// A command to send.
pub(super) struct Prepared {
    /// The path, with an id of its own.
    pub(super) target: String,
    pub(super) body: Value,
    /// Who is to send it.
    pub(super) caller: Caller,
}

/// An entity of its own for a command, and what is sent.
pub(super) fn prepared<'a>(
    session: &mut Session<'a>,
    (at, put, command): CommandPlace<'a>,
) -> Result<Prepared, Ending> {
    let Some((place, creation)) = creator(session.api, at.index) else {
        return not_applicable("no entity can be created for the command");
    };
    let definition = &at.resource.commands[command];
    let Some(way) = way(at.resource, definition) else {
        return not_applicable("no commands bring a new entity into a state for the command");
    };
    let own = at.resource.transition_of(definition);
    let mut conditions: Vec<&Condition> = way.iter().copied().chain(own).filter_map(|it| it.when.as_ref()).collect();
    conditions.extend(condition_of(session, put));
    let (known, caller, _) = create_meeting(session, (place, creation), Fill::Whole, &conditions)?;
    refer(session, at, &known, &conditions)?;
    for transition in way {
        step(session, at, &known.id, transition)?;
    }
    let number = session.number();
    let Some(body) = session.maker.input(definition, number) else {
        return not_applicable("no valid input can be made");
    };
    Ok(Prepared { target: target(at, &known.id), body, caller })
}

/// The path of a new command for an entity.
fn target(at: ServedPath<'_>, id: &str) -> String {
    at.path.pattern.replacen(VARIABLE, id, 1).replacen(VARIABLE, &Uuid::new_v4().to_string(), 1)
}

/// The shortest way from the initial state to one that a command needs, by commands; `None`: there is none.
fn way<'a>(resource: &'a Resource, command: &Command) -> Option<Vec<&'a Transition>> {
    let (Some(lifecycle), Some(own)) = (&resource.lifecycle, resource.transition_of(command)) else {
        return Some(Vec::new());
    };
    let mut seen = BTreeSet::from([lifecycle.initial.as_str()]);
    let mut ways: Vec<(&str, Vec<&Transition>)> = vec![(&lifecycle.initial, Vec::new())];
    let mut next = 0;
    while let Some((state, way)) = ways.get(next).cloned() {
        if own.from.iter().any(|from| from == state) {
            return Some(way);
        }
        let by_commands = resource.commands.iter().filter_map(|command| resource.transition_of(command));
        for transition in by_commands.filter(|it| it.from.iter().any(|from| from == state)) {
            if seen.insert(&transition.to) {
                ways.push((&transition.to, way.iter().copied().chain([transition]).collect()));
            }
        }
        next += 1;
    }
    None
}

/// Makes a transition of an entity by its command.
fn step<'a>(session: &mut Session<'a>, at: ServedPath<'a>, id: &str, transition: &Transition) -> Done {
    const STUCK: &str = "the entity cannot be brought into a state for the command";
    let Some(command) = at.resource.commands.iter().position(|command| command.name == transition.name) else {
        return not_applicable(STUCK);
    };
    let place =
        served(session.api).find(|other| other.index == at.index && other.target == Target::Command { command });
    let place = place.and_then(|place| Some((place, place.action(Action::PutCommand(command))?, command)));
    let Some(place) = place else { return not_applicable(STUCK) };
    let number = session.number();
    let Some(body) = session.maker.input(&at.resource.commands[command], number) else { return not_applicable(STUCK) };
    let target = target(place.0, id);
    let request = session.request_with(place.1, &target, &body)?;
    let exchange = session.send(&request)?;
    if exchange.status() != 201 {
        return not_applicable(STUCK);
    }
    match finished(session, place, &target, exchange.request.caller)? {
        Some(end) if end.json()["status"] == json!("SUCCESSFUL") => Ok(()),
        _ => not_applicable(STUCK),
    }
}

/// Creates an entity for each that conditions count or look for: `count(Room.property)`, `caller.any(Desk.clerk)`. Its
/// references to users are to the first one, and others are to what this entity refers to. Where none can be created
/// the service may refuse the command, which shows nothing.
fn refer<'a>(session: &mut Session<'a>, at: ServedPath<'a>, known: &Known, conditions: &[&Condition]) -> Done {
    let scope = Scope { service: session.api.service, entity: Some(at.resource), old: false };
    let mut wanted = BTreeSet::new();
    for condition in conditions.iter().filter_map(|condition| condition.typed(&scope).ok()) {
        referring(&condition, (known, session.callers.id(Caller::Master)), &mut wanted);
    }
    for (resource, field, id) in wanted {
        let place = index_of(session.api, &resource).and_then(|index| creator(session.api, index));
        let Some((place, creation)) = place else { continue };
        let mut body = match new_body(session, place, creation, Fill::Whole) {
            Ok(body) => body,
            Err(Ending::NotApplicable(_)) => continue,
            Err(ending) => return Err(ending),
        };
        for other in &place.resource.fields {
            let to = referred(session.api, other).filter(|_| !body[&other.name].is_null());
            let Some(to) = to else { continue };
            let is_same = |own: &&Field| referred(session.api, own) == Some(to);
            let own = at.resource.fields.iter().find(is_same).and_then(|own| known.body[&own.name]["id"].as_str());
            let user = if session.is_users(to) { session.callers.id(Caller::Master) } else { None };
            if let Some(id) = user.or(own) {
                body[&other.name] = json!({ "id": id });
            }
        }
        body[&field] = json!({ "id": id });
        let path = match place.target {
            Target::Scoped { .. } => place.path.pattern.replacen(VARIABLE, &id, 1),
            _ => place.path.pattern.clone(),
        };
        let request = session.request_with(creation, path, &body)?;
        match session.send(&request) {
            Ok(_) | Err(Ending::NotApplicable(_)) => {}
            Err(ending) => return Err(ending),
        }
    }
    Ok(())
}

/// The resources that a condition looks for from the other side, with their fields and the ids that these refer to: the
/// entity's, one that it refers to itself, or the caller's.
fn referring(
    condition: &Typed,
    (known, caller): (&Known, Option<&str>),
    wanted: &mut BTreeSet<(String, String, String)>,
) {
    if let Node::Referring { to, resource, field, .. } = &condition.node {
        let id = match &to.node {
            Node::Field(FieldBase::This, path) if path.names == ["id"] => Some(known.id.clone()),
            Node::Field(FieldBase::This, path) => {
                let id = path.names.iter().fold(&known.body, |value, name| &value[name])["id"].as_str();
                id.map(str::to_owned)
            }
            Node::Caller => caller.map(str::to_owned),
            _ => None,
        };
        wanted.extend(id.map(|id| (resource.clone(), field.dotted(), id)));
    }
    condition.children().into_iter().for_each(|child| referring(child, (known, caller), wanted));
}
