//! Finds the events that hooks are for: one instance goes over all events, and makes a task of each of these.
//!
//! A task has the event's id, so that it is made once, also where an event is found again after a crash.

use super::{EventChange, Happened};
use crate::backoff;
use crate::logic::service_handle::Service;
use crate::plan::viewer::Viewer;
use crate::plan::{Plans, ResourceIndex};
use crate::store::outbox::{Follower, START, Seek, StoredEvent};
use crate::store::{LeaseName, NewCommand, Record, Refusal, Store, StoreError, Task, TaskOf};
use restwell_model::events::{CommandStatus, EventKind};
use restwell_model::routes::FormerWords;
use std::collections::HashMap;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tokio::time::Instant;

/// The lease of the instance that looks for events.
const TERM: Duration = Duration::from_secs(15);
/// The age at which the lease is renewed.
const RENEWED_AFTER: Duration = Duration::from_secs(5);
/// How often the other instances try to get the lease.
const ASKED_EVERY: Duration = Duration::from_secs(2);
/// Between two pages, so that events of several commits are read together.
const PAUSE: Duration = Duration::from_millis(20);
/// The pause after an error; each is twice the one before, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// Events after which the position is noted, though there are more.
const NOTED_EVERY: i64 = 1000;

/// Makes the tasks of hooks.
#[derive(Clone)]
pub(crate) struct HookFinder {
    store: Arc<dyn Store>,
    /// By the words of an event's type: the resource, and what happened.
    hooked: Arc<HashMap<(String, String), (ResourceIndex, EventChange)>>,
    /// Told that it has looked once: what happens from then on is found.
    begun: mpsc::Sender<()>,
}

/// How far an instance is.
#[derive(Default)]
struct FinderProgress {
    /// When it last got the lease, if it has it.
    term: Option<Instant>,
    /// The last event that it has looked at; `None`: to be read.
    position: Option<i64>,
    /// The last that the store knows of.
    noted: i64,
}

impl HookFinder {
    /// For the hooks of these resources; and what tells that it has begun.
    pub(crate) fn new(store: Arc<dyn Store>, plans: &Plans, hooked: &[ResourceIndex]) -> (Self, mpsc::Receiver<()>) {
        let kinds = [
            (EventKind::Created, EventChange::Created),
            (EventKind::Updated, EventChange::Updated),
            (EventKind::Deleted, EventChange::Deleted),
        ];
        let mut names = HashMap::new();
        for resource in hooked {
            let described = &plans.service.resources[resource.position()];
            for (kind, change) in &kinds {
                // with each former name there is an event more, which tells the same
                if let Some(name) = plans.resources[*resource].events.names_of(described, *kind).first() {
                    names.insert((name.resource.clone(), name.kind.clone()), (*resource, *change));
                }
            }
        }
        let (begun, has_begun) = mpsc::channel();
        (Self { store, hooked: Arc::new(names), begun }, has_begun)
    }

    /// Looks for events until the service stops.
    pub(crate) async fn run(self, service: Service) {
        let (mut progress, mut failures) = (FinderProgress::default(), 0);
        let mut commits = self.store.commits();
        loop {
            commits.mark_unchanged();
            let pause = match self.step(&mut progress).await {
                Ok(true) => {
                    failures = 0;
                    PAUSE
                }
                Ok(false) if progress.term.is_some() => RENEWED_AFTER,
                Ok(false) => ASKED_EVERY,
                Err(refusal) => {
                    tracing::warn!(?refusal, "events for hooks cannot be found");
                    failures = (failures + 1).min(10);
                    backoff::equal_jitter(FIRST_PAUSE.saturating_mul(1 << failures).min(LONGEST_PAUSE))
                }
            };
            // the service may wait for it no longer
            let _ = self.begun.send(());
            let is_waiting = pause == RENEWED_AFTER;
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = commits.changed(), if is_waiting => tokio::time::sleep(PAUSE).await,
                () = service.stopped() => break,
            }
        }
        if let Err(refusal) = self.note(&mut progress).await {
            tracing::debug!(?refusal, "how far events were looked at is not noted: some are looked at again");
        }
    }

    /// Looks at a page of events; whether there was one.
    async fn step(&self, progress: &mut FinderProgress) -> Result<bool, Refusal> {
        if !self.leads(progress).await? {
            return Ok(false);
        }
        let position = match progress.position {
            Some(position) => position,
            None => self.begin(progress).await?,
        };
        let events = self.store.events(position).await?;
        let Some(last) = events.last().map(|event| event.mark.position) else {
            self.note(progress).await?;
            return Ok(false);
        };
        for event in events {
            if let Some((resource, change)) = self.hooked.get(&(event.resource.clone(), event.kind.clone())) {
                self.store.accept(task(*resource, *change, event)?).await?;
            }
        }
        progress.position = Some(last);
        if last - progress.noted >= NOTED_EVERY {
            self.note(progress).await?;
        }
        Ok(true)
    }

    /// Whether this instance has the lease. After it got it, the position is unknown: others may have gone on.
    async fn leads(&self, progress: &mut FinderProgress) -> Result<bool, Refusal> {
        if progress.term.is_some_and(|since| since.elapsed() < RENEWED_AFTER) {
            return Ok(true);
        }
        let asked = Instant::now();
        let leads = self.store.leads(LeaseName::Hooks, TERM).await?;
        if !leads || progress.term.is_none_or(|since| since.elapsed() >= TERM) {
            progress.position = None;
        }
        progress.term = leads.then_some(asked);
        Ok(leads)
    }

    /// Where it goes on; the first time, after all that has happened before there was a hook.
    async fn begin(&self, progress: &mut FinderProgress) -> Result<i64, Refusal> {
        let position = match self.store.followed(Follower::Hooks).await? {
            Some(position) => position,
            None => {
                let newest = self.store.mark(Seek::Newest).await?.map_or(START, |mark| mark.position);
                self.store.set_followed(Follower::Hooks, newest).await?;
                newest
            }
        };
        (progress.noted, progress.position) = (position, Some(position));
        Ok(position)
    }

    /// Keeps the position in the store.
    async fn note(&self, progress: &mut FinderProgress) -> Result<(), Refusal> {
        if let Some(position) = progress.position.filter(|position| *position > progress.noted) {
            self.store.set_followed(Follower::Hooks, position).await?;
            progress.noted = position;
        }
        Ok(())
    }
}

/// The task of a hook for an event.
fn task(resource: ResourceIndex, change: EventChange, event: StoredEvent) -> Result<NewCommand, Refusal> {
    let happened = Happened { change, time: event.time, actor: event.trace.actor };
    let input = serde_json::to_string(&happened).map_err(|error| StoreError::Internal(error.to_string()))?;
    let record = Record {
        id: event.mark.id,
        of: TaskOf { resource, task: Task::Hook },
        entity: event.entity,
        owner: event.owner,
        caller: None,
        input,
        created_at: event.time,
        updated_at: event.time,
        status: CommandStatus::Running,
        is_pruned: false,
        output: None,
        errors: None,
        fence: 0,
        trace: event.trace,
    };
    Ok(NewCommand {
        record,
        lease: 0,
        references: Vec::new(),
        former: FormerWords::default(),
        viewer: Viewer::Everything,
        is_dry_run: false,
    })
}
