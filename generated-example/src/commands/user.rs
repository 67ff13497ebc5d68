//! What the commands of `User` do.

use super::Commands;
use crate::generated::user::{Block, BlockOutput, UserCommands};
use crate::generated::{OfferQuery, OfferStatus, UserStatus};
use restwell::{Call, Rejection, handlers};

/// Offers that are ended at a time.
const PORTION: u32 = 500;

#[handlers]
impl UserCommands for Commands {
    async fn block(&self, call: Call<Block>) -> Result<BlockOutput, Rejection> {
        let mut user = call.entity;
        if user.status == Some(UserStatus::Blocked) {
            return Err(Rejection::new("UserBlocked", "the user is blocked already"));
        }
        let now = call.transaction.now();
        let seller = user.reference();
        user.status = Some(UserStatus::Blocked);
        call.transaction.update(user).await?;
        let mut ended = 0;
        loop {
            let active = OfferQuery::new().seller_id(seller).status(OfferStatus::Active).limit(PORTION);
            let offers = call.transaction.list(active).await?;
            if offers.is_empty() {
                break;
            }
            for mut offer in offers {
                offer.status = Some(OfferStatus::Ended);
                offer.ending_at = Some(now);
                call.transaction.update(offer).await?;
                ended += 1;
            }
        }
        Ok(BlockOutput { blocked_at: Some(now), ended_offers_count: Some(ended) })
    }
}
