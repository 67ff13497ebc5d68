//! A write that waits for its group, and who waits for it.

use super::commit_count::WaitingWrite;
use super::group_member::GroupMember;
use super::groups::Lane;
use super::shared_write::SharedWrite;
use crate::plan::Plans;
use crate::store::{Change, Refusal, StoreError};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use uuid::Uuid;

/// What has become of a write.
pub(super) enum GroupOutcome<W: SharedWrite> {
    /// It was done with others, or refused.
    Done(Result<W::Outcome, Refusal>),
    /// It is to be done in a transaction of its own, in this lane if there is one.
    Alone(Box<W>, Option<Lane>),
}

/// What a write is for its group, whichever it is.
pub(super) trait QueuedWrite: Send + Sync {
    fn id(&self) -> Uuid;

    fn bytes(&self) -> usize;

    fn changes(&self) -> Vec<&Change>;

    /// How long it has waited.
    fn waited(&self) -> Duration;

    /// Whether its client has left.
    fn is_abandoned(&self) -> bool;

    /// Does it in the group's transaction, and keeps its outcome.
    fn apply<'a>(&'a self, member: GroupMember<'a>, plans: &'a Plans) -> BoxFuture<'a, MemberState>;

    /// Answers with the outcome of the last attempt.
    fn answer(self: Box<Self>);

    /// Answers with an error.
    fn refuse(self: Box<Self>, error: StoreError);

    /// Has it done in a transaction of its own.
    fn leave_alone(self: Box<Self>, lane: Option<Lane>);
}

/// How far a write has come in an attempt of its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberState {
    /// It is done, or refused without a trace: it does not keep the group from being committed.
    Decided,
    /// It was broken off, by the failure of another maybe.
    Aborted,
    /// It failed itself.
    Failed,
}

/// A write, and who waits for it.
pub(super) struct Queued<W: SharedWrite> {
    write: W,
    since: Instant,
    outcome: Mutex<Option<Result<W::Outcome, Refusal>>>,
    answer: oneshot::Sender<GroupOutcome<W>>,
    _waiting: WaitingWrite,
}

impl<W: SharedWrite> Queued<W> {
    pub(super) fn new(write: W, waiting: WaitingWrite) -> (Self, oneshot::Receiver<GroupOutcome<W>>) {
        let (answer, outcome) = oneshot::channel();
        (Self { write, since: Instant::now(), outcome: Mutex::default(), answer, _waiting: waiting }, outcome)
    }

    /// An error means that the client has left.
    fn tell(self, outcome: Result<W::Outcome, Refusal>) {
        let _ = self.answer.send(GroupOutcome::Done(outcome));
    }
}

impl<W: SharedWrite> QueuedWrite for Queued<W> {
    fn id(&self) -> Uuid {
        self.write.id()
    }

    fn bytes(&self) -> usize {
        self.write.bytes()
    }

    fn changes(&self) -> Vec<&Change> {
        self.write.changes()
    }

    fn waited(&self) -> Duration {
        self.since.elapsed()
    }

    fn is_abandoned(&self) -> bool {
        self.answer.is_closed()
    }

    fn apply<'a>(&'a self, member: GroupMember<'a>, plans: &'a Plans) -> BoxFuture<'a, MemberState> {
        async move {
            let outcome = self.write.apply(&member, plans).await;
            let state = match &outcome {
                _ if member.has_failed() => MemberState::Failed,
                Err(_) if member.has_written() => MemberState::Failed,
                Err(Refusal::Failed(_)) => MemberState::Aborted,
                _ => MemberState::Decided,
            };
            *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            state
        }
        .boxed()
    }

    fn answer(self: Box<Self>) {
        let outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
        let undecided = || Err(StoreError::Internal("a write has no outcome".to_owned()).into());
        self.tell(outcome.unwrap_or_else(undecided));
    }

    fn refuse(self: Box<Self>, error: StoreError) {
        self.tell(Err(error.into()));
    }

    fn leave_alone(self: Box<Self>, lane: Option<Lane>) {
        let _ = self.answer.send(GroupOutcome::Alone(Box::new(self.write), lane));
    }
}
