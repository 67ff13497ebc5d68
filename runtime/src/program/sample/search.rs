//! Sample data for `serve --sample`: entities of each resource that keep its constraints, its rules and its
//! uniqueness, in several states of its lifecycle.
//!
//! Entities are [made](EntityMaker) from the types and, where the service refuses them, changed and tried again, a
//! bounded number of times. What could not be made is reported together.

use super::states::{Aim, KnownStates, Mover};
use super::{NotCreated, create_entity};
use crate::plan::{IndexedBy, ResourceIndex};
use crate::serve::Engine;
use restwell_model::sample::{EntityMaker, in_order};
use restwell_model::{Problem, Resource};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Attempts to make the first entity of a resource, and each other one.
const FIRST_ATTEMPTS: usize = 2000;
const ATTEMPTS: usize = 300;
/// Attempts that change one draft; then another one is begun with.
const CHANGES: usize = 60;
/// Entities in a row that cannot be made before a resource is given up.
const MAX_FAILURES: usize = 3;
/// Times that the entities which the first one of a resource refers to are moved along their lifecycles.
const MAX_MOVES: usize = 3;
/// Times that a resource is tried, the later ones with other entities in other states.
const MAX_PASSES: usize = 3;

/// A resource of which less was made than was wanted.
struct Shortfall<'a> {
    resource: &'a str,
    made: usize,
    reason: String,
}

/// The time between two lines of progress.
const TELLING: Duration = Duration::from_secs(1);

/// How far the search is: told in a line of the log from time to time, where it takes long.
struct SampleProgress {
    told: Instant,
}

impl SampleProgress {
    fn tell(&mut self, resource: &str, made: usize, wanted: usize) {
        if self.told.elapsed() >= TELLING {
            self.told = Instant::now();
            tracing::info!("sample data: {made} of {wanted} {resource}");
        }
    }
}

/// Creates at most this number of entities of each resource; their number.
pub(crate) async fn create_from_model(engine: &Engine, each: usize) -> usize {
    let model = &engine.plans.service;
    let ordered = in_order(model);
    let Some(first) = ordered.first() else { return 0 };
    let mut maker = EntityMaker::new(model, first, engine.clock.now());
    let mut known = KnownStates::default();
    let mut progress = SampleProgress { told: Instant::now() };
    let at = |resource: &Resource| {
        let path = format!("/{}", resource.plural);
        engine.plans.resources.indexed().find(|(_, plan)| plan.path == path).map(|(index, _)| index)
    };
    let ordered: Vec<_> = ordered.into_iter().filter_map(|resource| Some((resource, at(resource)?))).collect();
    let (mut missing, mut moved, mut passes) = (ordered.clone(), 0, 0);
    let shortfalls = loop {
        passes += 1;
        let mut failures = Vec::new();
        for (resource, at) in missing {
            maker = maker.next(resource);
            let mut mover = Mover { engine, maker: &mut maker, known: &mut known };
            let mut tell = |made| progress.tell(&resource.plural, made, each);
            let failure = fill(&mut mover, (resource, at), each, &mut tell).await;
            // what is there now may be what transitions wait for
            mover.resume().await;
            mover.explore().await;
            failures.extend(failure.map(|reason| (resource, at, reason)));
        }
        failures.retain(|(resource, ..)| known.count(resource) < each);
        // what could not be made may need entities in states that others have got into since
        let moves = known.transitions.values().sum::<usize>();
        if failures.is_empty() || moves == moved || passes == MAX_PASSES {
            break failures;
        }
        moved = moves;
        missing = failures.into_iter().map(|(resource, at, _)| (resource, at)).collect();
    };
    report(&ordered, shortfalls, each, &Mover { engine, maker: &mut maker, known: &mut known });
    known.total()
}

/// Says in one table what could not be made.
fn report(
    ordered: &[(&Resource, ResourceIndex)],
    shortfalls: Vec<(&Resource, ResourceIndex, String)>,
    each: usize,
    mover: &Mover<'_, '_>,
) {
    if shortfalls.is_empty() {
        return;
    }
    let rows = shortfalls.into_iter().map(|(resource, _, reason)| {
        let made = mover.known.count(resource);
        Shortfall { resource: &resource.plural, made, reason }
    });
    let rows: Vec<_> = rows.collect();
    let never = ordered.iter().flat_map(|(resource, at)| {
        let transitions = mover.never_made(*at).into_iter();
        transitions.map(|transition| format!("`{transition}` of {}", resource.plural))
    });
    let never: Vec<_> = never.collect();
    let never = if never.is_empty() {
        String::new()
    } else {
        format!("\ntransitions that no entity could make: {}", never.join(", "))
    };
    tracing::warn!("the sample data is not complete:\n{}{never}", table(&rows, each));
}

/// Creates the entities of a resource that are missing; why there are not more.
async fn fill<'a>(
    mover: &mut Mover<'_, 'a>,
    (resource, at): (&'a Resource, ResourceIndex),
    each: usize,
    tell: &mut dyn FnMut(usize),
) -> Option<String> {
    let (mut failure, mut failures, mut moves) = (None, 0, 0);
    let mut index = mover.known.count(resource);
    while index < each && failures < MAX_FAILURES {
        let made = mover.known.count(resource);
        let attempts = if made == 0 { FIRST_ATTEMPTS } else { ATTEMPTS };
        let aim = mover.known.aim(&mover.engine.plans.resources[at], resource);
        match one(mover.engine, mover.maker, (at, &aim), (index, attempts), &mut || tell(made)).await {
            Ok(id) => {
                mover.known.add(resource, at, id);
                mover.follow(at, id, &aim).await;
                failures = 0;
                index += 1;
            }
            Err(reason) => {
                failure = Some(reason);
                // it may need others in a later state
                if made == 0 && moves < MAX_MOVES {
                    moves += 1;
                    if mover.move_referred(resource, &mover.maker.texts_of_rules()).await {
                        continue;
                    }
                }
                failures += 1;
                index += 1;
            }
        }
    }
    failure
}

/// Creates one entity; if it is refused, it is changed and tried again.
async fn one(
    engine: &Engine,
    maker: &mut EntityMaker<'_>,
    (at, aim): (ResourceIndex, &Aim<'_>),
    (index, attempts): (usize, usize),
    tell: &mut dyn FnMut(),
) -> Result<Uuid, String> {
    let mut best: Option<(serde_json::Map<String, serde_json::Value>, Vec<Problem>)> = None;
    let mut reason = String::new();
    for attempt in 0..attempts {
        tell();
        if attempt % CHANGES == 0 {
            best = None;
        }
        // a condition may contradict a rule: then the entity stays in an earlier state
        let conditions = if attempt < attempts / 2 { aim.conditions.as_slice() } else { &[] };
        let body = match &best {
            Some((body, problems)) => maker.changed(body, problems, conditions),
            None => maker.draft(index + attempt / CHANGES * 1000, conditions)?,
        };
        let id = engine.ids.entity();
        match create_entity(engine, at, id, &serde_json::Value::Object(body.clone())).await {
            Ok(()) => {
                maker.add(id, &body);
                return Ok(id);
            }
            Err(refused @ NotCreated::Failed(_)) => return Err(refused.to_string()),
            Err(NotCreated::Invalid(problems)) => {
                // as good is good enough: what changes in it may lead further
                if best.as_ref().is_none_or(|(_, fewest)| problems.len() <= fewest.len()) {
                    reason = codes(&problems);
                    best = Some((body, problems));
                }
            }
        }
    }
    Err(reason)
}

/// The codes of problems, with their places.
fn codes(problems: &[Problem]) -> String {
    let code = |problem: &Problem| match &problem.path {
        Some(path) => format!("{} at {path}", problem.name()),
        None => problem.name().to_owned(),
    };
    problems.iter().map(code).collect::<Vec<_>>().join(", ")
}

fn table(shortfalls: &[Shortfall<'_>], wanted: usize) -> String {
    let width = shortfalls.iter().map(|it| it.resource.chars().count()).max().unwrap_or(0).max("resource".len());
    let row = |resource: &str, made: &str, wanted: &str, reason: &str| {
        format!("  {resource:width$}  {made:>6}  {wanted:>6}  {reason}")
    };
    let rows = shortfalls.iter().map(|it| row(it.resource, &it.made.to_string(), &wanted.to_string(), &it.reason));
    std::iter::once(row("resource", "made", "wanted", "why there are no more"))
        .chain(rows)
        .collect::<Vec<_>>()
        .join("\n")
}
