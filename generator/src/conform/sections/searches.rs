//! Searches (§2.5, §4.5).

use super::collections::{List, items, whole};
use super::filters::is_selected;
use super::values::{at as value_at, parameter};
use crate::conform::case::{Case, Done, not_applicable};
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, media_type, served};
use crate::conform::session::{Session, preferred};
use restwell_model::ErrorCode;
use restwell_model::api::{Api, FilterOperator, HttpOperation, ValueType};
use restwell_model::input::MAX_LIMIT;
use restwell_model::resource::OperationKind;
use restwell_model::routes::{Action, Target, VARIABLE};
use serde_json::{Value, json};

const CREATED: &str = "POST of a search is 201 with `Location` and the whole search, as GET shows it (§4.5).";
const SELECTS: &str = "`search.id` selects what its criteria describe (§4.5).";
const FIXED: &str = "A filter beside `search.id` is 422 `SearchFiltersFixed` (§4.5).";
const NO_SEARCH: &str = "An unknown search is 422 `NotFound` at `search.id` (decisions, \"Searches\").";
const PAGED: &str = "A search's `limit` is the default of paging, which a request overrides (decisions, \"Searches\").";

/// The id of no search.
const NOTHING: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for at in served(api).filter(|at| at.target == Target::Searches) {
        let Some(post) = at.action(Action::CreateSearch) else { continue };
        let mut add = |what: String, rule, run: Box<dyn FnOnce(&mut Session<'a>) -> Done + 'a>| {
            cases.push(Case { section: Section::Searches, title: what, rule, run });
        };
        add(format!("POST {}", at.path.path), CREATED, Box::new(move |session| created(session, at, post)));
        let list = served(api).find(|list| list.index == at.index && list.target == Target::Collection { view: None });
        let list = list.and_then(|list| Some((list, list.operation(OperationKind::List)?)));
        let Some(list) = list else { continue };
        let title = |what: &str| format!("GET {}?search.id=…{what}", list.0.path.path);
        for (name, value) in criteria(api, post) {
            let what = title(&format!(" with `{name}`"));
            add(what, SELECTS, Box::new(move |session| selects(session, at, post, list, &name, value)));
        }
        add(
            title("&id=…"),
            FIXED,
            Box::new(move |session| {
                let Some(id) = session.world.searches.get(&at.index).cloned() else {
                    return not_applicable("no search");
                };
                let request =
                    session.request(list.1, &list.0.path.pattern)?.query("search.id", &id).query("id", NOTHING);
                session.send(&request)?.refused(ErrorCode::SearchFiltersFixed)?;
                Ok(())
            }),
        );
        add(
            title(" of nothing"),
            NO_SEARCH,
            Box::new(move |session| {
                let request = session.request(list.1, &list.0.path.pattern)?.query("search.id", NOTHING);
                session.send(&request)?.refused_at(ErrorCode::NotFound, Some("search.id"))?;
                Ok(())
            }),
        );
        add(title(": limit"), PAGED, Box::new(move |session| paged(session, at, list)));
    }
}

/// The criteria of single values.
fn criteria<'a>(api: &'a Api<'a>, post: &'a HttpOperation<'a>) -> Vec<(String, &'a ValueType<'a>)> {
    let schema = post.request.first().and_then(|content| api.schema(content.schema?));
    let Some(ValueType::Object { properties, .. }) = schema else { return Vec::new() };
    let single = properties.iter().filter_map(|property| match &property.value {
        ValueType::Criterion { value, takes_bounds: true, .. } if !property.is_ignored => {
            Some((property.name.to_string(), &**value))
        }
        _ => None,
    });
    single.collect()
}

fn created<'a>(session: &mut Session<'a>, at: ServedPath<'a>, post: &'a HttpOperation<'a>) -> Done {
    let request = session.request_with(post, &at.path.pattern, &json!({ "limit": 1 }))?;
    let exchange = session.send(&request)?;
    exchange.is(201)?;
    let body = exchange.json();
    let Some(id) = body["id"].as_str().map(str::to_owned) else { return Err(exchange.wrong("a search with an `id`")) };
    session.world.searches.insert(at.index, id.clone());
    let location = session.location(&exchange);
    let is_there = location.as_ref().is_some_and(|location| location.ends_with(&id));
    exchange.holds(is_there, "`Location` with the id of the search")?;
    exchange.holds(body["limit"] == json!(1), "the data that was posted: `limit` 1")?;
    let get = served(session.api).find(|other| other.index == at.index && other.target == Target::Search);
    let Some((place, get)) = get.and_then(|get| Some((get, get.action(Action::GetSearch)?))) else { return Ok(()) };
    let request = session.request(get, place.path.pattern.replacen(VARIABLE, &id, 1))?;
    let request = request.header("accept", media_type(session.api, post));
    let found = session.send(&request)?;
    found.is(200)?;
    found.holds(found.json() == body, format!("the search as it was created: {body}"))
}

fn selects<'a>(
    session: &mut Session<'a>,
    at: ServedPath<'a>,
    post: &'a HttpOperation<'a>,
    list: List<'a>,
    name: &str,
    ty: &ValueType<'a>,
) -> Done {
    if preferred(post) != preferred(list.1) {
        return not_applicable("the search is of another version");
    }
    let (_, all) = whole(session, list)?;
    let value = all.iter().map(|item| value_at(item, name)).find(|value| parameter(value).is_some()).cloned();
    let Some(value) = value else { return not_applicable("no entity has a value") };
    let mut body = serde_json::Map::new();
    body.insert(name.to_owned(), value.clone());
    let request = session.request_with(post, &at.path.pattern, &Value::Object(body))?;
    let search = session.send(&request)?;
    search.is(201)?;
    let id = search.json()["id"].as_str().unwrap_or_default().to_owned();
    let request = session.request(list.1, &list.0.path.pattern)?;
    let exchange = session.send(&request.query("search.id", &id).query("limit", &MAX_LIMIT.to_string()))?;
    let found = items(list.0, &exchange)?;
    let fits = |item: &Value| is_selected(ty, FilterOperator::Equal, value_at(item, name), &[&value]) == Some(true);
    exchange.holds(found.iter().all(fits), format!("only entities with `{name}` {value}"))?;
    // others may fill the page before
    let is_whole = found.len() < MAX_LIMIT as usize;
    let has = |wanted: &Value| found.iter().any(|item| item["id"] == wanted["id"]);
    exchange.holds(
        !is_whole || all.iter().filter(|item| fits(item)).all(has),
        format!("all entities with `{name}` {value}"),
    )
}

fn paged<'a>(session: &mut Session<'a>, at: ServedPath<'a>, list: List<'a>) -> Done {
    let Some(id) = session.world.searches.get(&at.index).cloned() else { return not_applicable("no search") };
    let request = session.request(list.1, &list.0.path.pattern)?.query("search.id", &id);
    let exchange = session.send(&request)?;
    let found = items(list.0, &exchange)?;
    exchange.holds(found.len() <= 1, "at most 1 entity: the `limit` of the search")?;
    let exchange = session.send(&request.query("limit", "0"))?;
    let found = items(list.0, &exchange)?;
    exchange.holds(found.is_empty(), "no entity: the `limit` of the request")
}
