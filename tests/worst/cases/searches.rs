//! Searches: posted, then listed by. As many objects and values as there may be, found nowhere, everywhere, or last.

use super::lists::{is_list, longest};
use super::{CREATED, Manner, Shot};
use crate::site::Site;
use crate::values::{Budget, NOWHERE};
use restwell_model::resource::Search;
use restwell_model::{Field, Kind, Object, Type};
use serde_json::{Map, Value, json};

/// `MAX_OBJECTS` of a search.
const MOST_OBJECTS: usize = 100;
/// `MAX_VALUES` of a search.
const MOST_VALUES: usize = 500;
/// The greatest `limit`.
const WIDEST: usize = 1000;

/// Lists that can be searched.
pub(super) fn is_searched(site: &Site<'_>) -> bool {
    is_list(site) && site.resource.search != Search::None
}

pub(super) fn has_arrays(site: &Site<'_>) -> bool {
    is_searched(site) && !arrays(site).is_empty()
}

/// The arrays of objects that are searched.
fn arrays<'a>(site: &Site<'a>) -> Vec<(&'a Field, &'a Object)> {
    let is_covered = |field: &&Field| match &site.resource.search {
        Search::None => false,
        Search::All => true,
        Search::Fields(names) => names.contains(&field.name),
    };
    let covered = site.shown().into_iter().filter(is_covered);
    covered.filter_map(|field| element(site, &field.ty).map(|object| (field, object))).collect()
}

fn element<'a>(site: &Site<'a>, ty: &'a Type) -> Option<&'a Object> {
    let Kind::Array(items) = site.values.model.kind(ty) else { return None };
    match site.values.model.kind(items) {
        Kind::Object(object) => Some(object),
        _ => None,
    }
}

/// Posts a search and lists by it, in the dearest order.
fn search(site: &Site<'_>, body: &Value, manner: Manner) -> Vec<Shot> {
    let post = site.at("POST", &site.searches(), "").body(body.to_string().as_bytes());
    let query = format!("search.id={CREATED}&limit={WIDEST}&sort={}", longest(site));
    vec![Shot::of(Manner::Read, &post), Shot::of(manner, &site.request(&query))]
}

/// A search of the first array of objects, of this many that a function makes of their numbers.
fn of_objects(site: &Site<'_>, count: usize, object: impl Fn(&Object, usize) -> Value) -> Value {
    let arrays = arrays(site);
    let (field, element) = arrays[0];
    json!({ field.name.clone(): (0..count).map(|number| object(element, number)).collect::<Vec<_>>() })
}

/// What an element with this number has, as criteria; arrays in it with one element each.
fn criteria(site: &Site<'_>, object: &Object, number: usize, spent: &mut usize) -> Value {
    let mut members = Map::new();
    for field in object.fields.iter().filter(|field| !field.write_only) {
        let value = match (element(site, &field.ty), site.values.model.kind(&field.ty)) {
            (Some(inner), _) if *spent + 2 * inner.fields.len() < MOST_VALUES => {
                *spent += 1;
                json!([criteria(site, inner, number, spent)])
            }
            (Some(_), _) => continue,
            (None, Kind::Array(items)) => {
                let item = Field::new(&field.name, items.clone());
                json!([site.values.of(&item, number, &mut Budget::bytes(0))])
            }
            (None, _) => site.values.of(field, number, &mut Budget::bytes(0)).unwrap_or_default(),
        };
        *spent += 1;
        members.insert(field.name.clone(), value);
    }
    Value::Object(members)
}

/// How many objects fit that have all their criteria.
fn fitting(site: &Site<'_>) -> usize {
    let mut spent = 0;
    let (_, object) = arrays(site)[0];
    let nested = criteria(site, object, 0, &mut spent);
    // a price counts twice; an object in an object counts as one
    let objects = 1 + nested.as_object().into_iter().flatten().filter(|(_, value)| value[0].is_object()).count();
    (MOST_VALUES / (spent + 2)).min(MOST_OBJECTS / objects)
}

/// Objects that no element is: each is looked for in every element of every row.
pub(super) fn nowhere(site: &Site<'_>) -> Vec<Shot> {
    let body = of_objects(site, fitting(site), |object, number| criteria(site, object, NOWHERE + 12 * number, &mut 0));
    search(site, &body, Manner::Read)
}

/// The same object so often: none costs less for it.
pub(super) fn alike(site: &Site<'_>) -> Vec<Shot> {
    let body = of_objects(site, fitting(site), |object, _| criteria(site, object, 0, &mut 0));
    search(site, &body, Manner::Read)
}

/// Objects that elements are, the later ones in few rows only.
pub(super) fn last_elements(site: &Site<'_>) -> Vec<Shot> {
    let body = of_objects(site, fitting(site), |object, number| criteria(site, object, number % 8, &mut 0));
    search(site, &body, Manner::Read)
}

/// Objects that nearly every element is, by one criterion each.
pub(super) fn given(site: &Site<'_>) -> Vec<Shot> {
    let is_single = |field: &&Field| {
        let is_structured = matches!(field.ty, Type::Price { .. } | Type::Ref { .. });
        !is_structured && matches!(site.values.model.kind(&field.ty), Kind::Scalar(_) | Kind::Enum(_))
    };
    let body = of_objects(site, MOST_OBJECTS, |object, number| {
        let fields: Vec<_> = object.fields.iter().filter(is_single).collect();
        match fields.is_empty() {
            true => json!({}),
            false => json!({ fields[number % fields.len()].name.clone(): { "isNull": number % 7 == 6 } }),
        }
    });
    search(site, &body, Manner::Read)
}

pub(super) fn left(site: &Site<'_>) -> Vec<Shot> {
    let body = of_objects(site, fitting(site), |object, number| criteria(site, object, NOWHERE + 12 * number, &mut 0));
    search(site, &body, Manner::Leave)
}

/// Values of a text that is filtered by, found nowhere.
pub(super) fn most_values(site: &Site<'_>) -> Vec<Shot> {
    let is_text = |field: &&Field| field.filter.is_on() && matches!(field.ty, Type::String { pattern: None, .. });
    let Some(field) = site.shown().into_iter().find(is_text) else { return Vec::new() };
    let values = (0..MOST_VALUES).map(|number| site.values.of(field, NOWHERE + number, &mut Budget::bytes(0)));
    search(site, &json!({ field.name.clone(): values.collect::<Vec<_>>() }), Manner::Read)
}
