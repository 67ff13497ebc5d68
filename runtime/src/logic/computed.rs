//! Computed fields for the service's own code: those that read other entities read them in the transaction.

use super::rejection::Rejection;
use super::transaction::Transaction;
use crate::plan::ResourcePlan;
use crate::plan::cell::Cell;
use crate::store::facts::{KnownEntity, KnownFacts};
use restwell_model::Value;

impl Transaction {
    /// Fills in the computed fields of an entity that depend on other entities; its row has decided the others.
    pub(super) async fn compute(&self, plan: &ResourcePlan, row: &[Cell], values: &mut Value) -> Result<(), Rejection> {
        for computed in plan.computed.iter().filter(|computed| computed.reads_others) {
            let entity = KnownEntity::of(plan, row);
            let mut facts = KnownFacts::new(self.plans(), entity, None, self.now().millis());
            let value = facts.value(&computed.value, |read| self.look(read)).await?;
            if let Value::Object(fields) = &mut *values
                && let Some(field) = fields.get_mut(computed.index)
            {
                *field = value;
            }
        }
        Ok(())
    }
}
