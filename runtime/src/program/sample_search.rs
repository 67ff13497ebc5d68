//! Sample data for `serve --sample`: entities of each resource that keep its constraints, its rules and its
//! uniqueness, in several states of its lifecycle.
//!
//! Entities are [made](EntityMaker) from the types and, where the service refuses them, changed and tried again, a
//! bounded number of times. What could not be made is reported together.

use super::sample::{NotCreated, create_entity};
use crate::logic::transactions::Transactions;
use crate::logic::transitions;
use crate::observe::trace::Trace;
use crate::plan::lifecycle::TransitionPlan;
use crate::plan::{IndexedBy, ResourceIndex, ResourcePlan};
use crate::serve::Engine;
use restwell_model::language::TypeClass;
use restwell_model::sample::{EntityMaker, in_order};
use restwell_model::{Problem, Resource};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Attempts to make the first entity of a resource, and each other one.
const FIRST_ATTEMPTS: usize = 2000;
const ATTEMPTS: usize = 300;
/// Attempts that change one draft; then another one is begun with.
const CHANGES: usize = 60;
/// Entities in a row that cannot be made before a resource is given up.
const MAX_FAILURES: usize = 3;
/// Transitions of an entity: the entities of a resource are in as many states.
const MAX_TRANSITIONS: usize = 3;

/// Rounds in which the transitions of a resource that no entity has made are looked for, and entities that are tried
/// for each.
const MAX_ROUNDS: usize = 8;
const MAX_TRIES: usize = 5;

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

/// What there is so far.
#[derive(Default)]
struct Known {
    /// The entities of each resource.
    entities: HashMap<String, (ResourceIndex, Vec<Uuid>)>,
    /// How often each transition of a resource was made.
    transitions: HashMap<(ResourceIndex, usize), usize>,
    /// The states of entities.
    states: HashMap<Uuid, String>,
}

/// Creates at most this number of entities of each resource; their number.
pub(crate) async fn create_from_model(engine: &Engine, each: usize) -> usize {
    let model = &engine.plans.service;
    let mut ordered = in_order(model).into_iter().peekable();
    let Some(first) = ordered.peek() else { return 0 };
    let mut maker = EntityMaker::new(model, first, engine.clock.now());
    let (mut known, mut shortfalls) = (Known::default(), Vec::new());
    let mut progress = SampleProgress { told: Instant::now() };
    for resource in ordered {
        let path = format!("/{}", resource.plural);
        let Some((index, _)) = engine.plans.resources.indexed().find(|(_, plan)| plan.path == path) else { continue };
        maker = maker.next(resource);
        let mut tell = |made| progress.tell(&resource.plural, made, each);
        let failure = fill(engine, &mut maker, (resource, index), each, (&mut known, &mut tell)).await;
        let made = known.entities.get(&resource.name).map_or(0, |(_, ids)| ids.len());
        if let Some(reason) = failure.filter(|_| made < each) {
            shortfalls.push(Shortfall { resource: &resource.plural, made, reason });
        }
        // it may be what transitions of others wait for
        explore(engine, &mut known).await;
    }
    if !shortfalls.is_empty() {
        tracing::warn!("the sample data is not complete:\n{}", table(&shortfalls, each));
    }
    known.entities.values().map(|(_, ids)| ids.len()).sum()
}

/// Creates the entities of a resource; why there are not more.
async fn fill<'a>(
    engine: &Engine,
    maker: &mut EntityMaker<'a>,
    (resource, at): (&'a Resource, ResourceIndex),
    each: usize,
    (known, tell): (&mut Known, &mut dyn FnMut(usize)),
) -> Option<String> {
    let (mut failure, mut failures, mut moves) = (None, 0, 0);
    let mut index = 0;
    while index < each && failures < MAX_FAILURES {
        let made = known.entities.get(&resource.name).map_or(0, |(_, ids)| ids.len());
        let is_first = made == 0;
        let attempts = if is_first { FIRST_ATTEMPTS } else { ATTEMPTS };
        match one(engine, maker, at, (index, attempts), &mut || tell(made)).await {
            Ok(id) => {
                known.entities.entry(resource.name.clone()).or_insert_with(|| (at, Vec::new())).1.push(id);
                let initial = engine.plans.resources[at].lifecycle.as_ref().map(|it| it.initial.clone());
                known.states.extend(initial.map(|state| (id, state)));
                // the first one stays in the initial state
                for _ in 0..index % (MAX_TRANSITIONS + 1) {
                    move_on(engine, at, id, known, &BTreeSet::new()).await;
                }
                failures = 0;
                index += 1;
            }
            Err(reason) => {
                failure = Some(reason);
                // it may need others in a later state
                if is_first && moves < MAX_TRANSITIONS {
                    moves += 1;
                    if move_referred(engine, resource, known, &maker.texts_of_rules()).await {
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
    at: ResourceIndex,
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
        let body = match &best {
            Some((body, problems)) => maker.changed(body, problems),
            None => maker.draft(index + attempt / CHANGES * 1000)?,
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

/// The transitions of a resource: those of commands, then those that the clock makes; the number of the former.
fn transitions_of(plan: &ResourcePlan) -> (Vec<&TransitionPlan>, usize) {
    let mut all: Vec<_> = plan.commands.iter().filter_map(|it| it.transition.as_ref()).collect();
    let commands = all.len();
    all.extend(plan.lifecycle.iter().flat_map(|it| &it.by_clock).map(|it| &it.transition));
    (all, commands)
}

/// Makes a transition of an entity: of those that lead soonest to a wanted state, if there are any, the one that was
/// made least, and one of the clock only where there is no other; false: there is none that it can make.
async fn move_on(engine: &Engine, at: ResourceIndex, id: Uuid, known: &mut Known, wanted: &BTreeSet<String>) -> bool {
    let (transitions, commands) = transitions_of(&engine.plans.resources[at]);
    let mut all: Vec<_> = transitions.iter().copied().enumerate().collect();
    all.sort_by_key(|(position, transition)| {
        let made = known.transitions.get(&(at, *position)).copied().unwrap_or(0);
        (steps(&transitions, &transition.to, wanted), *position >= commands, made)
    });
    for of_all in all {
        if made(engine, (at, id), of_all, known).await {
            return true;
        }
    }
    false
}

/// Makes a transition of an entity, if it can be made.
async fn made(
    engine: &Engine,
    (at, id): (ResourceIndex, Uuid),
    (position, transition): (usize, &TransitionPlan),
    known: &mut Known,
) -> bool {
    let transactions = Transactions::new(Arc::clone(&engine.change_runner), Trace::new(), None);
    let make = |transaction| async move { transitions::make(&transaction, at, id, transition).await };
    let is_made = transactions.run(make).await.is_ok();
    if is_made {
        *known.transitions.entry((at, position)).or_default() += 1;
        known.states.insert(id, transition.to.clone());
    }
    is_made
}

/// Looks for entities that can make the transitions that none has made yet. Each state keeps an entity.
async fn explore(engine: &Engine, known: &mut Known) {
    for (at, plan) in engine.plans.resources.indexed() {
        let Some((_, ids)) = known.entities.get(&plan.name).cloned() else { continue };
        let (transitions, _) = transitions_of(plan);
        let mut rounds = 0;
        let is_new =
            |known: &Known| (0..transitions.len()).any(|position| !known.transitions.contains_key(&(at, position)));
        while rounds < MAX_ROUNDS && is_new(known) && round(engine, at, (&ids, &transitions), known).await {
            rounds += 1;
        }
    }
}

/// Makes each transition of a resource once more; false: none can be made.
async fn round(
    engine: &Engine,
    at: ResourceIndex,
    (ids, transitions): (&[Uuid], &[&TransitionPlan]),
    known: &mut Known,
) -> bool {
    let mut is_moved = false;
    for (position, transition) in transitions.iter().copied().enumerate() {
        let in_state = |state: &String| -> Vec<Uuid> {
            ids.iter().filter(|id| known.states.get(id) == Some(state)).copied().collect()
        };
        let most = transition.from.iter().map(in_state).max_by_key(Vec::len).unwrap_or_default();
        for id in most.into_iter().skip(1).take(MAX_TRIES) {
            if made(engine, (at, id), (position, transition), known).await {
                is_moved = true;
                break;
            }
        }
    }
    is_moved
}

/// The transitions on the shortest way from a state to a wanted one; the greatest number if there is no way.
fn steps(transitions: &[&TransitionPlan], state: &str, wanted: &BTreeSet<String>) -> usize {
    let mut reached = vec![(state, 0)];
    let mut next = 0;
    while let Some((state, steps)) = reached.get(next).copied() {
        if wanted.contains(state) {
            return steps;
        }
        for transition in transitions.iter().filter(|it| it.from.iter().any(|from| from == state)) {
            if reached.iter().all(|(known, _)| *known != transition.to) {
                reached.push((&transition.to, steps + 1));
            }
        }
        next += 1;
    }
    usize::MAX
}

/// Moves the last entity of each resource that a resource refers to, also by others, along its lifecycle, towards the
/// wanted states; false: there was none.
async fn move_referred(engine: &Engine, resource: &Resource, known: &mut Known, wanted: &BTreeSet<String>) -> bool {
    let (mut left, mut seen) = (vec![resource.name.clone()], BTreeSet::new());
    let mut is_moved = false;
    while let Some(name) = left.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let fields = engine.plans.service.resource(&name).into_iter().flat_map(|resource| &resource.fields);
        left.extend(fields.filter_map(|field| match field.ty.element().class() {
            TypeClass::Ref(to) => Some(to.to_owned()),
            _ => None,
        }));
        let last = known.entities.get(&name).and_then(|(at, ids)| Some((*at, *ids.last()?)));
        if let Some((at, id)) = last.filter(|_| name != resource.name) {
            is_moved |= move_on(engine, at, id, known, wanted).await;
        }
    }
    is_moved
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
