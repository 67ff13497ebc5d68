//! Makes the transitions that the clock makes (`at: endingAt`).
//!
//! An entity is found by its state and its time, and its transition is a transaction like that of a command: one that
//! another instance has made meanwhile is not made again, since the entity is no longer in the state. What was missed
//! while no instance ran is found like anything else that is due, in the order of its time.

use super::change_runner::ChangeRunner;
use super::rejection::{Cause, Rejection};
use super::service_handle::Service;
use super::transitions;
use crate::clock::Clock;
use crate::observe::log_throttle::throttled;
use crate::observe::trace::Trace;
use crate::plan::cell::Cell;
use crate::plan::conditions::ConditionPlan;
use crate::plan::lifecycle::ClockTransition;
use crate::plan::predicate::Reduced;
use crate::plan::query::{Filter, Query, Test};
use crate::plan::{IndexedBy, Plans, ResourceIndex};
use crate::store::facts::KnownFacts;
use crate::store::{LeaseName, Read, Refusal, Store, StoreError};
use restwell_model::tables::{ID, UPDATED_AT};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// How often the store is asked what is due.
const POLL: Duration = Duration::from_millis(250);
/// The lease of the instance that makes them.
const LEASE: Duration = Duration::from_secs(3);
/// Entities that are read at a time.
const MAX_DUE: u32 = 200;
/// How long an entity whose transition was refused is left alone, unless it is changed.
const REFUSED_PAUSE: Duration = Duration::from_secs(60);
/// Transitions that were refused that are remembered.
const MAX_REFUSED: usize = 10_000;

/// What makes them.
#[derive(Clone)]
pub(crate) struct ClockTransitions {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) plans: Arc<Plans>,
    pub(crate) change_runner: Arc<ChangeRunner>,
    pub(crate) clock: Clock,
}

/// A transition that is due.
struct Due<'a> {
    time: i64,
    key: DueKey,
    /// When the entity was changed last.
    updated_at: i64,
    transition: &'a ClockTransition,
}

/// An entity, and the position of a transition among those that the clock makes of its resource.
type DueKey = (ResourceIndex, Uuid, usize);

/// The transitions that were refused lately.
#[derive(Default)]
struct Refused(HashMap<DueKey, Refusing>);

/// A transition that was refused.
struct Refusing {
    /// When the entity had been changed last.
    updated_at: i64,
    until: Instant,
}

impl Refused {
    fn forget_old(&mut self) {
        self.0.retain(|_, refusing| refusing.until > Instant::now());
    }

    /// Whether it was refused, and nothing has changed in the entity since.
    fn has(&self, due: &Due<'_>) -> bool {
        self.0.get(&due.key).is_some_and(|refusing| refusing.updated_at == due.updated_at)
    }

    fn remember(&mut self, due: &Due<'_>) {
        if !self.is_full() {
            let refusing = Refusing { updated_at: due.updated_at, until: Instant::now() + REFUSED_PAUSE };
            self.0.insert(due.key, refusing);
        }
    }

    fn is_full(&self) -> bool {
        self.0.len() >= MAX_REFUSED
    }
}

impl ClockTransitions {
    /// Makes what is due, until the service stops.
    pub(crate) async fn run(self, service: Service) {
        let (mut refused, mut led) = (Refused::default(), None);
        loop {
            if let Err(error) = self.make_due(&mut refused, &mut led).await {
                throttled!(warn, %error, "transitions by the clock are late");
            }
            tokio::select! {
                () = tokio::time::sleep(POLL) => {}
                () = service.stopped() => return,
            }
        }
    }

    async fn make_due(&self, refused: &mut Refused, led: &mut Option<Instant>) -> Result<(), StoreError> {
        refused.forget_old();
        loop {
            if !self.leads(led).await? {
                return Ok(());
            }
            let due = self.due(refused).await?;
            let mut is_any_made = false;
            for one in &due {
                is_any_made |= self.make(one, refused).await?;
            }
            // what is refused and cannot be remembered waits as well
            if due.is_empty() || (refused.is_full() && !is_any_made) {
                return Ok(());
            }
        }
    }

    /// Whether this instance has the lease, which is renewed when a third of it has passed.
    async fn leads(&self, led: &mut Option<Instant>) -> Result<bool, StoreError> {
        if led.is_some_and(|since| since.elapsed() < LEASE / 3) {
            return Ok(true);
        }
        let asked = Instant::now();
        let leads = self.store.leads(LeaseName::Clock, LEASE).await?;
        *led = leads.then_some(asked);
        Ok(leads)
    }

    /// A portion of what is due, the earliest first.
    async fn due(&self, refused: &Refused) -> Result<Vec<Due<'_>>, StoreError> {
        let now = self.clock.now().millis();
        let mut due = Vec::new();
        for (resource, plan) in self.plans.resources.indexed() {
            let Some(lifecycle) = &plan.lifecycle else { continue };
            for (position, transition) in lifecycle.by_clock.iter().enumerate() {
                let states = transition.transition.from.iter().cloned().map(Cell::Text).collect();
                let state = Test::OneOf { values: states, or_null: false };
                let mut filters = vec![
                    Filter { column: lifecycle.column.into(), test: state },
                    Filter { column: transition.column.into(), test: Test::Compare("<=", Cell::Int(now)) },
                ];
                match transition.when.as_ref().map(|when| self.reduced(when, now)) {
                    Some(Reduced::Never) => continue,
                    Some(Reduced::Meets(predicate)) => filters.push(predicate.filter()),
                    Some(Reduced::Always) | None => {}
                }
                let sort = vec![(transition.column.into(), false)];
                let most = u32::try_from(refused.0.len()).unwrap_or(u32::MAX);
                let query = Query { filters, sort, limit: MAX_DUE.saturating_add(most), ..Query::default() };
                let found = self.store.look(Read::Many(resource, query), Vec::new()).await?;
                let of_row = |row: &Vec<Cell>| {
                    let key = (resource, row.get(ID)?.uuid()?, position);
                    let time = |column: usize| row.get(column)?.borrow().int();
                    Some(Due { time: time(transition.column)?, key, updated_at: time(UPDATED_AT)?, transition })
                };
                due.extend(found.rows.iter().filter_map(of_row).filter(|one| !refused.has(one)));
            }
        }
        due.sort_by_key(|one| one.time);
        Ok(due)
    }

    /// The condition of a transition at this time, without a caller.
    fn reduced(&self, when: &ConditionPlan, now: i64) -> Reduced {
        when.reduce(&KnownFacts::of_caller(&self.plans, None, now), &self.plans.conditions)
    }

    /// Makes one, unless it is refused; whether it was made.
    async fn make(&self, due: &Due<'_>, refused: &mut Refused) -> Result<bool, StoreError> {
        let Due { key: (resource, id, _), transition, .. } = *due;
        let trace = Trace::new();
        let made = self.change_runner.run(&trace, None, |transaction| async move {
            transitions::make(&transaction, resource, id, &transition.transition).await
        });
        match made.await {
            Ok(()) => Ok(true),
            Err(Rejection(Cause::Store(Refusal::Failed(StoreError::Unavailable(reason))))) => {
                Err(StoreError::Unavailable(reason))
            }
            Err(rejection) => {
                let plan = &self.plans.resources[resource];
                throttled!(
                    warn, resource = %plan.name, %id, transition = %transition.transition.name, ?rejection,
                    "a transition by the clock was refused"
                );
                refused.remember(due);
                Ok(false)
            }
        }
    }
}
