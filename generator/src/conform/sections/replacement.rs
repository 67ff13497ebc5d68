//! PUT of entities (§4.2).

use super::bodies::{Fill, new_body};
use super::creation::{creator, subject_id};
use super::values::{echo_fault, no_value};
use crate::conform::case::{Case, Done, Ending, not_applicable};
use crate::conform::exchange::Exchange;
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, served};
use crate::conform::session::{Session, preferred};
use crate::conform::world::entity_path;
use restwell_model::api::{Api, HttpOperation, ValueType};
use restwell_model::resource::OperationKind;
use restwell_model::routes::Target;
use restwell_model::{ErrorCode, Uniqueness};
use serde_json::Value;
use std::time::Duration;

const BACK: &str = "What GET gave can be sent back by PUT: 200 with the entity (§4.2; decisions, \"Requests\").";
const CHANGES: &str = "PUT responds with 200 and the updated entity, as GET shows it then (§4.2).";
const TAGS: &str = "The `ETag` changes with the entity; one that is known serves `If-Match` (decisions, \"Caching\").";
const OMITTED: &str = "An optional property that PUT omits becomes its default, or null (decisions, \"Requests\").";
const IMMUTABLE: &str = "An immutable property with another value is 422 `Immutable` (decisions, \"Requests\").";

/// `updatedAt` has milliseconds.
const TICK: Duration = Duration::from_millis(2);

/// An entity to replace, with the operations of its path.
struct Subject<'a> {
    get: &'a HttpOperation<'a>,
    put: &'a HttpOperation<'a>,
    target: String,
    read: Exchange,
    /// Another valid body.
    next: Value,
    /// The field of the owner.
    owner: Option<&'a str>,
    /// The fields that are computed.
    computed: Vec<&'a str>,
}

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for at in served(api).filter(|at| matches!(at.target, Target::Entity { .. })) {
        let Some(put) = at.operation(OperationKind::Update) else { continue };
        let Some(get) = at.operation(OperationKind::Get) else { continue };
        let mut add = |section, what: &str, rule, run: fn(&mut Session<'a>, &Subject<'a>) -> Done| {
            let title = format!("PUT {}{what}", at.path.path);
            cases.push(Case::new(section, title, rule, move |session| {
                let subject = subject(session, at, get, put)?;
                run(session, &subject)
            }));
        };
        add(Section::Replacement, " with what GET gave", BACK, back);
        add(Section::Replacement, "", CHANGES, changes);
        add(Section::Caching, ": ETag", TAGS, tags);
        add(Section::Replacement, " without optional properties", OMITTED, omitted);
        add(Section::Replacement, " with another immutable value", IMMUTABLE, immutable);
    }
}

/// Creates an entity for the case.
fn subject<'a>(
    session: &mut Session<'a>,
    at: ServedPath<'a>,
    get: &'a HttpOperation<'a>,
    put: &'a HttpOperation<'a>,
) -> Result<Subject<'a>, Ending> {
    let Some((place, creation)) = creator(session.api, at.index) else {
        return not_applicable("nothing can be created");
    };
    if at.view().is_some_and(|view| view.through.is_some()) {
        return not_applicable("the view shows what others point at");
    }
    if put.is_async {
        return not_applicable("the replacement is asynchronous (202)");
    }
    let id = subject_id(session, (place, creation), put)?;
    let target = entity_path(&at, &id);
    let request = session.request(get, &target)?;
    let read = session.send(&request)?;
    read.is(200)?;
    let next = next_body(session, place, creation, put, &read.json())?;
    let computed = at.resource.fields.iter().filter(|field| field.computed.is_some());
    let computed = computed.map(|field| field.name.as_str()).collect();
    Ok(Subject { get, put, target, read, next, owner: at.resource.owner_field(), computed })
}

/// The entity with other values of what can be replaced.
fn next_body<'a>(
    session: &mut Session<'a>,
    place: ServedPath<'a>,
    creation: &'a HttpOperation<'a>,
    put: &HttpOperation<'_>,
    entity: &Value,
) -> Result<Value, Ending> {
    let other = new_body(session, place, creation, Fill::Whole)?;
    let mut next = entity.clone();
    let owner = place.resource.owner_field();
    for field in replaceable(session.api, put) {
        let may_set = session.may_set(put, field, false);
        let is_kept = field.immutable || field.write_only || !may_set || owner == Some(field.name.as_str());
        if let (false, Some(value)) = (is_kept, other.get(&field.name)) {
            next[&field.name] = value.clone();
        }
        // a body with both names would have two values
        if let (Some((former, _)), Some(members)) = (field.former(), next.as_object_mut()) {
            members.remove(former);
        }
    }
    Ok(next)
}

/// The fields that a PUT takes.
pub(super) fn replaceable<'a>(api: &'a Api<'a>, put: &HttpOperation<'_>) -> Vec<&'a restwell_model::Field> {
    let version = preferred(put);
    let contents = put.responses.iter().find(|response| response.status == 200).map(|response| &response.content);
    let content = contents.and_then(|contents| contents.iter().find(|content| content.version == Some(version)));
    let Some(ValueType::Object { properties, .. }) = content.and_then(|content| api.schema(content.schema?)) else {
        return Vec::new();
    };
    properties.iter().filter_map(|property| property.field).filter(|field| !field.is_ignored_in_requests()).collect()
}

/// A PUT that is to succeed.
fn replace(session: &mut Session<'_>, subject: &Subject<'_>, body: &Value) -> Result<Exchange, Ending> {
    let request = session.request_with(subject.put, &subject.target, body)?;
    let exchange = session.send(&request)?;
    if exchange.errors().iter().any(|(code, _)| code == ErrorCode::NotUnique.name()) {
        return not_applicable("the values are taken by another entity");
    }
    exchange.is(200)?;
    Ok(exchange)
}

fn without_time(entity: &Value) -> Value {
    let mut entity = entity.clone();
    entity.as_object_mut().and_then(|entity| entity.remove("updatedAt"));
    entity
}

fn back<'a>(session: &mut Session<'a>, subject: &Subject<'a>) -> Done {
    let before = subject.read.json();
    let exchange = replace(session, subject, &before)?;
    exchange.holds(without_time(&exchange.json()) == without_time(&before), format!("the entity as before: {before}"))
}

fn changes<'a>(session: &mut Session<'a>, subject: &Subject<'a>) -> Done {
    std::thread::sleep(TICK);
    let exchange = replace(session, subject, &subject.next)?;
    let (before, after) = (subject.read.json(), exchange.json());
    let mut given = without_time(&subject.next);
    // what is computed follows from the new values
    if let Some(given) = given.as_object_mut() {
        given.retain(|name, _| !subject.computed.contains(&name.as_str()));
    }
    if let Some(path) = echo_fault(&given, &after, "") {
        // what a reference shows follows from its id
        if !is_shown_only(&given, &after, &path) {
            return Err(exchange.wrong(format!("the value that was sent at `{path}`")));
        }
    }
    exchange.holds(after["createdAt"] == before["createdAt"], "`createdAt` as before")?;
    let request = session.request(subject.get, &subject.target)?;
    let read = session.send(&request)?;
    read.is(200)?;
    read.holds(read.json() == after, format!("the entity as PUT showed it: {after}"))
}

/// Whether a difference is inside a reference whose id is the one that was sent.
fn is_shown_only(given: &Value, shown: &Value, path: &str) -> bool {
    let Some((outer, _)) = path.rsplit_once('.') else { return false };
    let at = |value: &Value| {
        let step = |value: Value, word: &str| match word.parse::<usize>() {
            Ok(index) if value.is_array() => value[index].clone(),
            _ => value[word].clone(),
        };
        outer.split('.').fold(value.clone(), step)
    };
    let (given, shown) = (at(given), at(shown));
    given["id"].is_string() && given["id"] == shown["id"]
}

fn tags<'a>(session: &mut Session<'a>, subject: &Subject<'a>) -> Done {
    let Some(tag) = subject.read.header("etag").map(str::to_owned) else { return Err(subject.read.wrong("`ETag`")) };
    std::thread::sleep(TICK);
    let request = session.request_with(subject.put, &subject.target, &subject.next)?.header("if-match", &tag);
    let exchange = session.send(&request)?;
    if exchange.errors().iter().any(|(code, _)| code == ErrorCode::NotUnique.name()) {
        return not_applicable("the values are taken by another entity");
    }
    exchange.is(200)?;
    let next = exchange.header("etag").map(str::to_owned);
    let is_changed = exchange.json() != subject.read.json();
    exchange.holds(!is_changed || next.as_ref() != Some(&tag), format!("another `ETag` than {tag}"))?;
    let request = session.request(subject.get, &subject.target)?;
    let read = session.send(&request)?;
    read.holds(read.header("etag").map(str::to_owned) == next, format!("`ETag: {}`", next.unwrap_or_default()))
}

fn omitted<'a>(session: &mut Session<'a>, subject: &Subject<'a>) -> Done {
    let mut body = subject.read.json();
    let mut expected = Vec::new();
    let owner = subject.owner;
    for field in replaceable(session.api, subject.put) {
        // to give an entity away needs a scope
        if owner == Some(field.name.as_str()) || !session.may_set(subject.put, field, false) {
            continue;
        }
        let may_be_required = field.required || field.required_when.is_some();
        let is_plain = !may_be_required && !field.immutable && !field.write_only && field.default.is_none();
        if is_plain && field.unique == Uniqueness::Off {
            if let Some(body) = body.as_object_mut() {
                body.retain(|known, _| field.names().all(|name| name != known));
            }
            expected.push((field.name.clone(), no_value(&field.ty)));
        }
    }
    if expected.is_empty() {
        return not_applicable("no property is optional");
    }
    let exchange = replace(session, subject, &body)?;
    let after = exchange.json();
    for (name, value) in expected {
        exchange.holds(after[&name] == value, format!("`{name}`: {value}"))?;
    }
    Ok(())
}

fn immutable<'a>(session: &mut Session<'a>, subject: &Subject<'a>) -> Done {
    let entity = subject.read.json();
    let fields = replaceable(session.api, subject.put).into_iter();
    let field = fields.filter(|field| field.immutable).find(|field| entity[&field.name].is_string());
    let Some(field) = field else { return not_applicable("no text is immutable") };
    let number = session.number();
    let Some(other) = session.maker.value(field, number).filter(|value| *value != entity[&field.name]) else {
        return not_applicable("no other value can be made");
    };
    let mut body = entity.clone();
    body[&field.name] = other;
    let request = session.request_with(subject.put, &subject.target, &body)?;
    session.send(&request)?.refused_at(ErrorCode::Immutable, Some(&field.name))?;
    Ok(())
}
