//! POST of entities (§4.2): what is created here is what the other cases ask about.

use super::bodies::{Fill, draft, meet, new_body, vary};
use super::users;
use super::values::echo_fault;
use crate::conform::callers::Caller;
use crate::conform::case::{Case, Done, Ending, not_applicable};
use crate::conform::exchange::Exchange;
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, index_of, served};
use crate::conform::session::Session;
use crate::conform::world::{Known, entity_path};
use restwell_model::api::{Api, HttpOperation};
use restwell_model::condition::Condition;
use restwell_model::resource::OperationKind;
use restwell_model::routes::Target;
use restwell_model::sample::in_order;
use restwell_model::{Access, ErrorCode};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

/// Entities of each resource that a run creates to ask about.
const ENTITIES: usize = 5;
/// Attempts to create an entity whose values must be unique, or that rules refuse.
const ATTEMPTS: usize = 6;
/// How long what is done asynchronously may take, in pauses.
const MAX_PAUSES: usize = 200;
const PAUSE: Duration = Duration::from_millis(25);

const CREATES: &str =
    "POST responds with 201, `Location` and the whole entity (§4.2); a value is shown as it was given.";
const FOUND: &str = "What is created is found at `Location`, with the same body (§4.2).";
const IGNORED: &str = "An `id`, `createdAt` or `updatedAt` that is posted is ignored (decisions, \"Requests\").";
const LISTED: &str = "A collection has what was created (§4.2).";

/// Those of the entities that are asked about: lists need values that are equal, different, and missing.
const FILLS: [Fill; 3] = [Fill::Whole, Fill::Least, Fill::Most];

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for resource in in_order(api.service) {
        let Some(index) = index_of(api, &resource.name) else { continue };
        users::add(api, index, cases);
        match creator(api, index) {
            Some((at, operation)) => add_of(api, at, operation, cases),
            None => {
                let title = format!("{}: entities to ask about", resource.name);
                let rule = "Cases need entities: where none can be created, those of a collection.";
                cases.push(Case::new(Section::Creation, title, rule, move |session| find(session, index)));
            }
        }
    }
}

fn add_of<'a>(api: &'a Api<'a>, at: ServedPath<'a>, operation: &'a HttpOperation<'a>, cases: &mut Vec<Case<'a>>) {
    let title = |what: &str| format!("POST {}{what}", at.path.path);
    let mut add = |what: &str, rule, run: fn(&mut Session<'a>, ServedPath<'a>, &'a HttpOperation<'a>) -> Done| {
        cases.push(Case::new(Section::Creation, title(what), rule, move |session| run(session, at, operation)));
    };
    add("", CREATES, created);
    add(": more entities", CREATES, more);
    add(": Location", FOUND, at_location);
    add(" with an id", IGNORED, with_id);
    let list = served(api).find(|other| other.index == at.index && other.target == Target::Collection { view: None });
    let list = list.and_then(|list| Some((list, list.operation(OperationKind::List)?)));
    if let Some((list, operation)) = list {
        let title = format!("GET {} has what was created", list.path.path);
        cases.push(Case::new(Section::Creation, title, LISTED, move |session| listed(session, list, operation)));
    }
}

/// Where entities of a resource are created: at the resource itself, in a view, or in a scoped collection.
pub(super) fn creator<'a>(api: &'a Api<'a>, index: usize) -> Option<(ServedPath<'a>, &'a HttpOperation<'a>)> {
    let of = |at: ServedPath<'a>| Some((at, at.operation(OperationKind::Create)?));
    let mut places: Vec<_> = served(api).filter(|at| at.index == index).filter_map(of).collect();
    places.sort_by_key(|(at, _)| at.target != Target::Collection { view: None });
    places.into_iter().next()
}

/// Creates an entity, and remembers it.
pub(super) fn create<'a>(
    session: &mut Session<'a>,
    at: ServedPath<'a>,
    operation: &'a HttpOperation<'a>,
    fill: Fill,
) -> Result<(Known, Exchange), Ending> {
    let (known, _, exchange) = create_meeting(session, (at, operation), fill, &[])?;
    Ok((known, exchange))
}

/// Creates an entity for which conditions on it hold, as far as its values decide that; with the caller for whom they
/// do. Where a value is taken another body is made, and where a rule refuses it, one with other values.
pub(super) fn create_meeting<'a>(
    session: &mut Session<'a>,
    (at, operation): (ServedPath<'a>, &'a HttpOperation<'a>),
    fill: Fill,
    conditions: &[&Condition],
) -> Result<(Known, Caller, Exchange), Ending> {
    let target = session.existing(&at)?;
    let mut posted = draft(session, at, operation, fill)?;
    for attempt in 1..=ATTEMPTS {
        let caller = meet(session, (at, operation), fill, conditions, &mut posted);
        let request = session.request_with(operation, &target, &posted)?;
        let exchange = session.send(&request)?;
        let is_taken = exchange.errors().iter().any(|(code, _)| code == ErrorCode::NotUnique.name());
        if exchange.status() == 422 && is_taken {
            posted = draft(session, at, operation, fill)?;
            continue;
        }
        let is_refused = exchange.status() == 422 && exchange.own_rule().is_some();
        if is_refused && attempt < ATTEMPTS && vary(session, (at, operation), &exchange.errors(), &mut posted) {
            continue;
        }
        exchange.is(if operation.is_async { 202 } else { 201 })?;
        let body = if operation.is_async { later(session, at, &exchange)? } else { exchange.json() };
        let Some(id) = body["id"].as_str().map(str::to_owned) else {
            return Err(exchange.wrong("an entity with an `id`"));
        };
        return Ok((Known { resource: at.index, id, body, posted }, caller, exchange));
    }
    not_applicable("every value that was tried is taken by another entity")
}

/// Whether an operation on a user is open to callers who are not that user: to the scopes of the run, for example.
pub(super) fn is_open_to_others(operation: &HttpOperation<'_>) -> bool {
    operation.access.any_of.iter().any(|access| *access != Access::Owner)
}

/// The id of an entity that an operation may change: a new one; where users change themselves alone, the first user.
pub(super) fn subject_id<'a>(
    session: &mut Session<'a>,
    (place, creation): (ServedPath<'a>, &'a HttpOperation<'a>),
    operation: &HttpOperation<'_>,
) -> Result<String, Ending> {
    let is_user = session.api.service.users.as_ref() == Some(&place.resource.name);
    if !is_user || is_open_to_others(operation) {
        return Ok(create(session, place, creation, Fill::Whole)?.0.id);
    }
    // a user that was there before is left as it is
    let own = session.callers.id(Caller::Owner).map(str::to_owned);
    let mut known = session.world.of(place.index).filter(|known| !known.posted.is_null());
    match known.find(|known| Some(&known.id) == own.as_ref()) {
        Some(known) => Ok(known.id.clone()),
        None => not_applicable("the run has created no user who may change themselves"),
    }
}

/// What was created asynchronously.
fn later(session: &mut Session<'_>, at: ServedPath<'_>, exchange: &Exchange) -> Result<Value, Ending> {
    let Some(location) = session.location(exchange) else { return Err(exchange.wrong("202 with `Location` (§4.8)")) };
    let get = at.item(session.api).or_else(|| at.items(session.api).next());
    let Some(operation) = get.and_then(|get| get.operation(OperationKind::Get)) else {
        return not_applicable("what is created asynchronously cannot be read here");
    };
    for _ in 0..MAX_PAUSES {
        let request = session.request(operation, &location)?;
        let found = session.send(&request)?;
        if found.status() == 200 {
            return Ok(found.json());
        }
        std::thread::sleep(PAUSE);
    }
    Err(exchange.wrong("an entity at `Location`, a while later (§4.8)"))
}

/// Keeps an entity to ask about, unless it is known already; a user may be one whom tokens are for.
pub(super) fn remember(session: &mut Session<'_>, known: Known) {
    if session.world.of(known.resource).any(|other| other.id == known.id) {
        return;
    }
    let service = session.api.service;
    let resource = &service.resources[known.resource];
    // the caller becomes the owner
    let owner = resource.owner_field().filter(|field| !known.posted.is_null() && known.posted.get(field).is_none());
    if let Some(owner) = owner.and_then(|field| known.body[field]["id"].as_str()) {
        session.callers.learn(1, owner);
    }
    if let Ok(id) = Uuid::try_parse(&known.id) {
        session.maker.add(&resource.name, id);
        // what is not shown was posted
        for body in [&known.posted, &known.body].into_iter().filter_map(Value::as_object) {
            session.maker.learn(resource, id, body);
        }
    }
    let number = session.world.of(known.resource).count() + 1;
    if service.users.as_ref() == Some(&resource.name) && number <= 2 && !session.callers.is_known(number) {
        let by_subject = service.user_subjects.as_ref().and_then(|users| known.body[&users.subject].as_str());
        session.callers.set(number, known.id.clone(), by_subject.unwrap_or(&known.id).to_owned());
    }
    session.world.known.push(known);
}

fn created<'a>(session: &mut Session<'a>, at: ServedPath<'a>, operation: &'a HttpOperation<'a>) -> Done {
    let (known, exchange) = match create(session, at, operation, Fill::Whole) {
        Ok(made) => made,
        Err(Ending::NotApplicable(reason)) => {
            // what is there can be asked about, too
            find(session, at.index)?;
            return not_applicable(reason);
        }
        Err(ending) => return Err(ending),
    };
    let (mut posted, body) = (known.posted.clone(), known.body.clone());
    // what is given without being seen is not shown
    for field in at.resource.fields.iter().filter(|field| !session.sees(operation, field, true)) {
        posted.as_object_mut().and_then(|posted| posted.remove(&field.name));
    }
    remember(session, known);
    exchange.holds(exchange.header("location").is_some(), "`Location` with the URL of the entity")?;
    if let Some(path) = echo_fault(&posted, &body, "") {
        return Err(exchange.wrong(format!("the value that was posted at `{path}`")));
    }
    Ok(())
}

fn more<'a>(session: &mut Session<'a>, at: ServedPath<'a>, operation: &'a HttpOperation<'a>) -> Done {
    for number in 1..ENTITIES {
        match create(session, at, operation, FILLS[number % FILLS.len()]) {
            Ok((known, _)) => remember(session, known),
            // a resource may have fewer values than entities that are wanted
            Err(Ending::NotApplicable(_)) if number > 1 => return Ok(()),
            Err(ending) => return Err(ending),
        }
    }
    Ok(())
}

fn at_location<'a>(session: &mut Session<'a>, at: ServedPath<'a>, operation: &'a HttpOperation<'a>) -> Done {
    let (known, exchange) = create(session, at, operation, Fill::Most)?;
    let Some(location) = session.location(&exchange) else { return Err(exchange.wrong("`Location`")) };
    exchange.holds(location.ends_with(&known.id), format!("`Location` that ends with the id {}", known.id))?;
    let item = at.item(session.api).filter(|item| entity_path(item, &known.id) == location);
    let item = item.or_else(|| at.items(session.api).find(|item| entity_path(item, &known.id) == location));
    let Some(get) = item.and_then(|item| item.operation(OperationKind::Get)) else {
        return not_applicable("the entity at `Location` has no GET");
    };
    let request = session.request(get, &location)?;
    let found = session.send(&request)?;
    found.is(200)?;
    // a view may show more than where it was created
    let is_same = item.map(|item| item.view().map(|view| &view.name)) == Some(at.view().map(|view| &view.name));
    if is_same && get.versions == operation.versions {
        found.holds(found.json() == known.body, format!("the entity as it was created: {}", known.body))?;
    }
    Ok(())
}

fn with_id<'a>(session: &mut Session<'a>, at: ServedPath<'a>, operation: &'a HttpOperation<'a>) -> Done {
    if operation.is_async {
        return not_applicable("creation is asynchronous");
    }
    let target = session.existing(&at)?;
    let mut posted = new_body(session, at, operation, Fill::Most)?;
    let id = Uuid::new_v4().to_string();
    posted["id"] = json!(id);
    posted["createdAt"] = json!("2001-01-01T00:00:00.000Z");
    posted["updatedAt"] = json!("2001-01-01T00:00:00.000Z");
    let request = session.request_with(operation, target, &posted)?;
    let exchange = session.send(&request)?;
    if exchange.errors().iter().any(|(code, _)| code == ErrorCode::NotUnique.name()) {
        return not_applicable("the values are taken by another entity");
    }
    exchange.is(201)?;
    let body = exchange.json();
    exchange.holds(body["id"] != json!(id), "an `id` that the service has made")?;
    exchange.holds(body["createdAt"] != posted["createdAt"], "the time of the creation in `createdAt`")
}

fn listed<'a>(session: &mut Session<'a>, list: ServedPath<'a>, operation: &'a HttpOperation<'a>) -> Done {
    let Some(known) = session.world.first(list.index) else { return not_applicable("nothing was created") };
    let id = known.id.clone();
    let request = session.request(operation, &list.path.pattern)?.query("id", &id);
    let exchange = session.send(&request)?;
    exchange.is(200)?;
    let items = exchange.json()[&list.path.collection].as_array().cloned().unwrap_or_default();
    exchange.holds(items.len() == 1 && items[0]["id"] == json!(id), format!("the entity {id}, and no other"))
}

/// Entities of a resource that cannot be created: those of a collection.
fn find(session: &mut Session<'_>, index: usize) -> Done {
    let api = session.api;
    let lists = served(api).filter(|at| at.index == index && matches!(at.target, Target::Collection { .. }));
    let list = lists.filter_map(|at| Some((at, at.operation(OperationKind::List)?))).next();
    let Some((at, operation)) = list else { return not_applicable("entities can be neither created nor listed") };
    let request = session.request(operation, &at.path.pattern)?.query("limit", &ENTITIES.to_string());
    let exchange = session.send(&request)?;
    exchange.is(200)?;
    let items = exchange.json()[&at.path.collection].as_array().cloned().unwrap_or_default();
    if items.is_empty() {
        return not_applicable("entities cannot be created, and there are none");
    }
    for body in items {
        let Some(id) = body["id"].as_str().map(str::to_owned) else { return Err(exchange.wrong("entities with `id`")) };
        remember(session, Known { resource: index, id, body, posted: Value::Null });
    }
    Ok(())
}
