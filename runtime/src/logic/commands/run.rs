//! One command, from its handler's first line to its commit.

use super::executor::ExecutorContext;
use super::handler::{HandlerOutcome, Invocation};
use super::{operation, to_json};
use crate::backoff;
use crate::logic::rejection::{Cause, Rejection};
use crate::logic::steps::reads;
use crate::logic::transitions;
use crate::observe::log_throttle::{logged, throttled};
use crate::observe::reasons::panic_text;
use crate::observe::telemetry;
use crate::plan::command::CommandPlan;
use crate::plan::{exact_json, stored};
use crate::store::{Batch, Conclusion, Record, Refusal, Step, StoreError, Task};
use futures_util::FutureExt;
use restwell_model::events::CommandStatus;
use restwell_model::{ErrorCode, OperationKind, Problem, Value};
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Conflicts after which a command waits for its turn among those that have had as many.
const CONFLICTS_AT_ONCE: u32 = 4;
/// How often a handler is tried whose upstream fails.
const UPSTREAM_TRIES: u32 = 5;
/// The first pause before another try; each is twice the one before.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How often a command is executed at most: one that crashes the process must not do so for ever.
const MOST_TIMES: i64 = 100;

/// How long a hook may take at a time.
const HOOK_TIMEOUT: Duration = Duration::from_secs(60);
/// The first pause before a hook that failed is tried again; each is twice the one before.
const HOOK_PAUSE: Duration = Duration::from_secs(1);
/// The longest such pause.
const LONGEST_HOOK_PAUSE: Duration = Duration::from_secs(60 * 60);
/// How long the rules of an operation may take.
const OPERATION_TIMEOUT: Duration = Duration::from_secs(60);

/// How a command ends.
enum CommandEnd {
    Successful(Vec<Step>, Value),
    /// With the reads on which the failure is based.
    Failed(Vec<Step>, Vec<Problem>),
}

/// The outcome of an attempt.
enum Attempt {
    Ended(CommandEnd),
    Again(RetryReason),
}

/// Why to try again.
enum RetryReason {
    Upstream(ErrorCode),
    Conflict,
    StoreAway,
}

/// Executes a command and commits its end.
pub(super) async fn execute(context: &ExecutorContext, record: Record) {
    let plan = &context.plans.resources[record.of.resource];
    let (name, command, left) = match record.of.task {
        Task::Command(command) => {
            let command = &plan.commands[command];
            (command.name.as_str(), Some(command), command.timeout)
        }
        Task::Operation(kind) => (kind.word(), None, OPERATION_TIMEOUT),
        Task::Hook => ("on", None, HOOK_TIMEOUT),
    };
    let span = tracing::info_span!(
        "command", id = %record.id, trace_id = %record.trace.id, resource = %plan.name, command = %name
    );
    telemetry::command(&span, &record.trace);
    let waited = context.clock.now().millis().saturating_sub(record.created_at);
    context.metrics.begun(&plan.name, name, Duration::from_millis(u64::try_from(waited).unwrap_or_default()));
    Execution { context, command, record: &record, name: (&plan.name, name), left }.run().instrument(span).await;
}

struct Execution<'a> {
    context: &'a ExecutorContext,
    /// `None` for an operation.
    command: Option<&'a CommandPlan>,
    record: &'a Record,
    /// The resource's, and its own.
    name: (&'a str, &'a str),
    /// How long the handler may still take.
    left: Duration,
}

impl Execution<'_> {
    async fn run(mut self) {
        let started = Instant::now();
        let (mut conflicts, mut upstream, mut away) = (0, 0, 0);
        let mut turn = None;
        loop {
            let pause = match self.attempt().await {
                Attempt::Ended(end) => match self.commit(end).await {
                    Ok(status) => return self.record_end(status, started),
                    Err(Refusal::Superseded) => return throttled!(warn, "another executor has taken over the command"),
                    Err(Refusal::Conflict) => RetryReason::Conflict,
                    Err(refusal) => {
                        throttled!(warn, ?refusal, "the end of a command could not be stored");
                        RetryReason::StoreAway
                    }
                },
                Attempt::Again(pause) => pause,
            };
            match pause {
                RetryReason::Conflict => {
                    conflicts += 1;
                    if conflicts >= CONFLICTS_AT_ONCE && turn.is_none() {
                        turn = Some(self.context.turn.lock().await);
                    }
                }
                RetryReason::Upstream(code) => {
                    upstream += 1;
                    if upstream == UPSTREAM_TRIES {
                        return self.commit_failure_until_stored(vec![Problem::new(code)], started).await;
                    }
                    tokio::time::sleep(pause_of(upstream)).await;
                }
                RetryReason::StoreAway => {
                    away += 1;
                    tokio::time::sleep(pause_of(away)).await;
                }
            }
        }
    }

    /// One run of the handler.
    async fn attempt(&mut self) -> Attempt {
        if self.record.executions() > MOST_TIMES {
            throttled!(error, "the command was started {MOST_TIMES} times and never ended");
            return failed(Vec::new(), ErrorCode::InternalError);
        }
        let (command, handler) = match (self.record.of.task, self.command) {
            (Task::Operation(kind), _) => return self.operate(kind).await,
            (Task::Hook, _) => return self.hook().await,
            (Task::Command(_), Some(command)) => (command, self.context.handlers.get(&self.record.of)),
            (Task::Command(_), None) => return failed(Vec::new(), ErrorCode::NotReady),
        };
        if handler.is_none() && !command.is_done_by_transition() {
            return failed(Vec::new(), ErrorCode::NotReady);
        }
        let input = exact_json::parse(&self.record.input).unwrap_or_default();
        let invocation = self.invocation(stored::object(&command.input, &input));
        let of = self.record;
        let handling = async move {
            // the handler sees the entity as the transition leaves it
            if let Some(transition) = &command.transition
                && let Err(rejection) =
                    transitions::make(&invocation.transaction, of.of.resource, of.entity, transition).await
            {
                return HandlerOutcome { steps: invocation.transaction.gathered().take(), output: Err(rejection) };
            }
            match handler {
                Some(handler) => handler.run(invocation).await,
                None => {
                    let steps = invocation.transaction.gathered().take();
                    HandlerOutcome { steps, output: Ok(command.blank_output()) }
                }
            }
        };
        self.handled(handling).await
    }

    /// Calls a hook.
    async fn hook(&mut self) -> Attempt {
        let Some(hook) = self.context.handlers.get(&self.record.of) else {
            return failed(Vec::new(), ErrorCode::NotReady);
        };
        let invocation = self.invocation(Value::Text(self.record.input.clone()));
        self.handled(hook.run(invocation)).await
    }

    fn invocation(&self, input: Value) -> Invocation {
        let Record { id, entity, caller, trace, .. } = self.record;
        let transaction = self.context.change_runner.transaction(trace.clone(), caller.clone());
        Invocation { id: *id, entity: *entity, caller: caller.clone(), input, transaction }
    }

    /// What comes of a team's code, in the time that it has left. A panic in it ends its command, nothing else.
    async fn handled(&mut self, handling: impl Future<Output = HandlerOutcome>) -> Attempt {
        let begun = Instant::now();
        let handled = tokio::time::timeout(self.left, AssertUnwindSafe(handling).catch_unwind()).await;
        self.left = self.left.saturating_sub(begun.elapsed());
        match handled {
            Err(_) => failed(Vec::new(), ErrorCode::Timeout),
            Ok(Err(panic)) => {
                throttled!(error, "the handler panicked");
                self.note(&panic_text(&*panic));
                failed(Vec::new(), ErrorCode::InternalError)
            }
            Ok(Ok(HandlerOutcome { steps, output: Ok(output) })) => {
                Attempt::Ended(CommandEnd::Successful(steps, output))
            }
            Ok(Ok(HandlerOutcome { steps, output: Err(Rejection(cause)) })) => self.rejected(steps, cause),
        }
    }

    fn note(&self, reason: &str) {
        self.context.reasons.note(self.record.trace.id, reason);
    }

    fn rejected(&self, steps: Vec<Step>, cause: Cause) -> Attempt {
        if let Cause::Unforeseen(reason) | Cause::RulesTooDeep(reason) | Cause::Upstream(_, reason) = &cause {
            self.note(reason);
        }
        rejected(steps, cause)
    }

    /// Does an operation, as it was asked for.
    async fn operate(&mut self, kind: OperationKind) -> Attempt {
        let now = self.context.clock.now().millis();
        let Some(change) = operation::from_record(&self.context.plans, self.record, kind, now) else {
            return failed(Vec::new(), ErrorCode::NotReady);
        };
        match tokio::time::timeout(self.left, self.context.change_runner.steps(change, self.record.caller.as_ref()))
            .await
        {
            Ok(Ok(steps)) => Attempt::Ended(CommandEnd::Successful(steps, Value::Null)),
            Ok(Err(cause)) => self.rejected(Vec::new(), cause),
            Err(_) => failed(Vec::new(), ErrorCode::Timeout),
        }
    }

    /// Commits an end: with all that was done, or with what a failure was decided on.
    async fn commit(&self, end: CommandEnd) -> Result<CommandStatus, Refusal> {
        let (steps, status, output, problems) = match end {
            CommandEnd::Successful(steps, output) => (steps, CommandStatus::Successful, Some(output), Vec::new()),
            // what a hook was refused may be possible later, whatever it has read
            CommandEnd::Failed(_, problems) if self.record.of.task == Task::Hook => return self.fail(problems).await,
            CommandEnd::Failed(steps, problems) => (steps, CommandStatus::Failed, None, problems),
        };
        match self.store(steps, status, output, &problems).await {
            Ok(()) => Ok(status),
            // the changes of the handler are invalid
            Err(Refusal::Invalid(problems)) => self.fail(problems).await,
            Err(Refusal::NotFound) => self.fail(vec![Problem::new(ErrorCode::NotFound)]).await,
            Err(Refusal::StillReferenced(_)) => self.fail(vec![Problem::new(ErrorCode::StillReferenced)]).await,
            Err(Refusal::Failed(StoreError::Internal(reason) | StoreError::Corrupt(reason))) => {
                throttled!(error, %reason, "what the handler did could not be stored");
                self.note(&reason);
                self.fail(vec![Problem::new(ErrorCode::InternalError)]).await
            }
            Err(refusal) => Err(refusal),
        }
    }

    async fn fail(&self, problems: Vec<Problem>) -> Result<CommandStatus, Refusal> {
        let executions = self.record.executions();
        if self.record.of.task == Task::Hook && executions < MOST_TIMES {
            let pause = HOOK_PAUSE.saturating_mul(1 << (executions.max(1) - 1).min(16)).min(LONGEST_HOOK_PAUSE);
            let pause = backoff::equal_jitter(pause).as_millis() as i64;
            let held = (self.record.id, self.record.fence);
            return self.context.store.postpone(held, pause, to_json(&problems)).await.map(|()| CommandStatus::Running);
        }
        if self.command.is_none() {
            let codes: Vec<_> = problems.iter().map(Problem::name).collect();
            throttled!(warn, ?codes, "what was accepted cannot be done any more");
        }
        self.store(Vec::new(), CommandStatus::Failed, None, &problems).await.map(|()| CommandStatus::Failed)
    }

    async fn store(
        &self,
        steps: Vec<Step>,
        status: CommandStatus,
        output: Option<Value>,
        problems: &[Problem],
    ) -> Result<(), Refusal> {
        let output = output.zip(self.command).map(|(output, command)| command.output.to_json(&output));
        let conclusion = Conclusion {
            record: self.record.clone(),
            status,
            output,
            errors: (status == CommandStatus::Failed).then(|| to_json(problems)),
            now: self.context.clock.now().millis(),
        };
        let batch = Batch { steps, conclusion: Some(conclusion), is_dry_run: false };
        self.context.store.commit(batch).await.map(|_| ())
    }

    /// Commits a final failure, and retries for as long as the store is unavailable.
    async fn commit_failure_until_stored(&self, problems: Vec<Problem>, started: Instant) {
        for away in 1.. {
            match self.fail(problems.clone()).await {
                Ok(status) => return self.record_end(status, started),
                Err(Refusal::Superseded) => return,
                Err(refusal) => throttled!(warn, ?refusal, "the end of a command could not be stored"),
            }
            tokio::time::sleep(pause_of(away)).await;
        }
    }

    fn record_end(&self, status: CommandStatus, started: Instant) {
        let took = started.elapsed();
        self.context.metrics.ended(self.name.0, self.name.1, status, took);
        let ended =
            if status == CommandStatus::Running { "a hook is tried again later" } else { "a command has ended" };
        tracing::info!(status = status.value(), millis = took.as_millis() as u64, ended);
    }
}

fn failed(steps: Vec<Step>, code: ErrorCode) -> Attempt {
    Attempt::Ended(CommandEnd::Failed(steps, vec![Problem::new(code)]))
}

fn rejected(steps: Vec<Step>, cause: Cause) -> Attempt {
    match cause {
        Cause::Problems(problems) => Attempt::Ended(CommandEnd::Failed(reads(steps), problems)),
        Cause::Store(Refusal::Invalid(problems)) => Attempt::Ended(CommandEnd::Failed(reads(steps), problems)),
        Cause::Store(Refusal::NotFound) => failed(reads(steps), ErrorCode::NotFound),
        Cause::Store(Refusal::StillReferenced(_)) => failed(reads(steps), ErrorCode::StillReferenced),
        Cause::Store(Refusal::Conflict) => Attempt::Again(RetryReason::Conflict),
        Cause::Store(Refusal::Failed(StoreError::Unavailable(reason))) => {
            throttled!(warn, %reason, "the store is unavailable");
            Attempt::Again(RetryReason::StoreAway)
        }
        Cause::Store(refusal) => {
            throttled!(error, ?refusal, "the store failed a handler");
            failed(reads(steps), ErrorCode::InternalError)
        }
        Cause::Upstream(code, reason) => {
            throttled!(warn, reason = %logged(&reason), "a service behind this one failed a handler");
            Attempt::Again(RetryReason::Upstream(code))
        }
        Cause::Unforeseen(reason) | Cause::RulesTooDeep(reason) => {
            throttled!(error, reason = %logged(&reason), "a handler failed");
            failed(reads(steps), ErrorCode::InternalError)
        }
    }
}

/// It doubles each time, and has jitter, so that not all commands are retried at once.
fn pause_of(times: u32) -> Duration {
    backoff::equal_jitter(PAUSE.saturating_mul(1 << (times - 1).min(10)).min(LONGEST_PAUSE))
}
