//! A specimen to be, down to the elements of its arrays.

use crate::fields::{Criteria, SEARCHED, SPECIMEN};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

/// A specimen to be: a value for each field that has one, and whose it is.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    values: Vec<Option<Index>>,
    pub(crate) keeper: Option<Index>,
    tag: Option<Index>,
    listed: Vec<(Index, Index)>,
    elements: Vec<(Index, Element)>,
}

/// An element of an array of objects: its values, those of its arrays, and its own elements.
#[derive(Debug, Clone)]
struct Element {
    values: Vec<Option<Index>>,
    listed: Vec<(Index, Index)>,
    elements: Vec<(Index, Element)>,
}

pub(crate) fn draft() -> impl Strategy<Value = Draft> {
    let often = || proptest::option::weighted(0.7, any::<Index>());
    (vec(often(), SPECIMEN.len()), often(), often(), listed(), elements(2))
        .prop_map(|(values, keeper, tag, listed, elements)| Draft { values, keeper, tag, listed, elements })
}

/// Values of some arrays of single values.
fn listed() -> impl Strategy<Value = Vec<(Index, Index)>> {
    vec(any::<(Index, Index)>(), 0..4)
}

/// Elements of some arrays, with this number of levels.
fn elements(depth: u32) -> BoxedStrategy<Vec<(Index, Element)>> {
    if depth == 0 {
        return Just(Vec::new()).boxed();
    }
    // more than any element has fields
    let values = vec(proptest::option::weighted(0.7, any::<Index>()), 16);
    let element = (values, listed(), elements(depth - 1)).prop_map(|(values, listed, elements)| Element {
        values,
        listed,
        elements,
    });
    vec((any::<Index>(), element), 0..4).boxed()
}

impl Draft {
    /// As it is posted.
    pub(crate) fn body(&self, tags: &[Value], number: usize, owner: Option<&Value>, is_new: bool) -> Value {
        let mut body = json!({ "name": "Coral", "storage": { "shelf": "Z" }, "readings": [7] });
        for (field, index) in SPECIMEN.iter().zip(&self.values) {
            let Some(index) = index else { continue };
            match field.name {
                // unique, given by reference, set by the service, taken at creation only
                "code" => body["code"] = json!(format!("ABC-{:02}", number % 100)),
                "keeper.id" | "tag.id" | "status" => {}
                "registryNumber" if !is_new => {}
                name if name.starts_with("costPrice") && owner.is_none() => {}
                name => set(&mut body, name, field.any(*index)),
            }
        }
        // halves of a price, and a site without the place that it is in
        for (half, rest, missing) in [
            ("/value/amount", "/value/currency", "value.currency"),
            ("/value/currency", "/value/amount", "value.amount"),
            ("/costPrice/amount", "/costPrice/currency", "costPrice.currency"),
            ("/costPrice/currency", "/costPrice/amount", "costPrice.amount"),
            ("/origin/site", "/origin/place", "origin.place"),
        ] {
            if body.pointer(half).is_some() && body.pointer(rest).is_none() {
                set(&mut body, missing, json!(if missing.ends_with("amount") { "5" } else { "PLN" }));
            }
        }
        list(&mut body, &SEARCHED, &self.listed);
        add(&mut body, &SEARCHED, &self.elements);
        body["tag"] = self.tag.map_or(Value::Null, |tag| json!({ "id": tag.get(tags)["id"] }));
        if let Some(owner) = owner {
            body["keeper"] = json!({ "id": owner["id"] });
        }
        body
    }
}

/// Adds elements to the arrays of an object.
fn add(body: &mut Value, criteria: &Criteria, elements: &[(Index, Element)]) {
    for (index, element) in elements.iter().filter(|_| !criteria.objects.is_empty()) {
        let (name, inner) = &criteria.objects[index.index(criteria.objects.len())];
        push(&mut body[*name], element.body(name, inner));
    }
}

/// Adds values to the arrays of single values of an object.
fn list(body: &mut Value, criteria: &Criteria, listed: &[(Index, Index)]) {
    for (index, value) in listed.iter().filter(|_| !criteria.lists.is_empty()) {
        let field = &criteria.lists[index.index(criteria.lists.len())];
        let value = field.any(*value);
        // labels are unique, samples are two at least
        if !body[field.name].as_array().is_some_and(|known| known.contains(&value)) {
            push(&mut body[field.name], value);
        }
    }
    if body["samples"].as_array().is_some_and(|samples| samples.len() == 1) {
        push(&mut body["samples"], json!(7.25));
    }
}

/// Adds to an array, which is made where there is none.
pub(crate) fn push(array: &mut Value, value: Value) {
    match array {
        Value::Array(values) => values.push(value),
        none => *none = json!([value]),
    }
}

impl Element {
    fn body(&self, array: &str, criteria: &Criteria) -> Value {
        let mut body = match array {
            "parts" => json!({ "name": "Tail" }),
            "layers" => json!({ "colour": "WHITE" }),
            _ => json!({}),
        };
        for (field, index) in criteria.values.iter().zip(&self.values) {
            if let Some(index) = index {
                set(&mut body, field.name, field.any(*index));
            }
        }
        if let Some(price) = body.get_mut("insurance") {
            for (half, value) in [("amount", "5"), ("currency", "PLN")] {
                if price[half].is_null() {
                    price[half] = json!(value);
                }
            }
        }
        list(&mut body, criteria, &self.listed);
        add(&mut body, criteria, &self.elements);
        body
    }
}

/// Sets what a dotted name names.
pub(crate) fn set(body: &mut Value, name: &str, value: Value) {
    let mut at = body;
    for part in name.split('.') {
        if at.is_null() {
            *at = Value::Object(Map::new());
        }
        at = &mut at[part];
    }
    *at = value;
}
