//! The executor: takes commands from its queue, and from the store those without an executor, and runs their handlers.

use super::handler::Handler;
use super::{Handlers, run};
use crate::clock::Clock;
use crate::logic::change_runner::ChangeRunner;
use crate::observe::metrics::CommandMetrics;
use crate::observe::reasons::Reasons;
use crate::plan::{IndexedBy, Plans, ResourceIndex};
use crate::store::{Record, Store, Task, TaskOf};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use uuid::Uuid;

/// Commands that are executed at the same time.
const CONCURRENCY: usize = 64;
/// Commands that wait in memory; further ones wait in the store.
const QUEUE: usize = 1024;
/// Threads for work that blocks: each holds a connection to the database.
const BLOCKING_THREADS: usize = 8;
/// How long a command is held before others may take it over.
pub(crate) const LEASE: Duration = Duration::from_secs(30);
/// How often leases are renewed.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How often the store is asked for commands without an executor.
const POLL: Duration = Duration::from_secs(1);
/// How long commands may continue while the service shuts down; then they are handed back.
const GRACE: Duration = Duration::from_secs(20);

/// What the execution of commands needs.
pub(super) struct ExecutorContext {
    pub(super) store: Arc<dyn Store>,
    pub(super) plans: Arc<Plans>,
    pub(super) clock: Clock,
    /// Makes the changes of operations.
    pub(super) change_runner: Arc<ChangeRunner>,
    pub(super) handlers: HashMap<TaskOf, Handler>,
    /// The resources that have hooks.
    pub(super) hooked: Arc<[ResourceIndex]>,
    pub(super) metrics: CommandMetrics,
    /// Why commands failed with `InternalError`, and requests.
    pub(super) reasons: Arc<Reasons>,
    /// Commands that keep getting in each other's way are executed one at a time.
    pub(super) turn: tokio::sync::Mutex<()>,
}

/// A handle to the executing threads.
pub(crate) struct Executor {
    context: Arc<ExecutorContext>,
    queue: mpsc::Sender<Record>,
    stop: watch::Sender<bool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Executor {
    /// Starts the executing threads, if the service has commands with handlers or asynchronous operations.
    pub(crate) fn start(
        store: Arc<dyn Store>,
        plans: Arc<Plans>,
        clock: Clock,
        change_runner: Arc<ChangeRunner>,
        handlers: &Handlers,
        metrics: CommandMetrics,
    ) -> io::Result<Self> {
        let handlers = by_index(&plans, handlers);
        let (queue, waiting) = mpsc::channel(QUEUE);
        let (stop, stopped) = watch::channel(false);
        let is_needed = !handlers.is_empty() || plans.has_async() || plans.has_transitions();
        let hooks = handlers.keys().filter(|of| of.task == Task::Hook);
        let hooked = hooks.map(|of| of.resource).collect();
        let context = Arc::new(ExecutorContext {
            hooked,
            store,
            plans,
            clock,
            change_runner,
            handlers,
            metrics,
            reasons: Arc::default(),
            turn: tokio::sync::Mutex::new(()),
        });
        let thread = if is_needed { Some(spawn(Arc::clone(&context), waiting, stopped)?) } else { None };
        Ok(Self { context, queue, stop, thread: Mutex::new(thread) })
    }

    /// Why commands and requests failed whose errors do not say it.
    pub(crate) fn reasons(&self) -> &Arc<Reasons> {
        &self.context.reasons
    }

    /// Whether the command has a handler.
    pub(crate) fn is_ready(&self, command: TaskOf) -> bool {
        let by_transition = match command.task {
            Task::Command(index) => {
                self.context.plans.resources[command.resource].commands[index].is_done_by_transition()
            }
            Task::Operation(_) | Task::Hook => false,
        };
        by_transition || self.context.handlers.contains_key(&command)
    }

    /// The resources that have hooks.
    pub(crate) fn hooked(&self) -> &[ResourceIndex] {
        &self.context.hooked
    }

    /// A place in the queue, if there is one. With it, the command can have its lease from the start.
    pub(crate) fn reserve(&self) -> Option<mpsc::Permit<'_, Record>> {
        self.queue.try_reserve().ok()
    }

    /// What is measured of commands.
    pub(crate) fn metrics(&self) -> &CommandMetrics {
        &self.context.metrics
    }

    /// Waits for running commands, hands the others back, and ends.
    pub(crate) fn close(&self) {
        self.stop.send_replace(true);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // a thread that panicked has nothing more to finish
        let _ = thread.map(JoinHandle::join);
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        self.close();
    }
}

fn by_index(plans: &Plans, handlers: &Handlers) -> HashMap<TaskOf, Handler> {
    let mut found = HashMap::new();
    for (resource, plan) in plans.resources.indexed() {
        if let Some(hook) = handlers.hook(&plan.name) {
            found.insert(TaskOf { resource, task: Task::Hook }, hook.clone());
        }
        for (command, it) in plan.commands.indexed().filter(|(_, it)| it.is_ready) {
            if let Some(handler) = handlers.find(&plan.name, &it.name) {
                found.insert(TaskOf { resource, task: Task::Command(command) }, handler.clone());
            }
        }
    }
    found
}

fn spawn(
    context: Arc<ExecutorContext>,
    waiting: mpsc::Receiver<Record>,
    stopped: watch::Receiver<bool>,
) -> io::Result<JoinHandle<()>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS)
        .build()?;
    let executing = Executing { context, waiting, running: JoinSet::new(), held: HashMap::new(), may_have_more: true };
    Ok(std::thread::spawn(move || runtime.block_on(executing.run(stopped))))
}

struct Executing {
    context: Arc<ExecutorContext>,
    waiting: mpsc::Receiver<Record>,
    /// The running tasks, each with its fence: a command whose lease was lost may run twice.
    running: JoinSet<(Uuid, i64)>,
    /// The fences of running commands.
    held: HashMap<Uuid, i64>,
    /// Whether the store may have more commands without an executor: its last answer was a full one.
    may_have_more: bool,
}

impl Executing {
    async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut poll = tokio::time::interval(POLL);
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        loop {
            let has_room = self.running.len() < CONCURRENCY;
            tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => break,
                Some(record) = self.waiting.recv(), if has_room => self.start(record),
                Some(ended) = self.running.join_next() => self.ended(&ended),
                _ = poll.tick() => self.may_have_more = true,
                _ = heartbeat.tick() => self.hold(LEASE.as_millis() as i64).await,
            }
            if self.may_have_more && self.running.len() < CONCURRENCY && !*stopped.borrow() {
                self.claim().await;
            }
        }
        self.finish().await;
    }

    fn start(&mut self, record: Record) {
        self.held.insert(record.id, record.fence);
        self.context.metrics.running.set(self.held.len() as f64);
        let context = Arc::clone(&self.context);
        self.running.spawn(async move {
            let task = (record.id, record.fence);
            run::execute(&context, record).await;
            task
        });
    }

    fn ended(&mut self, ended: &Result<(Uuid, i64), tokio::task::JoinError>) {
        // the command of a task that panicked is held until its lease expires
        if let Ok((id, fence)) = ended {
            self.let_go(*id, *fence);
        }
        self.context.metrics.running.set(self.held.len() as f64);
    }

    /// What has ended is no longer held, unless it was claimed again meanwhile.
    fn let_go(&mut self, id: Uuid, fence: i64) {
        if self.held.get(&id) == Some(&fence) {
            self.held.remove(&id);
        }
    }

    async fn claim(&mut self) {
        let room = CONCURRENCY - self.running.len();
        let hooked = Arc::clone(&self.context.hooked);
        match self.context.store.claim(hooked, LEASE.as_millis() as i64, room as u32).await {
            Ok(records) => {
                self.may_have_more = records.len() == room;
                for record in records {
                    self.start(record);
                }
            }
            Err(refusal) => {
                self.may_have_more = false;
                tracing::warn!(?refusal, "commands cannot be taken from the store");
            }
        }
    }

    /// Extends the leases of running commands by this number of milliseconds.
    async fn hold(&self, lease: i64) {
        let held: Vec<_> = self.held.iter().map(|(id, fence)| (*id, *fence)).collect();
        if held.is_empty() {
            return;
        }
        if let Err(refusal) = self.context.store.hold(held, lease).await {
            tracing::warn!(?refusal, "commands cannot be held for longer");
        }
    }

    async fn finish(mut self) {
        self.waiting.close();
        let mut handed_back = Vec::new();
        while let Ok(record) = self.waiting.try_recv() {
            handed_back.push((record.id, record.fence));
        }
        let all_end = async {
            while let Some(ended) = self.running.join_next().await {
                if let Ok((id, fence)) = ended {
                    self.let_go(id, fence);
                }
            }
        };
        if tokio::time::timeout(GRACE, all_end).await.is_err() {
            self.running.abort_all();
            tracing::warn!(commands = self.held.len(), "commands were still running when the time for them was over");
        }
        handed_back.extend(self.held.iter().map(|(id, fence)| (*id, *fence)));
        if !handed_back.is_empty()
            && let Err(refusal) = self.context.store.hold(handed_back, 0).await
        {
            tracing::warn!(?refusal, "commands could not be handed back; they go on when their lease has run out");
        }
    }
}
