//! Validation errors (§7.1): each constraint of a field broken in turn, and all at once.

use super::bodies::{Fill, new_body};
use super::creation::creator;
use super::spoilt::{Spoilt, spoilt};
use crate::conform::case::{Case, Done, not_applicable};
use crate::conform::exchange::Exchange;
use crate::conform::section::Section;
use crate::conform::served::ServedPath;
use crate::conform::session::Session;
use restwell_model::api::{Api, FilledBy, HttpOperation, Property, ValueType};
use restwell_model::input::MAX_PROBLEMS;
use restwell_model::{ErrorCode, Field};
use serde_json::{Value, json};

const BROKEN: &str = "What is wrong with a value is 422 with its code and path (§7.1; decisions, \"Errors\").";
const ALL: &str = "All problems of a request are listed together, in the model's order (decisions, \"Errors\").";
const REQUIRED: &str = "A required property that is omitted is 422 `Required` (decisions, \"Requests\").";
const UNKNOWN: &str = "A property that does not exist is 422 `UnknownProperty` (decisions, \"Requests\").";
const NOTHING: &str = "A reference to nothing is 422 `NotFound` at its id (decisions, \"Requests\").";

/// The id of no entity.
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for index in 0..api.service.resources.len() {
        let Some((at, operation)) = creator(api, index) else { continue };
        let properties = properties(api, operation);
        for (property, field) in properties.iter().filter_map(|property| Some((*property, property.field?))) {
            let title = |what: &str| format!("POST {} with a wrong `{}`{what}", at.path.path, field.name);
            // the path or the token says who it is
            if property.filled_by.is_none() {
                cases.push(Case::new(Section::Validation, title(""), BROKEN, move |session| {
                    broken(session, at, operation, field)
                }));
                if property.is_required {
                    let title = format!("POST {} without `{}`", at.path.path, field.name);
                    cases.push(Case::new(Section::Validation, title, REQUIRED, move |session| {
                        without(session, at, operation, field)
                    }));
                }
                if let ValueType::Reference { .. } = property.value {
                    cases.push(Case::new(Section::Validation, title(": to nothing"), NOTHING, move |session| {
                        to_nothing(session, at, operation, field)
                    }));
                }
            }
        }
        let title = |what: &str| format!("POST {}: {what}", at.path.path);
        cases.push(Case::new(Section::Validation, title("an unknown property"), UNKNOWN, move |session| {
            let mut body = new_body(session, at, operation, Fill::Most)?;
            body["unheardOf"] = json!(1);
            try_out(session, at, operation, &body)?.refused_at(ErrorCode::UnknownProperty, Some("unheardOf"))?;
            Ok(())
        }));
        cases.push(Case::new(Section::Validation, title("all problems at once"), ALL, move |session| {
            all_at_once(session, at, operation)
        }));
    }
}

/// The properties that a creation takes, under their present names.
pub(super) fn properties<'a>(api: &'a Api<'a>, operation: &'a HttpOperation<'a>) -> Vec<&'a Property<'a>> {
    let schema = operation.request.first().and_then(|content| api.schema(content.schema?));
    let Some(ValueType::Object { properties, .. }) = schema else { return Vec::new() };
    let is_present = |property: &&Property<'_>| property.field.is_none_or(|field| field.name == property.name);
    properties.iter().filter(|property| !property.is_ignored).filter(is_present).collect()
}

/// Sends a body in a dry run: what is wrongly accepted is not created.
pub(super) fn try_out(
    session: &mut Session<'_>,
    at: ServedPath<'_>,
    operation: &HttpOperation<'_>,
    body: &Value,
) -> Result<Exchange, crate::conform::case::Ending> {
    let target = session.existing(&at)?;
    let request = session.request_with(operation, target, body)?.query("dryRun", "true");
    session.send(&request)
}

/// Spoilt values of a field. The reader of the model knows the fields of all versions and views: where those of objects
/// differ, objects are left out.
fn spoilt_values(session: &mut Session<'_>, field: &Field) -> Vec<Spoilt> {
    let number = session.number();
    let valid = session.maker.value(field, number).unwrap_or_default();
    let service = session.api.service;
    let depends = service.objects.iter().flat_map(|object| &object.fields);
    let depends = depends.clone().any(|field| field.versions.is_some() || field.views.is_some());
    let values = spoilt(service, field, &valid);
    let is_object = |value: &Spoilt| depends && (value.value.is_object() || value.value.is_array());
    values.into_iter().filter(|value| !is_object(value)).collect()
}

fn broken<'a>(
    session: &mut Session<'a>,
    at: ServedPath<'a>,
    operation: &'a HttpOperation<'a>,
    field: &'a Field,
) -> Done {
    let body = new_body(session, at, operation, Fill::Most)?;
    let values = spoilt_values(session, field);
    if values.is_empty() {
        return not_applicable("every value that was tried is valid");
    }
    for spoilt in values {
        let mut body = body.clone();
        body[&field.name] = spoilt.value;
        let exchange = try_out(session, at, operation, &body)?;
        told(&exchange, &spoilt.errors, false)?;
    }
    Ok(())
}

/// The errors of a request must be these; what else the store or a rule finds may stand beside them.
fn told(exchange: &Exchange, expected: &[(ErrorCode, String)], is_in_order: bool) -> Done {
    let words: Vec<_> = expected.iter().map(|(code, path)| format!("{} at `{path}`", code.name())).collect();
    let words = format!("422 with {}", words.join(if is_in_order { ", then " } else { ", " }));
    if exchange.status() != 422 {
        return Err(exchange.wrong(words));
    }
    let errors = exchange.errors();
    let is_it = |(found, at): &(String, Option<String>), (code, path): &(ErrorCode, String)| {
        found == code.name() && at.as_ref() == Some(path)
    };
    let mut left = errors.iter();
    let is_told = expected.iter().take(MAX_PROBLEMS).all(|wanted| match is_in_order {
        true => left.any(|error| is_it(error, wanted)),
        false => errors.iter().any(|error| is_it(error, wanted)),
    });
    exchange.holds(is_told, words)
}

fn without<'a>(
    session: &mut Session<'a>,
    at: ServedPath<'a>,
    operation: &'a HttpOperation<'a>,
    field: &'a Field,
) -> Done {
    let mut body = new_body(session, at, operation, Fill::Most)?;
    body.as_object_mut().and_then(|body| body.remove(&field.name));
    told(&try_out(session, at, operation, &body)?, &[(ErrorCode::Required, field.name.clone())], false)
}

fn to_nothing<'a>(
    session: &mut Session<'a>,
    at: ServedPath<'a>,
    operation: &'a HttpOperation<'a>,
    field: &'a Field,
) -> Done {
    let mut body = new_body(session, at, operation, Fill::Most)?;
    body[&field.name] = json!({ "id": NOBODY });
    told(&try_out(session, at, operation, &body)?, &[(ErrorCode::NotFound, format!("{}.id", field.name))], false)
}

fn all_at_once<'a>(session: &mut Session<'a>, at: ServedPath<'a>, operation: &'a HttpOperation<'a>) -> Done {
    let mut body = new_body(session, at, operation, Fill::Most)?;
    let mut expected = Vec::new();
    for property in properties(session.api, operation) {
        let (Some(field), None | Some(FilledBy::Token)) = (property.field, property.filled_by) else { continue };
        if property.filled_by.is_some() {
            continue;
        }
        let values = spoilt_values(session, field);
        if let Some(spoilt) = values.into_iter().find(|spoilt| !spoilt.value.is_object() && spoilt.errors.len() == 1) {
            body[&field.name] = spoilt.value;
            expected.extend(spoilt.errors);
        }
    }
    body["unheardOf"] = json!(1);
    expected.push((ErrorCode::UnknownProperty, "unheardOf".to_owned()));
    if expected.len() > MAX_PROBLEMS {
        return not_applicable("there are more problems than a response lists");
    }
    told(&try_out(session, at, operation, &body)?, &expected, true)
}
