//! What the commands of `Transaction` do.

use super::Commands;
use crate::generated::Transaction;
use crate::generated::transaction::{Cancel, CancelOutput, TransactionCommands};
use restwell::{Call, Rejection, Stored, handlers};

#[handlers]
impl TransactionCommands for Commands {
    async fn cancel(&self, call: Call<Cancel>) -> Result<CancelOutput, Rejection> {
        put_back(&call.entity, &call.transaction).await?;
        Ok(CancelOutput { cancelled_at: Some(call.transaction.now()) })
    }
}

/// What was bought can be bought again.
pub(super) async fn put_back(
    purchase: &Stored<Transaction>,
    transaction: &restwell::Transaction,
) -> Result<(), Rejection> {
    let mut offer = transaction.find(purchase.offer).await?;
    offer.stock = Some(offer.stock.unwrap_or_default().saturating_add(purchase.quantity));
    transaction.update(offer).await
}
