//! The bodies of new entities.

use crate::conform::access::admits;
use crate::conform::callers::{Caller, caller_of};
use crate::conform::case::{Ending, not_applicable};
use crate::conform::served::ServedPath;
use crate::conform::session::{Session, preferred};
use restwell_model::api::{Api, FilledBy, HttpOperation, ValueType};
use restwell_model::condition::Condition;
use restwell_model::input::check_field_json;
use restwell_model::routes::Target;
use restwell_model::{Field, Resource};
use serde_json::{Value, json};
use uuid::Uuid;

/// Which properties of a new entity have a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// Each that can have one.
    Whole,
    /// The required ones, and most others.
    Most,
    /// The required ones.
    Least,
}

/// The body of a new entity: it meets the rules of the resource, and the conditions on its creation, as far as the run
/// knows what they read.
pub(super) fn new_body<'a>(
    session: &mut Session<'a>,
    at: ServedPath<'a>,
    operation: &'a HttpOperation<'a>,
    fill: Fill,
) -> Result<Value, Ending> {
    let mut body = draft(session, at, operation, fill)?;
    meet(session, (at, operation), fill, &[], &mut body);
    Ok(body)
}

/// A body that meets what each of its values is held to.
pub(super) fn draft(
    session: &mut Session<'_>,
    at: ServedPath<'_>,
    operation: &HttpOperation<'_>,
    fill: Fill,
) -> Result<Value, Ending> {
    session.may_change()?;
    let number = session.number();
    let resource: &Resource = &session.api.service.resources[at.index];
    let view = at.view().and_then(|view| resource.view(&view.name));
    let body = session.maker.entity(resource, (preferred(operation), view), number, fill == Fill::Whole);
    let Some(mut body) = body else { return not_applicable(format!("no valid {} can be made", resource.name)) };
    let is_left = |field: &&Field| !field.required && !session.may_set(operation, field, true);
    for field in resource.fields.iter().filter(is_left) {
        body.as_object_mut().and_then(|body| body.remove(&field.name));
    }
    if session.api.service.users.as_ref() == Some(&resource.name) {
        for (name, value) in &session.callers.user_fields {
            let field = resource.fields.iter().find(|field| field.name == *name);
            let is_valid = |field: &&Field| check_field_json(session.api.service, field, value).is_empty();
            if field.filter(is_valid).is_some_and(|field| session.may_set(operation, field, true)) {
                body[name] = value.clone();
            }
        }
    }
    if fill == Fill::Least {
        let required = required(session.api, operation);
        if let Some(body) = body.as_object_mut() {
            let may_be_required =
                |name: &str| resource.fields.iter().any(|field| field.name == name && field.required_when.is_some());
            let is_asked = |name: &str| session.callers.user_fields.contains_key(name);
            body.retain(|name, _| required.contains(&name.as_str()) || may_be_required(name) || is_asked(name));
        }
    }
    if let Some(field) = resource.owner_field()
        && takes(session.api, operation, field)
    {
        match session.callers.id(Caller::Owner) {
            Some(user) => body[field] = json!({ "id": user }),
            None => drop(body.as_object_mut().and_then(|body| body.remove(field))),
        }
    }
    if let Target::Scoped { field } = at.target {
        let Some(parent) = session.parent(&at) else { return not_applicable("there is no entity to be under") };
        body[&resource.fields[field].name] = json!({ "id": parent });
    }
    Ok(body)
}

/// The properties that the body of a creation must have.
fn required<'a>(api: &'a Api<'_>, operation: &HttpOperation<'_>) -> Vec<&'a str> {
    let schema = operation.request.first().and_then(|content| api.schema(content.schema?));
    let Some(ValueType::Object { properties, .. }) = schema else { return Vec::new() };
    properties.iter().filter(|property| property.is_required).map(|property| &*property.name).collect()
}

/// Whether the body of a creation has a property that is not ignored.
fn takes(api: &Api<'_>, operation: &HttpOperation<'_>, field: &str) -> bool {
    let schema = operation.request.first().and_then(|content| api.schema(content.schema?));
    let Some(ValueType::Object { properties, .. }) = schema else { return false };
    properties
        .iter()
        .any(|property| property.name == field && !property.is_ignored && property.filled_by != Some(FilledBy::Path))
}

/// Changes a body until it meets these conditions, with the rules of the resource and the conditions on its creation;
/// if no such body is found, until it meets the latter. The caller for whom the conditions hold.
pub(super) fn meet<'a>(
    session: &mut Session<'a>,
    (at, operation): (ServedPath<'a>, &'a HttpOperation<'a>),
    fill: Fill,
    conditions: &[&Condition],
    body: &mut Value,
) -> Caller {
    let creator = caller_of(operation, &session.callers).unwrap_or(Caller::Master);
    let of_creation: Vec<&Condition> = condition_of(session, operation).into_iter().collect();
    let mut wanted: Vec<(Caller, Vec<&Condition>)> = Vec::new();
    if !conditions.is_empty() {
        let all = || conditions.iter().chain(&of_creation).copied().collect();
        wanted.extend([Caller::Master, Caller::Scoped].map(|caller| (caller, all())));
    }
    wanted.push((creator, of_creation.clone()));
    if !of_creation.is_empty() {
        wanted.push((creator, Vec::new()));
    }
    let free = free(session, at, operation);
    let required = required(session.api, operation);
    let least = free.iter().copied().filter(|name| fill != Fill::Least || required.contains(name)).collect();
    let mut choices: Vec<Vec<&str>> = vec![least];
    if fill == Fill::Least {
        choices.push(free);
    }
    for (caller, conditions) in wanted {
        let user = session.callers.id(caller).and_then(|id| Uuid::try_parse(id).ok());
        for names in &choices {
            let may_change = |field: &Field| names.contains(&field.name.as_str());
            let Some(body) = body.as_object_mut() else { break };
            if session.maker.meet(at.resource, &conditions, user, &may_change, body).is_ok() {
                return caller;
            }
        }
    }
    Caller::Master
}

/// Changes a value of a body for which a service has refused it; false: it can change none.
pub(super) fn vary<'a>(
    session: &mut Session<'a>,
    (at, operation): (ServedPath<'a>, &'a HttpOperation<'a>),
    refused: &[(String, Option<String>)],
    body: &mut Value,
) -> bool {
    let names = free(session, at, operation);
    let may_change = |field: &Field| names.contains(&field.name.as_str());
    let before = body.clone();
    if let Some(body) = body.as_object_mut() {
        session.maker.vary(at.resource, refused, &may_change, body);
    }
    *body != before
}

/// The fields of a new entity that may have any value: neither the path nor its owner decides about them.
fn free<'a>(session: &Session<'_>, at: ServedPath<'a>, operation: &HttpOperation<'_>) -> Vec<&'a str> {
    let parent = if let Target::Scoped { field } = at.target { Some(&at.resource.fields[field].name) } else { None };
    let is_free = |field: &&Field| {
        let is_fixed = at.resource.owner_field() == Some(field.name.as_str()) || parent == Some(&field.name);
        !is_fixed && takes(session.api, operation, &field.name) && session.may_set(operation, field, true)
    };
    at.resource.fields.iter().filter(is_free).map(|field| field.name.as_str()).collect()
}

/// The condition on which an operation is open to the caller who may do most, if nothing else admits them.
pub(super) fn condition_of<'a>(session: &Session<'a>, operation: &'a HttpOperation<'a>) -> Option<&'a Condition> {
    let access = &operation.access.any_of;
    let scopes = session.callers.scopes_of(Caller::Master);
    let is_open = admits(session.api.service, access, scopes, Some(true)) == Some(true);
    access.iter().find_map(|access| access.condition()).filter(|_| !is_open)
}
