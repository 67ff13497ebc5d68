//! What the commands of `User` do.

use super::Commands;
use crate::generated::offer::End;
use crate::generated::user::{Block, BlockOutput, UserCommands};
use crate::generated::{OfferQuery, OfferStatus};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl UserCommands for Commands {
    async fn block(&self, call: Call<Block>) -> Result<BlockOutput, Rejection> {
        let mut user = call.entity;
        let seller = user.reference();
        user.blocked_until = call.input.blocked_until;
        call.transaction.update(user).await?;
        let active = OfferQuery::new().seller_id(seller).status(OfferStatus::Active);
        let ended = call.transaction.transition_all::<End>(active).await?;
        Ok(BlockOutput { blocked_at: Some(call.transaction.now()), ended_offers_count: i64::try_from(ended).ok() })
    }
}
