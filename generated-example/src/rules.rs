//! What the schemas cannot say: a purchase changes the offer that is bought.

use crate::generated::Transaction;
use restwell::{Context, Ruled, Rules, Stored};

/// What is bought leaves the stock of the offer.
pub struct TransactionRules;

impl Rules<Transaction> for TransactionRules {
    async fn after_create(&self, purchase: &Stored<Transaction>, context: &Context<'_>) -> Ruled {
        let mut offer = context.transaction.find(purchase.offer).await?;
        let left = offer.stock.unwrap_or_default() - purchase.quantity;
        if left < 0 {
            // the schema's rule `OutOfStock` refuses the purchase
            return Ok(());
        }
        offer.stock = Some(left);
        context.transaction.update(offer).await
    }
}
