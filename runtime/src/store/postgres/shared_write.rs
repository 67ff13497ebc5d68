//! What may share a transaction with others: changes of single entities, acceptances of commands, and what commands and
//! rules do.

use super::group_member::GroupMember;
use crate::plan::Plans;
use crate::plan::permission::Permit;
use crate::store::sql;
use crate::store::weight::Weight;
use crate::store::{Batch, Change, ChangeKind, Entity, NewCommand, Read, Record, Refusal, Step};
use uuid::Uuid;

/// Steps of a batch that shares a transaction: a longer one would hold up the others.
const MAX_SHARED_STEPS: usize = 16;

/// A write that is independent of others, and may be committed with them. They are of different entities: the entities
/// of each are locked within this process before.
pub(super) trait SharedWrite: Weight + Send + Sync + 'static {
    type Outcome: Send + 'static;

    /// Whether it may share a transaction.
    fn may_share(&self, plans: &Plans) -> bool;

    /// Where it stands in a group: instances lock rows in one order.
    fn id(&self) -> Uuid;

    /// The changes of entities that are part of it.
    fn changes(&self) -> Vec<&Change>;

    /// Does it as a part of a transaction.
    fn apply(
        &self,
        member: &GroupMember<'_>,
        plans: &Plans,
    ) -> impl Future<Output = Result<Self::Outcome, Refusal>> + Send;
}

impl SharedWrite for Change {
    type Outcome = Entity;

    /// A deletion may take many entities with it, and a condition is decided between the statements of a change. What a
    /// rule counts, another change of the group may add to.
    fn may_share(&self, plans: &Plans) -> bool {
        let counts_others = plans.resources[self.at.resource].rules.counts_others;
        let is_conditional = counts_others || matches!(self.permit, Permit::Where(_)) || !self.viewer.is_everything();
        !self.is_dry_run && !is_conditional && !matches!(self.kind, ChangeKind::Delete)
    }

    fn id(&self) -> Uuid {
        self.id
    }

    fn changes(&self) -> Vec<&Change> {
        vec![self]
    }

    async fn apply(&self, member: &GroupMember<'_>, plans: &Plans) -> Result<Entity, Refusal> {
        sql::apply(member, plans, &mut self.clone()).await
    }
}

impl SharedWrite for NewCommand {
    type Outcome = (Record, bool);

    fn may_share(&self, _: &Plans) -> bool {
        !self.is_dry_run
    }

    fn id(&self) -> Uuid {
        self.record.id
    }

    fn changes(&self) -> Vec<&Change> {
        Vec::new()
    }

    async fn apply(&self, member: &GroupMember<'_>, plans: &Plans) -> Result<(Record, bool), Refusal> {
        sql::accept(member, plans, self).await
    }
}

impl SharedWrite for Batch {
    type Outcome = Vec<Entity>;

    /// What a query found is guarded by locks that are taken when a transaction begins.
    fn may_share(&self, plans: &Plans) -> bool {
        let may_share = |step: &Step| match step {
            Step::Verify { read, .. } => matches!(read, Read::One(..)),
            Step::Lock(..) => false,
            Step::Write(change) => change.may_share(plans),
        };
        !self.is_dry_run && self.steps.len() <= MAX_SHARED_STEPS && self.steps.iter().all(may_share)
    }

    fn id(&self) -> Uuid {
        entities(self).next().unwrap_or_default()
    }

    fn changes(&self) -> Vec<&Change> {
        let changes = self.steps.iter().filter_map(|step| match step {
            Step::Write(change) => Some(change),
            Step::Verify { .. } | Step::Lock(..) => None,
        });
        changes.collect()
    }

    async fn apply(&self, member: &GroupMember<'_>, plans: &Plans) -> Result<Vec<Entity>, Refusal> {
        sql::commit(member, plans, self).await
    }
}

/// The entities that a batch is about: the command's, and those that it has read or changes.
pub(super) fn entities(batch: &Batch) -> impl Iterator<Item = Uuid> {
    let command = batch.conclusion.as_ref().map(|conclusion| conclusion.record.entity);
    let of_step = |step: &Step| match step {
        Step::Verify { read: Read::One(_, id), .. } | Step::Lock(_, id) => Some(*id),
        Step::Verify { .. } => None,
        Step::Write(change) => Some(change.id),
    };
    command.into_iter().chain(batch.steps.iter().filter_map(of_step))
}
