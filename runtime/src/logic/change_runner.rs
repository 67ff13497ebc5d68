//! Makes changes: directly in the store, or by the rules of their resource if the team has written some.

use super::hashing::Hasher;
use super::rejection::{Cause, Rejection};
use super::rule_runner::RuleRunner;
use super::rules::RuleBook;
use super::steps::reads;
use super::transaction::{ChangeRules, Origin, Transaction};
use crate::auth::caller::Caller;
use crate::clock::Clock;
use crate::ids::Ids;
use crate::observe::trace::Trace;
use crate::plan::Plans;
use crate::store::{Batch, Change, Entity, Refusal, Step, Store};
use std::sync::Arc;
use std::time::Duration;

/// How often a change is tried if other requests change what its rules have read.
const TRIES: u32 = 20;
/// The pause after the first such conflict; each further pause is longer by as much.
const PAUSE: Duration = Duration::from_millis(2);

/// Makes changes.
pub(crate) struct ChangeRunner {
    store: Arc<dyn Store>,
    plans: Arc<Plans>,
    clock: Clock,
    ids: Ids,
    hasher: Arc<Hasher>,
    rules: Arc<dyn ChangeRules>,
}

impl ChangeRunner {
    /// With these rules.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        plans: Arc<Plans>,
        (clock, ids): (Clock, Ids),
        hasher: Arc<Hasher>,
        book: &RuleBook,
    ) -> Self {
        let rules = Arc::new(RuleRunner::new(Arc::clone(&plans), book));
        Self { store, plans, clock, ids, hasher, rules }
    }

    /// What hashes secrets.
    pub(crate) fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    /// A transaction of the service's own code, which begins now, for a caller.
    pub(crate) fn transaction(&self, trace: Trace, caller: Option<Caller>) -> Transaction {
        self.begin(trace, caller, false)
    }

    /// Runs the service's own code in a transaction, and commits it; again, if others change meanwhile what it has
    /// read. A rejection counts only if what it was decided on is still so.
    pub(crate) async fn run<T, D>(
        &self,
        trace: &Trace,
        caller: Option<&Caller>,
        work: impl Fn(Transaction) -> D,
    ) -> Result<T, Rejection>
    where
        D: Future<Output = Result<T, Rejection>>,
    {
        for tries in 1.. {
            let transaction = self.begin(trace.clone(), caller.cloned(), false);
            let gathered = transaction.gathered();
            let outcome = work(transaction).await;
            let (steps, is_dry_run) = match &outcome {
                Ok(_) => (Ok(gathered.take()), false),
                Err(Rejection(Cause::Problems(_))) => (Ok(reads(gathered.take())), true),
                Err(Rejection(Cause::Store(Refusal::Conflict))) => (Err(Refusal::Conflict), false),
                Err(_) => return outcome,
            };
            let committed = match steps {
                Ok(steps) => self.commit(steps, is_dry_run).await,
                Err(conflict) => Err(conflict),
            };
            match committed {
                Ok(()) => return outcome,
                Err(Refusal::Conflict) if tries < TRIES => tokio::time::sleep(PAUSE * tries).await,
                Err(refusal) => return Err(Rejection(Cause::Store(refusal))),
            }
        }
        Err(Rejection(Cause::Store(Refusal::Conflict)))
    }

    async fn commit(&self, steps: Vec<Step>, is_dry_run: bool) -> Result<(), Refusal> {
        if steps.is_empty() {
            return Ok(());
        }
        self.store.commit(Batch { steps, conclusion: None, is_dry_run }).await.map(|_| ())
    }

    fn begin(&self, trace: Trace, caller: Option<Caller>, is_dry_run: bool) -> Transaction {
        Transaction::new(Origin {
            store: Arc::clone(&self.store),
            plans: Arc::clone(&self.plans),
            hasher: Arc::clone(&self.hasher),
            rules: Arc::clone(&self.rules),
            ids: self.ids.clone(),
            now: self.clock.now(),
            trace,
            caller,
            is_dry_run,
        })
    }

    /// Whether a team has written rules for the resource of a change.
    pub(crate) fn has_rules(&self, change: &Change) -> bool {
        self.rules.has_rules(change.at.resource)
    }

    /// Makes a change that a caller has requested.
    pub(crate) async fn change(&self, change: Change, caller: Option<&Caller>) -> Result<Entity, Cause> {
        if !self.has_rules(&change) {
            return self.store.write(change).await.map_err(Cause::Store);
        }
        for tries in 1.. {
            match self.by_rules(&change, caller).await {
                Err(Cause::Store(Refusal::Conflict)) if tries < TRIES => tokio::time::sleep(PAUSE * tries).await,
                outcome => return outcome,
            }
        }
        Err(Cause::Store(Refusal::Conflict))
    }

    /// The steps of a change, to be committed with others.
    pub(crate) async fn steps(&self, change: Change, caller: Option<&Caller>) -> Result<Vec<Step>, Cause> {
        match self.has_rules(&change) {
            true => self.plan(&change, caller).await.map(|(steps, _)| steps),
            false => Ok(vec![Step::Write(change)]),
        }
    }

    async fn by_rules(&self, change: &Change, caller: Option<&Caller>) -> Result<Entity, Cause> {
        let (steps, position) = self.plan(change, caller).await?;
        let batch = Batch { steps, conclusion: None, is_dry_run: change.is_dry_run };
        let mut entities = self.store.commit(batch).await.map_err(Cause::Store)?;
        Ok(entities.swap_remove(position))
    }

    /// The steps that the rules make of a change, and which of the changes it is.
    async fn plan(&self, change: &Change, caller: Option<&Caller>) -> Result<(Vec<Step>, usize), Cause> {
        let transaction = self.begin(change.trace.clone(), caller.cloned(), change.is_dry_run);
        let applied = transaction.apply(change.clone()).await.map_err(|rejection| rejection.0)?;
        Ok((transaction.gathered().take(), applied.position))
    }
}
