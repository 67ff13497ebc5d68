//! Lists: the widest, the farthest, those with most to sort and to compare.

use super::{Manner, Shot, read};
use crate::site::Site;
use crate::values::{Budget, NOWHERE};
use restwell_model::{Field, Kind, OperationKind, Type};
use serde_json::Value;

/// `MAX_VALUES` of a query string.
const MOST_VALUES: usize = 100;
/// The greatest `limit`.
const WIDEST: usize = 1000;

pub(super) fn is_list(site: &Site<'_>) -> bool {
    site.is(OperationKind::List)
}

/// The widest page, with more in its query.
pub(super) fn widest(site: &Site<'_>, query: &str) -> Vec<Shot> {
    read(&site.request(&wide(query)))
}

fn wide(query: &str) -> String {
    format!("limit={WIDEST}&{query}").trim_end_matches('&').to_owned()
}

pub(super) fn compressed(site: &Site<'_>) -> Vec<Shot> {
    read(&site.request(&wide("")).header("accept-encoding", "gzip"))
}

pub(super) fn far(site: &Site<'_>) -> Vec<Shot> {
    widest(site, &format!("offset={}", site.rows.saturating_sub(WIDEST)))
}

pub(super) fn unread(site: &Site<'_>) -> Vec<Shot> {
    vec![Shot::of(Manner::Idle, &site.request(&wide("")))]
}

pub(super) fn left(site: &Site<'_>) -> Vec<Shot> {
    let query = wide(&format!("sort={}&offset={}", longest(site), site.rows / 2));
    vec![Shot::of(Manner::Leave, &site.request(&query))]
}

pub(super) fn longest_sort(site: &Site<'_>) -> Vec<Shot> {
    widest(site, &format!("sort={}", longest(site)))
}

pub(super) fn longest_sort_far(site: &Site<'_>) -> Vec<Shot> {
    widest(site, &format!("sort={}&offset={}", longest(site), site.rows.saturating_sub(WIDEST)))
}

/// All that can be sorted by, against the order of the indexes, the one with most ties first.
pub(super) fn longest(site: &Site<'_>) -> String {
    let mut names: Vec<_> = site.shown().into_iter().filter(|field| field.sort).map(|field| &*field.name).collect();
    names.reverse();
    let names = names.into_iter().chain(["createdAt", "updatedAt", "id"]).enumerate();
    let sorts = names.map(|(index, name)| format!("{}{name}", if index % 2 == 0 { "-" } else { "" }));
    sorts.collect::<Vec<_>>().join(",")
}

pub(super) fn is_filtered(site: &Site<'_>) -> bool {
    is_list(site) && !filters(site).is_empty()
}

/// What can be filtered by: the parameter, and the field that its values are of.
fn filters<'a>(site: &Site<'a>) -> Vec<(String, &'a Field)> {
    let mut filters = Vec::new();
    for field in site.shown() {
        collect(site, field, "", &mut filters);
    }
    filters
}

fn collect<'a>(site: &Site<'a>, field: &'a Field, below: &str, filters: &mut Vec<(String, &'a Field)>) {
    let name = format!("{below}{}", field.name);
    match site.values.model.kind(&field.ty) {
        Kind::Object(object) => object.fields.iter().for_each(|f| collect(site, f, &format!("{name}."), filters)),
        Kind::Array(_) => {}
        _ if !field.filter.is_on() => {}
        _ => match field.ty {
            Type::Price { .. } => filters.push((format!("{name}.amount"), field)),
            Type::Ref { .. } => filters.push((format!("{name}.id"), field)),
            _ => filters.push((name, field)),
        },
    }
}

/// A value of a filter, as it stands in a query.
fn value(site: &Site<'_>, field: &Field, number: usize) -> String {
    let value = match (site.values.of(field, number, &mut Budget::bytes(0)), &field.ty) {
        (_, Type::Ref { .. }) => return format!("019e7045-7260-726b-b2a7-{number:012x}"),
        (Some(value), Type::Price { .. }) => value["amount"].clone(),
        (value, _) => value.unwrap_or_default(),
    };
    match value {
        Value::String(text) => text.replace(' ', "+").replace('&', "%26"),
        other => other.to_string(),
    }
}

/// One filter with values that are nowhere, so that all is looked through.
pub(super) fn most_values(site: &Site<'_>) -> Vec<Shot> {
    let each = filters(site).into_iter().take(4).flat_map(|(name, field)| {
        let values = (0..MOST_VALUES).map(|number| format!("{name}={}", value(site, field, NOWHERE + number)));
        let values = values.collect::<Vec<_>>().join("&");
        widest(site, &format!("{values}&sort={}", longest(site)))
    });
    each.collect()
}

/// All filters with as many values each as there may be.
pub(super) fn every_filter(site: &Site<'_>) -> Vec<Shot> {
    let filters = filters(site);
    let each = MOST_VALUES / filters.len().max(1);
    let values = filters
        .iter()
        .flat_map(|(name, field)| (0..each).map(move |number| format!("{name}={}", value(site, field, number))));
    let values = values.collect::<Vec<_>>().join("&");
    widest(site, &format!("{values}&sort={}", longest(site)))
}

/// Ranges that leave every row, so that no index helps, and a sort by something else.
pub(super) fn wide_ranges(site: &Site<'_>) -> Vec<Shot> {
    let is_ordered = |field: &Field| field.ty.is_ordered() || matches!(field.ty, Type::Price { .. });
    let filters = filters(site).into_iter().filter(|(_, field)| is_ordered(field));
    let ranges = filters.map(|(name, field)| match field.ty {
        Type::Timestamp { .. } => format!("{name}.gt=1980-01-01T00:00:00.000Z"),
        Type::Date { .. } => format!("{name}.gt=1980-01-01"),
        Type::Time => format!("{name}.gte=00:00:00.000"),
        _ => format!("{name}.gte=0"),
    });
    let ranges: Vec<_> = ranges.chain(["createdAt.gt=1980-01-01T00:00:00.000Z".to_owned()]).collect();
    widest(site, &format!("{}&sort={}&offset={}", ranges.join("&"), longest(site), site.rows / 2))
}
