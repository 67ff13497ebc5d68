//! Secrets in requests: hashed last, once nothing else is known to be wrong with the change that sets them.

use super::Admitted;
use crate::logic::hashing::MAX_SECRETS;
use crate::logic::rejection::Cause;
use crate::store::{Change, ChangeKind, Entity, Refusal, StoreError};
use restwell_model::{ErrorCode, Problem, Value};

/// The secrets that were hashed for a request. A change that is retried, because others came in between, has the
/// same.
#[derive(Default)]
pub(super) struct Hashes {
    secrets: Vec<String>,
    hashes: Vec<String>,
}

impl Admitted<'_> {
    /// What is wrong where a change sets more secrets than one request may.
    pub(super) fn too_many_secrets(&self, kind: &ChangeKind) -> Option<Problem> {
        let field = self.plan.secrets.excess(values(kind)?, MAX_SECRETS)?;
        let problem = Problem::at(ErrorCode::TooManyItems, self.shape().members().get(field)?.name());
        Some(problem.with("maxItems", MAX_SECRETS))
    }

    /// Takes the secrets out of a change. What stands in their place until they are hashed is as good for trying it.
    pub(super) fn take_secrets(&self, kind: &mut ChangeKind) -> Vec<String> {
        if self.plan.secrets.is_empty() {
            return Vec::new();
        }
        values_mut(kind).map(|value| self.plan.secrets.take(value)).unwrap_or_default()
    }

    /// Puts the hashes of secrets into the change that they were taken out of.
    pub(super) async fn put_secrets(
        &self,
        kind: &mut ChangeKind,
        secrets: &[String],
        hashes: &mut Hashes,
    ) -> Result<(), StoreError> {
        let Some(value) = values_mut(kind).filter(|_| !secrets.is_empty()) else { return Ok(()) };
        if hashes.secrets != secrets {
            hashes.hashes = self.engine.change_runner.hasher().hash(self.client, secrets.to_vec()).await?;
            hashes.secrets = secrets.to_vec();
        }
        self.plan.secrets.put(value, &hashes.hashes);
        Ok(())
    }

    /// Makes a change. One that sets secrets is tried first, and they are hashed only if it would succeed: hashing is
    /// expensive, and therefore comes after all checks of the store and of the team's rules.
    pub(super) async fn attempt(
        &self,
        mut change: Change,
        secrets: &[String],
        hashes: &mut Hashes,
    ) -> Result<Entity, Cause> {
        let change_runner = &self.engine.change_runner;
        if !secrets.is_empty() && !change.is_dry_run {
            let trial = Change { is_dry_run: true, ..change.clone() };
            change_runner.change(trial, self.caller.as_ref()).await?;
            let put = self.put_secrets(&mut change.kind, secrets, hashes).await;
            put.map_err(|error| Cause::Store(Refusal::Failed(error)))?;
        }
        change_runner.change(change, self.caller.as_ref()).await
    }
}

/// The values that a request sets.
fn values(kind: &ChangeKind) -> Option<&Value> {
    match kind {
        ChangeKind::Create(value) | ChangeKind::Update(value) => Some(value),
        ChangeKind::Put(_) | ChangeKind::Delete => None,
    }
}

fn values_mut(kind: &mut ChangeKind) -> Option<&mut Value> {
    match kind {
        ChangeKind::Create(value) | ChangeKind::Update(value) => Some(value),
        ChangeKind::Put(_) | ChangeKind::Delete => None,
    }
}
