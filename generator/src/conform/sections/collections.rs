//! Collections: sorting and paging (§4.6), `count` (§2.4.13).

use super::values::{at, compare};
use crate::conform::case::{Case, Done, Ending, not_applicable};
use crate::conform::exchange::{Exchange, Request};
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, served};
use crate::conform::session::{Session, preferred};
use restwell_model::ErrorCode;
use restwell_model::api::{Api, HttpOperation, ParameterKind, ValueType, filter_fields};
use restwell_model::resource::OperationKind;
use restwell_model::routes::Target;
use serde_json::Value;
use std::cmp::Ordering;

const SORTS: &str =
    "`sort`: `-` is descending, null comes last, ascending `id` breaks ties (§4.6; decisions, \"Sort\").";
const TWO_SORTS: &str = "Later fields of `sort` order the ties of earlier ones (§4.6).";
const ORDER: &str = "Without `sort` the order is that of `id` (decisions, \"Sort\").";
const PAGES: &str = "`limit` and `offset` are a part of the whole, in its order (§4.6).";
const COUNT: &str = "`count` is the number of all that match, whatever the page (decisions, \"Paging\").";
const BOUNDS: &str = "`limit` and `offset` out of their bounds are 422 at their name (decisions, \"Paging\").";
const UNKNOWN: &str =
    "A parameter that the operation does not have is 422 `UnknownParameter` (decisions, \"Filters\").";
const ONCE: &str = "`limit`, `offset` and `sort` given twice are 422 (decisions, \"Filters\").";
const SORT_KEYS: &str = "A field that cannot be sorted by, or is repeated, is 422 at `sort` (decisions, \"Sort\").";

/// A list, and the operation.
pub(super) type List<'a> = (ServedPath<'a>, &'a HttpOperation<'a>);

/// Every list of entities.
pub(super) fn lists<'a>(api: &'a Api<'a>) -> impl Iterator<Item = List<'a>> {
    let is_list = |at: &ServedPath<'_>| matches!(at.target, Target::Collection { .. } | Target::Scoped { .. });
    served(api).filter(is_list).filter_map(|at| Some((at, at.operation(OperationKind::List)?)))
}

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for list in lists(api) {
        let (at, operation) = list;
        let mut add = |what: String, rule, run: Box<dyn FnOnce(&mut Session<'a>) -> Done + 'a>| {
            cases.push(Case { section: Section::Collections, title: format!("GET {}{what}", at.path.path), rule, run });
        };
        add(": order".to_owned(), ORDER, Box::new(move |session| sorted(session, list, &[])));
        let keys = sort_keys(operation);
        for (name, is_descending) in keys.iter().flat_map(|name| [(name.clone(), false), (name.clone(), true)]) {
            let sign = if is_descending { "-" } else { "" };
            let what = format!("?sort={sign}{name}");
            add(what, SORTS, Box::new(move |session| sorted(session, list, &[(&name, is_descending)])));
        }
        if let [first, .., last] = &keys[..] {
            let (first, last) = (last.clone(), first.clone());
            let what = format!("?sort={first},-{last}");
            add(what, TWO_SORTS, Box::new(move |session| sorted(session, list, &[(&first, false), (&last, true)])));
        }
        add(": pages".to_owned(), PAGES, Box::new(move |session| pages(session, list)));
        if at.resource.count {
            add(": count".to_owned(), COUNT, Box::new(move |session| count(session, list)));
        }
        for parameter in &operation.query {
            let maximum = match parameter.kind {
                ParameterKind::Limit { maximum, .. } | ParameterKind::Offset { maximum } => u64::from(maximum),
                _ => continue,
            };
            let name = parameter.name.clone();
            for value in ["-1".to_owned(), (maximum + 1).to_string(), "x".to_owned(), "1.5".to_owned()] {
                let (name, what) = (name.clone(), format!("?{name}={value}"));
                add(
                    what,
                    BOUNDS,
                    Box::new(move |session| {
                        refused(session, list, &[(&name, &value)], ErrorCode::InvalidParameter, &name)
                    }),
                );
            }
        }
        add(
            "?unheardOf=1".to_owned(),
            UNKNOWN,
            Box::new(move |session| {
                refused(session, list, &[("unheardOf", "1")], ErrorCode::UnknownParameter, "unheardOf")
            }),
        );
        for (name, value) in [("limit", "1"), ("offset", "0"), ("sort", "id")] {
            add(
                format!("?{name}={value}&{name}={value}"),
                ONCE,
                Box::new(move |session| {
                    refused(session, list, &[(name, value), (name, value)], ErrorCode::RepeatedParameter, name)
                }),
            );
        }
        for value in ["unheardOf", "id,id", "id,-id"] {
            add(
                format!("?sort={value}"),
                SORT_KEYS,
                Box::new(move |session| {
                    refused(session, list, &[("sort", value)], ErrorCode::InvalidParameter, "sort")
                }),
            );
        }
    }
}

fn sort_keys(operation: &HttpOperation<'_>) -> Vec<String> {
    let version = preferred(operation);
    let sorts = operation.query.iter().find_map(|parameter| match &parameter.kind {
        ParameterKind::Sort(names) => Some(names),
        _ => None,
    });
    let names = sorts.into_iter().flatten().filter(|name| name.versions.contains(&version));
    names.map(|name| name.name.clone()).collect()
}

/// A request for the entities of the run alone: others may come and go meanwhile.
pub(super) fn request(session: &Session<'_>, (at, operation): List<'_>) -> Result<Request, Ending> {
    let target = session.existing(&at)?;
    let mut request = session.request(operation, target)?;
    let ids: Vec<_> = session.world.of(at.index).map(|known| known.id.clone()).collect();
    if ids.is_empty() {
        return not_applicable("there is no entity to ask about");
    }
    for id in ids {
        request = request.query("id", &id);
    }
    Ok(request)
}

/// The entities of a page.
pub(super) fn items(at: ServedPath<'_>, exchange: &Exchange) -> Result<Vec<Value>, Ending> {
    exchange.is(200)?;
    let name = &at.path.collection;
    match exchange.json()[name].as_array() {
        Some(items) => Ok(items.clone()),
        None => Err(exchange.wrong(format!("an object with the array `{name}` (§2.4.13)"))),
    }
}

/// The entities of the run that the list has, and the request for them.
pub(super) fn whole(session: &mut Session<'_>, list: List<'_>) -> Result<(Request, Vec<Value>), Ending> {
    let request = request(session, list)?;
    let exchange = session.send(&request)?;
    let items = items(list.0, &exchange)?;
    if items.is_empty() {
        return not_applicable("the list has none of the entities of the run");
    }
    Ok((request, items))
}

fn ids(items: &[Value]) -> Vec<&str> {
    items.iter().filter_map(|item| item["id"].as_str()).collect()
}

/// Fields to sort by, each ascending or descending; no field: by `id`.
fn sorted(session: &mut Session<'_>, list: List<'_>, keys: &[(&str, bool)]) -> Done {
    let (at_path, operation) = list;
    let (request, mut expected) = whole(session, list)?;
    let service = session.api.service;
    let resource = &service.resources[at_path.index];
    let view = at_path.view().and_then(|view| resource.view(&view.name));
    let fields = filter_fields(service, resource, preferred(operation), view);
    let mut types: Vec<(&str, bool, ValueType<'_>)> = Vec::new();
    for (name, is_descending) in keys {
        let Some(field) = fields.iter().find(|field| field.name == *name) else { return not_applicable("no such key") };
        types.push((name, *is_descending, field.value.clone()));
    }
    let mut is_known = true;
    expected.sort_by(|one, other| {
        for (name, is_descending, ty) in &types {
            let order = order(ty, at(one, name), at(other, name), *is_descending);
            is_known &= order.is_some();
            match order {
                Some(Ordering::Equal) | None => {}
                Some(order) => return order,
            }
        }
        one["id"].as_str().cmp(&other["id"].as_str())
    });
    if !is_known {
        return not_applicable("the order of this type is not known to the runner");
    }
    let words: Vec<_> = keys.iter().map(|(name, is)| format!("{}{name}", if *is { "-" } else { "" })).collect();
    let request = if words.is_empty() { request } else { request.query("sort", &words.join(",")) };
    let exchange = session.send(&request)?;
    let found = items(at_path, &exchange)?;
    exchange.holds(ids(&found) == ids(&expected), format!("the ids in the order {}", ids(&expected).join(", ")))
}

/// Nulls come last in both directions.
fn order(ty: &ValueType<'_>, one: &Value, other: &Value, is_descending: bool) -> Option<Ordering> {
    match (one.is_null(), other.is_null()) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Greater),
        (false, true) => Some(Ordering::Less),
        (false, false) => {
            let order = compare(ty, one, other)?;
            Some(if is_descending { order.reverse() } else { order })
        }
    }
}

fn pages(session: &mut Session<'_>, list: List<'_>) -> Done {
    let (request, whole) = whole(session, list)?;
    let all = ids(&whole);
    for (offset, limit) in [(0, 2), (1, 2), (all.len() - 1, 3), (all.len(), 1), (0, 0)] {
        let request = request.clone().query("limit", &limit.to_string()).query("offset", &offset.to_string());
        let exchange = session.send(&request)?;
        let found = items(list.0, &exchange)?;
        let expected: Vec<_> = all.iter().copied().skip(offset).take(limit).collect();
        exchange.holds(ids(&found) == expected, format!("the ids {}", expected.join(", ")))?;
    }
    Ok(())
}

fn count(session: &mut Session<'_>, list: List<'_>) -> Done {
    let (request, whole) = whole(session, list)?;
    for request in [request.clone(), request.clone().query("limit", "1"), request.query("limit", "0")] {
        let exchange = session.send(&request)?;
        exchange.is(200)?;
        let expected = whole.len() as u64;
        exchange.holds(exchange.json()["count"].as_u64() == Some(expected), format!("`count` {expected}"))?;
    }
    Ok(())
}

/// A list with these parameters is 422 with this code, at this parameter.
pub(super) fn refused(
    session: &mut Session<'_>,
    (at, operation): List<'_>,
    parameters: &[(&str, &str)],
    code: ErrorCode,
    path: &str,
) -> Done {
    let target = session.existing(&at)?;
    let request = session.request(operation, target)?;
    let request = parameters.iter().fold(request, |request, (name, value)| request.query(name, value));
    session.send(&request)?.refused_at(code, Some(path))?;
    Ok(())
}
