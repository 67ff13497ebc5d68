//! Filters (§4.4): each parameter selects what it should, and nothing else.

use super::collections::{List, items, lists, whole};
use super::values::{at, compare, parameter};
use crate::conform::case::{Case, Done, not_applicable};
use crate::conform::exchange::Request;
use crate::conform::section::Section;
use crate::conform::session::{Session, preferred};
use restwell_model::api::{Api, FilterOperator, ParameterKind, QueryParameter, ValueType};
use restwell_model::case_folding::fold_case;
use restwell_model::field::Match;
use restwell_model::input::Bound;
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;

const EQUAL: &str = "A filter selects the entities with this value; repeated, with any of them (§4.4).";
const BOUND: &str = "`.gt`, `.gte`, `.lt` and `.lte` select a range (§4.4.4).";
const MATCH: &str =
    "`.not`, `.startsWith`, `.contains` and those in any case select what they say (decisions, \"Filters\").";
const NULL: &str = "An empty value selects the entities without a value (decisions, \"Filters\").";
const ANNOUNCED: &str = "A deprecated filter has `Deprecation` and, if the day is known, `Sunset` (decisions).";

/// The longest text that is filtered by: a request line has its bounds.
const MAX_TEXT: usize = 500;

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for list in lists(api) {
        let (served, operation) = list;
        let version = preferred(operation);
        for parameter in operation.query.iter().filter(|parameter| parameter.versions.contains(&version)) {
            let ParameterKind::Filter { operator, .. } = parameter.kind else { continue };
            let rule = match operator {
                FilterOperator::Equal => EQUAL,
                FilterOperator::Bound(_) => BOUND,
                FilterOperator::Match(_) => MATCH,
            };
            let title = format!("GET {}?{}=…", served.path.path, parameter.name);
            cases.push(Case::new(Section::Filters, title, rule, move |session| selects(session, list, parameter)));
            if operator == FilterOperator::Equal {
                let title = format!("GET {}?{}=", served.path.path, parameter.name);
                cases.push(Case::new(Section::Filters, title, NULL, move |session| nulls(session, list, parameter)));
            }
            if parameter.deprecation.is_some() {
                let title = format!("GET {}?{}=…: announced", served.path.path, parameter.name);
                cases.push(Case::new(Section::Deprecation, title, ANNOUNCED, move |session| {
                    announced(session, list, parameter)
                }));
            }
        }
    }
}

/// Whether a filter with this value selects an entity that has `found`; `None`: that is not known here.
pub(super) fn is_selected(
    ty: &ValueType<'_>,
    operator: FilterOperator,
    found: &Value,
    values: &[&Value],
) -> Option<bool> {
    let first = values.first()?;
    let equals = |value: &Value| match compare(ty, found, value) {
        Some(order) => order == Ordering::Equal,
        None => found == value,
    };
    let text = || Some((found.as_str()?, first.as_str()?));
    let folded = || text().map(|(found, part)| (fold_case(found), fold_case(part)));
    match operator {
        FilterOperator::Match(Match::Not) => Some(found.is_null() || !values.iter().any(|value| equals(value))),
        _ if found.is_null() => Some(false),
        FilterOperator::Equal => Some(values.iter().any(|value| equals(value))),
        FilterOperator::Bound(bound) => {
            let order = compare(ty, found, first)?;
            Some(match bound {
                Bound::Gt => order == Ordering::Greater,
                Bound::Gte => order != Ordering::Less,
                Bound::Lt => order == Ordering::Less,
                Bound::Lte => order != Ordering::Greater,
            })
        }
        FilterOperator::Match(Match::StartsWith) => text().map(|(found, start)| found.starts_with(start)),
        FilterOperator::Match(Match::Contains) => text().map(|(found, part)| found.contains(part)),
        FilterOperator::Match(Match::StartsWithIgnoreCase) => folded().map(|(found, start)| found.starts_with(&start)),
        FilterOperator::Match(Match::ContainsIgnoreCase) => folded().map(|(found, part)| found.contains(&part)),
    }
}

/// A value to filter by: of a text's parts, a part, in upper case where case makes no difference.
fn wanted(operator: FilterOperator, value: &Value) -> Value {
    let part = |skip: usize, take: usize| {
        let text: String = value.as_str().unwrap_or_default().chars().skip(skip).take(take).collect();
        if text.trim().is_empty() { value.clone() } else { Value::from(text) }
    };
    let upper = |part: Value| part.as_str().map_or(Value::Null, |text| Value::from(text.to_uppercase()));
    match operator {
        FilterOperator::Match(Match::StartsWith) => part(0, 3),
        FilterOperator::Match(Match::Contains) => part(1, 3),
        FilterOperator::Match(Match::StartsWithIgnoreCase) => upper(part(0, 3)),
        FilterOperator::Match(Match::ContainsIgnoreCase) => upper(part(1, 3)),
        FilterOperator::Equal | FilterOperator::Bound(_) | FilterOperator::Match(Match::Not) => value.clone(),
    }
}

fn selects<'a>(session: &mut Session<'a>, list: List<'a>, filter: &'a QueryParameter<'a>) -> Done {
    let ParameterKind::Filter { field, operator, value: ty } = &filter.kind else { return Ok(()) };
    let (request, all) = whole(session, list)?;
    let given: BTreeSet<String> =
        all.iter().map(|item| at(item, field)).filter(|value| !value.is_null()).map(Value::to_string).collect();
    let values: Vec<Value> = given.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    let Some(value) = values.get(values.len() / 2) else { return not_applicable("no entity has a value") };
    let value = wanted(*operator, value);
    select(session, list, filter, (&request, &all), &[&value], ty)?;
    match values.first().filter(|first| **first != value && *operator == FilterOperator::Equal) {
        Some(first) => select(session, list, filter, (&request, &all), &[first, &value], ty),
        None => Ok(()),
    }
}

fn select(
    session: &mut Session<'_>,
    list: List<'_>,
    filter: &QueryParameter<'_>,
    (request, all): (&Request, &[Value]),
    values: &[&Value],
    ty: &ValueType<'_>,
) -> Done {
    let ParameterKind::Filter { field, operator, .. } = &filter.kind else { return Ok(()) };
    let mut request = request.clone();
    if filter.name == "id" {
        // ids select the entities of the run already
        let target = session.existing(&list.0)?;
        request = session.request(list.1, target)?;
    }
    for value in values {
        let Some(text) = parameter(value).filter(|text| text.len() <= MAX_TEXT) else {
            return not_applicable("the value cannot be written in a query string");
        };
        request = request.query(&filter.name, &text);
    }
    let mut expected = BTreeSet::new();
    for item in all {
        match is_selected(ty, *operator, at(item, field), values) {
            Some(true) => drop(expected.insert(item["id"].to_string())),
            Some(false) => {}
            None => return not_applicable("the order of this type is not known to the runner"),
        }
    }
    let exchange = session.send(&request)?;
    let found: BTreeSet<_> = items(list.0, &exchange)?.iter().map(|item| item["id"].to_string()).collect();
    let count = exchange.json()["count"].as_u64().filter(|_| list.0.resource.count);
    exchange.holds(found == expected, format!("the ids {expected:?}"))?;
    exchange.holds(count.is_none_or(|count| count == expected.len() as u64), format!("`count` {}", expected.len()))
}

fn nulls<'a>(session: &mut Session<'a>, list: List<'a>, filter: &'a QueryParameter<'a>) -> Done {
    let ParameterKind::Filter { field, .. } = &filter.kind else { return Ok(()) };
    if filter.name == "id" {
        return not_applicable("every entity has an id");
    }
    let (request, all) = whole(session, list)?;
    let expected: BTreeSet<_> =
        all.iter().filter(|item| at(item, field).is_null()).map(|item| item["id"].to_string()).collect();
    let exchange = session.send(&request.query(&filter.name, ""))?;
    let found: BTreeSet<_> = items(list.0, &exchange)?.iter().map(|item| item["id"].to_string()).collect();
    exchange.holds(found == expected, format!("the ids {expected:?}"))
}

fn announced<'a>(session: &mut Session<'a>, list: List<'a>, filter: &'a QueryParameter<'a>) -> Done {
    let ParameterKind::Filter { field, .. } = &filter.kind else { return Ok(()) };
    let (request, all) = whole(session, list)?;
    let value = all.iter().find_map(|item| parameter(at(item, field)));
    let Some(value) = value.filter(|text| text.len() <= MAX_TEXT) else {
        return not_applicable("no entity has a value");
    };
    let exchange = session.send(&request.query(&filter.name, &value))?;
    exchange.is(200)?;
    let has_sunset = filter.deprecation.is_none_or(|it| it.sunset.is_none()) || exchange.header("sunset").is_some();
    exchange.holds(exchange.header("deprecation").is_some() && has_sunset, "`Deprecation`, and `Sunset` with a day")
}
