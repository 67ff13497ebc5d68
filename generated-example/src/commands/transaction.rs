//! What the commands of `Transaction` do.

use super::Commands;
use crate::generated::TransactionStatus;
use crate::generated::transaction::{Cancel, CancelOutput, TransactionCommands};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl TransactionCommands for Commands {
    async fn cancel(&self, call: Call<Cancel>) -> Result<CancelOutput, Rejection> {
        let mut transaction = call.entity;
        match transaction.status {
            Some(TransactionStatus::Sent) => {
                return Err(Rejection::new("AlreadySent", "what was bought is on its way already"));
            }
            Some(TransactionStatus::Cancelled) => {
                return Err(Rejection::new("AlreadyCancelled", "the purchase was taken back already"));
            }
            _ => {}
        }
        let mut offer = call.transaction.find(transaction.offer).await?;
        put_back(&mut offer, transaction.quantity);
        transaction.status = Some(TransactionStatus::Cancelled);
        call.transaction.update(offer).await?;
        call.transaction.update(transaction).await?;
        Ok(CancelOutput { cancelled_at: Some(call.transaction.now()) })
    }
}

/// What was bought can be bought again.
fn put_back(offer: &mut crate::generated::Offer, quantity: i64) {
    offer.stock = Some(offer.stock.unwrap_or_default().saturating_add(quantity));
}
