//! Searches, and what they find by the plain meaning of §2.5 and the decision "Searches".

use crate::draft::{push, set};
use crate::fields::{Criteria, Field, SEARCHED, SPECIMEN};
use crate::question::{Matching, Picked, Question, RANGES, is_matched, matching, picked, unconditional};
use crate::world::{Place, World};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseError;
use restwell_testkit::wire::{BETA, PUBLIC};
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// What was not given, however it is written (decisions, "Searches"); an array of strings takes no object.
const NOTHINGS: [&str; 4] = ["null", "\"\"", "\"  \"", "[]"];

/// A search, before it is known what there is to search for, and the lists that use it.
#[derive(Debug, Clone)]
pub(crate) struct Searching {
    in_beta: bool,
    sketch: Sketch,
    limit: Option<u32>,
    offset: Option<u32>,
    pub(crate) uses: Vec<Question>,
}

/// What is asked of an object: of its values, of its arrays of values, of its arrays of objects.
#[derive(Debug, Clone)]
struct Sketch {
    /// The object that it resembles; values of any otherwise.
    like: Option<Index>,
    values: Vec<(Index, Criterion)>,
    lists: Vec<(Index, Criterion)>,
    objects: Vec<(Index, Sketch)>,
}

#[derive(Debug, Clone)]
enum Criterion {
    One(Picked),
    Listed(Vec<Picked>),
    Range(Vec<(Index, Picked)>, Option<bool>),
    Match(Matching),
    Nothing(&'static str),
}

pub(crate) fn searching() -> impl Strategy<Value = Searching> {
    let limit = prop_oneof![2 => Just(None), 1 => (0..12u32).prop_map(Some), 1 => Just(Some(1000))];
    let offset = prop_oneof![2 => Just(None), 1 => (0..6u32).prop_map(Some)];
    (any::<bool>(), sketch(2), limit, offset, vec(unconditional(), 1..7))
        .prop_map(|(in_beta, sketch, limit, offset, uses)| Searching { in_beta, sketch, limit, offset, uses })
}

/// With this number of levels of arrays.
fn sketch(depth: u32) -> BoxedStrategy<Sketch> {
    let criteria = || vec((any::<Index>(), criterion()), 0..3);
    let objects = match depth {
        0 => Just(Vec::new()).boxed(),
        _ => prop_oneof![1 => Just(Vec::new()), 2 => vec((any::<Index>(), sketch(depth - 1)), 1..3)].boxed(),
    };
    let like = proptest::option::weighted(0.7, any::<Index>());
    (like, criteria(), criteria(), objects)
        .prop_map(|(like, values, lists, objects)| Sketch { like, values, lists, objects })
        .boxed()
}

fn criterion() -> impl Strategy<Value = Criterion> {
    let range = (vec((any::<Index>(), picked()), 0..3), proptest::option::weighted(0.3, any::<bool>()));
    prop_oneof![
        3 => picked().prop_map(Criterion::One),
        3 => vec(picked(), 0..5).prop_map(Criterion::Listed),
        4 => range.prop_map(|(bounds, is_null)| Criterion::Range(bounds, is_null)),
        2 => matching().prop_map(Criterion::Match),
        1 => select(&NOTHINGS[..]).prop_map(Criterion::Nothing),
    ]
}

impl Searching {
    /// The version that it is posted in, and what is posted, to find some of these specimens.
    pub(crate) fn body(&self, specimens: &[Value]) -> (&'static str, Value) {
        let mut body = self.sketch.of(&SEARCHED, &specimens.iter().collect::<Vec<_>>());
        let members = body.as_object_mut().expect("an object");
        for (name, number) in [("limit", self.limit), ("offset", self.offset)] {
            members.extend(number.map(|number| (name.to_owned(), json!(number))));
        }
        if !self.in_beta {
            members.remove("habitat");
        }
        (if self.in_beta { BETA } else { PUBLIC }, body)
    }

    /// The paging of a list that does not say.
    pub(crate) fn paging(&self) -> (Option<u32>, Option<u32>) {
        (self.offset, self.limit)
    }
}

/// Posts a search; the answer is its id.
pub(crate) fn post(world: &mut World, version: &str, body: &Value) -> Result<String, TestCaseError> {
    let reply = world.wire.send("POST", b"/specimen-searches", version, None, Some(body));
    prop_assert_eq!(reply.status, 201, "POST /specimen-searches {}\n{}", body, reply.body);
    Ok(reply.json()["id"].as_str().unwrap_or_default().to_owned())
}

impl Sketch {
    /// As it is asked of such objects, of which there are these.
    fn of(&self, criteria: &Criteria, objects: &[&Value]) -> Value {
        let alike = self.like.filter(|_| !objects.is_empty()).map(|index| [objects[index.index(objects.len())]]);
        let objects = alike.as_ref().map_or(objects, <[_; 1]>::as_slice);
        let mut body = json!({});
        for (index, criterion) in &self.values {
            let field = &criteria.values[index.index(criteria.values.len())];
            let stored: Vec<_> = objects.iter().map(|object| field.of(object)).collect();
            set(&mut body, field.name, criterion.of(field, &stored));
        }
        for (index, criterion) in self.lists.iter().filter(|_| !criteria.lists.is_empty()) {
            let field = &criteria.lists[index.index(criteria.lists.len())];
            let stored: Vec<_> = objects.iter().flat_map(|object| elements(object, field.name)).collect();
            let criterion = criterion.of(field, &stored);
            body[field.name] = if criterion.is_object() { Value::Null } else { criterion };
        }
        for (index, sketch) in self.objects.iter().filter(|_| !criteria.objects.is_empty()) {
            let (name, inner) = &criteria.objects[index.index(criteria.objects.len())];
            let stored: Vec<_> = objects.iter().flat_map(|object| elements(object, name)).collect();
            let wanted = sketch.of(inner, &stored);
            push(&mut body[*name], wanted);
        }
        body
    }
}

impl Criterion {
    fn of(&self, field: &Field, stored: &[&Value]) -> Value {
        match self {
            Self::One(value) => value.among(field, stored),
            // null is no value of a list
            Self::Listed(values) => {
                values.iter().map(|value| value.among(field, stored)).filter(|value| !value.is_null()).collect()
            }
            Self::Range(bounds, is_null) => {
                let bounds = bounds.iter().filter(|_| field.ordered);
                let bounds = bounds
                    .map(|(word, value)| (RANGES[word.index(RANGES.len())].to_owned(), value.among(field, stored)));
                let is_null = is_null.map(|is_null| ("isNull".to_owned(), json!(is_null)));
                Value::Object(bounds.chain(is_null).collect::<Map<_, _>>())
            }
            Self::Match(matching) => {
                let member = matching.of(field, stored).map(|(word, value)| (word.to_owned(), value));
                Value::Object(member.into_iter().collect())
            }
            Self::Nothing(text) => serde_json::from_str(text).expect("JSON"),
        }
    }
}

/// The criteria that a list lacks, by their names.
pub(crate) fn lacking(body: &Value, place: &Place) -> Vec<String> {
    let is_lacking = |name: &str| {
        let is_field = |field: &Field| field.name.split('.').next() == Some(name);
        SPECIMEN.iter().any(is_field) && !place.fields.iter().any(|field| is_field(field))
    };
    let given = body.as_object().into_iter().flatten().filter(|(name, value)| is_given(value) && is_lacking(name));
    given.map(|(name, _)| name.clone()).collect()
}

/// The elements of an array in an object.
fn elements<'a>(object: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    object[name].as_array().into_iter().flatten()
}

/// Whether a specimen is what a search's body asks for.
pub(crate) fn finds(body: &Value, specimen: &Value) -> bool {
    holds(&SEARCHED, body, specimen)
}

fn holds(criteria: &Criteria, body: &Value, object: &Value) -> bool {
    criteria.values.iter().all(|field| is_met(field, field.of(body), field.of(object)))
        && criteria.lists.iter().all(|field| {
            let criterion = field.of(body);
            !is_given(criterion) || elements(object, field.name).any(|value| is_met(field, criterion, value))
        })
        && criteria.objects.iter().all(|(name, inner)| {
            elements(body, name).all(|wanted| elements(object, name).any(|found| holds(inner, wanted, found)))
        })
}

fn is_met(field: &Field, criterion: &Value, stored: &Value) -> bool {
    let compares = |value: &Value, is: fn(Ordering) -> bool| !stored.is_null() && is(field.compare(stored, value));
    match criterion {
        Value::Array(values) => values.is_empty() || values.iter().any(|value| compares(value, Ordering::is_eq)),
        Value::Object(bounds) => bounds.iter().all(|(word, bound)| match word.as_str() {
            "isNull" => bound.as_bool() == Some(stored.is_null()),
            _ if !is_given(bound) => true,
            "gt" => compares(bound, Ordering::is_gt),
            "gte" => compares(bound, Ordering::is_ge),
            "lt" => compares(bound, Ordering::is_lt),
            word if field.matches.contains(&word) => is_matched(field, stored, word, bound),
            _ => compares(bound, Ordering::is_le),
        }),
        value => !is_given(value) || compares(value, Ordering::is_eq),
    }
}

/// Whether there is a criterion here, or in here.
fn is_given(criterion: &Value) -> bool {
    match criterion {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(members) => members.values().any(is_given),
        _ => true,
    }
}
