//! Reading, compared with a model: for any data and any query, lists give what a plain search through all
//! entities finds, in the plain order of their values. And any query string gets a response.
//!
//! A failure names the seed that `RESTWELL_SEED` takes, and is reduced to the fewest writes and questions that still fail.

mod draft;
mod fields;
mod question;
mod search;
mod strings;
mod typed;
mod walk;
mod world;

use draft::{Draft, draft};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseError, TestRunner};
use question::{Question, question};
use restwell_testkit::effort::{by_effort, repeated, seed_or_clock};
use search::{Searching, searching};
use serde_json::Value;
use world::{Place, World, Write, write};

/// Services that are made and asked, by effort.
const WORLDS: (u32, u32, u32) = (6, 24, 1_000);
/// Milliseconds that a failure is reduced for, at most.
const REDUCING: u32 = 60_000;
/// Entities that come while a walk is on its way.
const LATECOMERS: usize = 6;

/// What happens to a service.
#[derive(Debug, Clone)]
enum Step {
    Write(Write),
    /// A page.
    Ask(Question),
    /// Pages of what a search finds.
    Search(Searching),
    /// All pages of this size, one after the other; in the order of creation others come in between.
    Walk {
        question: Question,
        size: u32,
        latecomers: Option<Draft>,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let walk = (question(), 1..8u32, proptest::option::of(draft()))
        .prop_map(|(question, size, latecomers)| Step::Walk { question, size, latecomers });
    let search = searching().prop_map(Step::Search);
    prop_oneof![2 => write().prop_map(Step::Write), 12 => question().prop_map(Step::Ask), 4 => search, 1 => walk]
}

#[test]
fn lists_answer_what_a_plain_search_finds() {
    let first = vec(write().prop_map(Step::Write), 0..40);
    check(&(first, vec(step(), 1..300)), |(first, steps)| {
        let mut world = World::new();
        first.iter().chain(&steps).try_for_each(|step| take(&mut world, step))
    });
}

#[test]
fn any_query_string_is_answered_and_nothing_of_it_passed_over() {
    let first = vec(write(), 4..12);
    check(&(first, vec(strings::asked(), 1..150)), |(first, asked)| {
        let mut world = World::new();
        first.iter().for_each(|write| world.write(write));
        asked.iter().try_for_each(|asked| strings::ask(&mut world, asked))
    });
}

/// Runs a property on random cases.
fn check<S: Strategy>(strategy: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let seed = seed_or_clock();
    let worlds = by_effort(WORLDS);
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_time: REDUCING,
        rng_seed: RngSeed::Fixed(seed),
        ..ProptestConfig::with_cases(worlds)
    };
    if let Err(error) = TestRunner::new(config).run(strategy, test) {
        panic!("{}\n{error}", repeated(seed));
    }
}

fn take(world: &mut World, step: &Step) -> Result<(), TestCaseError> {
    match step {
        Step::Write(write) => {
            world.write(write);
            Ok(())
        }
        Step::Ask(question) => ask(world, question),
        Step::Search(searching) => search(world, searching),
        Step::Walk { question, size, latecomers } => walk(world, question, *size, latecomers.as_ref()),
    }
}

fn ask(world: &mut World, question: &Question) -> Result<(), TestCaseError> {
    let which = question.place.index(world.places().len());
    let place = world.places().swap_remove(which);
    let entities = place.entities(world);
    let entities: Vec<_> = entities.iter().collect();
    let asked = question.of(&place.fields, &entities);
    let (expected, count) = asked.answer(&entities);
    let query = asked.query();
    let (found, told) = page(world, &place, &query)?;
    same(&place, &query, &expected, &found)?;
    prop_assert_eq!(told, place.has_count.then_some(count), "the count of {}?{}", place.path, query);
    Ok(())
}

/// Posts a search and lists what it finds, in collections that have its criteria and in those that lack one.
fn search(world: &mut World, searching: &Searching) -> Result<(), TestCaseError> {
    let (version, body) = searching.body(&world.specimens);
    let id = search::post(world, version, &body)?;
    for question in &searching.uses {
        let mut places: Vec<_> = world.places().into_iter().filter(Place::is_searchable).collect();
        let place = places.swap_remove(question.place.index(places.len()));
        let entities = place.entities(world);
        let asked = question.of(&place.fields, &[]);
        let query = format!("search.id={id}&{}", asked.query());
        let told = format!("{query} of {body}");
        let lacking = search::lacking(&body, &place);
        if !lacking.is_empty() {
            let reply = world.ask(&place, &query);
            prop_assert_eq!(reply.status, 422, "{}?{}\n{}", place.path, told, reply.body);
            let body = reply.json();
            let errors = body["errors"].as_array().into_iter().flatten();
            let problems: Vec<_> = errors.map(|error| (error["code"].clone(), error["path"].clone())).collect();
            let expected: Vec<_> =
                lacking.iter().map(|name| ("UnknownParameter".into(), name.as_str().into())).collect();
            prop_assert_eq!(problems, expected, "{}?{}", place.path, told);
            continue;
        }
        let found: Vec<_> = entities.iter().filter(|entity| search::finds(&body, entity)).collect();
        let (expected, count) = asked.or_paged(searching.paging()).answer(&found);
        let (found, counted) = page(world, &place, &query)?;
        same(&place, &told, &expected, &found)?;
        prop_assert_eq!(counted, Some(count), "the count of {}?{}", place.path, told);
    }
    Ok(())
}

/// Goes through all pages: each entity comes once, in order.
fn walk(world: &mut World, question: &Question, size: u32, latecomers: Option<&Draft>) -> Result<(), TestCaseError> {
    let which = question.place.index(world.places().len());
    let place = world.places().swap_remove(which);
    let asked = question.of(&place.fields, &place.entities(world).iter().collect::<Vec<_>>());
    let asked = if latecomers.is_some() { asked.in_order_of_creation() } else { asked };
    let (mut found, mut queries) = (Vec::new(), Vec::new());
    loop {
        let query = asked.page(found.len() as u32, size).query();
        let (page, _) = page(world, &place, &query)?;
        queries.push(query);
        let is_last = page.len() < size as usize;
        found.extend(page);
        if is_last {
            break;
        }
        if let Some(draft) = latecomers.filter(|_| queries.len() <= LATECOMERS) {
            world.write(&Write::Create(draft.clone()));
        }
    }
    // what is there in the end; what was asked stands as it was
    let entities = place.entities(world);
    let entities: Vec<_> = entities.iter().collect();
    let (expected, _) = asked.page(0, u32::MAX).answer(&entities);
    same(&place, &queries.join(" "), &expected, &found)
}

/// A page's entities, and the count that comes with it.
fn page(world: &mut World, place: &Place, query: &str) -> Result<(Vec<Value>, Option<usize>), TestCaseError> {
    let reply = world.ask(place, query);
    prop_assert_eq!(reply.status, 200, "{}?{}\n{}", place.path, query, reply.body);
    let body = reply.json();
    let entities = body[place.collection].as_array().cloned();
    let count = body.get("count").and_then(Value::as_u64).map(|count| count as usize);
    let members = body.as_object().map_or(0, serde_json::Map::len);
    prop_assert_eq!(members, 1 + usize::from(count.is_some()), "{}?{}\n{}", place.path, query, body);
    Ok((entities.unwrap_or_default(), count))
}

fn same(place: &Place, query: &str, expected: &[&Value], found: &[Value]) -> Result<(), TestCaseError> {
    let ids = |entities: &[&Value]| entities.iter().map(|entity| entity["id"].clone()).collect::<Vec<_>>();
    let found: Vec<_> = found.iter().collect();
    prop_assert_eq!(ids(expected), ids(&found), "{}?{}", place.path, query);
    prop_assert_eq!(expected, &found, "{}?{}", place.path, query);
    Ok(())
}
