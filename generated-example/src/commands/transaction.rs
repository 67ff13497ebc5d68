//! What the commands of `Transaction` do.

use super::Commands;
use crate::generated::transaction::{Cancel, CancelOutput, TransactionCommands};
use crate::generated::{Transaction, TransactionStatus};
use restwell::{Call, Rejection, Stored, handlers};

#[handlers]
impl TransactionCommands for Commands {
    async fn cancel(&self, call: Call<Cancel>) -> Result<CancelOutput, Rejection> {
        match call.entity.status {
            Some(TransactionStatus::Sent) => {
                return Err(Rejection::new("AlreadySent", "what was bought is on its way already"));
            }
            Some(TransactionStatus::Cancelled) => {
                return Err(Rejection::new("AlreadyCancelled", "the purchase was taken back already"));
            }
            _ => {}
        }
        take_back(call.entity, &call.transaction).await?;
        Ok(CancelOutput { cancelled_at: Some(call.transaction.now()) })
    }
}

/// Cancels a purchase: what was bought can be bought again.
pub(super) async fn take_back(
    mut purchase: Stored<Transaction>,
    transaction: &restwell::Transaction,
) -> Result<(), Rejection> {
    let mut offer = transaction.find(purchase.offer).await?;
    offer.stock = Some(offer.stock.unwrap_or_default().saturating_add(purchase.quantity));
    purchase.status = Some(TransactionStatus::Cancelled);
    transaction.update(offer).await?;
    transaction.update(purchase).await
}
