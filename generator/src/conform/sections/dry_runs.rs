//! Dry runs and `include` (§4.3).

use super::bodies::{Fill, new_body};
use super::creation::creator;
use super::validation::{properties, try_out};
use super::values::{at as value_at, echo_fault};
use crate::conform::case::{Case, Done, Ending, not_applicable};
use crate::conform::exchange::Exchange;
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, served};
use crate::conform::session::Session;
use restwell_model::ErrorCode;
use restwell_model::api::{Api, HttpOperation};
use restwell_model::resource::OperationKind;
use restwell_model::routes::Target;
use serde_json::{Map, Value, json};

const VALID: &str = "`dryRun=true` is 204 without a body if the request is valid, and creates nothing (§4.3).";
const INVALID: &str = "`dryRun=true` is 422 with the errors if the request is invalid (§4.3).";
const INCLUDED: &str = "With `include` only the named fields are validated (§4.3).";
const ALONE: &str = "`include` without `dryRun=true`, or of no field, is 422 (decisions, \"Dry run\").";
const VALUES: &str = "`dryRun` is `true` or `false`; anything else is 422 (§4.3).";

/// Entities that a collection is searched in for one that a dry run must not have created.
const NEWEST: usize = 100;
/// Bytes of a text that no other entity is likely to have.
const MIN_TEXT: usize = 9;

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for index in 0..api.service.resources.len() {
        let Some((at, operation)) = creator(api, index) else { continue };
        let title = |what: &str| format!("POST {}?{what}", at.path.path);
        let mut add = |what: &str, rule, run: fn(&mut Session<'a>, ServedPath<'a>, &'a HttpOperation<'a>) -> Done| {
            cases.push(Case::new(Section::DryRuns, title(what), rule, move |session| run(session, at, operation)));
        };
        add("dryRun=true", VALID, valid);
        add("dryRun=true with a wrong body", INVALID, |session, at, operation| {
            try_out(session, at, operation, &json!({ "unheardOf": 1 }))?
                .refused_at(ErrorCode::UnknownProperty, Some("unheardOf"))?;
            Ok(())
        });
        add("dryRun=true&include=…", INCLUDED, included);
        add("include=…", ALONE, alone);
        add("dryRun=true&include=unheardOf", ALONE, |session, at, operation| {
            let body = new_body(session, at, operation, Fill::Most)?;
            let target = session.existing(&at)?;
            let request = session.request_with(operation, target, &body)?;
            let request = request.query("dryRun", "true").query("include", "unheardOf");
            session.send(&request)?.refused_at(ErrorCode::InvalidParameter, Some("include"))?;
            Ok(())
        });
        add("dryRun=perhaps", VALUES, |session, at, operation| {
            let target = session.existing(&at)?;
            // wrong in any case: nothing is created
            let request = session.request_with(operation, target, &json!({ "unheardOf": 1 }))?;
            session
                .send(&request.query("dryRun", "perhaps"))?
                .refused_at(ErrorCode::InvalidParameter, Some("dryRun"))?;
            Ok(())
        });
    }
}

fn valid<'a>(session: &mut Session<'a>, at: ServedPath<'a>, operation: &'a HttpOperation<'a>) -> Done {
    let body = new_body(session, at, operation, Fill::Whole)?;
    let before = newest(session, at)?;
    let exchange = try_out(session, at, operation, &body)?;
    if exchange.errors().iter().any(|(code, _)| code == ErrorCode::NotUnique.name()) {
        return not_applicable("the values are taken by another entity");
    }
    exchange.is(204)?;
    let (Some((before, _)), Some((after, list))) = (before, newest(session, at)?) else { return Ok(()) };
    // what others create meanwhile has other texts
    let is_long = |value: &Value| value.as_str().is_some_and(|text| text.len() >= MIN_TEXT);
    let shows_text = |item: &Value| {
        let mut given = body.as_object().into_iter().flatten();
        given.any(|(name, value)| is_long(value) && item.get(name).is_some())
    };
    let is_new = |item: &&Value| before.iter().all(|known| known["id"] != item["id"]);
    let mut created = after.iter().filter(is_new).filter(|item| shows_text(item));
    let is_of_dry_run = created.any(|item| echo_fault(&body, item, "").is_none());
    list.holds(!is_of_dry_run, "no entity with the values of the dry run")
}

/// The newest entities of a collection, if there is one.
fn newest(session: &mut Session<'_>, at: ServedPath<'_>) -> Result<Option<(Vec<Value>, Exchange)>, Ending> {
    let api = session.api;
    let list = served(api).find(|list| list.index == at.index && list.target == Target::Collection { view: None });
    let list = list.and_then(|list| Some((list, list.operation(OperationKind::List)?)));
    let Some((list, operation)) = list else { return Ok(None) };
    let request = session.request(operation, &list.path.pattern)?;
    let request = request.query("sort", "-createdAt").query("limit", &NEWEST.to_string());
    let exchange = session.send(&request)?;
    let items = exchange.json()[&list.path.collection].as_array().cloned().unwrap_or_default();
    Ok(Some((items, exchange)))
}

fn included<'a>(session: &mut Session<'a>, at: ServedPath<'a>, operation: &'a HttpOperation<'a>) -> Done {
    let body = new_body(session, at, operation, Fill::Whole)?;
    let target = session.existing(&at)?;
    let names = properties(session.api, operation).into_iter();
    let names: Vec<String> = names.filter(|it| it.filled_by.is_none()).map(|it| it.name.to_string()).collect();
    let name = names.iter().find(|name| !value_at(&body, name).is_null());
    let Some(name) = name else { return not_applicable("no property has a value") };
    let mut alone = Map::new();
    alone.insert(name.clone(), body[name].clone());
    let request = session.request_with(operation, target, &Value::Object(alone))?;
    let exchange = session.send(&request.query("dryRun", "true").query("include", name))?;
    if exchange.errors().iter().any(|(code, _)| code == ErrorCode::NotUnique.name()) {
        return not_applicable("the value is taken by another entity");
    }
    exchange.is(204)?;
    Ok(())
}

fn alone<'a>(session: &mut Session<'a>, at: ServedPath<'a>, operation: &'a HttpOperation<'a>) -> Done {
    let target = session.existing(&at)?;
    let Some(name) = properties(session.api, operation).first().map(|it| it.name.to_string()) else {
        return not_applicable("there is no property to include");
    };
    // wrong in any case: nothing is created
    let request = session.request_with(operation, target, &json!({ "unheardOf": 1 }))?.query("include", &name);
    session.send(&request)?.refused_at(ErrorCode::InvalidParameter, Some("include"))?;
    Ok(())
}
