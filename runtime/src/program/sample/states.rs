//! The states of the entities of a sample: which one the next entity gets into, and the transitions that lead there.
//! Transitions of commands are made; those of the clock are left to it, since data in which their time has not come
//! would be wrong.

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
const MAX_TRIES: usize = 50;
/// Entities of a state from which a transition is looked for: one of them stays there.
const ENOUGH: usize = 3;

/// The entities that there are so far, with their states.
#[derive(Default)]
pub(super) struct KnownStates {
    /// The entities of each resource.
    entities: HashMap<String, (ResourceIndex, Vec<Uuid>)>,
    /// How often each transition of a resource was made.
    pub(super) transitions: HashMap<(ResourceIndex, usize), usize>,
    /// The states of entities.
    states: HashMap<Uuid, String>,
    /// Entities that could not get to the state that they were made for.
    waiting: Vec<Waiting>,
}

/// An entity on its way to a state.
struct Waiting {
    at: ResourceIndex,
    id: Uuid,
    aim: String,
    /// The positions of the transitions that are left.
    way: VecDeque<usize>,
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
    pub(super) fn aim<'a>(&self, plan: &ResourcePlan, resource: &'a Resource) -> Aim<'a> {
        let Some(lifecycle) = resource.lifecycle.as_ref().filter(|_| self.count(resource) > 0) else {
            return Aim::default();
        };
        let aims: HashMap<Uuid, &str> = self.waiting.iter().map(|it| (it.id, it.aim.as_str())).collect();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for id in self.entities.get(&resource.name).into_iter().flat_map(|(_, ids)| ids) {
            let state = aims.get(id).copied().or_else(|| self.states.get(id).map(String::as_str));
            *numbers.entry(state.unwrap_or_default()).or_default() += 1;
        }
        let number = |state: &str| numbers.get(state).copied().unwrap_or(0);
        let transitions = transitions_of(plan);
        let ways = ways(&transitions, &lifecycle.initial);
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

/// The states that an entity can get into, each with the shortest way there.
fn ways<'p>(transitions: &[&'p TransitionPlan], from: &'p str) -> BTreeMap<&'p str, Vec<usize>> {
    let mut ways = BTreeMap::from([(from, Vec::new())]);
    let mut next = VecDeque::from([from]);
    while let Some(state) = next.pop_front() {
        let way = ways.get(state).cloned().unwrap_or_default();
        for (position, transition) in transitions.iter().enumerate() {
            if transition.from.iter().any(|from| from == state) && !ways.contains_key(transition.to.as_str()) {
                ways.insert(&transition.to, way.iter().copied().chain([position]).collect());
                next.push_back(&transition.to);
            }
        }
    }
    ways
}

/// The transitions of a resource that its commands make.
fn transitions_of(plan: &ResourcePlan) -> Vec<&TransitionPlan> {
    plan.commands.iter().filter_map(|command| command.transition.as_ref()).collect()
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
        let way = aim.way.iter().copied().collect();
        self.go_on(Waiting { at, id, aim: aim.state.clone(), way }).await;
    }

    /// The same for entities that could not go on: other entities may be there now that a transition asks for.
    pub(super) async fn resume(&mut self) {
        for waiting in std::mem::take(&mut self.known.waiting) {
            self.go_on(waiting).await;
        }
    }

    async fn go_on(&mut self, mut waiting: Waiting) {
        let engine = self.engine;
        let transitions = transitions_of(&engine.plans.resources[waiting.at]);
        while let Some(position) = waiting.way.front().copied() {
            let Some(transition) = transitions.get(position) else { return };
            if !self.make((waiting.at, waiting.id), (position, transition)).await {
                self.known.waiting.push(waiting);
                return;
            }
            waiting.way.pop_front();
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
    /// was made least; false: there is none that it can make.
    async fn move_on(&mut self, at: ResourceIndex, id: Uuid, wanted: &BTreeSet<String>) -> bool {
        let engine = self.engine;
        let transitions = transitions_of(&engine.plans.resources[at]);
        let mut all: Vec<_> = transitions.iter().copied().enumerate().collect();
        all.sort_by_key(|(position, transition)| {
            let made = self.known.transitions.get(&(at, *position)).copied().unwrap_or(0);
            let steps = wanted.iter().filter_map(|state| steps(&transitions, &transition.to, state)).min();
            (steps.unwrap_or(usize::MAX), made)
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
            let transitions = transitions_of(plan);
            let mut rounds = 0;
            while rounds < MAX_ROUNDS && self.round(at, &transitions).await {
                rounds += 1;
            }
        }
    }

    /// Makes each transition of a resource that none has made yet, or one that leads to where it starts from; false:
    /// none can be made.
    async fn round(&mut self, at: ResourceIndex, transitions: &[&TransitionPlan]) -> bool {
        let mut is_moved = false;
        for (position, transition) in transitions.iter().copied().enumerate() {
            if self.known.transitions.contains_key(&(at, position)) {
                continue;
            }
            if self.make_of_any(at, (position, transition)).await {
                is_moved = true;
                continue;
            }
            let there = transition.from.iter().map(|state| self.in_state(at, state).len()).sum::<usize>();
            let leads_there = |before: &TransitionPlan| transition.from.contains(&before.to);
            for before in transitions.iter().copied().enumerate().filter(|(_, before)| leads_there(before)) {
                is_moved |= there < ENOUGH && self.make_of_any(at, before).await;
            }
        }
        is_moved
    }

    /// Makes a transition of the first entity that can make it.
    async fn make_of_any(&mut self, at: ResourceIndex, of_all: (usize, &TransitionPlan)) -> bool {
        let found: Vec<_> = of_all.1.from.iter().map(|state| self.in_state(at, state)).collect();
        for id in found.into_iter().flat_map(|ids| ids.into_iter().skip(1).take(MAX_TRIES)) {
            if self.make((at, id), of_all).await {
                return true;
            }
        }
        false
    }

    /// The entities of a resource that are in a state.
    fn in_state(&self, at: ResourceIndex, state: &str) -> Vec<Uuid> {
        let all = self.known.entities.get(&self.engine.plans.resources[at].name);
        let ids = all.into_iter().flat_map(|(_, ids)| ids);
        ids.filter(|id| self.known.states.get(id).is_some_and(|of| of == state)).copied().collect()
    }

    /// The transitions that no entity of a resource could make.
    pub(super) fn never_made(&self, at: ResourceIndex) -> Vec<&str> {
        let transitions = transitions_of(&self.engine.plans.resources[at]).into_iter().enumerate();
        let never = transitions.filter(|(position, _)| !self.known.transitions.contains_key(&(at, *position)));
        never.map(|(_, transition)| transition.name.as_str()).collect()
    }
}

/// The number of transitions on the shortest way from a state to another one, if there is a way.
fn steps(transitions: &[&TransitionPlan], from: &str, to: &str) -> Option<usize> {
    ways(transitions, from).get(to).map(Vec::len)
}
