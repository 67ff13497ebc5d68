//! The states of the entities of a sample: which one the next entity gets into, and the transitions that lead there.

use crate::logic::transactions::Transactions;
use crate::logic::transitions;
use crate::observe::trace::Trace;
use crate::plan::lifecycle::TransitionPlan;
use crate::plan::{IndexedBy, ResourceIndex, ResourcePlan};
use crate::serve::Engine;
use restwell_model::condition::Condition;
use restwell_model::language::TypeClass;
use restwell_model::sample::EntityMaker;
use restwell_model::{Lifecycle, Resource};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use uuid::Uuid;

/// Rounds in which the transitions of a resource that no entity has made are looked for, and entities that are tried
/// for each.
const MAX_ROUNDS: usize = 8;
const MAX_TRIES: usize = 5;

/// The entities that there are so far, with their states.
#[derive(Default)]
pub(super) struct KnownStates {
    /// The entities of each resource.
    entities: HashMap<String, (ResourceIndex, Vec<Uuid>)>,
    /// How often each transition of a resource was made.
    transitions: HashMap<(ResourceIndex, usize), usize>,
    /// The states of entities.
    states: HashMap<Uuid, String>,
    /// How often an entity that was made for a state did not get there.
    missed: HashMap<(ResourceIndex, String), usize>,
}

/// A state that an entity is made for.
#[derive(Default)]
pub(super) struct Aim<'a> {
    state: String,
    /// The positions of the transitions that lead to it.
    way: Vec<usize>,
    /// What has to hold for them.
    pub(super) conditions: Vec<&'a Condition>,
}

impl KnownStates {
    /// An entity was created.
    pub(super) fn add(&mut self, resource: &Resource, at: ResourceIndex, id: Uuid) {
        self.entities.entry(resource.name.clone()).or_insert_with(|| (at, Vec::new())).1.push(id);
        self.states.extend(resource.lifecycle.as_ref().map(|lifecycle| (id, lifecycle.initial.clone())));
    }

    /// The number of entities of a resource.
    pub(super) fn count(&self, resource: &Resource) -> usize {
        self.entities.get(&resource.name).map_or(0, |(_, ids)| ids.len())
    }

    /// The number of all entities.
    pub(super) fn total(&self) -> usize {
        self.entities.values().map(|(_, ids)| ids.len()).sum()
    }

    /// The state that the fewest entities of a resource are in. The first entity stays in the initial one.
    pub(super) fn aim<'a>(&self, plan: &ResourcePlan, (resource, at): (&'a Resource, ResourceIndex)) -> Aim<'a> {
        let Some(lifecycle) = resource.lifecycle.as_ref().filter(|_| self.count(resource) > 0) else {
            return Aim::default();
        };
        let ids = self.entities.get(&resource.name).map(|(_, ids)| ids.as_slice()).unwrap_or_default();
        let number = |state: &str| {
            let missed = self.missed.get(&(at, state.to_owned())).copied().unwrap_or(0);
            ids.iter().filter(|id| self.states.get(id).is_some_and(|of| of == state)).count() + missed
        };
        let (transitions, commands) = transitions_of(plan);
        let ways = ways(&transitions, commands, &lifecycle.initial);
        let rarest = ways.into_iter().min_by_key(|(state, way)| (number(state), way.len()));
        let Some((state, way)) = rarest else { return Aim::default() };
        let condition = |position: &usize| condition_of(lifecycle, transitions.get(*position)?);
        let conditions = way.iter().filter_map(condition).collect();
        Aim { state: state.to_owned(), way, conditions }
    }
}

/// What has to hold for a transition, as it is written.
fn condition_of<'a>(lifecycle: &'a Lifecycle, transition: &TransitionPlan) -> Option<&'a Condition> {
    lifecycle.transition(&transition.name)?.when.as_ref()
}

/// The states that an entity can get into, each with the shortest way there. Transitions of the clock are on it only
/// where commands alone do not lead there.
fn ways<'p>(transitions: &[&'p TransitionPlan], commands: usize, initial: &'p str) -> BTreeMap<&'p str, Vec<usize>> {
    let mut ways = BTreeMap::from([(initial, Vec::new())]);
    for of_these in [&transitions[..commands], transitions] {
        let mut next: VecDeque<&str> = ways.keys().copied().collect();
        while let Some(state) = next.pop_front() {
            let way = ways.get(state).cloned().unwrap_or_default();
            for (position, transition) in of_these.iter().enumerate() {
                if transition.from.iter().any(|from| from == state) && !ways.contains_key(transition.to.as_str()) {
                    ways.insert(&transition.to, way.iter().copied().chain([position]).collect());
                    next.push_back(&transition.to);
                }
            }
        }
    }
    ways
}

/// The transitions of a resource: those of commands, then those that the clock makes; the number of the former.
fn transitions_of(plan: &ResourcePlan) -> (Vec<&TransitionPlan>, usize) {
    let mut all: Vec<_> = plan.commands.iter().filter_map(|it| it.transition.as_ref()).collect();
    let commands = all.len();
    all.extend(plan.lifecycle.iter().flat_map(|it| &it.by_clock).map(|it| &it.transition));
    (all, commands)
}

/// Makes transitions of entities.
pub(super) struct Mover<'s, 'a> {
    pub(super) engine: &'s Engine,
    pub(super) maker: &'s mut EntityMaker<'a>,
    pub(super) known: &'s mut KnownStates,
}

impl Mover<'_, '_> {
    /// Makes the transitions that lead a new entity to the state that it was made for, as far as they can be made.
    pub(super) async fn follow(&mut self, at: ResourceIndex, id: Uuid, aim: &Aim<'_>) {
        let engine = self.engine;
        let (transitions, _) = transitions_of(&engine.plans.resources[at]);
        for position in &aim.way {
            let Some(transition) = transitions.get(*position) else { return };
            if !self.make((at, id), (*position, transition)).await {
                *self.known.missed.entry((at, aim.state.clone())).or_default() += 1;
                return;
            }
        }
    }

    /// Makes a transition of an entity, if it can be made.
    async fn make(
        &mut self,
        (at, id): (ResourceIndex, Uuid),
        (position, transition): (usize, &TransitionPlan),
    ) -> bool {
        let transactions = Transactions::new(Arc::clone(&self.engine.change_runner), Trace::new(), None);
        let make = |transaction| async move { transitions::make(&transaction, at, id, transition).await };
        let is_made = transactions.run(make).await.is_ok();
        if is_made {
            *self.known.transitions.entry((at, position)).or_default() += 1;
            self.known.states.insert(id, transition.to.clone());
            self.maker.set_state(&self.engine.plans.resources[at].name, id, &transition.to);
        }
        is_made
    }

    /// Makes a transition of an entity: of those that lead soonest to a wanted state, if there are any, the one that
    /// was made least, and one of the clock only where there is no other; false: there is none that it can make.
    async fn move_on(&mut self, at: ResourceIndex, id: Uuid, wanted: &BTreeSet<String>) -> bool {
        let engine = self.engine;
        let (transitions, commands) = transitions_of(&engine.plans.resources[at]);
        let mut all: Vec<_> = transitions.iter().copied().enumerate().collect();
        all.sort_by_key(|(position, transition)| {
            let made = self.known.transitions.get(&(at, *position)).copied().unwrap_or(0);
            let steps = wanted.iter().filter_map(|state| steps(&transitions, &transition.to, state)).min();
            (steps.unwrap_or(usize::MAX), *position >= commands, made)
        });
        for of_all in all {
            if self.make((at, id), of_all).await {
                return true;
            }
        }
        false
    }

    /// Moves the last entity of each resource that a resource refers to, also by others, along its lifecycle, towards
    /// the wanted states; false: there was none.
    pub(super) async fn move_referred(&mut self, resource: &Resource, wanted: &BTreeSet<String>) -> bool {
        let (mut left, mut seen) = (vec![resource.name.clone()], BTreeSet::new());
        let mut is_moved = false;
        while let Some(name) = left.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let fields = self.engine.plans.service.resource(&name).into_iter().flat_map(|resource| &resource.fields);
            left.extend(fields.filter_map(|field| match field.ty.element().class() {
                TypeClass::Ref(to) => Some(to.to_owned()),
                _ => None,
            }));
            let last = self.known.entities.get(&name).and_then(|(at, ids)| Some((*at, *ids.last()?)));
            if let Some((at, id)) = last.filter(|_| name != resource.name) {
                is_moved |= self.move_on(at, id, wanted).await;
            }
        }
        is_moved
    }

    /// Looks for entities that can make the transitions that none has made yet. Each state keeps an entity.
    pub(super) async fn explore(&mut self) {
        let engine = self.engine;
        for (at, plan) in engine.plans.resources.indexed() {
            let Some((_, ids)) = self.known.entities.get(&plan.name).cloned() else { continue };
            let (transitions, _) = transitions_of(plan);
            let mut rounds = 0;
            let is_new = |known: &KnownStates| {
                (0..transitions.len()).any(|position| !known.transitions.contains_key(&(at, position)))
            };
            while rounds < MAX_ROUNDS && is_new(self.known) && self.round(at, (&ids, &transitions)).await {
                rounds += 1;
            }
        }
    }

    /// Makes each transition of a resource once more; false: none can be made.
    async fn round(&mut self, at: ResourceIndex, (ids, transitions): (&[Uuid], &[&TransitionPlan])) -> bool {
        let mut is_moved = false;
        for (position, transition) in transitions.iter().copied().enumerate() {
            let in_state = |state: &String| -> Vec<Uuid> {
                ids.iter().filter(|id| self.known.states.get(id) == Some(state)).copied().collect()
            };
            let most = transition.from.iter().map(in_state).max_by_key(Vec::len).unwrap_or_default();
            for id in most.into_iter().skip(1).take(MAX_TRIES) {
                if self.make((at, id), (position, transition)).await {
                    is_moved = true;
                    break;
                }
            }
        }
        is_moved
    }
}

/// The number of transitions on the shortest way from a state to another one, if there is a way.
fn steps(transitions: &[&TransitionPlan], from: &str, to: &str) -> Option<usize> {
    ways(transitions, transitions.len(), from).get(to).map(Vec::len)
}
