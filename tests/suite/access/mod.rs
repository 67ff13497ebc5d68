//! Who may do what, asked of every endpoint that the model has: resource × operation, view, scoped collection, search and
//! command × caller, and their events.

pub(crate) mod bodies;
mod predict;
pub(crate) mod world;

use crate::client::Api;
use crate::stream::Stream;
use crate::{Case, words};
use predict::{Asked, Reach, reach, sees, statuses, view};
use restwell_model::api::{Api as Interface, HttpOperation, OperationRole, PathItem, PathSubject};
use restwell_model::events::{CommandStatus, EventKind, event_kinds, event_type};
use restwell_model::routes::{Action, Target, VARIABLE};
use restwell_model::{OperationKind, Resource, Type};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;
use world::{Caller, Who, World, text, user};

pub(crate) const CASES: &[Case] = &[
    ("Views and owners: every caller at every endpoint of the specimens is answered as the model says", everything),
    ("Views and owners: every caller at every endpoint of the marketplace is answered as the model says", marketplace),
];

fn marketplace(api: &Api) {
    everything(&api.of(words::service));
}

fn everything(api: &Api) {
    let world = World::create(api);
    let mut faults = Vec::new();
    let mut asked = 0;
    for (path, operation) in Interface::of(&world.model).operations() {
        for exists in [true, false] {
            // a path without an id names nothing that could be missing
            let Some((path, asks)) = target(&world, path, operation, exists) else { continue };
            asked += world.callers.len();
            faults.extend(world.callers.iter().filter_map(|caller| fault(&world, &path, &asks, caller)));
        }
    }
    assert!(faults.is_empty(), "{} of {asked} are not as they should be:\n{}", faults.len(), faults.join("\n"));
    assert!(asked > 500, "{asked}");
    events(&world);
}

/// The path of an operation on a resource, with the ids of what is the owner's, or of nothing.
fn target<'a>(
    world: &'a World<'_>,
    path: &PathItem<'a>,
    operation: &'a HttpOperation<'a>,
    exists: bool,
) -> Option<(String, Asked<'a>)> {
    let PathSubject::Resource { resource, target } = path.subject else { return None };
    let OperationRole::Action(action) = operation.role else { return None };
    let resource = &world.model.resources[resource];
    let found = match target {
        Target::Collection { .. } | Target::Searches => None,
        Target::Entity { .. } | Target::Commands { .. } | Target::Command { .. } => {
            Some(&world.owner.ids[&resource.name])
        }
        Target::Scoped { field } => match &resource.fields[field].ty {
            Type::Ref { to, .. } => Some(&world.owner.ids[to]),
            _ => panic!("a scoped collection is under a reference"),
        },
        Target::Search => Some(&world.searches[&resource.name]),
    };
    if found.is_none() && !exists {
        return None;
    }
    let first = found.cloned().filter(|_| exists).unwrap_or_else(|| Uuid::now_v7().to_string());
    let command = match target {
        Target::Command { command } => {
            let name = resource.commands[command].name.clone();
            world.owner.commands.get(&(resource.name.clone(), name))
        }
        _ => None,
    };
    // a command that is sent is a new one
    let second = command.filter(|_| matches!(action, Action::GetCommand(_)));
    let is_there = exists && (second.is_some() || !matches!(action, Action::GetCommand(_)));
    let second = second.cloned().unwrap_or_else(|| Uuid::now_v7().to_string());
    let path = path.pattern.replacen(VARIABLE, &first, 1).replacen(VARIABLE, &second, 1);
    Some((path, Asked { resource, target, operation, action, exists: is_there, is_ready: command.is_some() }))
}

/// What is wrong with what a caller is answered.
fn fault(world: &World<'_>, path: &str, asked: &Asked<'_>, caller: &Caller) -> Option<String> {
    let method = asked.operation.method;
    let request = match method {
        "GET" => world.api.request(method, path),
        "DELETE" => world.api.request(method, &format!("{path}?dryRun=true")),
        _ => world.api.request(method, path).json(&json!({ "unheardOf": true })),
    };
    let reply = caller.request(request).send();
    let expected = statuses(world, asked, caller);
    if !expected.contains(&reply.status) {
        return Some(format!("{method} {path} by {}: {}, not {expected:?}", caller.name, reply.status));
    }
    let is_list = asked.action == Action::Operation(OperationKind::List) && reply.status == 200;
    let problem = is_list.then(|| list_fault(world, asked, caller, &reply.json())).flatten()?;
    Some(format!("{method} {path} by {}: {problem}", caller.name))
}

/// What is wrong with the entities that a list shows: a whole collection, or the caller's part of it.
fn list_fault(world: &World<'_>, asked: &Asked<'_>, caller: &Caller, body: &Value) -> Option<String> {
    let Asked { resource, target, operation, .. } = asked;
    let reach = reach(&operation.access.any_of, caller)?;
    let is_through = view(resource, *target).is_some_and(|view| view.through.is_some());
    let shown: BTreeSet<_> = entities(body).iter().map(|entity| text(&entity["id"])).collect();
    for person in world.persons() {
        let is_scoped = matches!(target, Target::Scoped { .. });
        let is_theirs = caller.is(&person.id);
        let is_in_path = !is_scoped || person.id == world.owner.id;
        let expected = is_in_path && if is_through || reach == Reach::Own { is_theirs } else { true };
        let id = &person.ids[&resource.name];
        if shown.contains(id) != expected {
            return Some(format!("shows the entity of {}: {}", person.id, !expected));
        }
    }
    None
}

/// The entities of a collection's answer.
fn entities(body: &Value) -> Vec<Value> {
    let array = body.as_object().and_then(|body| body.values().find_map(Value::as_array));
    array.expect("a collection").clone()
}

/// Each caller sees the events of what they may GET, and no others.
fn events(world: &World<'_>) {
    let users = world.model.users.as_ref().and_then(|name| world.model.resource(name)).expect("there are users");
    let marker = user(world.api, &world.model, users, 3);
    let types: BTreeMap<_, _> = world.model.resources.iter().flat_map(|it| kinds(world, it)).collect();
    for caller in world.callers.iter().filter(|caller| !matches!(caller.who, Who::Unknown)) {
        assert_eq!(sees(users, EventKind::Created, caller), Reach::Everything, "all see where the events end");
        let request = caller.request(world.api.events("/events").header("last-event-id", "0"));
        let mut stream = Stream::open(&request);
        let shown =
            std::iter::from_fn(|| Some(stream.kinds(1).remove(0))).take_while(|(_, subject)| *subject != marker);
        let shown: BTreeSet<_> = shown.collect();
        for (event_type, subject) in &shown {
            let (resource, kind) = types[event_type];
            assert!(is_seen(world, resource, kind, subject, caller), "{} is shown {event_type}", caller.name);
        }
        for (event_type, subject) in expected(world, caller) {
            let is_shown = shown.contains(&(event_type.clone(), subject));
            assert!(is_shown, "{} is not shown {event_type}", caller.name);
        }
    }
}

/// What may happen to a resource, by the type of the event.
fn kinds<'a>(world: &World<'_>, resource: &'a Resource) -> Vec<(String, (&'a Resource, EventKind<'a>))> {
    let of_kind =
        |kind: EventKind<'a>| (event_type(&world.model, &resource.singular(), &kind.to_string()), (resource, kind));
    event_kinds(resource).map(of_kind).collect()
}

/// The events of what the world was filled with that a caller sees: entities that were created, commands that began.
fn expected(world: &World<'_>, caller: &Caller) -> Vec<(String, String)> {
    let mut expected = Vec::new();
    for (person, resource) in
        world.persons().into_iter().flat_map(|it| world.model.resources.iter().map(move |r| (it, r)))
    {
        let sent = |name: &str| person.commands.contains_key(&(resource.name.clone(), name.to_owned()));
        let happened = event_kinds(resource).filter(|kind| match kind {
            EventKind::Created => true,
            EventKind::Command { name, status } => *status == CommandStatus::Running && sent(name),
            _ => false,
        });
        let id = &person.ids[&resource.name];
        for kind in happened.filter(|kind| is_seen(world, resource, *kind, id, caller)) {
            expected.push((event_type(&world.model, &resource.singular(), &kind.to_string()), id.clone()));
        }
    }
    expected
}

/// Whether a caller sees what happened to an entity.
fn is_seen(world: &World<'_>, resource: &Resource, kind: EventKind<'_>, subject: &str, caller: &Caller) -> bool {
    match sees(resource, kind, caller) {
        Reach::Everything => true,
        Reach::Own => {
            let owner = world.persons().into_iter().find(|person| person.ids[&resource.name] == subject);
            world.is_owned(resource) && owner.is_some_and(|owner| caller.is(&owner.id))
        }
        Reach::Nothing => false,
    }
}
