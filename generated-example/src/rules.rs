//! What holds in the marketplace beside its schemas.

use crate::generated::{OfferStatus, Transaction};
use restwell::{Context, Rejection, Ruled, Rules, Stored};

/// Who buys takes from the offer's stock; what is not there cannot be bought.
pub struct TransactionRules;

impl Rules<Transaction> for TransactionRules {
    async fn validate(
        &self,
        purchase: &Transaction,
        stored: Option<&Stored<Transaction>>,
        context: &Context<'_>,
    ) -> Ruled {
        // what is bought already has left the stock
        if stored.is_some() {
            return Ok(());
        }
        // an offer that is not there is told by the store
        let Some(offer) = context.transaction.get(purchase.offer).await? else { return Ok(()) };
        if offer.status == Some(OfferStatus::Ended) {
            return Err(Rejection::new("OfferEnded", "has ended").at("offer.id"));
        }
        let stock = offer.stock.unwrap_or_default();
        if purchase.quantity > stock {
            return Err(Rejection::new("OutOfStock", "is more than the {stock} that are left")
                .at("quantity")
                .with("stock", stock));
        }
        Ok(())
    }

    async fn after_create(&self, purchase: &Stored<Transaction>, context: &Context<'_>) -> Ruled {
        let mut offer = context.transaction.find(purchase.offer).await?;
        offer.stock = offer.stock.map(|stock| stock - purchase.quantity);
        context.transaction.update(offer).await
    }
}
