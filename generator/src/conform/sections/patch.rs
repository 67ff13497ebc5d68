//! PATCH (§4.2): the operations of RFC 6902 on what GET shows.

use super::creation::{creator, subject_id};
use super::replacement::replaceable;
use super::values::no_value;
use crate::conform::case::{Case, Done, Ending, not_applicable};
use crate::conform::exchange::Exchange;
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, served};
use crate::conform::session::Session;
use crate::conform::world::entity_path;
use restwell_model::api::{Api, HttpOperation};
use restwell_model::resource::OperationKind;
use restwell_model::routes::Target;
use restwell_model::{ErrorCode, Field, Type};
use serde_json::json;

const REPLACES: &str = "PATCH responds with 200 and the changed entity (§4.2).";
const REMOVES: &str = "What `remove` takes away is null, or `[]` (decisions, \"Requests\").";
const TESTS: &str = "A `test` that fails is 422 `TestFailed`, and nothing changes (RFC 6902).";
const WRONG: &str = "What is not an operation of RFC 6902 is 422 (RFC 6902).";

type PatchPlace<'a> = (ServedPath<'a>, &'a HttpOperation<'a>, &'a HttpOperation<'a>);

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for at in served(api).filter(|at| matches!(at.target, Target::Entity { .. })) {
        let Some(patch) = at.operation(OperationKind::Patch) else { continue };
        let Some(get) = at.operation(OperationKind::Get) else { continue };
        let mut add = |what: &str, rule, run: fn(&mut Session<'a>, PatchPlace<'a>) -> Done| {
            let title = format!("PATCH {}: {what}", at.path.path);
            cases.push(Case::new(Section::Patch, title, rule, move |session| run(session, (at, patch, get))));
        };
        add("replace", REPLACES, replaces);
        add("remove", REMOVES, removes);
        add("test", TESTS, tests);
        add("no such operation", WRONG, wrong);
    }
}

/// Creates an entity for the case, and reads it.
fn subject(session: &mut Session<'_>, (at, patch, get): PatchPlace<'_>) -> Result<(String, Exchange), Ending> {
    let Some((place, creation)) = creator(session.api, at.index) else {
        return not_applicable("nothing can be created");
    };
    if at.view().is_some_and(|view| view.through.is_some()) {
        return not_applicable("the view shows what others point at");
    }
    if patch.is_async {
        return not_applicable("the change is asynchronous (202)");
    }
    let id = subject_id(session, (place, creation), patch)?;
    let target = entity_path(&at, &id);
    let request = session.request(get, &target)?;
    let read = session.send(&request)?;
    read.is(200)?;
    Ok((target, read))
}

fn fields<'a>(session: &Session<'a>, (at, patch, _): PatchPlace<'a>) -> impl Iterator<Item = &'a Field> {
    let owner = at.resource.owner_field();
    let fields = replaceable(session.api, patch).into_iter();
    let fields = fields.filter(|field| session.may_set(patch, field, false));
    fields.filter(move |field| !field.immutable && !field.write_only && owner != Some(field.name.as_str()))
}

fn replaces<'a>(session: &mut Session<'a>, place: PatchPlace<'a>) -> Done {
    let (target, read) = subject(session, place)?;
    let entity = read.json();
    let is_text = |field: &&Field| matches!(field.ty, Type::String { .. } | Type::Integer { .. } | Type::Boolean);
    let Some(field) = fields(session, place).find(is_text) else { return not_applicable("no property is plain") };
    let number = session.number();
    let Some(value) = session.maker.value(field, number) else { return not_applicable("no value can be made") };
    let body = json!([
        { "op": "test", "path": "/id", "value": entity["id"] },
        { "op": "replace", "path": format!("/{}", field.name), "value": value },
    ]);
    let request = session.request_with(place.1, &target, &body)?;
    let exchange = session.send(&request)?;
    exchange.is(200)?;
    exchange.holds(exchange.json()[&field.name] == value, format!("`{}`: {value}", field.name))?;
    let request = session.request(place.2, &target)?;
    let after = session.send(&request)?;
    after.holds(after.json() == exchange.json(), format!("the entity as PATCH showed it: {}", exchange.json()))
}

fn removes<'a>(session: &mut Session<'a>, place: PatchPlace<'a>) -> Done {
    let (target, read) = subject(session, place)?;
    let entity = read.json();
    let may_be_required = |field: &Field| field.required || field.required_when.is_some();
    let is_optional =
        |field: &&Field| !may_be_required(field) && field.default.is_none() && !entity[&field.name].is_null();
    let Some(field) = fields(session, place).find(is_optional) else {
        return not_applicable("no property is optional");
    };
    let body = json!([{ "op": "remove", "path": format!("/{}", field.name) }]);
    let request = session.request_with(place.1, &target, &body)?;
    let exchange = session.send(&request)?;
    exchange.is(200)?;
    let expected = no_value(&field.ty);
    exchange.holds(exchange.json()[&field.name] == expected, format!("`{}`: {expected}", field.name))
}

fn tests<'a>(session: &mut Session<'a>, place: PatchPlace<'a>) -> Done {
    let (target, read) = subject(session, place)?;
    let body = json!([{ "op": "test", "path": "/id", "value": "another" }]);
    let request = session.request_with(place.1, &target, &body)?;
    session.send(&request)?.refused(ErrorCode::TestFailed)?;
    let request = session.request(place.2, &target)?;
    let after = session.send(&request)?;
    after.holds(after.json() == read.json(), format!("the entity as before: {}", read.json()))
}

fn wrong<'a>(session: &mut Session<'a>, place: PatchPlace<'a>) -> Done {
    let (target, _) = subject(session, place)?;
    let body = json!([{ "op": "unheard-of", "path": "/id" }]);
    let request = session.request_with(place.1, &target, &body)?;
    let exchange = session.send(&request)?;
    exchange.is(422)?;
    Ok(())
}
