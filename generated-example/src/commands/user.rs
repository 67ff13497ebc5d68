//! What the commands of `User` do.

use super::Commands;
use crate::generated::offer::End;
use crate::generated::user::{Block, BlockOutput, UserCommands};
use crate::generated::{OfferQuery, OfferStatus};
use restwell::{Call, Rejection, handlers};

/// Offers that are ended at a time.
const PORTION: u32 = 500;

#[handlers]
impl UserCommands for Commands {
    async fn block(&self, call: Call<Block>) -> Result<BlockOutput, Rejection> {
        let mut user = call.entity;
        let seller = user.reference();
        user.blocked_until = call.input.blocked_until;
        call.transaction.update(user).await?;
        let mut ended = 0;
        loop {
            let active = OfferQuery::new().seller_id(seller).status(OfferStatus::Active).limit(PORTION);
            let offers = call.transaction.list(active).await?;
            if offers.is_empty() {
                break;
            }
            for offer in &offers {
                call.transaction.transition::<End>(offer).await?;
                ended += 1;
            }
        }
        Ok(BlockOutput { blocked_at: Some(call.transaction.now()), ended_offers_count: Some(ended) })
    }
}
