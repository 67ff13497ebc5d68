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
use crate::plan::lifecycle::ClockTransition;
use crate::plan::query::{Filter, Query, Test};
use crate::plan::{IndexedBy, Plans, ResourceIndex};
use crate::store::{LeaseName, Read, Refusal, Store, StoreError};
use restwell_model::tables::ID;
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
/// How long an entity whose transition was refused is left alone.
const REFUSED_PAUSE: Duration = Duration::from_secs(60);
/// Entities whose transition was refused that are remembered.
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
    resource: ResourceIndex,
    id: Uuid,
    transition: &'a ClockTransition,
}

impl ClockTransitions {
    /// Makes what is due, until the service stops.
    pub(crate) async fn run(self, service: Service) {
        let (mut refused, mut led) = (HashMap::new(), None);
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

    async fn make_due(
        &self,
        refused: &mut HashMap<Uuid, Instant>,
        led: &mut Option<Instant>,
    ) -> Result<(), StoreError> {
        refused.retain(|_, until| *until > Instant::now());
        loop {
            if !self.leads(led).await? {
                return Ok(());
            }
            let due = self.due(refused).await?;
            if due.is_empty() {
                return Ok(());
            }
            for one in due {
                self.make(&one, refused).await?;
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
    async fn due(&self, refused: &HashMap<Uuid, Instant>) -> Result<Vec<Due<'_>>, StoreError> {
        let now = self.clock.now().millis();
        let mut due = Vec::new();
        for (resource, plan) in self.plans.resources.indexed() {
            let Some(lifecycle) = &plan.lifecycle else { continue };
            for transition in &lifecycle.by_clock {
                let states = transition.transition.from.iter().cloned().map(Cell::Text).collect();
                let state = Test::OneOf { values: states, or_null: false };
                let filters = vec![
                    Filter { column: lifecycle.column.into(), test: state },
                    Filter { column: transition.column.into(), test: Test::Compare("<=", Cell::Int(now)) },
                ];
                let sort = vec![(transition.column.into(), false)];
                let most = u32::try_from(refused.len()).unwrap_or(u32::MAX);
                let query = Query { filters, sort, limit: MAX_DUE.saturating_add(most), ..Query::default() };
                let found = self.store.look(Read::Many(resource, query), Vec::new()).await?;
                due.extend(found.rows.iter().filter_map(|row| {
                    let id = row.get(ID)?.uuid().filter(|id| !refused.contains_key(id))?;
                    Some(Due { time: row.get(transition.column)?.borrow().int()?, resource, id, transition })
                }));
            }
        }
        due.sort_by_key(|one| one.time);
        Ok(due)
    }

    async fn make(&self, due: &Due<'_>, refused: &mut HashMap<Uuid, Instant>) -> Result<(), StoreError> {
        let Due { resource, id, transition, .. } = *due;
        let trace = Trace::new();
        let made = self.change_runner.run(&trace, None, |transaction| async move {
            transitions::make(&transaction, resource, id, &transition.transition).await
        });
        match made.await {
            Ok(()) => Ok(()),
            Err(Rejection(Cause::Store(Refusal::Failed(StoreError::Unavailable(reason))))) => {
                Err(StoreError::Unavailable(reason))
            }
            Err(rejection) => {
                let plan = &self.plans.resources[resource];
                throttled!(
                    warn, resource = %plan.name, %id, transition = %transition.name, ?rejection,
                    "a transition by the clock was refused"
                );
                if refused.len() < MAX_REFUSED {
                    refused.insert(id, Instant::now() + REFUSED_PAUSE);
                }
                Ok(())
            }
        }
    }
}
